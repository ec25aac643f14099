package report

import (
	"encoding/json"
	"io"
	"unicode/utf8"

	"parity/faults/trail"
)

// document is an event as JSON has it: bodies and records as they read, not as
// bytes, and what went out beside it. Its fields hide those of the event.
type document struct {
	*trail.Event
	Exchange   *exchange         `json:"exchange,omitempty"`
	Delta      []change          `json:"delta,omitempty"`
	Settlement *trail.Settlement `json:"settlement,omitempty"`
}

type exchange struct {
	*trail.Exchange
	Body      json.RawMessage `json:"body,omitempty"`
	ReplyBody json.RawMessage `json:"reply_body,omitempty"`
	FakeBody  json.RawMessage `json:"fake_body,omitempty"`
}

type change struct {
	trail.Change
	After  json.RawMessage `json:"after,omitempty"`
	Before json.RawMessage `json:"before,omitempty"`
}

// documented is an event as JSON has it, without what went out.
func documented(e *trail.Event) document {
	d := document{Event: e}
	if x := e.Exchange; x != nil {
		d.Exchange = &exchange{Exchange: x, Body: readable(x.Body), ReplyBody: readable(x.ReplyBody), FakeBody: readable(x.FakeBody)}
	}
	for _, c := range e.Delta {
		d.Delta = append(d.Delta, change{Change: c, After: readable(c.After), Before: readable(c.Before)})
	}
	return d
}

// Line writes an event as one line of JSON, with what went out, where that is
// known.
func Line(w io.Writer, e *trail.Event, s *trail.Settlement) error {
	text, err := line(newMasker(), e, s)
	if err == nil {
		_, err = io.WriteString(w, text+"\n")
	}
	return err
}

// Lines writes a run's events, one a line, with what went out for them.
func Lines(w io.Writer, events []trail.Event, settled map[uint64]trail.Settlement) error {
	for i := range events {
		var of *trail.Settlement
		if s, ok := settled[events[i].Seq]; ok {
			of = &s
		}
		if err := Line(w, &events[i], of); err != nil {
			return err
		}
	}
	return nil
}

func line(m *masker, e *trail.Event, s *trail.Settlement) (string, error) {
	d := documented(e)
	d.Settlement = s
	data, err := json.Marshal(d)
	if err != nil {
		return "", err
	}
	return m.json(string(data)), nil
}

// deepest is how deep what is shown as JSON nests: readers of records give up
// somewhere beyond, and so does encoding/json, at 10,000.
const deepest = 1000

// nesting is how deep a JSON document nests.
func nesting(b []byte) int {
	depth, most := 0, 0
	for i := 0; i < len(b); i++ {
		switch b[i] {
		case '"':
			for i++; i < len(b) && b[i] != '"'; i++ {
				if b[i] == '\\' {
					i++
				}
			}
		case '{', '[':
			depth++
			most = max(most, depth)
		case '}', ']':
			depth--
		}
	}
	return most
}

// readable gives bytes as JSON: as they are where they are JSON, else as text,
// and where they are neither by the base64 that JSON uses for bytes.
func readable(b []byte) json.RawMessage {
	switch {
	case len(b) == 0:
		return nil
	case json.Valid(b) && nesting(b) <= deepest:
		return b
	}
	var value any = b
	if utf8.Valid(b) {
		value = string(b)
	}
	data, err := json.Marshal(value)
	if err != nil {
		return nil // neither bytes nor valid text can fail
	}
	return data
}
