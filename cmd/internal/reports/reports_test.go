package reports

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestWhereReportsGo(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"a.xml": "a.xml", "out/A.JSON": "out/A.JSON", "a.otlp.json": "a.otlp.json", "junit=a": "a", "markdown=/x/y=z": "/x/y=z", "./a=b.md": "./a=b.md",
		"otlp=http://me:hush@127.0.0.1:4318": "http://me:xxxxx@127.0.0.1:4318/v1/traces", "otlp=https://c.example/otlp/": "https://c.example/otlp/v1/traces",
		"otlp=http://c.example/v1/traces": "http://c.example/v1/traces", "otlp=traces": "traces",
	} {
		all, err := Parse([]string{text})
		if err != nil || all[0].String() != want {
			t.Errorf("%s: %v, %v", text, all, err)
		}
	}
	for text, want := range map[string]string{
		"a.pdf": "its ending names no format: say FORMAT=FILE", "": "its ending names no format", "xml=a.xml": "junit", "otlp=": "names no file", "junit=": "names no file",
		"otlp=http://": "goes to a file", "junit=http://c.example/": "goes to a file",
	} {
		if _, err := Parse([]string{text}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
	if _, err := Parse([]string{"a.xml", "json=a.xml"}); err == nil || !strings.Contains(err.Error(), "another report goes there too") {
		t.Errorf("two reports in one file: %v", err)
	}
}

// A report that goes where a link leads emptied that file before the run.
func TestPreparingAReportEmptiesNoFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file, link := filepath.Join(dir, "kept"), filepath.Join(dir, "report.html")
	if err := os.WriteFile(file, []byte("kept"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(file, link); err != nil {
		t.Fatal(err)
	}
	reports, err := Parse([]string{link})
	if err == nil {
		err = Prepare(reports)
	}
	content, readErr := os.ReadFile(file)
	if err != nil || readErr != nil || string(content) != "kept" {
		t.Errorf("it has %q: %v, %v", content, err, readErr)
	}
}
