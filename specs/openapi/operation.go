package openapi

import (
	"slices"
	"strconv"
	"strings"

	"parity/specs/document"
	"parity/specs/schema"
)

// An Operation is one method and path. What it takes and gives is read anew at
// each call of its methods: keep what they give.
type Operation struct {
	Path    string // as written
	Method  string // upper case
	ID      string // operationId; "" where there is none
	Servers []Server
	Node    *document.Node
	Pointer string // JSON pointer to it

	api  *API
	item *document.Node
}

// API gives the API that an operation belongs to.
func (o *Operation) API() *API { return o.api }

// A Parameter is a value outside the body.
type Parameter struct {
	Name     string
	In       string // path, query, header, cookie; querystring (3.2)
	Required bool
	Schema   *schema.Schema // nil: anything
	Style    string         // simple, form, label, matrix, spaceDelimited, pipeDelimited, deepObject
	Explode  bool
	Content  string // the media type it is written in; "" where Style says
	Empty    bool   // allowEmptyValue
	Node     *document.Node
}

// A Body is what a request carries.
type Body struct {
	Required bool
	Content  []Media
}

// A Media is a body in one content type.
type Media struct {
	Type     string // as written, such as application/json; charset=utf-8
	Schema   *schema.Schema
	Encoding []Encoding
	Node     *document.Node // nil in Swagger 2.0
	examples *document.Node // Swagger 2.0: the example itself
}

// An Encoding says how a field of a form or a part of a multipart body is
// written.
type Encoding struct {
	Field       string
	ContentType string // one or several, with commas; "" for the usual
	Style       string
	Explode     bool
	Node        *document.Node
}

// A Response is what is answered with a status.
type Response struct {
	Status      string // 200, 2XX, DEFAULT
	Description string
	Headers     []Header
	Content     []Media
}

// A Header is one that a response has.
type Header struct {
	Name     string
	Required bool
	Schema   *schema.Schema
}

// A Requirement is one way to be allowed: all of its schemes together.
type Requirement []string

// A Scheme is a way to show who one is.
type Scheme struct {
	Type   string // apiKey, http, oauth2, openIdConnect, mutualTLS
	In     string // apiKey: query, header, cookie
	Name   string // apiKey: of the parameter
	Scheme string // http: basic, bearer …, lower case
}

// Parameters gives the parameters of an operation and of its path, those of the
// path replaced where the operation has one of the same name and place. Broken
// references are left out and reported.
func (o *Operation) Parameters() ([]Parameter, []Problem) {
	var found []Parameter
	var problems []Problem
	type place struct{ in, name string }
	known := map[place]int{}
	for i, owner := range []*document.Node{o.item, o.Node} {
		list := owner.Get("parameters")
		for j := range list.Len() {
			at := list.At(j)
			n, err := o.api.follow(at)
			if err != nil {
				problems = append(problems, Problem{
					Node: at, Pointer: o.Pointer + "/parameters/" + strconv.Itoa(j), Code: "broken-reference",
					Message: err.Error() + "; this parameter is not known",
				})
				continue
			}
			p := o.parameter(n)
			if p.In == "body" || p.In == "formData" || p.Name == "" && p.In != "querystring" {
				continue
			}
			same, twice := known[place{p.In, p.Name}]
			switch {
			case twice && i == 1:
				found[same] = p
			case !twice:
				known[place{p.In, p.Name}] = len(found)
				found = append(found, p)
			}
		}
	}
	return found, problems
}

func (o *Operation) parameter(n *document.Node) Parameter {
	p := Parameter{
		Name: n.Get("name").Text(), In: n.Get("in").Text(), Required: n.Get("required").True(),
		Style: n.Get("style").Text(), Empty: n.Get("allowEmptyValue").True(), Node: n,
	}
	if o.api.Version == "2.0" {
		p.swagger(n)
		p.Schema = o.api.Schemas.At(n)
		return p
	}
	p.Schema = o.api.Schemas.At(n.Get("schema"))
	if content := n.Get("content"); content.Len() > 0 && p.Schema == nil {
		p.Content = content.At(0).Name
		p.Schema = o.api.Schemas.At(content.At(0).Get("schema"))
	}
	if p.Style == "" {
		p.Style = "simple"
		if p.In == "query" || p.In == "cookie" {
			p.Style = "form"
		}
	}
	p.Explode = p.Style == "form" || p.Style == "cookie"
	if e := n.Get("explode"); e != nil {
		p.Explode = e.True()
	}
	return p
}

// swagger says in the words of OpenAPI 3 how Swagger 2.0 writes lists.
func (p *Parameter) swagger(n *document.Node) {
	p.Style = "simple"
	if p.In == "query" {
		p.Style = "form"
	}
	switch n.Get("collectionFormat").Text() {
	case "multi":
		p.Explode = true
	case "ssv", "tsv":
		p.Style = "spaceDelimited"
	case "pipes":
		p.Style = "pipeDelimited"
	}
}

// Body gives what an operation takes; nil for nothing.
func (o *Operation) Body() (*Body, []Problem) {
	if o.api.Version == "2.0" {
		return o.swaggerBody()
	}
	at := o.Node.Get("requestBody")
	n, err := o.api.follow(at)
	if err != nil {
		return nil, []Problem{{Node: at, Pointer: o.Pointer + "/requestBody", Code: "broken-reference", Message: err.Error() + "; any body is taken"}}
	}
	if n.Len() == 0 {
		return nil, nil
	}
	return &Body{Required: n.Get("required").True(), Content: o.media(n.Get("content"))}, nil
}

