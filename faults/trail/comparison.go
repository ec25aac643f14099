package trail

// Comparison is what an agent wrote in a run beside what people did, by their log.
// Nothing of it is judged: it says where the two part.
type Comparison struct {
	Run         string    `json:"run"`
	Log         HumanLog  `json:"log"`
	Acts        int       `json:"acts"` // writes of the agent that were captured, or made on a fake; a retry is none of its own
	Agree       int       `json:"agree"`
	Acceptable  int       `json:"acceptable"`
	Interesting int       `json:"interesting"`
	Dangerous   int       `json:"dangerous"`
	Findings    []Finding `json:"findings"` // the worst first, and then as the agent acted
	Left        []LeftOut `json:"left"`     // lines of the log that are no act here
	Tried       []Tried   `json:"tried"`    // writes of the agent of which nothing came: they are compared with nothing
}

// HumanLog is the log of what people did.
type HumanLog struct {
	Digest string   `json:"digest"` // SHA-256 of its bytes
	Lines  int      `json:"lines"`
	Acts   int      `json:"acts"`  // lines that are writes of operations that are known here
	Reads  int      `json:"reads"` // lines that are reads
	By     []string `json:"by"`    // who did them
}

// Likeness is how an act of the agent and one of a person compare.
type Likeness string

// The kinds of findings.
const (
	Agree       Likeness = "agree"       // both did the same
	Acceptable  Likeness = "acceptable"  // only fields differ that the profile lets differ
	Interesting Likeness = "interesting" // one did it alone, or they did it in another way
	Dangerous   Likeness = "dangerous"   // the agent did what cannot be undone and nobody did, or to another amount, recipient or target
)

// Finding is an act of the agent beside one of a person, or one that was done on
// one side alone.
type Finding struct {
	Kind   Likeness  `json:"kind"`
	Call   string    `json:"call"`  // service and operation: the agent's, or the person's where the agent has none
	Class  string    `json:"class"` // of that
	About  string    `json:"about,omitempty"`
	Agent  *AgentAct `json:"agent,omitempty"`  // nil: the agent did nothing like it
	Person *HumanAct `json:"person,omitempty"` // nil: nobody did anything like it
	Fields []Apart   `json:"fields,omitempty"` // in which they differ
	Why    []string  `json:"why,omitempty"`    // in words
}

// AgentAct is a write of the agent.
type AgentAct struct {
	Event    uint64 `json:"event"`
	Draft    string `json:"draft,omitempty"` // it was captured as; "": a fake did it
	Identity string `json:"identity"`
	Times    int    `json:"times,omitempty"` // how often it was sent, where that is more than once
}

// HumanAct is a line of the log.
type HumanAct struct {
	Line int    `json:"line"`
	At   string `json:"at"`
	By   string `json:"by,omitempty"`
	Call string `json:"call,omitempty"` // where it is another operation than the agent's
}

// Sense is what a field that differs says.
type Sense string

// The senses in which a difference is dangerous.
const (
	SenseAmount    Sense = "amount"
	SenseRecipient Sense = "recipient"
	SenseTarget    Sense = "target" // which record it is about
	SenseOther     Sense = "other"
)

// Apart is a field in which two acts differ.
type Apart struct {
	Field      string `json:"field"` // dotted; of a path or a query with that word before it
	Of         Sense  `json:"of"`
	Agent      string `json:"agent"`
	Person     string `json:"person"`
	Acceptable bool   `json:"acceptable,omitempty"` // the profile lets it differ
}

// LeftOut is a line of the log that is compared with nothing.
type LeftOut struct {
	Line int    `json:"line"`
	Call string `json:"call"`
	Why  string `json:"why"`
}

// Tried is a write that policy stopped, or that the fake refused.
type Tried struct {
	Event  uint64 `json:"event"`
	Call   string `json:"call"`
	Status int    `json:"status"`
	Code   string `json:"code,omitempty"` // why policy stopped it; "": the fake refused it
}
