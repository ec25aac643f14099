package corpus

import (
	"slices"
	"strings"

	"parity/specs/openapi"
	"parity/specs/schema"
)

// A spoil is a request with one thing wrong in it.
type spoil struct {
	draft
	kind string // what is wrong, of a few words
	what string // and where

	certain bool // no oracle is needed to see that it is wrong
}

// spoils gives ways to make a request invalid. Which comes first differs from
// one operation to the next.
func spoils(d draft, from values, seed uint64) (all []spoil) {
	for i, v := range d.values {
		if v.Required && v.In != "path" && !d.elsewhere(v) {
			s := spoil{draft: d.clone(), kind: "required " + v.In + " parameter is missing", what: v.Name}
			s.values = slices.Delete(s.values, i, i+1)
			all = append(all, s)
			break
		}
	}
	for i, v := range d.values {
		if v.Content != "" || d.elsewhere(v) || v.In == "path" && d.doubled || d.shared(v) {
			continue
		}
		for _, text := range spoiltText(v.Schema) {
			s := spoil{draft: d.clone(), kind: v.In + " parameter " + text[1], what: v.Name + "=" + text[0]}
			s.values[i].value, s.values[i].text = text[0], true
			all = append(all, s)
		}
	}
	return rotated(append(all, spoiltBodies(d, from, seed)...), seed)
}

func rotated(all []spoil, seed uint64) []spoil {
	if len(all) == 0 {
		return nil
	}
	first := int(seed >> 3 % uint64(len(all)))
	return append(all[first:len(all):len(all)], all[:first]...)
}

func spoiltBodies(d draft, from values, seed uint64) (all []spoil) {
	if d.media == nil {
		return nil
	}
	if body, _ := d.op.Body(); body.Required && !slices.ContainsFunc(body.Content, func(m openapi.Media) bool { return isForm(m.Type) }) { // nothing is a form without fields
		s := spoil{draft: d.clone(), kind: "required body is missing"}
		s.media, s.body = nil, nil
		all = append(all, s)
	}
	if kind := essence(d.media.Type); isJSON(kind) {
		s := spoil{draft: d.clone(), kind: "body: not JSON"}
		s.raw, s.certain = []byte(`{"cut": `), true
		all = append(all, s)
	} else if !isForm(kind) && !strings.HasPrefix(kind, "multipart/") {
		return all
	}
	for _, bad := range from.broken(d, seed) {
		s := spoil{draft: d.clone(), kind: "body: " + bad.Rule, what: bad.Rule + " " + bad.Path}
		s.body = bad.Value
		if !isJSON(d.media.Type) && !plainly(bad.Rule) {
			continue // what has another type may be read as text
		}
		all = append(all, s)
	}
	return all
}

func isForm(kind string) bool { return essence(kind) == "application/x-www-form-urlencoded" }

// plainly tells whether a rule is broken as plainly when values are written as
// text.
func plainly(rule string) bool {
	switch rule {
	case "required", "enum", "maxLength", "minLength", "minimum", "maximum":
		return true
	}
	return false
}

// elsewhere tells whether a parameter is not the contract's to judge, or not as
// a parameter: it is a credential; OpenAPI
// leaves three headers to other parts of a document, clients send User-Agent by
// themselves, and what stands behind the
// # or ? of a path tells operations apart.
func (d draft) elsewhere(v given) bool {
	for _, requirement := range d.op.Security() {
		for _, name := range requirement {
			if scheme, ok := d.op.API().Scheme(name); ok && scheme.Type == "apiKey" && scheme.In == v.In && strings.EqualFold(scheme.Name, v.Name) {
				return true
			}
		}
	}
	if v.In == "header" {
		switch strings.ToLower(v.Name) {
		case "authorization", "accept", "content-type", "user-agent":
			return true
		}
	}
	_, behind, _ := strings.Cut(strings.ReplaceAll(d.op.Path, "?", "#"), "#")
	return behind != "" && strings.Contains(behind, v.Name)
}

// shared tells whether an object that is written field by field has a field of
// a parameter's name: then nobody knows which is meant.
func (d draft) shared(v given) bool {
	for _, other := range d.values {
		if object, ok := other.value.(map[string]any); ok && other.In == v.In && other.Name != v.Name {
			if _, has := object[v.Name]; has {
				return true
			}
		}
	}
	return false
}

// spoiltText gives texts that a parameter may not be, each with what is wrong.
func spoiltText(s *schema.Schema) [][2]string {
	v := s.View()
	switch {
	case v.Enum.Len() > 0:
		return [][2]string{{"none-of-these", "is not in its enumeration"}}
	case len(v.Types) == 1 && (v.Types[0] == "integer" || v.Types[0] == "number" || v.Types[0] == "boolean"):
		return [][2]string{{"word", "has the wrong type"}}
	case v.Format == "date" || v.Format == "date-time" || v.Format == "uuid":
		return [][2]string{{"word", "is not of its format"}}
	case v.MaxLength != nil && *v.MaxLength < 1000:
		long := make([]byte, *v.MaxLength+1)
		for i := range long {
			long[i] = 'x'
		}
		return [][2]string{{string(long), "is too long"}}
	case v.MinLength != nil && *v.MinLength > 1, v.Pattern != "":
		return [][2]string{{"~", "breaks its pattern or length"}}
	}
	return nil
}
