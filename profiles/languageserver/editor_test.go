// Package languageserver_test opens profiles in yaml-language-server, which is
// what Visual Studio Code, Neovim, Zed and others run for YAML, and looks at
// what it shows to whoever writes one.
//
//	profile + modeline ─▶ yaml-language-server ─▶ completions · hover · problems
//	                        ▲
//	                   profile.schema.json
package languageserver_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"parity/faults"
)

var update = flag.Bool("update", false, "write the session that is expected anew")

// A profile that is being written. «» is where the cursor is in one of the
// steps below; it is not part of the text.
const draft = `# yaml-language-server: $schema=./profile.schema.json
profile: draft
services: {stripe: {}}
faults:
  lose-a-refund:
    call: stripe POST /v1/refunds
    «key»
    inject: «fault»ambiguous-success
    with:
      reply: «reply»reset
      «parameter»
    trigger:
      nth: 2
`

// wrong has a key that is misspelt, a value that is none, and a parameter of
// another fault.
const wrong = `# yaml-language-server: $schema=./profile.schema.json
profile: wrong
services: {stripe: {}}
faults:
  lose-a-refund:
    call: stripe POST /v1/refunds
    injekt: timeout
    trigger: {chance: 0.3}
  no-answer:
    call: stripe POST /v1/refunds
    inject: timeout
    with: {reply: reset}
`

func TestWhatAnEditorShows(t *testing.T) {
	t.Parallel()
	e := start(t)
	e.hello()
	record := &strings.Builder{}
	folder, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}

	library := filepath.Join(folder, "library", "lost-replies.yaml")
	text, err := os.ReadFile(library)
	if err != nil {
		t.Fatal(err)
	}
	uri := "file://" + filepath.ToSlash(library)
	fmt.Fprintf(record, "open library/lost-replies.yaml\n%s", problems(e.open(uri, string(text))))
	fmt.Fprintf(record, "\nhover over inject: ambiguous-success\n%s", indented(e.hover(uri, find(t, string(text), "inject: ambig", 2))))
	if hover := e.hover(uri, find(t, string(text), "inject: ambig", 10)); !strings.Contains(hover, "The change is made and the answer is lost.") {
		t.Errorf("over a fault nothing is said of it: %s", hover)
	}
	if hover := e.hover(uri, find(t, string(text), "reply: reset", 1)); !strings.Contains(hover, "what the client gets") || !strings.Contains(hover, "By default reset") {
		t.Errorf("over a parameter nothing is said of it: %s", hover)
	}
	fmt.Fprintf(record, "\nhover over tries: 3\n%s", indented(e.hover(uri, find(t, string(text), "tries: 3", 1))))

	for _, step := range []struct {
		where, cursor, typed string
		want                 []string // at least these
	}{
		{"in a rule", "key", "", []string{"when", "because", "required", "enabled"}},
		{"after inject: rate", "fault", "rate", names()},
		{"after reply:", "reply", "", []string{"reset", "hang", "cut-headers", "cut-body", "html"}},
		{"under with: of ambiguous-success", "parameter", "", []string{"for", "commits"}},
	} {
		text, at := cursorAt(t, draft, step.cursor, step.typed)
		uri := "file://" + filepath.ToSlash(filepath.Join(folder, step.cursor+".yaml"))
		e.open(uri, text)
		items := e.complete(uri, at)
		labels := make([]string, len(items))
		for i, item := range items {
			labels[i] = item.Label
		}
		for _, want := range step.want {
			if !slices.Contains(labels, want) {
				t.Errorf("complete at %s: %s is not among %v", step.cursor, want, labels)
			}
		}
		if step.cursor == "parameter" && slices.Contains(labels, "status") {
			t.Errorf("complete at %s: status is a parameter of other faults: %v", step.cursor, labels)
		}
		fmt.Fprintf(record, "\ncomplete %s\n", step.where)
		for _, item := range items { // of which an editor shows those that begin like that
			if strings.HasPrefix(item.Label, step.typed) {
				fmt.Fprintf(record, "  %s: %s\n", item.Label, firstLine(item.Documentation))
			}
		}
	}

	found := e.open("file://"+filepath.ToSlash(filepath.Join(folder, "wrong.yaml")), wrong)
	for line, want := range map[int]string{7: "injekt", 8: "chance", 12: "reply"} {
		if !slices.ContainsFunc(found, func(d diagnostic) bool { return d.Range.Start.Line+1 == line }) {
			t.Errorf("line %d: nothing is said of %s: %v", line, want, found)
		}
	}
	fmt.Fprintf(record, "\nopen wrong.yaml\n%s", problems(found))
	golden(t, "testdata/session.txt", record.String())
}

