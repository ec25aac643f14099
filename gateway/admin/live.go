package admin

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"strings"
	"sync"
	"time"
)

const (
	// heartbeat is how long a stream is silent before a comment goes out: so that
	// whoever has left is noticed, and no proxy takes it for dead.
	heartbeat = 15 * time.Second
	// parting is how long a caller has to take what is written when the gateway
	// ends. One that reads nothing would keep the gateway from ending.
	parting = time.Second
)

// live sends events as they come, by the rules of server-sent events
// (https://html.spec.whatwg.org/multipage/server-sent-events.html):
//
//	id: 17                        an event; whoever is cut off goes on after 17
//	event: exchange
//	data: {"seq":17,…}
//
//	: nothing yet                 a comment, where nothing comes for a while
//
//	event: end                    the run has ended; or event: problem, with one
//	data: {}
//
// A stream that ends without one of these two was cut. Events are drawn in the
// caller's own goroutine, so that a panic in them costs this call alone; cancel
// ends ctx, which is theirs.
func (a *admin) live(ctx context.Context, cancel context.CancelFunc, out *outgoing, events iter.Seq2[Event, error]) error {
	f := &feed{out: out, control: http.NewResponseController(out)}
	if err := unhurried(f.control); err != nil {
		return err
	}
	out.WriteHeader(http.StatusOK)
	if err := f.control.Flush(); err != nil {
		return err
	}
	over := make(chan struct{})
	var beside sync.WaitGroup
	beside.Go(func() { a.accompany(ctx, cancel, f, over) })
	defer beside.Wait()
	defer close(over)
	for e, err := range events {
		if err == nil {
			err = f.event(e)
		}
		if err != nil {
			return a.broke(ctx, f, err)
		}
	}
	if ctx.Err() != nil {
		return nil
	}
	return f.say("event: end\ndata: {}\n\n")
}

// unhurried takes a server's own limit for writing an answer off one that may
// take long. A recorder has none.
func unhurried(c *http.ResponseController) error {
	if err := c.SetWriteDeadline(time.Time{}); err != nil && !errors.Is(err, http.ErrNotSupported) {
		return err
	}
	return nil
}

// broke tells the caller why there are no more events.
func (a *admin) broke(ctx context.Context, f *feed, err error) error {
	if ctx.Err() != nil || f.left() {
		return nil // the gateway ends, or nobody listens
	}
	data, merr := json.Marshal(problemOf(err))
	return errors.Join(err, merr, f.say("event: problem\ndata: "+string(data)+"\n\n"))
}

// accompany keeps a stream alive until it is over. Where ctx ends first, because
// the caller has left or the gateway ends, what is being written ends, too.
func (a *admin) accompany(ctx context.Context, cancel context.CancelFunc, f *feed, over <-chan struct{}) {
	for {
		quiet, stop := a.o.Wall.After(heartbeat)
		select {
		case <-quiet:
			if err := f.beat(); err != nil {
				cancel()
				return
			}
		case <-ctx.Done():
			stop()
			// One that does not read is not to hold up the gateway's end.
			if err := f.control.SetWriteDeadline(a.o.Wall.Now().Add(parting)); err != nil {
				a.o.Log.DebugContext(ctx, "live events", "error", err) // a recorder takes everything at once
			}
			return
		case <-over:
			stop()
			return
		}
	}
}

// A feed is a stream on its way to a caller.
type feed struct {
	mu      sync.Mutex
	out     *outgoing
	control *http.ResponseController
	busy    bool // something was said since the last beat
}

func (f *feed) event(e Event) error {
	if strings.ContainsAny(e.ID+e.Name, "\r\n\x00") {
		return fmt.Errorf("event %q %q: an id or a name of one line was wanted", e.ID, e.Name)
	}
	data, err := json.Marshal(e.JSON) // of one line, whatever is in it
	if err != nil {
		return fmt.Errorf("event %s: %w", e.ID, err)
	}
	return f.say("id: " + e.ID + "\nevent: " + e.Name + "\ndata: " + string(data) + "\n\n")
}

func (f *feed) say(text string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.busy = true
	return f.write(text)
}

// beat says that the stream is there, unless something else has or is about to.
func (f *feed) beat() error {
	if !f.mu.TryLock() {
		return nil
	}
	defer f.mu.Unlock()
	if f.busy {
		f.busy = false
		return nil
	}
	return f.write(": nothing yet\n\n")
}

func (f *feed) left() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.out.left
}

func (f *feed) write(text string) error {
	if _, err := io.WriteString(f.out, text); err != nil {
		return err
	}
	err := f.control.Flush()
	f.out.left = f.out.left || err != nil
	return err
}
