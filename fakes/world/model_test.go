package world_test

import (
	"bytes"
	"fmt"
	"iter"
	"math"
	"slices"
	"sort"
	"strings"
	"testing"

	"parity/fakes/world"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

const things = "test.things"

var collections = []world.Collection{
	{Name: things, Indexes: []string{"owner", "meta.tag"}, Sorted: []string{"due", "meta.rank"}},
	{Name: "test.keys", Hidden: true},
}

// A row is what the model knows of a record.
type row struct {
	ID             string
	Version, Order uint64
	JSON           string
}

// A model is what a world should be, kept plainly: rows by creation.
type model struct {
	rows map[string][]row
	last map[string]uint64
}

func (m model) clone() model {
	c := model{map[string][]row{}, map[string]uint64{}}
	for name, rows := range m.rows {
		c.rows[name], c.last[name] = slices.Clone(rows), m.last[name]
	}
	return c
}

func (m model) find(collection, id string) int {
	return slices.IndexFunc(m.rows[collection], func(r row) bool { return r.ID == id })
}

func collect(records iter.Seq[*world.Record]) (rows []row) {
	for r := range records {
		rows = append(rows, row{r.ID, r.Version, r.Order, string(r.JSON())})
	}
	return rows
}

func newest(rows []row, below uint64, keep func(row) bool) (out []row) {
	for _, r := range slices.Backward(rows) {
		if (below == 0 || r.Order < below) && (keep == nil || keep(r)) {
			out = append(out, r)
		}
	}
	return out
}

// check compares everything that can be read with the model.
func check(t *rapid.T, got world.Reader, want model, at uint64) {
	t.Helper()
	for _, c := range collections {
		rows := want.rows[c.Name]
		if got.Len(c.Name) != len(rows) {
			t.Fatalf("%s has %d records, want %d", c.Name, got.Len(c.Name), len(rows))
		}
		equal(t, "newest", collect(got.Newest(c.Name, 0)), newest(rows, 0, nil))
		equal(t, "newest below", collect(got.Newest(c.Name, at)), newest(rows, at, nil))
		var above []row
		for _, r := range rows {
			if r.Order > at {
				above = append(above, r)
			}
			record, ok := got.Get(c.Name, r.ID)
			if !ok || record.Order != r.Order || string(record.JSON()) != r.JSON {
				t.Fatalf("get %s: %+v", r.ID, record)
			}
		}
		equal(t, "oldest", collect(got.Oldest(c.Name, at)), above)
		for _, field := range []string{"owner", "meta.tag", "size"} {
			for _, value := range []string{"", "a", "b", "a\x00", "1", "true"} {
				keep := func(r row) bool { return text(r, field) == "="+value }
				what := fmt.Sprintf("find %s=%q below %d", field, value, at)
				equal(t, what, collect(got.Find(c.Name, field, value, at)), newest(rows, at, keep))
			}
		}
		for _, field := range []string{"due", "meta.rank", "size"} {
			for _, low := range []int64{math.MinInt64, -1, 0, 7, int64(at), math.MaxInt64} {
				what := fmt.Sprintf("ascending %s from %d", field, low)
				equal(t, what, collect(got.Ascending(c.Name, field, low)), ascending(rows, field, low))
			}
		}
	}
}

// ascending sorts what has a number, which keeps rows of one number in order.
func ascending(rows []row, field string, low int64) (out []row) {
	for _, r := range rows {
		if n, ok := at(r, field).(int64); ok && n >= low {
			out = append(out, r)
		}
	}
	sort.SliceStable(out, func(i, j int) bool { return at(out[i], field).(int64) < at(out[j], field).(int64) })
	return out
}

func at(r row, field string) any {
	value, err := world.Decode([]byte(r.JSON))
	if err != nil {
		panic(err)
	}
	if inner, ok := strings.CutPrefix(field, "meta."); ok {
		meta, _ := value["meta"].(map[string]any)
		return meta[inner]
	}
	return value[field]
}

// text is a field's text behind a sign that tells "" from none.
func text(r row, field string) string {
	switch at := at(r, field); at.(type) {
	case string, int64, bool:
		return fmt.Sprintf("=%v", at)
	}
	return ""
}

func equal(t *rapid.T, what string, got, want []row) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("%s (-want +got):\n%s", what, diff)
	}
}

func drawValue(t *rapid.T) map[string]any {
	owner := rapid.SampledFrom([]any{"a", "b", "a\x00", "", nil, int64(1), true, 2.5}).Draw(t, "owner")
	value := map[string]any{"owner": owner, "size": rapid.SampledFrom([]any{int64(1), "a"}).Draw(t, "size")}
	due := rapid.OneOf(rapid.SampledFrom([]any{nil, int64(-1), int64(0), int64(7), "7", 7.5, int64(math.MinInt64), int64(math.MaxInt64)}), rapid.Int64Range(-20, 20).AsAny())
	if rapid.Bool().Draw(t, "timed") {
		value["due"] = due.Draw(t, "due")
	}
	if rapid.Bool().Draw(t, "tagged") {
		value["meta"] = map[string]any{"tag": rapid.SampledFrom([]any{"a", "b", int64(1)}).Draw(t, "tag"), "rank": due.Draw(t, "rank")}
	}
	return value
}

