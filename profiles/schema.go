package profiles

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"go.yaml.in/yaml/v4"

	"parity/faults"
)

//go:generate go test -run ^TestSchemaIsCommitted$ . -update

// Schema gives the JSON Schema of a profile, draft 7, which is what editors
// know best. It is made from the same table of keys that the reader uses, and
// from the parameters of the faults.
func Schema() ([]byte, error) {
	root := schemaOf(document())
	root["$schema"] = "http://json-schema.org/draft-07/schema#"
	root["title"] = "Parity profile"
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(root); err != nil {
		return nil, fmt.Errorf("profile schema: %w", err)
	}
	return b.Bytes(), nil
}

type shapeSchema = map[string]any

func schemaOf(k *key) shapeSchema {
	s := bareSchema(k)
	switch { // of an inject the fault's own words are shown, and editors show those that they come to first
	case k.name == "inject" || k.doc == "":
	case k.name != "":
		s["markdownDescription"] = markdown(k.doc, k.written(), k.otherwise, k.bounds())
		fallthrough
	default:
		s["description"] = k.doc
	}
	if k.example != "" {
		s["examples"] = []any{literal(k.example)}
	}
	if k.otherwise != "" && (k.kind == choice || k.kind == flag || k.kind == whole || k.kind == number || k.kind == span) {
		s["default"] = literal(k.otherwise)
	}
	return s
}

func bareSchema(k *key) shapeSchema {
	switch k.kind {
	case object:
		return objectSchema(k)
	case table:
		form := nameForm
		if k.names != nil {
			form = k.names
		}
		return shapeSchema{"type": "object", "propertyNames": shapeSchema{"pattern": form().String()}, "additionalProperties": schemaOf(k.of)}
	case arguments:
		return shapeSchema{"type": "object"} // told by inject, see parameterSchemas
	case list:
		s := shapeSchema{"type": "array", "items": schemaOf(k.of)}
		if k.some {
			s["minItems"] = 1
		}
		return s
	case oneOrMany:
		return shapeSchema{"oneOf": []any{schemaOf(k.of), shapeSchema{"type": "array", "minItems": 1, "items": schemaOf(k.of)}}}
	case mix:
		return shapeSchema{"oneOf": []any{
			schemaOf(k.of),
			shapeSchema{"type": "array", "minItems": 1, "items": schemaOf(k.of)},
			shapeSchema{"type": "object", "minProperties": 1, "additionalProperties": schemaOf(&key{kind: share})},
		}}
	case argument:
		return shapeSchema{"type": []string{"string", "number", "boolean"}}
	case anything:
		return shapeSchema{"type": []string{"string", "number", "boolean", "object", "array"}}
	case integer:
		return shapeSchema{"type": "integer"}
	case whole:
		s := shapeSchema{"type": "integer", "minimum": k.least}
		if k.most > 0 {
			s["maximum"] = k.most
		}
		return s
	case number:
		return shapeSchema{"type": "number"}
	case flag:
		return shapeSchema{"type": "boolean"}
	case choice:
		s := shapeSchema{"enum": wordsOf(k.choices)}
		if k.name == "inject" {
			s["enumDescriptions"] = faultSummaries()
		}
		return s
	}
	return shapeSchema{"type": "string", "pattern": patternOf(k.kind)}
}

// wordsOf are the words of a choice, as YAML reads them.
func wordsOf(words []string) []any {
	var all []any
	for _, w := range words {
		switch w {
		case "true", "false":
			all = append(all, w == "true")
		default:
			all = append(all, w)
		}
	}
	return all
}

func objectSchema(k *key) shapeSchema {
	properties, required := shapeSchema{}, []string{}
	for i := range k.keys {
		properties[k.keys[i].name] = schemaOf(&k.keys[i])
		if k.keys[i].must {
			required = append(required, k.keys[i].name)
		}
	}
	s := shapeSchema{"type": "object", "properties": properties, "additionalProperties": false}
	if len(required) > 0 {
		s["required"] = required
	}
	if k.find("inject") != nil {
		s["allOf"] = parameterSchemas()
	}
	return s
}

// Forms of what is written as text with a unit. They say how it looks; the
// reader also knows its bounds.
const (
	shareForm = `^[0-9]+(\.[0-9]+)?\s?%$`
	spanForm  = `^([0-9]+d)?([0-9]+(\.[0-9]+)?(ns|us|µs|ms|s|m|h))*$`
	sizeForm  = `^[0-9]{1,15}\s?(B|KB|MB|GB)$`
)

