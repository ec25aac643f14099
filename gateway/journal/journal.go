// Package journal keeps the events of runs: every input of a run, in order, as
// bytes that it does not look into.
//
//	run 1  Append ──┐
//	run 2  Append ──┼──► backlog ──► one goroutine ──► one transaction ──► journal.db
//	run 3  Append ──┘   (memory,     (every 25 ms, or       │ runs        (names, forks, ends)
//	         │           bounded)     256 KiB, or at once)  │ blocks      (first, last, entries)
//	         └─ full? refused                               │ settlements (what really went out)
//	                                                        └ revisions, notes, epochs
//
// A store is one folder with one SQLite file. It keeps any number of runs, each
// with a Writer; a run that goes on costs memory for a few words and for what
// no transaction holds yet, and neither a goroutine nor a file of its own.
//
// Append touches no disk, so that it can be called under a run's lock. Covered
// waits, outside that lock, until the store's promise holds for an event; a
// reply goes out after it. What the promise is:
//
//   - Async: a process that ends by Close loses nothing. One that is killed
//     loses what no transaction held yet: about the last Options.FlushEvery of
//     events, and of those that Covered let through at most Options.Window
//     bytes. A machine that loses power can lose what was written since
//     SQLite's last checkpoint, about 4 MB. Either way it is a tail of the
//     store that is lost, never a hole: a transaction is there for all runs that
//     have something in it, or for none.
//   - Sync: an event that Covered has let through survives a kill and a loss of
//     power, as far as the disk keeps its own promise. Events that come
//     together share one transaction.
//
// An event is never dropped: where there is no room for it, Append refuses it
// with ErrFull, and the exchange that it stood for has to be refused as well.
// Retention takes whole runs, ended ones alone. A store that was damaged is
// refused, or read up to the damage; Repair keeps what is good of it.
//
// A fork is a run whose line of events begins with another's: it keeps those
// after the fork alone, and reads as one line.
package journal

import (
	"cmp"
	"time"

	"parity/fakes/clock"
)

// An Entry is one event. Appending it copies Data.
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

// An Origin says where a run's line of events begins. The zero Origin is a line
// of its own, from event 1.
type Origin struct {
	Base string // the run that it is forked from
	Seq  uint64 // the last event that is Base's
}

// An Info is what a store knows of a run.
type Info struct {
	Run     string
	Base    string // what it is forked from; "" for a line of its own
	BaseSeq uint64
	Made    time.Time
	Ended   time.Time // zero: it goes on
	Last    uint64    // newest event
	Bytes   int64     // of its own events and all that is kept with them, packed as they are stored
}

// Keep bounds the records of ended runs. A zero field is no bound.
type Keep struct {
	Age   time.Duration // since a run ended
	Count int           // of ended runs
	Bytes int64         // of all runs
}

// An Epoch is one time that a store was opened for writing.
type Epoch struct {
	Number uint64 // from 1
	PID    int
	Host   string
	Opened time.Time
	Closed time.Time // zero while it is being written, or when its writer was killed
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
	MaxBytes   int64         // bytes that a run may keep at all, as they are stored; 1 GiB
	MaxStore   int64         // bytes that all runs together may keep, as they are stored; no bound on disk, 256 MiB in memory
	Clock      clock.Wall    // real time; clock.System
}

// The defaults of Options.
const (
	DefaultFlushEvery = 25 * time.Millisecond
	DefaultFlushBytes = 256 << 10
	DefaultWindow     = 4 << 20
	DefaultMaxBacklog = 32 << 20
	DefaultMaxBytes   = 1 << 30
	DefaultMemory     = 256 << 20
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
