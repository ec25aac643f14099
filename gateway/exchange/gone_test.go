package exchange

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"parity/fakes"
	"parity/fakes/clock"
	"parity/faults/trail"
)

// A reader is a client that closes its connection once it has so many bytes.
type reader struct {
	wants int
	got   int
	leave context.CancelFunc
}

func (r *reader) Header() http.Header { return http.Header{} }
func (r *reader) WriteHeader(int)     {}

// FlushError fails once the client is gone, as it does on HTTP/2.
func (r *reader) FlushError() error {
	if r.got >= r.wants {
		return context.Canceled
	}
	return nil
}

func (r *reader) Write(p []byte) (int, error) {
	if r.got += len(p); r.got >= r.wants {
		r.leave()
	}
	return len(p), nil
}

// A client that had read its answer in full and closed at once was noted as
// gone, now and then: whenever that was seen before the answer's writer looked.
func TestAClientThatReadAllAndClosedIsNotGone(t *testing.T) {
	t.Parallel()
	const whole = 64 << 10
	for name, test := range map[string]struct {
		wants, chunk int
		gone         bool
	}{
		"in one piece":         {whole, 0, false},
		"dripped":              {whole, 16 << 10, false},
		"left inside the drip": {whole / 2, 16 << 10, true},
		"left before the body": {0, 0, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, leave := context.WithCancel(t.Context())
			defer leave()
			client := &reader{wants: test.wants, leave: leave}
			if test.wants == 0 {
				leave()
			}
			r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://desk.example/", http.NoBody)
			if err != nil {
				t.Fatal(err)
			}
			x := &Exchange{line: &Line{wall: clock.System{}, outside: outside{lifetime: t.Context()}}, arrived: arrived{r: r}, outgoing: outgoing{w: client}}
			x.reply = fakes.Reply{Status: 200, Body: []byte(strings.Repeat("a", whole))}
			wire := trail.Wire{Chunk: test.chunk}
			x.plan.Wire = wire
			x.send(ctx, wire)
			if x.settlement.ClientGone != test.gone {
				t.Errorf("gone: %v, after %d of %d bytes", x.settlement.ClientGone, client.got, whole)
			}
		})
	}
}
