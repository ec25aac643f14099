package github

import (
	"fmt"
	"maps"
	"net/http"
)

// docsRoot is where GitHub points to when it has no better place. Addresses of
// documentation are those of 2022, as recorded; GitHub has moved its pages
// since, and sends others from time to time.
const docsRoot = "https://docs.github.com/rest"

// Codes of what is wrong with a field.
// Source: docs.github.com/rest/using-the-rest-api/troubleshooting-the-rest-api.
const (
	codeMissing = "missing"
	codeField   = "missing_field"
	codeInvalid = "invalid"
	codeExists  = "already_exists"
	codeCustom  = "custom"
)

// A refusal is an error in GitHub's shape.
type refusal struct {
	status  int
	message string
	errors  []any
	docs    string // "": those of the operation
	header  http.Header
	more    map[string]any
	bare    bool // an empty object
	empty   bool // no body at all
}

func (r *refusal) body(docs string) map[string]any {
	if r.bare {
		return map[string]any{}
	}
	if r.docs != "" {
		docs = r.docs
	}
	body := map[string]any{"message": r.message, "documentation_url": docs}
	if r.errors != nil {
		body["errors"] = r.errors
	}
	if r.more == nil { // redirects have no status of their own
		body["status"] = fmt.Sprint(r.status)
	}
	maps.Copy(body, r.more)
	return body
}

func refusing(status int, format string, args ...any) *refusal {
	return &refusal{status: status, message: said(format, args)}
}

func said(format string, args []any) string {
	if len(args) == 0 {
		return format
	}
	return fmt.Sprintf(format, args...)
}

// notFound is also the answer to what a token may not see.
func notFound() *refusal { return refusing(http.StatusNotFound, "Not Found") }

func unprocessable(format string, args ...any) *refusal {
	return refusing(http.StatusUnprocessableEntity, format, args...)
}

// failed is the usual 422: fields of a resource that are wrong.
func failed(errors ...any) *refusal {
	r := unprocessable("Validation Failed")
	r.errors = errors
	return r
}

func wrong(resource, field, code string) map[string]any {
	return map[string]any{"resource": resource, "code": code, "field": field}
}

func wrongValue(resource, field, code string, value any) map[string]any {
	e := wrong(resource, field, code)
	e["value"] = value
	return e
}

// custom is an error that GitHub words by itself.
func custom(resource, format string, args ...any) map[string]any {
	return map[string]any{"resource": resource, "code": codeCustom, "message": said(format, args)}
}

// schemaRefusal is the 422 of a request that is not of the right shape.
func schemaRefusal(detail string) *refusal { return unprocessable("Invalid request.\n\n%s", detail) }
