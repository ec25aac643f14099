package gateway

import (
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"time"
	"unicode/utf8"

	"parity/fakes"
	"parity/fakes/builtin"
	"parity/fakes/chance"
	"parity/fakes/fixture"
	"parity/fakes/world"
	"parity/profiles"
)

// FieldShape is how one field of a collection's records looks.
type FieldShape struct {
	Field    string  `json:"field"`
	Filled   float64 `json:"filled"`   // share of the records that have it, and not empty
	Distinct int     `json:"distinct"` // values
	Repeated int     `json:"repeated"` // records whose value another one has too
	Shortest int     `json:"shortest,omitempty"`
	Longest  int     `json:"longest,omitempty"` // in characters, of texts
	Foreign  float64 `json:"foreign,omitempty"` // share of the texts that are not ASCII
	Oldest   string  `json:"oldest,omitempty"`
	Newest   string  `json:"newest,omitempty"` // of what looks like a date
}

// CollectionShape is how the records of a collection look.
type CollectionShape struct {
	Collection string       `json:"collection"`
	Records    int          `json:"records"`
	Fields     []FieldShape `json:"fields"`
}

// LintFixtures builds what a profile's runs begin with, or a fixture file by
// itself, and says what is wrong with it or how it looks.
func LintFixtures(w io.Writer, name, output string, seed uint64) error {
	if output != "text" && output != "json" {
		return &UsageError{fmt.Errorf("-o %q: say text or json", output)}
	}
	catalogue, err := builtin.Catalogue()
	if err != nil {
		return err
	}
	spec, err := fixturesOf(name, catalogue)
	if err != nil {
		return &UsageError{err}
	}
	base, err := catalogue.World()
	if err != nil {
		return err
	}
	built, err := fixture.Build(base, catalogue, spec, chance.Seed(seed), time.Date(2026, time.January, 5, 9, 0, 0, 0, time.UTC))
	if err != nil {
		return &UsageError{err}
	}
	shapes := shapesOf(built)
	if output == "json" {
		return writeJSON(w, map[string]any{"fixtures": spec.Hash(), "collections": shapes})
	}
	return printShapes(w, shapes)
}

// fixturesOf reads a profile's fixtures, or a file of records.
func fixturesOf(name string, catalogue *fakes.Catalogue) (fixture.Spec, error) {
	for _, service := range catalogue.Names() {
		if slices.Contains(fixture.Shipped(service), name) {
			f, err := fixture.Open(service, name)
			return fixture.Spec{Files: []fixture.File{f}}, err
		}
	}
	content, err := os.ReadFile(name)
	if err == nil && !strings.Contains("\n"+string(content), "\nprofile:") {
		return fixture.Spec{Files: []fixture.File{{Name: filepath.ToSlash(name), Content: string(content)}}}, nil
	}
	p, err := profiles.Load(name, profiles.Options{Catalogue: catalogue})
	if err != nil {
		return fixture.Spec{}, err
	}
	if p.Start.Empty() {
		return fixture.Spec{}, fmt.Errorf("profile %s has neither fixtures nor data: its runs begin empty", name)
	}
	return p.Start, nil
}

func shapesOf(w *world.World) []CollectionShape {
	var all []CollectionShape
	for _, name := range w.Collections() {
		if w.Len(name) == 0 {
			continue
		}
		values := map[string][]any{}
		for r := range w.Oldest(name, 0) {
			for field, value := range r.Value {
				values[field] = append(values[field], value)
			}
		}
		c := CollectionShape{Collection: name, Records: w.Len(name)}
		for _, field := range slices.Sorted(maps.Keys(values)) {
			c.Fields = append(c.Fields, shapeOf(field, values[field], c.Records))
		}
		all = append(all, c)
	}
	return all
}

func shapeOf(field string, values []any, records int) FieldShape {
	s := FieldShape{Field: field}
	counts := map[string]int{}
	var filled, texts, foreign int
	var oldest, newest int64
	for _, value := range values {
		if empty(value) {
			continue
		}
		filled++
		counts[string(world.Encode(value))]++
		switch v := value.(type) {
		case string:
			n := utf8.RuneCountInString(v)
			if texts == 0 || n < s.Shortest {
				s.Shortest = n
			}
			s.Longest = max(s.Longest, n)
			texts++
			if n != len(v) {
				foreign++
			}
		case int64:
			if dated(field, v) {
				if oldest == 0 || v < oldest {
					oldest = v
				}
				newest = max(newest, v)
			}
		}
	}
	s.Filled, s.Distinct = float64(filled)/float64(records), len(counts)
	for _, n := range counts {
		if n > 1 {
			s.Repeated += n
		}
	}
	if texts > 0 {
		s.Foreign = float64(foreign) / float64(texts)
	}
	if newest > 0 {
		s.Oldest, s.Newest = time.Unix(oldest, 0).UTC().Format(time.DateOnly), time.Unix(newest, 0).UTC().Format(time.DateOnly)
	}
	return s
}

func empty(value any) bool {
	switch v := value.(type) {
	case nil:
		return true
	case string:
		return v == ""
	case []any:
		return len(v) == 0
	case map[string]any:
		return len(v) == 0
	}
	return false
}

// dated tells whether a number is an instant, by its name and its size.
func dated(field string, n int64) bool {
	return n > 315532800 && n < 7258118400 && (field == "created" || strings.HasSuffix(field, "_at") || strings.HasSuffix(field, "_on"))
}

func printShapes(w io.Writer, shapes []CollectionShape) error {
	for i, c := range shapes {
		if i > 0 {
			fmt.Fprintln(w)
		}
		fmt.Fprintf(w, "%s  %d records\n", c.Collection, c.Records)
		table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
		fmt.Fprintln(table, "  FIELD\tFILLED\tDISTINCT\tREPEATED\tLENGTH\tNOT ASCII\tDATES")
		for _, f := range c.Fields {
			if f.Filled == 0 {
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
			fmt.Fprintf(table, "  %s\t%.0f%%\t%d\t%d\t%s\t%s\t%s\n", f.Field, f.Filled*100, f.Distinct, f.Repeated, length, foreign, dates)
		}
		if err := table.Flush(); err != nil {
			return err
		}
	}
	return nil
}

// ListFixtures prints the fixtures that ship.
func ListFixtures(w io.Writer) error {
	catalogue, err := builtin.Catalogue()
	if err != nil {
		return err
	}
	for _, service := range catalogue.Names() {
		for _, name := range fixture.Shipped(service) {
			if _, err := fmt.Fprintf(w, "%s  %s\n", service, name); err != nil {
				return err
			}
		}
	}
	return nil
}
