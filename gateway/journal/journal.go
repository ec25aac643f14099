// Package journal keeps a run's events: every input of a run, in order, as
// bytes that it does not look into.
//
//	Append ──► backlog ──► writer goroutine ──► one transaction ──► journal.db
//	(memory)  (bounded)   (every 25 ms, or       │ blocks       (first, last, entries)
//	              │        256 KiB, or at once)  │ settlements  (what really went out)
//	              │                              │ revisions    (profile texts by hash)
//	              └─ full? refused               └ meta, epochs
//
// Append touches no disk, so that it can be called under a run's lock. Covered
// waits, outside that lock, until the store's promise holds for an event; a
// reply goes out after it. What the promise is:
//
//   - Async: a process that ends by Close loses nothing. One that is killed
//     loses what no transaction held yet: about the last Options.FlushEvery of
//     events, and of those that Covered let through at most Options.Window
//     bytes. A machine that loses power can lose what was written since
//     SQLite's last checkpoint, about 4 MB. Either way it is a tail that is
//     lost, never a hole.
//   - Sync: an event that Covered has let through survives a kill and a loss of
//     power, as far as the disk keeps its own promise. Events that come
//     together share one transaction.
//
// An event is never dropped: where there is no room for it, Append refuses it
// with ErrFull, and the exchange that it stood for has to be refused as well.
//
// One run is one folder with one SQLite file, written by one Writer and read by
// any number of Readers, while it is written and after a crash. README.md says
// why it is built so.
package journal

import (
	"cmp"
	"time"

	"parity/fakes/clock"
)

// An Entry is one event. Data belongs to the journal once appended: changing
// it afterwards would change what is kept.
type Entry struct {
	Seq  uint64 // from 1, without gaps
	Data []byte
}

// A Settlement is what became of the event Of on the wire. It is outside the
// sequence; of several for one event each is kept, in the order they came.
type Settlement struct {
	Of   uint64
	Data []byte
}

// A Revision is one profile text.
type Revision struct {
	Hash    string
	Content []byte
	AtSeq   uint64 // the first event that can have been made under it
}

// An Epoch is one time that a run was opened for writing.
type Epoch struct {
	Number uint64 // from 1
	PID    int
	Host   string
	Opened time.Time
	Closed time.Time // zero while it is being written, or when its writer was killed
	Last   uint64    // newest event when it was closed
}

// Durability is how much has to be kept before Covered lets an event through.
type Durability int

// The promises; the package comment says what each is worth.
const (
	Async Durability = iota // within a bounded backlog
	Sync                    // committed and on disk
)

// Options are the bounds and habits of a journal. The zero value of each field
// stands for the default that it names.
type Options struct {
	Durability Durability
	FlushEvery time.Duration // longest time that an event waits for its transaction in Async; 25 ms
	FlushBytes int           // backlog that is written without waiting, and the size of a block; 256 KiB
	Window     int64         // backlog in bytes from which Covered waits in Async; 4 MiB
	MaxBacklog int64         // backlog in bytes from which Append refuses; 32 MiB
	MaxBytes   int64         // bytes that a run may keep at all; 1 GiB on disk, 64 MiB in memory
	Clock      clock.Wall    // real time; clock.System
}

// The defaults of Options.
const (
	DefaultFlushEvery  = 25 * time.Millisecond
	DefaultFlushBytes  = 256 << 10
	DefaultWindow      = 4 << 20
	DefaultMaxBacklog  = 32 << 20
	DefaultMaxBytes    = 1 << 30
	DefaultMemoryBytes = 64 << 20
)

func (o Options) withDefaults() Options {
	o.FlushEvery = cmp.Or(o.FlushEvery, DefaultFlushEvery)
	o.FlushBytes = cmp.Or(o.FlushBytes, DefaultFlushBytes)
	o.Window = cmp.Or(o.Window, DefaultWindow)
	o.MaxBacklog = cmp.Or(o.MaxBacklog, DefaultMaxBacklog)
	o.MaxBytes = cmp.Or(o.MaxBytes, DefaultMaxBytes)
	if o.Clock == nil {
		o.Clock = clock.System{}
	}
	return o
}
