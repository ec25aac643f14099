package world_test

import (
	"bytes"
	"encoding/json"
	"math"
	"strings"
	"testing"

	"parity/fakes/world"

	"github.com/google/go-cmp/cmp"
)

func nan() float64 { return math.NaN() }

func TestEncode(t *testing.T) {
	t.Parallel()
	tx := sample(t).Begin()
	stored := must(tx.Insert(things, "2", object{"id": "2", "b": 1}))
	for _, test := range []struct {
		name string
		give any
		want string
	}{
		{"nothing", nil, `null`},
		{"no map", object(nil), `null`},
		{"no list", []any(nil), `null`},
		{"empty", object{"a": object{}, "b": []any{}}, `{"a":{},"b":[]}`},
		{
			"id and object first, at every depth",
			object{"b": object{"a": 1, "object": "y", "id": "x"}, "a": true, "object": "o", "id": "i"},
			`{"id":"i","object":"o","a":true,"b":{"id":"x","object":"y","a":1}}`,
		},
		{"no escaping for HTML", "<a href='x'>&</a>\u2028é€😀", `"<a href='x'>&</a>` + "\u2028é€😀\""},
		{"escapes", "\"\\\b\f\n\r\t\x00\x1f\x7f", `"\"\\\b\f\n\r\t\u0000\u001f` + "\x7f\""},
		{"invalid UTF-8", "a\xff\xfeb\n", `"a` + "\uFFFD" + `b\n"`},
		{"whole numbers", []any{20.0, int8(-3), uint16(9), json.Number("1e3"), math.Copysign(0, -1), math.MinInt64}, `[20,-3,9,1000,0,-9223372036854775808]`},
		{"other numbers", []any{0.5, 1e21, 1e-7, 2.5e-9, float32(0.5), 5e-324, uint64(math.MaxUint64)}, `[0.5,1e+21,1e-7,2.5e-9,0.5,5e-324,18446744073709552000]`},
		{"types of others", []any{map[string]string{"k": "v"}, []string{"a"}, []object{{"x": 1}}}, `[{"k":"v"},["a"],[{"x":1}]]`},
		{"stored records", object{"object": "list", "data": []any{stored, json.RawMessage(`{"z": 1}`)}}, `{"object":"list","data":[{"id":"2","b":1},{"z": 1}]}`},
		{"a page of records", object{"data": []*world.Record{stored, stored}, "none": []*world.Record{}}, `{"data":[{"id":"2","b":1},{"id":"2","b":1}],"none":[]}`},
	} {
		if diff := cmp.Diff(test.want, string(world.Encode(test.give))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}

func TestEncodePanicsAtWhatIsNoValue(t *testing.T) {
	t.Parallel()
	loop := object{}
	loop["self"] = loop
	for name, v := range map[string]any{"NaN": nan(), "a channel": make(chan int), "a map in itself": loop} {
		func() {
			defer func() {
				if p, _ := recover().(string); !strings.HasPrefix(p, "world.Encode: ") {
					t.Errorf("%s: panic %q", name, p)
				}
			}()
			world.Encode(object{"a": 1, "v": v})
		}()
	}
	if got := string(world.Encode(object{"a": 1})); got != `{"a":1}` {
		t.Errorf("after panics: %s", got)
	}
}

func TestDecode(t *testing.T) {
	t.Parallel()
	got := must(world.Decode([]byte(` {"a": 1, "b": 1.0, "c": 1.5, "d": 1e3, "e": 9223372036854775807, "f": 9223372036854775808, "g": [null, "x", {"h": -0}]} `)))
	want := object{
		"a": int64(1), "b": int64(1), "c": 1.5, "d": int64(1000), "e": int64(math.MaxInt64), "f": float64(1 << 63),
		"g": []any{nil, "x", object{"h": int64(0)}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for give, says := range map[string]string{
		`{"a":1} garbage`: "not one JSON object", `{"a":1}{}`: "not one JSON object", `[1]`: "not a JSON object", `null`: "null",
		``: "not a JSON object", `{"a":1e999}`: "too large", `{"a":` + strings.Repeat("[", 300) + strings.Repeat("]", 300) + `}`: "nested",
	} {
		if _, err := world.Decode([]byte(give)); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%.40s: error %v, want one that says %s", give, err, says)
		}
	}
}

func TestNormaliseLeavesItsInputAlone(t *testing.T) {
	t.Parallel()
	give := object{"a": []any{1, "x"}, "b": object{"c": int64(1)}}
	got := world.Normalise(give).(object)
	if _, whole := give["a"].([]any)[0].(int); !whole {
		t.Error("the input was changed")
	}
	if diff := cmp.Diff(object{"a": []any{int64(1), "x"}, "b": object{"c": int64(1)}}, got); diff != "" {
		t.Error(diff)
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte(`{"id":"x","n":1.50,"l":[null,true,{"é":"\ud800"}]}`))
	f.Add([]byte(` {"a\\u0062": "\\\"\\n" , "l": [ [], {}, -0.0, 12345678901234567890, "é"], "a": false, "a": {"":""}}`))
	f.Add([]byte(`{"a":01}`))
	f.Add([]byte("{\"a\":\"\xff\"}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		value, err := world.Decode(data)
		// The plain reader is a short cut, and no other grammar.
		plain, library := map[string]any(nil), json.NewDecoder(bytes.NewReader(data))
		library.UseNumber()
		if failed := library.Decode(&plain); failed != nil && err == nil {
			t.Fatalf("%q: encoding/json says %v", data, failed)
		}
		if err != nil {
			return
		}
		if diff := cmp.Diff(world.Normalise(plain), any(value)); diff != "" {
			t.Fatalf("%q: %s", data, diff)
		}
		encoded := world.Encode(value)
		if !json.Valid(encoded) {
			t.Fatalf("%q", encoded)
		}
		if diff := cmp.Diff(value, must(world.Decode(encoded))); diff != "" {
			t.Fatal(diff)
		}
	})
}

// A run that goes on after a restart reads every record that it ever wrote: what
// they have in common was made anew for each.
func TestDecodeKeepsOnceWhatRecordsHaveInCommon(t *testing.T) {
	data := []byte(`{"object":"customer","address":null,"balance":0,"currency":"usd","delinquent":false,"metadata":{"plan":"pro"},"tags":["a","b"]}`)
	ours := testing.AllocsPerRun(100, func() { _ = must(world.Decode(data)) })
	theirs := testing.AllocsPerRun(100, func() {
		var m map[string]any
		if err := json.Unmarshal(data, &m); err != nil {
			t.Error(err)
		}
	})
	if ours > theirs*3/4 { // a third; more under the race detector, where pools forget
		t.Errorf("%.0f allocations, %.0f of encoding/json", ours, theirs)
	}
}
