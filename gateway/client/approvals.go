package client

import "time"

// The states of an approval.
const (
	Pending   = "pending"   // somebody is asked
	Approved  = "approved"  // the call may be made, once
	Rejected  = "rejected"  // it may not
	Changed   = "changed"   // it may be made as it was changed
	Escalated = "escalated" // the next is asked
	Lapsed    = "lapsed"    // nobody answered in time
	Used      = "used"      // the call was made
	Expired   = "expired"   // it was not made in time
	Stale     = "stale"     // what it was about has moved
	Revoked   = "revoked"   // it was taken back
)

// Approval is what somebody is asked about one call of a run, and what they said.
// Instants are on the run's clock.
type Approval struct {
	ID      string    `json:"id"`
	Run     string    `json:"run"`
	Gate    string    `json:"gate"` // of the policy, which asked
	State   string    `json:"state"`
	Because string    `json:"because,omitempty"` // why the gate is there
	Asked   time.Time `json:"asked"`
	Lapses  time.Time `json:"lapses,omitzero"` // when it is too late to answer
	AskedCall
	Digest    string      `json:"digest"` // of what is shown here, for whoever approves
	Bound     []Bound     `json:"bound"`  // records that must not have moved
	Predicted *Prediction `json:"predicted,omitempty"`
	Leaves
	Answer
}

// Leaves is of a call that is REAL: it leaves for its real service once a person has
// said yes.
type Leaves struct {
	Live  bool   `json:"live,omitempty"`
	Rests []Rest `json:"rests,omitempty"` // what of the real service must not have moved
	Lost  uint64 `json:"lost,omitempty"`  // the event of such a call that left before, and of which nobody knows what came
}

// Rest is a read of the real service, and what the record was known by that it has
// shown.
type Rest struct {
	Read  string `json:"read"`
	At    string `json:"at"`
	Shows string `json:"shows"` // a version, else a digest
}

// AskedCall is the call that an approval, or a draft, is about.
type AskedCall struct {
	Identity  string       `json:"identity"`
	Operation string       `json:"operation"`
	Class     string       `json:"class"`
	Intent    string       `json:"intent"`
	Event     uint64       `json:"event"`
	Request   AskedRequest `json:"request"`
	Before    []Earlier    `json:"before"` // what the agent did before, oldest first
}

// AskedRequest are the arguments of a call, decoded.
type AskedRequest struct {
	Account string         `json:"account,omitempty"` // the one of several that it is for
	Path    map[string]any `json:"path"`
	Query   map[string]any `json:"query"`
	Body    any            `json:"body,omitempty"`
}

// Earlier is a call that came before.
type Earlier struct {
	Event  uint64 `json:"event"`
	Call   string `json:"call"`
	Status int    `json:"status"`
}

// Bound is a record, and the version of it that an approval rests on.
type Bound struct {
	Record  string `json:"record"` // COLLECTION/ID
	Version uint64 `json:"version"`
}

// Answer is who is asked, and what was said.
type Answer struct {
	Approver string         `json:"approver,omitempty"` // by the name that the profile has for them
	By       *By            `json:"by,omitempty"`       // who decided
	Decided  time.Time      `json:"decided,omitzero"`
	Expires  time.Time      `json:"expires,omitzero"` // when what was approved is no longer good
	Note     string         `json:"note,omitempty"`
	Set      map[string]any `json:"set,omitempty"` // fields of the body, as who decided wants them
}

// The kinds of those who say something.
const (
	ByPerson    = "person"    // showed a token of their own
	ByClaimed   = "claimed"   // is what somebody said that they are called
	ByRehearsed = "rehearsed" // is a stand-in of the profile
)

// By is who said something.
type By struct {
	Name string `json:"name"`
	Kind string `json:"kind"`
}

// Prediction is what a call would do, as the fake did it on a fork of the world.
type Prediction struct {
	Status      int            `json:"status"`
	Body        any            `json:"body,omitempty"`
	Diff        []Change       `json:"diff"`
	Touches     map[string]int `json:"touches"`  // records that would change, by collection
	Webhooks    int            `json:"webhooks"` // that would be sent
	Outbox      int            `json:"outbox"`   // mails and messages that would be sent
	Fidelity    string         `json:"fidelity"`
	Differences []string       `json:"differences"` // known ones that cover the call
	Signals     []Signal       `json:"signals"`
}

