package report

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"parity/fakes/world"
	"parity/faults/trail"
	"parity/specs"
	"parity/specs/words"
)

// Difference is one field that two things do not have in common.
type Difference struct {
	Pointer string `json:"pointer"`       // JSON pointer (RFC 6901) into both
	Was     any    `json:"was,omitempty"` // nil: not there
	Is      any    `json:"is,omitempty"`  // nil: not there
}

// differences compares two JSON values field by field, in a fixed order.
func differences(pointer string, was, is any) []Difference {
	switch a := was.(type) {
	case map[string]any:
		if b, ok := is.(map[string]any); ok {
			return ofMaps(pointer, a, b)
		}
	case []any:
		if b, ok := is.([]any); ok {
			return ofLists(pointer, a, b)
		}
	}
	if equal(was, is) {
		return nil
	}
	return []Difference{{pointer, was, is}}
}

func equal(a, b any) bool {
	if n, ok := a.(json.Number); ok {
		m, ok := b.(json.Number)
		return ok && n == m
	}
	switch a.(type) {
	case map[string]any, []any:
		return false
	}
	switch b.(type) {
	case map[string]any, []any:
		return false
	}
	return a == b
}

func ofMaps(pointer string, a, b map[string]any) []Difference {
	var all []Difference
	names := slices.Sorted(maps.Keys(a))
	for name := range b {
		if _, both := a[name]; !both {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		all = append(all, differences(pointer+specs.Pointer(name), a[name], b[name])...)
	}
	return all
}

func ofLists(pointer string, a, b []any) []Difference {
	var all []Difference
	for i := range max(len(a), len(b)) {
		var x, y any
		if i < len(a) {
			x = a[i]
		}
		if i < len(b) {
			y = b[i]
		}
		all = append(all, differences(pointer+"/"+strconv.Itoa(i), x, y)...)
	}
	return all
}

// EventDifferences compares two events field by field, into bodies that are
// JSON. What went out on the wire is not part of it.
func EventDifferences(was, is *trail.Event) ([]Difference, error) {
	a, err := value(was)
	if err != nil {
		return nil, err
	}
	b, err := value(is)
	if err != nil {
		return nil, err
	}
	return differences("", a, b), nil
}

// value is an event as JSON has it; nil for no event.
func value(e *trail.Event) (any, error) {
	if e == nil {
		return nil, nil
	}
	data, err := json.Marshal(documented(e))
	if err != nil {
		return nil, err
	}
	return decoded(data)
}

func decoded(data []byte) (any, error) {
	decoder := json.NewDecoder(strings.NewReader(string(data)))
	decoder.UseNumber()
	var v any
	return v, decoder.Decode(&v)
}

// PrintDifferences writes what a field was and is, a line each.
func PrintDifferences(w io.Writer, indent string, all []Difference, o Options) error {
	const most = 40
	p := newPage(o)
	for i, d := range all {
		if i == most {
			p.out.WriteString(indent + fmt.Sprintf("and %d more fields\n", len(all)-most))
			break
		}
		p.out.WriteString(indent + p.plain(d.Pointer) + "\n")
		was, is := p.apart(p.at(d.Pointer, d.Was), p.at(d.Pointer, d.Is))
		p.out.WriteString(indent + "  " + p.paint(red(), "- "+was) + "\n")
		p.out.WriteString(indent + "  " + p.paint(green(), "+ "+is) + "\n")
	}
	_, err := io.WriteString(w, p.out.String())
	return err
}

// apart are two values that differ, each in one line and not too long, so that it
// shows in what. They are masked before they are cut.
func (m *masker) apart(was, is any) (string, string) {
	const most = 160
	a, b := words.Apart(m.plain(shown(was)), m.plain(shown(is)), most)
	return cut(a, most), cut(b, most)
}

// shown is a value in one line.
func shown(v any) string {
	if v == nil {
		return "(not there)"
	}
	data, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(data[:min(len(data), shownBody)])
}

func cut(s string, most int) string {
	runes := []rune(s)
	if len(runes) <= most {
		return s
	}
	return string(runes[:most]) + fmt.Sprintf("… (%d more)", len(runes)-most)
}

// StateOptions say how a comparison of worlds is written.
type StateOptions struct {
	Options
	Names [2]string
	JSON  bool
}

// StateChange is one record that two worlds do not have in common.
type StateChange struct {
	Collection string       `json:"collection"`
	ID         string       `json:"id"`
	In         string       `json:"in"` // the name of the one that has it, or "both"
	Fields     []Difference `json:"fields,omitempty"`
}

// State writes what is in a world, without what looks like a secret unless that
// is to be shown.
func State(w io.Writer, of *world.World, secrets bool) error {
	lines := &lines{to: w, shown: newMasker().json}
	if secrets {
		lines.shown = escaped
	}
	if err := of.Dump(lines); err != nil {
		return err
	}
	return lines.flush()
}

// lines writes each line as it is shown.
type lines struct {
	to    io.Writer
	shown func(line string) string
	rest  []byte
}

func (l *lines) Write(p []byte) (int, error) {
	l.rest = append(l.rest, p...)
	whole := bytes.LastIndexByte(l.rest, '\n') + 1
	_, err := io.WriteString(l.to, l.shown(string(l.rest[:whole])))
	l.rest = append(l.rest[:0], l.rest[whole:]...)
	return len(p), err
}

func (l *lines) flush() error {
	_, err := io.WriteString(l.to, l.shown(string(l.rest)))
	return err
}

// StateDiff compares two worlds record by record, and tells whether they are
// equal. Bookkeeping that is hidden in a dump is left out here too.
func StateDiff(w io.Writer, a, b *world.World, o StateOptions) (equal bool, err error) {
	var changes []StateChange
	for _, c := range collectionsOf(a, b) {
		changes = append(changes, ofCollection(a, b, c, o.Names)...)
	}
	if o.JSON {
		m := newMasker()
		for _, c := range changes {
			for i, d := range c.Fields {
				c.Fields[i].Was, c.Fields[i].Is = m.at(d.Pointer, d.Was), m.at(d.Pointer, d.Is)
			}
		}
		if changes == nil {
			changes = []StateChange{}
		}
		return len(changes) == 0, m.document(w, map[string]any{"equal": len(changes) == 0, "changes": changes})
	}
	return len(changes) == 0, printChanges(w, changes, o)
}

// collectionsOf are the collections of either world, in order.
func collectionsOf(a, b *world.World) []string {
	all := append(a.Collections(), b.Collections()...)
	slices.Sort(all)
	return slices.Compact(all)
}

func ofCollection(a, b *world.World, collection string, names [2]string) []StateChange {
	var changes []StateChange
	for r := range a.Oldest(collection, 0) {
		other, ok := b.Get(collection, r.ID)
		switch {
		case !ok:
			changes = append(changes, StateChange{Collection: collection, ID: r.ID, In: names[0]})
		case r == other || string(r.JSON()) == string(other.JSON()):
		default:
			changes = append(changes, StateChange{Collection: collection, ID: r.ID, In: "both", Fields: fieldsOf(r.JSON(), other.JSON())})
		}
	}
	for r := range b.Oldest(collection, 0) {
		if _, ok := a.Get(collection, r.ID); !ok {
			changes = append(changes, StateChange{Collection: collection, ID: r.ID, In: names[1]})
		}
	}
	return changes
}

func fieldsOf(was, is []byte) []Difference {
	a, errA := decoded(was)
	b, errB := decoded(is)
	if errA != nil || errB != nil {
		return []Difference{{"", string(was), string(is)}} // not a record of ours
	}
	return differences("", a, b)
}

func printChanges(w io.Writer, changes []StateChange, o StateOptions) error {
	if len(changes) == 0 {
		_, err := fmt.Fprintf(w, "%s and %s are equal\n", o.Names[0], o.Names[1])
		return err
	}
	p := newPage(o.Options)
	counts := map[string]int{}
	collection := ""
	for _, c := range changes {
		counts[c.In]++
		if c.Collection != collection {
			collection = c.Collection
			p.out.WriteString(p.paint(bold(), collection) + "\n")
		}
		where := "in " + c.In + " alone"
		if c.In == "both" {
			where = "differs"
		}
		p.out.WriteString("  " + p.plain(c.ID) + "  " + where + "\n")
		if err := PrintDifferences(&p.out, "    ", c.Fields, o.Options); err != nil {
			return err
		}
	}
	var parts []string
	for _, in := range slices.SortedFunc(maps.Keys(counts), cmp.Compare[string]) {
		if in == "both" {
			parts = append(parts, words.Count(counts[in], "record")+" different")
		} else {
			parts = append(parts, words.Count(counts[in], "record")+" in "+in+" alone")
		}
	}
	p.out.WriteString(strings.Join(parts, ", ") + "\n")
	_, err := io.WriteString(w, p.out.String())
	return err
}

// CompareStamps says in what the conditions of two runs differ.
func CompareStamps(a, b trail.Stamp) []string {
	var all []string
	for _, part := range []struct{ what, a, b string }{
		{"the profile is of revision", a.Profile, b.Profile},
		{"the contracts are", a.Contracts, b.Contracts},
		{"the fixtures are", a.Fixtures, b.Fixtures},
		{"Parity is", a.Parity, b.Parity},
		{"the policy is", a.Policy, b.Policy},
	} {
		if part.a != part.b {
			all = append(all, fmt.Sprintf("%s %s there, %s here", part.what, orNone(part.a), orNone(part.b)))
		}
	}
	return all
}

func orNone(s string) string {
	if s == "" {
		return "none"
	}
	return s
}

func sortPairs(list []harPair) {
	slices.SortStableFunc(list, func(a, b harPair) int { return cmp.Compare(a.Name, b.Name) })
}
