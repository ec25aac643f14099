package anatomy

import (
	"slices"
	"strings"

	"parity/specs/openapi"
	"parity/specs/schema"
)

// A call is what is looked at of one operation.
type call struct {
	op        *openapi.Operation
	route     route
	params    []openapi.Parameter
	names     []string // of params, canonical
	responses []openapi.Response
	method    string
	in        *openapi.Media // of the request; nil for none
	out       *openapi.Media // of its success; nil for none
	status    string         // of its success
	keys      []string       // path parameters, in the order of the path
	patch     string         // merge or json, where a content type says it
	done      bool           // it has its role
}

func (in *inference) call(op *openapi.Operation) *call {
	c := &call{op: op, method: op.Method, route: in.routeOf(in.path(op))}
	c.params = spoken(op)
	c.names = make([]string, len(c.params))
	for i := range c.params {
		c.names[i] = canon(c.params[i].Name)
	}
	c.responses, _ = op.Responses()
	for _, s := range c.route.steps {
		if s.word == "" {
			c.keys = append(c.keys, s.param)
		}
	}
	c.mismatch()
	if body, _ := op.Body(); body != nil {
		c.in = pick(body.Content)
		for _, m := range body.Content {
			switch kind := strings.ToLower(m.Type); {
			case strings.Contains(kind, "merge-patch"):
				c.patch = "merge"
			case strings.Contains(kind, "json-patch") && c.patch == "":
				c.patch = "json"
			}
		}
	}
	return c
}

// spoken are the parameters that say something of what is meant: not those that
// tell the operation itself (/?Action=CreateUser), nor those that are always the
// same, nor credentials.
func spoken(op *openapi.Operation) []openapi.Parameter {
	all, _ := op.Parameters()
	_, beyond, _ := strings.Cut(strings.ReplaceAll(op.Path, "?", "#"), "#")
	return slices.DeleteFunc(all, func(p openapi.Parameter) bool {
		if p.In == "path" {
			return false
		}
		if beyond != "" {
			for part := range strings.FieldsFuncSeq(beyond, func(r rune) bool { return r == '#' || r == '&' }) {
				if name, _, _ := strings.Cut(part, "="); name == p.Name {
					return true
				}
			}
		}
		return p.Required && p.Schema.View().Enum.Len() == 1 || credential(op, p)
	})
}

// credential tells whether a parameter is a key that a security scheme asks for.
func credential(op *openapi.Operation, p openapi.Parameter) bool {
	for _, requirement := range op.Security() {
		for _, name := range requirement {
			if s, ok := op.API().Scheme(name); ok && s.Type == "apiKey" && s.In == p.In && s.Name == p.Name {
				return true
			}
		}
	}
	return false
}

// mismatch takes the meaning from a word that the method speaks against: DELETE
// /contacts/all lists nothing.
func (c *call) mismatch() {
	switch c.route.kind {
	case List, Read, Search, Count:
		tail := tails[canon(c.route.verb)] == Read && !c.route.rpc
		if c.method == "PUT" || c.method == "PATCH" || c.method == "DELETE" || c.method == "POST" && tail {
			c.route.kind = ""
		}
	}
}

// succeed chooses the success among the responses: which one is usual depends
// on what the operation does.
func (c *call) succeed(kind Kind) {
	usual := []string{"200", "201", "202", "203", "204", "206"}
	switch kind {
	case Create, Upsert:
		usual = []string{"201", "200", "202", "204"}
	case Delete:
		usual = []string{"204", "200", "202"}
	}
	best, rank := -1, 100
	for i := range c.responses {
		r := &c.responses[i]
		at := 50
		switch {
		case r.Status == "2XX":
			at = 40
		case r.Status == "DEFAULT" && !failure(r):
			at = 60
		case len(r.Status) != 3 || r.Status[0] != '2':
			continue
		}
		for j, status := range usual {
			if r.Status == status {
				at = j
				if len(r.Content) == 0 && kind != Delete && kind != Create {
					at += 10
				}
			}
		}
		if at < rank {
			best, rank = i, at
		}
	}
	c.status, c.out = "", nil
	if best < 0 {
		return
	}
	c.out = pick(c.responses[best].Content)
	switch c.status = c.responses[best].Status; c.status {
	case "2XX":
		c.status = "200"
	case "DEFAULT":
		c.status = ""
	}
}

// failure tells whether a default response speaks of errors.
func failure(r *openapi.Response) bool {
	text := strings.ToLower(r.Description)
	for _, word := range []string{"error", "fail", "unexpected", "invalid", "problem"} {
		if strings.Contains(text, word) {
			return true
		}
	}
	return false
}

// pick chooses the content type in which a body is looked at: JSON, else a form.
func pick(content []openapi.Media) *openapi.Media {
	best, rank := -1, 10
	for i := range content {
		at := 5
		name, _, _ := strings.Cut(strings.ToLower(content[i].Type), ";")
		switch {
		case name == "application/json":
			at = 0
		case strings.HasSuffix(name, "+json"), strings.HasSuffix(name, "/json"):
			at = 1
			if strings.Contains(name, "patch") {
				at = 2
			}
		case name == "*/*", name == "application/*":
			at = 3
		case strings.HasSuffix(name, "form-urlencoded"), name == "multipart/form-data":
			at = 4
		}
		if content[i].Schema == nil {
			at += 5
		}
		if at < rank {
			best, rank = i, at
		}
	}
	if best < 0 {
		return nil
	}
	return &content[best]
}

func schemaOf(m *openapi.Media) *schema.Schema {
	if m == nil {
		return nil
	}
	return m.Schema
}

// gives is the schema of the reply.
func (c *call) gives() *schema.Schema { return schemaOf(c.out) }

// takes is the schema of the body.
func (c *call) takes() *schema.Schema { return schemaOf(c.in) }

// parameter finds one by its canonical name.
func (c *call) parameter(where, canonical string) *openapi.Parameter {
	for i := range c.params {
		if c.names[i] == canonical && c.params[i].In == where {
			return &c.params[i]
		}
	}
	return nil
}
