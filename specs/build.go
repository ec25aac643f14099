package specs

import (
	"cmp"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"

	"parity/specs/anatomy"
	"parity/specs/body"
	"parity/specs/document"
	"parity/specs/openapi"
	"parity/specs/schema"
)

// A builder turns an API into a Contract.
type builder struct {
	api         *openapi.API
	contract    *Contract
	settings    settings
	diagnostics []Diagnostic
	sound       bool // nothing is wrong with the document: what is not needed yet is not read to tell
}

func newBuilder(api *openapi.API, service string) *builder {
	b := &builder{api: api}
	b.settings = b.readSettings(extensions{b: b, of: api.Root})
	b.contract = &Contract{
		Service: service,
		Version: api.Revision,
		Hash:    api.Document.Hash(),
		Files:   api.Document.Files(),
		api:     api,
		byName:  map[string]*Operation{},
		root:    &node{},
		bare:    &node{},
		model:   sync.OnceValue(func() *anatomy.Model { return anatomy.Infer(api) }),
		credentials: sync.OnceValue(func() []openapi.Scheme {
			return slices.DeleteFunc(api.Schemes(), func(s openapi.Scheme) bool { return s.Type != "apiKey" })
		}),
		tokens:      sync.OnceValue(func() []string { return tokenPaths(api) }),
		schemas:     newSchemas(api.Schemas, b.settings.expand),
		collections: sync.OnceValue(b.collections),
	}
	b.contract.schemas.claims = func(collection string) []*schema.Schema {
		if found := b.contract.collections()[collection]; found != nil {
			return found.claims
		}
		return nil
	}
	return b
}

func (b *builder) report(at *document.Node, pointer, code, format string, args ...any) {
	b.diagnostics = append(b.diagnostics, diagnose(at, pointer, code, fmt.Sprintf(format, args...)))
}

func (b *builder) problems(found []openapi.Problem) {
	for _, p := range found {
		b.report(p.Node, p.Pointer, p.Code, "%s", p.Message)
	}
}

func diagnose(at *document.Node, pointer, code, message string) Diagnostic {
	d := Diagnostic{Pointer: printable(pointer), Code: code, Message: printable(message)}
	d.File, d.Line, d.Column = at.Place()
	d.File = printable(d.File)
	return d
}

func (b *builder) build() *Contract {
	c := b.contract
	c.Hosts = b.settings.hosts
	if len(c.Hosts) == 0 {
		c.Hosts = hosts(b.api.Servers)
	}
	if !b.sound {
		b.readCollections()
	}
	sources := slices.Clone(b.api.Operations)
	slices.SortStableFunc(sources, func(x, y *openapi.Operation) int {
		return cmp.Or(cmp.Compare(x.Path, y.Path), cmp.Compare(x.Method, y.Method))
	})
	for _, source := range sources {
		b.buildOperation(source)
	}
	b.infer()
	return c
}

// buildOperation hangs an operation into the tree at each of its bases, and
// into one without bases, for clients whose base URL stands for it.
func (b *builder) buildOperation(source *openapi.Operation) {
	made := b.newOperation(source)
	c := b.contract
	based := false
	for i, base := range bases(source.Servers) {
		if i > 0 && len(c.Operations) >= mostPlaces {
			break
		}
		op := made.at(base + made.Path)
		based = based || base != ""
		alike, err := c.root.add(op.Path, op)
		if err != nil {
			b.report(source.Node, source.Pointer, "unreachable-path", "%v", err)
			continue
		}
		if alike != nil {
			b.report(source.Node, source.Pointer, "doubled-shape", "%s %s has the same shape as %s%s; it gets the calls that do not fit that one", op.Method, op.Path, alike.Path, stands(alike))
		}
		if op.suffix = b.settings.suffix; op.suffix != "" {
			_, _ = c.root.add(op.Path+b.settings.suffix, op) // what is wrong with it has been told
		}
		c.Operations = append(c.Operations, op)
		if i == 0 {
			b.name(op, source)
		} else if name := op.Method + " " + op.Path; c.byName[name] == nil {
			c.byName[name] = op
		}
		if i == 0 && based {
			_, _ = c.bare.add(made.Path, op) // what is wrong with it has been told
			if b.settings.suffix != "" {
				_, _ = c.bare.add(made.Path+b.settings.suffix, op)
			}
		}
	}
}

// stands says where an operation is written.
func stands(op *Operation) string {
	file, line, column := op.source.Node.Place()
	if line == 0 {
		return ""
	}
	return fmt.Sprintf(" at %s:%d:%d", file, line, column)
}

// name makes an operation findable: by its method and path, with and without
// the server's base path, and by its id.
func (b *builder) name(op *Operation, source *openapi.Operation) {
	for _, name := range []string{op.Method + " " + op.Path, op.Method + " " + source.Path, op.ID} {
		if other, taken := b.contract.byName[name]; taken && other != op {
			b.report(source.Node, source.Pointer, "doubled-name", "%q names %s already; this operation does not have that name", name, other.Path)
		} else if name != "" {
			b.contract.byName[name] = op
		}
	}
}

func (b *builder) newOperation(source *openapi.Operation) *Operation {
	op := &Operation{
		Service: b.contract.Service, ID: source.ID, Method: source.Method, Path: source.Path,
		parts: &parts{
			contract: b.contract, source: source, arrays: b.settings.arrays, refuseUnknown: b.settings.refuseUnknown,
			anyKind: b.settings.anyKind,
		},
	}
	b.readExtensions(op, extensions{b: b, of: source.Node, pointer: source.Pointer})
	return op
}

