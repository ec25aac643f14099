package verdict

import (
	"bytes"
	"sort"
	"strings"
)

// A rule looks at what came after a fault, and there may be as many faults as
// calls. So that judging stays linear, none goes through the rest of the run:
// either it looks at the next few calls of the same agent (since), or it asks
// one of these indexes, which are made in one pass.

// asked is an operation, by whomever, on one line; without an operation, a
// whole service.
type asked struct {
	service, operation string
	line               int
}

// ask files a call by its operation, and what looks like a refresh.
func (l *ledger) ask(c *call) {
	of := asked{c.x.Service, c.x.Operation, c.line}
	l.asked[of] = append(l.asked[of], c)
	if refreshing(c) {
		of.operation = ""
		l.refresh[of] = append(l.refresh[of], c)
	}
}

// visits are the calls of a service in order, and for each the place of the
// first one after it that went to another host.
type visits struct {
	calls []*call
	away  []int
}

func (l *ledger) visit(c *call) {
	of := asked{c.x.Service, "", c.line}
	if l.visits[of] == nil {
		l.visits[of] = &visits{}
	}
	l.visits[of].calls = append(l.visits[of].calls, c)
}

func (v *visits) follow() {
	v.away = make([]int, len(v.calls))
	for i := len(v.calls) - 1; i >= 0; i-- {
		switch next := i + 1; {
		case next == len(v.calls), v.calls[next].x.Host != v.calls[i].x.Host:
			v.away[i] = next
		default:
			v.away[i] = v.away[next]
		}
	}
}

// away is the first call after c of its service to another host; nil: there is
// none. That of somebody else, who had called before c or at its host, is no
// following of it. What comes after many of these is not seen.
func (j *judge) away(c *call) *call {
	v := j.visits[asked{c.x.Service, "", c.line}]
	next := v.away[after(v.calls, c.open)-1]
	for range ahead {
		if next == len(v.calls) {
			return nil
		}
		switch n := v.calls[next]; {
		case n.x.Host == c.x.Host:
			next = v.away[next]
		case n.identity == c.identity, n.identity == "", !j.knownBefore(n, c) && j.by[n.who][0].x.Host != c.x.Host:
			return n
		default:
			next++
		}
	}
	return nil
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

// refreshing tells a call that looks like a refresh of a session.
func refreshing(c *call) bool {
	return strings.Contains(strings.ToLower(c.x.Path), "token") || bytes.Contains(c.x.Body, []byte("refresh_token"))
}
