package live

import (
	"bytes"
	"context"
	"crypto/sha256"
	"crypto/tls"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"parity/fakes/clock"
	"parity/faults/trail"
	"parity/profiles/policy"
	"parity/specs/class"
)

// A Count is what Send itself counts of a run, apart from what is journaled.
type Count struct {
	mu    sync.Mutex
	sent  uint64
	reads uint64
	spent map[string]bool // approvals that a write has left on

	Writes, Refused atomic.Uint64
}

// Recall has the count begin where a record ends: after the newest that left, and
// with the approvals spent on which something has left, or may have.
func (c *Count) Recall(u *trail.Upstream) {
	c.mu.Lock()
	c.sent = max(c.sent, u.Number)
	c.mu.Unlock()
	switch {
	case u.Reads() || strings.HasPrefix(u.Pass, policy.ByGate):
	case u.Failed() && !u.Unknown:
		c.unspent(u.Pass)
	default:
		c.Spent(u.Pass)
	}
}

// Spent notes an approval that a write has left on, as a record has it: whatever the
// run is set back to, it lets no other leave.
func (c *Count) Spent(approval string) bool {
	if approval == "" {
		return true
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.spent == nil {
		c.spent = map[string]bool{}
	}
	fresh := !c.spent[approval]
	c.spent[approval] = true
	return fresh
}

// unspent gives an approval back on which nothing has left.
func (c *Count) unspent(approval string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.spent, approval)
}

// next numbers what is about to leave.
func (c *Count) next(reads bool) uint64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.sent++
	if reads {
		c.reads++
	} else {
		c.Writes.Add(1)
	}
	return c.sent
}

// Sent is how many calls have left, and how many of them were reads.
func (c *Count) Sent() (all, reads uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.sent, c.reads
}

// A Call is one request of a run to a real service.
type Call struct {
	Request

	To    *Service
	Run   string
	Base  string       // what links to the service begin with where the client reached it
	Pass  *policy.Pass // of a write; nil: it has none
	Count *Count
}

// A Reply is what a real service answered, decoded, and without the credential.
type Reply struct {
	Status int
	Header http.Header
	Body   []byte
}

// A Sight is what is known of a call that was to leave, for the record.
type Sight struct {
	Number    uint64 // which of the run's it was, from 1; 0: it did not leave
	Host      string
	Operation string
	Class     class.Class
	Pass      string // the approval, or the gate, that it rested on
	Took      time.Duration
	Bytes     int64
	Digest    string // of the reply's body
	Date      string // of the reply, as the service has it
}

// A Sender is the one way out to services that a profile binds.
type Sender struct {
	dialer *Dialer
	wall   clock.Wall
}

// NewSender makes a Sender that reaches hosts by a dialer.
func NewSender(d *Dialer, wall clock.Wall) *Sender { return &Sender{dialer: d, wall: wall} }

// idle is how long a connection for reads waits for the next: less than servers
// wait, since a read that meets one that is closing is not tried again.
const idle = 4 * time.Second

func (s *Sender) transport(to *Service, own bool) *http.Transport {
	listed := func(string, int) bool { return to.Listed }
	return &http.Transport{
		DialContext: s.dialer.For(listed).DialContext, TLSClientConfig: &tls.Config{RootCAs: to.Roots, MinVersion: tls.VersionTLS12},
		DisableKeepAlives: own, IdleConnTimeout: idle, MaxIdleConnsPerHost: 8, MaxResponseHeaderBytes: 256 << 10,
		TLSHandshakeTimeout: to.Timeout, TLSNextProto: map[string]func(string, *tls.Conn) http.RoundTripper{}, // HTTP/2 sends again by itself
	}
}

// way gives what a call goes by: reads of a service share connections, and each
// write has one of its own.
func (s *Sender) way(to *Service, reads bool) (t *http.Transport, done func()) {
	if reads {
		to.once.Do(func() { to.shared = s.transport(to, false) })
		return to.shared, func() {}
	}
	t = s.transport(to, true)
	return t, t.CloseIdleConnections
}

// Send sends a call to its real service, at most once, and gives what came back.
// What it is it works out from the bytes themselves: a read leaves, and a write
// only with a pass of its own. Its error is a *Trouble.
func (s *Sender) Send(ctx context.Context, c Call) (Reply, Sight, *Trouble) {
	is := c.To.judge(c.Request)
	seen := Sight{Class: is.class}
	if is.op != nil {
		seen.Operation = is.op.Name()
	}
	host, ok := c.To.host(c.Host)
	target := c.Path
	if c.Query != "" {
		target += "?" + c.Query
	}
	switch {
	case is.why != "":
		c.Count.Refused.Add(1)
		return Reply{}, seen, refused(is.why)
	case !ok:
		c.Count.Refused.Add(1)
		return Reply{}, seen, refused("nobody says at which host the service is")
	case !is.reads && !c.Pass.Use(c.Run, seen.Operation, target, c.Body, is.class):
		c.Count.Refused.Add(1)
		return Reply{}, seen, refused("it is a write without a pass of its own")
	case !is.reads && !c.Count.Spent(c.Pass.Approval()):
		c.Count.Refused.Add(1)
		return Reply{}, seen, refused("another write has left on its approval")
	}
	seen.Host, seen.Pass = host, c.Pass.By()
	r, err := c.request(ctx, host, is)
	if err != nil {
		c.Count.Refused.Add(1)
		return Reply{}, seen, refused("its address cannot be read")
	}
	reply, seen, trouble := s.exchange(ctx, c, is, r, seen)
	if trouble != nil && !trouble.Sent {
		c.Count.unspent(c.Pass.Approval())
	}
	return reply, seen, trouble
}

