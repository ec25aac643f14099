package kept

import (
	"cmp"
	"errors"
	"fmt"

	"parity/gateway/evidence"
	"parity/profiles"
)

// Raised tells whether a run of a version of an agent may begin at a stage: where
// the policy wants evidence, the version was promoted to each step with a stage up
// to that, and the newest of these promotions rests on the policy that is in
// force, so that what was proven is what goes on. Its error names what is missing.
func Raised(store evidence.Store, p *profiles.Profile, stage int, agent string) error {
	if p.Authority == nil || !p.Authority.Evidence {
		return nil
	}
	var wanted []profiles.Step
	for _, step := range p.Steps {
		if step.Stage > 0 && step.Stage <= stage {
			wanted = append(wanted, step)
		}
	}
	if len(wanted) == 0 {
		return nil
	}
	if agent == "" {
		return fmt.Errorf("stage %d of %s wants evidence (policy.raise): say which agent it is, --agent NAME@VERSION, that was promoted to %s", stage, p.Name, wanted[len(wanted)-1].Name)
	}
	chain, err := store.Verify()
	if err != nil && !errors.Is(err, evidence.ErrNone) {
		return err
	}
	if len(chain.Broken) > 0 {
		return fmt.Errorf("stage %d of %s wants evidence, and nothing can rest on that in %s: %s", stage, p.Name, store.Dir, chain.Broken[0])
	}
	newest := ""
	for _, step := range wanted {
		found := false
		for i := range chain.Entries {
			e := &chain.Entries[i]
			if e.Kind == evidence.Promotion && e.Agent == agent && e.Profile == p.Name && e.Step == step.Name {
				found, newest = true, e.Policy
			}
		}
		if !found {
			return fmt.Errorf("%s may not begin at stage %d of %s: it was not promoted to %s (stage %d); `parity promote %s` says what that takes", evidence.Printable(agent), stage, p.Name, step.Name, step.Stage, step.Name)
		}
	}
	if newest != p.Authority.Digest {
		return fmt.Errorf("%s may not begin at stage %d of %s: its newest promotion rests on another policy (%s) than is in force (%s): what was proven under that begins anew", evidence.Printable(agent), stage, p.Name, cmp.Or(newest, "none"), p.Authority.Digest)
	}
	return nil
}
