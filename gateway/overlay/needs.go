package overlay

import (
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"parity/fakes"
	"parity/fakes/cast"
	"parity/specs"
	"parity/specs/anatomy"
)

// mostNeeds bounds what is read before one write.
const mostNeeds = 16

// Known tells whether the overlay can follow what calls of an operation write; if
// not, why. Writes that it cannot follow are captured.
func (o Over) Known(op *specs.Operation) (why string, ok bool) {
	if _, absorbs := o.absorbs(); !absorbs {
		return "its fake does not take in what the real service shows", false
	}
	if op.Effect == specs.Read {
		return "", true
	}
	role := o.Service.Contract.Model().Roles[op.Source()]
	if op.Anatomy.Collection == "" && (role == nil || role.Kind == anatomy.Other || role.Resource == nil) {
		return "nothing says what records it changes", false
	}
	kind := anatomy.Other
	if role != nil {
		kind = role.Kind
	}
	ends := strings.HasSuffix(op.Path, "}")
	if ends && kind != anatomy.Upsert && kind != anatomy.Create && len(o.above(op, op.Path)) == 0 && !o.shown(op) {
		return "no operation reads the record that it changes", false
	}
	return "", true
}

// counting is why a list is read.
const counting = "its id"

// listed is how it is kept that a list was read.
func (o Over) listed(list *specs.Operation, path string) Key {
	return Key{o.Service.Name + "." + list.Anatomy.Collection, "list " + path}
}

// shown tells whether the records of an operation's collection are in some list.
func (o Over) shown(op *specs.Operation) bool {
	return slices.ContainsFunc(o.Service.Contract.Operations, func(other *specs.Operation) bool {
		return other.Anatomy.List && other.Effect == specs.Read && other.Anatomy.Collection == op.Anatomy.Collection
	})
}

// Needs lists what has to be read before the fake decides a write, and what is not
// in the run's world yet: the records that its path names, outermost first, and
// those that its fields refer to. After these are absorbed it may name others. The
// record that the call is about is read anew as long as the run has not changed it.
func (o Over) Needs(call *fakes.Call) []Need {
	wants := o.wants(call)
	o.counted(call, wants.add)
	found := o.lacking(call, slices.Clone(wants.all))
	if len(found) > 0 || call.Operation.Effect == specs.Read || good(o.ask(call)) {
		return found
	}
	beyond := &wanting{}
	for _, n := range wants.all { // what they refer to may be what the fake lacks
		if said, ok := parse(o.ask(n.Of(call)).Body); ok && n.Why != counting {
			o.referred(n.Of(call), n.Operation, said, beyond.add)
		}
	}
	return o.lacking(call, beyond.all)
}

// lacking are those of some needs that the fake does not know yet.
func (o Over) lacking(call *fakes.Call, found []Need) []Need {
	all, about := changed(call.Tx, o.Service.Name), o.subject(call)
	return slices.DeleteFunc(found, func(n Need) bool {
		if n.Why == counting {
			return readOf(call.Tx, o.listed(n.Operation, n.Path)) != nil
		}
		if r := readOf(call.Tx, about); r != nil && r.State == Absorbed && o.subject(n.Of(call)) == about {
			return false
		}
		a := o.both(all, n.Of(call), o.ask)
		return has(n, a.with) || has(n, a.without)
	})
}

// wanting gathers reads, each once.
type wanting struct{ all []Need }

func (w *wanting) add(why string, read *specs.Operation, path map[string]string, query url.Values) {
	n := Need{Operation: read, Path: fakes.PathTo(read, path), Query: query.Encode(), Why: why}
	same := func(other Need) bool { return other.Path == n.Path && other.Query == n.Query }
	if len(w.all) < mostNeeds && !slices.ContainsFunc(w.all, same) {
		w.all = append(w.all, n)
	}
}

// wants lists the reads of the records that a call names or refers to.
func (o Over) wants(call *fakes.Call) *wanting {
	w, op := &wanting{}, call.Operation
	for _, read := range o.above(op, op.Path) {
		w.add(ofPath, read, valuesOf(op, call.Input.Path, read), nil)
	}
	if !strings.Contains(op.Path, "{") {
		o.named(call, w.add)
	}
	o.referred(call, op, call.Input.Body, w.add)
	return w
}

