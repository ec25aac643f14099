package client_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"parity/gateway/admin"
	"parity/gateway/client"
)

// passing is a clock on which every wait is over at once, and is written down.
type passing struct{ waits *[]time.Duration }

func (p passing) Now() time.Time { return time.Unix(1, 0) }

func (p passing) After(d time.Duration) (<-chan time.Time, func()) {
	*p.waits = append(*p.waits, d)
	done := make(chan time.Time, 1)
	done <- p.Now()
	return done, func() {}
}

// standing is a clock on which no wait is ever over.
type standing struct{ waiting chan<- struct{} }

func (s standing) Now() time.Time { return time.Unix(1, 0) }

func (s standing) After(time.Duration) (<-chan time.Time, func()) {
	s.waiting <- struct{}{}
	return nil, func() {}
}

func text(n int) string {
	return fmt.Sprintf("id: %d\nevent: exchange\ndata: {\"seq\":%d}\n\n", n, n)
}

const end = "event: end\ndata: {}\n\n"

// streams answers one call after the other; each that is not ended by `end` is
// cut. It writes down from where each was asked.
type streams struct {
	answers []string
	mu      sync.Mutex
	asked   []string
}

// from tells from where it was asked, each time.
func (s *streams) from() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.Join(s.asked, " ")
}

func (s *streams) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	n := len(s.asked)
	s.asked = append(s.asked, r.URL.Query().Get("from"))
	s.mu.Unlock()
	if n >= len(s.answers) {
		panic(http.ErrAbortHandler)
	}
	answer := s.answers[n]
	if status, ok := strings.CutPrefix(answer, "status "); ok {
		code := 0
		fmt.Sscan(status, &code)
		w.WriteHeader(code)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	answer, graceful := strings.CutSuffix(answer, "EOF")
	io.WriteString(w, answer)
	_ = http.NewResponseController(w).Flush()
	if !graceful && !strings.HasSuffix(answer, end) {
		panic(http.ErrAbortHandler)
	}
}

// However often a stream is cut, and wherever, each event comes once and in
// order; and where it is not taken up again, that is an error.
func TestEventsAreTakenUpWhereTheyWereCut(t *testing.T) {
	t.Parallel()
	const beat = ": nothing yet\n\n"
	for name, c := range map[string]struct {
		answers []string
		asked   string // from where, each time
		got     string
		err     string // "": the run has ended
		waits   string
	}{
		"whole":                 {[]string{text(1) + beat + text(2) + end}, "1", "1 2", "", ""},
		"nothing in it":         {[]string{end}, "1", "", "", ""},
		"cut behind one":        {[]string{text(1), text(2) + end}, "1 2", "1 2", "", "250ms"},
		"cut within one":        {[]string{text(1) + text(2)[:20], text(2) + end}, "1 2", "1 2", "", "250ms"},
		"cut before its end":    {[]string{text(1) + text(2)[:len(text(2))-1], text(2) + end}, "1 2", "1 2", "", "250ms"},
		"ended without a word":  {[]string{text(1) + "EOF", end}, "1 2", "1", "", "250ms"},
		"cut in a beat":         {[]string{text(1) + beat[:4], end}, "1 2", "1", "", "250ms"},
		"often":                 {[]string{text(1), "", "", text(2), "", text(3) + end}, "1 2 2 2 3 3", "1 2 3", "", "250ms 500ms 1s 250ms 500ms"},
		"behind a proxy":        {[]string{text(1), "status 502", "status 503", "status 504", end}, "1 2 2 2 2", "1", "", "250ms 500ms 1s 2s"},
		"told twice":            {[]string{text(1) + text(2), text(2) + text(3) + end}, "1 3", "1 2 3", "", "250ms"},
		"gone for good":         {[]string{text(1)}, "1 2 2 2 2 2 2", "1", "the stream of events was cut", "250ms 500ms 1s 2s 4s 8s"},
		"refused":               {[]string{"status 404"}, "1", "", "404", ""},
		"refused later":         {[]string{text(1), "status 404"}, "1 2", "1", "404", "250ms"},
		"unavailable at first":  {[]string{"status 503"}, "1", "", "503", ""},
		"a problem on the way":  {[]string{text(1) + "event: problem\ndata: {\"status\":500,\"code\":\"gateway-defect\",\"detail\":\"disk on fire\"}\n\n"}, "1", "1", "disk on fire", ""},
		"a problem of no shape": {[]string{text(1) + "event: problem\ndata: fire\n\n"}, "1", "1", "events: ", ""},
		"no number":             {[]string{"event: exchange\ndata: {}\n\n" + end}, "1", "", `the number of one is ""`, ""},
		"lines as others end":   {[]string{strings.ReplaceAll(text(1)+end, "\n", "\r\n") + "EOF"}, "1", "1", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := &streams{answers: c.answers}
			var waits []time.Duration
			k := to(t, s, func(o *client.Options) { o.Wall = passing{&waits} })
			var got []string
			failed := ""
			for e, err := range k.Events(t.Context(), "a", 0) {
				if err != nil {
					failed = err.Error()
					continue
				}
				got = append(got, fmt.Sprint(e.Seq))
				if want := fmt.Sprintf(`{"seq":%d}`, e.Seq); e.Kind != "exchange" || string(e.JSON) != want {
					t.Errorf("event %d: %s %s", e.Seq, e.Kind, e.JSON)
				}
			}
			if all := strings.Join(got, " "); all != c.got {
				t.Errorf("events %s, want %s", all, c.got)
			}
			if (failed == "") != (c.err == "") || !strings.Contains(failed, c.err) {
				t.Errorf("error %q, want %q", failed, c.err)
			}
			if asked := s.from(); asked != c.asked {
				t.Errorf("asked from %s, want %s", asked, c.asked)
			}
			if waited := strings.Trim(fmt.Sprint(waits), "[]"); waited != c.waits {
				t.Errorf("waited %s, want %s", waited, c.waits)
			}
		})
	}
}

