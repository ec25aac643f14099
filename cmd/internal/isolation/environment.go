package isolation

import (
	"fmt"
	"slices"
	"strings"

	"parity/specs/words"
)

// always are the variables that each agent gets of those that there are.
func always() []string {
	return []string{"PATH", "HOME", "LANG", "TERM", "TZ", "USER", "SHELL", "PWD"}
}

// allowed is the part of an environment that an agent inside gets: what each gets,
// and what is named.
func allowed(parent, named []string) (given []string, err error) {
	var missing []string
	for _, name := range named {
		if !slices.ContainsFunc(parent, func(entry string) bool { return strings.HasPrefix(entry, name+"=") }) {
			missing = append(missing, name)
		}
	}
	if len(missing) > 0 {
		return nil, fmt.Errorf("isolation.env names %s, which is not set: set it, or take it out", words.And(missing))
	}
	for _, entry := range parent {
		name, _, _ := strings.Cut(entry, "=")
		if strings.HasPrefix(name, "LC_") || slices.Contains(always(), name) || slices.Contains(named, name) {
			given = append(given, entry)
		}
	}
	return given, nil
}

// dropped names what of an environment another has not, keys first: but what is
// Parity's, or the shell's own.
func dropped(parent, given []string) (names []string) {
	has := map[string]bool{}
	for _, entry := range given {
		name, _, _ := strings.Cut(entry, "=")
		has[name] = true
	}
	for _, entry := range parent {
		name, _, _ := strings.Cut(entry, "=")
		if !has[name] && name != "" && !strings.HasPrefix(name, "PARITY_") && !slices.Contains([]string{"_", "OLDPWD", "SHLVL"}, name) {
			names = append(names, name)
		}
	}
	slices.SortFunc(names, func(a, b string) int {
		if key(a) != key(b) {
			if key(a) {
				return -1
			}
			return 1
		}
		return strings.Compare(a, b)
	})
	return slices.Compact(names)
}

// key tells whether a variable is called as one that holds a secret.
func key(name string) bool {
	return slices.ContainsFunc([]string{"_KEY", "_TOKEN", "_SECRET", "PASSWORD"}, func(end string) bool { return strings.HasSuffix(name, end) })
}
