package specs

import (
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"

	"parity/specs/body"
	"parity/specs/openapi"
)

// An Effect says what an operation does to the world.
type Effect string

// The effects an operation can have.
const (
	Read         Effect = "read"
	Reversible   Effect = "reversible"
	Irreversible Effect = "irreversible"
)

// An Operation is one method and path of a contract.
type Operation struct {
	Service string
	ID      string // operationId; "" where the document gives none
	Method  string // upper case
	Path    string // as the document writes it, with {parameters}, server base path included
	Effect  Effect
	Class   string // x-parity-class; "" where the document does not say, and specs/class infers it
	Anatomy Anatomy

	*parts
}

// parts are what an operation takes and gives, read from the document when it is
// first asked for; see read. An operation at several bases has one.
type parts struct {
	contract      *Contract
	source        *openapi.Operation
	arrays        arrays
	refuseUnknown bool // query parameters that are not declared
	suffix        string
	anyKind       anyKind

	reading        sync.Once
	reader         *body.Parameters
	path, query    *part // nil: nothing to judge
	header, cookie *part
	bodies         []media
	bodyRequired   bool
	replies        map[string][]media
	ways           [][]openapi.Scheme // to be allowed to call it
	problems       []openapi.Problem
}

// at gives the same operation under another path.
func (o *Operation) at(path string) *Operation {
	other := *o
	other.Path = path
	return &other
}

// Source gives the operation as its document has it.
func (o *Operation) Source() *openapi.Operation { return o.source }

// Anatomy says where in an operation its parts are. Empty means: it has none.
// Parameters of a list stand in the query, or in the body where the query has
// none of that name; page[after] is the field after of page.
type Anatomy struct {
	Collection string   // the collection it works on, such as "charges"
	Member     string   // the path parameter that holds a member's id
	List       bool     // its reply is a page of a list
	Items      string   // JSON pointer into the reply: the page's items; "" where the reply is the list
	ID         string   // dotted path in an item: its id; "" where that is not said
	Cursor     string   // the parameter that moves to the next page: the first of Cursors, or Offset, or Page
	Cursors    []string // parameters that hold what an earlier reply gave: cursors, tokens
	Offset     string   // the parameter that says how many items come before the page
	Page       string   // the parameter that holds the page's number
	First      int      // number of the first page
	Limit      []string // parameters that say how many items a page has at most
	Next       []string // JSON pointers into the reply: the next page's cursor, or its URL
	More       string   // JSON pointer into the reply: are there more items
	Total      string   // JSON pointer into the reply: how many items in all
	Link       bool     // the reply's header Link names the next page
	Version    string   // JSON pointer into the reply: a record's version
	Key        string   // the header that holds an idempotency key
	KeyField   string   // the field of the body that holds one
	Volatile   []string // body fields that are not part of the intent
	Idempotent bool     // the same call once more changes nothing
}

// Summary is the document's own line about the operation; "" where it has none.
func (o *Operation) Summary() string { return o.source.Node.Get("summary").Text() }

// Keyed tells whether the operation takes an idempotency key.
func (o *Operation) Keyed() bool { return o.Anatomy.Key != "" || o.Anatomy.KeyField != "" }

// KeyOf gives a call's idempotency key; "" for none.
func (o *Operation) KeyOf(header http.Header, body map[string]any) string {
	if o.Anatomy.Key != "" {
		if key := header.Get(o.Anatomy.Key); key != "" {
			return key
		}
	}
	key, _ := body[o.Anatomy.KeyField].(string)
	return key
}

// A Request is what Read decodes: bytes as they came, the path as matched.
type Request struct {
	Path   map[string]string // from Match
	Query  string            // raw, without the question mark
	Header http.Header
	Body   []byte // inflated, within its size limit: both are the caller's to see to
}

// An Input is a request decoded to the types that its contract declares:
// int64, float64, bool, string, map[string]any, []any, nil. Query and Body are
// nil when there is none. A body that is no object is in Value. Files and other
// parts of a multipart body are in Body as their text, where that is text and
// not long; else as a line that tells their type, size and digest. Their bytes
// are in Parts.
type Input struct {
	Path        map[string]string
	Query, Body map[string]any
	Value       any
	Parts       []body.Part
}

// Content gives the body, whatever it is; nil when there is none.
func (i Input) Content() any {
	if i.Body != nil {
		return i.Body
	}
	return i.Value
}

// media is a content type and what its bodies must be.
type media struct {
	pattern string // lower case, without parameters; may be "*/*" or "text/*"
	source  openapi.Media
	form    *body.Form // of forms
	part    *part
}

// Name gives the operation's full name, such as "stripe POST /v1/refunds".
func (o *Operation) Name() string { return o.Service + " " + o.Method + " " + o.Path }

// Bare gives the path without the base path of the service's server, as
// documentation often writes it.
func (o *Operation) Bare() string {
	if o.parts == nil { // made by hand
		return o.Path
	}
	return o.source.Path
}

// Base is the base path of the service's server: what Path has before Bare.
func (o *Operation) Base() string {
	base, _ := strings.CutSuffix(o.Path, o.Bare())
	return base
}

// Suffix is what a client may add to the path, such as .json; "" for nothing.
func (o *Operation) Suffix() string {
	if o.parts == nil { // made by hand
		return ""
	}
	return o.suffix
}

// Says tells whether the document itself gives the operation a field, such as
// x-parity-effect: what it does not give is guessed.
func (o *Operation) Says(field string) bool {
	return o.parts != nil && o.source.Node.Get(field) != nil
}

// BodyKinds lists the content types that the operation takes.
func (o *Operation) BodyKinds() []string {
	bodies := o.read().bodies
	kinds := make([]string, len(bodies))
	for i := range bodies {
		kinds[i] = bodies[i].pattern
	}
	return kinds
}

// Replies tells whether the contract has a reply of a media type, such as
// text/event-stream. One that is only covered by a range, as by text/*, does
// not count.
func (o *Operation) Replies(kind string) bool {
	for _, bodies := range o.read().replies {
		if slices.ContainsFunc(bodies, func(m media) bool { return m.pattern == kind }) {
			return true
		}
	}
	return false
}

// Statuses lists the statuses that the operation answers, in order: 200, 4XX,
// DEFAULT.
func (o *Operation) Statuses() []string { return slices.Sorted(maps.Keys(o.read().replies)) }
