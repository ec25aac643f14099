package client

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Event is one event of a run, as it comes.
type Event struct {
	Seq  uint64
	Kind string
	JSON json.RawMessage
}

const (
	// longestEvent bounds one line of the stream.
	longestEvent = 64 << 20
	// mostAttempts in a row without an event are made to take up a stream that was
	// cut, each after twice the wait of the one before: a quarter of a minute, in
	// which a gateway has started again.
	mostAttempts = 6
	firstWait    = 250 * time.Millisecond
)

var errCut = errors.New("the stream of events was cut")

// Events gives a run's events from one on, each once and in order, as they
// come: until the run ends, until ctx does, which is its error, or until the
// control plane refuses. A stream that is cut is taken up again behind the last
// event; a first attempt that fails is an error at once.
func (c *Client) Events(ctx context.Context, run string, from uint64) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		f := follower{client: c, run: run, next: max(from, 1), yield: yield}
		err := f.follow(ctx)
		for attempt := 0; errors.Is(err, errCut) && ctx.Err() == nil; attempt++ {
			if f.came {
				attempt, f.came = 0, false
			}
			if attempt == mostAttempts {
				break
			}
			f.wait(ctx, firstWait<<attempt)
			err = f.follow(ctx)
		}
		if ctx.Err() != nil && err != nil {
			err = ctx.Err()
		}
		if err != nil {
			yield(Event{}, err)
		}
	}
}

// A follower goes through one run's events, over one stream after another.
type follower struct {
	client    *Client
	run       string
	next      uint64 // the event that is to come
	connected bool   // at least once
	came      bool   // something, since this was last looked at
	yield     func(Event, error) bool
}

func (f *follower) wait(ctx context.Context, d time.Duration) {
	over, stop := f.client.wall.After(d)
	defer stop()
	select {
	case <-over:
	case <-ctx.Done():
	}
}

// follow reads one stream to its end. No error: there is nothing more to come,
// or nobody who wants it. One that wraps errCut: there may be.
func (f *follower) follow(ctx context.Context) error {
	address := path(f.run, "/events?live=true&from="+strconv.FormatUint(f.next, 10))
	reply, err := f.client.send(ctx, http.MethodGet, address, "text/event-stream", nil)
	if err != nil {
		if refused := (*Error)(nil); !f.connected || errors.As(err, &refused) && !passing(refused.Status) {
			return err
		}
		return fmt.Errorf("%w: %w", errCut, err)
	}
	defer reply.Body.Close()
	f.connected = true
	for m, err := range messages(reply.Body) {
		switch {
		case err != nil:
			return fmt.Errorf("%w: %w", errCut, err)
		case m.name == "end":
			return nil
		case m.name == "problem":
			return problemIn(m.data)
		}
		seq, err := strconv.ParseUint(m.id, 10, 64)
		switch {
		case err != nil:
			return fmt.Errorf("events of %s: the number of one is %q; is a gateway of this version at %s?", f.run, m.id, f.client.base)
		case seq < f.next: // told before
			continue
		}
		f.next, f.came = seq+1, true
		if !f.yield(Event{Seq: seq, Kind: m.name, JSON: m.data}, nil) {
			return nil
		}
	}
	return fmt.Errorf("%w after event %d", errCut, f.next-1)
}

// passing tells whether a status is of what stands before a gateway that starts
// again.
func passing(status int) bool {
	return status == http.StatusBadGateway || status == http.StatusServiceUnavailable || status == http.StatusGatewayTimeout
}

// problemIn is what broke while a stream was on its way.
func problemIn(data []byte) error {
	e := &Error{}
	if err := json.Unmarshal(data, &struct {
		Status *int    `json:"status"`
		Code   *string `json:"code"`
		Detail *string `json:"detail"`
	}{&e.Status, &e.Code, &e.Detail}); err != nil {
		return fmt.Errorf("events: %w", err)
	}
	return e
}

// A message is one server-sent event.
type message struct {
	id, name string
	data     []byte
}

// endedLine splits off a line as the format has them: ended by CR, LF or both. A
// line that nothing ends was cut, and is none.
func endedLine(data []byte, atEOF bool) (advance int, line []byte, err error) {
	i := bytes.IndexAny(data, "\r\n")
	switch {
	case i < 0 && atEOF:
		return len(data), nil, nil
	case i < 0 || data[i] == '\r' && i == len(data)-1 && !atEOF: // a LF may follow
		return 0, nil, nil
	case data[i] == '\r' && i < len(data)-1 && data[i+1] == '\n':
		return i + 2, data[:i:i], nil
	}
	return i + 1, data[:i:i], nil
}

// messages reads server-sent events
// (https://html.spec.whatwg.org/multipage/server-sent-events.html). What is not
// ended by an empty line was cut, and is none.
func messages(body io.Reader) iter.Seq2[message, error] {
	return func(yield func(message, error) bool) {
		lines := bufio.NewScanner(body)
		lines.Buffer(nil, longestEvent)
		lines.Split(endedLine)
		var m message
		for lines.Scan() {
			line := lines.Text()
			if line == "" {
				if m.data != nil && !yield(m, nil) {
					return
				}
				m = message{}
				continue
			}
			field, value, _ := strings.Cut(line, ":")
			value = strings.TrimPrefix(value, " ")
			switch field {
			case "id":
				m.id = value
			case "event":
				m.name = value
			case "data":
				if m.data != nil {
					m.data = append(m.data, '\n')
				}
				m.data = append(m.data, value...)
			}
		}
		if err := lines.Err(); err != nil {
			yield(message{}, err)
		}
	}
}