// read reads what an operation takes and gives, once.
func (p *parts) read() *parts {
	p.reading.Do(func() {
		parameters, found := p.source.Parameters()
		p.problems = append(p.problems, found...)
		p.parameters(placed(p.source.Path, parameters))
		body, found := p.source.Body()
		p.problems = append(p.problems, found...)
		if body != nil {
			p.bodyRequired = body.Required
			p.bodies = p.media(p.source.Pointer+"/requestBody", body.Content, request)
		}
		responses, found := p.source.Responses()
		p.problems = append(p.problems, found...)
		p.replies = make(map[string][]media, len(responses))
		for _, r := range responses {
			p.replies[r.Status] = p.media(p.source.Pointer+"/responses/"+r.Status, r.Content, reply)
		}
		p.ways = waysOf(p.source)
	})
	return p
}

func (p *parts) media(pointer string, content []openapi.Media, mode mode) []media {
	found := make([]media, 0, len(content))
	for _, entry := range content {
		kind := body.Kind(entry.Type)
		one := media{
			pattern: kind, source: entry,
			part: p.contract.schemas.part(pointer+Pointer("content", entry.Type, "schema"), entry.Schema, mode),
		}
		if body.IsForm(kind) || strings.Contains(kind, "*") {
			one.form = body.NewForm(entry.Schema, entry.Encoding, body.Options{Brackets: bool(p.arrays)})
		}
		found = append(found, one)
	}
	slices.SortStableFunc(found, func(a, b media) int { return cmp.Compare(a.pattern, b.pattern) })
	return found
}

// parameters makes one object schema of the parameters in each place, so that
// they are decoded and judged the same way as a body.
func (p *parts) parameters(list []openapi.Parameter) {
	type gathered struct {
		fields, required []document.Node
	}
	at := p.source.Node
	places := map[string]*gathered{}
	for _, one := range list {
		if one.In == inHeader && ignored(one.Name) {
			continue
		}
		into := places[one.In]
		if into == nil {
			into = &gathered{}
			places[one.In] = into
		}
		of := one.Schema.Node()
		if of == nil {
			of = document.NewObject(one.Node)
		}
		into.fields = append(into.fields, of.Named(one.Name))
		if one.Required {
			into.required = append(into.required, document.NewText(one.Node, "", one.Name))
		}
	}
	part := func(in string) *part {
		found := places[in]
		if found == nil {
			return nil
		}
		fields := []document.Node{
			document.NewText(at, "type", "object"), document.NewObject(at, found.fields...).Named("properties"),
			document.NewArray(at, "required", found.required...),
		}
		if in == inQuery && p.refuseUnknown {
			fields = append(fields, document.NewBool(at, "additionalProperties", false))
		}
		made := p.contract.schemas.part(p.source.Pointer+"/parameters", p.contract.api.Schemas.At(document.NewObject(at, fields...)), request)
		for i := range found.required {
			made.must = append(made.must, found.required[i].Text())
		}
		if in == inQuery && p.contract.schemas.lenient {
			made.cased = casedOf(found.fields)
		}
		return made
	}
	p.path, p.query, p.header, p.cookie = part(inPath), part(inQuery), part(inHeader), part(inCookie)
	if whole := part(inQueryString); whole != nil {
		p.query = whole
	}
	p.reader = body.NewParameters(list, body.Options{Brackets: bool(p.arrays)})
}

// ignored tells whether a header is no parameter, whatever a document says: what
// it holds is said in other places.
// Source: https://spec.openapis.org/oas/v3.0.3#fixed-fields-10
func ignored(header string) bool {
	switch http.CanonicalHeaderKey(header) {
	case "Accept", "Content-Type", "Authorization":
		return true
	default:
		return false
	}
}

// collections finds the schemas of records, and where their fields point. It
// looks at all schemas of the document.
func (b *builder) collections() map[string]*collection {
	all := map[string]*collection{}
	for _, named := range slices.SortedFunc(slices.Values(b.api.Components()), func(x, y schema.Property) int { return cmp.Compare(x.Name, y.Name) }) {
		pointer := Pointer("components", "schemas", named.Name)
		view := named.Schema.Target().Node() // not looked into unless it claims something
		if view.Get("x-parity-collection") == nil {
			continue
		}
		of := extensions{b: b, of: view, pointer: pointer}.text("x-parity-collection")
		if of == "" {
			continue
		}
		found := all[of]
		if found == nil {
			found = &collection{}
			all[of] = found
		}
		found.records = append(found.records, b.contract.schemas.checker(pointer, named.Schema, record))
		found.claims = append(found.claims, named.Schema)
	}
	for _, found := range all {
		found.refers = sync.OnceValue(func() map[string]string {
			into := map[string]string{}
			for _, record := range found.records {
				b.references(into, record.pointer, "", record.schema.View(), 0)
			}
			return into
		})
	}
	return all
}

// readCollections reads them all, to tell what is wrong with them.
func (b *builder) readCollections() {
	all := b.contract.collections()
	for _, name := range slices.Sorted(maps.Keys(all)) {
		all[name].refers()
	}
}

// references collects the x-parity-ref of a schema's properties, and of what
// their lists hold, to the depth that records have.
func (b *builder) references(into map[string]string, pointer, prefix string, v *schema.View, depth int) {
	const deepest = 4
	if depth > deepest {
		return
	}
	for _, p := range v.Properties {
		at := pointer + Pointer("properties", p.Name)
		view := p.Schema.View()
		for view.Items != nil { // a list of ids, or of what holds them
			view, at = view.Items.View(), at+Pointer("items")
		}
		if target := (extensions{b: b, of: view.Node(), pointer: at}).text(extensionRef); target != "" {
			into[prefix+p.Name] = target
		}
		if !p.Schema.Referred() || view.Extension("x-parity-collection") == nil {
			b.references(into, at, prefix+p.Name+".", view, depth+1)
		}
	}
}
