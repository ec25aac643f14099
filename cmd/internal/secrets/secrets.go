// Package secrets looks for secrets in what Parity has written: before somebody
// shares a folder, and before a run becomes evidence.
//
//	records, unpacked ─┐
//	files under .parity ┴▶ scan.Scanner ─▶ FILE:OFFSET or RUN, event N, field: kind
//	                          ▲
//	variables · tokens · what the profiles present · what looks real
//
// What it says names places and kinds, and never a value.
package secrets

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"parity/fakes/builtin"
	"parity/faults/trail"
	"parity/gateway/journal"
	"parity/gateway/kept"
	"parity/gateway/scan"
	"parity/profiles"
	"parity/specs/words"
)

// A Search says what is looked for, and where runs are.
type Search struct {
	Root    string
	Getenv  func(string) string
	Names   []string // of variables whose values are looked for besides those that profiles present
	Control string   // the control token; "": nobody has given it
}

// mostTold is how many findings are told: what is wrong shows by then.
const mostTold = 200

// A found secret, and where.
type found struct{ place, what string }

func (f found) String() string { return f.place + ": " + f.what }

// A hunt is one search under way.
type hunt struct {
	Search
	values  []scan.Secret
	short   []string // what is too short to be looked for
	notes   []string // what could not be looked through
	issuers []string
	runs    []run
	codec   *trail.Codec

	all, raw *scan.Scanner // raw: without the tokens of runs, which their own journals have
	list     []found
	count    int
	size     int64
	parts    int
}

// A run that is looked through, and the folder of its store.
type run struct{ dir, id string }

// Run looks through the record of a run and the files that belong to it, and says
// what was found: the code is 1 then.
func (s Search) Run(w io.Writer, name string) (code int, err error) {
	h, err := s.begin()
	if err != nil {
		return 0, err
	}
	if err := h.look(name); err != nil {
		return 0, err
	}
	return h.tell(w), nil
}

// All looks through all that is under .parity, and says what was found: the code
// is 1 then.
func (s Search) All(w io.Writer) (code int, err error) {
	h, err := s.begin()
	if err != nil {
		return 0, err
	}
	listed, err := kept.List(s.Root)
	if err != nil {
		return 0, err
	}
	for _, one := range listed {
		if err := h.add(one.ID); err != nil { // its pages are looked through in any case
			h.notes = append(h.notes, fmt.Sprintf("run %s is damaged or gone, and its pages alone were looked through: %v", one.ID, err))
		}
	}
	if err := h.records(); err != nil {
		return 0, err
	}
	if err := h.folder(kept.Folder(s.Root)); err != nil {
		return 0, err
	}
	return h.tell(w), nil
}

// Refuse looks through a run and what is to be kept of it, by names of files. Its
// error says what was found.
func (s Search) Refuse(name string, files map[string][]byte) error {
	h, err := s.begin()
	if err != nil {
		return err
	}
	if err := h.look(name); err != nil {
		return err
	}
	for file, data := range files {
		h.part(h.all, file, data)
	}
	if h.count == 0 {
		return nil
	}
	lines := make([]string, len(h.list))
	for i, f := range h.list {
		lines[i] = f.String()
	}
	return fmt.Errorf("run %s has %s in it, and evidence is shared: revoke what is real, and record the run anew\n%s", name, words.Count(h.count, "secret"), strings.Join(lines, "\n"))
}

func (s Search) begin() (*hunt, error) {
	codec, err := trail.NewCodec()
	if err != nil {
		return nil, err
	}
	h := &hunt{Search: s, codec: codec}
	for _, name := range s.Names {
		value := s.Getenv(name)
		switch {
		case value == "":
			return nil, &kept.UsageError{Err: fmt.Errorf("--secret-env %s: that variable is not set here: set it, or leave it out", name)}
		case len(value) < scan.Shortest:
			return nil, &kept.UsageError{Err: fmt.Errorf("--secret-env %s: its value has fewer than %d characters, and would be found in any text", name, scan.Shortest)}
		}
		h.value("the value of "+name, value)
	}
	h.value("the control token", s.Control)
	return h, nil
}

func (h *hunt) value(kind, value string) {
	switch {
	case value == "" || slices.ContainsFunc(h.values, func(s scan.Secret) bool { return s.Value == value }):
	case len(value) < scan.Shortest:
		h.short = append(h.short, kind)
	default:
		h.values = append(h.values, scan.Secret{Kind: kind, Value: value})
	}
}

// look looks through one run.
func (h *hunt) look(name string) error {
	if err := h.add(name); err != nil {
		return err
	}
	if err := h.records(); err != nil {
		return err
	}
	r := h.runs[0]
	if r.dir != kept.SharedFolder(h.Root) {
		return h.folder(r.dir)
	}
	stores, err := filepath.Glob(filepath.Join(r.dir, journal.FileName+"*"))
	if err != nil {
		return err
	}
	for _, file := range append(stores, kept.OutputFile(r.dir, r.id), kept.HumanFile(r.dir, r.id)) {
		if err := h.file(file); err != nil {
			return err
		}
	}
	return nil
}

// add takes a run: its token, and what its profile presents, are looked for too.
func (h *hunt) add(name string) error {
	dir, id, err := kept.Find(h.Root, name)
	if err != nil {
		return err
	}
	return h.within(run{dir, id}, func(rec *journal.Record) error {
		catalogue, err := builtin.Catalogue()
		if err != nil {
			return err
		}
		k, err := kept.ReadHead(rec, kept.Shelves{Catalogue: catalogue, Shelf: profiles.NewShelf()})
		if err != nil {
			return err
		}
		h.runs = append(h.runs, run{dir, id})
		h.value("the token of run "+id, k.Meta[kept.TokenKey])
		if k.Profile == nil {
			return nil
		}
		h.issuers = append(h.issuers, k.Profile.Issuers...)
		for _, i := range k.Profile.Identities {
			if i.Env != "" {
				h.value("the value of "+i.Env, h.Getenv(i.Env))
			}
			for _, m := range i.Minted {
				if s, ok := k.Profile.Catalogue.Service(m.Service); ok { // of later ones the head does not tell
					h.value("the credential of "+i.Name+" at "+m.Service, profiles.Mint(k.Seed(), i.Name, s, 0))
				}
			}
		}
		return nil
	})
}

// within opens the record of a run.
func (h *hunt) within(r run, use func(*journal.Record) error) error {
	store, err := journal.Open(r.dir)
	if err != nil {
		return h.unfound(err, r.id)
	}
	rec, err := store.Read(r.id)
	if err == nil {
		err = use(rec)
	}
	return h.unfound(errors.Join(err, store.Close()), r.id)
}

func (h *hunt) unfound(err error, id string) error {
	if errors.Is(err, fs.ErrNotExist) {
		return &kept.UsageError{Err: fmt.Errorf("there is no run %s under %s: `parity runs list` has those there are", id, kept.Folder(h.Root))}
	}
	return err
}

// folder looks through the files of a folder and those in it. One that goes
// meanwhile is none.
func (h *hunt) folder(dir string) error {
	return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		return h.file(path)
	})
}

func (h *hunt) file(path string) error {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	return h.stream(path, f, strings.HasPrefix(filepath.Base(path), journal.FileName))
}
