package author

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"parity/cmd/internal/output"
	"parity/fakes"
	"parity/fakes/builtin"
	"parity/fakes/chance"
	"parity/fakes/clock"
	"parity/fakes/fixture"
	"parity/fakes/world"
	"parity/profiles"
	"parity/specs/file"
	"parity/specs/words"
)

// FixtureLint is what to look at, and how to say it.
type FixtureLint struct {
	Name   string  // a profile, a file of records, or the name of fixtures that ship
	Output string  // text or json
	Seed   *uint64 // nil: the profile's, else 0

	// Distribution shows how the values are spread instead of each field's shape.
	Distribution bool

	// Require are conditions that hold over what was made, each a boolean of the
	// profiles' expressions: over tags, by name how many records have each, and
	// over the lists collections and fields, as Output json has them.
	Require []string
}

// linted is a lint's outcome as -o json has it.
type linted struct {
	Fixtures    string               `json:"fixtures,omitempty"` // their hash
	Collections []fixture.Collection `json:"collections,omitempty"`
	Generated   []fixture.Made       `json:"generated,omitempty"`
	Tags        map[string]int       `json:"tags,omitempty"`     // how many records are there for what, as files say
	Launched    map[string]string    `json:"launched,omitempty"` // by service, the day on which it went into use
	Problems    []problemOf          `json:"problems,omitempty"`
}

type problemOf struct {
	File    string `json:"file,omitempty"`
	Line    int    `json:"line,omitempty"`
	Column  int    `json:"column,omitempty"`
	Pointer string `json:"pointer,omitempty"`
	Message string `json:"message"`
}

// LintFixtures builds what a profile's runs begin with, or a fixture file by
// itself, and says how it looks. Its error says what is wrong with it.
func LintFixtures(w io.Writer, o FixtureLint) error {
	if err := output.TextOrJSON(o.Output); err != nil {
		return err
	}
	var found linted
	err := found.lint(o)
	if o.Output == "json" {
		found.Problems = problemsOf(err)
		return errors.Join(output.JSON(w, found), err)
	}
	if err != nil {
		return err
	}
	if o.Distribution {
		return found.printDistribution(w)
	}
	return found.print(w)
}

func (l *linted) lint(o FixtureLint) error {
	source, base, made, err := makeFixtures(o.Name, o.Seed)
	l.Fixtures = source.spec.Hash()
	if err != nil {
		return err
	}
	l.Collections, l.Generated, l.Tags, l.Launched = fixture.Look(made.World, made.Launched), made.Shapes, made.Tags, made.Launched
	l.Collections = slices.DeleteFunc(l.Collections, func(c fixture.Collection) bool { // what a service has from the start
		return c.Records == base.Len(c.Name)
	})
	var none []error
	for _, m := range made.Shapes {
		if m.Made == 0 && m.Asked > 0 {
			none = append(none, &fixture.Problem{File: o.Name, Pointer: "/data/" + m.Collection, Message: fmt.Sprintf("none of the %d records could be made: %s", m.Asked, m.Refused)})
		}
	}
	if err := errors.Join(append(none, l.require(o.Require)...)...); err != nil {
		return err
	}
	return nil
}

// makeFixtures makes the world that fixtures describe; base is what it has
// without them.
func makeFixtures(name string, seed *uint64) (source origins, base *world.World, made fixture.Result, err error) {
	catalogue, err := builtin.Catalogue()
	if err != nil {
		return source, nil, made, err
	}
	if source, err = fixturesOf(name, catalogue); err != nil {
		return source, nil, made, err
	}
	if seed != nil {
		source.spec.Seed = seed
	}
	if base, err = source.catalogue.World(); err != nil {
		return source, nil, made, err
	}
	if made, err = fixture.Make(base, source.catalogue, source.spec, chance.Seed(source.seed), source.start); err != nil {
		return source, nil, made, err
	}
	return source, base, made, nil
}

// origins are fixtures with what else a world derives from.
type origins struct {
	spec      fixture.Spec
	start     time.Time
	seed      uint64
	catalogue *fakes.Catalogue
}

