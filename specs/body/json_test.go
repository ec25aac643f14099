package body

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestDecodeJSON(t *testing.T) {
	t.Parallel()
	tests := []struct {
		text string
		want any
	}{
		{`null`, nil},
		{` true `, true},
		{`"a\u00e9\n"`, "aé\n"},
		{`12`, int64(12)},
		{`-0`, int64(0)},
		{`1.0`, int64(1)},
		{`1e3`, int64(1000)},
		{`1.5`, 1.5},
		{`9223372036854775807`, int64(9223372036854775807)},
		{`9223372036854775808`, 9223372036854775808.0},
		{`[]`, []any{}},
		{`[ 1 , [ ] , { } ]`, []any{int64(1), []any{}, map[string]any{}}},
		{"{\"a\" : {\"b\":[1,2]},\t\"c\":\"\"}\n", map[string]any{"a": map[string]any{"b": []any{int64(1), int64(2)}}, "c": ""}},
	}
	for _, test := range tests {
		got, wrong := DecodeJSON([]byte(test.text))
		if wrong != nil {
			t.Errorf("%s: %v", test.text, wrong)
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s: %s", test.text, diff)
		}
	}
}

func TestDecodeJSONRefuses(t *testing.T) {
	t.Parallel()
	for text, pointer := range map[string]string{
		`{"a":1,"a":2}`: "/a", `{"x":[{"a":1,"\u0061":2}]}`: "/x/0/a", `{"a":1} {}`: "", `{} garbage`: "", `1 2`: "", "": "", " ": "",
		`{"a":1e999}`: "/a", "\"\xff\"": "", "\xef\xbb\xbf{}": "", `{'a':1}`: "", `{"a":1,}`: "", `NaN`: "", "[1]\x00": "",
		strings.Repeat("[", 66) + strings.Repeat("]", 66): strings.Repeat("/0", 65), strings.Repeat("[", 1_000_000): "",
	} {
		value, wrong := DecodeJSON([]byte(text))
		if wrong == nil {
			t.Errorf("%.40q gives %v", text, value)
		} else if wrong.Pointer != pointer {
			t.Errorf("%.40q is refused at %q, want %q", text, wrong.Pointer, pointer)
		}
	}
}

// "\ud800" was taken, and became U+FFFD in silence.
func TestLoneSurrogatesAreRefused(t *testing.T) {
	t.Parallel()
	for text, pointer := range map[string]string{
		`"\ud800"`: "", `{"a":["x",{"b":"\uDFAA"}]}`: "/a/1/b", `["\ud834\ud834\udd1e"]`: "/0", `"\ud888\u1234"`: "", `"\udd1e\ud834"`: "", `"\ud800\n"`: "",
		`"\ud800x\udc00"`: "", `"\\\ud800"`: "", `{"a":{"\ud800":1}}`: "/a", `"\ufffd\udc00"`: "",
	} {
		value, wrong := DecodeJSON([]byte(text))
		if wrong == nil || wrong.Rule != RuleSyntax || wrong.Pointer != pointer || !strings.Contains(wrong.Message, "surrogate") {
			t.Errorf("%s gives %q, %+v", text, value, wrong)
		}
	}
	for text, want := range map[string]string{
		`"\ud834\uDD1E"`: "𝄞", `"x\ud834\udd1e\ud834\udd1e\n"`: "x𝄞𝄞\n", `"\\ud800"`: `\ud800`, `"\ufffd"`: "\ufffd", "\"\ufffd\\t\"": "\ufffd\t", `"\\\ufffd\\udc00"`: "\\\ufffd\\udc00",
	} {
		if value, wrong := DecodeJSON([]byte(text)); wrong != nil || value != want {
			t.Errorf("%s gives %q, %+v", text, value, wrong)
		}
	}
}

// TestJSONTestSuite reads github.com/nst/JSONTestSuite: y_ files have to be
// taken as JSON bodies, n_ files refused; i_ files are for each to decide.
func TestJSONTestSuite(t *testing.T) {
	t.Parallel()
	folder := shared(t, "suites/jsontestsuite")
	// Valid by grammar, but a name twice in one object: SAFETY wants it
	// refused, since readers differ on which one counts.
	doubled := map[string]bool{"y_object_duplicated_key.json": true, "y_object_duplicated_key_and_value.json": true}
	files, err := filepath.Glob(filepath.Join(folder, "*.json"))
	if err != nil || len(files) < 300 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.Base(file)
		_, wrong := DecodeJSON(data)
		switch {
		case doubled[name]:
			if wrong == nil {
				t.Errorf("%s is taken", name)
			}
		case name[0] == 'y' && wrong != nil:
			t.Errorf("%s is refused: %v", name, *wrong)
		case name[0] == 'n' && wrong == nil:
			t.Errorf("%s is taken", name)
		case name[0] == 'i' && strings.Contains(name, "surrogate") && wrong == nil:
			t.Errorf("%s is taken, and no text holds it", name)
		}
	}
}

func FuzzDecodeJSON(f *testing.F) {
	for _, seed := range []string{`{"a":[1,"b",null,{"c":1.5e3}]}`, `"\ud800"`, `[[[]]]`, `{"":{}}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		value, wrong := DecodeJSON(data)
		if wrong == nil {
			checkDepth(t, value, 0)
		}
	})
}

func checkDepth(t *testing.T, value any, depth int) {
	t.Helper()
	if depth > MaxDepth+1 {
		t.Fatal("too deep")
	}
	switch v := value.(type) {
	case map[string]any:
		for _, inner := range v {
			checkDepth(t, inner, depth+1)
		}
	case []any:
		for _, inner := range v {
			checkDepth(t, inner, depth+1)
		}
	}
}

func TestValuesOfABodyAreCounted(t *testing.T) {
	t.Parallel()
	list := func(n int) []byte { return []byte("[" + strings.TrimSuffix(strings.Repeat("0,", n), ",") + "]") }
	if _, wrong := DecodeJSON(list(MaxValues - 1)); wrong != nil {
		t.Errorf("%d values: %+v", MaxValues, wrong)
	}
	for name, data := range map[string][]byte{
		"in a list":    list(MaxValues),
		"in lists":     []byte("[" + strings.TrimSuffix(strings.Repeat("[[]],", MaxValues/2), ",") + "]"),
		"in an object": []byte(`{"a":` + string(list(MaxValues)) + `}`),
	} {
		if _, wrong := DecodeJSON(data); wrong == nil || wrong.Rule != RuleSize {
			t.Errorf("%s: %+v", name, wrong)
		}
	}
}
