package corpus

import (
	"encoding/json"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"parity/specs/anatomy"
	"parity/specs/openapi"
	"parity/specs/schema"
)

// members is what a client knows of what is there: the ids that it was given as
// it created things and listed them. It reads the documentation as people do;
// for that the anatomy that Parity infers stands in. Whatever it makes of it,
// the oracle judges the requests and the replies.
type members struct {
	model    *anatomy.Model
	placed   map[string][]any            // by a path up to a parameter, and whose it is
	named    map[*anatomy.Resource][]any // by the kind of thing
	creators map[*anatomy.Resource][]*openapi.Operation
	busy     map[string]bool // what is being looked for
	tried    map[string]int  // how often members were made for others
}

func newMembers(api *openapi.API) *members {
	m := &members{creators: map[*anatomy.Resource][]*openapi.Operation{}, model: anatomy.Infer(api), placed: map[string][]any{}, named: map[*anatomy.Resource][]any{}, busy: map[string]bool{}, tried: map[string]int{}}
	for _, op := range api.Operations {
		if role := m.role(op); role.Kind == anatomy.Create && role.Resource != nil {
			m.creators[role.Resource] = append(m.creators[role.Resource], op)
		}
	}
	return m
}

// of is the kind of thing that a path parameter names.
func (m *members) of(op *openapi.Operation, param string) *anatomy.Resource {
	role := m.role(op)
	if role.Resource == nil || role.Member == param && role.In == "path" {
		return role.Resource
	}
	at := slices.Index(role.Within, param)
	for r := role.Resource.Parent; r != nil && at >= 0; r = r.Parent {
		if len(r.Within) == at {
			return r
		}
	}
	return nil
}

// one makes one of a kind, wherever that is done.
func (m *members) one(w *work, d *draft, r *anatomy.Resource) {
	if len(m.named[r]) > 0 || m.tried[r.Name] > 2 || w.subject == nil {
		return
	}
	m.tried[r.Name]++
	for _, op := range m.creators[r] {
		if op == d.op {
			continue
		}
		made := w.values.draft(op, seed(r.Name, m.tried[r.Name])&^1)
		m.suit(w, &made, 1)
		m.fill(w, &made)
		if got, _, err := w.send(made); err == nil && got.status < 300 {
			m.learn(made, got)
			return
		}
	}
}

func (m *members) role(op *openapi.Operation) *anatomy.Role {
	if role := m.model.Roles[op]; role != nil {
		return role
	}
	return &anatomy.Role{}
}

// places calls do for each parameter that is a segment of a path, from the left:
// with its key, its name, and what stands before it.
func (d *draft) places(do func(key, name, before string)) {
	path, _, _ := strings.Cut(strings.ReplaceAll(d.op.Path, "?", "#"), "#")
	within := url.Values{} // whose it is: a member of another parent will not do
	for at := 0; ; {
		i := strings.IndexByte(path[at:], '{')
		if i < 0 {
			return
		}
		open := at + i
		end := strings.IndexByte(path[open:], '}')
		if end < 0 {
			return
		}
		at = open + end + 1
		if rest, _, _ := strings.Cut(path[at:], "/"); path[open-1] != '/' || rest != "" && rest != ".json" && rest != ".xml" {
			continue // it is no more than a part of a segment
		}
		name := path[open+1 : at-1]
		do(shape(path[:at])+" "+within.Encode(), name, path[:open-1])
		for _, v := range d.values {
			if v.In == "path" && v.Name == name {
				within.Set(shape(path[:at]), pathText(v.value))
			}
		}
	}
}

func pathText(value any) string {
	if text, ok := value.(string); ok {
		return text
	}
	return text(value)
}

