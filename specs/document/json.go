package document

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"
	"unsafe"
)

// A parser makes nodes of one file.
type parser struct {
	file     *file
	text     string
	at       int
	slab     []Node // where nodes are taken from, many at a time
	stack    []Node // of objects and arrays that are not closed yet
	made     int
	within   int      // aliases that are being followed
	aliased  int      // nodes made inside them
	refs     []string // references to other files
	problems []Problem
}

// parse takes a file for JSON where it begins as JSON does, and else for YAML,
// of which JSON with comments or hanging commas is a part.
func (p *parser) parse(data []byte) error {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if !utf8.Valid(data) {
		return fmt.Errorf("1:1: this is not UTF-8 text")
	}
	begin := bytes.TrimLeft(data, " \t\r\n")
	if len(begin) == 0 {
		return fmt.Errorf("1:1: there is nothing in this file")
	}
	if begin[0] == '<' {
		return fmt.Errorf("1:1: this is HTML or XML, not JSON or YAML")
	}
	if begin[0] == '{' || begin[0] == '[' {
		err := p.json(data)
		if err == nil || len(data) > maxYAML {
			return err
		}
		*p = parser{file: p.file}
		if p.yaml(data) != nil {
			return err
		}
		return nil
	}
	return p.yaml(data)
}

func (p *parser) json(data []byte) error {
	p.text = unsafe.String(unsafe.SliceData(data), len(data)) // nobody writes to data any more
	p.file.text = p.text
	err := p.value(&p.file.root, 0)
	if err == nil && p.space() {
		err = p.wrong("more follows after the end of the document")
	}
	if err != nil {
		return err
	}
	p.identify(&p.file.root)
	return nil
}

func (p *parser) wrong(format string, args ...any) error {
	line, column := p.file.place(p.at)
	return fmt.Errorf("%d:%d: this is not JSON: %s", line, column, fmt.Sprintf(format, args...))
}

// space skips white space, and tells whether anything follows.
func (p *parser) space() bool {
	for p.at < len(p.text) {
		switch p.text[p.at] {
		case ' ', '\t', '\n', '\r':
			p.at++
		default:
			return true
		}
	}
	return false
}

func (p *parser) value(n *Node, depth int) error {
	if !p.space() {
		return p.wrong("it ends too early")
	}
	if depth > maxDepth {
		return p.wrong("nested more than %d deep", maxDepth)
	}
	if p.made++; p.made > maxNodes {
		return p.wrong("it has more than %d values", maxNodes)
	}
	n.file, n.at = p.file, uint32(p.at) // a file has at most maxFile bytes
	switch c := p.text[p.at]; {
	case c == '{', c == '[':
		return p.nest(n, c, depth)
	case c == '"':
		text, escaped, err := p.quoted()
		n.kind, n.text, n.escaped = String, text, escaped
		return err
	case c == '-', c >= '0' && c <= '9':
		n.kind = Number
		return p.number(n)
	}
	rest := p.text[p.at:]
	switch {
	case strings.HasPrefix(rest, "true"):
		n.kind, n.text = Bool, rest[:4]
	case strings.HasPrefix(rest, "false"):
		n.kind, n.text = Bool, rest[:5]
	case strings.HasPrefix(rest, "null"):
		n.kind, n.text = Null, rest[:4]
	default:
		return p.wrong("a value is wanted here")
	}
	p.at += len(n.text)
	return nil
}

// nest reads an object or an array. What it holds gathers on a stack, from
// which it goes to a place of its exact size.
func (p *parser) nest(n *Node, open byte, depth int) error {
	n.kind = Array
	end := byte(']')
	if open == '{' {
		n.kind, end = Object, '}'
	}
	p.at++
	base := len(p.stack)
	var kid Node
	for more := p.space() && p.text[p.at] != end; more; {
		kid = Node{}
		if n.kind == Object {
			if err := p.name(&kid); err != nil {
				return err
			}
		}
		if err := p.value(&kid, depth+1); err != nil {
			return err
		}
		p.external(&kid)
		p.stack = append(p.stack, kid)
		if more = p.space() && p.text[p.at] == ','; more {
			p.at++
		}
	}
	if p.at >= len(p.text) {
		return p.wrong("it ends too early")
	}
	if p.text[p.at] != end {
		return p.wrong("a comma or %c is wanted here", end)
	}
	p.at++
	n.kids = p.take(p.stack[base:])
	p.stack = p.stack[:base]
	p.doubled(n)
	return nil
}

