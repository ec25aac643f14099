package faults

import "parity/specs"

// A Form is how a sweep tries a fault at each call that it fits: with parameters
// that an agent notices in seconds, and reaching past what SDKs retry by
// themselves.
type Form struct {
	// Rank is where it comes among the forms of all faults: what has cost the most
	// is tried first. Ranks are tens, so that a new one finds a place.
	Rank  int
	With  map[string]any
	Tries int64 // attempts of the intent that are hit; 0: the fault's own default
	// AtRead says that it is about a record that the agent reads before it writes:
	// once_read names that read, and the trigger counts such records.
	AtRead bool
	First  bool // it strikes the first call that has what it takes, such as a page with more behind it
	Fits   func(Usage) bool
}

// Usage is what is known of an agent's calls of an operation.
type Usage struct {
	Effect             specs.Effect // as the profile has it
	Read               bool         // what it writes was read before, at the same path
	Keyed              bool         // with an idempotency key
	Paged              bool         // beyond the first page of a list
	AfterWrite         bool         // after something had been changed at the service
	BeforeIrreversible bool         // before something that cannot be undone
}

func fitsAll(Usage) bool     { return true }
func fitsReads(u Usage) bool { return u.Effect == specs.Read }

func fitsWrites(u Usage) bool { return u.Effect != specs.Read }
func fitsPaged(u Usage) bool  { return u.Paged }
