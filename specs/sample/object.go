package sample

import (
	"slices"
	"strconv"

	"parity/specs/document"
	"parity/specs/schema"
)

// object makes a record: what is required, and as much of the rest as is asked
// for and fits.
func (r *run) object(sh *shape, at place) (any, bool) {
	record := make(map[string]any, len(sh.fields))
	ok := r.fill(sh, at, record)
	return record, ok
}

// fill adds fields to a record.
func (r *run) fill(sh *shape, at place, record map[string]any) bool {
	r.stack = append(r.stack, sh)
	defer func() { r.stack = r.stack[:len(r.stack)-1] }()
	ok := true
	for _, f := range sh.fields {
		_, there := record[f.name]
		if there || r.leaves(f) || !slices.Contains(sh.required, f.name) {
			continue
		}
		value, made := r.value(f.of(r.library), at.in(f.name))
		if !made && f.soft {
			continue
		}
		record[f.name] = value
		ok = ok && made
	}
	for _, name := range sh.required {
		if _, there := record[name]; there || sh.byName[name] != nil {
			continue
		}
		value, made := r.unnamed(sh, at, name)
		record[name] = value
		ok = ok && made
	}
	r.optionals(sh, at, record)
	ok = r.dependents(sh, at, record) && ok
	ok = r.more(sh, at, record) && ok
	return ok
}

// optionals adds fields that need not be there.
func (r *run) optionals(sh *shape, at place, record map[string]any) {
	room := sh.manyFields - len(record)
	for _, f := range sh.fields {
		if _, there := record[f.name]; there || room <= 0 || r.leaves(f) || f.soft || !r.wanted(sh, f, at) {
			continue
		}
		if value, ok := r.value(f.of(r.library), at.in(f.name)); ok {
			record[f.name] = value
			room--
		}
	}
}

func (r *run) wanted(sh *shape, f *field, at place) bool {
	if at.optional == None || slices.Contains(sh.required, f.name) || r.made > maxValues || at.depth >= maxDepth-1 {
		return false
	}
	if sh.discriminator != nil && sh.discriminator.Property == f.name {
		return true
	}
	of := f.of(r.library)
	if of.never || r.inside(of) {
		return false
	}
	simple := of.kinds&(anObject|anArray) == 0
	switch at.optional {
	case All:
		return at.depth < 5 || simple && at.depth < 7
	case Some:
		return at.depth < 4 && r.pick(at, "has "+f.name, 2) == 0
	default:
		return !f.deprecated && (at.depth < 2 || simple && at.depth < 4)
	}
}

// dependents adds what other fields ask for.
func (r *run) dependents(sh *shape, at place, record map[string]any) bool {
	ok := true
	for _, table := range sh.dependent {
		for i := range table.Len() {
			if _, there := record[table.At(i).Name]; !there {
				continue
			}
			asked := table.At(i).Texts()
			if table.At(i).Is(document.Object) {
				asked = sh.parts[0].Set().At(table.At(i)).View().Required
			}
			for _, name := range asked {
				if _, there := record[name]; there {
					continue
				}
				value, made := r.named(sh, at, name)
				record[name] = value
				ok = ok && made
			}
		}
	}
	return ok
}

func (r *run) named(sh *shape, at place, name string) (any, bool) {
	if f := sh.byName[name]; f != nil {
		return r.value(f.of(r.library), at.in(name))
	}
	return r.unnamed(sh, at, name)
}

// unnamed makes a field that the shape has no name for.
func (r *run) unnamed(sh *shape, at place, name string) (any, bool) {
	return r.value(sh.other(name), at.in(name))
}

// other is the shape of a field that the shape has no name for.
func (s *shape) other(name string) *shape {
	parts := s.rest
	for _, p := range s.byPattern {
		if s.library.matches(p.pattern, name) {
			parts = append(parts[:len(parts):len(parts)], p.of)
		}
	}
	return s.library.of(parts)
}