// request is what leaves.
func (c *Call) request(ctx context.Context, host string, is judged) (*http.Request, error) {
	header := c.To.outgoing(is.op, c.Header)
	query := c.To.shown(is.op, header, asked(is.op, is.input, c.Query))
	u, err := url.ParseRequestURI(c.Path)
	if err != nil || u.EscapedPath() != c.Path || u.Host != "" {
		return nil, errors.Join(errors.New("path"), err)
	}
	u.Scheme, u.Host, u.RawQuery = "https", host, query
	// A body that nobody can give again keeps net/http from sending twice, also of
	// a request that has none.
	r, err := http.NewRequestWithContext(ctx, c.Method, u.String(), io.NopCloser(bytes.NewReader(c.Body)))
	if err != nil {
		return nil, err
	}
	switch r.ContentLength = int64(len(c.Body)); {
	case len(c.Body) > 0 || c.Method == http.MethodGet || c.Method == http.MethodHead:
	default:
		r.Body = http.NoBody
	}
	r.Header, r.GetBody = header, nil
	return r, nil
}

// exchange sends what is to leave, and reads what comes back, within its bounds.
func (s *Sender) exchange(ctx context.Context, c Call, is judged, r *http.Request, seen Sight) (Reply, Sight, *Trouble) {
	ctx, cancel := context.WithTimeout(ctx, c.To.Timeout)
	defer cancel()
	var wrote atomic.Bool
	r = r.WithContext(httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{WroteHeaders: func() { wrote.Store(true) }}))
	transport, done := s.way(c.To, is.reads)
	defer done()
	seen.Number = c.Count.next(is.reads)
	began := s.wall.Now()
	resp, err := transport.RoundTrip(r)
	if err != nil {
		seen.Took = s.wall.Now().Sub(began)
		return Reply{}, seen, failed(ctx, err, wrote.Load(), c.To.Key.Hide)
	}
	defer func() { _ = resp.Body.Close() }()
	if date := resp.Header.Get("Date"); !c.To.Key.Shows(date) {
		seen.Date = date
	}
	reply, trouble := c.read(ctx, resp)
	seen.Took, seen.Bytes = s.wall.Now().Sub(began), int64(len(reply.Body))
	sum := sha256.Sum256(reply.Body)
	seen.Digest = hex.EncodeToString(sum[:])
	if trouble != nil {
		return Reply{}, seen, trouble
	}
	return reply, seen, nil
}

// read reads a reply, decoded, up to what it may be.
func (c *Call) read(ctx context.Context, resp *http.Response) (Reply, *Trouble) {
	kind := strings.ToLower(resp.Header.Get("Content-Type"))
	switch {
	case resp.StatusCode == http.StatusSwitchingProtocols:
		return Reply{}, redirected("it speaks another protocol")
	case resp.StatusCode < 200 || resp.StatusCode > 599:
		return Reply{}, failed(ctx, fmt.Errorf("it answers with the status %d, which HTTP does not have", resp.StatusCode), true, c.To.Key.Hide)
	case strings.HasPrefix(kind, "text/event-stream"):
		return Reply{}, tooLarge("it is a stream of events")
	case resp.Header.Get("Content-Encoding") != "":
		return Reply{}, tooLarge("it is encoded as nobody asked")
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, c.To.MaxReply+1))
	switch {
	case int64(len(body)) > c.To.MaxReply:
		return Reply{}, tooLarge("it has more bytes than max_reply allows")
	case err != nil:
		return Reply{}, failed(ctx, err, true, c.To.Key.Hide)
	}
	if hidden := c.To.Key.Hide(string(body)); hidden != string(body) {
		body = []byte(hidden)
	}
	header, trouble := c.incoming(resp)
	return Reply{Status: resp.StatusCode, Header: header, Body: body}, trouble
}

// incoming are the headers that the client gets: none of the connection's own, no
// cookie, and links that lead to where the client reached the service.
func (c *Call) incoming(resp *http.Response) (http.Header, *Trouble) {
	header := http.Header{}
	for name, values := range resp.Header {
		if dropped(name) || c.To.Key.Shows(name) {
			continue
		}
		for _, value := range values {
			header.Add(name, c.To.Key.Hide(value))
		}
	}
	for i, value := range header["Link"] {
		header["Link"][i] = c.To.led(c.Base, value)
	}
	location := header.Get("Location")
	if location == "" {
		return header, nil
	}
	to, err := resp.Request.URL.Parse(location)
	if err != nil {
		return nil, redirected("to what is no address")
	}
	if to.Scheme != "https" || !c.To.within(to.Host) {
		if resp.StatusCode/100 != 3 {
			header.Del("Location")
			return header, nil
		}
		return nil, redirected("to " + c.To.Key.Hide(to.Scheme+"://"+to.Host))
	}
	header.Set("Location", c.Base+c.To.Key.Hide(to.RequestURI()))
	return header, nil
}

// dropped tells headers of a reply that are the connection's, or would bind the
// client to the real host.
func dropped(name string) bool {
	switch name {
	case "Connection", "Keep-Alive", "Te", "Trailer", "Transfer-Encoding", "Upgrade", "Set-Cookie", "Set-Cookie2", "Alt-Svc", "Strict-Transport-Security",
		"Content-Length", "Content-Encoding", "Date", "Via", "Server-Timing", "Nel", "Report-To", "Public-Key-Pins", "Content-Location", "Refresh":
		return true
	}
	return strings.HasPrefix(name, "Proxy-") || strings.HasPrefix(name, "Parity-") || strings.HasPrefix(name, "X-Parity-")
}
