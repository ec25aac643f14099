package document

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A Kind is what a node is.
type Kind uint8

// The kinds of nodes. A nil Node is Absent.
const (
	Absent Kind = iota
	Null
	Bool
	Number
	String
	Array
	Object
)

// A Node is one value of a file. All methods take a nil Node, as a value that
// is not there.
type Node struct {
	Name string // its name in the object that holds it; "" in an array

	text    string // of a scalar, as it is written; of a string without quotes
	kids    []Node
	later   *later // instead of kids: what is read when it is looked into
	file    *file
	at      uint32 // JSON: offset in the file; YAML: line<<11 | column
	kind    Kind
	escaped bool // text has escapes
}

// inner gives an object's fields or an array's items.
func (n *Node) inner() []Node {
	if n.later != nil {
		return n.later.read()
	}
	return n.kids
}

// Kind gives what a node is.
func (n *Node) Kind() Kind {
	if n == nil {
		return Absent
	}
	return n.kind
}

// Is tells whether a node is of a kind.
func (n *Node) Is(k Kind) bool { return n.Kind() == k }

// Len counts an object's fields or an array's items.
func (n *Node) Len() int {
	if n == nil {
		return 0
	}
	return len(n.inner())
}

// Size counts the values that a node is made of, itself included.
func (n *Node) Size() int {
	if n == nil {
		return 0
	}
	size := 1
	kids := n.inner()
	for i := range kids {
		size += kids[i].Size()
	}
	return size
}

// At gives an object's i-th field or an array's i-th item.
func (n *Node) At(i int) *Node { return &n.inner()[i] }

// Get gives an object's field. Where a name is given twice, the last one counts.
func (n *Node) Get(name string) *Node {
	if n == nil || n.kind != Object {
		return nil
	}
	kids := n.inner()
	for i := len(kids) - 1; i >= 0; i-- {
		if kids[i].Name == name {
			return &kids[i]
		}
	}
	return nil
}

// Find follows a JSON pointer (RFC 6901); nil when nothing is there.
func (n *Node) Find(pointer string) *Node { return n.find(pointer, (*Node).Get) }

func (n *Node) find(pointer string, get func(*Node, string) *Node) *Node {
	if pointer == "" {
		return n
	}
	for token := range strings.SplitSeq(strings.TrimPrefix(pointer, "/"), "/") {
		token = Unescape(token)
		switch n.Kind() {
		case Object:
			n = get(n, token)
		case Array:
			i, err := strconv.Atoi(token)
			if err != nil || i < 0 || i >= n.Len() {
				return nil
			}
			n = n.At(i)
		default:
			return nil
		}
	}
	return n
}

// Text gives a string; "" for anything else.
func (n *Node) Text() string {
	if n.Kind() != String {
		return ""
	}
	if n.escaped {
		return unescape(n.text)
	}
	return n.text
}

// Scalar gives a string, a number, true or false as text; "" for anything else.
func (n *Node) Scalar() string {
	switch n.Kind() {
	case String:
		return n.Text()
	case Number, Bool:
		return n.text
	default:
		return ""
	}
}

// True tells whether a node is true. Documents that write "true" are understood.
func (n *Node) True() bool { return n.Scalar() == "true" }

// False tells whether a node is false.
func (n *Node) False() bool { return n.Scalar() == "false" }

// Float gives a number. Documents that write numbers as text are understood.
func (n *Node) Float() (float64, bool) {
	if k := n.Kind(); k != Number && k != String {
		return 0, false
	}
	f, err := strconv.ParseFloat(n.Scalar(), 64)
	return f, err == nil && !math.IsInf(f, 0) && !math.IsNaN(f)
}

// Count gives a whole number from 0 up.
func (n *Node) Count() (int, bool) {
	f, ok := n.Float()
	if !ok || f < 0 || f != math.Trunc(f) {
		return 0, false
	}
	return int(min(f, math.MaxInt32)), true
}

