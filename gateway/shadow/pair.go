package shadow

import (
	"cmp"
	"maps"
	"slices"

	"parity/faults/trail"
	"parity/specs"
	"parity/specs/class"
)

// A pairing sets acts of two sides beside each other.
type pairing struct {
	Options
	book          book
	may           [][]string // fields that may differ
	singular      map[*specs.Contract]map[string]bool
	agent, person []*flat
	pairs         []*pair
	ids           map[string]string // an id that the run made, and what the log has in its place
}

// A pair is an act of the agent beside one of a person.
type pair struct {
	agent, person *flat
	fields        []trail.Apart
	why           []string
	loosely       bool // they are of two operations
}

func newPairing(agent, person []Act, o Options) *pairing {
	p := &pairing{
		Options: o, book: book{known: map[bookmark]*field{}}, may: patterns(o.Acceptable),
		singular: map[*specs.Contract]map[string]bool{}, ids: map[string]string{},
	}
	made := map[string]bool{}
	for i := range agent {
		p.agent = append(p.agent, p.flatten(&agent[i], i, made))
		for _, id := range agent[i].Made {
			made[id] = true
		}
	}
	for i := range person {
		p.person = append(p.person, p.flatten(&person[i], i, nil))
	}
	return p
}

// called is what two acts of one operation have in common, at whichever base of its
// service it was called.
func (f *flat) called() string {
	return f.Operation.Service + " " + f.Operation.Method + " " + f.Operation.Bare()
}

// same pairs what both did in the same way, in the order in which it was done.
func (p *pairing) same() {
	waiting := map[string][]*flat{}
	for _, f := range p.person {
		key := f.called() + "\n" + f.exact
		waiting[key] = append(waiting[key], f)
	}
	for _, f := range p.agent {
		key := f.called() + "\n" + f.exact
		if others := waiting[key]; len(others) > 0 {
			p.join(&pair{agent: f, person: others[0]})
			waiting[key] = others[1:]
		}
	}
}

func (p *pairing) join(one *pair) {
	one.agent.paired, one.person.paired = true, true
	p.pairs = append(p.pairs, one)
}

// left are the acts that are not paired yet, by what they call.
func left(all []*flat) map[string][]*flat {
	of := map[string][]*flat{}
	for _, f := range all {
		if !f.paired {
			of[f.called()] = append(of[f.called()], f)
		}
	}
	return of
}

// A candidate is a pair that there might be.
type candidate struct {
	pair
	seen comparison
}

// mostBeside is how many acts of a person an act is held against, the nearest by
// their order.
const mostBeside = 300

// alike pairs acts of one operation that are about the same, or say most of the
// same: the likest first.
func (p *pairing) alike() {
	persons := left(p.person)
	agents := left(p.agent)
	for _, name := range slices.Sorted(maps.Keys(agents)) {
		for len(agents[name]) > 0 && len(persons[name]) > 0 {
			one := p.likest(agents[name], persons[name])
			if one == nil {
				break
			}
			joined := 0
			for _, c := range one {
				if c.agent.paired || c.person.paired || p.taken(&c.seen) {
					continue
				}
				p.bind(&c.seen)
				c.fields = c.seen.fields
				c.why = append(c.why, c.seen.why()...)
				p.join(&pair{agent: c.agent, person: c.person, fields: c.fields, why: c.why})
				joined++
			}
			agents[name], persons[name] = left(agents[name])[name], left(persons[name])[name]
			if joined == 0 {
				break
			}
		}
	}
}

// likest are the pairs that there might be of acts of one operation, the likest
// first.
func (p *pairing) likest(agents, persons []*flat) []*candidate {
	var all []*candidate
	lone := len(agents) == 1 && len(persons) == 1
	for i, a := range agents {
		for j, b := range persons {
			if max(i-j, j-i) > mostBeside {
				continue
			}
			c := &candidate{pair{agent: a, person: b}, p.compare(a, b)}
			if c.allowed(lone) {
				all = append(all, c)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b *candidate) int {
		return cmp.Or(
			truth(b.meant(), a.meant()), truth(b.seen.whoSame(), a.seen.whoSame()), cmp.Compare(a.seen.grave(), b.seen.grave()),
			cmp.Compare(len(a.seen.fields), len(b.seen.fields)), cmp.Compare(b.seen.shared, a.seen.shared),
			cmp.Compare(a.apart(), b.apart()), cmp.Compare(a.agent.order, b.agent.order),
		)
	})
	return all
}

func truth(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// meant tells whether the fields are alike that the profile says tell intents apart.
func (one *pair) meant() bool { return one.agent.by != "" && one.agent.by == one.person.by }

func (one *pair) apart() int {
	return max(one.agent.order-one.person.order, one.person.order-one.agent.order)
}

// allowed tells whether two acts of one operation may be one that was done in two
// ways: the same is meant, they are about the same, or half of what they say besides
// is the same. Where each is the only one left of its operation that is enough for
// what can be undone.
func (c *candidate) allowed(lone bool) bool {
	switch {
	case c.meant(), c.seen.whoSame(), 2*c.seen.shared >= c.seen.said:
		return true
	}
	return lone && !grave(c.agent.Class) && !grave(c.person.Class)
}

// grave tells a class of which nobody can take anything back, or that decides who
// may do what.
func grave(c class.Class) bool { return c == class.Irreversible || c == class.Admin }

// taken tells whether an id that the run made stands for another one by now.
func (p *pairing) taken(c *comparison) bool {
	for made, there := range c.ids {
		if was, ok := p.ids[made]; ok && was != there {
			return true
		}
	}
	return false
}

func (p *pairing) bind(c *comparison) { maps.Copy(p.ids, c.ids) }
