package openapi

import (
	"slices"
	"strings"

	"parity/specs/document"
)

// fromDiscovery says in the words of OpenAPI 3.0 what a Google discovery
// document describes.
// Source: https://developers.google.com/discovery/v1/reference/apis
func fromDiscovery(root *document.Node) *document.Node {
	d := discovery{root: root}
	schemas := root.Get("schemas")
	var named []document.Node
	for i := range schemas.Len() {
		named = append(named, d.schema(schemas.At(i)).Named(schemas.At(i).Name))
	}
	d.resources(root)
	address := root.Get("rootUrl").Text()
	if address == "" {
		address = root.Get("baseUrl").Text()
	} else {
		address += root.Get("servicePath").Text()
	}
	var paths []document.Node
	for _, p := range d.paths {
		paths = append(paths, document.NewObject(root, p.methods...).Named(p.name))
	}
	info := document.NewObject(root, root.Get("title").Named("title"), root.Get("version").Named("version"))
	server := document.NewObject(root, document.NewText(root, "url", address))
	return document.NewObject(root,
		document.NewText(root, "openapi", "3.0.0"), info.Named("info"), document.NewArray(root, "servers", *server),
		document.NewObject(root, paths...).Named("paths"),
		document.NewObject(root, document.NewObject(root, named...).Named("schemas")).Named("components"))
}

type discovery struct {
	root  *document.Node
	paths []discovered
}

type discovered struct {
	name    string
	methods []document.Node
}

func (d *discovery) resources(owner *document.Node) {
	methods := owner.Get("methods")
	for i := range methods.Len() {
		d.method(methods.At(i))
	}
	resources := owner.Get("resources")
	for i := range resources.Len() {
		d.resources(resources.At(i))
	}
}

// method makes an operation. A path's {+name} takes several segments; flatPath,
// where there is one, says which.
func (d *discovery) method(m *document.Node) {
	path := m.Get("flatPath").Text()
	if path == "" {
		path = strings.ReplaceAll(m.Get("path").Text(), "{+", "{")
	}
	path = "/" + strings.TrimPrefix(path, "/")
	var parameters []document.Node
	own := map[string]bool{}
	for _, table := range []*document.Node{m.Get("parameters"), d.root.Get("parameters")} {
		for i := range table.Len() {
			if p := table.At(i); !own[p.Name] {
				own[p.Name] = true
				parameters = append(parameters, *d.parameter(p))
			}
		}
	}
	for rest := path; ; {
		_, after, ok := strings.Cut(rest, "{")
		name, after, closed := strings.Cut(after, "}")
		if !ok || !closed {
			break
		}
		if !own[name] { // flatPath has names of its own
			own[name] = true
			parameters = append(parameters, *document.NewObject(m, document.NewText(m, "name", name), document.NewText(m, "in", "path"),
				document.NewBool(m, "required", true), document.NewObject(m, document.NewText(m, "type", "string")).Named("schema")))
		}
		rest = after
	}
	fields := []document.Node{m.Get("id").Named("operationId"), m.Get("description").Named("description"), document.NewArray(m, "parameters", parameters...)}
	if request := m.Get("request"); request != nil {
		fields = append(fields, document.NewObject(m, d.content(request)).Named("requestBody"))
	}
	reply := []document.Node{document.NewText(m, "description", "OK")}
	if response := m.Get("response"); response != nil {
		reply = append(reply, d.content(response))
	}
	status := "200"
	if m.Get("response") == nil {
		status = "204"
	}
	fields = append(fields, document.NewObject(m, document.NewObject(m, reply...).Named(status)).Named("responses"))
	operation := document.NewObject(m, fields...).Named(strings.ToLower(m.Get("httpMethod").Text()))
	at := slices.IndexFunc(d.paths, func(p discovered) bool { return p.name == path })
	if at < 0 {
		at = len(d.paths)
		d.paths = append(d.paths, discovered{name: path})
	}
	d.paths[at].methods = append(d.paths[at].methods, operation)
}

func (d *discovery) content(of *document.Node) document.Node {
	media := document.NewObject(of, d.schema(of).Named("schema"))
	return document.NewObject(of, media.Named("application/json")).Named("content")
}

func (d *discovery) parameter(p *document.Node) *document.Node {
	return document.NewObject(p, document.NewText(p, "name", p.Name), p.Get("location").Named("in"), p.Get("required").Named("required"),
		p.Get("description").Named("description"), d.schema(p).Named("schema"))
}

// schema leaves out what means something else in OpenAPI, and says who is meant
// by a reference.
func (d *discovery) schema(n *document.Node) *document.Node {
	if ref, ok := n.Ref(); ok {
		return document.NewObject(n, document.NewText(n, "$ref", "#/components/schemas/"+ref))
	}
	var fields []document.Node
	for i := range n.Len() {
		f := n.At(i)
		switch f.Name {
		case "id", "location", "required", "repeated", "annotations":
		case "type":
			if f.Text() != "any" {
				fields = append(fields, *f)
			}
		case "properties":
			var properties []document.Node
			for j := range f.Len() {
				properties = append(properties, d.schema(f.At(j)).Named(f.At(j).Name))
			}
			fields = append(fields, document.NewObject(f, properties...).Named("properties"))
		case "items", "additionalProperties":
			fields = append(fields, d.schema(f).Named(f.Name))
		default:
			fields = append(fields, *f)
		}
	}
	one := document.NewObject(n, fields...)
	if !n.Get("repeated").True() {
		return one
	}
	return document.NewObject(n, document.NewText(n, "type", "array"), one.Named("items"))
}