// Texts gives the strings of an array, or the one string that stands in its
// place.
func (n *Node) Texts() []string {
	if n.Kind() == String {
		return []string{n.Text()}
	}
	if n.Kind() != Array {
		return nil
	}
	kids := n.inner()
	texts := make([]string, 0, len(kids))
	for i := range kids {
		if kids[i].kind == String {
			texts = append(texts, kids[i].Text())
		}
	}
	return texts
}

// Ref gives the reference that an object is.
func (n *Node) Ref() (string, bool) {
	if n.Kind() != Object {
		return "", false
	}
	ref := n.Get("$ref")
	return ref.Text(), ref.Is(String)
}

// Value decodes a node: nil, bool, int64 where a number is whole and fits, else
// float64, string, []any, map[string]any.
func (n *Node) Value() any {
	switch n.Kind() {
	case Bool:
		return n.text == "true"
	case Number:
		return number(n.text)
	case String:
		return n.Text()
	case Array:
		kids := n.inner()
		out := make([]any, len(kids))
		for i := range kids {
			out[i] = kids[i].Value()
		}
		return out
	case Object:
		kids := n.inner()
		out := make(map[string]any, len(kids))
		for i := range kids {
			out[kids[i].Name] = kids[i].Value()
		}
		return out
	default:
		return nil
	}
}

func number(text string) any {
	if i, err := strconv.ParseInt(text, 10, 64); err == nil {
		return i
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return math.MaxFloat64 // more than a number can be
	}
	const exact = 1 << 53
	if f == math.Trunc(f) && math.Abs(f) <= exact {
		return int64(f)
	}
	return f
}

// Place gives the file, line and column where a node begins; lines and columns
// count from 1.
func (n *Node) Place() (file string, line, column int) {
	if n == nil || n.file == nil {
		return "", 0, 0
	}
	if n.file.yaml {
		return n.file.name, int(n.at >> columnBits), int(n.at & (1<<columnBits - 1))
	}
	line, column = n.file.place(int(n.at))
	return n.file.name, line, column
}

// place finds the line of a place in JSON. The lines are counted once: a
// document may have a fault on each.
func (f *file) place(at int) (line, column int) {
	f.counting.Do(func() {
		f.lines = []int{0}
		for i := range len(f.text) {
			if f.text[i] == '\n' {
				f.lines = append(f.lines, i+1)
			}
		}
	})
	at = min(at, len(f.text))
	line, _ = slices.BinarySearch(f.lines, at+1)
	begin := f.lines[line-1]
	if at-begin > maxColumn { // a document of one line
		return line, at - begin + 1
	}
	return line, utf8.RuneCountInString(f.text[begin:at]) + 1
}

// NewObject makes an object that stands where another node does, for what a
// document says in other words.
func NewObject(at *Node, fields ...Node) *Node {
	return &Node{kind: Object, kids: fields, file: at.file, at: at.at}
}

// NewArray makes an array that stands where another node does.
func NewArray(at *Node, name string, items ...Node) Node {
	return Node{Name: name, kind: Array, kids: items, file: at.file, at: at.at}
}

// NewText makes a string that stands where another node does.
func NewText(at *Node, name, text string) Node {
	return Node{Name: name, kind: String, text: text, file: at.file, at: at.at}
}

// NewBool makes true or false that stands where another node does.
func NewBool(at *Node, name string, value bool) Node {
	return Node{Name: name, kind: Bool, text: strconv.FormatBool(value), file: at.file, at: at.at}
}

// Named gives the same node under another name.
func (n *Node) Named(name string) Node {
	if n == nil {
		return Node{Name: name, kind: Null}
	}
	copied := *n
	copied.Name = name
	return copied
}

// unescape undoes JSON's escapes; they are known to be well formed.
func unescape(text string) string {
	var out string
	if err := json.Unmarshal([]byte(`"`+text+`"`), &out); err != nil {
		return text
	}
	return out
}