// fill puts known ids into a request. Where none is known, it asks for a list of
// what is there; where there is none, what was drawn stays, and is used again.
func (m *members) fill(w *work, d *draft) {
	role := m.role(d.op)
	d.places(func(key, name, before string) {
		if len(m.placed[key]) == 0 && !m.busy[key] {
			m.busy[key] = true
			m.placed[key] = m.look(w, d, before, name)
			if len(m.placed[key]) == 0 {
				m.create(w, d, before, key, name)
			}
			if r := m.of(d.op, name); len(m.placed[key]) == 0 && r != nil {
				m.one(w, d, r)
				m.placed[key] = slices.Clone(m.named[r])
			}
			delete(m.busy, key)
		}
		ids := m.placed[key]
		if !d.choose("path", name, ids) {
			for _, v := range d.values {
				if v.In == "path" && v.Name == name {
					m.placed[key] = append(m.placed[key], v.value)
				}
			}
		}
	})
	ids := m.named[role.Resource]
	switch {
	case len(ids) == 0 || role.Member == "":
	case role.In == "query":
		d.choose("query", role.Member, ids)
	case role.In == "body":
		setDotted(d.body, role.Member, ids[0])
	}
}

// create makes a member for a request that wants one: with the parents that the
// request names.
func (m *members) create(w *work, d *draft, collection, key, name string) {
	op := w.byName["POST "+collection]
	if op == nil {
		op = w.byName["POST "+collection+"/"]
	}
	if put := w.byName["PUT "+collection+"/{"+name+"}"]; op == nil && put != nil && m.role(put).Kind == anatomy.Upsert {
		op = put
	}
	if op == nil || w.subject == nil || op == d.op || m.tried[key] > 2 {
		return
	}
	m.tried[key]++
	made := w.values.draft(op, seed(key, m.tried[key])&^1)
	for _, v := range d.values {
		if v.In == "path" && (v.Name != name || op.Method == "PUT") {
			made.choose("path", v.Name, []any{v.value})
		}
	}
	got, _, err := w.send(made)
	if err != nil || got.status >= 300 {
		return
	}
	m.learn(made, got)
	if op.Method == "PUT" {
		for _, v := range made.values {
			if v.In == "path" && v.Name == name {
				m.placed[key] = []any{v.value}
			}
		}
	}
	if len(m.placed[key]) == 0 {
		m.placed[key] = m.look(w, d, collection, name)
	}
}

// forget takes out what a request has deleted.
func (m *members) forget(d draft) {
	role := m.role(d.op)
	if d.op.Method != "DELETE" && role.Kind != anatomy.Delete {
		return
	}
	last := ""
	d.places(func(key, _, _ string) { last = key })
	if strings.HasSuffix(strings.TrimSuffix(d.op.Path, "/"), "}") {
		delete(m.placed, last)
	}
	delete(m.named, role.Resource)
}

// suit makes the texts of a new record such as its record's schema wants them,
// where the request's own says less: a reply has to hold them both.
func (m *members) suit(w *work, d *draft, seed uint64) {
	role := m.role(d.op)
	if role.Kind != anatomy.Create && role.Kind != anatomy.Upsert && role.Kind != anatomy.Update && role.Kind != anatomy.Replace || role.Resource == nil {
		return
	}
	if isPatch(d.body) {
		d.patch(role.Resource)
	}
	body, ok := d.body.(map[string]any)
	if !ok || d.media.Schema == nil {
		return
	}
	wants := d.media.Schema.View()
	if id, isText := body[role.Resource.ID.Field].(string); isText && role.Kind == anatomy.Create {
		if own := wants.Get(role.Resource.ID.Field).View(); own.Pattern == "" && own.Format == "" && own.Enum.Len() == 0 && own.MaxLength == nil {
			body[role.Resource.ID.Field] = id + "-" + strconv.FormatUint(seed%100_000, 36) // examples are always the same
		}
	}
	for _, property := range role.Resource.Record.View().Properties {
		for name := range body {
			if plain(name) != plain(property.Name) {
				continue
			}
			own := wants.Get(name)
			if own == nil || patternOf(property.Schema, 3) == "" || patternOf(own, 3) != "" || own.View().Format != "" || own.View().Enum.Len() > 0 || !own.View().Is("string") {
				continue
			}
			if value, ok := w.values.maker(seed).Value(property.Schema, name); ok {
				body[name] = value
			}
		}
	}
}

// patternOf is the pattern of a text, wherever its schema has it.
func patternOf(s *schema.Schema, depth int) string {
	v := s.View()
	if v.Pattern != "" || depth == 0 {
		return v.Pattern
	}
	for _, part := range v.AllOf {
		if found := patternOf(part, depth-1); found != "" {
			return found
		}
	}
	return ""
}

