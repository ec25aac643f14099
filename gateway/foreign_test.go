package gateway

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/fxamacker/cbor/v2"

	"parity/faults/trail"
	"parity/gateway/journal"
	"parity/gateway/kept"
)

// foreign keeps a run of one refund whose reply was lost, and then what follows.
func foreign(t *testing.T, profile string, follows ...[]byte) string {
	t.Helper()
	root := t.TempDir()
	store, err := journal.Create(filepath.Join(root, "runs", "r-1"), journal.Options{})
	if err != nil {
		t.Fatal(err)
	}
	w, err := store.Begin("r-1", journal.Origin{})
	if err != nil {
		t.Fatal(err)
	}
	codec, err := trail.NewCodec()
	if err != nil {
		t.Fatal(err)
	}
	at := trail.At(time.Date(2026, 3, 2, 13, 0, 0, 0, time.UTC))
	for _, e := range []trail.Event{
		{Seq: 1, Kind: trail.Started, At: at, Revision: "c3d4", Start: &trail.Start{Mode: "live"}},
		{Seq: 2, Kind: trail.Exchanged, At: at, Revision: "c3d4", Exchange: &trail.Exchange{
			Service: "stripe", Operation: "POST /v1/refunds", Effect: "irreversible", Method: "POST", Path: "/v1/refunds",
			Outcome: trail.Answered, Fidelity: trail.Modelled, Status: 200, Intent: trail.Intent{ID: "a.1", Occurrence: 1, Attempt: 1},
			Wire:    trail.Wire{NoHead: true, End: trail.Reset},
			Strikes: []trail.Strike{{Rule: "lose", Hash: "h", Fault: "ambiguous-success", Phase: "after", Index: 1, Fired: true}},
		}},
	} {
		data, err := codec.Event(&e)
		if err != nil {
			t.Fatal(err)
		}
		follows = append(follows[:e.Seq-1], append([][]byte{data}, follows[e.Seq-1:]...)...)
	}
	if err := w.Revision("c3d4", []byte(profile)); err != nil {
		t.Fatal(err)
	}
	for i, data := range follows {
		if err := w.Append(journal.Entry{Seq: uint64(i) + 1, Data: data}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.End(); err != nil {
		t.Fatal(err)
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	return root
}

// encoded is an event as another version of Parity may have it.
func encoded(t *testing.T, fields map[int]any) []byte {
	t.Helper()
	data, err := cbor.Marshal(fields)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// What another version of Parity wrote is judged as far as it can be read, and
// the report says what could not be.
func TestRecordsOfOtherVersionsAreJudgedAsFarAsTheyGo(t *testing.T) {
	t.Parallel()
	const good = "profile: lost\nservices: {stripe: {}}\n"
	for _, c := range []struct {
		name, profile string
		follows       []byte
		reaction      trail.Reaction
		hint          string
	}{
		{"nothing unknown", good, nil, trail.CutShort, ""},
		{"a field that it does not know", good, encoded(t, map[int]any{1: 3, 2: "clock", 3: 1, 9: map[int]any{1: 5}, 99: "new"}), trail.CutShort, ""},
		{"a kind that it does not know", good, encoded(t, map[int]any{1: 3, 2: "earthquake", 3: 1}), trail.CutShort, "1 event of kinds that this Parity does not know (earthquake)"},
		{"an event of another shape", good, encoded(t, map[int]any{1: 3, 2: "exchange", 7: []int{1}}), trail.Unjudged, "event 3 is not as this Parity has events"},
		{"no event at all", good, []byte("no event"), trail.Unjudged, "event 3 is not as this Parity has events"},
		{"a fault that it has not", "profile: lost\nservices: {stripe: {}}\nfaults: {x: {call: stripe *, inject: earthquake}}\n", nil, trail.CutShort, "cannot be read by this Parity"},
		{"no profile at all", "\x00", nil, trail.CutShort, "cannot be read by this Parity"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var follows [][]byte
			if c.follows != nil {
				follows = append(follows, c.follows)
			}
			k, err := kept.Read(foreign(t, c.profile, follows...), "r-1")
			if err != nil {
				t.Fatal(err)
			}
			r := k.Report()
			if len(r.Verdicts) == 0 || r.Verdicts[0].Reaction != c.reaction {
				t.Errorf("verdicts %+v, wanted %s", r.Verdicts, c.reaction)
			}
			if hints := strings.Join(append(r.Missing, r.Hints...), "\n"); !strings.Contains(hints, c.hint) || c.hint == "" && hints != "" {
				t.Errorf("hints %q", hints)
			}
		})
	}
}