// fixturesOf reads a profile's fixtures, or a file of records, or fixtures that
// ship.
func fixturesOf(name string, catalogue *fakes.Catalogue) (origins, error) {
	alone := origins{start: clock.Options{Mode: clock.Stepped}.WithStart().Start, catalogue: catalogue}
	for _, service := range catalogue.Names() {
		if slices.Contains(fixture.Shipped(service), name) {
			f, err := fixture.Open(service, name)
			alone.spec.Files = []fixture.File{f}
			return alone, err
		}
	}
	content, err := readFixture(name)
	if errors.Is(err, file.ErrKind) {
		return origins{}, err
	}
	if err == nil && !strings.Contains("\n"+content, "\nprofile:") {
		alone.spec.Files = []fixture.File{{Name: filepath.ToSlash(name), Content: content}}
		return alone, nil
	}
	p, err := profiles.Load(name, profiles.Options{Catalogue: catalogue})
	if err != nil {
		return origins{}, err
	}
	if p.Start.Empty() {
		return origins{}, fmt.Errorf("profile %s has neither fixtures nor data: its runs begin empty", name)
	}
	of := origins{spec: p.Start, start: p.Clock.WithStart().Start, catalogue: p.Catalogue}
	if of.start.IsZero() {
		of.start = clock.System{}.Now()
	}
	if p.Seed != nil {
		of.seed = *p.Seed
	}
	return of, nil
}

// readFixture reads no more than a fixture file may have, and one byte.
func readFixture(name string) (string, error) {
	f, err := file.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	content, err := io.ReadAll(io.LimitReader(f, fixture.MostBytes+1))
	return string(content), err
}

// problemsOf lists what an error of fixtures or of a profile says.
func problemsOf(err error) []problemOf {
	var all []problemOf
	for _, p := range fixture.Problems(err) {
		all = append(all, problemOf(*p))
	}
	var found profiles.Problems
	if errors.As(err, &found) {
		for _, p := range found {
			all = append(all, problemOf{File: p.File, Line: p.Line, Column: p.Column, Message: strings.TrimSuffix(p.Message+"; "+p.Hint, "; ")})
		}
	}
	if len(all) == 0 && err != nil {
		all = append(all, problemOf{Message: err.Error()})
	}
	return all
}

func (l *linted) print(w io.Writer) error {
	for i, c := range l.Collections {
		if i > 0 {
			fmt.Fprintln(w)
		}
		if err := printCollection(w, c); err != nil {
			return err
		}
	}
	for _, m := range l.Generated {
		if m.Made < m.Asked {
			fmt.Fprintf(w, "\n%s: %d of %d could be made; %s\n", m.Collection, m.Made, m.Asked, m.Refused)
		}
	}
	return l.printTags(w)
}

func (l *linted) printTags(w io.Writer) error {
	for i, tag := range slices.Sorted(maps.Keys(l.Tags)) {
		if i == 0 {
			fmt.Fprintln(w)
		}
		fmt.Fprintf(w, "tag %s  %s\n", tag, words.Count(l.Tags[tag], "record"))
	}
	_, err := fmt.Fprintf(w, "\nfixtures %s\n", l.Fixtures)
	return err
}

// printCollection prints a table of fields. Those that say the same in every
// record are only named: they have no shape.
func printCollection(w io.Writer, c fixture.Collection) error {
	fmt.Fprintf(w, "%s  %d records\n", c.Name, c.Records)
	var lines bytes.Buffer
	table := tabwriter.NewWriter(&lines, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "  FIELD\tFILLED\tDISTINCT\tREPEATED\tLENGTH\tNOT ASCII\tDATES")
	var alike []string
	for _, f := range c.Fields {
		if f.Filled == 1 && f.Distinct == 1 && c.Records > 1 {
			alike = append(alike, f.Name)
			continue
		}
		length, foreign, dates := "", "", ""
		if f.Longest > 0 {
			length = fmt.Sprintf("%d–%d", f.Shortest, f.Longest)
		}
		if f.Foreign > 0 {
			foreign = fmt.Sprintf("%.0f%%", f.Foreign*100)
		}
		if f.Oldest != "" {
			dates = f.Oldest + " – " + f.Newest
		}
		fmt.Fprintf(table, "  %s\t%.0f%%\t%d\t%d\t%s\t%s\t%s\n", f.Name, f.Filled*100, f.Distinct, f.Repeated, length, foreign, dates)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	trimmed(w, lines.String())
	if len(alike) > 0 {
		fmt.Fprintf(w, "  alike in all: %s\n", strings.Join(alike, ", "))
	}
	return nil
}

// trimmed prints a table without the spaces at the ends of its lines.
func trimmed(w io.Writer, table string) {
	for line := range strings.Lines(table) {
		fmt.Fprintln(w, strings.TrimRight(line, " \n"))
	}
}

// ListFixtures prints the fixtures that ship, with what they hold.
func ListFixtures(w io.Writer) error {
	catalogue, err := builtin.Catalogue()
	if err != nil {
		return err
	}
	for _, service := range catalogue.Names() {
		for _, name := range fixture.Shipped(service) {
			f, err := fixture.Open(service, name)
			if err != nil {
				return err
			}
			if _, err := fmt.Fprintf(w, "%s  %s  %s\n", service, name, f.Summary()); err != nil {
				return err
			}
		}
	}
	return nil
}
