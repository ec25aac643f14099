package report

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"parity/fakes/world"
	"parity/faults/trail"
)

func TestEventDifferencesLookIntoBodies(t *testing.T) {
	t.Parallel()
	event := func(body string, status int) *trail.Event {
		return &trail.Event{Seq: 3, Kind: trail.Exchanged, Exchange: &trail.Exchange{Status: status, ReplyBody: []byte(body)}}
	}
	for name, c := range map[string]struct {
		was, is *trail.Event
		want    []string
	}{
		"equal":            {event(`{"a":1}`, 200), event(`{"a":1}`, 200), nil},
		"other order":      {event(`{"a":1,"b":2}`, 200), event(`{"b":2,"a":1}`, 200), nil},
		"a field":          {event(`{"a":{"b/c":1}}`, 200), event(`{"a":{"b/c":2}}`, 200), []string{"/exchange/reply_body/a/b~1c"}},
		"a field more":     {event(`{"a":1}`, 200), event(`{"a":1,"z":[1]}`, 200), []string{"/exchange/reply_body/z"}},
		"in a list":        {event(`[1,2]`, 200), event(`[1,3,4]`, 200), []string{"/exchange/reply_body/1", "/exchange/reply_body/2"}},
		"large numbers":    {event(`{"a":9007199254740993}`, 200), event(`{"a":9007199254740992}`, 200), []string{"/exchange/reply_body/a"}},
		"no JSON":          {event("<html>", 200), event("<html", 200), []string{"/exchange/reply_body"}},
		"a map and a list": {event(`{"a":[]}`, 200), event(`{"a":{}}`, 200), []string{"/exchange/reply_body/a"}},
		"status":           {event(`{}`, 200), event(`{}`, 503), []string{"/exchange/status"}},
		"nothing":          {event(`{}`, 200), nil, []string{""}},
	} {
		found, err := EventDifferences(c.was, c.is)
		if err != nil {
			t.Fatal(err)
		}
		var pointers []string
		for _, d := range found {
			pointers = append(pointers, d.Pointer)
		}
		if diff := cmp.Diff(c.want, pointers); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func worldOf(t *testing.T, records map[string]map[string]any) *world.World {
	t.Helper()
	w, err := world.New(world.Collection{Name: "s.things"}, world.Collection{Name: "s.keys", Hidden: true})
	if err != nil {
		t.Fatal(err)
	}
	tx := w.Begin()
	for _, id := range []string{"a", "b", "c", "d"} {
		if value, ok := records[id]; ok {
			if _, err := tx.Insert("s.things", id, value); err != nil {
				t.Fatal(err)
			}
		}
	}
	if _, err := tx.Insert("s.keys", "k", map[string]any{"n": int64(len(records))}); err != nil {
		t.Fatal(err)
	}
	return tx.Commit()
}

func TestStateDiff(t *testing.T) {
	t.Parallel()
	one := worldOf(t, map[string]map[string]any{"a": {"n": int64(1)}, "b": {"n": int64(2)}, "c": {"n": int64(3)}})
	two := worldOf(t, map[string]map[string]any{"a": {"n": int64(1)}, "b": {"n": int64(5), "new": true}, "d": {"n": int64(4)}})
	o := StateOptions{Names: [2]string{"sun", "storm"}}
	var out bytes.Buffer
	equal, err := StateDiff(&out, one, two, o)
	if err != nil || equal {
		t.Fatal(equal, err)
	}
	for _, want := range []string{
		"s.things\n", "b  differs", "/n\n      - 2\n      + 5", "/new\n      - (not there)\n      + true", "c  in sun alone", "d  in storm alone",
		"1 record different, 1 record in storm alone, 1 record in sun alone",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("it does not say %q:\n%s", want, out.String())
		}
	}
	if strings.Contains(out.String(), "s.keys") {
		t.Error("bookkeeping is compared")
	}
	out.Reset()
	if equal, err := StateDiff(&out, one, one, o); err != nil || !equal || out.String() != "sun and storm are equal\n" {
		t.Errorf("%v %v %q", equal, err, out.String())
	}
	out.Reset()
	o.JSON = true
	if _, err := StateDiff(&out, one, two, o); err != nil {
		t.Fatal(err)
	}
	var told struct {
		Equal   bool
		Changes []StateChange
	}
	if err := json.Unmarshal(out.Bytes(), &told); err != nil || told.Equal || len(told.Changes) != 3 || told.Changes[0].Fields[0].Pointer != "/n" {
		t.Errorf("%v %s", err, out.String())
	}
}

func TestCompareStamps(t *testing.T) {
	t.Parallel()
	a := trail.Stamp{Profile: "p1", Contracts: "c", Parity: "1"}
	if found := CompareStamps(a, a); found != nil {
		t.Error(found)
	}
	b := trail.Stamp{Profile: "p2", Contracts: "c", Fixtures: "f", Parity: "1"}
	want := []string{"the profile is of revision p1 there, p2 here", "the fixtures are none there, f here"}
	if diff := cmp.Diff(want, CompareStamps(a, b)); diff != "" {
		t.Error(diff)
	}
}

// told is one exchange of each sort, with what a terminal and an archive must
// not get.
func told() ([]trail.Event, map[uint64]trail.Settlement) {
	at := trail.At(time.Date(2026, 3, 2, 13, 0, 0, 0, time.UTC))
	x := func(e trail.Exchange) *trail.Exchange {
		e.Way, e.Service, e.Operation, e.Method, e.Host, e.Path = "connect", "stripe", "POST /v1/refunds", "POST", "api.stripe.com", "/v1/refunds"
		e.Outcome, e.Fidelity = trail.Answered, trail.Modelled
		return &e
	}
	return []trail.Event{
		{Seq: 1, Kind: trail.Started, At: at, Start: &trail.Start{Seed: 7, Mode: "live"}},
		{Seq: 2, Kind: trail.Exchanged, At: at, Identity: "stripe-a", Exchange: x(trail.Exchange{
			Status: 200, Query: "expand=charge&b=2", Body: []byte(`{"amount":5}`), ReplyBody: []byte(`{"client_secret":"pi_1_secret_abc","text":"` + "\\u001b[2J" + `"}`),
			ReplyHeader: []trail.Field{{Name: "Content-Type", Value: "application/json"}}, Committed: true,
			Strikes: []trail.Strike{{Rule: "late", Fault: "latency", Index: 1, Fired: true}, {Rule: "never", Fault: "error", Why: "when: not so"}},
		}), Delta: []trail.Change{{Op: world.Update, Collection: "stripe.charges", ID: "ch_1", Before: []byte(`{"refunded":false}`), After: []byte(`{"refunded":true}`)}}},
		{Seq: 3, Kind: trail.Exchanged, At: at, Exchange: x(trail.Exchange{Status: 200, ReplyBody: []byte(`{}`), Wire: trail.Wire{NoHead: true, End: trail.Reset}})},
		{Seq: 4, Kind: trail.Exchanged, At: at, Exchange: x(trail.Exchange{Status: 200, ReplyBody: []byte{0xff, 0xfe}})},
	}, map[uint64]trail.Settlement{2: {Of: 2, Sent: 40, Took: 1500 * time.Microsecond, Proto: "HTTP/2.0"}}
}

func TestHAR(t *testing.T) {
	t.Parallel()
	events, settlements := told()
	var out bytes.Buffer
	if err := HAR(&out, "1.2.3", nil, events, settlements); err != nil {
		t.Fatal(err)
	}
	var archive struct {
		Log struct {
			Version string
			Entries []harEntry
		}
	}
	if err := json.Unmarshal(out.Bytes(), &archive); err != nil {
		t.Fatal(err)
	}
	entries := archive.Log.Entries
	if archive.Log.Version != "1.2" || len(entries) != 3 {
		t.Fatalf("version %s, %d entries", archive.Log.Version, len(entries))
	}
	if strings.Contains(out.String(), "secret_abc") {
		t.Error("a secret that the fake gave out is in the archive")
	}
	first := entries[0]
	if first.Request.URL != "https://api.stripe.com/v1/refunds?expand=charge&b=2" || first.Request.QueryString[0].Name != "b" ||
		first.Time != 1.5 || first.Response.BodySize != 40 || first.Parity.Rules[0] != "late" || len(first.Parity.Rules) != 1 {
		t.Errorf("%+v", first)
	}
	if lost := entries[1]; lost.Response.Status != 0 || lost.Time != 0 || lost.Parity.Settled || lost.Response.Error != "reply lost (reset)" || lost.Response.Content.Text != "" {
		t.Errorf("%+v", lost)
	}
	if raw := entries[2].Response.Content; raw.Encoding != "base64" || raw.Text != "//4=" {
		t.Errorf("%+v", raw)
	}
}

func TestFrame(t *testing.T) {
	t.Parallel()
	events, settlements := told()
	var out bytes.Buffer
	s := settlements[2]
	if err := Frame(&out, &events[1], &s, Options{}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"#2  2026-03-02 13:00:00.000  stripe POST /v1/refunds  by stripe-a", "POST api.stripe.com/v1/refunds?expand=charge&b=2", `"amount": 5`,
		"late (latency): fired, on call 1 that it met", "never (error): did not fire: when: not so", "40 bytes of body went out",
		"update stripe.charges ch_1", "/refunded: false → true",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("it does not say %q:\n%s", want, out.String())
		}
	}
	if strings.ContainsRune(out.String(), 0x1b) || strings.Contains(out.String(), "secret_abc") {
		t.Errorf("what came over the wire reaches the terminal: %q", out.String())
	}
	out.Reset()
	if err := Frame(&out, &events[0], nil, Options{}); err != nil || !strings.Contains(out.String(), "the run began: seed 7") {
		t.Errorf("%v %s", err, out.String())
	}
}
