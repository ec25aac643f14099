package recording_test

import (
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"

	"parity/fakes/recording"
)

func TestMeasureCountsWhatItCompares(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name         string
		theirs, ours string
		compared     int
		misses       []string
	}{
		{"alike", `{"a": 1, "b": [true, null]}`, `{"a": 1, "b": [true, null]}`, 5, nil},
		{"made up", `{"id": "ord_11111111", "of": "ord_11111111"}`, `{"id": "ord_2", "of": "ord_2"}`, 3, nil},
		{"made up, and not kept to", `{"id": "ord_11111111", "of": "ord_11111111"}`, `{"id": "ord_2", "of": "ord_3"}`, 3, []string{"value /of: want ord_11111111, have ord_3"}},
		{"missing", `{"a": {"x": 1, "y": 2}}`, `{}`, 3, []string{`missing /a: want {"x":1,"y":2}, have nothing`}},
		{"extra", `{}`, `{"a/b": 1}`, 2, []string{"extra /a~1b: want nothing, have 1"}},
		{"of the exchange alone", `{}`, `{"request_id": "x"}`, 1, nil},
		{"type", `{"a": "1"}`, `{"a": 1}`, 2, []string{"type /a: want a text, have a number"}},
		{"null", `{"a": null}`, `{"a": 0}`, 2, []string{"type /a: want null, have a number"}},
		{"taken out", `{"a": "*** 4242"}`, `{"a": "x"}`, 2, nil},
		{"order", `{"l": [{"id": "b"}, {"id": "a"}]}`, `{"l": [{"id": "a"}, {"id": "b"}]}`, 4, []string{"order /l: want b, a, have another order"}},
		{"size, and what follows from it", `{"l": [{"id": "b", "n": 1}], "has_more": true}`, `{"l": [{"id": "a", "n": 2}, {"id": "b", "n": 1}], "has_more": false}`, 5, []string{"size /l: want 1, have 2"}},
		{"no JSON", `yes`, `no`, 2, []string{"text : want yes, have no"}},
		{"JSON on one side", `[1, 2]`, `no`, 4, []string{"type : want JSON, have no"}},
	} {
		e := recording.Exchange{Response: recording.Response{Status: 200, Body: c.theirs}}
		got := recording.NewAlignment().Measure(e, 200, http.Header{}, []byte(c.ours), "***")
		var misses []string
		for _, m := range got.Misses {
			misses = append(misses, m.String())
		}
		if diff := cmp.Diff(c.misses, misses); diff != "" || got.Compared != c.compared {
			t.Errorf("%s: compared %d, want %d\n%s", c.name, got.Compared, c.compared, diff)
		}
	}
}

func TestMeasureOfAnotherStatusHasNothingAlike(t *testing.T) {
	t.Parallel()
	e := recording.Exchange{Response: recording.Response{Status: 201, Header: map[string]string{"Retry-After": "1", "Cf-Ray": "x"}, Body: `{"a": 1, "b": 2}`}}
	got := recording.NewAlignment().Measure(e, 200, http.Header{}, []byte(`{"a": 1, "b": 2}`))
	if len(got.Misses) != 1 || got.Misses[0].What != recording.Status || got.Compared != 3 {
		t.Errorf("%+v", got)
	}
	got = recording.NewAlignment().Measure(e, 201, http.Header{}, []byte(`{"a": 1, "b": 2}`))
	if len(got.Misses) != 1 || got.Misses[0].Where != "retry-after" || got.Compared != 4 {
		t.Errorf("%+v", got)
	}
}
