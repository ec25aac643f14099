package sendgrid

import (
	"fmt"
	"strings"
)

// The part of Handlebars that SendGrid's dynamic templates know, with helpers
// that are SendGrid's own. What a template walks, it walks in order of name: a
// mail comes out the same each time. No library is used: of those for Go,
// raymond is archived and its forks are not kept up, and none bounds the work
// that a client's template may cost.
// Source: twilio.com/docs/sendgrid/for-developers/sending-email/using-handlebars.

// A piece of a template is text, or what stands between braces.
type piece struct {
	text string // as it stands; or the words between the braces
	tag  bool
	raw  bool // {{{ }}} or {{& }}: not escaped
	kind byte // '#' opens, '/' closes, '^' inverts, 'e' else, '!' comment, 0 a value
}

// A node of a template: text, a value, or a block with what stands in it.
type node struct {
	text    string
	words   []string // of a value or a block
	raw     bool
	block   bool
	inverse bool // {{^name}}
	body    []node
	other   []node // after {{else}}
}

const deepestTemplate = 40

// parseTemplate reads a template.
// Errors: a tag or block that does not end, or ends another.
func parseTemplate(source string) ([]node, error) {
	pieces, err := split(source)
	if err != nil {
		return nil, err
	}
	standalone(pieces)
	p := &templateParser{pieces: pieces}
	nodes, end, err := p.nodes(0)
	if err != nil {
		return nil, err
	}
	if end != nil {
		return nil, fmt.Errorf("{{%c%s}} closes nothing", end.kind, end.text)
	}
	return nodes, nil
}

// split cuts a template at its braces.
func split(source string) ([]piece, error) {
	var pieces []piece
	trim := false
	for source != "" {
		at := strings.Index(source, "{{")
		if at < 0 {
			return append(pieces, text(source, trim, false)), nil
		}
		before, rest := source[:at], source[at+2:]
		closing, p := "}}", piece{tag: true}
		switch {
		case strings.HasPrefix(rest, "{"):
			rest, closing, p.raw = rest[1:], "}}}", true
		case strings.HasPrefix(rest, "!--"):
			closing = "--}}"
		}
		inside, after, ok := strings.Cut(rest, closing)
		if !ok {
			return nil, fmt.Errorf("{{%.20s is not closed", rest)
		}
		left := strings.HasPrefix(inside, "~")
		pieces = append(pieces, text(before, trim, left))
		inside = strings.TrimPrefix(inside, "~")
		trim = strings.HasSuffix(inside, "~")
		p.read(strings.TrimSpace(strings.TrimSuffix(inside, "~")))
		pieces = append(pieces, p)
		source = after
	}
	return pieces, nil
}

func text(s string, left, right bool) piece {
	if left {
		s = strings.TrimLeft(s, " \t\r\n")
	}
	if right {
		s = strings.TrimRight(s, " \t\r\n")
	}
	return piece{text: s}
}

// read tells what a tag is by how it begins.
func (p *piece) read(inside string) {
	p.text = inside
	if inside == "" || p.raw {
		return
	}
	switch first := inside[0]; first {
	case '#', '/', '^', '!':
		p.kind, p.text = first, strings.TrimSpace(inside[1:])
	case '&':
		p.raw, p.text = true, strings.TrimSpace(inside[1:])
	}
	if p.kind == '^' && p.text == "" || inside == "else" {
		p.kind, p.text = 'e', ""
	}
	if rest, ok := strings.CutPrefix(inside, "else "); ok {
		p.kind, p.text = 'e', strings.TrimSpace(rest)
	}
}

// standalone takes away the line of a block's tag that has the line to itself.
func standalone(pieces []piece) {
	for i, p := range pieces {
		if !p.tag || p.kind == 0 {
			continue
		}
		before, after := "", ""
		if i > 0 {
			before = pieces[i-1].text
			if pieces[i-1].tag {
				continue
			}
		}
		if i+1 < len(pieces) {
			after = pieces[i+1].text
			if pieces[i+1].tag {
				continue
			}
		}
		line := before[strings.LastIndex(before, "\n")+1:]
		end := strings.IndexByte(after, '\n')
		if strings.TrimSpace(line) != "" || (line == before && i > 1) || end < 0 || strings.TrimSpace(after[:end]) != "" {
			continue
		}
		if i > 0 {
			pieces[i-1].text = before[:len(before)-len(line)]
		}
		pieces[i+1].text = after[end+1:]
	}
}

