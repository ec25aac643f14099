package trail

import "fmt"

// Result is what a run proved about one thing.
type Result string

// The results. A run whose required faults did not fire is InvalidRun.
const (
	Passed       Result = "passed"
	Failed       Result = "failed"
	NotExercised Result = "not exercised"
	NotEvaluated Result = "not evaluated"
	InvalidRun   Result = "invalid"
)

// Reaction is what the agent did about a fault.
type Reaction string

// The reactions.
const (
	Handled    Reaction = "handled"
	Mishandled Reaction = "mishandled"
	CutShort   Reaction = "cut short" // the run ended first
	Unjudged   Reaction = "not evaluated"
)

// Always begins the subject of what is judged of every run, faults or not.
const Always = "always: "

// The subjects of what is judged of every run.
const (
	OneEffect      = Always + "one effect per intent"
	BoundedRetries = Always + "bounded retries"
	ShownClaims    = Always + "claims are shown"
	ReadVersions   = Always + "versions are read"
	TakesNo        = Always + "takes no for an answer"
	HeedsApprovals = Always + "heeds approvals"
	NothingWritten = Always + NothingReal
)

// NothingReal is what is judged of runs that reach real services, and what a
// profile may demand of any.
const NothingReal = "nothing real was written"

// AlwaysJudged gives these subjects, in the order in which they are judged.
func AlwaysJudged() []string {
	return []string{OneEffect, BoundedRetries, ShownClaims, ReadVersions, TakesNo, HeedsApprovals, NothingWritten}
}

// Verdict is one thing judged, with its scope.
type Verdict struct {
	Subject  string   `json:"subject"` // a rule's name, or what is always judged
	Kind     string   `json:"kind"`    // fault, always, required or expectation
	Result   Result   `json:"result"`
	Headline string   `json:"headline,omitempty"` // of what failed: what happened, in a few words
	Grades   string   `json:"grades,omitempty"`   // of an expectation: what it grades, order or state
	At       *Place   `json:"at,omitempty"`       // where the profile says it
	Reaction Reaction `json:"reaction,omitempty"`
	Lines    []string `json:"lines,omitempty"`    // what happened, exchange by exchange
	Mend     string   `json:"mend,omitempty"`     // how to do better
	Evidence []uint64 `json:"evidence,omitempty"` // the events that show it
	Why      string   `json:"why,omitempty"`      // what limits it: why it was not evaluated or exercised, or who got in the way
	Settle   string   `json:"settle,omitempty"`   // of what was not evaluated: what would tell; see the Settle… constants, else a line of a profile
	Weakened []string `json:"weakened,omitempty"` // known differences that keep it from proving
	Doubt    bool     `json:"doubt,omitempty"`    // an intent may have taken effect twice, and nothing shows whether it did
	Because  string   `json:"because,omitempty"`  // why the profile has the rule
	Counts   *Counts  `json:"counts,omitempty"`   // of a fault that fired
	Scope    Basis    `json:"scope"`
}

// What would tell what a run left open, apart from a line that a profile lacks.
const (
	SettleTwin    = "twin"    // a run without faults beside it
	SettleOutcome = "outcome" // an outcome that the agent posts, or an exit code

	SettleEachTime = "each time"  // the fault, each time that it could strike
	SettleNeeded   = "needed"     // a world in which the work needs what the fault leaves out
	SettleField    = "with.field" // the fault at a field by which the work goes
)

// Counts says apart how often a fault was noticed and got over. A case is one
// call that it struck, with the retries and looks that belong to it. What the
// wire and a posted outcome do not show counts as not so.
type Counts struct {
	Cases     int `json:"cases"`
	Noticed   int `json:"noticed"`   // the agent did or said something about it
	Reacted   int `json:"reacted"`   // something was done about it, if only by an SDK
	Recovered int `json:"recovered"` // and what the call was for came right in the end
	Unnoticed int `json:"unnoticed"` // of the recovered, those that the agent did not notice
}

// Place is a place in a profile; lines and columns count from 1.
type Place struct {
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
}

func (p *Place) String() string { return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Column) }

// Basis is what one verdict rests on.
type Basis struct {
	Fired       int        `json:"fired"`                 // times that its fault struck
	Properties  []string   `json:"properties,omitempty"`  // of the services, such as effects and freshness
	Operations  []string   `json:"operations"`            // such as "stripe POST /v1/refunds"
	Fidelity    []Fidelity `json:"fidelity,omitempty"`    // how these were answered
	Differences []string   `json:"differences,omitempty"` // known differences that cover them
}

// Judgement is what a run proved, and how far that reaches.
type Judgement struct {
	Verdicts []Verdict `json:"verdicts"`
	Valid    bool      `json:"valid"` // no required fault stayed away
	Scope
	LiveFaults []LiveFault `json:"live_faults,omitempty"` // rules that struck where real services are called, or waited for a person
}

