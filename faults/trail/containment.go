package trail

// The levels of containments.
const (
	ContainedNetwork = "network" // by Parity: the network alone
	ContainedWhole   = "whole"   // by Parity: files and processes too
)

// Containment says what came of trying each way out from where an agent is. The
// last one that a run has counts.
type Containment struct {
	Level  string   `cbor:"1,keyasint" json:"level"` // ContainedNetwork and so on
	Probes int      `cbor:"2,keyasint" json:"probes"`
	Out    []Escape `cbor:"3,keyasint,omitempty" json:"out,omitempty"` // the probes that got out
}

// Escape is a probe that got out.
type Escape struct {
	Probe string `cbor:"1,keyasint" json:"probe"`
	Said  string `cbor:"2,keyasint" json:"said"` // what was tried and what came of it, in words
}

// Contained says whether a run is known to have left no way around the gateway.
type Contained struct {
	Yes      bool     `json:"yes"`
	Level    string   `json:"level,omitempty"` // network or whole; "": nothing was tried
	Probes   int      `json:"probes,omitempty"`
	Out      []Escape `json:"out,omitempty"`      // the probes that got out
	Attempts []string `json:"attempts,omitempty"` // what the agent tried to reach besides, and did not: tcp 10.1.2.3:5432
	Why      string   `json:"why,omitempty"`      // not contained: why
}

// Why a run is not contained.
const (
	NotAskedFor = "nothing was asked to contain the agent"
	LetOut      = "hosts that nobody knows are let out (policy.egress.mode: tool)"
	GotOut      = "probes got out"
	TriedLate   = "ways out were tried only after the agent had made calls"
)
