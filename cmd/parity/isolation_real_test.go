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
	if err := requiresIsolation(false)(p); err != nil {
		t.Errorf("fakes alone: %v", err)
	}
	p.Upstreams = map[string]*profiles.Upstream{"desk": {}}
	if err := requiresIsolation(false)(p); err == nil || !strings.Contains(err.Error(), "desk") || !strings.Contains(err.Error(), "--isolate") {
		t.Errorf("a real service: %v", err)
	}
	if err := requiresIsolation(true)(p); err != nil {
		t.Errorf("a real service, contained: %v", err)
	}
	p.Isolation = &profiles.Isolation{On: profiles.WholeIsolated}
	if err := requiresIsolation(false)(p); err != nil {
		t.Errorf("a real service, in a profile that contains: %v", err)
	}
	p.Isolation.On = profiles.NetIsolated
	if err := requiresIsolation(false)(p); err == nil {
		t.Error("a real service, whose credential the agent could read in a file")
	}
}
