package faults

import (
	"net/http"
	"testing"
	"time"
)

// Events end at a blank line, whichever way lines end.
func TestWhereEventsEnd(t *testing.T) {
	t.Parallel()
	for stream, want := range map[string][4]int{ // after 0, 1, 2, 9 events
		"":                               {0, 0, 0, 0},
		"data: 1":                        {0, 0, 0, 0},
		"data: 1\n\n":                    {0, 0, 0, 0},
		"a: 1\n\nb: 2\n\nc: 3\n\n":       {0, 6, 12, 12},
		"a: 1\r\n\r\nb: 2\r\n\r\nc: 3":   {0, 8, 16, 16},
		"a: 1\r\rb: 2\r\rc: 3\r\r":       {0, 6, 12, 12},
		"a: 1\nid: 2\n\nb: 2\n\n":        {0, 12, 12, 12},
		"a: 1\n\nb: 2\n\ndata: [DONE]\n": {0, 6, 12, 12},
	} {
		for i, some := range []int{0, 1, 2, 9} {
			if at, _ := afterEvents([]byte(stream), some); at != want[i] {
				t.Errorf("%q after %d: %d; want %d", stream, some, at, want[i])
			}
		}
	}
}

// A reply that is no stream, such as an error, is left as it is, and the fault
// has not fired.
func TestStreamCutLeavesOtherReplies(t *testing.T) {
	t.Parallel()
	injection, err := streamCut().Build(map[string]any{"how": "end"})
	if err != nil {
		t.Fatal(err)
	}
	var p Plan
	injection.Apply(&p, CallContext{})
	a := &Answer{Status: 429, Header: http.Header{"Content-Type": {"application/json"}}, Body: []byte(`{"a":1}`)}
	if d := p.Works(OnReply)[0].Amend(a); d.Not == "" || string(a.Body) != `{"a":1}` || p.Wire.Chunked {
		t.Errorf("%+v, %s", d, a.Body)
	}
}

func TestDripOfARate(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		with  map[string]any
		chunk int
		every time.Duration
		bad   bool
	}{
		"default":      {nil, 102, 99609375, false},
		"rate":         {map[string]any{"rate": "10KB"}, 1024, 100 * time.Millisecond, false},
		"slow":         {map[string]any{"rate": "1B"}, 1, time.Second, false},
		"both":         {map[string]any{"rate": "1KB", "chunk": "512B"}, 512, 500 * time.Millisecond, false},
		"nothing":      {map[string]any{"rate": "0B"}, 0, 0, true},
		"too fast":     {map[string]any{"rate": "1GB", "chunk": "1B"}, 0, 0, true},
		"too slow":     {map[string]any{"rate": "1B", "chunk": "1GB"}, 0, 0, true},
		"empty chunks": {map[string]any{"chunk": "0B"}, 0, 0, true},
	} {
		injection, err := slowBody().Build(c.with)
		if (err != nil) != c.bad {
			t.Errorf("%s: %v", name, err)
		}
		if err != nil {
			continue
		}
		var p Plan
		injection.Apply(&p, CallContext{})
		if p.Wire.Chunk != c.chunk || p.Wire.Every != c.every {
			t.Errorf("%s: %d bytes each %v", name, p.Wire.Chunk, p.Wire.Every)
		}
	}
}
