package notify

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

var refund = Approval{
	ID: "apr_7f3kq2", Run: "r-1", Gate: "large-refunds", Identity: "support-bot", Operation: "stripe POST /v1/refunds", State: "pending",
	Lapses: time.Date(2026, 3, 2, 17, 0, 5, 0, time.UTC), URL: "http://127.0.0.1:8081/console/#/approvals/r-1/apr_7f3kq2", Arguments: map[string]any{"amount": 12000},
}

// counted are the outcomes so far.
type counted struct {
	mu  sync.Mutex
	all map[Outcome]int
}

func (c *counted) count(o Outcome) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.all == nil {
		c.all = map[Outcome]int{}
	}
	c.all[o]++
}

func (c *counted) is(t *testing.T, want map[Outcome]int) {
	t.Helper()
	c.mu.Lock()
	defer c.mu.Unlock()
	if diff := cmp.Diff(want, c.all); diff != "" {
		t.Errorf("outcomes: %s", diff)
	}
}

// A receiver can prove by the signature that what came is ours, and whole.
func TestASinkVerifiesTheSignature(t *testing.T) {
	t.Parallel()
	secret := []byte("of-both-sides")
	type got struct {
		header http.Header
		body   []byte
	}
	came := make(chan got, 1)
	sink := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		came <- got{r.Header, body}
	}))
	defer sink.Close()
	n := New(Options{Transport: http.DefaultTransport})
	ctx, stop := context.WithCancel(t.Context())
	over := make(chan struct{})
	go func() { defer close(over); n.Run(ctx) }()
	defer func() { stop(); <-over }()
	n.Tell(Target{URL: sink.URL, Secret: secret}, refund)
	g := <-came
	at, sum, ok := strings.Cut(g.header.Get("Parity-Signature"), ",v1=")
	at, tagged := strings.CutPrefix(at, "t=")
	if _, err := strconv.ParseInt(at, 10, 64); !ok || !tagged || err != nil {
		t.Fatalf("signature %q", g.header.Get("Parity-Signature"))
	}
	verify := func(body []byte) bool {
		mac := hmac.New(sha256.New, secret)
		fmt.Fprintf(mac, "%s.%s", at, body)
		want, _ := hex.DecodeString(sum)
		return hmac.Equal(want, mac.Sum(nil))
	}
	if !verify(g.body) || verify(append(bytes.Clone(g.body), ' ')) {
		t.Errorf("it is not verified, or another is: %s", g.body)
	}
	if g.header.Get("Content-Type") != "application/json" || g.header.Get("Authorization") != "" || g.header.Get("Cookie") != "" {
		t.Errorf("%v", g.header)
	}
	var said map[string]any
	if err := json.Unmarshal(g.body, &said); err != nil {
		t.Fatal(err)
	}
	want := map[string]any{
		"text": "`stripe POST /v1/refunds` of `support-bot` wants an answer (gate `large-refunds`, run `r-1`, lapses 2026-03-02T17:00:05Z): http://127.0.0.1:8081/console/#/approvals/r-1/apr_7f3kq2",
		"approval": map[string]any{
			"id": "apr_7f3kq2", "run": "r-1", "gate": "large-refunds", "identity": "support-bot", "operation": "stripe POST /v1/refunds", "state": "pending",
			"lapses": "2026-03-02T17:00:05Z", "url": "http://127.0.0.1:8081/console/#/approvals/r-1/apr_7f3kq2",
		},
	}
	if diff := cmp.Diff(want, said); diff != "" {
		t.Error(diff)
	}
}

// answers is a way out that answers in turn, by status; 0: the connection breaks, 1: it
// hangs. tried has when, since the first.
type answers struct {
	mu       sync.Mutex
	statuses []int
	began    time.Time
	tried    []time.Duration
	location string
}

func (a *answers) RoundTrip(r *http.Request) (*http.Response, error) {
	a.mu.Lock()
	if a.began.IsZero() {
		a.began = time.Now()
	}
	a.tried = append(a.tried, time.Since(a.began))
	status := a.statuses[min(len(a.tried), len(a.statuses))-1]
	a.mu.Unlock()
	switch status {
	case 0:
		return nil, errors.New("connection refused")
	case 1:
		<-r.Context().Done()
		return nil, r.Context().Err()
	}
	return &http.Response{StatusCode: status, Header: http.Header{"Location": {a.location}}, Body: io.NopCloser(strings.NewReader("no"))}, nil
}

// It is tried three times, a second and five apart; a refusal for good, and a
// redirection, once. A try takes ten seconds at most.
func TestTries(t *testing.T) {
	t.Parallel()
	s := time.Second
	for name, c := range map[string]struct {
		statuses []int
		want     []time.Duration
		outcome  Outcome
		says     string
	}{
		"at once":          {[]int{200}, []time.Duration{0}, Delivered, ""},
		"no content":       {[]int{204}, []time.Duration{0}, Delivered, ""},
		"at the second":    {[]int{503, 200}, []time.Duration{0, s}, Delivered, ""},
		"at the third":     {[]int{0, 429, 200}, []time.Duration{0, s, 6 * s}, Delivered, ""},
		"never":            {[]int{500}, []time.Duration{0, s, 6 * s}, Failed, "it answers 500"},
		"never there":      {[]int{0}, []time.Duration{0, s, 6 * s}, Failed, "connection refused"},
		"it hangs":         {[]int{1}, []time.Duration{0, 11 * s, 26 * s}, Failed, "no answer within 10s"},
		"refused for good": {[]int{404}, []time.Duration{0}, Failed, "it answers 404"},
		"a redirection":    {[]int{302, 200}, []time.Duration{0}, Failed, "redirects are not followed"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				out := &answers{statuses: c.statuses, location: "http://169.254.169.254/"}
				var count counted
				var log bytes.Buffer
				n := New(Options{Transport: out, Count: count.count, Log: slog.New(slog.NewTextHandler(&log, nil))})
				ctx, stop := context.WithCancel(t.Context())
				go n.Run(ctx)
				n.Tell(Target{URL: "https://hooks.example/T00/B00/hush-hush"}, refund)
				time.Sleep(time.Minute)
				stop()
				synctest.Wait()
				if diff := cmp.Diff(c.want, out.tried); diff != "" {
					t.Error(diff)
				}
				count.is(t, map[Outcome]int{c.outcome: 1})
				if said := log.String(); c.says == "" && said != "" || !strings.Contains(said, c.says) || strings.Contains(said, "hush-hush") {
					t.Errorf("the log says %q", said)
				}
			})
		})
	}
}

