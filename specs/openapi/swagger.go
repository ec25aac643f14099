package openapi

import (
	"strconv"
	"strings"

	"parity/specs/document"
)

// swaggerBody makes a body of Swagger 2.0's parameters: one that is the body,
// or those that are fields of a form.
func (o *Operation) swaggerBody() (*Body, []Problem) {
	var fields []document.Node
	var required []document.Node
	var problems []Problem
	file := false
	seen := map[string]bool{}
	for _, owner := range []*document.Node{o.Node, o.item} {
		list := owner.Get("parameters")
		for i := range list.Len() {
			n, err := o.api.follow(list.At(i))
			if err != nil {
				problems = append(problems, Problem{
					Node: list.At(i), Pointer: o.Pointer + "/parameters/" + strconv.Itoa(i), Code: "broken-reference",
					Message: err.Error() + "; this parameter is not known",
				})
				continue
			}
			name := n.Get("name").Text()
			switch n.Get("in").Text() {
			case "body":
				b := &Body{Required: n.Get("required").True()}
				for _, kind := range o.kinds("consumes", "application/json") {
					b.Content = append(b.Content, Media{Type: kind, Schema: o.api.Schemas.At(n.Get("schema"))})
				}
				return b, problems
			case "formData":
				if seen[name] {
					continue
				}
				seen[name] = true
				file = file || n.Get("type").Text() == "file"
				fields = append(fields, n.Named(name))
				if n.Get("required").True() {
					required = append(required, document.NewText(n, "", name))
				}
			}
		}
	}
	if len(fields) == 0 {
		return nil, problems
	}
	form := document.NewObject(o.Node, document.NewText(o.Node, "type", "object"),
		document.NewObject(o.Node, fields...).Named("properties"), document.NewArray(o.Node, "required", required...))
	usual := "application/x-www-form-urlencoded"
	if file {
		usual = "multipart/form-data"
	}
	b := &Body{Required: len(required) > 0}
	for _, kind := range o.kinds("consumes", usual) {
		b.Content = append(b.Content, Media{Type: kind, Schema: o.api.Schemas.At(form)})
	}
	return b, problems
}

func (o *Operation) swaggerContent(response *document.Node) []Media {
	at, examples := response.Get("schema"), response.Get("examples")
	if at == nil {
		return o.swaggerShown(examples)
	}
	var all []Media
	for _, kind := range o.kinds("produces", "application/json") {
		all = append(all, Media{Type: kind, Schema: o.api.Schemas.At(at), examples: examples.Get(kind)})
	}
	return all
}

// swaggerShown gives the bodies of a reply that has examples alone.
func (o *Operation) swaggerShown(examples *document.Node) []Media {
	var all []Media
	for i := range examples.Len() {
		if n := examples.At(i); strings.Contains(n.Name, "/") {
			all = append(all, Media{Type: n.Name, examples: n})
		}
	}
	return all
}

// kinds gives the content types that an operation consumes or produces.
func (o *Operation) kinds(field, usual string) []string {
	for _, owner := range []*document.Node{o.Node, o.api.Root} {
		if own := owner.Get(field).Texts(); len(own) > 0 {
			return own
		}
	}
	return []string{usual}
}
