package specs

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
)

// A builder turns a loaded document into a Contract.
type builder struct {
	doc         *openapi3.T
	contract    *Contract
	settings    settings
	diagnostics []Diagnostic
}

func newBuilder(doc *openapi3.T, service string) *builder {
	b := &builder{doc: doc}
	b.settings = b.readSettings(extensions{b: b, pointer: "", values: doc.Extensions})
	b.contract = &Contract{
		Service:     service,
		byName:      map[string]*Operation{},
		root:        &node{},
		schemas:     newSchemas(doc, b.settings.expand),
		collections: map[string]*collection{},
	}
	return b
}

func (b *builder) report(pointer, format string, args ...any) {
	b.diagnostics = append(b.diagnostics, Diagnostic{Pointer: pointer, Message: fmt.Sprintf(format, args...)})
}

func (b *builder) build() *Contract {
	c := b.contract
	if b.doc.Info != nil {
		c.Version = b.doc.Info.Version
	}
	c.Hosts = b.settings.hosts
	if len(c.Hosts) == 0 {
		c.Hosts = hosts(b.doc.Servers)
	}
	b.buildCollections()
	paths := b.doc.Paths.Map()
	for _, path := range slices.Sorted(maps.Keys(paths)) {
		if item := paths[path]; item != nil {
			b.buildPath(path, item)
		}
	}
	return c
}

func (b *builder) buildPath(path string, item *openapi3.PathItem) {
	operations := item.Operations()
	for _, method := range slices.Sorted(maps.Keys(operations)) {
		source := operations[method]
		servers := b.doc.Servers
		if len(item.Servers) > 0 {
			servers = item.Servers
		}
		if source.Servers != nil && len(*source.Servers) > 0 {
			servers = *source.Servers
		}
		pointer := "/paths/" + escape(path) + "/" + strings.ToLower(method)
		for i, base := range bases(servers) {
			op := b.buildOperation(pointer, method, base+path, item, source)
			if err := b.contract.root.add(op.Path, op); err != nil {
				b.report(pointer, "%v", err)
				continue
			}
			b.contract.Operations = append(b.contract.Operations, op)
			if i == 0 {
				b.name(op, path, pointer)
			}
		}
	}
}

// name makes an operation findable: by its method and path, with and without
// the server's base path, and by its id.
func (b *builder) name(op *Operation, path, pointer string) {
	for _, name := range []string{op.Method + " " + op.Path, op.Method + " " + path, op.ID} {
		if other, taken := b.contract.byName[name]; taken && other != op {
			b.report(pointer, "%q names %s already; this operation does not have that name", name, other.Path)
		} else if name != "" {
			b.contract.byName[name] = op
		}
	}
}

func (b *builder) buildOperation(pointer, method, path string, item *openapi3.PathItem, source *openapi3.Operation) *Operation {
	op := &Operation{
		Service: b.contract.Service, ID: source.OperationID, Method: method, Path: path,
		arrays: b.settings.arrays, refuseUnknown: b.settings.refuseUnknown,
		replies: map[string][]media{},
	}
	b.readExtensions(op, extensions{b: b, pointer: pointer, values: source.Extensions})
	b.buildParameters(op, pointer, slices.Concat(item.Parameters, source.Parameters))
	if body := source.RequestBody; body != nil && body.Value != nil {
		op.bodyRequired = body.Value.Required
		op.bodies = b.buildMedia(pointer+"/requestBody", body.Value.Content, request)
	}
	if source.Responses != nil {
		for status, response := range source.Responses.Map() {
			if response != nil && response.Value != nil {
				op.replies[strings.ToUpper(status)] = b.buildMedia(pointer+"/responses/"+status, response.Value.Content, reply)
			}
		}
	}
	return op
}

