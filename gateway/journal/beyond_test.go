package journal

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// entriesIn gives a run's events up to the first damage.
func entriesIn(t *testing.T, dir, run string) (all []Entry) {
	t.Helper()
	r, err := Open(dir)
	must(t, err)
	defer r.Close()
	rec, err := r.Read(run)
	must(t, err)
	for e, err := range rec.Entries(0) {
		if err == nil {
			all = append(all, e)
		}
	}
	return all
}

// Of a run whose fifth event was damaged the seven behind it were lost without a
// word.
func TestARepairTellsWhatIsWholeBeyondTheDamage(t *testing.T) {
	t.Parallel()
	dir := large(t, true)
	all := entriesIn(t, dir, "on")
	path := filepath.Join(dir, FileName)
	content, err := os.ReadFile(path)
	must(t, err)
	hurt := 4
	for len(all[hurt].Data) < 64 {
		hurt++
	}
	at := bytes.Index(content, all[hurt].Data[:32])
	if at < 0 {
		t.Fatal("the event is not in the file as it is")
	}
	content[at+16] ^= 0x41
	must(t, os.WriteFile(path, content, 0o600))
	told := map[string][]Entry{}
	report, err := Repair(dir, func(run string, e Entry) error {
		told[run] = append(told[run], Entry{e.Seq, bytes.Clone(e.Data)})
		return nil
	})
	must(t, err)
	kept := entriesIn(t, dir, "on")
	for _, r := range report.Runs {
		if r.Run != "on" {
			if len(r.Beyond) > 0 || r.Err != nil {
				t.Error(r)
			}
			continue
		}
		want := []Span{{all[hurt].Seq + 1, 12}}
		if r.Last != all[hurt-1].Seq || fmt.Sprint(r.Beyond) != fmt.Sprint(want) || r.Whole() != 12-all[hurt].Seq {
			t.Errorf("%v; want events beyond %v", r, want)
		}
	}
	if fmt.Sprint(kept) != fmt.Sprint(all[:hurt]) || fmt.Sprint(told) != fmt.Sprint(map[string][]Entry{"on": all[hurt+1:]}) {
		t.Errorf("%d events kept and %d told, of %d", len(kept), len(told["on"]), len(all))
	}
}

// A store whose first page was destroyed was lost altogether.
func TestAStoreWithoutItsFirstPageIsRepaired(t *testing.T) {
	t.Parallel()
	for _, closed := range []bool{true, false} {
		for name, gone := range map[string]int{"magic": 16, "header": 100, "page": pageSize} {
			t.Run(fmt.Sprint(name, ", closed ", closed), func(t *testing.T) {
				t.Parallel()
				dir := large(t, closed)
				was := map[string]account{"on": tell(t, dir, "on"), "over": tell(t, dir, "over")}
				path := filepath.Join(dir, FileName)
				content, err := os.ReadFile(path)
				must(t, err)
				clear(content[:gone])
				must(t, os.WriteFile(path, content, 0o600))
				report, err := Repair(dir, nil)
				must(t, err)
				if len(report.Runs) != len(was) || report.Damaged == "" || len(report.Lost) == 0 {
					t.Errorf("%+v", report)
				}
				for run, before := range was {
					if is := tell(t, dir, run); is.whole || is.text != before.text {
						t.Errorf("run %s: whole %v, as before %v", run, is.whole, is.text == before.text)
					}
				}
				s, err := Reopen(dir, Options{})
				must(t, err)
				must(t, s.Close())
				left, err := filepath.Glob(filepath.Join(dir, "transplant-*"))
				must(t, err)
				if len(left) > 0 {
					t.Errorf("left beside it: %v", left)
				}
			})
		}
	}
}
