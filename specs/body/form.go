package body

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Bounds on what one form or query may ask to have built.
const (
	maxDepth  = 16   // brackets in one name, and one for the name
	maxFields = 1000 // pairs
	maxIndex  = 999  // the N of a[N]=
)

// A form is a decoded form or query, before its values have types: a tree kept
// in one slice, where node 0 is the root.
//
//	shipping[address][city]=Graz&expand[]=customer
//
//	0 ─┬─ shipping ── address ── city = "Graz"
//	   └─ expand ──── "" = "customer"
type form []formNode

// A formNode has a value, or children, or (wrongly) both.
type formNode struct {
	name, value       string   // the first value that was given for this very name
	more              []string // those after it
	first, last, next int32    // children, and the next sibling; 0 is none
	given             bool     // has a value
	append            bool     // written with empty brackets
}

// values gives all values of a node, in the order they came.
func (n *formNode) values() []string { return append([]string{n.value}, n.more...) }

// latest gives the value that counts where there can be one: the last.
func (n *formNode) latest() string {
	if len(n.more) > 0 {
		return n.more[len(n.more)-1]
	}
	return n.value
}

// A formReader takes raw text apart. A name that literal knows is not looked
// into, for there are parameters whose names have brackets. Brackets in values
// mean nothing, nor do brackets that do not close. What raw takes, by its name,
// keeps its escapes and stays out of the tree.
type formReader struct {
	literal func(name string) bool
	raw     func(name, value string) bool
}

func (r formReader) read(raw string) (form, *Problem) {
	tree := make(form, 1, 1+min(2*strings.Count(raw, "&")+2, 64))
	fields := 0
	for pair := range strings.SplitSeq(raw, "&") {
		if pair == "" {
			continue
		}
		if fields++; fields > maxFields {
			return nil, &Problem{Rule: RuleSize, Message: fmt.Sprintf("has more than %d fields", maxFields), Want: strconv.Itoa(maxFields)}
		}
		name, value, _ := strings.Cut(pair, "=")
		name, nameErr := plain(name)
		if nameErr == nil && r.raw != nil && r.raw(name, value) {
			continue
		}
		value, valueErr := plain(value)
		if nameErr != nil || valueErr != nil {
			return nil, badEscape(name, pair)
		}
		if wrong := tree.add(name, value, r.literal); wrong != nil {
			wrong.Pointer = "/" + escape(shorten(name))
			return nil, wrong
		}
	}
	return tree, nil
}

func badEscape(name, text string) *Problem {
	return &Problem{
		Pointer: "/" + escape(shorten(name)), Rule: RuleSyntax,
		Message: "is not escaped well, or is not UTF-8: percent signs want two hexadecimal digits", Got: shorten(text),
	}
}

// plain undoes the escapes of one name or value.
func plain(text string) (string, error) {
	if strings.ContainsAny(text, "%+") {
		decoded, err := url.QueryUnescape(text)
		if err != nil {
			return text, fmt.Errorf("escape: %w", err)
		}
		text = decoded
	}
	if !utf8.ValidString(text) {
		return strings.ToValidUTF8(text, "�"), fmt.Errorf("not UTF-8")
	}
	return text, nil
}

func (f *form) add(name, value string, literal func(string) bool) *Problem {
	head, rest := name, ""
	if open := strings.IndexByte(name, '['); open > 0 && wellBracketed(name[open:]) && !literal(name) {
		head, rest = name[:open], name[open:]
	}
	at := f.child(0, head, false, "")
	for depth := 1; rest != ""; depth++ {
		if depth >= maxDepth {
			return &Problem{Rule: RuleSize, Message: fmt.Sprintf("nests deeper than %d", maxDepth), Want: strconv.Itoa(maxDepth)}
		}
		end := strings.IndexByte(rest, ']')
		step := rest[1:end]
		rest = rest[end+1:]
		at = f.child(at, step, step == "", rest)
	}
	if node := &(*f)[at]; node.given {
		node.more = append(node.more, value)
	} else {
		node.given, node.value = true, value
	}
	return nil
}

// wellBracketed tells whether text is nothing but brackets: [a][b][].
func wellBracketed(text string) bool {
	for text != "" {
		if text[0] != '[' {
			return false
		}
		end := strings.IndexAny(text[1:], "[]")
		if end < 0 || text[end+1] != ']' {
			return false
		}
		text = text[end+2:]
	}
	return true
}

// child finds or makes a child. Empty brackets make a new one each time, but
// where more follows (a[][b]=1&a[][c]=2) the last one is used until it has
// that part already, as Rack does it.
func (f *form) child(parent int32, name string, fresh bool, rest string) int32 {
	nodes := *f
	if !fresh {
		if i := nodes.find(parent, name); i != 0 {
			return i
		}
	} else if last := nodes[parent].last; last != 0 && rest != "" && nodes[last].append && !nodes.has(last, rest) {
		return last
	}
	made := int32(len(nodes)) // at most maxFields times maxDepth
	nodes = append(nodes, formNode{name: name, append: fresh})
	if nodes[parent].last == 0 {
		nodes[parent].first = made
	} else {
		nodes[nodes[parent].last].next = made
	}
	nodes[parent].last = made
	*f = nodes
	return made
}

// find gives the child that has a name; 0 for none.
func (f form) find(parent int32, name string) int32 {
	for i := f[parent].first; i != 0; i = f[i].next {
		if f[i].name == name && !f[i].append {
			return i
		}
	}
	return 0
}

// has tells whether a node has the part that brackets name; empty brackets
// name nothing that could be there already.
func (f form) has(at int32, brackets string) bool {
	for brackets != "" {
		end := strings.IndexByte(brackets, ']')
		step := brackets[1:end]
		brackets = brackets[end+1:]
		if step == "" {
			return false
		}
		if at = f.find(at, step); at == 0 {
			return false
		}
	}
	return true
}

// count counts a node's children, so that a map of them need not grow.
func (f form) count(at int32) int {
	n := 0
	for i := f[at].first; i != 0; i = f[i].next {
		n++
	}
	return n
}

func isIndex(name string) bool {
	return name != "" && strings.Trim(name, "0123456789") == ""
}
