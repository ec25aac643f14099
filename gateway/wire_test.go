package gateway_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/andybalholm/brotli"

	"parity/fakes/clock"
	"parity/faults/trail"
	"parity/gateway"
)

// feed is a service with a text of 3,000 bytes and a stream of 5 events. What
// happens to a reply its query says: each test has a rule for each case.
const feed = `
openapi: 3.0.3
info: {title: Feed, version: '1'}
servers: [{url: 'https://feed.example'}]
paths:
  /text:
    get:
      operationId: text
      parameters: [{name: case, in: query, schema: {type: string}}]
      responses:
        '200': {description: A text, content: {application/json: {schema: {type: object}, example: {text: %q}}}}
  /stream:
    get:
      operationId: stream
      parameters: [{name: case, in: query, schema: {type: string}}]
      responses:
        '200': {description: Events, content: {text/event-stream: {schema: {type: string}, example: "data: 1\n\ndata: 2\n\ndata: 3\n\ndata: 4\n\ndata: 5\n\n"}}}
`

// wireText is what the body of a text says: 3,000 bytes that compress to less.
func wireText() string {
	var b strings.Builder
	for i := 0; b.Len() < 3000-len(`{"text":""}`); i++ {
		fmt.Fprintf(&b, "%x-", i*i*7919)
	}
	return b.String()[:3000-len(`{"text":""}`)]
}

func wireBody() []byte { return []byte(`{"text":"` + wireText() + `"}`) }

func openFeed(t *testing.T, rules string, change ...func(*gateway.Settings)) *harness {
	t.Helper()
	return open(t, "profile: wire\nseed: 1\nservices:\n  feed: {contract: feed.yaml}\nfaults:\n"+rules,
		append(change, beside(t, "feed.yaml", fmt.Sprintf(feed, wireText())))...)
}

func feedWays() []way {
	proxied := func(*harness) string { return "https://feed.example" }
	direct := func(h *harness) string { return "http://" + h.Addr() + "/feed" }
	return []way{
		{"base-h1", func(h *harness) *http.Client { return h.direct(false, false) }, direct, 1},
		{"base-h2", func(h *harness) *http.Client { return h.direct(true, false) }, direct, 2},
		{"proxy-h1", func(h *harness) *http.Client { return h.proxied(false) }, proxied, 1},
		{"proxy-h2", func(h *harness) *http.Client { return h.proxied(true) }, proxied, 2},
	}
}

// ask sends a request, with an Accept-Encoding that keeps net/http from
// decoding by itself.
func (h *harness) ask(ctx context.Context, c *http.Client, target, accept string) (*http.Response, error) {
	h.t.Helper()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, target, nil)
	if err != nil {
		h.t.Fatal(err)
	}
	r.Header.Set("Accept-Encoding", accept)
	return c.Do(r)
}

// decoded gives what can be read out of a body, and how its reader ends.
func decoded(encoding string, body []byte) ([]byte, error) {
	switch encoding {
	case "gzip":
		r, err := gzip.NewReader(bytes.NewReader(body))
		if err != nil {
			return nil, err
		}
		return io.ReadAll(r)
	case "br":
		return io.ReadAll(brotli.NewReader(bytes.NewReader(body)))
	}
	return body, nil
}

type cutCase struct{ encoding, framing, length string }

func (c cutCase) name() string { return c.encoding + "-" + c.framing + "-" + c.length }

func cutCases() (all []cutCase) {
	for _, encoding := range []string{"identity", "gzip", "br"} {
		for _, framing := range []string{"length", "chunked"} {
			for _, length := range []string{"wrong", "right"} {
				all = append(all, cutCase{encoding, framing, length})
			}
		}
	}
	return all
}