type templateParser struct {
	pieces []piece
	at     int
}

// nodes reads up to a tag that ends a block or splits it, which it gives.
func (p *templateParser) nodes(depth int) ([]node, *piece, error) {
	if depth > deepestTemplate {
		return nil, nil, fmt.Errorf("blocks are nested more than %d deep", deepestTemplate)
	}
	var all []node
	for p.at < len(p.pieces) {
		one := &p.pieces[p.at]
		p.at++
		switch {
		case !one.tag:
			if one.text != "" {
				all = append(all, node{text: one.text})
			}
		case one.kind == '!':
		case one.kind == '/', one.kind == 'e':
			return all, one, nil
		case one.kind == '#', one.kind == '^':
			block, err := p.block(one, depth)
			if err != nil {
				return nil, nil, err
			}
			all = append(all, block)
		default:
			words, err := wordsOf(one.text)
			if err != nil {
				return nil, nil, err
			}
			all = append(all, node{words: words, raw: one.raw})
		}
	}
	return all, nil, nil
}

// block reads a block to its end. {{else if}} is a block within the else.
func (p *templateParser) block(open *piece, depth int) (node, error) {
	words, err := wordsOf(open.text)
	if err != nil {
		return node{}, err
	}
	n := node{words: words, block: true, inverse: open.kind == '^'}
	var end *piece
	if n.body, end, err = p.nodes(depth + 1); err != nil {
		return node{}, err
	}
	if end != nil && end.kind == 'e' {
		if n.other, end, err = p.otherwise(end, depth); err != nil {
			return node{}, err
		}
	}
	if end == nil || end.kind != '/' {
		return node{}, fmt.Errorf("{{#%s}} is not closed", words[0])
	}
	if name, _, _ := strings.Cut(end.text, " "); name != words[0] {
		return node{}, fmt.Errorf("{{/%s}} closes {{#%s}}", end.text, words[0])
	}
	return n, nil
}

func (p *templateParser) otherwise(split *piece, depth int) ([]node, *piece, error) {
	if split.text == "" {
		return p.nodes(depth + 1)
	}
	words, err := wordsOf(split.text)
	if err != nil {
		return nil, nil, err
	}
	inner := node{words: words, block: true}
	var end *piece
	if inner.body, end, err = p.nodes(depth + 1); err != nil {
		return nil, nil, err
	}
	if end != nil && end.kind == 'e' {
		if depth > deepestTemplate {
			return nil, nil, fmt.Errorf("more than %d times else", deepestTemplate)
		}
		if inner.other, end, err = p.otherwise(end, depth+1); err != nil {
			return nil, nil, err
		}
	}
	return []node{inner}, end, nil
}

// wordsOf cuts what stands in a tag into words; quoted ones keep their quote.
func wordsOf(inside string) ([]string, error) {
	var words []string
	for rest := strings.TrimSpace(inside); rest != ""; rest = strings.TrimSpace(rest) {
		if quote := rest[0]; quote == '"' || quote == '\'' {
			end := strings.IndexByte(rest[1:], quote)
			if end < 0 {
				return nil, fmt.Errorf("{{%.30s}}: a quote is not closed", inside)
			}
			words, rest = append(words, rest[:end+1]), rest[end+2:]
			continue
		}
		end := strings.IndexAny(rest, " \t\r\n")
		if end < 0 {
			end = len(rest)
		}
		words, rest = append(words, rest[:end]), rest[end:]
	}
	if len(words) == 0 {
		return nil, fmt.Errorf("{{}} names nothing")
	}
	if strings.HasPrefix(words[0], "(") || strings.HasPrefix(words[0], ">") {
		return nil, fmt.Errorf("{{%s}}: partials and subexpressions are not known", words[0])
	}
	return words, nil
}