func (p *parser) name(kid *Node) error {
	if !p.space() || p.text[p.at] != '"' {
		return p.wrong("a name in quotes is wanted here")
	}
	text, escaped, err := p.quoted()
	if err != nil {
		return err
	}
	if escaped {
		text = unescape(text)
	}
	kid.Name = text
	if !p.space() || p.text[p.at] != ':' {
		return p.wrong("a colon is wanted here")
	}
	p.at++
	return nil
}

// take copies nodes into a slab: an allocation for thousands, not for each.
func (p *parser) take(nodes []Node) []Node {
	if len(nodes) == 0 {
		return nil
	}
	if len(p.slab) < len(nodes) {
		p.slab = make([]Node, max(2048, len(nodes)))
	}
	kids := p.slab[:len(nodes):len(nodes)]
	p.slab = p.slab[len(nodes):]
	copy(kids, nodes)
	return kids
}

// quoted gives a string as it is written.
func (p *parser) quoted() (text string, escaped bool, err error) {
	begin := p.at + 1
	for i := begin; i < len(p.text); i++ {
		switch c := p.text[i]; {
		case c == '"':
			p.at = i + 1
			return p.text[begin:i], escaped, nil
		case c < ' ':
			p.at = i
			return "", false, p.wrong("a control character in a string")
		case c == '\\':
			escaped = true
			n := escapeLength(p.text[i:])
			if n == 0 {
				p.at = i
				return "", false, p.wrong("a backslash that means nothing")
			}
			i += n - 1
		}
	}
	return "", false, p.wrong("a string does not end")
}

func escapeLength(text string) int {
	if len(text) < 2 {
		return 0
	}
	if strings.IndexByte(`"\/bfnrt`, text[1]) >= 0 {
		return 2
	}
	if text[1] != 'u' || len(text) < 6 || strings.Trim(text[2:6], "0123456789abcdefABCDEF") != "" {
		return 0
	}
	return 6
}

func (p *parser) number(n *Node) error {
	begin := p.at
	for p.at < len(p.text) && strings.IndexByte("+-.0123456789eE", p.text[p.at]) >= 0 {
		p.at++
	}
	n.text = p.text[begin:p.at]
	if !isNumber(n.text) {
		p.at = begin
		return p.wrong("%s is no number", Clip(n.text, maxTold))
	}
	return nil
}

// isNumber tells whether text is a number as JSON writes it.
func isNumber(text string) bool {
	digits := func() bool {
		rest := strings.TrimLeft(text, "0123456789")
		some := len(rest) < len(text)
		text = rest
		return some
	}
	text = strings.TrimPrefix(text, "-")
	if strings.HasPrefix(text, "0") {
		text = text[1:]
	} else if !digits() {
		return false
	}
	if strings.HasPrefix(text, ".") {
		if text = text[1:]; !digits() {
			return false
		}
	}
	if text != "" && (text[0] == 'e' || text[0] == 'E') {
		text = text[1:]
		if text != "" && (text[0] == '+' || text[0] == '-') {
			text = text[1:]
		}
		if !digits() {
			return false
		}
	}
	return text == ""
}

// external notes references to other files.
func (p *parser) external(kid *Node) {
	if kid.kind == String && kid.Name == "$ref" && kid.text != "" && kid.text[0] != '#' {
		p.refs = append(p.refs, kid.Text())
	}
}

// identify collects the objects that have an $id.
func (p *parser) identify(n *Node) {
	for i := range n.kids {
		kid := &n.kids[i]
		if kid.Name == "$id" && kid.kind == String {
			p.file.ids = append(p.file.ids, n)
		}
		if len(kid.kids) > 0 {
			p.identify(kid)
		}
	}
}

// doubled reports names that an object has twice.
func (p *parser) doubled(n *Node) {
	if n.kind != Object || len(n.kids) < 2 {
		return
	}
	if len(n.kids) <= 16 {
		for i := range n.kids {
			for j := range i {
				if n.kids[i].Name == n.kids[j].Name {
					p.twice(&n.kids[i])
				}
			}
		}
		return
	}
	seen := make(map[string]bool, len(n.kids))
	for i := range n.kids {
		if seen[n.kids[i].Name] {
			p.twice(&n.kids[i])
		}
		seen[n.kids[i].Name] = true
	}
}

const maxProblems = 200

func (p *parser) twice(n *Node) {
	if len(p.problems) == maxProblems {
		return
	}
	name, line, column := n.Place()
	p.problems = append(p.problems, Problem{
		File: name, Line: line, Column: column, Code: "doubled-name",
		Message: fmt.Sprintf("%q is given twice in one object; the last one counts", Clip(n.Name, maxTold)),
	})
}
