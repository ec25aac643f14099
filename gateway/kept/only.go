package kept

import (
	"fmt"
	"slices"

	"parity/profiles"
)

// NoRules, in the place of names, switches off every rule.
const NoRules = "-"

// Only switches off every rule that is not named.
func Only(p *profiles.Profile, names []string) (*profiles.Profile, error) {
	if len(names) == 0 {
		return p, nil
	}
	kept := *p
	kept.Rules = nil
	if slices.Equal(names, []string{NoRules}) {
		return &kept, nil
	}
	for _, name := range names {
		found := false
		for _, r := range p.Rules {
			if r.Name == name {
				kept.Rules, found = append(kept.Rules, r), true
			}
		}
		if !found {
			return nil, fmt.Errorf("profile %s has no rule %q; --only names one of its rules", p.Name, name)
		}
	}
	return &kept, nil
}
