package verdict

import "parity/faults/trail"

// who is an agent, on one line of the run: a run has one, whatever credentials
// it shows, unless its profile says who calls under which. What a reset or a rollback undid is
// on a line of its own: the service has forgotten it and numbers its intents
// anew, so that nothing on one line is a retry, or a read-back, of something on
// another.
//
//	#1 ── #2 snapshot ── #3 ── #4 ── #5 rollback ── #6      line 0: 1, 2, 5, 6
//	                      └─ undone ─┘                      line 1: 3, 4
type who struct {
	agent string
	line  int // 0: it stands; else the how-manieth going back undid it
}

// lines follows what stands.
type lines struct {
	standing []standing // in order of seq
	backs    int
	forks    []uint64 // the events at which the run went on as another one
}

type standing struct {
	seq uint64
	who *who
}

// add takes in what an event shows of somebody.
func (l *lines) add(seq uint64, w *who) { l.standing = append(l.standing, standing{seq, w}) }

// follow moves what an event undid to a line of its own.
func (l *lines) follow(e *trail.Event) {
	to, back := e.Back(l.forks)
	if !back {
		return
	}
	l.backs++
	n := len(l.standing)
	for ; n > 0 && l.standing[n-1].seq > to; n-- {
		if w := l.standing[n-1].who; w.line == 0 {
			w.line = l.backs
		}
	}
	l.standing = l.standing[:n]
}
