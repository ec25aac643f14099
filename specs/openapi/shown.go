package openapi

import (
	"slices"
	"strings"

	"parity/specs/document"
)

// A reply of which a document shows an example, and no more, is as the example
// is: documents that were made of recordings, or of API Blueprint, say nothing else.
//
//	example: {id: 7, name: Ada}   ─▶ {type: object, properties: {id: {type: integer}, name: {type: string}}}
//
// Nothing of it is required, and other fields may come.

const deepestShown = 24

// shown gives each body of a reply that has no schema, or one that says no more
// than that it is an object, the schema of what its examples show.
func (o *Operation) shown(content []Media, status string) {
	for i := range content {
		m := &content[i]
		if !strings.Contains(m.Type, "json") || m.Schema != nil && !silent(m.Schema.Node()) {
			continue
		}
		n := o.telling(m, status)
		if n == nil {
			continue
		}
		o.api.showing.Lock()
		made := o.api.made[n]
		if made == nil {
			made = exemplified(n, 0)
			if o.api.made == nil {
				o.api.made = map[*document.Node]*document.Node{}
			}
			o.api.made[n] = made
		}
		o.api.showing.Unlock()
		m.Schema = o.api.Schemas.At(made)
	}
}

// silent tells whether a schema says no more than that something is an object.
func silent(n *document.Node) bool {
	for i := range n.Len() {
		switch at := n.At(i); at.Name {
		case "description", "title", "example", "examples":
		case "type":
			if at.Text() != "object" {
				return false
			}
		case "properties", "additionalProperties":
			if at.Len() > 0 || at.False() {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// telling gives the example that tells most: of a refusal one that says in words
// what happened, since the others may be about fields of one request.
func (o *Operation) telling(m *Media, status string) *document.Node {
	all := m.Examples(o.api)
	if n := m.Schema.Node().Get("example"); n != nil {
		all = append(all, n)
	}
	refusal := len(status) > 0 && (status[0] == '4' || status[0] == '5')
	for _, n := range all {
		if n.Len() == 0 || refusal && !n.Is(document.Object) {
			continue
		}
		if refusal && !wordy(n) {
			continue
		}
		return n
	}
	return nil
}

// wordy tells whether an example of a refusal, or what it has in it, has a text.
func wordy(n *document.Node) bool {
	words := []string{"message", "detail", "error", "errors", "description", "error_description", "msg", "reason", "title", "summary", "response_msg", "errorMessage"}
	for i := range n.Len() {
		if at := n.At(i); slices.Contains(words, at.Name) && !at.Is(document.Null) {
			return true
		}
	}
	return false
}

// exemplified writes the schema of a value.
func exemplified(n *document.Node, depth int) *document.Node {
	kind := func(name string) document.Node { return document.NewText(n, "type", name) }
	if depth > deepestShown {
		return document.NewObject(n)
	}
	switch n.Kind() {
	case document.Object:
		fields := make([]document.Node, 0, n.Len())
		for i := range n.Len() {
			fields = append(fields, exemplified(n.At(i), depth+1).Named(n.At(i).Name))
		}
		return document.NewObject(n, kind("object"), document.NewObject(n, fields...).Named("properties"))
	case document.Array:
		if n.Len() == 0 {
			return document.NewObject(n, kind("array"), document.NewObject(n).Named("items"))
		}
		return document.NewObject(n, kind("array"), exemplified(n.At(0), depth+1).Named("items"))
	case document.String:
		return document.NewObject(n, kind("string"), n.Named("example"))
	case document.Bool:
		return document.NewObject(n, kind("boolean"), n.Named("example"))
	case document.Number:
		if strings.ContainsAny(n.Scalar(), ".eE") {
			return document.NewObject(n, kind("number"), n.Named("example"))
		}
		return document.NewObject(n, kind("integer"), n.Named("example"))
	default:
		return document.NewObject(n)
	}
}