// A body that is cut is cut on the wire as was asked for: in its encoding, with
// the length or the chunks that it should have or should not, on HTTP/1.1 and
// HTTP/2. What its record says of it is what the client got, and a replay cuts
// it at the same place.
func TestCutBodiesOnTheWire(t *testing.T) {
	t.Parallel()
	rules := ""
	for _, c := range cutCases() {
		rules += fmt.Sprintf("  %s: {call: feed.text, when: request.query.case == %q, inject: truncated-body, with: {at: 40%%, encoding: %s, framing: %s, length: %s}}\n",
			c.name(), c.name(), c.encoding, c.framing, c.length)
	}
	h := openFeed(t, rules)
	type got struct {
		cutCase
		bytes, shown int
	}
	var all []got
	for _, w := range feedWays() {
		c := w.client(h)
		for _, cut := range cutCases() {
			r, err := h.ask(t.Context(), c, w.base(h)+"/text?case="+cut.name(), "identity")
			if err != nil {
				t.Fatalf("%s, %s: %v", w.name, cut.name(), err)
			}
			body, err := io.ReadAll(r.Body)
			_ = r.Body.Close()
			all = append(all, got{cut, len(body), checkCut(t, w, cut, r, body, err)})
		}
	}
	for i, x := range exchanges(h) {
		if want := all[i]; x.Wire.Cut != want.bytes || x.Wire.Showed(len(x.ReplyBody)) != want.shown || x.Whole || len(x.ReplyBody) != 3000 {
			t.Errorf("%s: recorded as %+v of %d bytes, whole %v; the client got %d bytes, and read %d out of them",
				want.name(), x.Wire, len(x.ReplyBody), x.Whole, want.bytes, want.shown)
		}
	}
	var said bytes.Buffer
	if code, err := replayRun(t.Context(), &said, h.root, h.Run.ID, ""); code != 0 || err != nil {
		t.Errorf("replay: %d %v: %s", code, err, said.String())
	}
}

// checkCut looks at one reply as its client got it, and gives how much of it
// can be read.
func checkCut(t *testing.T, w way, cut cutCase, r *http.Response, body []byte, err error) (shown int) {
	t.Helper()
	name := w.name + ", " + cut.name()
	encoding := strings.TrimPrefix(cut.encoding, "identity")
	if said := r.Header.Get("Content-Encoding"); said != encoding {
		t.Errorf("%s: Content-Encoding %q", name, said)
	}
	whole, _ := strconv.Atoi(r.Header.Get("Content-Length"))
	switch {
	case cut.framing == "chunked" && (r.ContentLength >= 0 || (w.major == 1) != (len(r.TransferEncoding) == 1)):
		t.Errorf("%s: Content-Length %d, Transfer-Encoding %v", name, r.ContentLength, r.TransferEncoding)
	case cut.framing == "length" && cut.length == "right" && whole != len(body):
		t.Errorf("%s: Content-Length %d, and %d bytes came", name, whole, len(body))
	case cut.framing == "length" && cut.length == "wrong" && whole*2/5 != len(body):
		t.Errorf("%s: Content-Length %d, and %d bytes came; want 40%%", name, whole, len(body))
	}
	broken := errors.Is(err, io.ErrUnexpectedEOF) && w.major == 1 || err != nil && w.major == 2 && strings.Contains(err.Error(), "INTERNAL_ERROR")
	if cut.length == "wrong" && !broken || cut.length == "right" && err != nil {
		t.Errorf("%s: the transfer ended with %v", name, err)
	}
	text, err := decoded(encoding, body)
	if !bytes.HasPrefix(wireBody(), text) || len(text) == 3000 || (encoding == "") != (err == nil) {
		t.Errorf("%s: %d bytes could be read, then %v", name, len(text), err)
	}
	return len(text)
}

// What a client asked for decides the encoding; a replay knows what it was.
func TestEncodingAsAsked(t *testing.T) {
	t.Parallel()
	h := openFeed(t, "  it: {call: feed.text, inject: truncated-body, with: {at: 99%, length: right, encoding: as-asked}}\n")
	c := h.direct(false, false)
	for accept, want := range map[string]string{"gzip": "gzip", "br;q=0.9, gzip;q=0.8": "br", "identity": "", "deflate": ""} {
		r, err := h.ask(t.Context(), c, "http://"+h.Addr()+"/feed/text", accept)
		if err != nil {
			t.Fatal(err)
		}
		if said := r.Header.Get("Content-Encoding"); said != want || (r.Header.Get("Vary") != "") != (want != "") {
			t.Errorf("%s: %q, Vary %q; want %q", accept, said, r.Header.Get("Vary"), want)
		}
		_ = r.Body.Close()
	}
	h.close()
	var said bytes.Buffer
	if code, err := replayRun(t.Context(), &said, h.root, h.Run.ID, ""); code != 0 || err != nil {
		t.Errorf("replay: %d %v: %s", code, err, said.String())
	}
}

// gate is a wall on which waits of more than four minutes end when they are let.
type gate struct {
	skipper
	let chan struct{}
}

func (g *gate) After(d time.Duration) (<-chan time.Time, func()) {
	done, stop := g.skipper.After(d)
	if d < 4*time.Minute {
		return done, stop
	}
	held := make(chan time.Time, 1)
	go func() {
		<-g.let
		held <- <-done
	}()
	return held, stop
}

