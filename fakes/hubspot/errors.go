package hubspot

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"parity/fakes"
	"parity/fakes/kit"
)

// jsonType is the content type of every JSON reply, as recorded.
const jsonType = "application/json;charset=utf-8"

// The categories of errors.
const (
	invalidCategory  = "VALIDATION_ERROR"
	notFoundCategory = "OBJECT_NOT_FOUND"
	conflictCategory = "CONFLICT"
	missingScopes    = "MISSING_SCOPES"
)

// A refusal is an answer that is an error.
type refusal struct {
	status   int
	message  string
	category string         // "": none is said, as in some of HubSpot's answers
	sub      string         // subCategory
	context  map[string]any // lists of texts
	errors   []any
	links    map[string]any
	extra    map[string]any // fields beside those of every error
	header   []string       // pairs
	page     string         // an HTML page in its place
	bare     bool           // nothing but the status
}

// notFoundPage is what Jetty says for a resource that answers with nothing:
// reading a record that is not there, and paths that are none.
// Source: recorded; github.com/HubSpot/hubspot-api-nodejs/issues/159.
const notFoundPage = `<html>
<head>
<meta http-equiv="Content-Type" content="text/html;charset=utf-8"/>
<title>Error 404 Not Found</title>
</head>
<body><h2>HTTP ERROR 404</h2>
<p>Resource not found</p>
</body>
</html>
`

func (r *refusal) reply(header http.Header, correlation, request string, legacy bool) fakes.Reply {
	for i := 0; i+1 < len(r.header); i += 2 {
		header.Set(r.header[i], r.header[i+1])
	}
	switch {
	case r.bare:
		return fakes.Reply{Status: r.status, Header: header}
	case r.page != "":
		header.Set("Content-Type", "text/html;charset=iso-8859-1")
		return fakes.Reply{Status: r.status, Header: header, Body: []byte(r.page)}
	}
	header.Set("Content-Type", jsonType)
	return kit.ValueReply(r.status, header, r.body(correlation, request, legacy))
}

// body writes the error. Those of old APIs name the request too.
func (r *refusal) body(correlation, request string, legacy bool) map[string]any {
	body := map[string]any{"status": "error", "message": r.message, "correlationId": correlation}
	if legacy {
		body["requestId"] = request
	}
	if r.category != "" {
		body["category"] = r.category
	}
	if r.sub != "" {
		body["subCategory"] = r.sub
	}
	if r.context != nil {
		body["context"] = r.context
	}
	if r.errors != nil {
		body["errors"] = r.errors
	}
	if r.links != nil {
		body["links"] = r.links
	}
	for field, value := range r.extra {
		body[field] = value
	}
	return body
}

// item writes the refusal as one of the errors of a batch.
func (r *refusal) item(context map[string]any) map[string]any {
	item := map[string]any{"status": "error", "category": r.category, "message": r.message, "context": context}
	if r.sub != "" {
		item["subCategory"] = r.sub
	}
	if r.errors != nil {
		item["errors"] = r.errors
	}
	return item
}

func invalid(format string, parts ...any) *refusal {
	return &refusal{status: http.StatusBadRequest, category: invalidCategory, message: fmt.Sprintf(format, parts...)}
}

// gone is the answer to reading what is not there.
func gone() *refusal { return &refusal{status: http.StatusNotFound, page: notFoundPage} }

// missing is the answer to changing what is not there.
func missing() *refusal { return &refusal{status: http.StatusNotFound, message: "resource not found"} }

// unnamed is the answer to an id that no record can have.
func unnamed(id string) *refusal {
	return &refusal{
		status: http.StatusNotFound, category: notFoundCategory, message: "Object not found.  objectId are usually numeric.",
		context: map[string]any{"id": []any{kit.Clip(id)}},
	}
}

// unknownType is the answer to a type that there is none of.
func unknownType(given string) *refusal {
	return &refusal{status: http.StatusBadRequest, message: "Unable to infer object type from: " + kit.Clip(given)}
}

// exists is the answer to a second contact of an email address.
func exists(what, id string) *refusal {
	return &refusal{status: http.StatusConflict, category: conflictCategory, message: fmt.Sprintf("%s already exists. Existing ID: %s", what, id)}
}

// badInput is the answer to a body that does not fit; the place is the start of
// the document, whose columns nobody counts.
func badInput(format string, parts ...any) *refusal {
	return &refusal{status: http.StatusBadRequest, message: "Invalid input JSON on line 1, column 2" + fmt.Sprintf(format, parts...)}
}

func unset(fields ...string) *refusal {
	return badInput(". Some required fields were not set: [%s]", strings.Join(fields, ", "))
}

// A flaw is what is wrong with one property of a record.
type flaw struct {
	name, code, message, value string
}

// flawed words all flaws of a record: a JSON list inside the message, and the
// same once more as errors.
func (c *call) flawed(flaws []flaw) *refusal {
	results, details := make([]string, len(flaws)), make([]any, len(flaws))
	for i, f := range flaws {
		results[i] = c.result(f)
		details[i] = map[string]any{
			"message": f.message, "code": f.code,
			"context": map[string]any{"propertyName": []any{f.name}},
		}
	}
	r := invalid("Property values were not valid: [%s]", strings.Join(results, ","))
	r.errors = details
	return r
}

// result writes one flaw as HubSpot's validation does, its fields in that
// order.
func (c *call) result(f flaw) string {
	fields := []any{
		"isValid", false, "message", f.message, "error", f.code, "name", f.name,
		"localizedErrorMessage", f.message, "propertyValue", f.value, "portalId", c.settings.portal(),
	}
	var b strings.Builder
	for i := 0; i < len(fields); i += 2 {
		if fields[i] == "propertyValue" && f.code == doesNotExist {
			continue
		}
		b.WriteString(map[bool]string{true: "{", false: ","}[i == 0])
		fmt.Fprintf(&b, "%s:%s", quoted(fields[i]), quoted(fields[i+1]))
	}
	return b.String() + "}"
}

func quoted(v any) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil { // texts, numbers and booleans: it cannot fail
		return `""`
	}
	return strings.TrimSuffix(b.String(), "\n")
}
