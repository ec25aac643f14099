// Package evidence keeps what runs showed, so that a change of it shows.
//
//	000001.json ◀── 000002.json ◀── 000003.json       each entry holds the digest of the one before
//	     │               │               │
//	     ▼               ▼               ▼
//	files/SHA-256   files/SHA-256   files/SHA-256     and of what it keeps: report, events, profile
//
// A changed, lost or added byte of an entry that another follows, or of what any
// entry keeps, breaks a digest, and Verify says where. What a chain alone cannot
// show is that its newest entry was changed, that its end was cut off, or that
// all of it was written anew: who wants to know keeps the digest of the newest
// entry elsewhere, such as in git, and looks for it (Chain.Has).
//
// Entries are files that come about whole or not at all, and never twice under
// one number: writers need no lock.
package evidence

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"

	"parity/specs/file"
)

// The kinds of entries.
const (
	Run       = "run"       // a run was kept
	Promotion = "promotion" // an agent went a step up
)

// What is kept with a run.
const (
	ReportFile  = "report.json"
	EventsFile  = "events.jsonl"
	ProfileFile = "profile.yaml"
)

// Entry is one link of the chain.
type Entry struct {
	Number   int               `json:"number"` // from 1
	Kind     string            `json:"kind"`
	At       time.Time         `json:"at"`
	Step     string            `json:"step"`              // that it is evidence for, or that was taken
	Agent    string            `json:"agent"`             // its name and version, as who kept it says
	Profile  string            `json:"profile"`           // by name
	Revision string            `json:"revision"`          // of the profile: a digest of all that it names
	Policy   string            `json:"policy,omitempty"`  // the digest of what the agent might do; "": the profile says nothing of it
	Run      string            `json:"run,omitempty"`     // of a run: its name
	Journal  string            `json:"journal,omitempty"` // of a run: the digest of its events as its journal has them
	Rests    []int             `json:"rests,omitempty"`   // of a promotion: the numbers of the entries that it rests on
	Files    map[string]string `json:"files,omitempty"`   // what is kept with it: names, and digests of contents
	Previous string            `json:"previous"`          // the digest of the entry before; "" of the first
}

// Store is a folder of evidence, which need not be there yet.
type Store struct{ Dir string }

// ErrNone says that there is no evidence.
var ErrNone = errors.New("no evidence is kept here")

// Digest is the SHA-256 of data, in hexadecimal.
func Digest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

func (s Store) entry(n int) string { return filepath.Join(s.Dir, fmt.Sprintf("%06d.json", n)) }

func (s Store) content(digest string) string { return filepath.Join(s.Dir, "files", digest) }

// Append adds an entry, with the files that it keeps, and gives it as it is
// kept. It refuses where the chain is broken already: nothing may rest on that.
func (s Store) Append(e Entry, files map[string][]byte) (Entry, error) {
	if err := s.open(); err != nil {
		return e, err
	}
	e.Files = map[string]string{}
	for name, data := range files {
		e.Files[name] = Digest(data)
		if err := put(s.content(e.Files[name]), data); err != nil && !errors.Is(err, fs.ErrExist) {
			return e, err
		}
	}
	const most = 100 // writers at once that may come first
	for range most {
		chain, err := s.Verify()
		if err != nil && !errors.Is(err, ErrNone) {
			return e, err
		}
		if len(chain.Broken) > 0 {
			return e, fmt.Errorf("the evidence is broken, and nothing can rest on it: %s: `parity audit verify` has all", chain.Broken[0])
		}
		e.Number, e.Previous, e.At = len(chain.Entries)+1, chain.Head, e.At.UTC()
		text, err := written(e)
		if err != nil {
			return e, err
		}
		if err = put(s.entry(e.Number), text); !errors.Is(err, fs.ErrExist) {
			return e, err
		}
	}
	return e, errors.New("others add evidence all the time: try again")
}

// open makes the folder, for nobody but its owner: what it keeps has what a
// company's agents did. One that was made for others to read is closed to them;
// a group that was let in stays.
func (s Store) open() error {
	if err := os.MkdirAll(filepath.Join(s.Dir, "files"), 0o700); err != nil {
		return err
	}
	info, err := os.Stat(s.Dir)
	if err != nil {
		return err
	}
	if perm := info.Mode().Perm(); perm&0o007 != 0 {
		return os.Chmod(s.Dir, perm&^0o007)
	}
	return nil
}

// written is an entry as its file has it.
func written(e Entry) ([]byte, error) {
	text, err := json.MarshalIndent(e, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("evidence: %w", err)
	}
	return append(text, '\n'), nil
}

// put makes a file, whole; fs.ErrExist: there is one.
func put(path string, data []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".new-")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	_, err = f.Write(data)
	if err = errors.Join(err, f.Chmod(0o600), f.Sync(), f.Close()); err != nil {
		return err
	}
	return os.Link(f.Name(), path)
}

