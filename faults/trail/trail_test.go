package trail_test

import (
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"parity/faults/trail"
)

func sample() trail.Event {
	return trail.Event{
		Seq: 14, Kind: trail.Exchanged, At: trail.At(time.Date(2026, 3, 2, 13, 0, 0, 5, time.UTC)), Identity: "stripe-a", Revision: "c3d4",
		Exchange: &trail.Exchange{
			Way: "connect", Service: "stripe", Operation: "POST /v1/refunds", OperationID: "PostRefunds", Effect: "irreversible",
			Method: "POST", Host: "api.stripe.com", Path: "/v1/refunds", Header: []trail.Field{{Name: "Accept", Value: "*/*"}},
			Body: []byte(`{"charge":"ch_1"}`), Intent: trail.Intent{ID: "f.1", Fingerprint: "f", Occurrence: 1, Attempt: 2, Key: "k"},
			Outcome: trail.Answered, Fidelity: trail.Modelled, Status: 200, ReplyBody: []byte("{}"), Committed: true, Reserved: 12,
			Wire:    trail.Wire{NoHead: true, End: trail.Reset, Delay: time.Second},
			Strikes: []trail.Strike{{Rule: "r", Hash: "h", Fault: "latency", Phase: "reply", Index: 2, Fired: true, Until: 9}},
		},
		Delta: []trail.Change{{Op: "create", Collection: "stripe.refunds", ID: "re_1", Version: 1, Order: 3, After: []byte("{}")}},
	}
}

func TestCodecIsExactAndFixed(t *testing.T) {
	t.Parallel()
	codec, err := trail.NewCodec()
	if err != nil {
		t.Fatal(err)
	}
	e := sample()
	first, err := codec.Event(&e)
	if err != nil {
		t.Fatal(err)
	}
	read, err := codec.ReadEvent(first)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(e, read); diff != "" {
		t.Errorf("read back (-want +got):\n%s", diff)
	}
	second, err := codec.Event(&read)
	if err != nil || string(first) != string(second) {
		t.Errorf("written again it differs: %v", err)
	}
	s := trail.Settlement{Of: 14, Sent: 9, ClientGone: true, Took: time.Second, Wall: 5, Proto: "HTTP/2.0"}
	err = codec.LendSettlement(&s, func(data []byte) error {
		got, err := codec.ReadSettlement(data)
		if got != s {
			t.Errorf("settlement %+v", got)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

func TestInstantInJSON(t *testing.T) {
	t.Parallel()
	at := trail.At(time.Date(2026, 3, 2, 13, 0, 0, 123456789, time.UTC))
	text, err := json.Marshal(at)
	if err != nil || string(text) != `"2026-03-02T13:00:00.123456789Z"` {
		t.Errorf("%s, %v", text, err)
	}
	var back trail.Instant
	if err := json.Unmarshal(text, &back); err != nil || back != at {
		t.Errorf("%v, %v", back, err)
	}
	if err := json.Unmarshal([]byte(`"yesterday"`), &back); err == nil {
		t.Error("yesterday was read")
	}
}

func FuzzReadEvent(f *testing.F) {
	codec, err := trail.NewCodec()
	if err != nil {
		f.Fatal(err)
	}
	e := sample()
	data, err := codec.Event(&e)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Add(data[:len(data)/2])
	f.Add([]byte{0xa0})
	f.Fuzz(func(t *testing.T, data []byte) {
		e, err := codec.ReadEvent(data)
		if err != nil {
			return
		}
		if _, err := codec.Event(&e); err != nil {
			t.Errorf("what was read cannot be written: %v", err)
		}
	})
}

// An event of a kind that Kinds leaves out would be told as another version's.
func TestKindsAreAllThatThereAre(t *testing.T) {
	t.Parallel()
	source, err := os.ReadFile("trail.go")
	if err != nil {
		t.Fatal(err)
	}
	var said []trail.Kind
	for _, m := range regexp.MustCompile(`(?m)^\t\w+ +Kind += "(\w+)"`).FindAllSubmatch(source, -1) {
		said = append(said, trail.Kind(m[1]))
	}
	if !slices.Equal(said, trail.Kinds()) {
		t.Errorf("Kinds has %q; the source says %q", trail.Kinds(), said)
	}
}
