package shadow

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"parity/faults/trail"
	"parity/specs/words"
)

// A comparison is what two acts have in common, and in what they differ.
type comparison struct {
	fields       []trail.Apart
	who          int               // values that say which record, or whom
	apart        int               // of these: differ
	said, shared int               // other values, that the profile does not let differ, and how many are alike
	ids          map[string]string // ids that the run made, and what the person has in their place
	masked       []string          // fields of which nobody knows
}

// whoSame tells whether they are about the same.
func (c *comparison) whoSame() bool { return c.who > 0 && c.apart == 0 }

// grave counts the fields in which a difference is dangerous.
func (c *comparison) grave() (n int) {
	for i := range c.fields {
		if f := &c.fields[i]; f.Of != trail.SenseOther && !f.Acceptable {
			n++
		}
	}
	return n
}

// why says what else is to be known of it.
func (c *comparison) why() (all []string) {
	if len(c.masked) > 0 {
		all = append(all, "not compared, since the run keeps no secrets: "+strings.Join(c.masked, ", "))
	}
	for _, made := range slices.Sorted(maps.Keys(c.ids)) {
		all = append(all, fmt.Sprintf("%s is what the run itself made, and is taken for the person's %s", made, c.ids[made]))
	}
	return all
}

// compare holds two acts of one operation against each other.
func (p *pairing) compare(a, b *flat) comparison {
	c := comparison{ids: map[string]string{}}
	keys := map[string]bool{}
	for key := range a.leaves {
		keys[key] = true
	}
	for key := range b.leaves {
		keys[key] = true
	}
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		p.one(&c, a, b, a.leaves[key], b.leaves[key])
	}
	return c
}

// one holds two values of one place against each other.
func (p *pairing) one(c *comparison, a, b *flat, x, y *leaf) {
	any := x
	if any == nil {
		any = y
	}
	alike := x != nil && y != nil && p.equal(c, x, y)
	switch {
	case any.may:
	case any.sense == trail.SenseTarget, any.sense == trail.SenseRecipient:
		if c.who++; !alike {
			c.apart++
		}
	default:
		if c.said++; alike {
			c.shared++
		}
	}
	if alike {
		return
	}
	there, here := words.Apart(p.told(a, x, any), p.told(b, y, any), mostShown)
	c.fields = append(c.fields, trail.Apart{Field: any.name(), Of: any.sense, Agent: there, Person: here, Acceptable: any.may})
}

// mostShown is how many characters of a value are told.
const mostShown = 100

// equal tells whether two values say the same.
func (p *pairing) equal(c *comparison, x, y *leaf) bool {
	switch {
	case x.spelled == y.spelled, x.now && y.now:
		return true
	case x.masked || y.masked:
		c.masked = append(c.masked, x.name())
		return true
	case !x.made:
		return false
	}
	made, _ := plain(x.value)
	there, ok := plain(y.value)
	if was, bound := p.ids[made]; !ok || bound && was != there {
		return false
	}
	for other, is := range p.ids {
		if is == there && other != made {
			return false
		}
	}
	c.ids[made] = there
	return true
}

// notSaid stands for a value that a call leaves out.
const notSaid = "(not said)"

// told is a value as a finding tells it.
func (p *pairing) told(f *flat, l, other *leaf) string {
	if l == nil {
		if says := p.book.of(f.Operation, other.in, other.path); says.isUsual {
			return strings.TrimSuffix(notSaid, ")") + ", which is " + says.spelled(says.usual) + ")"
		}
		return notSaid
	}
	if text, ok := plain(l.value); ok {
		return text
	}
	return strings.TrimPrefix(l.spelled, "\x00")
}