// ofPath is why a record is read that the path of a call names.
const ofPath = "path"

// Owns tells whether a need is the record that the call itself is at, or below.
func (n Need) Owns() bool { return n.Why == ofPath }

// has tells whether the fake knows what a need is for: a list has to show some.
func has(n Need, r fakes.Reply) bool {
	if !good(r) || !n.Operation.Anatomy.List {
		return good(r)
	}
	said, _ := parse(r.Body)
	return len(cast.List(at(said, n.Operation.Anatomy.Items))) > 0
}

// counted finds the list that what a call creates is put into, where its ids are
// numbers that count up: the fake has to go on from the real service's newest.
func (o Over) counted(call *fakes.Call, add func(string, *specs.Operation, map[string]string, url.Values)) {
	model := o.Service.Contract.Model()
	role := model.Roles[call.Operation.Source()]
	if role == nil || role.Kind != anatomy.Create || role.Resource == nil || role.Resource.ID.Type != "integer" {
		return
	}
	list, ok := o.Service.Contract.Operation(http.MethodGet + " " + call.Operation.Path)
	if !ok || !list.Anatomy.List {
		return
	}
	query := url.Values{}
	if r := model.Roles[list.Source()]; r != nil && r.List != nil && r.List.Order != "" && !r.List.Down {
		query.Set(r.List.Order, "desc")
	}
	parameters, _ := list.Source().Parameters()
	for _, p := range parameters {
		if p.In == "query" && p.Schema != nil && slices.Contains(p.Schema.View().Enum.Texts(), "all") {
			query.Set(p.Name, "all") // the newest may be closed
		}
	}
	add(counting, list, call.Input.Path, query)
}

// Of is a need as a call to the fake, by who makes the call that has it, and in its
// transaction.
func (n Need) Of(call *fakes.Call) *fakes.Call {
	inner := *call
	inner.Operation, inner.Body, inner.Header, inner.Carrier = n.Operation, nil, bare(call.Header), nil
	for name := range inner.Header {
		if strings.HasPrefix(name, "Content-") || name == n.Operation.Anatomy.Key || name == call.Operation.Anatomy.Key {
			inner.Header.Del(name)
		}
	}
	m := inner.Contract.MatchCall(&specs.Call{Method: n.Operation.Method, Path: n.Path, Query: n.Query, Header: inner.Header})
	path := m.Path
	if m.Operation == nil {
		path = nil
	}
	inner.Input, _ = n.Operation.Read(specs.Request{Path: path, Query: n.Query, Header: inner.Header})
	return &inner
}

// above gives the reads of what a path names, the outermost first: /a/{b} and
// /a/{b}/c/{d} of /a/{b}/c/{d}/e.
func (o Over) above(op *specs.Operation, path string) (all []*specs.Operation) {
	steps := strings.Split(path, "/")
	for _, read := range o.Service.Contract.Operations {
		if read.Method != http.MethodGet || read.Anatomy.List || !strings.HasSuffix(read.Path, "}") {
			continue
		}
		own := strings.Split(read.Path, "/")
		if len(own) > len(steps) {
			continue
		}
		fits := true
		for i, step := range own {
			fits = fits && (step == steps[i] || strings.HasPrefix(step, "{") && strings.HasPrefix(steps[i], "{"))
		}
		if fits {
			all = append(all, read)
		}
	}
	slices.SortStableFunc(all, func(a, b *specs.Operation) int { return strings.Count(a.Path, "/") - strings.Count(b.Path, "/") })
	return all
}

// valuesOf gives the path parameters of a read from those of the call below it.
func valuesOf(op *specs.Operation, given map[string]string, read *specs.Operation) map[string]string {
	steps, values := strings.Split(op.Path, "/"), map[string]string{}
	for i, step := range strings.Split(read.Path, "/") {
		if strings.HasPrefix(step, "{") {
			values[strings.Trim(step, "{}")] = given[strings.Trim(steps[i], "{}")]
		}
	}
	return values
}

