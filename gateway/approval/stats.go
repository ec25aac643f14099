package approval

import (
	"cmp"
	"slices"
	"time"

	"parity/faults/trail"
)

// Who decided what is counted.
const (
	OfPeople    = "people"
	OfRehearsed = "rehearsed" // stand-ins, and records that were gone on from
)

// What makes a gate one that is always approved: more than this share of at least
// so many decisions.
const (
	alwaysShare   = 0.95
	alwaysDecided = 50
)

// Stats is what came of what a gate asked, of people or of those who stand in for
// them.
type Stats struct {
	Gate      string  `json:"gate"`
	Of        string  `json:"of"` // people or rehearsed
	Asked     int     `json:"asked"`
	Approved  int     `json:"approved"` // as it was asked for
	Rejected  int     `json:"rejected"`
	Changed   int     `json:"changed"`
	Escalated int     `json:"escalated"`
	Lapsed    int     `json:"lapsed"`
	Waiting   int     `json:"waiting"`             // nobody has answered yet
	Wait      float64 `json:"median_wait_seconds"` // from asking to the decision, on the runs' clocks
	Unchanged float64 `json:"unchanged"`           // the share of what was decided that was approved as it was asked for
	Always    bool    `json:"always"`              // it asks for what is always approved
}

// Decided counts what somebody decided.
func (s *Stats) Decided() int { return s.Approved + s.Rejected + s.Changed }

// asking is one approval on its way.
type asking struct {
	gate      string
	asked     time.Time
	standsIn  bool
	escalated bool
	state     string // what was decided, or lapsed; "": it waits
	wait      time.Duration
}

func (a *asking) of() string {
	if a.standsIn {
		return OfRehearsed
	}
	return OfPeople
}

// Count counts what came of each gate's asks, from what became of them: gates by
// name, people before those who stand in for them.
func Count(history []Entry) []Stats {
	var all []*asking
	open := map[string]*asking{}
	for i := range history {
		e := &history[i]
		key := e.Run + "/" + e.ID
		if e.What == SaidAsked {
			open[key] = &asking{gate: e.Gate, asked: e.At, standsIn: e.StandsIn}
			all = append(all, open[key])
			continue
		}
		a := open[key]
		if a == nil || a.state != "" { // what was decided once is decided
			continue
		}
		switch e.What {
		case Escalated:
			a.escalated, a.standsIn = true, e.StandsIn
		case Approved, Rejected, Changed:
			a.state, a.wait = e.What, e.At.Sub(a.asked)
			a.standsIn = e.By != nil && e.By.Kind == trail.ByRehearsed
		case Lapsed:
			a.state = Lapsed
		}
	}
	return tallied(all)
}

func tallied(all []*asking) []Stats {
	rows, waits := map[[2]string]*Stats{}, map[[2]string][]time.Duration{}
	row := func(gate, of string) *Stats {
		key := [2]string{gate, of}
		if rows[key] == nil {
			rows[key] = &Stats{Gate: gate, Of: of}
		}
		return rows[key]
	}
	for _, a := range all {
		s := row(a.gate, a.of())
		s.Asked++
		if a.escalated { // which people alone do
			row(a.gate, OfPeople).Escalated++
		}
		switch a.state {
		case Approved:
			s.Approved++
		case Rejected:
			s.Rejected++
		case Changed:
			s.Changed++
		case Lapsed:
			s.Lapsed++
		default:
			s.Waiting++
		}
		if a.state != "" && a.state != Lapsed {
			key := [2]string{s.Gate, s.Of}
			waits[key] = append(waits[key], a.wait)
		}
	}
	list := make([]Stats, 0, len(rows))
	for key, s := range rows {
		if n := s.Decided(); n > 0 {
			s.Wait = median(waits[key]).Seconds()
			s.Unchanged = float64(s.Approved) / float64(n)
			s.Always = s.Of == OfPeople && n >= alwaysDecided && s.Unchanged > alwaysShare
		}
		list = append(list, *s)
	}
	slices.SortFunc(list, func(a, b Stats) int { return cmp.Or(cmp.Compare(a.Gate, b.Gate), cmp.Compare(a.Of, b.Of)) })
	return list
}

// median is the middle one, or what is between the two in the middle.
func median(list []time.Duration) time.Duration {
	slices.Sort(list)
	n := len(list)
	return (list[(n-1)/2] + list[n/2]) / 2
}
