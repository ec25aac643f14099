package sample

import (
	"slices"

	"parity/specs/schema"
)

// maxTries is how many values are made where they have to be tried.
const maxTries = 12

// value makes a value of a shape; it is not ok when there is none, or none was
// found. What came to no end is tried again by the shortest way.
func (r *run) value(sh *shape, at place) (any, bool) {
	if !sh.nests() {
		return r.attempt(sh, at)
	}
	if r.inside(sh) || at.depth >= maxDepth-2 {
		at = at.shallow()
	}
	if at.ending && r.height(sh) > maxEnding || r.endless(sh) {
		return nil, false
	}
	value, ok := r.attempt(sh, at)
	if ok || at.ending || r.height(sh) > maxEnding {
		return value, ok
	}
	at = at.shallow()
	if short, ok := r.attempt(sh, at); ok {
		return short, true
	}
	return value, false
}

func (r *run) attempt(sh *shape, at place) (any, bool) {
	r.made++
	switch {
	case sh.never || r.made > maxMade || at.depth > maxDepth && !at.ending:
		return nil, false
	case sh.chosen:
		return r.choice(sh, at)
	case len(sh.groups) > 0:
		return r.branch(sh, at)
	case !sh.hard:
		return r.plain(sh, at)
	}
	var last any
	for try := range maxTries {
		next := at.again(try)
		next.optional = []Optional{at.optional, None, All}[min(try, 3)%3]
		value, ok := r.plain(sh, next)
		if ok && r.fits(sh, value) {
			return value, true
		}
		last = value
	}
	return last, false
}

func (r *run) fits(sh *shape, value any) bool {
	return !slices.ContainsFunc(sh.parts, func(part *schema.Schema) bool { return !r.judges(part, value) })
}

// choice picks one of the values that an enum lists.
func (r *run) choice(sh *shape, at place) (any, bool) {
	first := r.pick(at, "enum", len(sh.choices))
	null := false
	for i := range sh.choices {
		value := sh.choices[(first+i)%len(sh.choices)]
		if text, ok := value.(string); ok && r.Segment && !segment(text) && len(sh.choices) > 1 {
			continue
		}
		if !kindFits(sh.kinds, value) || !r.fits(sh, value) {
			continue
		}
		if value != nil {
			return value, true
		}
		null = true
	}
	if null {
		return nil, true
	}
	return sh.choices[first], kindFits(sh.kinds, sh.choices[first]) && r.fits(sh, sh.choices[first])
}

// branch makes a value by one of the branches of a group. It tries those that
// end before those that lead back, and looks whether the value fits the whole:
// for oneOf it must not fit a second branch.
func (r *run) branch(sh *shape, at place) (any, bool) {
	g := sh.groups[0]
	order := r.order(sh, g, at)
	order = order[:min(len(order), maxTries)]
	var last, named any // named: a discriminator tells, though a second branch fits
	close := -1         // branch that last is made for
	for try, optional := range []Optional{at.optional, None, All} {
		if try > 0 && (optional == at.optional || named != nil) {
			continue
		}
		for _, i := range order {
			next := at
			next.optional = optional
			value, ok := r.value(sh.pick(i), next)
			if !ok {
				if close < 0 && last == nil {
					last = value
				}
				continue
			}
			value = r.discriminate(g, i, value)
			switch {
			case !r.fits(sh, value):
				if close < 0 {
					last, close = value, i
				}
			case g.kind != ofOne || r.only(g, i, value):
				return value, true
			case named == nil:
				named = value
			}
		}
	}
	switch {
	case named != nil:
		return named, true
	case close >= 0 && g.kind == ofOne && at.depth <= maxDepth/2:
		return r.shun(sh, g, close, last)
	default:
		return last, false
	}
}

// shun changes a value that fits several branches of oneOf so that it fits one:
// it leaves out what the others require, or gives a field that only they know
// what they do not take.
func (r *run) shun(sh *shape, g *group, branch int, value any) (any, bool) {
	for i, other := range g.branches {
		if i == branch || !r.judges(other[0], value) {
			continue
		}
		strict := *r
		strict.foreign = true
		ways := strict.fractures(nil, r.library.of(other), value, "", 0)
		slices.SortStableFunc(ways, func(a, b fracture) int { return a.rank() - b.rank() })
		found := false
		for _, way := range ways {
			changed, _ := way.make()
			if !r.judges(other[0], changed) && r.judges(g.branches[branch][0], changed) {
				value, found = changed, true
				break
			}
		}
		if !found {
			return value, false
		}
	}
	return value, r.fits(sh, value)
}

// only tells whether a value fits no branch but one.
func (r *run) only(g *group, branch int, value any) bool {
	if g.discriminator == nil {
		return true // fits has seen to it
	}
	for i, other := range g.branches {
		if i != branch && r.judges(other[0], value) {
			return false
		}
	}
	return true
}

