package faults

import (
	"time"

	"parity/fakes"
	"parity/faults/trail"
	"parity/specs"
)

// Plan is what is to happen to one exchange. It starts out as what an
// untroubled service does; each fault that fires alters it.
//
//	policy (Lose, Narrow) ─▶ Hold ─▶ edits ─▶ act (unless Skip) ─▶ commit (unless NoCommit) ─▶ edits ─▶ Say, or the fake's reply ─▶ amend ─▶ Wire
type Plan struct {
	Hold     *Hold
	Skip     bool           // the fake is not asked
	NoCommit bool           // the fake is asked, and nothing it did stays
	Ask      Ask            // in which way the fake is asked
	Job      *Job           // what the fake did is done later; the client is told where to look
	Say      *fakes.Problem // worded by the service's dialect, in place of the fake's reply
	Page     *Page          // sent as it is, in place of the fake's reply
	Wire     trail.Wire
	Encoding string  // how the body is to be encoded: "" as it is, gzip, br, or AsAsked
	Rests    string  // as policy found it before rules of the phase Policy are asked: how the approval that the call rests on stands, such as approved; "": on none
	Lose     string  // before policy looks: how the approval that the call rests on is made void, as approval-lost has it; "": it is not
	Narrow   *Narrow // before policy looks: what is left of the caller's grant at this service; nil: it stays
	Refuse   string  // of a connection: how it is refused; "": it is not

	cut     any // where a Short wire ends; nil: half-way
	decided bool
	owner   string // the rule that is writing to the plan
	works   []Work
	page    string // before the names of notes: whose they are
	notes   []Note
}

// Ask is a way in which a fake is asked.
type Ask struct {
	Twice    bool          // as two calls, both of which stay
	Keyless  bool          // without the call's idempotency key
	Ago      time.Duration // above 0: as things were so long ago; nothing that it writes stays
	For      *specs.Input  // what is asked for, in place of what the client asks for; nil: that
	Answered bool          // with Ago: not before the call would have been answered; Ago is then how long that is ago
}

// Again tells whether a fake that was asked already, to judge a condition on
// its result, is to be asked anew.
func (p *Plan) Again() bool {
	return p.Ask != Ask{} || len(p.Works(BeforeCall)) > 0 || len(p.Works(Asking)) > 0
}

// Join has the reply to a call that carries several go out as that to one of them
// would: late, cut or lost, since it is one reply. What a wait before the part
// would take is taken after it.
func (p *Plan) Join(part *Plan) {
	delay := max(p.Wire.Delay, part.Wire.Delay)
	if part.Hold != nil {
		delay = max(delay, part.Hold.For)
	}
	pause := max(p.Wire.BodyWait, part.Wire.BodyWait)
	if was, its := &p.Wire, &part.Wire; was.End == trail.Complete && !was.Short && (its.End != trail.Complete || its.Short) {
		p.Wire, p.cut = *its, part.cut
	} else if its.Chunk > 0 && was.Chunk == 0 {
		was.Chunk, was.Every = its.Chunk, its.Every
	}
	p.Wire.Delay, p.Wire.BodyWait, p.Wire.Chunked = delay, pause, p.Wire.Chunked || part.Wire.Chunked
}

// Hold is a wait before the fake acts.
type Hold struct {
	For  time.Duration // how long; the client may leave earlier
	Acts bool          // the fake acts when the wait is over, whether or not the client is still there
}

// Page is a reply that does not come from the service but from what stands
// in front of it.
type Page struct {
	Status      int
	ContentType string
	Body        string
	Header      map[string]string // beside the content type
}

// CallContext is what an injection can know about the exchange that it strikes.
type CallContext struct {
	Call    Request                          // what is asked for
	Status  int                              // what the fake has answered; 0: it was not asked yet
	Attempt int                              // of this intent, counted by this rule, from 1
	Tries   int                              // how many attempts the rule hits
	Now     time.Time                        // the exchange's instant
	Began   time.Time                        // the run's first instant
	Opens   time.Time                        // when the trigger's window opened; zero: it has none
	Until   time.Time                        // a limit of this rule that still holds, or zero
	Uses    func(since time.Time) int        // calls that this rule has counted since then
	First   time.Time                        // the oldest call that it has counted and remembers; zero: none
	Noted   func(name string) map[string]any // what this rule has noted of this service; nil: nothing
	Failing func(Pattern) time.Time          // when calls like that last failed; zero: never, or the last one succeeded
	Aside   bool                             // the rule does not name the call, or has struck its caller before
	Draw    func(purpose string) float64     // a keyed draw in [0,1)
	Steady  func(purpose string) float64     // a draw that is the same for each call of the rule
}

// Mark is what an injection leaves behind in the journal.
type Mark struct {
	Wait  time.Duration // what the client was told to wait
	Until time.Time     // a limit that holds until then
}

// Request is what an injection can know of the request.
type Request struct {
	Operation  *specs.Operation
	Input      specs.Input
	Occurrence int    // which intent of its fingerprint it is, from 1
	Base       string // under which the client reached the service: scheme, host and prefix
	Host       string // that the client meant, without its port
	Target     string // path and query, as the service knows them
	Identity   string
	Key        string // the idempotency key that it carries, where the service honours them
	Fresh      bool   // the client asks past caches
}
