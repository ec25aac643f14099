package author

import (
	"fmt"
	"io"
	"slices"

	"parity/fakes/builtin"
	"parity/profiles"
	"parity/specs/words"
)

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

// loadProfile reads a profile with the services that ship.
func loadProfile(name string) (*profiles.Profile, error) {
	catalogue, err := builtin.Catalogue()
	if err != nil {
		return nil, err
	}
	p, err := profiles.Load(name, profiles.Options{Catalogue: catalogue})
	if err != nil {
		return nil, err
	}
	return p, nil
}