func names() []string {
	var all []string
	for _, f := range faults.Catalogue() {
		all = append(all, f.Name)
	}
	return all
}

// cursorAt gives a text without its marks, and where one of them was: what was
// typed there stands for the rest of the line.
func cursorAt(t *testing.T, marked, name, typed string) (string, position) {
	t.Helper()
	var lines []string
	at := position{Line: -1}
	for line := range strings.SplitSeq(marked, "\n") {
		before, rest, has := strings.Cut(line, "«")
		mark, after, _ := strings.Cut(rest, "»")
		switch {
		case has && mark == name:
			at = position{len(lines), len(before) + len(typed)}
			lines = append(lines, before+typed)
		case has && strings.TrimSpace(before) == "" && after == "": // the cursor of another step, on a line of its own
		case has:
			lines = append(lines, before+after)
		default:
			lines = append(lines, line)
		}
	}
	if at.Line < 0 {
		t.Fatalf("no cursor %s", name)
	}
	return strings.Join(lines, "\n"), at
}

func find(t *testing.T, text, what string, further int) position {
	t.Helper()
	for i, line := range strings.Split(text, "\n") {
		if at := strings.Index(line, what); at >= 0 {
			return position{i, at + further}
		}
	}
	t.Fatalf("no %q", what)
	return position{}
}

func (e *editor) hover(uri string, at position) string {
	e.t.Helper()
	var h struct{ Contents struct{ Value string } }
	e.ask("textDocument/hover", map[string]any{"textDocument": map[string]any{"uri": uri}, "position": at}, &h)
	return h.Contents.Value
}

type completion struct {
	Label         string
	Documentation any
}

func (e *editor) complete(uri string, at position) []completion {
	e.t.Helper()
	var c struct{ Items []completion }
	e.ask("textDocument/completion", map[string]any{"textDocument": map[string]any{"uri": uri}, "position": at}, &c)
	slices.SortFunc(c.Items, func(a, b completion) int { return strings.Compare(a.Label, b.Label) })
	return c.Items
}

func firstLine(documentation any) string {
	text, ok := documentation.(string)
	if m, marked := documentation.(map[string]any); marked {
		text, ok = m["value"].(string)
	}
	if !ok {
		return ""
	}
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return line
}

func problems(found []diagnostic) string {
	if len(found) == 0 {
		return "  no problems\n"
	}
	slices.SortFunc(found, func(a, b diagnostic) int { return a.Range.Start.Line - b.Range.Start.Line })
	var b strings.Builder
	for _, d := range found {
		fmt.Fprintf(&b, "  %d:%d: %s\n", d.Range.Start.Line+1, d.Range.Start.Character+1, strings.ReplaceAll(d.Message, "\n", " "))
	}
	return b.String()
}

// indented leaves out where the schema lies, and what else it would allow.
func indented(text string) string {
	text, _, _ = strings.Cut(text, "\nAllowed Values:")
	text, _, _ = strings.Cut(text, "\nSource: ")
	var b strings.Builder
	for line := range strings.SplitSeq(strings.TrimSpace(text), "\n") {
		b.WriteString(strings.TrimRight("  "+line, " ") + "\n")
	}
	return b.String()
}

func golden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), got); d != "" {
		t.Errorf("%s: not what the server shows now; if it should be: go test ./profiles/languageserver -update\n%s", file, d)
	}
}