// Change is what would become of one record.
type Change struct {
	Record string            `json:"record"`           // COLLECTION/ID, or COLLECTION/(new)
	Op     string            `json:"op"`               // create, update or delete
	Before map[string]any    `json:"before,omitempty"` // of one that is deleted
	After  map[string]any    `json:"after,omitempty"`  // of one that is created
	Fields map[string][2]any `json:"fields,omitempty"` // of one that is updated: before and after
}

// Signal is something that a reviewer should know of a call.
type Signal struct {
	Kind string `json:"kind"` // schema, permission or dependency
	Text string `json:"text"`
}

// Approvals is a list of approvals.
type Approvals struct {
	Approvals []Approval `json:"approvals"`
}

// Gone is what a live list tells of an approval that is no more.
type Gone struct {
	Run string `json:"run"`
	ID  string `json:"id"`
}

// Decision is what is said to an approval.
type Decision struct {
	Decision string         `json:"decision"`         // approve, reject, change, escalate or revoke
	By       string         `json:"by,omitempty"`     // a name; who shows a token of their own goes by its name
	Digest   string         `json:"digest,omitempty"` // of what was shown
	Note     string         `json:"note,omitempty"`
	Set      map[string]any `json:"set,omitempty"` // with change: fields of the body
	To       string         `json:"to,omitempty"`  // with escalate: an approver; "": the next
}

// Draft is a write that was captured: nothing of it was done.
type Draft struct {
	ID  string    `json:"id"`
	Run string    `json:"run"`
	By  string    `json:"by"` // the gate, or the stage, that captured it
	At  time.Time `json:"at"`
	AskedCall
	Predicted Prediction `json:"predicted"`
}

// Drafts is a list of drafts.
type Drafts struct {
	Drafts []Draft `json:"drafts"`
}

// NewRuleApproval is what lets a rule strike where real services are called.
type NewRuleApproval struct {
	Rule    string `json:"rule"`
	By      string `json:"by,omitempty"`
	Because string `json:"because,omitempty"`
}

// RuleApproval is one that is in force, under a revision of its profile.
type RuleApproval struct {
	Run      string `json:"run"`
	Rule     string `json:"rule"`
	Revision string `json:"revision"`
	By       By     `json:"by"`
	Because  string `json:"because,omitempty"`
	Event    uint64 `json:"event"`
}

// NewOverride is what lets calls pass a gate for a while.
type NewOverride struct {
	Gate    string `json:"gate"`
	By      string `json:"by,omitempty"`
	Because string `json:"because"`
	For     string `json:"for,omitempty"` // on the run's clock, as "15m"
	Max     int    `json:"max,omitempty"` // so many calls
}

// Override is one that is in force.
type Override struct {
	Run     string    `json:"run"`
	Gate    string    `json:"gate"`
	By      By        `json:"by"`
	Because string    `json:"because"`
	Until   time.Time `json:"until"`
	Max     int       `json:"max,omitempty"`
	Event   uint64    `json:"event"`
}

// Permissions are what each identity of a run may do.
type Permissions struct {
	Run     string       `json:"run"`
	Profile string       `json:"profile"`        // as it was named
	Stage   int          `json:"stage"`          // 0: none is in force
	More    int          `json:"more,omitempty"` // cells that there are besides
	Cells   []Permission `json:"cells"`
}

// MostPermissions is how many cells are told at most.
const MostPermissions = 50_000

// Permission is what becomes of an operation of an identity.
type Permission struct {
	Identity  string `json:"identity"`
	Operation string `json:"operation"`
	Class     string `json:"class"`
	Decision  string `json:"decision"`       // allowed, refused, held or captured
	Code      string `json:"code,omitempty"` // as a refusal has it
	By        string `json:"by,omitempty"`   // the rung or the gate that says so
	When      string `json:"when,omitempty"` // the gate's condition: of the cells of an operation the first counts whose condition holds
}

// ConsoleCode opens the console once.
type ConsoleCode struct {
	Code  string    `json:"code"`
	Until time.Time `json:"until"`
}

// ConsoleToken is what a console shows.
type ConsoleToken struct {
	Token  string    `json:"token"`
	Until  time.Time `json:"until"`
	Name   string    `json:"name,omitempty"` // of who opened it
	Proved bool      `json:"proved"`         // by a token of that person's own
}
