package author

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"parity/fakes/builtin"
	"parity/gateway/client"
	"parity/profiles"
)

// RuleParts reads KEY=VALUE as a profile has them under a key of a rule. A key
// with a dot is one inside another; between has two calls with a comma in between.
func RuleParts(of string, pairs []string) (map[string]any, error) {
	parts := map[string]any{}
	for _, pair := range pairs {
		key, text, ok := strings.Cut(pair, "=")
		if key = strings.TrimSpace(key); !ok || key == "" {
			return nil, fmt.Errorf("--%s %q: write KEY=VALUE, such as %s", of, pair, map[string]string{"with": "reply=reset", "trigger": "nth=2"}[of])
		}
		value := profiles.Scalar(strings.TrimSpace(text))
		into := parts
		if outer, inner, nested := strings.Cut(key, "."); nested {
			within, _ := parts[outer].(map[string]any)
			if within == nil {
				within = map[string]any{}
			}
			parts[outer] = within
			into, key = within, inner
		} else if key == "between" {
			list := []any{}
			for call := range strings.SplitSeq(text, ",") {
				list = append(list, strings.TrimSpace(call))
			}
			value = list
		}
		if _, twice := into[key]; twice {
			return nil, fmt.Errorf("--%s: %s is there twice", of, key)
		}
		into[key] = value
	}
	if len(parts) == 0 {
		return nil, nil
	}
	return parts, nil
}

// PrintArmed writes which rules are armed, one a line, and what looks like a
// mistake in them.
func PrintArmed(w io.Writer, all []client.Armed) error {
	if len(all) == 0 {
		_, err := fmt.Fprintln(w, "no rule is armed")
		return err
	}
	for _, a := range all {
		until := "until it is stopped"
		if !a.Until.IsZero() {
			until = "until " + a.Until.Format(time.RFC3339) + " on the run's clock"
		}
		fmt.Fprintf(w, "%s: %s at %s, from #%d on, %s\n", a.Name, a.Inject, strings.Join(a.Call, ", "), a.Event, until)
		for _, warning := range a.Warnings {
			if _, err := fmt.Fprintln(w, warning); err != nil {
				return err
			}
		}
	}
	return nil
}

// PrintDisarmed writes which rules were disarmed.
func PrintDisarmed(w io.Writer, d client.Disarmed) error {
	if len(d.Runs) == 0 {
		_, err := fmt.Fprintln(w, "no rule was armed")
		return err
	}
	for _, run := range slices.Sorted(maps.Keys(d.Runs)) {
		if _, err := fmt.Fprintf(w, "%s: %s stopped\n", run, strings.Join(d.Runs[run], ", ")); err != nil {
			return err
		}
	}
	return nil
}

// SaveRule puts a rule that is armed into a profile's file.
func SaveRule(w io.Writer, file string, a client.Armed) error {
	catalogue, err := builtin.Catalogue()
	if err != nil {
		return err
	}
	p, err := profiles.SaveRule(file, a.Name, a.Text, profiles.Options{Catalogue: catalogue})
	if err != nil {
		return err
	}
	for _, warning := range p.Warnings {
		fmt.Fprintln(w, warning)
	}
	_, err = fmt.Fprintf(w, "%s has it too: revision %s\n", file, p.Revision)
	return err
}
