package journal

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// retryEvery is how long a store that could not write waits before it tries
// again: a disk may have room by then.
const retryEvery = time.Second

// loop is the store's goroutine: it alone calls the backend.
func (s *Store) loop() {
	defer close(s.done)
	for {
		select {
		case <-s.kick:
		case <-s.stop:
			s.finish()
			return
		}
		if s.o.Durability == Async {
			s.gather()
		}
		s.flush()
		for s.broken != nil && !errors.Is(s.broken, ErrFenced) { // only this goroutine sets it
			if s.rests() {
				s.finish()
				return
			}
			s.flush()
		}
		if s.broken != nil {
			<-s.stop
			s.finish()
			return
		}
	}
}

// rests waits until it is time to try again, or tells that the store is to end.
func (s *Store) rests() bool {
	again, release := s.o.Clock.After(retryEvery)
	defer release()
	select {
	case <-again:
		return false
	case <-s.stop:
		return true
	}
}

// gather waits for more to come into the batch, until it is old or big enough.
func (s *Store) gather() {
	old, release := s.o.Clock.After(s.o.FlushEvery)
	defer release()
	select {
	case <-old:
	case <-s.hurry:
	case <-s.stop:
	}
}

// take makes a batch of what there is. s.mu is held, here and in putBack.
func (s *Store) take() (batch, []*Writer) {
	b := batch{purged: s.purged, dropped: s.dropped, slabs: s.slabs.used, bytes: s.waiting, upto: s.noted, sync: s.o.Durability == Async && s.disk.wanted > s.disk.upto}
	writers := s.changed[:0]
	for _, w := range s.changed {
		if w.next != nil {
			w.next.stored, w.writing = w.next.frames, w.next.counted
			b.parts = append(b.parts, w.next)
			writers = append(writers, w)
			w.next = nil
		}
	}
	s.changed, s.purged, s.dropped, s.slabs.used, s.waiting = nil, nil, nil, nil, 0
	return b, writers
}

// putBack puts a batch that was not kept in front of what has come since.
func (s *Store) putBack(b batch, writers []*Writer) {
	later := s.changed
	s.changed = nil
	for i, w := range writers {
		p := b.parts[i]
		w.writing = 0
		if w.purged {
			s.backlog -= p.bytes
			continue
		}
		s.waiting += p.bytes
		if w.next != nil {
			p.add(w.next)
		}
		w.next = p
		s.changed = append(s.changed, w)
	}
	s.changed = append(s.changed, later...) // one that is in it twice has no part the second time
	s.purged = append(b.purged, s.purged...)
	s.dropped = append(b.dropped, s.dropped...)
	s.slabs.used = append(b.slabs, s.slabs.used...)
}

// flush hands a batch to the backend. Whoever waits is told either way; a batch
// that was not kept stays first in line.
func (s *Store) flush() {
	s.mu.Lock()
	b, writers := s.take()
	select {
	case <-s.hurry: // it was for this batch
	default:
	}
	s.mu.Unlock()
	var err error
	if !b.empty() || b.sync {
		err = s.back.write(b)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if err != nil {
		s.fails(err)
		s.putBack(b, writers)
	} else {
		s.works()
		s.kept = b.upto
		s.disk.synced(b, s.o.Durability)
		s.slabs.kept(b.slabs)
		s.backlog -= b.bytes
		for i, w := range writers {
			p := b.parts[i]
			if n := len(p.entries); n > 0 {
				w.committed = p.entries[n-1].Seq
			}
			w.writing = 0
			if !w.purged { // what it counted for is off already
				s.expected -= p.counted
				w.total += p.stored - p.counted
				s.total += p.stored - p.counted
			}
			s.packing.add(p.frames, p.stored)
		}
	}
	s.turned()
}

// fails says why nothing is accepted until the backend can write again. s.mu is
// held, here and below.
func (s *Store) fails(err error) {
	s.broken = err
	if !errors.Is(s.err, ErrClosed) {
		s.err = fmt.Errorf("the record cannot be written, and nothing is accepted until it can: %w; see that the disk has room and can be written", err)
	}
}

func (s *Store) works() {
	if s.broken != nil && !errors.Is(s.err, ErrClosed) {
		s.err = nil
	}
	s.broken = nil
}

// over tells whether the store has ended for good, unlike one that cannot be
// written for a while.
func (s *Store) over() error {
	if errors.Is(s.err, ErrClosed) || errors.Is(s.err, ErrFenced) {
		return s.err
	}
	return nil
}

// turned wakes all who wait.
func (s *Store) turned() {
	close(s.turn)
	s.turn = make(chan struct{})
}

// Hurry has what was appended so far written at once, without waiting for it.
func (s *Store) Hurry() { signal(s.hurry) }

// Flush writes what was appended so far and waits for it, so that a Reader sees
// it.
func (s *Store) Flush(ctx context.Context) error { return s.keep(ctx, s.now(), false) }

// Certain waits as Flush does, and on where the disk cannot be written for a
// while. Its error, apart from ctx's, says that something is lost.
func (s *Store) Certain(ctx context.Context) error { return s.keep(ctx, s.now(), true) }

// now is what was noted so far.
func (s *Store) now() uint64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.noted
}

// keep waits until all is kept that was noted by then.
func (s *Store) keep(ctx context.Context, upto uint64, patient bool) error {
	return s.wait(ctx, func() (bool, error) {
		switch {
		case s.kept >= upto:
			return true, nil
		case s.broken != nil && (!patient || s.finished || errors.Is(s.broken, ErrFenced)):
			return true, s.err
		}
		signal(s.hurry)
		return false, nil
	})
}

// wait asks over, with s.mu held, at every turn until it says true.
func (s *Store) wait(ctx context.Context, over func() (bool, error)) error {
	for {
		s.mu.Lock()
		ok, err := over()
		turn := s.turn
		s.mu.Unlock()
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

// Close writes what is left, gives the store free and ends the goroutine; calls
// after the first give the same. After a failed write it tries once more: a
// disk that has room again loses nothing. Its error says which events are lost.
func (s *Store) Close() error {
	s.ending.Do(func() {
		s.mu.Lock()
		s.err = ErrClosed
		s.mu.Unlock()
		close(s.stop)
	})
	<-s.done
	return s.closed
}

// finish is the goroutine's last act.
func (s *Store) finish() {
	s.mu.Lock()
	s.broken = nil
	s.mu.Unlock()
	s.flush()
	s.mu.Lock()
	s.finished = true
	s.turned()
	s.mu.Unlock()
	err := s.back.close(s.broken == nil)
	switch {
	case s.broken != nil:
		s.closed = s.lost()
	case err != nil:
		s.closed = fmt.Errorf("everything is written, but closing the store failed: %w", err)
	}
}

// lost says what was not written.
func (s *Store) lost() error {
	events, runs := uint64(0), 0
	first := ""
	for _, w := range s.runs {
		if w.last > w.committed {
			events += w.last - w.committed
			runs++
			if line := fmt.Sprintf("run %s, events %d to %d", w.name, w.committed+1, w.last); first == "" || line < first {
				first = line
			}
		}
	}
	switch runs {
	case 0:
		return fmt.Errorf("that some runs began or ended, or what went out for events, was not written: %w; all events are kept", s.broken)
	case 1:
		return fmt.Errorf("%s were not written and are lost: %w; those before are kept", first, s.broken)
	}
	return fmt.Errorf("%d events of %d runs were not written and are lost (%s, and others): %w; those before are kept", events, runs, first, s.broken)
}
