package anatomy_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"parity/specs/anatomy"
	"parity/specs/openapi"
)

var update = flag.Bool("update", false, "write the golden files anew")

// Each document in testdata is in the manner of a service that many know; what
// is inferred of it stands beside it, to be read.
func TestAnatomyOfKnownManners(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no documents in testdata: %v", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			got := describe(infer(t, string(text)))
			golden := strings.TrimSuffix(file, ".yaml") + ".txt"
			if *update {
				if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatalf("%v; go test -update writes it", err)
			}
			if diff := cmp.Diff(string(want), got); diff != "" {
				t.Errorf("inferred otherwise than before (-want +got):\n%s", diff)
			}
		})
	}
}

// describe writes a model for people.
func describe(api *openapi.API, m *anatomy.Model) string {
	var b strings.Builder
	for _, r := range m.Resources {
		fmt.Fprintf(&b, "%s%s\n", r.Name, facts("in", name(r.Parent), "within", r.Within, "single", r.Singleton,
			"id", r.ID.Field, "param", r.ID.Param, "type", r.ID.Type, "format", r.ID.Format, "prefix", r.ID.Prefix, "client", r.ID.Client,
			"parents", r.Parents, "version", r.Version, "created", r.Created, "updated", r.Updated, "server", r.Server, "status", r.Status,
			"refers", r.Refers, "unique", r.Unique))
		for _, op := range api.Operations {
			if role := m.Roles[op]; role.Resource == r {
				fmt.Fprintf(&b, "  %-7s %s %s%s\n", role.Kind, op.Method, op.Path, facts("name", role.Name, "member", role.Member, "of", role.In,
					"within", role.Within, "parents", role.Parents, "in", where(role.Input), "out", where(role.Output), "key", role.Key, "status", role.Status,
					"prefer", role.Prefer, "if-match", role.IfMatch, "etag", role.ETag, "patch", role.Patch))
				if p := role.List; p != nil {
					fmt.Fprintf(&b, "         %s\n", strings.TrimSpace(facts("style", p.Style, "ids", p.IDs, "body", p.Body, "limit", p.Limit, "default", p.Default, "most", p.Most,
						"cursor", p.Cursor, "before", p.Before, "offset", p.Offset, "page", p.Page, "first", p.First, "next", p.Next, "url", p.IsURL,
						"more", p.More, "total", p.Total, "prev", p.Prev, "echo", p.Echo, "filters", p.Filters, "ranges", p.Ranges,
						"sort", p.Sort, "order", p.Order, "query", p.Query)))
				}
			}
		}
	}
	b.WriteString("other\n")
	for _, op := range api.Operations {
		if role := m.Roles[op]; role.Resource == nil {
			fmt.Fprintf(&b, "  %s %s\n", op.Method, op.Path)
		}
	}
	fmt.Fprintf(&b, "errors%s\n", facts("message", m.Errors.Message, "code", m.Errors.Code, "status", m.Errors.Status, "media", m.Errors.Media))
	return b.String()
}

func name(r *anatomy.Resource) string {
	if r == nil {
		return ""
	}
	return r.Name
}

func where(e anatomy.Envelope) string {
	if !e.Known {
		return ""
	}
	text := e.Path
	if text == "" {
		text = "body"
	}
	if e.Many {
		text += " (many)"
	}
	if !e.Fits {
		text += " (unlike)"
	}
	return text
}

// facts writes names with their values, those without a value left out.
func facts(pairs ...any) string {
	var b strings.Builder
	for pair := range slices.Chunk(pairs, 2) {
		text := fmt.Sprint(pair[1])
		switch text {
		case "", "[]", "map[]", "false", "0":
			continue
		}
		fmt.Fprintf(&b, " %v=%s", pair[0], text)
	}
	return b.String()
}
