package profiles

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"parity/faults"
	"parity/specs"
)

// A Matrix says what is to become of calls under a profile: what somebody has read
// and agreed to, held against the profile by parity perms test.
type Matrix struct {
	Name    string
	Profile string // as Load takes it
	Named   string // as the matrix has it
	Stage   int    // 0: the profile's own
	Cells   []MatrixCell

	file string
}

// A MatrixCell is what is to become of one call of one identity.
type MatrixCell struct {
	Identity string
	Call     string         // as it is written
	Body     map[string]any // that the call has; nil: it is not said
	Want     string         // held large-refunds
	At       Problem        // where it stands, without a message

	Operations []*specs.Operation // that it is about: see Bind
	Input      specs.Input
	at         place
	text       string // as it is written, with its body
}

// Pattern tells a cell that is about more than one call: slack *.
func (c *MatrixCell) Pattern() bool { return strings.ContainsAny(c.Call, "*?") && c.Body == nil }

// Written is the call as the matrix has it, with its body.
func (c *MatrixCell) Written() string { return c.text }

func matrixKey() *key {
	return &key{kind: object, keys: []key{
		{name: "matrix", kind: name, must: true, example: "support-desk"},
		{name: "profile", kind: text, must: true, example: "support-desk.yaml"},
		{name: "stage", kind: whole, least: 1, most: 5, example: "3"},
		{name: "cells", kind: table, must: true, example: "{support-bot: {stripe POST /v1/refunds: held refunds}}", of: &key{
			kind: table, names: effectForm, of: &key{kind: text, example: "refused not-granted"},
		}},
	}}
}

// ReadMatrix reads a matrix from a file. Its error is Problems where the file is
// what is wrong: all of them at once, with file, line and column.
func ReadMatrix(name string, o Options) (*Matrix, error) {
	o, err := o.ready()
	if err != nil {
		return nil, err
	}
	path := name
	if !filepath.IsAbs(path) {
		path = filepath.Join(o.Dir, path)
	}
	f, err := os.Open(path)
	content, err := readFile(f, err, maxBytes)
	if err != nil {
		return nil, err
	}
	found, shown := &finder{}, filepath.ToSlash(name)
	m := &Matrix{file: shown}
	if len(bytes.TrimSpace(content)) == 0 {
		found.wrong(place{file: shown, line: 1, col: 1}, "such as matrix: support-desk, profile: support-desk.yaml, and cells", "there is nothing in this file")
	} else if root := readDocument(found, shown, content); root != nil {
		s := &shaper{finder: found, file: shown}
		m.read(s, s.item(root, matrixKey(), ""))
	}
	if found.errors > 0 {
		return nil, found.sorted([]string{shown})
	}
	if m.Profile != "" && isPath(m.Profile) && !filepath.IsAbs(m.Profile) {
		m.Profile = filepath.Join(filepath.Dir(name), m.Profile)
		if !isPath(m.Profile) {
			m.Profile = "./" + m.Profile
		}
	}
	return m, nil
}

func (m *Matrix) read(s *shaper, top *item) {
	m.Named = top.get("profile").str()
	m.Name, m.Profile, m.Stage = top.get("matrix").str(), m.Named, int(top.get("stage").count()) //nolint:gosec // up to 5
	for _, of := range top.get("cells").all() {
		for _, f := range of.item.all() {
			if !f.item.ok() {
				continue
			}
			c := MatrixCell{Identity: of.name, Call: f.name, Want: f.item.str(), text: f.name, at: f.place, At: Problem{File: f.file, Line: f.line, Column: f.col}}
			if at := strings.Index(c.Call, " {"); at >= 0 {
				c.Body = s.body(f.place, c.Call[at+1:])
				c.Call = c.Call[:at]
			}
			s.wanted(f.item)
			m.Cells = append(m.Cells, c)
		}
	}
}