// Over the real control plane: live, from where one asks, and to the run's end.
func TestEventsOverTheControlPlane(t *testing.T) {
	t.Parallel()
	k := connect(t, every(t, func(id string, call admin.Call) (admin.Answer, error) {
		if id != "getEvents" || !call.Live() {
			return admin.Answer{}, errors.New(id + " was asked")
		}
		from, _ := call.Query["from"].(int64)
		return admin.Answer{Events: func(yield func(admin.Event, error) bool) {
			for n := from; n <= 5; n++ {
				if !yield(admin.Event{ID: fmt.Sprint(n), Name: "exchange", JSON: n}, nil) {
					return
				}
			}
			if call.Path["run"] == "broken" {
				yield(admin.Event{}, &admin.Problem{Status: 410, Code: "run-removed", Detail: "the run is gone"})
			}
		}}, nil
	}))
	var got []uint64
	for e, err := range k.Events(t.Context(), "a", 3) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, e.Seq)
	}
	if !slices.Equal(got, []uint64{3, 4, 5}) {
		t.Errorf("%v", got)
	}
	var refused *client.Error
	for _, err := range k.Events(t.Context(), "broken", 6) {
		if !errors.As(err, &refused) || refused.Status != 410 || refused.Code != "run-removed" || err.Error() != "the run is gone" {
			t.Errorf("%#v", err)
		}
	}
}

// Whoever has enough stops, and whoever gives up waiting is told so.
func TestEventsEndWithWhoeverWantsThem(t *testing.T) {
	t.Parallel()
	s := &streams{answers: []string{text(1) + text(2) + text(3) + end}}
	for e, err := range to(t, s, nil).Events(t.Context(), "a", 1) {
		if err != nil {
			t.Fatal(err)
		}
		if e.Seq == 2 {
			break
		}
	}
	if asked := s.from(); asked != "1" {
		t.Errorf("asked from %s", asked)
	}
	ctx, leave := context.WithCancel(t.Context())
	waiting := make(chan struct{})
	k := to(t, &streams{answers: []string{text(1)}}, func(o *client.Options) { o.Wall = standing{waiting} })
	go func() {
		<-waiting
		leave()
	}()
	var last error
	for _, err := range k.Events(ctx, "a", 1) {
		last = err
	}
	if !errors.Is(last, context.Canceled) {
		t.Errorf("%v", last)
	}
}