// order lists branches: by draw, those that end first.
func (r *run) order(sh *shape, g *group, at place) []int {
	n := len(g.branches)
	first := r.pick(at, "branch", n)
	order := make([]int, 0, n)
	var later, never []int
	for i := range n {
		k := (first + i) % n
		next := sh.pick(k)
		switch {
		case next.never:
			never = append(never, k)
		case next.kinds&^aNull == 0, r.loops(g.branches[k]), g.discriminator != nil && !r.nameable(g, k):
			later = append(later, k)
		default:
			order = append(order, k)
		}
	}
	if at.depth >= 2 && g.kind != ofIf { // ids rather than whole records
		slices.SortStableFunc(order, func(a, b int) int { return sh.pick(a).weight() - sh.pick(b).weight() })
	}
	if at.depth > maxDepth/2 { // null ends it
		slices.SortStableFunc(later, func(a, b int) int { return int(sh.pick(a).kinds&^aNull) - int(sh.pick(b).kinds&^aNull) })
	}
	if order = append(order, later...); at.ending {
		slices.SortStableFunc(order, func(a, b int) int { return r.height(sh.pick(a)) - r.height(sh.pick(b)) })
	}
	return append(order, never...)
}

// weight is 1 for what holds other values.
func (s *shape) weight() int {
	if s.kinds&(aNull|aBool|aNumber|aString) == 0 {
		return 1
	}
	return 0
}

func (r *run) loops(branch []*schema.Schema) bool {
	return slices.ContainsFunc(branch, func(part *schema.Schema) bool {
		return slices.ContainsFunc(r.stack, func(outer *shape) bool {
			return slices.ContainsFunc(outer.parts, func(other *schema.Schema) bool { return other.Target() == part.Target() })
		})
	})
}

// nameable tells whether a discriminator has a value for a branch.
func (r *run) nameable(g *group, branch int) bool {
	if len(g.discriminator.Mapping) == 0 {
		return true
	}
	_, ok := mapped(g, branch)
	return ok
}

// mapped gives the values of a discriminator's mapping that lead to a branch,
// the first in the order of the alphabet.
func mapped(g *group, branch int) (name string, ok bool) {
	for value, to := range g.discriminator.Mapping {
		if to.Target() == g.branches[branch][0].Target() && (!ok || value < name) {
			name, ok = value, true
		}
	}
	return name, ok
}

// discriminate gives a value the name of its branch, unless it has one that
// leads there.
func (r *run) discriminate(g *group, branch int, value any) any {
	record, ok := value.(map[string]any)
	if !ok || g.discriminator == nil {
		return value
	}
	property := g.discriminator.Property
	if text, ok := record[property].(string); ok {
		if to := g.discriminator.Mapping[text]; to != nil && to.Target() == g.branches[branch][0].Target() {
			return value
		}
	}
	name, ok := mapped(g, branch)
	if !ok {
		name = g.branches[branch][0].Name()
	}
	if name == "" {
		return value
	}
	changed := cloneMap(record)
	changed[property] = name
	if r.judges(g.branches[branch][0], changed) {
		return changed
	}
	return value
}

// plain makes a value of a shape that leaves no choice but that of its type.
func (r *run) plain(sh *shape, at place) (any, bool) {
	kind := sh.kind()
	if at.ending {
		kind = r.shortest(sh)
	}
	switch kind {
	case anObject:
		return r.object(sh, at)
	case anArray:
		return r.array(sh, at)
	case aString:
		return r.text(sh, at)
	case aBool:
		return r.boolean(sh, at), true
	case aNull:
		return nil, true
	case aWhole, aFraction:
		return r.number(sh, at)
	default:
		return nil, false
	}
}

// kind chooses among the types that a shape may be of, by what else it says.
func (s *shape) kind() kinds { return s.kindAmong(s.kinds) }

// kindAmong is kind where only some types are left.
func (s *shape) kindAmong(left kinds) kinds {
	prefer := []kinds{anObject, aString, aFraction, aWhole, aBool, anArray, aNull}
	switch {
	case s.kinds == anyKind && len(s.fields)+len(s.required)+len(s.rest)+len(s.byPattern)+s.fewFields == 0:
		prefer = []kinds{aString, anObject, aWhole, aBool, anArray, aNull}
		if len(s.items)+len(s.prefix)+len(s.contains) > 0 || s.fewItems > 0 {
			prefer[0], prefer[4] = anArray, aString
		} else if s.high < 1e300 || s.low > -1e300 || len(s.multiples) > 0 {
			prefer[0], prefer[2] = aWhole, aString
		}
	case s.kinds&anObject != 0 && len(s.fields)+len(s.required)+len(s.rest) == 0:
		prefer = []kinds{aString, aFraction, aWhole, aBool, anArray, anObject, aNull}
	}
	for _, kind := range prefer {
		if left&kind != 0 {
			return kind
		}
	}
	return 0
}

func cloneMap(record map[string]any) map[string]any {
	changed := make(map[string]any, len(record)+1)
	for name, value := range record {
		changed[name] = value
	}
	return changed
}
