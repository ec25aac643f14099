package inspect

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"parity/faults/trail"
	"parity/gateway"
	"parity/gateway/journal"
	"parity/gateway/kept"
	"parity/gateway/report"
)

// repaired is what a repair has kept, as JSON has it.
type repaired struct {
	Store   string        `json:"store"`
	Damaged string        `json:"damaged,omitempty"` // where the damaged file is; none: nothing was wrong
	Runs    []repairedRun `json:"runs"`
	Lost    []string      `json:"lost,omitempty"` // besides, a sentence each
}

type repairedRun struct {
	Run     string         `json:"run"`
	Last    uint64         `json:"last"`              // events 1 to this one are kept
	Error   string         `json:"error,omitempty"`   // why none after it are; none: none are known to be lost
	Whole   uint64         `json:"whole,omitempty"`   // events that are whole beyond the damage, and do not follow on
	Beyond  []journal.Span `json:"beyond,omitempty"`  // which these are
	File    string         `json:"file,omitempty"`    // where they are, one a line
	Changed []string       `json:"changed,omitempty"` // what was kept besides, is not as it was written, and is kept no more
}

// RepairStore makes a whole store of what can be read of a damaged one: the
// shared one, or that of a run of `parity run`. It says what was kept.
func RepairStore(w io.Writer, root, run, output string) error {
	if output != "text" && output != "json" {
		return fmt.Errorf("-o %q: say text or json", output)
	}
	dir := gateway.Settings{Root: root}.WithDefaults().SharedFolder()
	if run != "" {
		var err error
		if dir, _, err = kept.Find(root, run); err != nil {
			return err
		}
	}
	codec, err := trail.NewCodec()
	if err != nil {
		return err
	}
	b := &beyond{dir: dir, codec: codec, files: map[string]*os.File{}}
	done, err := journal.Repair(dir, b.keep)
	err = errors.Join(err, b.close(err != nil))
	if errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err != nil {
		return err
	}
	if output == "json" {
		return b.json(w, done)
	}
	return b.text(w, done)
}

// beyond keeps events that are whole beyond the damage of their run in a file a
// run, beside the store: in the store they would read as if they followed on.
type beyond struct {
	dir   string
	codec *trail.Codec
	files map[string]*os.File
}

func (b *beyond) keep(run string, entry journal.Entry) error {
	e, err := b.codec.ReadEvent(entry.Data)
	if err != nil {
		return nil //nolint:nilerr // of another Parity: it stays in the damaged file
	}
	f := b.files[run]
	if f == nil {
		if f, err = os.CreateTemp(b.dir, run+".beyond-*.jsonl"); err != nil {
			return err
		}
		b.files[run] = f
	}
	return report.Line(f, &e, nil)
}

// close closes the files, and removes them where there was no repair.
func (b *beyond) close(failed bool) (err error) {
	for _, f := range b.files {
		err = errors.Join(err, f.Close())
		if failed {
			err = errors.Join(err, os.Remove(f.Name()))
		}
	}
	return err
}

// file is where those of a run are; "": there are none.
func (b *beyond) file(run string) string {
	if f := b.files[run]; f != nil {
		return f.Name()
	}
	return ""
}

func (b *beyond) json(w io.Writer, done *journal.Repaired) error {
	told := repaired{Store: b.dir, Damaged: done.Damaged, Runs: []repairedRun{}, Lost: done.Lost}
	for _, r := range done.Runs {
		one := repairedRun{Run: r.Run, Last: r.Last, Whole: r.Whole(), Beyond: r.Beyond, File: b.file(r.Run), Changed: r.Changed}
		if r.Err != nil {
			one.Error = r.Err.Error()
		}
		told.Runs = append(told.Runs, one)
	}
	lines := json.NewEncoder(w)
	lines.SetIndent("", "  ")
	return lines.Encode(told)
}

func (b *beyond) text(w io.Writer, done *journal.Repaired) error {
	for _, r := range done.Runs {
		if _, err := fmt.Fprintln(w, r); err != nil {
			return err
		}
		if f := b.file(r.Run); f != "" {
			fmt.Fprintf(w, "  those beyond it, one a line: %s\n", f)
		}
	}
	for _, lost := range done.Lost {
		if _, err := fmt.Fprintln(w, "lost: "+lost); err != nil {
			return err
		}
	}
	if done.Damaged == "" {
		_, err := fmt.Fprintf(w, "nothing is wrong with %s\n", b.dir)
		return err
	}
	if len(done.Runs) == 0 {
		fmt.Fprintln(w, "no run could be kept: restore the store from a copy, or rehearse again")
	}
	_, err := fmt.Fprintf(w, "the damaged file is kept as %s\n", done.Damaged)
	return err
}
