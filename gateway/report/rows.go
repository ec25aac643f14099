package report

import (
	"strings"
	"time"

	"parity/faults/trail"
)

// rowsDoc is what page/list.js lists.
type rowsDoc struct {
	Start    int64    `json:"start"` // milliseconds since the Unix epoch
	PerPart  int      `json:"per_part"`
	Total    int      `json:"total"` // events of the run
	Left     int      `json:"left"`  // listed events of which there is no frame
	Kinds    []string `json:"kinds"`
	Services []string `json:"services"`
	Rules    []string `json:"rules"`
	Rows     [][]any  `json:"rows"` // see row
}

// names gives each name a number.
type names struct {
	list   []string
	number map[string]int
}

func (n *names) of(name string) int {
	if i, ok := n.number[name]; ok {
		return i
	}
	if n.number == nil {
		n.number = map[string]int{}
	}
	n.number[name] = len(n.list)
	n.list = append(n.list, name)
	return n.number[name]
}

// naming numbers what rows name again and again.
type naming struct{ kinds, services, rules, intents names }

// rows lists the events; of left of them there is no frame.
func (p *packer) rows(left int) rowsDoc {
	var n naming
	doc := rowsDoc{PerPart: perPart, Total: p.total, Left: left, Rows: make([][]any, 0, len(p.events))}
	if len(p.events) > 0 {
		doc.Start = p.events[0].At.Time().UnixMilli()
	}
	n.intents.of("")
	for _, e := range p.events {
		doc.Rows = append(doc.Rows, p.row(e, doc.Start, &n))
	}
	doc.Kinds, doc.Services, doc.Rules = n.kinds.list, n.services.list, n.rules.list
	return doc
}

// row is one event: its number, milliseconds since the start, kind, service,
// what it is about, status, what happened, marks, intent, attempt, and the
// rules that fired.
func (p *packer) row(e *trail.Event, start int64, n *naming) []any {
	s, settled := p.settlements[e.Seq]
	service, what := p.about(e)
	status, intent, attempt := 0, "", 0
	fired := []int{}
	if x := e.Exchange; x != nil {
		status, intent, attempt = x.Status, x.Intent.ID, x.Intent.Attempt
		if x.Wire.NoHead || x.Wire.HeadCut {
			status = 0 // none arrived
		}
		for _, strike := range x.Strikes {
			if strike.Fired {
				fired = append(fired, n.rules.of(p.plain(strike.Rule)))
			}
		}
	}
	if e.Delivery != nil {
		status = e.Delivery.Status
	}
	if intent != "" {
		intent = service + e.Identity + intent
	}
	return []any{
		e.Seq, e.At.Time().UnixMilli() - start, n.kinds.of(kindWord(e.Kind)), n.services.of(service), what, status,
		p.words(e, s, settled), int(p.markOf(e)), n.intents.of(intent), attempt, fired,
	}
}

// about says which service an event concerns, and what of it.
func (p *packer) about(e *trail.Event) (service, what string) {
	what = subject(e)
	switch {
	case e.Exchange != nil:
		service = e.Exchange.Service
	case e.Delivery != nil:
		service, what = e.Delivery.Service, e.Delivery.Method+" "+e.Delivery.URL
	case e.Edit != nil:
		service = e.Edit.Service
	case e.Act != nil:
		service = e.Act.Service
	case e.Timer != nil:
		service = e.Timer.Service
	}
	if e.Exchange != nil && service != "" {
		what = strings.TrimPrefix(what, service+" ")
	}
	return p.plain(service), cut(p.plain(what), 200)
}

// kindWord is what a page calls a kind of events.
func kindWord(k trail.Kind) string {
	switch k {
	case trail.Exchanged:
		return "call"
	case trail.Reserved:
		return "waiting call"
	case trail.Reached:
		return "connection"
	case trail.Delivered:
		return "webhook"
	case trail.WorldEdited:
		return "edit by another"
	case trail.ClockMoved:
		return "clock"
	case trail.Fired:
		return "timer"
	case trail.SetBack, trail.RolledBack:
		return "going back"
	case trail.Armed, trail.Disarmed:
		return "armed rule"
	case trail.Worded:
		return "approval"
	}
	return string(k)
}

// stamp is an instant as a page shows it.
func stamp(i trail.Instant) string { return i.Time().Format(time.DateOnly + " 15:04:05.000") }
