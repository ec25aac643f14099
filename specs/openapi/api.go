// Package openapi reads the API that a document describes: Swagger 2.0, OpenAPI
// 3.0 to 3.2, or a Google discovery document, all in the words of OpenAPI 3.
//
//	document.Document ──Read──▶ API ─┬─ Servers
//	                                 └─ Operations ─▶ Parameters, Body, Responses, Security
//
// Reading takes note of the operations and no more; what one of them takes and
// gives is read when it is asked for. A fault in a document is a Problem, and
// the rest of the document is used.
package openapi

import (
	"errors"
	"fmt"
	"strings"
	"sync"

	"parity/specs/document"
	"parity/specs/schema"
)

// An API is what a document describes. Nothing in it changes after Read.
type API struct {
	Document   *document.Document
	Schemas    *schema.Set
	Root       *document.Node // of the document, in OpenAPI's own words
	Version    string         // of OpenAPI, such as 3.0.3; "2.0"; "discovery"
	Revision   string         // info.version
	Servers    []Server
	Operations []*Operation // in the order of the document
	Problems   []Problem

	security []Requirement
	served   map[*document.Node][]Server // lists of servers that were read

	showing sync.Mutex
	made    map[*document.Node]*document.Node // schemas by the example that they are made of
}

// A Problem is a fault that does not keep the rest of a document from use.
type Problem struct {
	Node    *document.Node // where; nil: the document as a whole
	Pointer string         // JSON pointer into the first file; "" where that is not known
	Code    string         // a closed set, such as broken-reference
	Message string         // what is wrong, and what happens because of it
}

// errNot is for files that describe no API.
var errNot = errors.New(`this is no API description: it wants a field "openapi" (3.0, 3.1 or 3.2), "swagger" (2.0), or "discoveryVersion"`)

// Read takes note of what a document describes. An error means that it is no
// API description at all.
func Read(d *document.Document) (*API, error) {
	root := d.Root()
	api := &API{Document: d, Root: root, served: map[*document.Node][]Server{}}
	dialect := schema.OpenAPI30
	switch {
	case root.Get("openapi").Scalar() != "":
		api.Version = root.Get("openapi").Scalar()
		if !strings.HasPrefix(api.Version, "3.") {
			return nil, fmt.Errorf("openapi: %s is not known; 3.0, 3.1 and 3.2 are", document.Clip(api.Version, maxVersion))
		}
		if !strings.HasPrefix(api.Version, "3.0") {
			dialect = schema.OpenAPI31
		}
	case root.Get("swagger").Scalar() != "":
		api.Version = "2.0"
		if v := root.Get("swagger").Scalar(); v != "2.0" && v != "2" {
			return nil, fmt.Errorf("swagger: %s is not known; 2.0 is", document.Clip(v, maxVersion))
		}
	case root.Get("discoveryVersion") != nil || root.Get("kind").Text() == "discovery#restDescription":
		api.Version = "discovery"
		d.SetRoot(fromDiscovery(root))
		api.Root = d.Root()
	default:
		return nil, errNot
	}
	api.Schemas = schema.NewSet(d, dialect)
	api.Revision = api.Root.Get("info").Get("version").Scalar()
	api.Servers = api.servers(api.Root)
	api.security = requirements(api.Root.Get("security"))
	api.paths()
	return api, nil
}

func (a *API) problem(n *document.Node, pointer, code, format string, args ...any) {
	a.Problems = append(a.Problems, Problem{Node: n, Pointer: pointer, Code: code, Message: fmt.Sprintf(format, args...)})
}

// Component gives a named schema; nil when there is none of that name.
func (a *API) Component(name string) *schema.Schema {
	return a.Schemas.At(a.components("schemas").Get(name))
}

// Components lists the named schemas in the order of the document.
func (a *API) Components() []schema.Property {
	n := a.components("schemas")
	all := make([]schema.Property, n.Len())
	for i := range all {
		all[i] = schema.Property{Name: n.At(i).Name, Schema: a.Schemas.At(n.At(i))}
	}
	return all
}

// components gives a table of named things, where each version keeps it.
func (a *API) components(kind string) *document.Node {
	if a.Version != "2.0" {
		return a.Root.Get("components").Get(kind)
	}
	switch kind {
	case "schemas":
		return a.Root.Get("definitions")
	case "securitySchemes":
		return a.Root.Get("securityDefinitions")
	default:
		return a.Root.Get(kind)
	}
}

// follow goes through references; a broken one is a Problem, told once, and nil.
func (a *API) follow(n *document.Node) (*document.Node, error) {
	if n == nil {
		return nil, nil
	}
	return a.Document.Follow(n)
}

var methods = []string{"get", "put", "post", "delete", "options", "head", "patch", "trace", "query"}

const maxVersion = 80 // bytes of one in a message

// Bounds on what the paths of a document come to. A path that several
// refer to counts for each of them as if it were written out.
const (
	maxOperations = 100_000
	maxReferred   = 1 << 20 // values
)

func (a *API) paths() {
	paths, err := a.follow(a.Root.Get("paths"))
	if err != nil {
		a.problem(a.Root.Get("paths"), "/paths", "broken-reference", "%v; no path is served", err)
		return
	}
	sizes := map[*document.Node]int{}
	referred := 0
	if paths.Len() == 0 {
		a.problem(a.Root, "/paths", "no-paths", "the document has no paths; it answers nothing")
		return
	}
	for i := range paths.Len() {
		item := paths.At(i)
		if strings.HasPrefix(item.Name, "x-") {
			continue
		}
		pointer := "/paths/" + document.Escape(item.Name)
		target, err := a.follow(item)
		switch {
		case err != nil:
			a.problem(item, pointer, "broken-reference", "%v; this path is not served", err)
			continue
		case !target.Is(document.Object):
			a.problem(item, pointer, "wrong-type", "a path is an object; this one is not served")
			continue
		}
		if target != item {
			again, met := sizes[target]
			if referred += again; !met {
				sizes[target] = target.Size()
			}
		}
		if len(a.Operations) >= maxOperations || referred > maxReferred {
			a.problem(item, pointer, "too-many", "there are more paths than can be held; this one is not served, nor are those that follow")
			return
		}
		for _, method := range methods {
			if n := target.Get(method); n != nil {
				a.operation(item.Name, method, pointer+"/"+method, target, n)
			}
		}
		more := target.Get("additionalOperations")
		for j := range more.Len() {
			n := more.At(j)
			a.operation(item.Name, n.Name, pointer+"/additionalOperations/"+document.Escape(n.Name), target, n)
		}
	}
}

func (a *API) operation(path, method, pointer string, item, n *document.Node) {
	at := n
	n, err := a.follow(at)
	if err != nil {
		a.problem(at, pointer, "broken-reference", "%v; this operation is not served", err)
		return
	}
	if !n.Is(document.Object) {
		a.problem(at, pointer, "wrong-type", "an operation is an object; this one is not served")
		return
	}
	o := &Operation{
		api: a, Path: path, Method: strings.ToUpper(method), Node: n, Pointer: pointer, item: item,
		ID: n.Get("operationId").Text(), Servers: a.Servers,
	}
	for _, owner := range []*document.Node{n, item} {
		if own := a.servers(owner); own != nil {
			o.Servers = own
			break
		}
	}
	a.Operations = append(a.Operations, o)
}