// Nobody waits for a receiver that hangs: what is too much is dropped and counted,
// and so is what waits when the gateway ends.
func TestNothingWaitsForAReceiverThatHangs(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		out := &answers{statuses: []int{1}}
		var count counted
		n := New(Options{Transport: out, Count: count.count})
		ctx, stop := context.WithCancel(t.Context())
		over := false
		go func() { n.Run(ctx); over = true }()
		began := time.Now()
		for range workers {
			n.Tell(Target{URL: "https://hooks.example"}, refund)
		}
		synctest.Wait() // each has one in hand
		for range mostWaiting + 7 {
			n.Tell(Target{URL: "https://hooks.example"}, refund)
		}
		if took := time.Since(began); took != 0 {
			t.Errorf("it took %v to tell", took)
		}
		count.is(t, map[Outcome]int{Dropped: 7})
		stop()
		synctest.Wait()
		if !over {
			t.Error("it goes on after its end")
		}
		count.is(t, map[Outcome]int{Dropped: 7 + mostWaiting + workers})
	})
}

// What an agent chose is text in a chat: it calls nobody and leads nowhere, and stays
// in its line.
func TestWhatAnAgentChoseIsText(t *testing.T) {
	t.Parallel()
	evil := []string{"<!channel>", "<https://evil.example|look>", "`@channel`", "a\nb\r\n\u2028c", "\u202egpj\u200b", "\x00\x1b[31m", strings.Repeat("w", 100_000), "*b* & _i_", ""}
	for _, text := range evil {
		a := refund
		a.Operation, a.Identity, a.Gate, a.State, a.Arguments = text, text, text, text, map[string]any{text: text}
		for _, form := range []Form{Plain, Blocks} {
			body, err := bodyOf(Target{Form: form, Arguments: true}, a)
			if err != nil {
				t.Fatal(err)
			}
			var said struct {
				Text   string
				Blocks []struct {
					Type   string
					Text   struct{ Type, Text string }
					Fields []struct{ Type, Text string }
				}
			}
			if err := json.Unmarshal(body, &said); err != nil {
				t.Fatal(err)
			}
			if strings.ContainsAny(said.Text, "<>\n\r\x00\x1b\u2028\u202e\u200b") || len([]rune(said.Text)) > 1500 || strings.Count(said.Text, "`") != 10 {
				t.Errorf("%.40q: the text is %.400q", text, said.Text)
			}
			if (len(said.Blocks) > 0) != (form == Blocks) {
				t.Errorf("form %q has %d blocks", form, len(said.Blocks))
			}
			for _, b := range said.Blocks {
				if b.Type != "section" || len([]rune(b.Text.Text)) > 3000 || len(b.Fields) > 10 || b.Text.Type == "mrkdwn" && b.Text.Text != said.Text {
					t.Errorf("%.40q: a block %+.400v", text, b)
				}
				for _, f := range b.Fields {
					if f.Type != "plain_text" || len([]rune(f.Text)) > 2000 || strings.HasSuffix(f.Text, "\n") {
						t.Errorf("%.40q: a field %+.400v", text, f)
					}
				}
			}
		}
	}
}

// Arguments go only where they are wanted.
func TestArgumentsStayUnlessTheyAreWanted(t *testing.T) {
	t.Parallel()
	for _, form := range []Form{Plain, Blocks} {
		for _, wanted := range []bool{false, true} {
			body, err := bodyOf(Target{Form: form, Arguments: wanted}, refund)
			if err != nil || bytes.Contains(body, []byte("12000")) != wanted {
				t.Errorf("%q, wanted %v: %v %s", form, wanted, err, body)
			}
			for _, word := range []string{"button", "action", "decision", "token", "code="} {
				if bytes.Contains(body, []byte(word)) {
					t.Errorf("it has %q: %s", word, body)
				}
			}
		}
	}
}

func TestTargetsThatAreNone(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		target Target
		says   string
	}{
		{Target{URL: "https://hooks.slack.com/services/T/B/x"}, ""},
		{Target{URL: "http://127.0.0.1:9000/", Form: Blocks}, ""},
		{Target{URL: ""}, "http:// or https://"},
		{Target{URL: "hooks.example/hush"}, "http:// or https://"},
		{Target{URL: "file:///etc/hush"}, "http:// or https://"},
		{Target{URL: "https:///hush"}, "http:// or https://"},
		{Target{URL: "https://a:hush@hooks.example"}, "leave the user out"},
		{Target{URL: "https://hooks.example/hush", Form: "teams"}, `no form "teams"`},
	} {
		err := c.target.Check()
		if (err == nil) != (c.says == "") || err != nil && (!strings.Contains(err.Error(), c.says) || strings.Contains(err.Error(), "hush")) {
			t.Errorf("%s %s: %v", c.target.URL, c.target.Form, err)
		}
	}
}
