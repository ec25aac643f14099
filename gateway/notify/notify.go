// Package notify tells whoever is asked that something waits for them: one webhook,
// and nothing waits for it.
//
//	Tell ─▶ a bounded queue ─▶ three tries in real time ─▶ POST {"text": …, "approval": {…}}
//	  │          full: dropped        1 s, 5 s between             signed, no redirect
//	  └ at once                       │
//	                                  └▶ counted; what failed is logged
//
// The message carries no link that decides anything: whoever reads it opens the
// console, or types a command. What an agent has sent is in it only where that is
// wanted.
package notify

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"strconv"
	"sync"
	"time"

	"parity/fakes/clock"
)

// An Outcome is what came of a message. There are no others.
type Outcome string

// The outcomes.
const (
	Delivered Outcome = "delivered"
	Failed    Outcome = "failed"  // after its tries, or refused for good
	Dropped   Outcome = "dropped" // too many waited, or the gateway ended
)

// Outcomes are all of them, for whoever counts.
func Outcomes() []Outcome { return []Outcome{Delivered, Failed, Dropped} }

const (
	mostWaiting = 1000
	workers     = 4 // one endpoint that hangs is not to hold up the others
	mostRead    = 64 << 10
	tries       = 3
)

// Options are what a Notifier is made of.
type Options struct {
	// Transport is the way out. It has the last word on addresses, and follows no
	// redirect, as no http.RoundTripper does.
	Transport http.RoundTripper
	Timeout   time.Duration // of a try; default 10 s
	Count     func(Outcome) // called once for each message; nil: nobody counts
	Wall      clock.Wall    // default: clock.System
	Log       *slog.Logger  // nil is silent
}

// A Target is where somebody is told.
type Target struct {
	URL    string // it may be a secret itself, as Slack's are: it is never logged
	Secret []byte // signs what is sent; empty: nothing is signed
	Form   Form
	// Arguments has what the agent has sent in the message.
	Arguments bool
}

// Check tells what is wrong with a target; its error does not tell the URL.
func (t Target) Check() error {
	u, err := url.Parse(t.URL)
	switch {
	case err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "":
		return errors.New("this is no address of a webhook: it wants http:// or https:// and a host")
	case u.User != nil:
		return errors.New("leave the user out of the webhook's address: what is sent is signed by a secret")
	case t.Form != Plain && t.Form != Blocks:
		return fmt.Errorf("there is no form %q; leave it out, or write blocks", t.Form)
	}
	return nil
}

// A Notifier sends messages. It is safe for concurrent use.
type Notifier struct {
	o       Options
	waiting chan message
}

// message is one that is on its way.
type message struct {
	target Target
	of     string // which approval, for the log
	body   []byte
}

// New makes a Notifier; Run is what has it send.
func New(o Options) *Notifier {
	if o.Timeout <= 0 {
		o.Timeout = 10 * time.Second
	}
	if o.Wall == nil {
		o.Wall = clock.System{}
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Count == nil {
		o.Count = func(Outcome) {}
	}
	return &Notifier{o: o, waiting: make(chan message, mostWaiting)}
}

// Tell has a target told of an approval, and does not wait for it. What is too much
// is dropped, counted and logged.
func (n *Notifier) Tell(t Target, a Approval) {
	body, err := bodyOf(t, a)
	if err != nil {
		n.lost(Failed, a.Run+"/"+a.ID, err)
		return
	}
	select {
	case n.waiting <- message{target: t, of: a.Run + "/" + a.ID, body: body}:
	default:
		n.lost(Dropped, a.Run+"/"+a.ID, fmt.Errorf("%d messages wait already", mostWaiting))
	}
}

// Run sends until ctx ends, and is over when nothing is under way any more. What
// waits then is dropped: whoever is asked finds it in the console all the same.
func (n *Notifier) Run(ctx context.Context) {
	var all sync.WaitGroup
	for range workers {
		all.Go(func() {
			for {
				select {
				case m := <-n.waiting:
					n.deliver(ctx, m)
				case <-ctx.Done():
					return
				}
			}
		})
	}
	all.Wait()
	for {
		select {
		case m := <-n.waiting:
			n.lost(Dropped, m.of, ctx.Err())
		default:
			return
		}
	}
}

// deliver tries three times. A receiver that says no for good is not asked again.
func (n *Notifier) deliver(ctx context.Context, m message) {
	var err error
	for try := range tries {
		if try > 0 {
			wait := time.Second // before the second
			if try > 1 {
				wait = 5 * time.Second
			}
			again, stop := n.o.Wall.After(wait)
			select {
			case <-again:
			case <-ctx.Done():
				stop()
				n.lost(Dropped, m.of, err)
				return
			}
		}
		var final bool
		if final, err = n.post(ctx, m); err == nil {
			n.o.Count(Delivered)
			return
		}
		if final {
			break
		}
	}
	n.lost(Failed, m.of, err)
}

// post makes one try; final tells that another would come to the same.
func (n *Notifier) post(ctx context.Context, m message) (final bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, n.o.Timeout)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, m.target.URL, bytes.NewReader(m.body))
	if err != nil {
		return true, errors.New("the webhook's address cannot be called")
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("User-Agent", "Parity")
	if len(m.target.Secret) > 0 {
		r.Header.Set("Parity-Signature", sign(m.target.Secret, n.o.Wall.Now(), m.body))
	}
	reply, err := n.o.Transport.RoundTrip(r)
	if err != nil {
		if ctx.Err() != nil {
			return false, fmt.Errorf("no answer within %v", n.o.Timeout)
		}
		return false, err
	}
	defer reply.Body.Close()
	_, _ = io.Copy(io.Discard, io.LimitReader(reply.Body, mostRead)) // the status is all that counts
	switch status := reply.StatusCode; {
	case status/100 == 2:
		return true, nil
	case status/100 == 3:
		return true, fmt.Errorf("it answers %d, and redirects are not followed: name where it leads", status)
	default:
		return status/100 == 4 && status != http.StatusTooManyRequests && status != http.StatusRequestTimeout, fmt.Errorf("it answers %d", status)
	}
}

// sign gives the signature of a body: v1 is HMAC-SHA256 of the instant, a dot and
// the body.
func sign(secret []byte, at time.Time, body []byte) string {
	t := strconv.FormatInt(at.Unix(), 10)
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte(t + "."))
	mac.Write(body)
	return "t=" + t + ",v1=" + hex.EncodeToString(mac.Sum(nil))
}

func (n *Notifier) lost(what Outcome, of string, err error) {
	n.o.Count(what)
	n.o.Log.Warn("nobody was told of an approval; it waits in the console", "approval", of, "outcome", string(what), "error", err)
}
