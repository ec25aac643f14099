package sample

import (
	"slices"

	"parity/specs/schema"
)

// Complete adds to a record what a server would: what is required, what only the
// server sets, and defaults; with All, what is optional as well. What the record
// has stays as it is, though objects in it are completed too; only what is not
// for this side, such as a password in a reply, is left out. The record itself
// is not changed.
//
// What is required, but was not given, is null or empty where it may be.
func (m *Maker) Complete(s *schema.Schema, have map[string]any) map[string]any {
	library := m.library()
	r := run{Maker: m, library: library}
	sh := r.settle(library.shape(s), have)
	at := place{key: "record", name: s.Name(), optional: m.Optional}
	full := r.complete(sh, at, have)
	if r.made > maxMade { // of something there was no end
		r = run{Maker: m, library: library}
		full = r.complete(sh, at.shallow(), have)
	}
	return full
}

func (r *run) complete(sh *shape, at place, have map[string]any) map[string]any {
	if listed, ok := sh.listed(have); ok {
		return listed
	}
	record := make(map[string]any, max(len(have), len(sh.fields)))
	for name, value := range have {
		f := sh.byName[name]
		switch {
		case f == nil || at.depth >= maxDepth || !holds(value) && !r.leaves(f):
			record[name] = value
		case !r.leaves(f):
			record[name] = r.completeField(f.of(r.library), at.in(name), value)
		}
	}
	r.stack = append(r.stack, sh)
	for _, f := range sh.fields {
		_, there := record[f.name]
		required := slices.Contains(sh.required, f.name)
		of := f.of(r.library)
		switch {
		case there || r.leaves(f) || f.soft && !required:
		case of.fallback != nil && r.fits(of, of.fallback.Value()):
			record[f.name] = of.fallback.Value()
		case required && !f.readOnly && r.fits(of, nil):
			record[f.name] = nil
		case required && !f.readOnly && of.kinds&anArray != 0 && r.fits(of, []any{}):
			record[f.name] = []any{}
		case required, f.readOnly && !of.never && !r.inside(of):
			if value, ok := r.value(of, at.in(f.name)); ok || required {
				record[f.name] = value
			}
		}
	}
	r.stack = r.stack[:len(r.stack)-1]
	if at.optional == Usual || at.optional == Some {
		at.optional = None
	}
	r.fill(sh, at, record)
	return record
}

// holds tells whether there are objects in a value, perhaps.
func holds(value any) bool {
	switch value.(type) {
	case map[string]any, []any:
		return true
	}
	return false
}

// listed is a record of an enum that has all that another one has.
func (s *shape) listed(have map[string]any) (map[string]any, bool) {
	for _, choice := range s.choices {
		record, ok := choice.(map[string]any)
		for name, value := range have {
			ok = ok && equal(record[name], value)
		}
		if ok {
			return cloneMap(record), true
		}
	}
	return nil, false
}

// completeField completes the objects in a value.
func (r *run) completeField(sh *shape, at place, value any) any {
	switch value := value.(type) {
	case map[string]any:
		return r.complete(r.settle(sh, value), at, value)
	case []any:
		if len(sh.items) == 0 || at.depth >= maxDepth {
			return value
		}
		of := sh.item(len(sh.prefix))
		list := make([]any, len(value))
		for i := range value {
			list[i] = r.completeField(of, at.item(i), value[i])
		}
		return list
	default:
		return value
	}
}

// settle chooses the branches of a shape that a value fits best.
func (r *run) settle(sh *shape, value any) *shape {
	for range limit {
		if len(sh.groups) == 0 {
			return sh
		}
		g := sh.groups[0]
		best, most := 0, 0
		for i := range g.branches {
			if score := r.score(g, i, sh.pick(i), value); i == 0 || score > most {
				best, most = i, score
			}
		}
		sh = sh.pick(best)
	}
	return sh
}

// score tells how well a value fits a branch.
func (r *run) score(g *group, branch int, sh *shape, value any) int {
	score := 0
	if sh.never || !kindFits(sh.kinds, value) {
		return -1_000_000
	}
	if len(g.branches[branch]) == 0 || r.judges(g.branches[branch][0], value) {
		score += 1000
	}
	record, ok := value.(map[string]any)
	if !ok {
		return score
	}
	if g.discriminator != nil {
		named := target(g.owner, record[g.discriminator.Property])
		if named != nil && named.Target() == g.branches[branch][0].Target() {
			score += 100_000
		}
	}
	for name, field := range record {
		f := sh.byName[name]
		switch {
		case f == nil && sh.closed:
			score -= 100
		case f == nil:
		case r.fits(f.of(r.library), field):
			score += 10
		default:
			score -= 50
		}
	}
	for _, name := range sh.required {
		if f := sh.byName[name]; record[name] == nil && (f == nil || !f.readOnly) {
			score -= 3
		}
	}
	return score
}
