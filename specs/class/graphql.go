package class

import (
	"maps"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/parser"

	"parity/specs/body"
)

// Bounds on a GraphQL document, and on how many one request may hold.
const (
	maxDocument  = 256 << 10
	maxTokens    = 20_000
	maxDocuments = 1000
	maxName      = 60 // of a field, as it is shown
)

// A Table says what GraphQL at an operation may do.
type Table struct {
	Query    Class            // "": Read
	Mutation Class            // of mutations and subscriptions; "": Irreversible, and Admin where a field's words govern
	Fields   map[string]Class // by the name of a field at the top, whatever its alias; wins over the others
}

func (t Table) query() Class {
	if t.Query == "" {
		return Read
	}
	return t.Query
}

// highest is what a document may be that nobody has seen.
func (t Table) highest() Class {
	to := Highest(t.query(), t.Mutation)
	if t.Mutation == "" {
		return Admin
	}
	for _, field := range t.Fields {
		to = Highest(to, field)
	}
	return to
}

// A document is one that a request brings.
type document struct {
	text, operation string
	unseen          bool // it stands for one that the service has
}

// look tells what the documents of a request do. All of them count, since nobody
// knows which one the service takes.
func (t Table) look(c *Carried, r *Request) {
	documents, ok := documents(r)
	if !ok {
		c.refuse(Contract, "The body of this call cannot be read.")
		return
	}
	if len(documents) > maxDocuments {
		c.refuse(Contract, "This call has more GraphQL documents than can be read.")
		return
	}
	for _, d := range documents {
		if d.unseen {
			c.raise(t.highest(), "graphql without a document")
			continue
		}
		if len(d.text) > maxDocument {
			c.refuse(Contract, "The GraphQL document of this call is too long to be read.")
			return
		}
		parsed, err := parser.ParseQueryWithTokenLimit(&ast.Source{Input: d.text}, maxTokens)
		if err != nil || len(parsed.Operations) == 0 {
			c.refuse(Contract, "The GraphQL document of this call cannot be read.")
			return
		}
		t.count(c, parsed, selected(parsed, d.operation))
	}
}

// suspect looks at what reads like a mutation where nobody expects GraphQL: some
// services have all of it at a path that does not say so. What cannot be read is
// ordinary text there.
func (t Table) suspect(c *Carried, r *Request) {
	text, _ := r.Input.Body["query"].(string)
	if len(text) > maxDocument || !strings.Contains(text, "{") || !strings.Contains(text, "mutation") && !strings.Contains(text, "subscription") {
		return
	}
	parsed, err := parser.ParseQueryWithTokenLimit(&ast.Source{Input: text}, maxTokens)
	if err != nil {
		return
	}
	t.count(c, parsed, slices.DeleteFunc(parsed.Operations, func(op *ast.OperationDefinition) bool { return op.Operation == ast.Query }))
}

// documents lists what a request may mean as its document: of its query, of its
// body, of each of several in one body. It is not ok where the body is JSON that
// cannot be read.
func documents(r *Request) (all []document, ok bool) {
	if r.Query != "" {
		all = append(all, ofQuery(r.Query, "&")...)
		if strings.Contains(r.Query, ";") { // which some services take for an ampersand
			all = append(all, ofQuery(r.Query, "&;")...)
		}
	}
	switch sent := r.Input.Body; {
	case begins(r.Header.Get("Content-Type"), "application/graphql"):
		return append(all, document{text: string(r.Body), operation: named(r.Query)}), true
	case sent != nil:
		operations, files := sent["operations"] // files are sent beside it
		if files {
			all = append(all, ofValue(ofJSON(operations))...)
		}
		if _, plain := sent["query"]; plain || !files {
			all = append(all, ofObject(sent))
		}
		return all, true
	case r.Input.Value != nil:
		return append(all, ofValue(r.Input.Value)...), true
	case len(r.Body) > 0:
		return append(all, document{unseen: true}), !jsonish(r.Body)
	default:
		return all, true
	}
}

// ofJSON reads a value that may be written as JSON.
func ofJSON(value any) any {
	text, ok := value.(string)
	if !ok {
		return value
	}
	value, problem := body.DecodeJSON([]byte(text))
	if problem != nil {
		return nil
	}
	return value
}

