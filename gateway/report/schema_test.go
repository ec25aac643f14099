package report

import (
	"bytes"
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/invopop/jsonschema"
	validator "github.com/santhosh-tekuri/jsonschema/v6"

	"parity/faults/trail"
)

func TestSchemaIsCommitted(t *testing.T) {
	t.Parallel()
	for name, want := range map[string][]byte{
		"report.schema.json":     reflectedSchema(t, reportDoc{}, "Parity report", "What one rehearsal proved, and what it did not. Every verdict has its scope."),
		"comparison.schema.json": reflectedSchema(t, trail.Comparison{}, "Parity shadow comparison", "What an agent wrote in one run beside what people did, by their log."),
	} {
		if *update {
			if err := os.WriteFile(name, want, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if got, err := os.ReadFile(name); err != nil || string(got) != string(want) {
			t.Errorf("%s is not what the types give; run go generate ./gateway/report (%v)", name, err)
		}
	}
}

// reflectedSchema makes the schema of the types: what each field says is its
// comment, and what a type of words may say is its constants.
func reflectedSchema(t *testing.T, of any, title, description string) []byte {
	t.Helper()
	r := jsonschema.Reflector{Anonymous: true, ExpandedStruct: true}
	words := map[string][]any{}
	// The types of a report are of two packages, which are read for their words.
	for pkg, folder := range map[string]string{"parity/gateway/report": ".", "parity/faults/trail": "../../faults/trail"} {
		said := jsonschema.Reflector{}
		if err := said.AddGoComments("of", folder); err != nil {
			t.Fatal(err)
		}
		if r.CommentMap == nil {
			r.CommentMap = map[string]string{}
		}
		for name, comment := range said.CommentMap {
			if rest, ok := strings.CutPrefix(name, path.Join("of", folder)); ok {
				r.CommentMap[pkg+rest] = comment
			}
		}
		maps.Copy(words, constantsOf(t, pkg, folder))
	}
	r.Mapper = func(of reflect.Type) *jsonschema.Schema {
		if of == reflect.TypeFor[trail.Instant]() {
			return &jsonschema.Schema{Type: "string", Format: "date-time"}
		}
		if all := words[of.PkgPath()+"."+of.Name()]; of.Kind() == reflect.String && len(all) > 0 {
			return &jsonschema.Schema{Type: "string", Enum: all}
		}
		return nil
	}
	s := r.Reflect(of)
	s.Title, s.Description = title, description
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(s); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// constantsOf gives the words of each type of text in a package.
func constantsOf(t *testing.T, pkg, folder string) map[string][]any {
	t.Helper()
	found := map[string][]any{}
	files, err := fs.Glob(os.DirFS(folder), "*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(folder, name), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			spec, ok := n.(*ast.ValueSpec)
			if !ok || len(spec.Values) != 1 {
				return true
			}
			of, named := spec.Type.(*ast.Ident)
			value, literal := spec.Values[0].(*ast.BasicLit)
			if named && literal && value.Kind == token.STRING {
				word, err := strconv.Unquote(value.Value)
				if err != nil {
					t.Fatal(err)
				}
				found[pkg+"."+of.Name] = append(found[pkg+"."+of.Name], word)
			}
			return true
		})
	}
	return found
}

func compiled(t *testing.T, text string) *validator.Schema {
	t.Helper()
	doc, err := validator.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := validator.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource("report.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("report.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// samples are reports of all sorts.
func samples() map[string]Report {
	all := map[string]Report{"nothing": {}}
	for name, alter := range map[string]func(*Report){
		"handled": func(*Report) {}, "failed": failing, "invalid": silent, "mute": mute, "faultless": faultless, "mixed": mixed,
	} {
		r := sample()
		alter(&r)
		all[name] = r
	}
	return all
}

func TestReportsFitTheSchema(t *testing.T) {
	t.Parallel()
	s := compiled(t, Schema())
	for name, r := range samples() {
		var out bytes.Buffer
		if err := JSON(&out, r); err != nil {
			t.Fatal(err)
		}
		doc, err := validator.UnmarshalJSON(&out)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Validate(doc); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A flat "passed" says nothing of what it rests on.
func TestFlatPassDoesNotFitTheSchema(t *testing.T) {
	t.Parallel()
	s := compiled(t, Schema())
	flat := func(alter func(doc, verdict map[string]any)) error {
		var out bytes.Buffer
		if err := JSON(&out, sample()); err != nil {
			t.Fatal(err)
		}
		doc, err := validator.UnmarshalJSON(&out)
		if err != nil {
			t.Fatal(err)
		}
		root := doc.(map[string]any)
		alter(root, root["verdicts"].([]any)[0].(map[string]any))
		return s.Validate(doc)
	}
	if err := flat(func(_, _ map[string]any) {}); err != nil {
		t.Fatal(err)
	}
	for name, alter := range map[string]func(doc, verdict map[string]any){
		"a verdict without scope":        func(_, v map[string]any) { delete(v, "scope") },
		"a verdict with an empty scope":  func(_, v map[string]any) { v["scope"] = map[string]any{} },
		"a verdict that is no verdict":   func(_, v map[string]any) { v["result"] = "pass" },
		"a report that passed":           func(d, _ map[string]any) { d["pass"] = true },
		"a report with a result":         func(d, _ map[string]any) { d["result"] = "passed" },
		"nothing that is not proved":     func(d, _ map[string]any) { delete(d, "not_proved") },
		"no known differences":           func(d, _ map[string]any) { delete(d, "known_differences") },
		"a list that is null":            func(d, _ map[string]any) { d["faults"] = nil },
		"an operation without fidelity":  func(d, _ map[string]any) { delete(d["operations"].([]any)[0].(map[string]any), "fidelity") },
		"a fidelity that does not exist": func(d, _ map[string]any) { d["operations"].([]any)[0].(map[string]any)["fidelity"] = []any{"perfect"} },
	} {
		if flat(alter) == nil {
			t.Errorf("%s fits the schema", name)
		}
	}
}

func TestSchemaKnowsEveryResult(t *testing.T) {
	t.Parallel()
	var s struct {
		Defs map[string]struct {
			Properties map[string]struct {
				Enum        []string `json:"enum"`
				Description string   `json:"description"`
			} `json:"properties"`
		} `json:"$defs"`
	}
	if err := json.Unmarshal([]byte(Schema()), &s); err != nil {
		t.Fatal(err)
	}
	result := s.Defs["Verdict"].Properties["result"].Enum
	slices.Sort(result)
	want := []string{string(trail.Failed), string(trail.InvalidRun), string(trail.NotEvaluated), string(trail.NotExercised), string(trail.Passed)}
	slices.Sort(want)
	if !slices.Equal(result, want) {
		t.Errorf("results %v", result)
	}
	if s.Defs["Verdict"].Properties["mend"].Description != "how to do better" {
		t.Errorf("what the types say of their fields is not in it")
	}
}