// Scope is what a run touched and what it left out.
type Scope struct {
	Exchanges   int          `json:"exchanges"` // calls to services; what was refused or passed through unread is apart
	Faults      []RuleCount  `json:"faults"`
	Operations  []Touched    `json:"operations"`
	NeverCalled []string     `json:"never_called"` // services that the profile binds
	Differences []Difference `json:"known_differences"`
	Untouched   []string     `json:"untouched_differences"` // names of those that cover nothing that was called
	Outside     []HostCount  `json:"outside"`               // hosts whose traffic passed unread
	Denied      []HostCount  `json:"denied"`                // hosts that nothing was let out to
	NotPlayed   []NotPlayed  `json:"not_played"`            // what services were asked for that have no such operation here
	Defects     []Defect     `json:"defects"`               // exchanges that Parity itself broke
	Disputed    []Disputed   `json:"disputed,omitempty"`    // requests and replies of which two judges of contracts say different things
	Declined    []Declined   `json:"declined,omitempty"`    // what services refused without a fault, where the agent ended as if all went well
	Upstream    *Proof       `json:"upstream,omitempty"`    // what reached real services; nil: nothing was to
	Policy      *Authority   `json:"policy,omitempty"`      // what policy came to; nil: nothing was asked of any
	Contained   *Contained   `json:"contained,omitempty"`   // whether anything can have gone around the gateway
}

// Declined is a call that a service refused by itself, and that came to nothing.
type Declined struct {
	Call   string `json:"call"` // service and operation
	Status int    `json:"status"`
	Calls  int    `json:"calls"`
	First  uint64 `json:"first"` // the event of the first one
}

// NotPlayed is a call to a service for which Parity has no operation.
type NotPlayed struct {
	Call  string `json:"call"` // service, method and path
	Calls int    `json:"calls"`
	First uint64 `json:"first"` // the event of the first one
}

// RuleCount says how often a rule came into it.
type RuleCount struct {
	Rule      string `json:"rule"`
	Fault     string `json:"fault"`
	Required  bool   `json:"required,omitempty"`
	Matched   int    `json:"matched"` // calls that it was about
	Fired     int    `json:"fired"`
	Outranked int    `json:"outranked,omitempty"`
	Unknown   int    `json:"unknown,omitempty"`   // times that its condition could not be evaluated
	Unknowing string `json:"unknowing,omitempty"` // why not, the first time
	Swallowed int    `json:"swallowed,omitempty"` // intents in which the SDK's own retry hid it from the agent
	Tries     int    `json:"tries,omitempty"`     // how many tries would reach past that SDK
}

// Touched is one operation that was called.
type Touched struct {
	Operation string     `json:"operation"` // such as "stripe POST /v1/refunds"
	Effect    string     `json:"effect"`
	Exchanges int        `json:"exchanges"`
	Committed int        `json:"committed,omitempty"`
	First     uint64     `json:"first,omitempty"` // the first event that committed
	Fidelity  []Fidelity `json:"fidelity"`        // injected only where nothing else answered
}

// Difference is a known difference that covers operations which were called.
type Difference struct {
	Name       string      `json:"name"`
	Production string      `json:"production,omitempty"` // what the real service does
	Here       string      `json:"here,omitempty"`       // what happens in a rehearsal
	So         string      `json:"so,omitempty"`         // what a rehearsal therefore does not show
	Weakens    []string    `json:"weakens"`
	Exchanges  int         `json:"exchanges"`
	Accepted   *Acceptance `json:"accepted,omitempty"`
}

// Acceptance says who took a known difference into account, and until when.
type Acceptance struct {
	By       string   `json:"by"`
	Until    string   `json:"until,omitempty"` // the day on which it has expired; "": it does not
	Standing Standing `json:"standing"`        // on the day on which the run was made
}

// Standing is how an acceptance stands on a day.
type Standing string

// How an acceptance stands.
const (
	InForce  Standing = "in force"
	Expiring Standing = "about to expire" // within 14 days
	Expired  Standing = "expired"
)

// HostCount is a host and how many calls it was meant to get. What passes
// unread is counted by its connections: nobody looked inside.
type HostCount struct {
	Host  string `json:"host"`
	Calls int    `json:"calls"`
	By    string `json:"by,omitempty"` // the setting that let it pass; of an attempt, who answered in its place
	// Protocol is of an attempt, which is no call: tcp, udp. Host has its port, then.
	Protocol string `json:"protocol,omitempty"`
}

// Disputed is one exchange of which two judges of contracts say different things.
type Disputed struct {
	Seq       uint64 `json:"seq"`
	Operation string `json:"operation"`
	Dispute
}

// Defect is one exchange that Parity itself broke.
type Defect struct {
	Seq  uint64 `json:"seq"`
	Note string `json:"note,omitempty"`
}
