package world

import "errors"

// ErrOverworked is what a Tx panics with when it is asked for more work than it
// was given.
var ErrOverworked = errors.New("it takes more work than one call may ask for")

// Work is what may still be done, in steps. One step is about what it takes to
// read a record: less than a microsecond.
type Work struct{ Left int }

// What the parts of a transaction cost, in steps. What is done with a record
// grows with it, hence the bytes.
const (
	readStep, bytesRead   = 1, 512 // a step, and one for so many bytes
	writeStep, bytesWrite = 8, 32
)

// Within has all that is read and written from here on spend of some work; nil
// lets it cost nothing again.
func (t *Tx) Within(work *Work) { t.work = work }

// Spend takes steps for work that is not reading or writing: what a loop does
// over what was read. It panics with ErrOverworked where they are spent.
func (t *Tx) Spend(steps int) {
	if t == nil || t.work == nil {
		return
	}
	if t.work.Left -= steps; t.work.Left < 0 {
		panic(ErrOverworked)
	}
}

// met notes that a record was read, which costs the more the longer it is; of
// what nobody asks for the length does not count.
func (t *Tx) met(r *Record) {
	t.known.add(r)
	switch {
	case t.work == nil:
	case r.home().quiet():
		t.Spend(readStep)
	default:
		t.Spend(readStep + r.size()/bytesRead)
	}
}

// A Mark is a place in a transaction to go back to.
type Mark struct{ tx Tx }

// Mark marks what is written so far.
func (t *Tx) Mark() Mark {
	t.owned, t.shelved = nil, nil // what is written from here on goes to other forks
	return Mark{*t}
}

// Restore forgets what was written since a mark of this transaction.
func (t *Tx) Restore(m Mark) { *t = m.tx }
