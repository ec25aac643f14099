package main

import (
	"strings"
	"testing"

	"parity/profiles"
)

// An agent that nothing contains is not started beside a real credential.
func TestModesOfRealServicesWantIsolation(t *testing.T) {
	t.Parallel()
	p := &profiles.Profile{}
	if err := requiresIsolation(p); err != nil {
		t.Errorf("fakes alone: %v", err)
	}
	p.Upstreams = map[string]*profiles.Upstream{"desk": {}}
	if err := requiresIsolation(p); err == nil || !strings.Contains(err.Error(), "desk") || !strings.Contains(err.Error(), "--isolate") {
		t.Errorf("a real service: %v", err)
	}
}