// write does one random write to the transaction and to the model.
func write(t *rapid.T, tx *world.Tx, m *model) {
	name := rapid.SampledFrom(collections).Draw(t, "collection").Name
	id := fmt.Sprint(rapid.IntRange(0, 30).Draw(t, "id"))
	i := m.find(name, id)
	switch rapid.SampledFrom([]string{"insert", "insert", "update", "delete"}).Draw(t, "op") {
	case "insert":
		value := drawValue(t)
		if _, err := tx.Insert(name, id, value); (err == nil) != (i < 0) {
			t.Fatalf("insert %s, which is at %d: %v", id, i, err)
		}
		if i < 0 {
			m.last[name]++
			m.rows[name] = append(m.rows[name], row{id, 1, m.last[name], string(world.Encode(value))})
		}
	case "update":
		value := drawValue(t)
		if _, err := tx.Update(name, id, value); (err == nil) != (i >= 0) {
			t.Fatalf("update %s, which is at %d: %v", id, i, err)
		}
		if i >= 0 {
			m.rows[name][i].Version++
			m.rows[name][i].JSON = string(world.Encode(value))
		}
	case "delete":
		if err := tx.Delete(name, id); (err == nil) != (i >= 0) {
			t.Fatalf("delete %s, which is at %d: %v", id, i, err)
		}
		if i >= 0 {
			m.rows[name] = slices.Delete(m.rows[name], i, i+1)
		}
	}
}

// A world does as plain rows do; a transaction that is dropped leaves no trace;
// worlds stay as they were; a delta gives the world that it came from.
func TestAgainstModel(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		now := must(world.New(collections...))
		want := model{map[string][]row{}, map[string]uint64{}}
		type frame struct {
			world *world.World
			model model
			hash  string
		}
		var frames []frame
		for range rapid.IntRange(1, 12).Draw(t, "transactions") {
			at := rapid.Uint64Range(0, 20).Draw(t, "at")
			tx, inside := now.Begin(), want.clone()
			for range rapid.IntRange(0, 12).Draw(t, "writes") {
				write(t, tx, &inside)
			}
			check(t, tx, inside, at)
			check(t, now, want, at)
			frames = append(frames, frame{now, want, now.Hash()})
			if rapid.Bool().Draw(t, "drop") {
				continue
			}
			folded := must(now.Apply(tx.Changes()))
			now, want = tx.Commit(), inside
			check(t, folded, want, at)
			if folded.Hash() != now.Hash() {
				t.Fatalf("folded %s, committed %s", folded.Hash(), now.Hash())
			}
		}
		for _, f := range frames {
			check(t, f.world, f.model, 3)
			if f.world.Hash() != f.hash {
				t.Fatal("a world has changed under its reader")
			}
		}
	})
}

// What is stored decodes to what is kept.
func TestEncodeDecode(t *testing.T) {
	t.Parallel()
	leaf := rapid.OneOf(
		rapid.Just[any](nil), rapid.Bool().AsAny(), rapid.String().AsAny(), rapid.Int64().AsAny(),
		rapid.Int().AsAny(), rapid.Uint64().AsAny(), rapid.Float64().AsAny(), rapid.Float32().AsAny(),
		rapid.SampledFrom([]any{"\xff\xfea", "\u2028<>&", "\x00\x1f\"\\/", math.Copysign(0, -1), 1e21, 1e-7, 123e-9, 5e-324, 1e300, float64(1 << 53), []string{"x"}}),
	)
	var any_ func(depth int) *rapid.Generator[any]
	any_ = func(depth int) *rapid.Generator[any] {
		if depth == 0 {
			return leaf
		}
		return rapid.OneOf(leaf,
			rapid.SliceOfN(any_(depth-1), 0, 4).AsAny(),
			rapid.MapOfN(rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"id", "object", "a"})), any_(depth-1), 0, 5).AsAny())
	}
	rapid.Check(t, func(t *rapid.T) {
		value := map[string]any{"v": any_(3).Draw(t, "value")}
		encoded := world.Encode(value)
		kept := world.Normalise(value)
		decoded, err := world.Decode(encoded)
		if err != nil {
			t.Fatalf("%s: %v", encoded, err)
		}
		if diff := cmp.Diff(kept, any(decoded)); diff != "" {
			t.Fatalf("%s (-kept +decoded):\n%s", encoded, diff)
		}
		if again := world.Encode(decoded); !bytes.Equal(again, encoded) {
			t.Fatalf("%s, then %s", encoded, again)
		}
	})
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
