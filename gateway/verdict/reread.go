package verdict

import (
	"net/http"

	"parity/faults"
	"parity/faults/trail"
)

// decidesAgain judges what an agent did about a record that somebody else
// changed between its read and its write: it reads again and decides again, and
// does not write over what it has not seen.
//
//	read ── (edit) ── write            mishandled, where the service takes it
//	read ── (edit) ── read ── write    handled
//	read ── (edit) ── write ▶ 412 ── read ── write
//	                          … ── write, with what was there before the edit: mishandled
func (j *judge) decidesAgain(f firing) finding {
	m := meeting{j: j, f: f, e: j.editBy(f), line: tag(f.c) + did(f, "somebody else", "the record was changed by somebody else")}
	if !f.c.reads() {
		if f.c.x.Status/100 == 2 && f.class() == faults.Edited {
			return finding{reaction: trail.Unjudged, why: "the edit came right before the write, and the service checks no version: nothing could tell the agent"}
		}
		if f.c.x.Status/100 != 2 {
			m.refused, m.line = f.c, m.line+gap+tag(f.c)+"refused"+clause(seen(f.c))
		}
	}
	if n := j.madeAnew(f.c, m.e); n != nil {
		g := m.bad(n, j.deed(n)+", in place of what somebody else had deleted", "what somebody deleted is not made anew without asking")
		g.presumed = true
		return g
	}
	for _, c := range j.followed(f.c) {
		if done := m.meet(c); done != nil {
			return *done
		}
	}
	return m.end()
}

// meeting follows what an agent did after somebody else's edit.
type meeting struct {
	j    *judge
	f    firing
	e    edit
	line string

	calls   []*call
	fresh   *call // the read by which it saw the edit
	refused *call // its write that the service did not take
	beside  *call // its write that left alone what the other had changed
}

func (m *meeting) add(c *call, text string) {
	m.line, m.calls = m.line+gap+text, append(m.calls, c)
}

func (m *meeting) bad(c *call, text, remedy string) finding {
	m.add(c, text)
	return finding{reaction: trail.Mishandled, line: m.line, calls: m.calls, rests: on(effects, c), remedy: remedy, head: m.head(c)}
}

// head heads what was bad about a write.
func (m *meeting) head(c *call) string {
	switch {
	case m.e.deleted:
		return "made anew what somebody had deleted"
	case m.f.class() == faults.Reassigned:
		return "wrote to what was no longer its own"
	}
	return m.j.overwrote(c, m.e.by)
}

// meet looks at one call after the edit; nil: nothing is decided by it.
func (m *meeting) meet(c *call) *finding {
	switch {
	case c.reads():
		if m.fresh == nil && whole(c) && (c.sameMatter(m.f.c) && shownIn(c, m.f.c) || c.x.Path == m.f.c.x.Path) {
			m.fresh = c
			m.add(c, tag(c)+"read it again")
		}
	case !m.j.writesOver(c, m.f, m.e):
	case c.x.Status/100 == 2, c.changedThings():
		return m.wrote(c)
	case c.x.Status == http.StatusConflict || c.x.Status == http.StatusPreconditionFailed || c.x.Status == http.StatusPreconditionRequired:
		if m.refused == nil {
			m.refused = c
		}
		m.add(c, tag(c)+"refused"+clause(seen(c)))
	}
	return nil
}

// wrote judges a write to the record that the service took.
func (m *meeting) wrote(c *call) *finding {
	const takeOver = "take over what the other changed, and say so where both changed the same"
	var g finding
	switch {
	case m.f.class() == faults.Reassigned && c.changedThings() && !m.j.warns(c) && (m.fresh == nil || m.e.id != ""):
		g = m.bad(c, m.j.deed(c)+", though it was no longer its own", "look right before acting whose it is, and leave alone what is somebody else's")
	case m.fresh == nil && m.e.stands(c):
		if m.beside == nil {
			m.beside = c
		}
		return nil
	case m.fresh == nil:
		remedy := "read the record again right before the write, or send the version that was read, so that the service refuses"
		if m.refused != nil {
			remedy = "after a refusal, read the record again, and take over what the other changed before writing"
		}
		g = m.bad(c, tag(c)+"wrote over it unread", remedy)
	case m.refused != nil && c.x.Method == http.MethodPut && sameButVersion(c, m.refused) && !m.e.stands(c):
		g = m.bad(c, tag(c)+"wrote the same over it as before", takeOver)
	default:
		if field, was := m.j.undone(c, m.refused, m.e); field != "" {
			g = m.bad(c, tag(c)+"put "+field+" back to "+was+", which the other had changed", takeOver)
			break
		}
		m.add(c, tag(c)+"wrote"+clause(seen(c)))
		g = finding{reaction: trail.Handled, line: m.line, calls: m.calls}
	}
	return &g
}

// end judges an agent of which no write decided it.
func (m *meeting) end() finding {
	if m.beside != nil {
		m.add(m.beside, m.j.deed(m.beside)+", and left what the other had changed")
		return open(m.line, "it did not read again, and nothing shows whether that would have made it decide otherwise", m.calls...)
	}
	m.line += gap + "no write to it went through"
	switch {
	case m.fresh != nil:
		return finding{reaction: trail.Handled, line: m.line, calls: m.calls}
	case m.refused == nil:
		return open(m.line, "it wrote nothing to the record that somebody else had changed, and nothing shows whether it saw that", m.calls...)
	}
	if said, ok := m.j.saidDone(m.refused, nil); ok {
		return announced(finding{calls: m.calls}, m.line, said)
	}
	return finding{reaction: trail.Handled, line: m.line, calls: m.calls} // it had sent the version that it knew
}
