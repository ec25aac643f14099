package specs

import (
	"cmp"
	"net/http"
	"slices"
	"strings"

	"parity/specs/document"
)

// extensionRef is on a property of a record: the collection it points into.
const extensionRef = "x-parity-ref"

// settings are the extensions at the root of a document.
type settings struct {
	hosts         []string
	key           string // of every POST that does not say otherwise
	volatile      []string
	arrays        arrays
	refuseUnknown bool
	expand        bool
	suffix        string // of every path, where a client likes
	anyKind       anyKind
}

// anyKind says that a body is JSON, whatever its content type says, and that
// none is an empty object.
type anyKind bool

// arrays says how a form or a query spells a list: only with brackets, or in
// any way (a=1&a=2 is a list too).
type arrays bool

// extensions reads the x-parity-* fields of one object of a document, and
// reports those that are not what they should be.
type extensions struct {
	b       *builder
	of      *document.Node
	pointer string
}

func (e extensions) report(n *document.Node, format string, args ...any) {
	e.b.report(n, e.pointer+"/"+n.Name, "wrong-extension", format, args...)
}

func (e extensions) text(name string) string {
	n := e.of.Get(name)
	if n != nil && !n.Is(document.String) {
		e.report(n, "%s wants a string; it is ignored", name)
	}
	return n.Text()
}

func (e extensions) texts(name string) []string {
	n := e.of.Get(name)
	if n == nil {
		return nil
	}
	texts := n.Texts()
	if !n.Is(document.Array) || len(texts) != n.Len() {
		e.report(n, "%s wants a list of strings; it is ignored", name)
		return nil
	}
	return texts
}

// oneOrMore reads a string, or a list of them.
func (e extensions) oneOrMore(name string) []string {
	if n := e.of.Get(name); n == nil || n.Is(document.Array) {
		return e.texts(name)
	}
	if text := e.text(name); text != "" {
		return []string{text}
	}
	return nil
}

func (e extensions) flag(name string) bool {
	n := e.of.Get(name)
	if n != nil && !n.Is(document.Bool) {
		e.report(n, "%s wants true or false; it is ignored", name)
		return false
	}
	return n.True()
}

func (e extensions) choice(name string, choices ...string) string {
	text := e.text(name)
	if text != "" && !slices.Contains(choices, text) {
		e.report(e.of.Get(name), "%s: %q is none of %s; it is ignored", name, text, strings.Join(choices, ", "))
		return ""
	}
	return text
}

// known reports x-parity-* fields that nothing reads: most are misspelt.
func (e extensions) known(names ...string) {
	for i := range e.of.Len() {
		n := e.of.At(i)
		if strings.HasPrefix(n.Name, "x-parity-") && !slices.Contains(names, n.Name) {
			hint := ""
			if near := nearest(n.Name, names); near != "" {
				hint = "; " + near + " may be meant"
			}
			e.report(n, "%s is not known here%s; it is ignored", n.Name, hint)
		}
	}
}

func (b *builder) readSettings(e extensions) settings {
	e.known("x-parity-hosts", "x-parity-form", "x-parity-body", "x-parity-unknown", "x-parity-expand", "x-parity-key", "x-parity-volatile", "x-parity-suffix")
	return settings{
		hosts:         e.texts("x-parity-hosts"),
		key:           e.text("x-parity-key"),
		volatile:      e.texts("x-parity-volatile"),
		arrays:        arrays(e.choice("x-parity-form", "brackets", "any") == "brackets"),
		refuseUnknown: e.choice("x-parity-unknown", "refuse", "ignore") == "refuse",
		expand:        e.flag("x-parity-expand"),
		suffix:        e.text("x-parity-suffix"),
		anyKind:       e.choice("x-parity-body", "json", "declared") == "json",
	}
}

// readExtensions gives an operation its effect and its anatomy.
func (b *builder) readExtensions(op *Operation, e extensions) {
	e.known("x-parity-effect", "x-parity-class", "x-parity-collection", "x-parity-member", "x-parity-list", "x-parity-version", "x-parity-key", "x-parity-volatile", "x-parity-idempotent")
	op.Effect = Effect(e.choice("x-parity-effect", string(Read), string(Reversible), string(Irreversible)))
	if op.Effect == "" {
		op.Effect = effectOf(op.Method)
	}
	op.Class = e.choice("x-parity-class", "read", "draft", "reversible", "irreversible", "admin")
	op.Anatomy = Anatomy{
		Collection: e.text("x-parity-collection"),
		Member:     e.text("x-parity-member"),
		Version:    e.text("x-parity-version"),
		Key:        e.text("x-parity-key"),
		Volatile:   e.texts("x-parity-volatile"),
		Idempotent: e.flag("x-parity-idempotent"),
	}
	if op.Anatomy.Key == "" && op.Method == http.MethodPost {
		op.Anatomy.Key = b.settings.key
	}
	if op.Anatomy.Volatile == nil {
		op.Anatomy.Volatile = b.settings.volatile
	}
	if list := e.of.Get("x-parity-list"); list != nil {
		b.readList(&op.Anatomy, extensions{b: b, of: list, pointer: e.pointer + "/x-parity-list"})
	} else if op.Anatomy.Member == "" && op.Anatomy.Collection != "" {
		op.Anatomy.Member = lastParameter(op.Path)
	}
}

// readList reads where the parts of a list are.
func (b *builder) readList(a *Anatomy, e extensions) {
	if e.of.Get("items") == nil { // "" is the reply itself
		e.b.report(e.of, e.pointer, "wrong-extension", "x-parity-list wants an object with items, and may have cursor, offset, page, limit, next, more, total, link; it is ignored")
		return
	}
	for i := range e.of.Len() {
		switch n := e.of.At(i); n.Name {
		case "items", "cursor", "offset", "page", "limit", "next", "more", "total", "link":
		default:
			e.report(n, "x-parity-list has no %s; it is ignored", n.Name)
		}
	}
	a.List, a.First = true, 1
	a.Items, a.Offset, a.Page = e.text("items"), e.text("offset"), e.text("page")
	a.Cursors, a.Limit, a.Next = e.oneOrMore("cursor"), e.oneOrMore("limit"), e.oneOrMore("next")
	a.More, a.Total, a.Link = e.text("more"), e.text("total"), e.flag("link")
	a.Cursor = a.mover()
}

// mover is the parameter that first comes to mind for the next page.
func (a *Anatomy) mover() string {
	if len(a.Cursors) > 0 {
		return a.Cursors[0]
	}
	return cmp.Or(a.Offset, a.Page)
}

// effectOf is what the method promises, for operations that do not say: a
// deletion cannot be taken back, other writes can.
func effectOf(method string) Effect {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodOptions, http.MethodTrace:
		return Read
	case http.MethodDelete:
		return Irreversible
	default:
		return Reversible
	}
}

func lastParameter(path string) string {
	at := strings.LastIndexByte(path, '{')
	if at < 0 {
		return ""
	}
	name, _, _ := strings.Cut(path[at+1:], "}")
	return name
}
