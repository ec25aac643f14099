package gateway

import (
	"context"
	"errors"
	"time"

	"parity/gateway/ingress"
)

// Close ends the gateway: no new calls, those under way ended within the
// context, the journal written out. It may be called on one that is half open.
func (s *Server) Close(ctx context.Context) error {
	s.ready.clear()
	s.stop() // calls that wait to do their work wait no longer
	var problems []error
	if s.ingress != nil {
		problems = append(problems, s.ingress.Shutdown(ctx))
	} else if s.data != nil {
		problems = append(problems, s.data.Close())
	}
	if s.admin != nil {
		problems = append(problems, s.admin.Shutdown(ctx), s.admin.Close()) // an export that nobody reads is let go
	} else if s.control != nil {
		problems = append(problems, s.control.Close())
	}
	return errors.Join(append(problems, s.closeStore())...)
}

// closeTime is how long runs and their store have to end. A call that holds its
// run has bounded work; were it not so, the process must end all the same.
const closeTime = 10 * time.Second

// ErrHeld says that a run was held by a call when the gateway ended: its record
// ends before that call, and is not closed.
var ErrHeld = errors.New("a call was still at work when the gateway ended: the record ends before it, and the next gateway repairs it when it opens it")

// HeldUp tells whether calls did not end when the gateway did.
func HeldUp(err error) bool { return errors.Is(err, ErrHeld) || errors.Is(err, ingress.ErrLeft) }

// closeStore ends what writes to runs, and closes their store.
func (s *Server) closeStore() error {
	closed := make(chan error, 1)
	go func() {
		s.work.Wait()
		var err error
		if s.store != nil {
			err = s.endFirst()
			s.layLast()
			err = errors.Join(err, s.store.Close())
		}
		closed <- err
	}()
	limit, stop := s.settings.Wall.After(closeTime)
	defer stop()
	select {
	case err := <-closed:
		return err
	case <-limit:
		return ErrHeld
	}
}

// endFirst ends the run of clients that name none: the next gateway makes
// another. Runs that were made by name go on with it.
func (s *Server) endFirst() error {
	for _, l := range s.Gateway.awake() {
		if err := l.closePort(); err != nil {
			return err
		}
		l.mark()
		if l.terms.First {
			if err := s.end(l); err != nil {
				return err
			}
		}
	}
	return nil
}