// Chain is what is kept, and what is wrong with it.
type Chain struct {
	Entries []Entry
	Head    string   // the digest of the newest entry
	Broken  []string // a sentence each
	heads   []string // of all entries
}

// Has tells whether a digest was the chain's newest at some time.
func (c *Chain) Has(head string) bool { return slices.Contains(c.heads, head) }

func (c *Chain) broken(format string, args ...any) {
	c.Broken = append(c.Broken, Printable(fmt.Sprintf(format, args...)))
}

// Printable makes one line of what somebody may have written into an entry,
// without what would steer a terminal.
func Printable(text string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return unicode.ReplacementChar
		}
		return r
	}, text)
}

// Verify reads the chain and holds each byte of it, and of what it keeps,
// against the digests. Its error says that it cannot be read at all.
func (s Store) Verify() (Chain, error) {
	var c Chain
	names, err := s.names()
	if err != nil {
		return c, err
	}
	for i, name := range names {
		if want := filepath.Base(s.entry(i + 1)); name != want {
			c.broken("%s is missing: %s follows", want, name)
			break // each of the rest would only say so again
		}
		text, err := file.Read(filepath.Join(s.Dir, name), file.Most)
		if err != nil {
			return c, err
		}
		c.link(name, text)
	}
	return c, s.verifyFiles(&c)
}

// link adds an entry to the chain.
func (c *Chain) link(name string, text []byte) {
	var e Entry
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&e); err != nil {
		c.broken("%s was changed: it is no entry (%v)", name, err)
	} else if again, err := written(e); err != nil || !bytes.Equal(again, text) {
		c.broken("%s was changed: it is not as entries are written", name)
	}
	switch {
	case e.Number != len(c.Entries)+1:
		c.broken("%s was changed: it says that it is entry %d", name, e.Number)
	case e.Previous != c.Head:
		c.broken("%s does not follow the entry before it: one of the two was changed", name)
	}
	switch e.Kind {
	case Run:
	case Promotion:
		c.rests(name, &e)
	default:
		c.broken("%s is neither of a run nor of a promotion", name)
	}
	c.Head = Digest(text)
	c.heads = append(c.heads, c.Head)
	c.Entries = append(c.Entries, e)
}

// rests holds a promotion against the entries before it that it rests on.
func (c *Chain) rests(name string, e *Entry) {
	if len(e.Rests) == 0 {
		c.broken("%s is a promotion that rests on no run", name)
	}
	for _, n := range e.Rests {
		if n < 1 || n > len(c.Entries) || c.Entries[n-1].Kind != Run {
			c.broken("%s rests on entry %d, which is no run before it", name, n)
			continue
		}
		on := &c.Entries[n-1]
		if on.Agent != e.Agent || on.Step != e.Step || on.Profile != e.Profile || on.Revision != e.Revision {
			c.broken("%s rests on entry %d, which is for %s of %s under %s@%s, and not for %s of %s under %s@%s",
				name, n, on.Step, on.Agent, on.Profile, on.Revision, e.Step, e.Agent, e.Profile, e.Revision)
		}
	}
}

// verifyFiles holds what entries keep against their digests.
func (s Store) verifyFiles(c *Chain) error {
	for i := range c.Entries {
		e := &c.Entries[i]
		for _, name := range slices.Sorted(maps.Keys(e.Files)) {
			digest := e.Files[name]
			if len(digest) != 2*sha256.Size || filepath.Base(digest) != digest {
				c.broken("%s of entry %d has no digest", name, e.Number)
				continue
			}
			is, err := digestOf(s.content(digest))
			switch {
			case errors.Is(err, fs.ErrNotExist):
				c.broken("%s of entry %d is missing: files/%s", name, e.Number, digest)
			case err != nil:
				return err
			case is != digest:
				c.broken("%s of entry %d was changed: files/%s", name, e.Number, digest)
			}
		}
	}
	return nil
}

// names are the files of entries, in order.
func (s Store) names() ([]string, error) {
	all, err := os.ReadDir(s.Dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var names []string
	for _, f := range all {
		if filepath.Ext(f.Name()) == ".json" {
			names = append(names, f.Name())
		}
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("%w: %s", ErrNone, s.Dir)
	}
	return names, nil
}

// File gives what an entry keeps under a name.
func (s Store) File(e Entry, name string) ([]byte, error) {
	digest, ok := e.Files[name]
	if !ok {
		return nil, fmt.Errorf("entry %d keeps no %s", e.Number, name)
	}
	return file.Read(s.content(digest), mostFile)
}

// mostFile bounds what is read of one file that an entry keeps: a journal's bound
// for a run, several times.
const mostFile = 8 << 30

// digestOf is the digest of a file.
func digestOf(path string) (string, error) {
	f, err := file.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	n, err := io.Copy(h, io.LimitReader(f, mostFile+1))
	if err == nil && n > mostFile {
		err = &fs.PathError{Op: "read", Path: path, Err: &file.TooLargeError{Most: mostFile}}
	}
	if err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
