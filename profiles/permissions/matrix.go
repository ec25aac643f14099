package permissions

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"parity/faults/trail"
	"parity/profiles"
)

// A Mismatch is a cell of a matrix of which something else becomes.
type Mismatch struct {
	Cell      profiles.MatrixCell
	Operation string
	Is        string
}

// Check decides every cell of a bound matrix, and gives those that are not what it
// says.
func Check(m *profiles.Matrix, s Subject) []Mismatch {
	var found []Mismatch
	for _, c := range m.Cells {
		for _, op := range c.Operations {
			is := s.Decide(c.Identity, op, Call{Input: c.Input, Known: c.Body != nil})
			if text := is.String(); text != c.Want {
				found = append(found, Mismatch{Cell: c, Operation: op.Name(), Is: text})
			}
		}
	}
	return found
}

// Written is the matrix as it is: every operation of every identity but those that
// are allowed and no gate is about, and the calls with bodies that it had. A
// service whose operations all come to one thing has one cell. Comments above the
// first key stay.
func Written(m *profiles.Matrix, was []byte, s Subject) ([]byte, error) {
	cells := map[string]map[string]string{}
	put := func(identity, call, text string) {
		if cells[identity] == nil {
			cells[identity] = map[string]string{}
		}
		cells[identity][call] = text
	}
	all := Of(s)
	for _, of := range byService(all) {
		text, one := of[0].String(), true
		for i := range of {
			one = one && of[i].String() == text
		}
		for i := range of {
			switch {
			case of[i].String() == string(trail.PolicyAllowed):
			case one && len(of) > 1:
				service, _, _ := strings.Cut(of[i].Operation, " ")
				put(of[i].Identity, service+" *", text)
			default:
				put(of[i].Identity, of[i].Operation, of[i].String())
			}
		}
	}
	for _, c := range m.Cells {
		for _, op := range c.Operations {
			if c.Body != nil || len(c.Input.Path) > 0 {
				is := s.Decide(c.Identity, op, Call{Input: c.Input, Known: c.Body != nil})
				put(c.Identity, c.Written(), is.String())
			}
		}
	}
	return document(m, was, cells)
}

// byService gives the cells in groups of an identity and a service.
func byService(all []Cell) [][]Cell {
	var groups [][]Cell
	for _, c := range all {
		service, _, _ := strings.Cut(c.Operation, " ")
		if n := len(groups); n > 0 && groups[n-1][0].Identity == c.Identity && strings.HasPrefix(groups[n-1][0].Operation, service+" ") {
			groups[n-1] = append(groups[n-1], c)
			continue
		}
		groups = append(groups, []Cell{c})
	}
	return groups
}

func document(m *profiles.Matrix, was []byte, cells map[string]map[string]string) ([]byte, error) {
	text := func(s string) *yaml.Node { return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: s} }
	body := &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}
	for _, identity := range slices.Sorted(maps.Keys(cells)) {
		of := &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}
		for _, call := range slices.SortedFunc(maps.Keys(cells[identity]), byCall) {
			of.Content = append(of.Content, text(call), text(cells[identity][call]))
		}
		body.Content = append(body.Content, text(identity), of)
	}
	if len(body.Content) == 0 {
		body.Style = yaml.FlowStyle
	}
	top := &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map", Content: []*yaml.Node{text("matrix"), text(m.Name), text("profile"), text(m.Named)}}
	if s := m.Stage; s > 0 {
		top.Content = append(top.Content, text("stage"), &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!int", Value: string(rune('0' + s))})
	}
	top.Content = append(top.Content, text("cells"), body)
	written, err := yaml.Dump(top, yaml.WithIndent(2), yaml.WithLineWidth(-1))
	return append(heading(was), written...), err
}

// byCall orders calls by service, path, method, and what they have besides.
func byCall(a, b string) int {
	split := func(call string) (service, method, path string) {
		service, rest, _ := strings.Cut(call, " ")
		method, path, _ = strings.Cut(rest, " ")
		return service, method, path
	}
	aService, aMethod, aPath := split(a)
	bService, bMethod, bPath := split(b)
	return cmp.Or(cmp.Compare(aService, bService), cmp.Compare(aPath, bPath), cmp.Compare(aMethod, bMethod))
}

// heading is what stands above the first key: comments.
func heading(was []byte) []byte {
	n := 0
	for line := range strings.Lines(string(was)) {
		if text := strings.TrimSpace(line); text != "" && text[0] != '#' {
			break
		}
		n += len(line)
	}
	return slices.Clone(was[:n])
}