func (o *Operation) media(content *document.Node) []Media {
	all := make([]Media, 0, content.Len())
	for i := range content.Len() {
		n := content.At(i)
		name := n.Name
		if target, err := o.api.follow(n); err == nil {
			n = target // 3.2 has references here
		}
		m := Media{Type: name, Schema: o.api.Schemas.At(n.Get("schema")), Node: n}
		encoding := n.Get("encoding")
		for j := range encoding.Len() {
			e := encoding.At(j)
			m.Encoding = append(m.Encoding, Encoding{
				Field: e.Name, ContentType: e.Get("contentType").Text(), Style: e.Get("style").Text(),
				Explode: e.Get("explode") == nil || e.Get("explode").True(), Node: e,
			})
		}
		all = append(all, m)
	}
	return all
}

// Examples gives the examples of a body, in the order of the document.
// References among them are followed.
func (m Media) Examples(a *API) []*document.Node {
	if m.examples != nil {
		return []*document.Node{m.examples}
	}
	if one := m.Node.Get("example"); one != nil {
		return []*document.Node{one}
	}
	var all []*document.Node
	list := m.Node.Get("examples")
	for i := range list.Len() {
		n, err := a.follow(list.At(i))
		if err != nil {
			continue
		}
		if value := n.Get("value"); value != nil {
			all = append(all, value)
		} else if value := n.Get("dataValue"); value != nil {
			all = append(all, value)
		}
	}
	return all
}

// Responses gives what an operation answers, in the order of the document.
func (o *Operation) Responses() ([]Response, []Problem) {
	list := o.Node.Get("responses")
	found := make([]Response, 0, list.Len())
	var problems []Problem
	for i := range list.Len() {
		at := list.At(i)
		if strings.HasPrefix(at.Name, "x-") {
			continue
		}
		n, err := o.api.follow(at)
		if err != nil {
			problems = append(problems, Problem{
				Node: at, Pointer: o.Pointer + "/responses/" + at.Name, Code: "broken-reference",
				Message: err.Error() + "; any body goes with this status",
			})
			n = at
		}
		r := Response{Status: strings.ToUpper(at.Name), Description: n.Get("description").Text()}
		headers := n.Get("headers")
		for j := range headers.Len() {
			name := headers.At(j).Name
			if h, err := o.api.follow(headers.At(j)); err == nil {
				s := h.Get("schema")
				if o.api.Version == "2.0" {
					s = h
				}
				r.Headers = append(r.Headers, Header{Name: name, Required: h.Get("required").True(), Schema: o.api.Schemas.At(s)})
			}
		}
		if o.api.Version == "2.0" {
			r.Content = o.swaggerContent(n)
		} else {
			r.Content = o.media(n.Get("content"))
		}
		o.shown(r.Content, r.Status)
		found = append(found, r)
	}
	return found, problems
}

// Security gives the ways to be allowed to call an operation: any one of them
// will do. None means that anybody may.
func (o *Operation) Security() []Requirement {
	if own := o.Node.Get("security"); own != nil {
		return requirements(own)
	}
	return o.api.security
}

func requirements(list *document.Node) []Requirement {
	if !list.Is(document.Array) {
		return nil
	}
	var all []Requirement
	for i := range list.Len() {
		var one Requirement
		for j := range list.At(i).Len() {
			one = append(one, list.At(i).At(j).Name)
		}
		all = append(all, one)
	}
	return all
}

// Schemes lists all ways of showing who one is.
func (a *API) Schemes() []Scheme {
	list := a.components("securitySchemes")
	var all []Scheme
	for i := range list.Len() {
		if s, ok := a.Scheme(list.At(i).Name); ok {
			all = append(all, s)
		}
	}
	return all
}

// TokenURLs lists the addresses at which the OAuth 2.0 schemes of the document
// issue tokens and renew them, as it writes them.
func (a *API) TokenURLs() []string {
	list := a.components("securitySchemes")
	var all []string
	for i := range list.Len() {
		n, err := a.follow(list.At(i))
		if err != nil || n.Get("type").Text() != "oauth2" {
			continue
		}
		flows := []*document.Node{n} // Swagger 2.0
		for j := range n.Get("flows").Len() {
			flows = append(flows, n.Get("flows").At(j))
		}
		for _, flow := range flows {
			for _, name := range []string{"tokenUrl", "refreshUrl"} {
				if address := flow.Get(name).Text(); address != "" && !slices.Contains(all, address) {
					all = append(all, address)
				}
			}
		}
	}
	return all
}

// Scheme gives a way of showing who one is, by its name.
func (a *API) Scheme(name string) (Scheme, bool) {
	n, err := a.follow(a.components("securitySchemes").Get(name))
	if err != nil || n == nil {
		return Scheme{}, false
	}
	s := Scheme{Type: n.Get("type").Text(), In: n.Get("in").Text(), Name: n.Get("name").Text(), Scheme: strings.ToLower(n.Get("scheme").Text())}
	if s.Type == "basic" { // Swagger 2.0
		s.Type, s.Scheme = "http", "basic"
	}
	return s, true
}
