package kept

import (
	"os"
	"path/filepath"
	"testing"

	"parity/gateway/report"
)

// What is kept of a series is whole or not there: a write that fails leaves
// neither a part of it nor a draft.
func TestSeriesIsKeptWholeOrNotAtAll(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	first, second := report.Count(nil), report.Count([]report.Trial{{Profile: "rough", Nth: 1, Result: report.RunLeft}})
	for _, n := range []*report.Numbers{&first, &second} {
		if err := KeepSeries(dir, report.Series{Numbers: n}); err != nil {
			t.Fatal(err)
		}
	}
	data, err := os.ReadFile(filepath.Join(dir, seriesFile))
	if err != nil {
		t.Fatal(err)
	}
	if s, err := report.ReadSeries(data); err != nil || s.Numbers.Runs != 1 {
		t.Errorf("%+v, %v", s, err)
	}
	taken := t.TempDir()
	if err := os.MkdirAll(filepath.Join(taken, seriesFile, "in the way"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := KeepSeries(taken, report.Series{Numbers: &first}); err == nil {
		t.Error("it is kept in the place of a folder")
	}
	for folder, want := range map[string]int{dir: 1, taken: 1} {
		if files, err := os.ReadDir(folder); err != nil || len(files) != want {
			t.Errorf("%s has %v, %v", folder, files, err)
		}
	}
}