// named gives the operation that a query names; one that no document has where it
// names several.
func named(query string) (operation string) {
	for name, value := range pairs(query, "&;") {
		if name == "operationName" {
			if operation != "" && value != operation {
				return nobody
			}
			operation = value
		}
	}
	return operation
}

// nobody is the name of no operation: where it is asked for, all count.
const nobody = "\x00"

// ofQuery reads the documents that a query has. One that has none may name one that
// the service keeps.
func ofQuery(query, apart string) []document {
	var all []document
	kept, digest := false, false
	for name, value := range pairs(query, apart) {
		switch name = strings.TrimLeft(name, "? "); { // as some servers read what is written twice
		case name == "query":
			all = append(all, document{text: value, operation: named(query)})
		case name == "extensions": // it holds the digest of a document
			digest = true
		case names(name):
			kept = true
		}
	}
	if kept || digest && len(all) == 0 {
		all = append(all, document{unseen: true})
	}
	return all
}

// names tells whether a field names a document that the service keeps. The digest
// in extensions is none of them: beside a document it is that document's.
func names(field string) bool {
	switch strings.ToLower(strings.ReplaceAll(field, "_", "")) {
	case "docid", "documentid", "queryid", "persistedquery", "sha256hash":
		return true
	default:
		return false
	}
}

func ofValue(value any) []document {
	switch value := value.(type) {
	case map[string]any:
		return []document{ofObject(value)}
	case []any:
		all := make([]document, 0, len(value))
		for _, item := range value {
			object, _ := item.(map[string]any)
			all = append(all, ofObject(object))
		}
		return all
	default:
		return []document{{unseen: true}}
	}
}

func ofObject(object map[string]any) document {
	text, ok := object["query"].(string)
	operation, named := object["operationName"].(string)
	if !named && object["operationName"] != nil {
		operation = nobody
	}
	for field := range object {
		ok = ok && !names(field)
	}
	return document{text: text, operation: operation, unseen: !ok || text == ""}
}

// selected gives the operations of a document that a request may mean: the one
// that it names, or all where that is none of them.
func selected(d *ast.QueryDocument, name string) []*ast.OperationDefinition {
	var meant []*ast.OperationDefinition
	for _, op := range d.Operations {
		if op.Name == name && name != "" {
			meant = append(meant, op)
		}
	}
	if len(meant) > 0 {
		return meant
	}
	return d.Operations
}

// count raises by each field at the top of some operations, wherever it is
// written. A fragment is gone through once for all operations of a kind: documents
// that spread one in each of thousands are short.
func (t Table) count(c *Carried, d *ast.QueryDocument, ops []*ast.OperationDefinition) {
	for _, kind := range []ast.Operation{ast.Query, ast.Mutation, ast.Subscription} {
		top := tops{fields: map[string]bool{}, fragments: map[string]ast.FragmentDefinitionList{}}
		for _, f := range d.Fragments {
			top.fragments[f.Name] = append(top.fragments[f.Name], f)
		}
		found := false
		for _, op := range ops {
			if op.Operation == kind {
				found = true
				top.walk(op.SelectionSet)
			}
		}
		if found && len(top.fields) == 0 { // nothing but fragments that are not there
			c.raise(t.field(kind, ""), "graphql "+string(kind))
		}
		for _, name := range slices.Sorted(maps.Keys(top.fields)) {
			c.raise(t.field(kind, name), "graphql "+string(kind)+" "+name[:min(len(name), maxName)])
		}
	}
}

// tops are the fields at the top of operations.
type tops struct {
	fields    map[string]bool
	fragments map[string]ast.FragmentDefinitionList // not gone through yet
}

func (t *tops) walk(set ast.SelectionSet) {
	for _, selection := range set {
		switch s := selection.(type) {
		case *ast.Field:
			t.fields[s.Name] = true
		case *ast.InlineFragment:
			t.walk(s.SelectionSet)
		case *ast.FragmentSpread:
			meant := t.fragments[s.Name]
			delete(t.fragments, s.Name)
			for _, f := range meant {
				t.walk(f.SelectionSet)
			}
		}
	}
}

// field is the class of a field at the top of an operation.
func (t Table) field(of ast.Operation, name string) Class {
	if class, ok := t.Fields[name]; ok {
		return class
	}
	switch {
	case of == ast.Query:
		return t.query()
	case t.Mutation != "":
		return t.Mutation
	case read(name).governs() != "":
		return Admin
	default:
		return Irreversible
	}
}
