package main

import (
	"fmt"
	"strings"

	"parity/profiles"
)

// requiresIsolation refuses a profile under which an agent would be started beside
// real credentials with nothing around it: a process of the same user can read much
// of what its gateway reads.
func requiresIsolation(p *profiles.Profile) error {
	if all := p.Real(); len(all) > 0 {
		return fmt.Errorf("%s: mode other than fake wants the agent contained, or a gateway elsewhere: start that with `parity serve`, and the agent with `parity run --gateway`", strings.Join(all, ", "))
	}
	return nil
}
