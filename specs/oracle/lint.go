package oracle

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"parity/specs/document"
)

// A Finding is something that kin-openapi holds to be wrong in a document.
type Finding struct {
	Pointer string // JSON pointer to the narrowest part that it names: an operation, a component, a section
	File    string
	Line    int // from 1; 0: not known
	Column  int
	Message string
}

// Lint has kin-openapi validate the whole document, and gives all that it
// finds, by place. Something wrong with a component is told there, and not again
// wherever the component is used.
func (d *Document) Lint() (found []Finding) {
	defer func() {
		if p := recover(); p != nil {
			found = append(found, Finding{File: d.source.Name(), Message: fmt.Sprintf("kin-openapi panics: %v", p)})
		}
	}()
	err := d.doc.Validate(context.Background(), openapi3.EnableMultiError(), openapi3.SetRegexCompiler(compile))
	atHome := map[string]bool{}
	for _, one := range each(err, nil) {
		f := d.finding(one)
		if strings.HasPrefix(f.Pointer, "/components/") {
			atHome[f.Message] = true
		}
		found = append(found, f)
	}
	found = slices.DeleteFunc(found, func(f Finding) bool {
		return atHome[f.Message] && strings.HasPrefix(f.Pointer, "/paths/")
	})
	slices.SortStableFunc(found, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column), cmp.Compare(a.Message, b.Message))
	})
	return slices.Compact(found)
}

// each takes errors that are several apart.
func each(err error, all []error) []error {
	if err == nil {
		return all
	}
	several, ok := err.(openapi3.MultiError) //nolint:errorlint // one that is wrapped has a place, which must stay
	if !ok {
		return append(all, err)
	}
	for _, one := range several {
		all = each(one, all)
	}
	return all
}

// finding says where an error is, by what it was wrapped in on its way out.
func (d *Document) finding(err error) Finding {
	var at []string
	for inner := err; inner != nil; inner = errors.Unwrap(inner) {
		switch e := inner.(type) { //nolint:errorlint // one wrapping after the other
		case *openapi3.SectionValidationError:
			at = []string{e.Section}
		case *openapi3.PathValidationError:
			at = append(at, e.Path)
		case *openapi3.OperationValidationError:
			at = append(at, strings.ToLower(e.Method))
		case *openapi3.ComponentValidationError:
			at = append(at, buckets[e.Section], e.Name)
		case *openapi3.PathParametersError:
			at = append(at, e.Path, strings.ToLower(e.Method))
		case *openapi3.ConflictingPathsError:
			at = append(at, e.Path1)
		case *openapi3.DuplicateOperationIDError:
			method, path, _ := strings.Cut(e.Endpoint2, " ")
			at = append(at, path, strings.ToLower(method))
		default:
			return d.placed(at, line(inner))
		}
		err = inner
	}
	return d.placed(at, line(err)) // its innermost part names the place itself
}

// buckets are the names that components have in a document, by those of
// kin-openapi's messages.
var buckets = map[string]string{
	"schema": "schemas", "parameter": "parameters", "header": "headers", "request body": "requestBodies", "response": "responses",
	"security scheme": "securitySchemes", "example": "examples", "link": "links", "callback": "callbacks",
}

// placed finds the line of what a path of names leads to, or of the last part
// of it that is there.
func (d *Document) placed(names []string, message string) Finding {
	f := Finding{Message: message}
	node := d.source.Root()
	for _, name := range names {
		next := node.Get(name)
		if next == nil {
			break
		}
		node = next
		f.Pointer += "/" + document.Escape(name)
		if followed, err := d.source.Follow(node); err == nil && followed != nil {
			node = followed
		}
	}
	f.File, f.Line, f.Column = node.Place()
	return f
}