// body reads what a call of a matrix has in braces.
func (s *shaper) body(at place, text string) map[string]any {
	inner := &shaper{finder: &finder{}, file: at.file}
	root := readDocument(inner.finder, at.file, []byte(text))
	if root == nil || inner.errors > 0 {
		s.wrong(at, "such as {charge: ch_1, amount: 500000}", "%s is no body", shorten(text))
		return nil
	}
	it := inner.item(root, &key{kind: anything, null: true}, "body")
	body, ok := it.value.(map[string]any)
	if !ok || inner.errors > 0 {
		s.wrong(at, "such as {charge: ch_1, amount: 500000}", "%s is no body", shorten(text))
		return nil
	}
	return body
}

// wanted holds what a cell says against the forms that there are.
func (s *shaper) wanted(it *item) {
	const hint = "say allowed, refused CODE, held GATE or captured GATE"
	for part := range strings.SplitSeq(it.str(), ", else ") {
		decision, by, _ := strings.Cut(part, " ")
		switch {
		case !slices.Contains([]string{"allowed", "refused", "held", "captured"}, decision):
			s.wrong(it.place, didYouMean(decision, []string{"allowed", "refused", "held", "captured"}), "%s is no decision: "+hint, shorten(part))
		case (decision == "allowed") != (by == "" || strings.HasPrefix(by, "when ")):
			s.wrong(it.place, hint, "%s does not say by what, or says it of what is allowed", shorten(part))
		}
	}
}

// Bind finds what the cells are about in a profile. Its error is Problems.
func (m *Matrix) Bind(p *Profile) error {
	found := &finder{}
	identities := []string{"strangers"}
	for _, i := range p.Identities {
		identities = append(identities, i.Name)
	}
	named := map[string]bool{}
	for i := range m.Cells {
		c := &m.Cells[i]
		if !slices.Contains(identities, c.Identity) {
			found.wrong(c.at, didYouMean(c.Identity, identities), "profile %s has no identity %s", p.Name, shorten(c.Identity))
			continue
		}
		c.bind(found, p)
		for _, op := range c.Operations {
			named[c.Identity+" "+op.Name()] = named[c.Identity+" "+op.Name()] || !c.Pattern()
		}
	}
	for i := range m.Cells { // what is named by itself is no part of a pattern
		c := &m.Cells[i]
		if c.Pattern() {
			c.Operations = slices.DeleteFunc(c.Operations, func(op *specs.Operation) bool { return named[c.Identity+" "+op.Name()] })
		}
	}
	if found.errors > 0 {
		return found.sorted([]string{m.file})
	}
	return nil
}

func (c *MatrixCell) bind(found *finder, p *Profile) {
	pattern, err := faults.ParsePattern(c.Call)
	if err != nil {
		found.wrong(c.at, "such as stripe POST /v1/refunds", "%v", err)
		return
	}
	var ops []*specs.Operation
	for _, name := range p.Services {
		service, _ := p.Catalogue.Service(name)
		if pattern.Service() != "" && pattern.Service() != name {
			continue
		}
		ops = append(ops, service.Contract.Operations...)
	}
	if len(ops) == 0 {
		found.wrong(c.at, didYouMean(pattern.Service(), p.Services), "profile %s binds no service %s", p.Name, shorten(pattern.Service()))
		return
	}
	for _, op := range ops {
		if pattern.Match(op) {
			c.Operations = append(c.Operations, op)
		}
	}
	if len(c.Operations) == 0 && !c.Pattern() { // by a path with values
		service, _ := p.Catalogue.Service(pattern.Service())
		if words := strings.Fields(c.Call); len(words) == 3 && service.Contract != nil {
			if match := service.Contract.Match(words[1], words[2]); match.Operation != nil {
				c.Operations, c.Input.Path = []*specs.Operation{match.Operation}, match.Path
			}
		}
	}
	if len(c.Operations) == 0 {
		hint := "write it as the contract has it"
		if word, near := nearestTo(pattern, ops); near {
			hint = "did you mean " + word
		}
		found.wrong(c.at, hint, "%s matches no operation", shorten(c.Call))
	}
	c.Input.Body = c.Body
}