// A dripped body comes in pieces that can each be read before the next one is
// sent, in whichever encoding: 3,000 bytes, 300 at a time.
func TestDripsComeInPieces(t *testing.T) {
	t.Parallel()
	rules := ""
	for _, encoding := range []string{"identity", "gzip", "br"} {
		for _, framing := range []string{"length", "chunked"} {
			rules += fmt.Sprintf("  %[1]s-%[2]s: {call: feed.text, when: request.query.case == %[3]q, inject: slow-body, with: {rate: 1B, chunk: 300B, encoding: %[1]s, framing: %[2]s}}\n",
				encoding, framing, encoding+"-"+framing)
		}
	}
	wall := &gate{let: make(chan struct{})}
	h := openFeed(t, rules, func(s *gateway.Settings) { s.Wall = wall })
	ctx, stop := context.WithTimeout(t.Context(), 30*time.Second) // what is not flushed never comes
	defer stop()
	for _, w := range feedWays() {
		c := w.client(h)
		for _, encoding := range []string{"identity", "gzip", "br"} {
			for _, framing := range []string{"length", "chunked"} {
				r, err := h.ask(ctx, c, w.base(h)+"/text?case="+encoding+"-"+framing, "identity")
				if err != nil {
					t.Fatal(err)
				}
				if err := wall.pieces(reader(t, encoding, r.Body)); err != nil {
					t.Errorf("%s, %s, %s: %v", w.name, encoding, framing, err)
				}
				_ = r.Body.Close()
			}
		}
	}
	for _, x := range exchanges(h) {
		if !x.Whole || x.Wire.Chunk != 300 {
			t.Errorf("recorded as whole %v, wire %+v", x.Whole, x.Wire)
		}
	}
}

// pieces reads a body, and has the next piece sent when the one before was read.
func (g *gate) pieces(r io.Reader) error {
	whole := wireBody()
	for at := 0; at < len(whole); at += 300 {
		if at > 0 {
			g.let <- struct{}{}
		}
		piece := make([]byte, 300)
		if _, err := io.ReadFull(r, piece); err != nil || !bytes.Equal(piece, whole[at:at+300]) {
			return fmt.Errorf("the piece at %d: %q, %w", at, piece, err)
		}
	}
	if rest, err := io.ReadAll(r); len(rest) > 0 || err != nil {
		return fmt.Errorf("then %d bytes more, %w", len(rest), err)
	}
	return nil
}

// reader decodes as the bytes come.
func reader(t *testing.T, encoding string, r io.Reader) io.Reader {
	t.Helper()
	switch encoding {
	case "gzip":
		zipped, err := gzip.NewReader(r)
		if err != nil {
			t.Fatal(err)
		}
		return zipped
	case "br":
		return brotli.NewReader(r)
	}
	return r
}

// On HTTP/1.1 each piece of a dripped body is a chunk of its own, compressed or
// not, and each can be read by itself: which is what the bytes say, whenever
// they come.
func TestEachPieceOfADripIsAChunk(t *testing.T) {
	t.Parallel()
	h := openFeed(t, `  plain: {call: feed.text, when: request.query.case == "identity", inject: slow-body, with: {rate: 1MB, chunk: 1100B, framing: chunked}}
  packed: {call: feed.text, when: request.query.case == "gzip", inject: slow-body, with: {rate: 1MB, chunk: 1100B, framing: chunked, encoding: gzip}}
`)
	for _, encoding := range []string{"identity", "gzip"} {
		c, err := net.Dial("tcp", h.Addr())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(c, "GET /feed/text?case="+encoding+" HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"); err != nil {
			t.Fatal(err)
		}
		raw, err := io.ReadAll(c)
		_ = c.Close()
		if err != nil {
			t.Fatal(err)
		}
		_, rest, _ := bytes.Cut(raw, []byte("\r\n\r\n"))
		var sizes []int
		var body []byte
		for {
			line, after, _ := bytes.Cut(rest, []byte("\r\n"))
			n, err := strconv.ParseInt(string(line), 16, 32)
			if err != nil {
				t.Fatalf("%s: %v in %q", encoding, err, line)
			}
			if n == 0 {
				break
			}
			body, rest = append(body, after[:n]...), after[n+2:]
			text, _ := decoded(strings.TrimPrefix(encoding, "identity"), body)
			sizes = append(sizes, len(text))
		}
		for len(sizes) > 3 && sizes[len(sizes)-1] == sizes[len(sizes)-2] { // the trailer of the encoding
			sizes = sizes[:len(sizes)-1]
		}
		if fmt.Sprint(sizes) != "[1100 2200 3000]" {
			t.Errorf("%s: so much could be read after each chunk: %v", encoding, sizes)
		}
	}
}