func patternOf(k kind) string {
	switch k {
	case name:
		return nameForm().String()
	case share:
		return shareForm
	case span:
		return spanForm
	case size:
		return sizeForm
	case instant:
		return `^[0-9]{4}-[0-9]{2}-[0-9]{2}T`
	case day:
		return `^[0-9]{4}-[0-9]{2}-[0-9]{2}`
	}
	return `\S`
}

// markdown is what an editor shows where it has room; it puts the examples there.
func markdown(doc, written, otherwise, bounds string) string {
	var b strings.Builder
	b.WriteString(doc)
	b.WriteString("\n\nWritten as " + written)
	if bounds != "" {
		b.WriteString(", " + bounds)
	}
	b.WriteString(".")
	if otherwise != "" {
		b.WriteString(" By default " + otherwise + ".")
	}
	return b.String()
}

func faultMarkdown(f *faults.Fault) string {
	text := f.Summary + "\n\n```text\n" + f.Phase.Drawing() + "\n```\n\nA good agent: " + f.Reaction
	if f.Example != "" {
		text += "\n\n```yaml\n" + f.Example + "\n```"
	}
	return text
}

// literal is a value as YAML reads it.
func literal(text string) any {
	var v any
	if err := yaml.Unmarshal([]byte(text), &v); err != nil || v == nil {
		return text
	}
	switch v.(type) {
	case time.Time: // JSON has none
		return text
	}
	return v
}

// parameterSchemas says for each fault what its with: may hold.
func parameterSchemas() []any {
	var all []any
	for _, f := range faults.Catalogue() {
		properties := shapeSchema{}
		for _, p := range f.Params {
			properties[p.Name] = parameterSchema(p)
		}
		all = append(all, shapeSchema{
			"if": shapeSchema{"properties": shapeSchema{"inject": shapeSchema{"const": f.Name}}, "required": []string{"inject"}},
			"then": shapeSchema{"properties": shapeSchema{
				"inject": shapeSchema{"description": f.Summary, "markdownDescription": faultMarkdown(f)},
				"with":   shapeSchema{"description": "The parameters of " + f.Name + ".", "properties": properties, "additionalProperties": false},
			}},
		})
	}
	return all
}

func parameterSchema(p faults.Param) shapeSchema {
	s := shapeSchema{"description": p.Doc, "markdownDescription": markdown(p.Doc, p.Unit(), p.Otherwise(), p.Bounds())}
	if p.Default != nil {
		s["default"] = literal(p.Otherwise())
	}
	if p.Example != "" {
		s["examples"] = []any{literal(p.Example)}
	}
	switch p.Kind {
	case faults.Duration:
		s["type"], s["pattern"] = "string", spanForm
	case faults.Share:
		s["type"], s["pattern"] = "string", shareForm
	case faults.Size:
		s["type"], s["pattern"] = "string", sizeForm
	case faults.Count:
		s["type"], s["minimum"] = "integer", p.Min
		if p.Max > 0 {
			s["maximum"] = p.Max
		}
	case faults.Choice:
		s["enum"] = choices(p.Choices)
	case faults.Flag:
		s["type"] = "boolean"
	case faults.Portion:
		s["anyOf"] = []any{shapeSchema{"type": "string", "pattern": shareForm}, shapeSchema{"type": "integer", "minimum": 1}}
	case faults.Number:
		s["type"] = "number"
		if p.Min != 0 || p.Max != 0 {
			s["minimum"] = p.Min
		}
		if p.Max > 0 {
			s["maximum"] = p.Max
		}
	case faults.Value:
		s["type"] = []string{"string", "number", "boolean"}
	case faults.Fields:
		s["type"], s["minProperties"] = "object", 1
	case faults.Call, faults.Names:
		one := shapeSchema{"type": "string", "minLength": 1}
		if p.Kind == faults.Names {
			one["type"] = []string{"string", "integer"}
		}
		s["oneOf"] = []any{one, shapeSchema{"type": "array", "minItems": 1, "items": one}}
	case faults.Cut:
		s["anyOf"] = []any{
			shapeSchema{"type": "string", "pattern": shareForm},
			shapeSchema{"type": "string", "pattern": sizeForm},
			shapeSchema{"enum": p.Choices},
		}
	default:
		s["type"] = "string"
	}
	return s
}

// choices lets a word of digits be written as a number too, as YAML reads it.
func choices(words []string) []any {
	var all []any
	for _, w := range words {
		all = append(all, w)
		if wholeForm().MatchString(w) {
			all = append(all, json.Number(w))
		}
	}
	return all
}
