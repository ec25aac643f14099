package specs

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// A Match is what a method and a path found. Operation is nil when nothing
// fits; Allowed then lists the methods that the path has, if it has any.
type Match struct {
	Operation *Operation
	Path      map[string]string // path parameters, unescaped; nil when there are none
	Allowed   []string
}

// maxSegments and maxParameters bound a path; longer ones match nothing.
const (
	maxSegments   = 64
	maxParameters = 16
)

// A node stands for the paths that share their first segments.
//
//	/v1 ── customers ── ● GET POST
//	            └── {} ── ● GET POST DELETE
//	                 └── payment_methods ── ● GET
type node struct {
	literals map[string]*node
	patterns []*pattern // those with most literal text first
	leaves   []leaf     // the operations whose path ends here
}

// A leaf is an operation, and its own names for the parameters on the way:
// paths of equal shape may name them differently for each method.
type leaf struct {
	method string
	op     *Operation
	names  []string
	when   []condition // what tells it from others of its path and method
}

// A pattern is a segment with parameters: texts[0] {} texts[1] {} … texts[n].
type pattern struct {
	texts []string
	rest  bool // one parameter, which takes this segment and all that follow
	next  *node
}

// captures are the values of parameters found so far, kept off the heap.
type captures struct {
	values [maxParameters]string
	count  int
}

// A Call is a request as far as it takes to find its operation. Some contracts
// tell operations apart by more than method and path.
type Call struct {
	Method string
	Path   string // escaped
	Query  string // raw, without the question mark
	Header http.Header
	Body   []byte

	// Operation, where set, is the one that was found before: only its path is
	// read again.
	Operation *Operation
}

// Match finds the operation of a method and an escaped path. Each segment is
// unescaped by itself, so an escaped slash stays inside its segment; a literal
// wins over a parameter; HEAD is answered by GET where there is no HEAD. A slash
// at the end is part of a path.
func (c *Contract) Match(method, escapedPath string) Match {
	return c.root.match(&Call{Method: method, Path: escapedPath})
}

// MatchCall is Match for contracts whose paths say more than a path
// (/?Action=CreateUser), or whose paths are alike in shape.
func (c *Contract) MatchCall(call *Call) Match { return c.root.match(call) }

// MatchBare is MatchCall for a client whose base URL stands for the base path
// of the service's own address: /v1/refunds is /refunds there.
func (c *Contract) MatchBare(call *Call) Match { return c.bare.match(call) }

// Whole is the path of a call as the contract has it: with the base path of the
// service's own address, where the client's base URL stands for that. What the
// contract has so already, or has neither way, is as it was called.
func (c *Contract) Whole(call *Call) string {
	if c.MatchCall(call).Operation == nil {
		if bare := c.MatchBare(call); bare.Operation != nil {
			return bare.Operation.Base() + call.Path
		}
	}
	return call.Path
}

// Recall is the match of a call whose operation is known by its name, from when
// it was made; Operation is nil where there is none of that name and path.
func (c *Contract) Recall(name, method, path string) Match {
	op, ok := c.Operation(name)
	if !ok {
		return Match{}
	}
	call := &Call{Method: method, Path: path, Operation: op}
	if m := c.root.match(call); m.Operation != nil {
		return m
	}
	if m := c.bare.match(call); m.Operation != nil {
		return m
	}
	m, _ := c.MatchLenient(call)
	return m
}

func (n *node) match(call *Call) Match {
	path := call.Path
	if path == "" || path[0] != '/' || strings.Count(path, "/") > maxSegments {
		return Match{}
	}
	var found captures
	hit := n.find(call, call.Method, path[1:], &found)
	if hit == nil && call.Method == http.MethodHead {
		found.count = 0
		hit = n.find(call, http.MethodGet, path[1:], &found)
	}
	if hit == nil {
		return Match{Allowed: n.allowed(path[1:])}
	}
	match := Match{Operation: hit.op}
	if len(hit.names) > 0 {
		match.Path = hit.path(&found)
	}
	return match
}

