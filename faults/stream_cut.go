package faults

import (
	"slices"
	"strings"
	"time"

	"parity/fakes"
	"parity/faults/trail"
	"parity/specs"
	"parity/specs/words"
)

// eventStream is the media type of server-sent events.
const eventStream = "text/event-stream"

// streamCut ends an event stream early.
//
//	data: 1 ─▶ data: 2 ─▶ ╳
func streamCut() *Fault {
	return &Fault{
		Name:     "stream-cut",
		Phase:    InReply,
		Live:     LiveReply,
		Summary:  "An event stream that stops after some events: cut off, stalled, ended as if it were whole, or with an event that says so.",
		Reaction: "A cut stream is not a finished answer: nothing that rests on it is done, or it is taken up again where it stopped.",
		Judging:  Judging{Class: Stalled, Lessens: true},
		Unswept:  "it is about streams",
		Example: `half-an-answer:
  call: acme-chat POST /v1/messages    # a service of your own, whose contract has text/event-stream
  inject: stream-cut
  with: {after: 3, how: stall}
  trigger: {nth: 1, tries: 3}`,
		Params: []Param{
			{
				Name: "after", Kind: Count, Default: int64(1), Min: 0, Max: 1_000_000,
				Doc: "how many events arrive; of a stream that has no more than these, all but the last", Example: "3",
			},
			{
				Name: "how", Kind: Choice, Choices: []string{"close", "stall", "end", "error-event"}, Default: "close",
				Doc: "close: the connection ends without the last chunk; stall: nothing more comes; end: the transfer ends in order, so that only the reader of the events can tell; error-event: an event says that it went wrong, and the transfer ends", Example: "stall",
			},
			{
				Name: "for", Kind: Duration, Default: 90 * time.Second, Min: int64(time.Millisecond), Max: int64(time.Hour),
				Doc: "how long a stall lasts; the connection is closed after it", Example: "90s",
			},
			{Name: "event", Kind: Text, Default: "error", Doc: "the name of the event that says so", Example: "error"},
			{
				Name: "data", Kind: Text, Default: `{"error":{"type":"overloaded_error","message":"Overloaded"}}`,
				Doc: "the data of the event that says so, on one line", Example: `{"message":"Overloaded"}`,
			},
		},
		build: buildStreamCut,
	}
}

type streamEnd struct {
	after int
	how   string
	bound time.Duration
	tail  []byte
}

func buildStreamCut(a Args) (Injection, error) {
	for _, key := range []string{"event", "data"} {
		if strings.ContainsAny(a.text(key), "\r\n") {
			return nil, &ArgError{Key: key, Message: "it has to be on one line"}
		}
	}
	e := streamEnd{after: int(a.count("after")), how: a.text("how"), bound: a.duration("for")}
	if e.how == "error-event" {
		e.tail = []byte("event: " + a.text("event") + "\ndata: " + a.text("data") + "\n\n")
	}
	return e, nil
}

func (e streamEnd) Apply(p *Plan, _ CallContext) Mark {
	p.Amend(func(a *Answer) Done {
		if kind, _, _ := strings.Cut(a.Header.Get("Content-Type"), ";"); !strings.EqualFold(strings.TrimSpace(kind), eventStream) {
			return Nothing("the reply is no event stream")
		}
		at, n := afterEvents(a.Body, e.after)
		done := Done{Did: "stopped after " + words.Count(n, "event"), Broken: true}
		switch e.how {
		case "end", "error-event":
			a.Body = slices.Concat(a.Body[:at], e.tail)
		case "stall":
			p.Wire.End, p.Wire.For = trail.Hang, e.bound
			fallthrough
		default:
			p.Wire.Short, p.cut = true, place(at)
		}
		if e.how == "close" {
			p.Wire.End = trail.Close
		}
		p.Wire.Chunked = true
		return done
	})
	return Mark{}
}

// Misfit says why it cannot strike an operation; "": it can.
func (streamEnd) Misfit(op *specs.Operation, _ fakes.Fake) string {
	if op.Replies(eventStream) {
		return ""
	}
	return "its contract has no " + eventStream + " reply"
}

// afterEvents finds where a stream is cut that shows some events, and how many
// these are: behind the blank line that ends the last of them. Of a stream that
// has no more, the last is left out.
func afterEvents(stream []byte, some int) (at, n int) {
	var ends []int
	for end := 0; end < len(stream); {
		end += eventEnd(stream[end:])
		ends = append(ends, end)
	}
	if n = min(some, len(ends)-1); n <= 0 {
		return 0, 0
	}
	return ends[n-1], n
}

// eventEnd is where the first event of a stream ends, its blank line included.
// A line ends in CR, LF, or both (WHATWG HTML, section 9.2.5).
func eventEnd(stream []byte) int {
	empty := true // the line so far
	for i := 0; i < len(stream); i++ {
		switch stream[i] {
		case '\r':
			if i+1 < len(stream) && stream[i+1] == '\n' {
				i++
			}
		case '\n':
		default:
			empty = false
			continue
		}
		if empty && i > 1 {
			return i + 1
		}
		empty = true
	}
	return len(stream)
}
