package report_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"parity/gateway/report"
)

// A format that its own table alone knew was refused by the control port, whose
// contract lists them too.
func TestFormatsAreThoseThatPagesName(t *testing.T) {
	t.Parallel()
	var formats []string
	for _, f := range report.Formats() {
		formats = append(formats, f.Name)
	}
	slices.Sort(formats)
	for _, page := range []struct{ file, names string }{
		{"../../specs/parity/openapi.yaml", `name: format, in: query, schema: \{type: string, enum: \[(json, text[^\]]*)\]`},
		{"../../cmd/README.md", "(?m)^\\| `([a-z]+)` \\| `\\."},
	} {
		content, err := os.ReadFile(page.file)
		if err != nil {
			t.Fatal(err)
		}
		var named []string
		for _, m := range regexp.MustCompile(page.names).FindAllStringSubmatch(string(content), -1) {
			named = append(named, strings.Split(m[1], ", ")...)
		}
		slices.Sort(named)
		if !slices.Equal(named, formats) {
			t.Errorf("%s names the formats %q; Formats has %q: ADDING.md says where a format is named", page.file, named, formats)
		}
	}
}