// more adds fields of any name, where there have to be more, or where a record
// is a table and would be empty.
func (r *run) more(sh *shape, at place, record map[string]any) bool {
	want := sh.fewFields
	table := !at.ending && len(sh.fields) == 0 && (len(sh.rest) > 0 || len(sh.byPattern) > 0)
	if table && at.optional != None && at.depth < maxDepth/2 && r.made < maxValues {
		want = max(want, min(1+r.pick(at, "fields", 2), sh.manyFields))
		if len(sh.rest) > 0 && r.inside(r.library.of(sh.rest)) {
			want = sh.fewFields
		}
	}
	if len(record) >= want {
		return true
	}
	for _, f := range r.further(sh, at) { // named ones first
		if _, there := record[f.name]; there || r.leaves(f) || len(record) >= want {
			continue
		}
		if value, ok := r.value(f.of(r.library), at.in(f.name)); ok {
			record[f.name] = value
		}
	}
	for i := 0; len(record) < want && i < want+20 && i < maxValues; i++ {
		name, ok := r.fieldName(sh, at, i)
		if _, there := record[name]; there || !ok {
			continue
		}
		if value, ok := r.unnamed(sh, at, name); ok {
			record[name] = value
		}
	}
	return len(record) >= sh.fewFields
}

// fieldName makes up a name.
func (r *run) fieldName(sh *shape, at place, i int) (string, bool) {
	if len(sh.names) > 0 {
		parts := r.library.of(sh.names)
		name, ok := r.value(parts, place{key: at.key + "/name" + strconv.Itoa(i), name: "key", depth: at.depth + 1})
		text, isText := name.(string)
		return text, ok && isText
	}
	if (sh.closed || len(sh.rest) == 0) && len(sh.byPattern) > 0 {
		e := r.library.expressions.get(sh.byPattern[i%len(sh.byPattern)].pattern)
		return e.write(func(try, position, n int) int {
			return r.draw(at.key+"#name"+strconv.Itoa(i)+" "+strconv.Itoa(try)+" "+strconv.Itoa(position), n)
		}, 1, 64, func(string) bool { return true })
	}
	if sh.closed {
		return "", false
	}
	words := []string{"alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta"}
	name := words[i%len(words)]
	if i >= len(words) {
		name += strconv.Itoa(i / len(words))
	}
	return name, true
}

// array makes a list: short, and empty where it would lead round in a circle.
func (r *run) array(sh *shape, at place) (any, bool) {
	r.stack = append(r.stack, sh)
	defer func() { r.stack = r.stack[:len(r.stack)-1] }()
	want := r.length(sh, at)
	list := make([]any, 0, min(want, maxMade))
	misses := 0
	var close any // what was nearest
	for i := 0; len(list) < want && misses < maxTries && r.made <= maxMade; i++ {
		value, ok := r.value(sh.item(len(list)), at.item(i))
		if !ok || sh.unique && slices.ContainsFunc(list, func(other any) bool { return equal(other, value) }) {
			misses++
			close = value
			continue
		}
		list = append(list, value)
	}
	if len(list) < sh.fewItems && len(list) == 0 && close != nil {
		return append(list, close), false
	}
	return list, len(list) >= sh.fewItems
}

func (r *run) length(sh *shape, at place) int {
	want := 1 + r.pick(at, "items", 2)
	switch {
	case at.ending:
		want = 0
	case len(sh.prefix) > 0:
		want = len(sh.prefix)
	case at.optional == None, at.depth >= maxDepth-1, r.made > maxValues:
		want = 0
	case at.depth >= 4:
		want = 1
	}
	if sh.fewItems == 0 && want > 0 && r.inside(sh.item(0)) {
		want = 0
	}
	return min(max(want, sh.leastItems()), max(sh.manyItems, sh.fewItems))
}

// leastItems is how many items a list has to have.
func (s *shape) leastItems() int {
	least := s.fewItems
	for _, c := range s.contains {
		least += c.least
	}
	return least
}

func (s *shape) item(i int) *shape {
	var parts []*schema.Schema
	switch {
	case i < len(s.prefix):
		parts = s.prefix[i]
	default:
		for _, item := range s.items {
			parts = append(parts, item...)
		}
		for _, c := range s.contains {
			if i -= c.least; i < len(s.prefix) {
				parts = append(parts[:len(parts):len(parts)], c.of)
				break
			}
		}
	}
	return s.library.of(parts)
}
