package profiles

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"parity/fakes/chance"
	"parity/specs/file"
)

// MostRecords is how many records a history keeps: the newest.
const MostRecords = 200

// How a record came to be.
const (
	Opened     = "opened"      // a gateway began with it
	Saved      = "saved"       // a save brought it into force
	RolledBack = "rolled back" // somebody put it in force again
	RefusedNow = "refused"     // a save had problems; what was in force stayed
)

// Record is one revision that came into force, or a save that did not.
type Record struct {
	At       time.Time `json:"at"`
	File     string    `json:"file"` // absolute, or the name of one in the library
	Name     string    `json:"name,omitempty"`
	How      string    `json:"how"`
	Revision string    `json:"revision,omitempty"`
	Problems []string  `json:"problems,omitempty"` // why it did not
	Said     string    `json:"said,omitempty"`     // what it would have met
}

// InForce tells whether the record is of a revision that came into force.
func (r *Record) InForce() bool { return r.How != RefusedNow }

// History keeps which revisions were in force, in a folder. Many gateways may
// write to one at once: each record is a file of its own.
//
//	20261128T160301.5-saved-c3d4….json   one for each record
//	c3d4….yaml  .start  .contracts       what the revision is, by content
type History struct{ Folder string }

// Note adds a record, and with it the profile, where there is one. A gateway that
// begins with what was in force last adds none.
func (h History) Note(r Record, p *Profile, o Options) error {
	o, err := o.ready()
	if err != nil {
		return err
	}
	r.File = o.place(r.File)
	if p != nil {
		r.Name, r.Revision = p.Name, p.Revision
	}
	if err := h.note(r, p); err != nil {
		return fmt.Errorf("history of profiles: %w", err)
	}
	return nil
}

func (h History) note(r Record, p *Profile) error {
	if err := os.MkdirAll(h.Folder, 0o700); err != nil {
		return err
	}
	root, err := os.OpenRoot(h.Folder)
	if err != nil {
		return err
	}
	defer root.Close()
	if r.How == Opened {
		records, err := h.Records("")
		if err != nil {
			return err
		}
		records = slices.DeleteFunc(records, func(old Record) bool { return old.File != r.File || !old.InForce() })
		if n := len(records); n > 0 && records[n-1].Revision == r.Revision {
			return nil
		}
	}
	if p != nil { // before the record that names it
		if err := p.put(root, r.Revision+".yaml", r.Revision+".start", r.Revision+".contracts"); err != nil {
			return err
		}
	}
	text, err := json.Marshal(r)
	if err != nil {
		return err
	}
	name := r.At.UTC().Format("20060102T150405.000000000") + "-" + chance.Hash(string(text))[:8] + recordEnding
	if err := replace(root, name, append(text, '\n')); err != nil {
		return err
	}
	return h.prune(root)
}

const recordEnding = ".json"

// prune takes away all but the newest records, and what only those name that
// went.
func (h History) prune(root *os.Root) error {
	names, err := fs.Glob(root.FS(), "*"+recordEnding)
	if err != nil || len(names) <= MostRecords {
		return err
	}
	slices.Sort(names)
	gone := map[string]bool{}
	for _, name := range names[:len(names)-MostRecords] {
		if r, err := readRecord(root, name); err == nil {
			gone[r.Revision] = true
		}
		if err := root.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	for _, name := range names[len(names)-MostRecords:] {
		if r, err := readRecord(root, name); err == nil {
			delete(gone, r.Revision)
		}
	}
	for revision := range gone {
		for _, ending := range []string{".yaml", ".start", ".contracts"} {
			if err := root.Remove(revision + ending); revision != "" && err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
	}
	return nil
}

func readRecord(root *os.Root, name string) (Record, error) {
	var r Record
	text, err := file.ReadIn(root, name, file.Most)
	if err == nil {
		err = json.Unmarshal(text, &r)
	}
	return r, err
}

// Records gives the records of a profile, oldest first: by its file, absolute,
// or its name in the library; "": all. One that cannot be read is left out.
func (h History) Records(file string) ([]Record, error) {
	root, err := os.OpenRoot(h.Folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer root.Close()
	names, err := fs.Glob(root.FS(), "*"+recordEnding)
	if err != nil {
		return nil, err
	}
	slices.Sort(names)
	var all []Record
	for _, name := range names {
		if r, err := readRecord(root, name); err == nil && (file == "" || r.File == file) {
			all = append(all, r)
		}
	}
	return all, nil
}

// Place is how records name the profile that is loaded by a name.
func Place(name string, o Options) string {
	o, err := o.ready()
	if err != nil {
		return name
	}
	return o.place(name)
}

func (o Options) place(name string) string {
	names := Layers(name)
	for i, layer := range names {
		if src := o.named(layer); !src.shelf {
			names[i] = src.path
		}
	}
	return Layered(names...)
}

// Revision gives a revision of the profile that is loaded by name, as it was in
// force: by its hash or the beginning of it.
func (h History) Revision(name, hash string, o Options) (*Profile, error) {
	o, err := o.ready()
	if err != nil {
		return nil, err
	}
	records, err := h.Records(o.place(name))
	if err != nil {
		return nil, err
	}
	whole, known := "", []string{}
	for i := range records {
		r := &records[i]
		if !r.InForce() || slices.Contains(known, r.Revision) {
			continue
		}
		known = append(known, r.Revision)
		if hash != "" && strings.HasPrefix(r.Revision, hash) {
			if whole != "" {
				return nil, fmt.Errorf("both %s and %s begin with %s: write more of it", whole, r.Revision, hash)
			}
			whole = r.Revision
		}
	}
	if whole == "" {
		return nil, fmt.Errorf("no revision %s of %s was in force, as far as is kept%s", hash, name, listed(known))
	}
	p, err := h.read(whole, o)
	if err != nil {
		return nil, fmt.Errorf("revision %s of %s: %w", whole, name, err)
	}
	p.Path = name
	return p, nil
}

func listed(known []string) string {
	const few = 10
	if len(known) == 0 {
		return ""
	}
	return ": there is " + strings.Join(known[max(0, len(known)-few):], ", ")
}

func (h History) read(revision string, o Options) (*Profile, error) {
	root, err := os.OpenRoot(h.Folder)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	content, err := file.ReadIn(root, revision+".yaml", maxBytes)
	if err == nil {
		err = o.kept(root, revision+".start", revision+".contracts")
	}
	if err != nil {
		return nil, err
	}
	p, err := Parse(filepath.ToSlash(filepath.Join(h.Folder, revision+".yaml")), content, o)
	if err == nil && p.Revision != revision {
		err = fmt.Errorf("what is kept of it reads as %s", p.Revision)
	}
	return p, err
}