func (b *builder) buildMedia(pointer string, content openapi3.Content, mode mode) []media {
	found := make([]media, 0, len(content))
	for _, pattern := range slices.Sorted(maps.Keys(content)) {
		entry := content[pattern]
		var schema *openapi3.SchemaRef
		if entry != nil {
			schema = entry.Schema
		}
		kind, _ := mediaType(pattern)
		found = append(found, media{
			pattern: kind,
			part:    b.contract.schemas.part(pointer+"/content/"+escape(pattern)+"/schema", schema, mode),
		})
	}
	return found
}

// buildParameters makes one object schema of the parameters in each place, so
// that they are decoded and judged the same way as a body. A parameter of the
// operation replaces one of the path that has its name and place.
func (b *builder) buildParameters(op *Operation, pointer string, list openapi3.Parameters) {
	places := map[string]*openapi3.Schema{}
	styles := map[string]map[string]style{}
	for _, ref := range list {
		if ref == nil || ref.Value == nil {
			continue
		}
		p := ref.Value
		schema := p.Schema
		if schema == nil && len(p.Content) > 0 {
			schema = openapi3.NewStringSchema().NewRef() // JSON in a parameter: taken as it comes
		}
		if schema == nil {
			schema = &openapi3.SchemaRef{Value: &openapi3.Schema{}}
		}
		name := p.Name
		if p.In == openapi3.ParameterInHeader {
			name = http.CanonicalHeaderKey(name)
		}
		place := places[p.In]
		if place == nil {
			place = &openapi3.Schema{Type: &openapi3.Types{openapi3.TypeObject}, Properties: openapi3.Schemas{}}
			places[p.In], styles[p.In] = place, map[string]style{}
		}
		place.Properties[name] = schema
		styles[p.In][name] = styleOf(p)
		place.Required = slices.DeleteFunc(place.Required, func(other string) bool { return other == name })
		if p.Required {
			place.Required = append(place.Required, name)
		}
	}
	part := func(in string) *part {
		place := places[in]
		if place == nil {
			return nil
		}
		if in == openapi3.ParameterInQuery && op.refuseUnknown {
			no := false
			place.AdditionalProperties.Has = &no
		}
		found := b.contract.schemas.part(pointer+"/parameters", place.NewRef(), request)
		found.styles = styles[in]
		return found
	}
	op.path, op.query, op.header = part(openapi3.ParameterInPath), part(openapi3.ParameterInQuery), part(openapi3.ParameterInHeader)
}

// buildCollections finds the schemas of records, and where their fields point.
func (b *builder) buildCollections() {
	if b.doc.Components == nil {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(b.doc.Components.Schemas)) {
		ref := b.doc.Components.Schemas[name]
		if ref == nil || ref.Value == nil {
			continue
		}
		pointer := "/components/schemas/" + escape(name)
		of := extensions{b: b, pointer: pointer, values: ref.Value.Extensions}.text("x-parity-collection")
		if of == "" {
			continue
		}
		found := b.contract.collections[of]
		if found == nil {
			found = &collection{refers: map[string]string{}}
			b.contract.collections[of] = found
		}
		found.records = append(found.records, b.contract.schemas.checker(pointer, ref, record))
		b.contract.schemas.claim(of, ref)
		b.references(found.refers, pointer, "", ref.Value, 0)
	}
}

// references collects the x-parity-ref of a schema's properties, to the depth
// that records have.
func (b *builder) references(into map[string]string, pointer, prefix string, schema *openapi3.Schema, depth int) {
	const deepest = 4
	for name, property := range schema.Properties {
		if property == nil || property.Value == nil || depth > deepest {
			continue
		}
		at := pointer + "/properties/" + escape(name)
		if target := (extensions{b: b, pointer: at, values: property.Value.Extensions}).text(extensionRef); target != "" {
			into[prefix+name] = target
		}
		if property.Ref == "" || property.Value.Extensions["x-parity-collection"] == nil {
			b.references(into, at, prefix+name+".", property.Value, depth+1)
		}
	}
}