// skipper is a wall that does not wait out waits of more than four minutes, but
// says that they are over, and keeps them.
type skipper struct {
	clock.System
	mu    sync.Mutex
	ahead time.Duration
	waits []time.Duration
}

func (s *skipper) Now() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.System.Now().Add(s.ahead)
}

func (s *skipper) After(d time.Duration) (<-chan time.Time, func()) {
	if d < 4*time.Minute {
		return s.System.After(d)
	}
	s.mu.Lock()
	s.ahead += d
	s.waits = append(s.waits, d)
	s.mu.Unlock()
	done := make(chan time.Time, 1)
	done <- s.Now()
	return done, func() {}
}

// Ten pieces are five minutes apart, whatever their encoding, and the first
// comes so long after the head; what it takes to write them does not add up.
// It is told by a wall on which minutes pass at once.
func TestDripsKeepTheirRhythm(t *testing.T) {
	t.Parallel()
	for _, encoding := range []string{"identity", "gzip", "br"} {
		for _, ending := range []string{"whole", "cut"} {
			for _, w := range feedWays()[:2] {
				t.Run(encoding+"/"+ending+"/"+w.name, func(t *testing.T) {
					t.Parallel()
					rules := "  it: {call: feed.text, inject: slow-body, with: {rate: 1B, chunk: 300B, pause: 5m, encoding: " + encoding + "}}\n"
					if ending == "cut" { // in the last piece
						rules += "  cut: {call: feed.text, inject: truncated-body, with: {at: 99%}}\n"
					}
					wall := &skipper{}
					h := openFeed(t, rules, func(s *gateway.Settings) { s.Wall = wall })
					r, err := h.ask(t.Context(), w.client(h), w.base(h)+"/text", "identity")
					if err != nil {
						t.Fatal(err)
					}
					if _, err := io.ReadAll(r.Body); (err == nil) != (ending == "whole") {
						t.Fatal(err)
					}
					_ = r.Body.Close()
					wall.mu.Lock()
					defer wall.mu.Unlock()
					if len(wall.waits) != 10 || wall.waits[0] != 5*time.Minute || wall.ahead > 50*time.Minute {
						t.Errorf("waits of %v", wall.waits)
					}
				})
			}
		}
	}
}

// A stream that is cut shows so many events and no more, and ends as the rule
// has it.
func TestCutStreams(t *testing.T) {
	t.Parallel()
	const two = "data: 1\n\ndata: 2\n\n"
	h := openFeed(t, `  close: {call: feed.stream, when: request.query.case == "close", inject: stream-cut, with: {after: 2}}
  stall: {call: feed.stream, when: request.query.case == "stall", inject: stream-cut, with: {after: 2, how: stall, for: 50ms}}
  end: {call: feed.stream, when: request.query.case == "end", inject: stream-cut, with: {after: 2, how: end}}
  error: {call: feed.stream, when: request.query.case == "error", inject: stream-cut, with: {after: 2, how: error-event, event: oops, data: sorry}}
  most: {call: feed.stream, when: request.query.case == "most", inject: stream-cut, with: {after: 9, how: end}}
  none: {call: feed.stream, when: request.query.case == "none", inject: stream-cut, with: {after: 0}}
  slow: {call: feed.stream, when: request.query.case == "slow", inject: slow-body, with: {rate: 1KB, chunk: 9B, encoding: gzip}}
  slow-too: {call: feed.stream, when: request.query.case == "slow", inject: stream-cut, with: {after: 2}}
`)
	for _, w := range feedWays() {
		c := w.client(h)
		for _, s := range []struct {
			name, want string
			whole      bool
		}{
			{"close", two, false},
			{"stall", two, false},
			{"end", two, true},
			{"error", two + "event: oops\ndata: sorry\n\n", true},
			{"most", two + "data: 3\n\ndata: 4\n\n", true},
			{"none", "", false},
			{"slow", two, false},
		} {
			r, err := h.ask(t.Context(), c, w.base(h)+"/stream?case="+s.name, "identity")
			if err != nil {
				t.Fatalf("%s, %s: %v", w.name, s.name, err)
			}
			body, err := io.ReadAll(r.Body)
			_ = r.Body.Close()
			text, _ := decoded(r.Header.Get("Content-Encoding"), body)
			if string(text) != s.want || (err == nil) != s.whole || r.ContentLength >= 0 {
				t.Errorf("%s, %s: %q, Content-Length %d, ended with %v", w.name, s.name, text, r.ContentLength, err)
			}
		}
	}
	for _, x := range exchanges(h) {
		if x.Whole || !slices.ContainsFunc(x.Strikes, func(s trail.Strike) bool { return s.Fired && strings.HasPrefix(s.Did, "stopped after ") }) {
			t.Errorf("recorded as whole %v, strikes %+v", x.Whole, x.Strikes)
		}
	}
	var said bytes.Buffer
	if code, err := replayRun(t.Context(), &said, h.root, h.Run.ID, ""); code != 0 || err != nil {
		t.Errorf("replay: %d %v: %s", code, err, said.String())
	}
}

