package faults

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// odd is a fault with a parameter of each kind that is more than a word.
func odd(into *Args) *Fault {
	return &Fault{Name: "odd", Params: []Param{
		{Name: "once", Kind: Call},
		{Name: "set", Kind: Fields},
		{Name: "leave", Kind: Names},
		{Name: "by", Kind: Number, Min: -2, Max: 2},
		{Name: "says", Kind: Value},
	}, build: func(a Args) (Injection, error) { *into = a; return nil, nil }}
}

func TestParametersThatAreMoreThanAWord(t *testing.T) {
	t.Parallel()
	var a Args
	_, err := odd(&a).Build(map[string]any{
		"once": "zendesk GET /api/v2/tickets/{id}", "set": map[string]any{"status": "solved", "tags": []any{"a", int64(1)}, "assignee": nil},
		"leave": []any{"email", int64(2)}, "by": int64(-1), "says": true,
	})
	if err != nil {
		t.Fatal(err)
	}
	value, _ := a.value("says")
	_, missing := a.value("nothing")
	got := []any{a.patterns("once")[0].String(), a.fields("set"), a.names("leave"), a.number("by"), value, missing}
	want := []any{
		"zendesk GET /api/v2/tickets/{id}",
		map[string]any{"status": "solved", "tags": []any{"a", int64(1)}, "assignee": nil},
		[]string{"email", "2"},
		-1.0, true, false,
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if _, err := odd(&a).Build(map[string]any{"once": []any{"stripe *", "stripe.PostRefunds"}, "leave": "email", "by": 0.5, "says": int64(3)}); err != nil {
		t.Fatal(err)
	}
	if len(a.patterns("once")) != 2 || cmp.Diff([]string{"email"}, a.names("leave")) != "" || a.number("by") != 0.5 {
		t.Errorf("%v", a)
	}
}

func TestWhatIsWrongInsideAParameterIsSaidThere(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		key    string
		raw    any
		inside []string
		want   string
	}{
		"no operation":     {"once", "refunds", nil, `"refunds" names no operation; write it as service METHOD /path or service.OperationId`},
		"one of many":      {"once", []any{"stripe *", "stripe get /v1/refunds"}, []string{"1"}, `"stripe get /v1/refunds": the method is written in capitals: GET`},
		"an empty list":    {"once", []any{}, nil, "the list is empty"},
		"a map as a call":  {"once", map[string]any{}, nil, "map[] names no operation; write it as service METHOD /path, or a list of them"},
		"no map":           {"set", "solved", nil, "solved is not a map from fields to values"},
		"an empty map":     {"set", map[string]any{}, nil, "map[] is not a map from fields to values"},
		"no name":          {"leave", []any{"a", "b", true}, []string{"2"}, "true is neither a word nor a list of words"},
		"too large":        {"by", int64(3), nil, "3 is out of bounds: from -2 to 2"},
		"no number":        {"by", "2", nil, "2 is not a number"},
		"no plain value":   {"says", []any{"x"}, nil, "[x] is not a plain value"},
		"null is no value": {"says", nil, nil, "<nil> is not a plain value"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var a Args
			_, err := odd(&a).Build(map[string]any{c.key: c.raw})
			var arg *ArgError
			if !errors.As(err, &arg) {
				t.Fatalf("%v", err)
			}
			if d := cmp.Diff(&ArgError{Key: c.key, Inside: c.inside, Message: c.want}, arg); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestParametersSayWhatTheyAre(t *testing.T) {
	t.Parallel()
	for want, p := range map[string]Param{
		"90s from 1ms to 1h":  {Kind: Duration, Default: 90 * time.Second, Min: int64(time.Millisecond), Max: int64(time.Hour)},
		"2d from 0s to 7d":    {Kind: Duration, Default: 48 * time.Hour, Max: int64(7 * 24 * time.Hour)},
		"1h30m from 1m30.5s":  {Kind: Duration, Default: 90 * time.Minute, Min: int64(90500 * time.Millisecond)},
		"0.5% ":               {Kind: Share, Default: 0.005},
		"64KB ":               {Kind: Size, Default: int64(64 << 10)},
		"500 from 400 to 599": {Kind: Count, Default: int64(500), Min: 400, Max: 599},
		"-0.5 from -1 to 1":   {Kind: Number, Default: -0.5, Min: -1, Max: 1},
		"[a, b] ":             {Kind: Names, Default: []string{"a", "b"}},
		"[stripe *] ":         {Kind: Call, Default: []Pattern{{text: "stripe *"}}},
		"false ":              {Kind: Flag, Default: false},
		" from 1":             {Kind: Count, Min: 1},
		"50% ":                {Kind: Cut, Default: 0.5},
		"reset ":              {Kind: Choice, Default: "reset", Choices: []string{"reset"}},
	} {
		if got := p.Otherwise() + " " + p.Bounds(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
