package profiles

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// with reads what stands under with: of a rule.
func with(t *testing.T, content string) (*item, *finder) {
	t.Helper()
	f := &finder{}
	root := readDocument(f, "p.yaml", []byte(content))
	if root == nil {
		t.Fatal(f.found)
	}
	return (&shaper{finder: f, file: "p.yaml"}).item(root, &key{kind: arguments}, "with"), f
}

func TestParametersHoldMapsAndLists(t *testing.T) {
	t.Parallel()
	const content = `
set: {status: solved, n: 1, text: "1", f: 0.5, on: true, assignee: null, tags: [a, {b: []}], empty: {}}
names: [email, name]
`
	it, f := with(t, content)
	if f.errors > 0 {
		t.Fatal(f.found)
	}
	got := map[string]any{}
	for _, field := range it.fields {
		got[field.name] = field.item.value
	}
	want := map[string]any{
		"set": map[string]any{
			"status": "solved", "n": int64(1), "text": "1", "f": 0.5, "on": true, "assignee": nil,
			"tags": []any{"a", map[string]any{"b": []any{}}}, "empty": map[string]any{},
		},
		"names": []any{"email", "name"},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	// What is written down of it reads as the same, and counts as the same.
	b := &binder{finder: f, tree: it}
	again, f := with(t, string(b.resolved().text))
	for _, field := range again.fields {
		if d := cmp.Diff(want[field.name], field.item.value); d != "" {
			t.Errorf("%s, once written down: %s\n%s", field.name, d, b.resolved().text)
		}
	}
	if f.errors > 0 || spelled(it) != spelled(again) {
		t.Errorf("%v\n%s\n%s", f.found, spelled(it), spelled(again))
	}
}

func spelled(it *item) string {
	var s strings.Builder
	spell(&s, it)
	return s.String()
}

// Counters of a rule live as long as its text means the same.
func TestWhatMeansSomethingElseCountsAnew(t *testing.T) {
	t.Parallel()
	seen := map[string]string{}
	for _, content := range []string{
		"a: 1", "a: [1]", `a: ["1"]`, "a: {b: 1}", "a: {b: {}}", "a: {b: []}", "a: {b: null}", `a: {b: "null"}`, "a: [[1]]", "a: [1, 1]",
		`a: {"b=(": 1}`, "a: []", "a: {}",
	} {
		it, f := with(t, content)
		if f.errors > 0 {
			t.Fatal(f.found)
		}
		if other, twice := seen[spelled(it)]; twice {
			t.Errorf("%s and %s are both %s", content, other, spelled(it))
		}
		seen[spelled(it)] = content
	}
	quoted, _ := with(t, `a: "1"`) // what a parameter is read as is up to its kind
	if _, known := seen[spelled(quoted)]; !known {
		t.Errorf("quotes count anew: %s", spelled(quoted))
	}
	a, _ := with(t, "a: {x: 1, y: 2}")
	b, _ := with(t, "a:\n  y: 2\n  x: 1")
	if spelled(a) != spelled(b) {
		t.Errorf("another layout counts anew: %s, %s", spelled(a), spelled(b))
	}
}

func TestWhatIsWrongInsideAParameterIsSaidWhereItStands(t *testing.T) {
	t.Parallel()
	_, f := with(t, `set:
  status: !solved x
  status: open
  tags: [a, &b c, *b]
  assignee:
n: 0x10
`)
	var got []string
	for _, p := range f.found {
		got = append(got, p.Error())
	}
	want := []string{
		`p.yaml:2:11: YAML reads "!solved" as a tag, not as part of the value; quote the value: "!solved x"`,
		`p.yaml:3:3: with.set.status is here twice, the first time on line 2; keep one of them`,
		`p.yaml:4:13: "&b" is an anchor, which profiles do not use; remove it`,
		`p.yaml:4:19: "*b" is an alias, which profiles do not use; write the value out; a rule can name a list of calls, and a profile can extend another`,
		`p.yaml:5:12: with.set.assignee has no value; give it one, or leave the key out`,
		`p.yaml:6:4: with.n: "0x10" is not a decimal number; write it in decimal digits, or quote it if it is text`,
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}
