package journal

import (
	"context"
	"fmt"
)

// keepSpare is the largest emptied slice of entries that is used again. A burst
// does not hold its memory for the rest of a run.
const keepSpare = 4096

// loop is the writer's goroutine: it alone calls the store.
func (w *Writer) loop() {
	defer close(w.done)
	for {
		select {
		case <-w.kick:
		case <-w.stop:
			w.finish()
			return
		}
		if w.o.Durability == Async {
			w.gather()
		}
		w.flush()
		if w.broken != nil { // only this goroutine sets it
			<-w.stop
			w.finish()
			return
		}
	}
}

// gather waits for more to come into the batch, until it is old or big enough.
func (w *Writer) gather() {
	old, release := w.o.Clock.After(w.o.FlushEvery)
	defer release()
	select {
	case <-old:
	case <-w.hurry:
	case <-w.stop:
	}
}

// flush hands the batch to the store. Whoever waits is told either way; a batch
// that was not kept stays first in line.
func (w *Writer) flush() {
	w.mu.Lock()
	b := w.next
	if b.empty() {
		w.mu.Unlock()
		return
	}
	newest := w.last
	w.next = batch{entries: w.spare[:0]}
	w.spare = nil
	w.taken++
	select {
	case <-w.hurry: // it was for this batch
	default:
	}
	w.mu.Unlock()

	err := w.store.write(b)

	w.mu.Lock()
	defer w.mu.Unlock()
	if err != nil {
		w.broken = err
		if w.err == nil {
			w.err = fmt.Errorf("run %s: events after %d could not be written, and no more are accepted: %w; see that the disk has room and can be written, then start a new run", w.run, w.committed, err)
		}
		w.taken--
		w.next.before(b)
	} else {
		w.kept++
		w.committed = newest
		w.backlog -= b.bytes
		if cap(b.entries) <= keepSpare {
			clear(b.entries)
			w.spare = b.entries
		}
	}
	close(w.turn)
	w.turn = make(chan struct{})
}

// Covered waits until the store's promise holds for event seq. In Async that is
// at once while the backlog is within Options.Window; in Sync it is when the
// event's transaction is on disk. It gives ctx's error when that ends first,
// and the reason when the event will not be kept.
func (w *Writer) Covered(ctx context.Context, seq uint64) error {
	return w.wait(ctx, func() (bool, error) {
		switch {
		case seq <= w.committed:
			return true, nil
		case seq > w.last:
			return true, fmt.Errorf("run %s: %w: nobody appended event %d; report this, it is a defect of Parity", w.run, ErrOrder, seq)
		case w.broken != nil:
			return true, w.err
		case w.o.Durability == Async && w.backlog <= w.o.Window:
			return true, nil
		}
		signal(w.hurry)
		return false, nil
	})
}

// Flush writes what was appended so far and waits for it, so that a Reader sees
// it.
func (w *Writer) Flush(ctx context.Context) error {
	w.mu.Lock()
	target := w.taken
	if !w.next.empty() {
		target++
	}
	w.mu.Unlock()
	return w.wait(ctx, func() (bool, error) {
		switch {
		case w.kept >= target:
			return true, nil
		case w.broken != nil:
			return true, w.err
		}
		signal(w.hurry)
		return false, nil
	})
}

// wait asks over, with w.mu held, at every turn until it says true.
func (w *Writer) wait(ctx context.Context, over func() (bool, error)) error {
	for {
		w.mu.Lock()
		ok, err := over()
		turn := w.turn
		w.mu.Unlock()
		if ok {
			return err
		}
		select {
		case <-turn:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// Close writes what is left, gives the run free and ends the goroutine; calls
// after the first give the same. After a failed write it tries once more: a
// disk that has room again loses nothing. Its error says which events are lost.
func (w *Writer) Close() error {
	w.ending.Do(func() {
		w.mu.Lock()
		if w.err == nil {
			w.err = fmt.Errorf("run %s: %w", w.run, ErrClosed)
		}
		w.mu.Unlock()
		close(w.stop)
	})
	<-w.done
	return w.closed
}

// finish is the goroutine's last act.
func (w *Writer) finish() {
	w.mu.Lock()
	w.broken = nil
	w.mu.Unlock()
	w.flush()
	err := w.store.close(w.broken == nil)
	switch {
	case w.broken == nil && err == nil:
	case w.broken == nil:
		w.closed = fmt.Errorf("run %s: everything is written, but closing it failed: %w", w.run, err)
	case w.committed == w.last:
		w.closed = fmt.Errorf("run %s: settlements were not written: %w; the events are all kept", w.run, w.broken)
	default:
		w.closed = fmt.Errorf("run %s: events %d to %d were not written and are lost: %w; those before are kept", w.run, w.committed+1, w.last, w.broken)
	}
}
