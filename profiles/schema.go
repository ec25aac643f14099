package profiles

import (
	"bytes"
	"encoding/json"
	"fmt"

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
	if k.doc != "" {
		s["description"] = k.doc
	}
	if k.example != "" && s["type"] == "string" {
		s["examples"] = []any{k.example}
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
		return shapeSchema{"type": "object", "propertyNames": shapeSchema{"pattern": form.String()}, "additionalProperties": schemaOf(k.of)}
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
			schemaOf(k.of), shapeSchema{"type": "array", "minItems": 1, "items": schemaOf(k.of)},
			shapeSchema{"type": "object", "minProperties": 1, "additionalProperties": schemaOf(&key{kind: share})},
		}}
	case argument:
		return shapeSchema{"type": []string{"string", "number", "boolean"}}
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
		return shapeSchema{"enum": k.choices}
	}
	return shapeSchema{"type": "string", "pattern": patternOf(k.kind)}
}

func objectSchema(k *key) shapeSchema {
	properties, required := shapeSchema{}, []string{}
	for i := range k.keys {
		if k.keys[i].later {
			continue
		}
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
		return nameForm.String()
	case share:
		return shareForm
	case span:
		return spanForm
	case instant:
		return `^[0-9]{4}-[0-9]{2}-[0-9]{2}T`
	case day:
		return `^[0-9]{4}-[0-9]{2}-[0-9]{2}`
	}
	return `\S`
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
				"inject": shapeSchema{"description": f.Summary},
				"with":   shapeSchema{"properties": properties, "additionalProperties": false},
			}},
		})
	}
	return all
}

func parameterSchema(p faults.Param) shapeSchema {
	s := shapeSchema{"description": p.Doc}
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
			shapeSchema{"type": "string", "pattern": shareForm}, shapeSchema{"type": "string", "pattern": sizeForm},
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
		if wholeForm.MatchString(w) {
			all = append(all, json.Number(w))
		}
	}
	return all
}
