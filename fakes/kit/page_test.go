package kit_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"parity/fakes/kit"
	"parity/fakes/world"
)

func things(t interface{ Fatal(...any) }, n int) *world.World {
	w, err := world.New(world.Collection{Name: "x.things", Indexes: []string{"kind.name"}}, world.Collection{Name: "x.keys", Hidden: true})
	if err != nil {
		t.Fatal(err)
	}
	tx := w.Begin()
	for i := range n {
		value := map[string]any{"id": fmt.Sprint(i), "kind": map[string]any{"name": fmt.Sprint(i % 3)}}
		if _, err := tx.Insert("x.things", fmt.Sprint(i), value); err != nil {
			t.Fatal(err)
		}
	}
	return tx.Commit()
}

// TestPagesCoverEverything walks a list by its cursors, both ways, and must
// meet each record once, in order.
func TestPagesCoverEverything(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n, limit := rapid.IntRange(0, 25).Draw(t, "n"), rapid.IntRange(1, 7).Draw(t, "limit")
		q := kit.Query{Collection: "x.things", Limit: limit}
		if rapid.Bool().Draw(t, "indexed") {
			q.Index, q.Value = "kind.name", "1"
		}
		if rapid.Bool().Draw(t, "filtered") {
			q.Keep = func(r *world.Record) bool { return len(r.ID) == 2 }
		}
		w := things(t, n)
		all := q
		all.Limit = 100
		whole, err := kit.List(w, all)
		if err != nil {
			t.Fatal(err)
		}
		down := walk(t, w, q, func(q *kit.Query, p kit.Page) { q.After = p.Records[len(p.Records)-1].ID })
		if diff := cmp.Diff(ids(whole.Records), down); diff != "" {
			t.Fatalf("downwards: %s", diff)
		}
		if len(whole.Records) == 0 {
			return
		}
		last := whole.Records[len(whole.Records)-1].ID
		q.Before = last
		var up []string
		for {
			page, err := kit.List(w, q)
			if err != nil {
				t.Fatal(err)
			}
			up = append(ids(page.Records), up...)
			if !page.More {
				break
			}
			q.Before = page.Records[0].ID
		}
		if diff := cmp.Diff(ids(whole.Records), append(up, last)); diff != "" {
			t.Fatalf("upwards: %s", diff)
		}
	})
}

func walk(t *rapid.T, w *world.World, q kit.Query, next func(*kit.Query, kit.Page)) []string {
	out := []string{}
	for {
		page, err := kit.List(w, q)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, ids(page.Records)...)
		if !page.More {
			return out
		}
		next(&q, page)
	}
}

func ids(records []*world.Record) []string {
	out := []string{}
	for _, r := range records {
		out = append(out, r.ID)
	}
	return out
}

func TestUnknownCursor(t *testing.T) {
	t.Parallel()
	w := things(t, 3)
	for _, q := range []kit.Query{{Collection: "x.things", Limit: 1, After: "no"}, {Collection: "x.things", Limit: 1, Before: "no"}} {
		if _, err := kit.List(w, q); !errors.Is(err, kit.ErrCursor) {
			t.Errorf("%+v: %v", q, err)
		}
	}
}

func TestBounds(t *testing.T) {
	t.Parallel()
	const low, high = -1 << 63, 1<<63 - 1
	tests := []struct {
		given any
		want  kit.Bounds
	}{
		{nil, kit.Bounds{Low: low, High: high}},
		{int64(5), kit.Bounds{Low: 5, High: 5}},
		{"5", kit.Bounds{Low: 5, High: 5}},
		{"x", kit.Bounds{Low: low, High: high}},
		{map[string]any{"gt": int64(5)}, kit.Bounds{Low: 6, High: high}},
		{map[string]any{"gte": int64(5), "lt": "9"}, kit.Bounds{Low: 5, High: 8}},
		{map[string]any{"lte": int64(9), "gt": int64(20)}, kit.Bounds{Low: 21, High: 9}},
		{map[string]any{"gt": int64(high)}, kit.Bounds{Low: 1, High: 0}},
		{map[string]any{"lt": int64(low)}, kit.Bounds{Low: 1, High: 0}},
	}
	for _, test := range tests {
		if have := kit.BoundsOf(test.given); have != test.want {
			t.Errorf("%v: %+v, want %+v", test.given, have, test.want)
		}
	}
}
