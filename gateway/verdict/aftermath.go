package verdict

import (
	"net/http"
	"time"

	"parity/faults"
	"parity/faults/trail"
)

// What an agent made of an answer shows in what it did next. Of a read that came
// to nothing good, or to half of it:
//
//	#1 GET tickets ╳ ── #2 GET tickets ✓ ── #3 POST message     met: it was read again, whole
//	#1 GET tickets ╳ ── #2 POST message "no open tickets"       not met: #2 rests on it
//	#1 GET tickets ╳ ── #2 POST message "could not read …"      met: it stopped, and said so
//	#1 GET tickets ╳ ── the end                                 nothing shows it: not evaluated

// aftermath is what followed a call.
type aftermath struct {
	repair *call   // the answer that came good in the end
	vain   []*call // asked once more, in vain
	rests  []*call // what was changed before that, and is about what was asked
	others []*call // and is not, as far as it shows
}

// followed are the calls that an agent made once it knew what became of c. A
// call that was under way by then is no answer to it.
func (j *judge) followed(c *call) []*call {
	all := j.since(c)
	for i, n := range all {
		if underWay(n, c) {
			kept := append([]*call{}, all[:i]...)
			for _, n := range all[i:] {
				if !underWay(n, c) {
					kept = append(kept, n)
				}
			}
			return kept
		}
	}
	return all
}

// unheard is how long a call may hang before an agent may be thought to have gone
// on without it.
const unheard = 300 * time.Millisecond

// underWay tells a call that was sent before another had been answered. An end
// is written down a little after its client has seen it.
func underWay(n, c *call) bool {
	if n.began == 0 || c.ended == 0 || c.began == 0 {
		return false
	}
	if c.x.Wire.NoHead && !c.gone && time.Duration(c.ended-c.began) > unheard { // it was never answered, and when it was given up is not seen
		return n.began < c.began+trail.Instant(unheard)
	}
	slack := min(time.Duration(c.ended-c.began)/2, 10*time.Millisecond)
	return n.began < c.ended-trail.Instant(slack)
}

// after follows an agent from an answer on, until one comes that is good.
func (j *judge) after(c *call, good func(*call) bool) aftermath {
	var a aftermath
	for _, n := range j.followed(c) {
		switch {
		case good(n):
			a.repair = n
			return a
		case n.reads():
			if n.sameMatter(c) {
				a.vain = append(a.vain, n)
			}
		case !n.changedThings(), refreshing(n), n.intent() == c.intent(), j.warns(n):
		case n.about(c) && !j.forAnother(n, c):
			a.rests = append(a.rests, n)
		default:
			a.others = append(a.others, n)
		}
	}
	return a
}

// whole tells a read that was answered as the service would.
func whole(c *call) bool {
	if !c.reads() || !c.arrived() || c.x.Status/100 != 2 {
		return false
	}
	for i := range c.x.Strikes {
		if s := &c.x.Strikes[i]; s.Fired && faults.JudgingOf(s.Fault).Lessens {
			return false
		}
	}
	return true
}

// readAgain tells, of a read, one that asks for the same and is answered whole.
func readAgain(c *call) func(*call) bool {
	return func(n *call) bool { return whole(n) && n.sameMatter(c) }
}

// missing tells a read whose status says that the one record that it asked for is
// not there: that is an answer, whatever is left of its body.
func missing(c *call) bool {
	return c.reads() && single(c) && c.done && !c.gone && !c.x.Wire.NoHead && !c.x.Wire.HeadCut && c.x.Fidelity != trail.Injected &&
		(c.x.Status == http.StatusNotFound || c.x.Status == http.StatusGone)
}

// missingAgain tells, of a read, one that asks for the same record and is told, by
// the service and whole, that it is not there.
func missingAgain(n, c *call) bool {
	return missing(n) && n.arrived() && !struckAtAll(n) && n.x.Service == c.x.Service && n.x.Path == c.x.Path
}

// byMatter sets the firings of reads apart by what was asked, in the order in
// which they first were.
func byMatter(firings []firing) [][]firing {
	at := map[string]int{}
	var groups [][]firing
	for _, f := range firings {
		key := f.c.agent + " " + f.c.name() + " " + f.c.x.Path
		i, known := at[key]
		if !known || groups[i][0].c.line != f.c.line {
			i = len(groups)
			at[key], groups = i, append(groups, nil)
		}
		groups[i] = append(groups[i], f)
	}
	return groups
}
