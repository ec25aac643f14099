package gateway

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"parity/fakes/builtin"
	"parity/fakes/kit"
	"parity/gateway/report"
	"parity/profiles"
	"parity/specs/words"
)

// PrintTrace lists the events of a kept run.
func PrintTrace(w io.Writer, root, name, output string, colour bool) error {
	if err := textOrJSON(output); err != nil {
		return err
	}
	k, err := Read(root, name)
	if err != nil {
		return err
	}
	return report.Trace(w, k.Events, k.Settlements, report.TraceOptions{JSON: output == "json", Color: colour, Missing: k.missing()})
}

// PrintOutbox lists what a kept run had sent after event at that cannot be taken
// back; 0 is its last event.
func PrintOutbox(w io.Writer, root, run string, at uint64, output string, colour bool) error {
	if err := textOrJSON(output); err != nil {
		return err
	}
	state, err := stateAt(root, run, at)
	if err != nil {
		return err
	}
	return report.Outbox(w, kit.Outbox(state.World), report.OutboxOptions{Options: report.Options{Color: colour}, JSON: output == "json"})
}

// LintProfile says everything that is wrong with a profile.
func LintProfile(w io.Writer, name string) error {
	p, err := loadProfile(name)
	if err != nil {
		return err
	}
	for _, warning := range slices.Concat(p.Warnings, p.Silent) {
		fmt.Fprintln(w, warning)
	}
	_, err = fmt.Fprintf(w, "%s: %s, %s, revision %s\n", p.Name, words.Count(len(p.Rules), "rule"), words.Count(len(p.Differences), "difference"), p.Revision)
	return err
}

// ShowProfile prints a profile with everything that it extends.
func ShowProfile(w io.Writer, name string) error {
	p, err := loadProfile(name)
	if err != nil {
		return err
	}
	_, err = w.Write(p.Content)
	return err
}

// ListProfiles prints the library.
func ListProfiles(w io.Writer) error {
	catalogue, err := builtin.Catalogue()
	if err != nil {
		return err
	}
	for _, name := range profiles.Library() {
		p, err := profiles.Load(name, profiles.Options{Catalogue: catalogue})
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintf(w, "%-18s %s\n", name, p.Summary); err != nil {
			return err
		}
	}
	return nil
}

func loadProfile(name string) (*profiles.Profile, error) {
	catalogue, err := builtin.Catalogue()
	if err != nil {
		return nil, err
	}
	p, err := profiles.Load(name, profiles.Options{Catalogue: catalogue})
	if err != nil {
		return nil, &UsageError{err}
	}
	return p, nil
}

// textOrJSON refuses any other form of output.
func textOrJSON(output string) error {
	if output == "text" || output == "json" {
		return nil
	}
	return &UsageError{fmt.Errorf("--output %q: say text or json", output)}
}

// writeJSON writes a value as people can read it too.
func writeJSON(w io.Writer, value any) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(value)
}