// named finds reads for a call that names records by fields alone: those of one
// record, and those of the records that the call is about, by the fields that both
// have, such as channel and ts.
func (o Over) named(call *fakes.Call, add func(string, *specs.Operation, map[string]string, url.Values)) {
	model := o.Service.Contract.Model()
	for _, read := range o.Service.Contract.Operations {
		if read.Method != http.MethodGet || read.Effect != specs.Read || strings.Contains(read.Path, "{") {
			continue
		}
		query, whole := url.Values{}, true
		own := false // it shows records of the call's own collection
		parameters, _ := read.Source().Parameters()
		for _, p := range parameters {
			value := cast.Plain(given(call, p.Name))
			if value == "" && p.Required && read.Anatomy.Collection == call.Operation.Anatomy.Collection {
				value = suffixed(call, "_"+p.Name)
				own = own || value != ""
			}
			whole = whole && (value != "" || !p.Required)
			if value != "" && p.In == "query" {
				query.Set(p.Name, value)
			}
		}
		role := model.Roles[read.Source()]
		one := role != nil && role.Kind == anatomy.Read
		own = own || read.Anatomy.Collection == call.Operation.Anatomy.Collection && query.Has(call.Operation.Anatomy.Member)
		if whole && len(query) > 0 && (one || own) {
			add("its fields", read, nil, query)
		}
	}
}

// suffixed is the first field that names a record of the call's own collection in
// another part than its own: thread_ts beside ts.
func suffixed(call *fakes.Call, end string) string {
	for _, name := range slices.Sorted(maps.Keys(call.Input.Body)) {
		if text := cast.Plain(call.Input.Body[name]); text != "" && strings.HasSuffix(name, end) {
			return text
		}
	}
	return ""
}

func given(call *fakes.Call, name string) any {
	if v, ok := call.Input.Body[name]; ok {
		return v
	}
	return call.Input.Query[name]
}

// referred finds reads of what some fields refer to: those that a call brings, or
// those of a record that an operation shows.
func (o Over) referred(call *fakes.Call, of *specs.Operation, fields any, add func(string, *specs.Operation, map[string]string, url.Values)) {
	refers := o.references(of)
	walk("", fields, 0, func(field, id string) {
		collection, known := refers(field)
		for _, read := range o.Service.Contract.Operations {
			a := &read.Anatomy
			if read.Method != http.MethodGet || a.List || !known && !alike(field, a.Collection) || known && a.Collection != collection || !strings.HasSuffix(read.Path, "{"+a.Member+"}") {
				continue
			}
			path := maps.Clone(call.Input.Path)
			if path == nil {
				path = map[string]string{}
			}
			path[a.Member] = id
			if lacks(read, path) {
				continue
			}
			add(field, read, path, nil)
			return
		}
	})
}

// alike tells whether a field is named for a collection: label and labels.
func alike(field, collection string) bool {
	last := field[strings.LastIndexByte(field, '.')+1:]
	last = strings.TrimSuffix(strings.TrimSuffix(last, "_ids"), "_id")
	return collection != "" && (last == collection || last+"s" == collection)
}

func lacks(op *specs.Operation, path map[string]string) bool {
	for part := range strings.SplitSeq(op.Path, "{") {
		if name, _, found := strings.Cut(part, "}"); found && path[name] == "" {
			return true
		}
	}
	return false
}

// references tells to what collection a field of an operation's body refers.
func (o Over) references(op *specs.Operation) func(field string) (string, bool) {
	contract := o.Service.Contract
	model := contract.Model()
	role := model.Roles[op.Source()]
	return func(field string) (string, bool) {
		if target, ok := contract.Refers(op.Anatomy.Collection, field); ok {
			return strings.TrimPrefix(target, contract.Service+"."), true
		}
		if role == nil || role.Resource == nil {
			return "", false
		}
		name := role.Resource.Refers[field]
		for _, read := range contract.Operations {
			if r := model.Roles[read.Source()]; name != "" && r != nil && r.Resource != nil && r.Resource.Name == name && r.Kind == anatomy.Read {
				return read.Anatomy.Collection, true
			}
		}
		return "", false
	}
}

// walk goes through the texts and numbers of a body, in the order of their names;
// items of a list have its field.
func walk(field string, v any, depth int, visit func(field, text string)) {
	const deepest = 6
	switch x := v.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(x)) {
			if depth < deepest {
				walk(strings.TrimPrefix(field+"."+name, "."), x[name], depth+1, visit)
			}
		}
	case []any:
		for _, item := range x {
			walk(field, item, depth+1, visit)
		}
	default:
		if text := cast.Plain(v); text != "" && field != "" {
			visit(field, text)
		}
	}
}
