package anatomy

import "parity/specs/schema"

// nest finds the lists of things that are in one of their own kind: what
// /folders/{id}/items shows is made at /folders, and says by parent.id whose it
// is. Other kinds of things may be among them.
func (in *inference) nest() {
	for _, t := range in.things {
		up := t.up
		if t.gone != nil || t.memb != nil || t.alone != nil || up == nil || up.gone != nil || up.memb == nil || up.record == nil || !in.creatable(up) {
			continue
		}
		field := in.above(up)
		if field == "" || len(t.colls) != 1 || t.colls[0].up != up.memb || len(t.colls[0].calls) != 1 || t.colls[0].arg != nil {
			continue
		}
		c := t.colls[0].calls[0]
		if c.method != "GET" || len(c.keys) != len(up.within())+1 {
			continue
		}
		s, ok := in.list(in.reply(c), nil, t.word)
		if !ok || !in.among(up.record, s.items) {
			continue
		}
		word := up.word
		if up.join(t); up.nested == nil {
			up.nested = map[*call]string{}
		}
		up.word, up.nested[c] = word, field
	}
}

// among tells whether items are records of one kind, or may be.
func (in *inference) among(record, items *schema.Schema) bool {
	if in.core(items) == in.core(record) {
		return true
	}
	v := in.core(items).View()
	for _, branches := range [][]*schema.Schema{v.OneOf, v.AnyOf} {
		for _, branch := range branches {
			if in.same(branch, record) || in.partOf(in.core(branch), in.core(record)) || in.begins(in.core(record), in.core(branch)) {
				return true
			}
		}
	}
	return false
}

// begins tells whether a record is made of another that shows less of it,
// however deep.
func (in *inference) begins(record, less *schema.Schema) bool {
	const deepest = 4
	var within func(s *schema.Schema, depth int) bool
	within = func(s *schema.Schema, depth int) bool {
		for _, part := range s.View().AllOf {
			if own := in.core(part); own == less || depth < deepest && within(own, depth+1) {
				return true
			}
		}
		return false
	}
	return within(record, 0)
}

// above finds the field by which a thing says in which one of its own kind it
// is.
func (in *inference) above(t *thing) string {
	shape := in.shape(t.record)
	for _, name := range []string{"parentid", "parent" + singular(t.word) + "id", "parent"} {
		f := shape.get(name)
		if f == nil {
			continue
		}
		switch in.kind(f.schema) {
		case "string", "integer":
			return f.name
		case "object":
			if id := in.shape(f.schema).get("id"); id != nil {
				return f.name + "." + id.name
			}
		}
	}
	return ""
}