// isPatch tells whether a body is a JSON patch (RFC 6902), as far as its schema
// says so.
func isPatch(body any) bool {
	list, _ := body.([]any)
	if len(list) == 0 {
		return false
	}
	first, _ := list[0].(map[string]any)
	_, op := first["op"].(string)
	_, path := first["path"].(string)
	return op && path
}

// patch makes a JSON patch of one field that may be changed.
func (d *draft) patch(r *anatomy.Resource) {
	for _, property := range r.Record.View().Properties {
		v := property.Schema.View()
		if property.Name == r.ID.Field || v.ReadOnly || slices.Contains(r.Server, property.Name) || v.Pattern != "" || v.Format != "" || v.Enum.Len() > 0 ||
			len(v.Types) != 1 || v.Types[0] != "string" {
			continue
		}
		d.body = []any{map[string]any{"op": d.operator(), "path": "/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(property.Name), "value": "changed"}}
		return
	}
}

// operator is the contract's word for adding, in its own way of writing.
func (d *draft) operator() string {
	for _, wanted := range []string{"add", "replace"} {
		for _, word := range itemsOf(d.media.Schema).View().Get("op").View().Enum.Texts() {
			if strings.EqualFold(word, wanted) {
				return word
			}
		}
	}
	return "add"
}

// choose sets a parameter to the first of some values that is of its type.
func (d *draft) choose(in, name string, ids []any) bool {
	for i := range d.values {
		v := &d.values[i]
		if v.In != in || v.Name != name {
			continue
		}
		for _, id := range ids {
			if fitting, ok := typed(v.Parameter, id); ok {
				v.value, v.text = fitting, false
				return true
			}
		}
	}
	return false
}

var uuids = regexp.MustCompile(openapi3.FormatOfStringForUUIDOfRFC9562)

// typed writes an id as a parameter's schema has it.
func typed(p openapi.Parameter, id any) (any, bool) {
	view := p.Schema.View()
	written := pathText(id)
	switch {
	case written == "" || strings.ContainsAny(written, "/?#"):
		return nil, false
	case view.Enum.Len() > 0:
		return id, slices.Contains(view.Enum.Texts(), written)
	case view.Is("string") && len(view.Types) > 0:
		short := view.MinLength == nil || len(written) >= *view.MinLength
		long := view.MaxLength == nil || len(written) <= *view.MaxLength
		if view.Format == "uuid" && !uuids.MatchString(written) {
			return nil, false
		}
		if engine, _ := expression(view.Pattern); view.Pattern != "" && !engine.MatchString(written) {
			return nil, false
		}
		return written, short && long
	case view.Is("integer") && len(view.Types) > 0:
		n, err := strconv.ParseInt(written, 10, 64)
		return n, err == nil
	case view.Is("array") && len(view.Types) > 0:
		return []any{id}, true
	default:
		return id, true
	}
}

func setDotted(value any, path string, to any) {
	for {
		object, ok := value.(map[string]any)
		if !ok {
			return
		}
		name, rest, more := strings.Cut(path, ".")
		was, has := object[name]
		if !has {
			return
		}
		if !more {
			if _, isText := was.(string); isText {
				object[name] = pathText(to)
			} else if _, isText := to.(string); !isText {
				object[name] = to
			}
			return
		}
		value, path = was, rest
	}
}

// look lists a collection, and gives the ids of what is first in it.
func (m *members) look(w *work, d *draft, collection, param string) []any {
	list := w.byName["GET "+collection]
	if list == nil {
		list = w.byName["GET "+collection+"/"]
	}
	if list == nil || w.subject == nil {
		return nil
	}
	ask := w.values.draft(list, 2) // nothing that is optional
	for _, v := range d.values {
		if v.In == "path" {
			ask.choose("path", v.Name, []any{v.value})
		}
	}
	got, _, err := w.send(ask)
	if err != nil || got.status >= 300 {
		return nil
	}
	var decoded any
	if json.Unmarshal([]byte(got.body), &decoded) != nil {
		return nil
	}
	item := firstItem(decoded, 4)
	if role := m.role(list); role.Resource != nil {
		if id, ok := dotted(item, role.Resource.ID.Field); ok {
			return append([]any{id}, idsIn(param, item)...)
		}
	}
	if _, ok := item.(map[string]any); !ok && item != nil {
		return []any{item}
	}
	return idsIn(param, item)
}

// dotted finds a field of a value.
func dotted(value any, path string) (any, bool) {
	if path == "" {
		return nil, false
	}
	for name := range strings.SplitSeq(path, ".") {
		object, ok := value.(map[string]any)
		if !ok {
			return nil, false
		}
		if value, ok = object[name]; !ok {
			return nil, false
		}
	}
	return value, true
}

// firstItem finds the first item of the first list.
func firstItem(value any, depth int) any {
	if depth == 0 {
		return nil
	}
	switch value := value.(type) {
	case []any:
		if len(value) > 0 {
			return value[0]
		}
	case map[string]any:
		for _, name := range names(value) {
			if found := firstItem(value[name], depth-1); found != nil {
				return found
			}
		}
	}
	return nil
}

// learn keeps the id of what a request has created.
func (m *members) learn(d draft, got reply) {
	role := m.role(d.op)
	creates := role.Kind == anatomy.Create
	if !creates && d.op.Method != "POST" {
		return
	}
	path, _, _ := strings.Cut(strings.ReplaceAll(d.op.Path, "?", "#"), "#")
	path = strings.TrimSuffix(path, "/")
	param := ""
	if role.Resource != nil {
		param = role.Resource.ID.Param
	}
	for _, other := range d.op.API().Operations {
		if rest, ok := strings.CutPrefix(other.Path, path+"/{"); ok {
			param, _, _ = strings.Cut(rest, "}")
			break
		}
	}
	ids := m.told(d, got, param)
	if role.Resource != nil && role.Resource.ID.Client { // else the list tells, when the reply does not
		ids = append(d.chosen(role.Resource.ID), ids...)
	}
	if creates && len(ids) > 0 && role.Resource != nil {
		m.named[role.Resource] = append(ids[:1:1], m.named[role.Resource]...)
	}
	fake := draft{op: &openapi.Operation{Path: path + "/{x}"}, values: d.values}
	fake.places(func(key, name, _ string) {
		if name == "x" && len(ids) > 0 {
			m.placed[key] = append(slices.Clone(ids), m.placed[key]...)
		}
	})
}

// chosen is the id that a request itself has chosen.
func (d draft) chosen(id anatomy.ID) (all []any) {
	if sent, ok := dotted(d.body, id.Field); ok {
		all = append(all, sent)
	}
	for _, v := range d.values {
		if v.In == "query" && v.Name == id.Field {
			all = append(all, v.value)
		}
	}
	if len(all) == 0 && id.Client {
		all = idsIn(id.Param, d.body)
	}
	return all
}

// told are the ids that a reply to a creation tells, the likeliest first.
func (m *members) told(d draft, got reply, param string) []any {
	ids := idsOf(param, got)
	role := m.role(d.op)
	if role.Resource == nil {
		return ids
	}
	var decoded any
	_ = json.Unmarshal([]byte(got.body), &decoded) // not JSON: it has no such field
	if id, ok := dotted(at(decoded, role.Output.Path), role.Resource.ID.Field); ok {
		ids = append([]any{id}, ids...)
	}
	if strings.HasPrefix(got.body, "<") && role.Resource.ID.Field != "" {
		_, rest, _ := strings.Cut(got.body, "<"+role.Resource.ID.Field+">")
		if id, _, ok := strings.Cut(rest, "<"); ok {
			ids = append(ids, id)
		}
	}
	return ids
}

// at follows a JSON pointer through objects, and into the first item of a list.
func at(value any, pointer string) any {
	for token := range strings.SplitSeq(strings.TrimPrefix(pointer, "/"), "/") {
		if list, ok := value.([]any); ok && len(list) > 0 {
			value = list[0]
		}
		object, ok := value.(map[string]any)
		if !ok || token == "" {
			break
		}
		value = object[strings.NewReplacer("~1", "/", "~0", "~").Replace(token)]
	}
	if list, ok := value.([]any); ok && len(list) > 0 {
		return list[0]
	}
	return value
}
