package faults

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write what is expected anew, from what is")

// Between these lines the README is made from the catalogue.
const (
	catalogueBegins = "<!-- catalogue: made from the faults' own texts by go generate ./faults -->\n"
	catalogueEnds   = "<!-- end of the catalogue -->"
)

func TestReadmeHasTheCatalogue(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	before, rest, begins := strings.Cut(string(raw), catalogueBegins)
	got, after, ends := strings.Cut(rest, catalogueEnds)
	if !begins || !ends {
		t.Fatalf("README.md has lost the lines between which the catalogue stands:\n%s%s", catalogueBegins, catalogueEnds)
	}
	want := markdown(Catalogue())
	if *update {
		if err := os.WriteFile("README.md", []byte(before+catalogueBegins+want+catalogueEnds+after), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("README.md does not say what the faults say (a text of a fault was changed, or a fault was added). "+
			"Do not mend it by hand; run: go generate ./faults ./profiles && git add faults/README.md profiles/profile.schema.json\n%s", d)
	}
}

// What is written about a fault is what its user has.
func TestFaultsSayWhatTheyDo(t *testing.T) {
	t.Parallel()
	for _, f := range Catalogue() {
		for what, text := range map[string]string{"Summary": f.Summary, "Reaction": f.Reaction} {
			if !strings.HasSuffix(text, ".") {
				t.Errorf("%s: its %s is a sentence, with a full stop: %q", f.Name, what, text)
			}
		}
		if f.Example == "" {
			t.Errorf("%s has no Example: in its *Fault, give a complete rule in YAML as it stands under faults: of a profile, as in faults/timeout.go", f.Name)
		}
		for _, p := range f.Params {
			if p.Doc == "" || p.Example == "" && p.Kind != Flag && p.Kind != Choice {
				t.Errorf("%s: its parameter %s needs a Doc and an Example", f.Name, p.Name)
			}
		}
	}
}

// markdown writes what a list of faults says of itself.
func markdown(all []*Fault) string {
	var b strings.Builder
	b.WriteString("\n| fault | phase | decides | what the client sees |\n| --- | --- | --- | --- |\n")
	for _, f := range all {
		decides := ""
		if f.Decides {
			decides = "yes"
		}
		fmt.Fprintf(&b, "| [`%s`](#%s) | %s | %s | %s |\n", f.Name, f.Name, f.Phase, decides, cell(f.Summary))
	}
	for _, f := range all {
		section(&b, f)
	}
	b.WriteString("\n")
	return b.String()
}

func section(b *strings.Builder, f *Fault) {
	fmt.Fprintf(b, "\n### %s\n\n%s\n\n```text\n%s\n```\n", f.Name, f.Summary, f.Phase.Drawing())
	for _, note := range f.Notes() {
		fmt.Fprintf(b, "\n%s\n", note)
	}
	if len(f.Params) > 0 {
		b.WriteString("\n| parameter | what it says | written as | default | bounds | such as |\n| --- | --- | --- | --- | --- | --- |\n")
		for _, p := range f.Params {
			fmt.Fprintf(b, "| `%s` | %s | %s | %s | %s | %s |\n", p.Name, cell(p.Doc), cell(p.Unit()), code(p.Otherwise()), p.Bounds(), code(p.Example))
		}
	}
	fmt.Fprintf(b, "\nA good agent: %s\n", f.Reaction)
	if f.Example != "" {
		fmt.Fprintf(b, "\n```yaml\n%s\n```\n", f.Example)
	}
}

func code(word string) string {
	if word == "" {
		return ""
	}
	return "`" + cell(word) + "`"
}

// cell is a text in a table.
func cell(text string) string { return strings.ReplaceAll(text, "|", `\|`) }