// settled waits until the gateway knows how so many calls with a query ended.
func (h *harness) settled(n int) {
	h.t.Helper()
	for end := time.Now().Add(2 * time.Minute); ; time.Sleep(time.Millisecond) {
		k, err := h.Kept(h.Run.ID)
		if err != nil {
			h.t.Fatal(err)
		}
		known := 0
		for _, e := range k.Events {
			if _, done := k.Settlements[e.Seq]; done && e.Kind == trail.Exchanged && e.Exchange.Query != "" {
				known++
			}
		}
		if known == n {
			return
		}
		if time.Now().After(end) {
			h.t.Fatalf("of %d clients that left, %d were noticed", n, known)
		}
	}
}

// While a reply hangs, stalls or drips, other calls of its run are answered:
// nothing of the run is held. And when the client gives up, that is noted.
func TestAReplyThatLastsHoldsNothing(t *testing.T) {
	t.Parallel()
	h := openFeed(t, `  hang: {call: feed.text, when: request.query.case == "hang", inject: ambiguous-success, with: {reply: hang, for: 1h}}
  held: {call: feed.text, when: request.query.case == "held", inject: timeout, with: {for: 1h}}
  stall: {call: feed.stream, when: request.query.case == "stall", inject: stream-cut, with: {how: stall, for: 1h}}
  drip: {call: feed.text, when: request.query.case == "drip", inject: slow-body, with: {rate: 1KB, chunk: 100B, encoding: gzip}}
  half: {call: feed.text, when: request.query.case == "half", inject: slow-body, with: {rate: 1KB, chunk: 100B}}
  half-cut: {call: feed.text, when: request.query.case == "half", inject: truncated-body, with: {at: 99%}}
`)
	calls := 0
	for _, w := range feedWays() {
		for path, answers := range map[string]bool{"/text?case=hang": false, "/text?case=held": false, "/stream?case=stall": true, "/text?case=drip": true, "/text?case=half": true} {
			calls++
			ctx, leave := context.WithCancel(t.Context())
			begun := make(chan error, 1)
			before := len(h.eventsOf(h.Run.ID))
			go func() {
				r, err := h.ask(ctx, w.client(h), w.base(h)+path, "identity")
				if err == nil {
					_, err = r.Body.Read(make([]byte, 5))
					begun <- err
					_, err = io.Copy(io.Discard, r.Body)
					_ = r.Body.Close()
				}
				begun <- err
			}()
			for answers && len(begun) == 0 || !answers && len(h.eventsOf(h.Run.ID)) == before {
				time.Sleep(10 * time.Millisecond) // each look reads the whole record
			}
			if status, _, _, err := call(t, h.direct(false, false), "GET", "http://"+h.Addr()+"/feed/text", ""); status != 200 || err != nil {
				t.Errorf("%s, %s: meanwhile %d %v", w.name, path, status, err)
			}
			leave()
			if err := <-begun; answers != (err == nil) {
				t.Errorf("%s, %s: begun with %v", w.name, path, err)
			}
			h.settled(calls)
		}
	}
	events, settlements := h.events()
	for _, e := range events {
		if e.Kind != trail.Exchanged || e.Exchange.Query == "" {
			continue
		}
		calls--
		s, known := settlements[e.Seq]
		if whole := int64(len(e.Exchange.ReplyBody)); !known || !s.ClientGone || whole > 0 && s.Sent >= whole {
			t.Errorf("%s of #%d: settled %v as %+v", e.Exchange.Query, e.Seq, known, s)
		}
	}
	if calls != 0 {
		t.Errorf("%d calls are not in the record", calls)
	}
}