// path gives the parameters their names.
func (l *leaf) path(found *captures) map[string]string {
	path := make(map[string]string, len(l.names))
	for i, name := range l.names {
		path[name] = found.values[i]
	}
	return path
}

// find walks the rest of a path. It goes back and tries the next pattern when
// a branch ends without the method: /users/me may have GET while /users/{id}
// alone has DELETE.
func (n *node) find(call *Call, method, rest string, found *captures) *leaf {
	whole := rest
	segment, rest, more := strings.Cut(rest, "/")
	segment, ok := unescape(segment)
	if !ok {
		return nil
	}
	if next := n.literals[segment]; next != nil {
		if hit := next.finish(call, method, rest, more, found); hit != nil {
			return hit
		}
	}
	for _, p := range n.patterns {
		before := found.count
		if p.rest {
			if value, ok := unescape(whole); ok && found.add(value) {
				if hit := p.next.choose(call, method, found); hit != nil {
					return hit
				}
			}
		} else if p.capture(segment, found) {
			if hit := p.next.finish(call, method, rest, more, found); hit != nil {
				return hit
			}
		}
		found.count = before
	}
	return nil
}

func (n *node) finish(call *Call, method, rest string, more bool, found *captures) *leaf {
	if more {
		return n.find(call, method, rest, found)
	}
	return n.choose(call, method, found)
}

// choose gives the operation of a method among those whose path ends here.
func (n *node) choose(call *Call, method string, found *captures) *leaf {
	if call.Operation != nil {
		for i := range n.leaves {
			if n.leaves[i].op == call.Operation {
				return &n.leaves[i]
			}
		}
		return nil
	}
	var only *leaf
	for i := range n.leaves {
		if n.leaves[i].method != method {
			continue
		}
		if only != nil {
			return n.apart(call, method, found)
		}
		only = &n.leaves[i]
	}
	return only
}

// allowed lists the methods that any shape of the path has, in order.
func (n *node) allowed(path string) []string {
	var methods []string
	var walk func(n *node, rest string)
	walk = func(n *node, rest string) {
		segment, rest, more := strings.Cut(rest, "/")
		segment, ok := unescape(segment)
		if !ok {
			return
		}
		nexts := make([]*node, 0, 1+len(n.patterns))
		if next := n.literals[segment]; next != nil {
			nexts = append(nexts, next)
		}
		for _, p := range n.patterns {
			if p.rest || p.capture(segment, &captures{}) {
				nexts = append(nexts, p.next)
			}
		}
		for _, next := range nexts {
			if more {
				walk(next, rest)
				continue
			}
			for _, leaf := range next.leaves {
				methods = append(methods, leaf.method)
			}
		}
	}
	walk(n, path)
	if slices.Contains(methods, http.MethodGet) {
		methods = append(methods, http.MethodHead)
	}
	slices.Sort(methods)
	return slices.Compact(methods)
}

// capture takes a segment apart. A parameter is never empty; all but the last
// end at the first place where the text after them is found.
func (p *pattern) capture(segment string, found *captures) bool {
	last := len(p.texts) - 1
	if found.count+last > maxParameters || !strings.HasPrefix(segment, p.texts[0]) {
		return false
	}
	segment = segment[len(p.texts[0]):]
	for i := 1; i < last; i++ {
		if segment == "" {
			return false
		}
		at := strings.Index(segment[1:], p.texts[i])
		if p.texts[i] == "" { // parameters that touch: {name}{extension}
			at = strings.LastIndexByte(segment[1:], '.')
			at = max(at, 0)
		}
		if at < 0 {
			return false
		}
		found.values[found.count] = segment[:at+1]
		found.count++
		segment = segment[at+1+len(p.texts[i]):]
	}
	value, ok := strings.CutSuffix(segment, p.texts[last])
	return ok && found.add(value)
}

func (f *captures) add(value string) bool {
	if value == "" || f.count == maxParameters {
		return false
	}
	f.values[f.count] = value
	f.count++
	return true
}

func unescape(segment string) (string, bool) {
	if strings.IndexByte(segment, '%') < 0 {
		return segment, true
	}
	text, err := url.PathUnescape(segment)
	return text, err == nil
}
