package main

import (
	"fmt"
	"strings"

	"parity/profiles"
)

// requiresIsolation refuses a profile under which an agent would be started beside
// real credentials with nothing around it: a process of the same user can read much
// of what its gateway reads.
func requiresIsolation(isolated bool) func(*profiles.Profile) error {
	return func(p *profiles.Profile) error {
		all := p.Real()
		if len(all) == 0 || isolated || p.Isolation != nil && p.Isolation.On == profiles.WholeIsolated {
			return nil
		}
		return fmt.Errorf("%s: a mode other than fake wants the agent contained: add --isolate, or isolation: {on: true}; or have the gateway elsewhere: start it with `parity serve`, and the agent with `parity run --gateway`", strings.Join(all, ", "))
	}
}
