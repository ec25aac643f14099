package profiles_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"parity/profiles"
)

func TestHistoryKeepsTheNewestRevisions(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	o, h := options(t, dir), profiles.History{Folder: filepath.Join(dir, "revisions")}
	at := time.Date(2026, 3, 2, 13, 0, 0, 0, time.UTC)
	var revisions []string
	note := func(how string, n int, file string) {
		t.Helper()
		at = at.Add(time.Second)
		p := parse(t, fmt.Sprintf("profile: rough\nseed: %d\nservices: {stripe: {}}\n", n))
		if err := h.Note(profiles.Record{At: at, File: file, How: how}, p, o); err != nil {
			t.Fatal(err)
		}
		revisions = append(revisions, p.Revision)
	}
	if all, err := h.Records(""); err != nil || len(all) != 0 {
		t.Errorf("before there is any: %v %v", all, err)
	}
	note(profiles.Opened, 0, "rough.yaml")
	note(profiles.Opened, 0, "rough.yaml") // the same again
	note(profiles.Opened, 0, "other.yaml")
	if all, err := h.Records(filepath.Join(dir, "rough.yaml")); err != nil || len(all) != 1 || all[0].Revision != revisions[0] {
		t.Fatalf("%+v %v", all, err)
	}
	revisions = revisions[:1]
	for n := 1; n <= profiles.MostRecords; n++ {
		note(profiles.Saved, n, "rough.yaml")
	}
	if err := h.Note(profiles.Record{At: at.Add(time.Second), File: "rough.yaml", How: profiles.RefusedNow, Problems: []string{"rough.yaml:2:1: no"}}, nil, o); err != nil {
		t.Fatal(err)
	}
	all, err := h.Records(profiles.Place("rough.yaml", o))
	if err != nil || len(all) != profiles.MostRecords || all[len(all)-1].InForce() || all[len(all)-2].Revision != revisions[len(revisions)-1] {
		t.Errorf("%d kept, %v", len(all), err)
	}
	p, err := h.Revision("rough.yaml", revisions[len(revisions)-3][:6], o)
	if err != nil || p.Revision != revisions[len(revisions)-3] || *p.Seed != profiles.MostRecords-2 {
		t.Errorf("%+v %v", p, err)
	}
	if contents, err := filepath.Glob(filepath.Join(h.Folder, "*.yaml")); err != nil || len(contents) != profiles.MostRecords-1 {
		t.Errorf("%d contents kept, %v", len(contents), err)
	}
	for hash, want := range map[string]string{revisions[1]: "no revision", "": "no revision", "zz": "no revision zz of rough.yaml was in force, as far as is kept: there is "} {
		if _, err := h.Revision("rough.yaml", hash, o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", hash, err)
		}
	}
}
