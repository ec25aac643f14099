package gateway

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"parity/fakes/clock"
	"parity/gateway/admin"
	"parity/gateway/client"
)

func (s *Server) getClock(ctx context.Context, l *liveRun, _ admin.Call) (admin.Answer, error) {
	shown := s.clock(l)
	return admin.Answer{JSON: shown}, s.settled(ctx, l, l.Seq()) // asked later: it rests on no newer event
}

// clock is a run's clock as it is shown.
func (s *Server) clock(l *liveRun) client.Clock {
	c := l.Clock()
	shown := client.Clock{Mode: string(c.Mode), Now: c.Now(s.settings.Wall.Now()), Frozen: c.Frozen}
	if c.Mode == clock.Stepped {
		shown.Step = c.Step.String()
	} else {
		shown.Speed = c.Speed
	}
	return shown
}

// moveClock sets a run's clock. What was due before is delivered first; what is
// due on the way happens, and is delivered, before it comes back. Who moves the
// clock a little after each call gets the same order of events each time. Where
// much is due it goes in portions, each of which is written and delivered before
// the next.
func (s *Server) moveClock(ctx context.Context, l *liveRun, call admin.Call) (admin.Answer, error) {
	s.delivered(ctx, l)
	m, err := s.move(l, call.Body)
	if err != nil {
		return admin.Answer{}, asked(err)
	}
	_, err = l.Advance(m, func() error {
		s.delivered(ctx, l)
		if err := ctx.Err(); err != nil {
			return err
		}
		return l.Covered(ctx, l.Seq())
	})
	if err != nil {
		return admin.Answer{}, refused(err, http.StatusUnprocessableEntity, "clock")
	}
	s.delivered(ctx, l)
	return admin.Answer{JSON: s.clock(l)}, s.known(l)
}

// move reads the one change that a request asks for.
func (s *Server) move(l *liveRun, body map[string]any) (clock.Move, error) {
	c := l.Clock()
	m := clock.Move{To: c.Now(s.settings.Wall.Now()), Frozen: c.Frozen, Mode: c.Mode, Speed: c.Speed, Step: c.Step}
	in, err := decoded[client.Move](body)
	if err != nil {
		return m, err
	}
	for key := range body {
		switch key {
		case "freeze":
			m.Frozen = in.Freeze
		case "advance":
			var d time.Duration
			d, err = span(key, in.Advance)
			m.To = m.To.Add(d)
		case "set":
			m.To, err = instant(key, in.Set)
		case "speed":
			m.Mode, m.Frozen, m.Speed = clock.Live, false, in.Speed
		case "step":
			m.Mode, m.Frozen = clock.Stepped, false
			m.Step, err = span(key, in.Step)
		}
	}
	return m, err
}

// instant reads an instant that is asked for. The zero one, which stands for none
// wherever an instant is kept, is refused as others are that no clock can show.
func instant(key, text string) (time.Time, error) {
	at, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		return at, &UsageError{Err: fmt.Errorf("%s %q: write it as in RFC 3339, such as 2026-03-02T13:00:00Z", key, text)}
	}
	if at.IsZero() {
		return at, &UsageError{Err: fmt.Errorf("%s %q: say an instant from 1970 to 2261", key, text)}
	}
	return at, nil
}
