package verdict

import "sort"

// A rule looks at what came after a fault, and there may be as many faults as
// calls. So that judging stays linear, none goes through the rest of the run:
// either it looks at the next few calls of the same agent (since), or it asks
// one of these indexes, which are made in one pass.

// everything is what came after c on its line: calls that no operation answers as
// well, of which nobody knows who made them.
func (j *judge) everything(c *call) []*call {
	begin := after(j.calls, c.open)
	var all []*call
	for _, n := range j.calls[begin:min(len(j.calls), begin+ahead)] {
		if n.line == c.line && (n.agent == c.agent || n.identity == "") {
			all = append(all, n)
		}
	}
	return all
}

// sight is how a strike says that it disturbed the webhooks of a service.
type sight struct {
	service               string
	any, spoils, repeated bool
}

// sights are what became of the deliveries of a service from each one on.
type sights struct {
	taken             []int    // how many were taken as they should be
	refused, believed []uint64 // the first that was refused, and that was accepted though badly signed; 0: none
}

// sights adds up, once for each kind of disturbance, what became of deliveries
// from the event seq on.
func (l *ledger) sights(of sight, seq uint64) (taken int, refused, believed uint64) {
	sent := l.sent[of.service]
	all, known := l.seen[of]
	if !known {
		all = sights{make([]int, len(sent)+1), make([]uint64, len(sent)+1), make([]uint64, len(sent)+1)}
		for i := len(sent) - 1; i >= 0; i-- {
			all.taken[i], all.refused[i], all.believed[i] = all.taken[i+1], all.refused[i+1], all.believed[i+1]
			switch d := sent[i]; {
			case !of.any && (d.Spoilt && !of.spoils || d.Copy > 0 && !of.repeated): // another rule's doing
			case d.Spoilt && d.Status/100 == 2:
				all.believed[i] = d.seq
			case d.Spoilt && d.Status < 400:
			case d.Spoilt || d.Status/100 == 2:
				all.taken[i]++
			case d.Status >= 400:
				all.refused[i] = d.seq
			}
		}
		l.seen[of] = all
	}
	i := sort.Search(len(sent), func(i int) bool { return sent[i].seq >= seq })
	return all.taken[i], all.refused[i], all.believed[i]
}
