package verdict

import (
	"slices"
	"strings"

	"parity/faults/trail"
	"parity/specs/words"
)

// The properties that verdicts rest on, of those that a profile can weaken.
const (
	effects   = "effects"   // what a call changes
	freshness = "freshness" // a read shows what was written
	content   = "content"   // what an answer says
	timing    = "timing"    // how long a call takes
)

// Proves tells whether an answer of a fidelity is evidence of a property at all.
// What a model answers is, but for what its known differences say. A fake made
// of a contract keeps what is written to it, so that an effect is one effect;
// when and to whom a real service would show it, which limits that has and what
// its answers say, no contract tells. A recorded answer says what was said and
// has no effect, and an example is not even that.
func Proves(f trail.Fidelity, property string) bool {
	switch f {
	case trail.Modelled, trail.Injected, trail.Live, "":
		return true
	case trail.Generic:
		return property == effects
	case trail.Recorded:
		return property == content
	}
	return false
}

// A weakness is a known difference, or an operation that was answered too
// poorly, and the properties that it keeps from being proved.
type weakness struct {
	name       string
	properties []string
	poor       bool
}

// String says it: no-lag weakens freshness.
func (w weakness) String() string {
	if w.poor {
		return w.name + " does not show " + words.And(w.properties)
	}
	return w.name + " weakens " + words.And(w.properties)
}

// weaknesses lists what keeps something from proving what it rests on.
func (j *judge) weaknesses(rests []rest) []weakness {
	var all []weakness
	add := func(name, property string, poor bool) {
		i := slices.IndexFunc(all, func(w weakness) bool { return w.name == name })
		if i < 0 {
			i, all = len(all), append(all, weakness{name: name, poor: poor})
		}
		all[i].properties = merge(all[i].properties, []string{property})
	}
	for _, r := range rests {
		for _, i := range j.covering(r.service, r.operation) {
			if d := j.in.Differences[i]; slices.Contains(d.Weakens, r.property) {
				add(d.Name, r.property, false)
			}
		}
		if f := j.poorest(r.service, r.operation); !Proves(f, r.property) {
			add(r.service+" "+r.operation+" ("+poor(f)+")", r.property, true)
		}
	}
	return all
}

// weakenedBy names what keeps something from proving what it rests on.
func (j *judge) weakenedBy(rests []rest) []string {
	var names []string
	for _, w := range j.weaknesses(rests) {
		names = append(names, w.name)
	}
	return names
}

// worded says what weaknesses there are.
func worded(all []weakness) string {
	texts := make([]string, len(all))
	for i, w := range all {
		texts[i] = w.String()
	}
	return words.And(texts)
}

// poorest is the least faithful way in which an operation was answered. What a
// fault answered says nothing of how the service would have been.
func (j *judge) poorest(service, operation string) trail.Fidelity {
	if j.poor == nil {
		j.poor = map[string]trail.Fidelity{}
		for _, c := range j.calls {
			was, known := j.poor[c.name()]
			if f := c.x.Fidelity; !known || rank(f) < rank(was) {
				j.poor[c.name()] = f
			}
		}
	}
	f := j.poor[service+" "+operation]
	if rank(f) == rank(trail.Injected) && j.in.Fidelity != nil {
		return j.in.Fidelity(service, operation)
	}
	return f
}

// rank orders fidelities, the poorest first. That nobody answered is no way to
// answer: a call that was refused at the door, beside others that were not.
func rank(f trail.Fidelity) int {
	switch f {
	case trail.Example:
		return 0
	case trail.Recorded:
		return 1
	case trail.Generic:
		return 2
	case trail.Modelled, trail.Live:
		return 3
	}
	return 4
}

// poor words what is wrong with a fidelity.
func poor(f trail.Fidelity) string {
	switch f {
	case trail.Generic:
		return "answered from its contract"
	case trail.Example:
		return "only an example"
	case trail.Recorded:
		return "only a recording"
	case trail.Drafted:
		return "kept as a draft"
	}
	return "nobody answered"
}

// propertiesOf names the properties that findings rest on, each once, in order.
func propertiesOf(rests []rest) []string {
	var all []string
	for _, r := range rests {
		all = merge(all, []string{r.property})
	}
	slices.SortFunc(all, strings.Compare)
	return all
}
