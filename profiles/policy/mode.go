package policy

import "slices"

// A Mode is where the calls of an operation go.
type Mode string

// The modes, from what reaches nothing real to what does all.
const (
	Fake     Mode = "fake"      // to the fake
	LiveRead Mode = "live-read" // reads to the real service, writes to the fake
	Shadow   Mode = "shadow"    // reads to the real service, writes are kept as drafts
	Recorded Mode = "record"    // reads to the real service, and kept as a conversation; writes are refused
	Live     Mode = "live"      // reads and writes to the real service
)

// Modes gives all of them.
func Modes() []Mode { return []Mode{Fake, LiveRead, Shadow, Recorded, Live} }

// Known tells whether it is one of them.
func (m Mode) Known() bool { return slices.Contains(Modes(), m) }

// Lays tells whether what a run has changed by itself is laid over what is read.
func (m Mode) Lays() bool { return m == LiveRead || m == Live }

// Reaches tells whether something of the operation may leave for the real service.
func (m Mode) Reaches() bool { return m != Fake && m.Known() }
