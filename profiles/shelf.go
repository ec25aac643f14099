package profiles

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path"
	"slices"
	"sync"
	"time"

	"go.yaml.in/yaml/v4"

	"parity/fakes"
	"parity/fakes/chance"
	"parity/fakes/generic"
	"parity/specs"
)

// A Shelf keeps the services that were made of contracts, so that a contract
// is compiled once for all who read it in the same words: a profile that is
// saved again, a watcher that looks every few seconds, a run that wakes. So it
// does with the YAML of the library's profiles. It is safe for concurrent use.
type Shelf struct {
	mu   sync.Mutex
	last map[string][]string   // by place: the files that the contract came to when it was read last
	made map[string]*made      // by all that it was made of
	kept map[string][]string   // by place: the newest of what was made there
	docs map[string]*yaml.Node // of the library, by the shown name; nobody writes to them
}

// NewShelf makes an empty one.
func NewShelf() *Shelf {
	return &Shelf{last: map[string][]string{}, made: map[string]*made{}, kept: map[string][]string{}, docs: map[string]*yaml.Node{}}
}

// document gives the document of a file of the library, which is read once.
func (s *Shelf) document(shown string, read func() *yaml.Node) *yaml.Node {
	s.mu.Lock()
	defer s.mu.Unlock()
	if known := s.docs[shown]; known != nil {
		return known
	}
	n := read()
	if n != nil {
		s.docs[shown] = n
	}
	return n
}

// mostKept bounds what is kept of one place: what is in force, and what was
// there before a save that may be taken back.
const mostKept = 3

// declaration is what a service is to be made of.
type declaration struct {
	place     string // tells it apart from those of other files
	service   string
	contract  string // the name of its file, in its folder
	behaviour string // the shown name of the behaviour file; "": none
	rules     []byte // its content
	hosts     []string
	stateless bool
}

// made is what became of a declaration.
type made struct {
	service     fakes.Service
	source      Source
	diagnostics []specs.Diagnostic
	problems    []generic.Problem
	file        string // the contract's own
	rules       string // the behaviour file, as problems name it
	unusable    error  // of the contract: there is no service
	failed      error  // of the fake
}

// open gives what a declaration comes to, with the folder as it was read.
func (s *Shelf) open(d declaration, read func(name string) ([]byte, error)) (*made, *folder) {
	s.mu.Lock()
	files := s.last[d.place]
	s.mu.Unlock()
	was := newFolder(read)
	for _, name := range files {
		_, _ = was.ReadFile(name) // kept there, as is the error
	}
	s.mu.Lock()
	known := s.made[d.key(was)]
	s.mu.Unlock()
	if known != nil {
		return known, was
	}
	is := newFolder(was.again)
	m := d.construct(is)
	return s.keep(d, is, m), is
}

// keep puts what was made on the shelf, unless it is there.
func (s *Shelf) keep(d declaration, f *folder, m *made) *made {
	key := d.key(f)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last[d.place] = f.names()
	if known := s.made[key]; known != nil {
		return known
	}
	s.made[key] = m
	here := append(s.kept[d.place], key)
	if len(here) > mostKept {
		oldest := here[0]
		here = here[1:]
		delete(s.made, oldest)
	}
	s.kept[d.place] = here
	return m
}

// key digests a declaration and all the files that it came to.
func (d declaration) key(f *folder) string {
	parts := append([]string{d.service, d.contract, d.behaviour, hashOf(d.rules), fmt.Sprint(d.stateless)}, d.hosts...)
	for _, name := range f.names() {
		parts = append(parts, name, f.got[name].state)
	}
	return chance.Hash(parts...)
}

// construct makes the service. Whatever a contract is, it does not bring down
// who reads it.
func (d declaration) construct(f *folder) (m *made) {
	defer func() {
		if r := recover(); r != nil {
			m = &made{file: d.contract, unusable: fmt.Errorf("reading it went wrong, which is a fault of Parity: %v", r)}
		}
	}()
	m = &made{file: d.contract, rules: d.behaviour}
	contract, diagnostics, err := specs.Load(f, d.contract, d.service)
	if m.diagnostics = diagnostics; err != nil {
		m.unusable = err
		return m
	}
	m.source = Source{Contract: d.contract, Files: f.contents(), Behaviour: d.behaviour, Rules: d.rules}
	m.service, m.problems, m.failed = generic.New(generic.Options{
		Contract: contract, Behaviour: d.rules, BehaviourName: d.behaviour, Hosts: d.hosts, Stateless: d.stateless,
	})
	m.service.Hash = chance.Hash(hashOf(d.rules), fmt.Sprint(d.stateless))
	if d.behaviour != "" {
		m.source.Behaviour = path.Base(d.behaviour) // the way to it from here is no part of what it is
	}
	return m
}

// Bounds on one contract.
const (
	mostContract = 64 << 20  // bytes of one file
	mostInAll    = 128 << 20 // bytes of all its files
	mostFiles    = 2000
)

// folder is a contract's folder, of which it keeps what was asked for.
type folder struct {
	read  func(name string) ([]byte, error)
	got   map[string]got
	bytes int
}

type got struct {
	content []byte
	err     error
	state   string // tells one content, or one error, apart from another
}

func newFolder(read func(string) ([]byte, error)) *folder {
	return &folder{read: read, got: map[string]got{}}
}

// ReadFile gives a file's content, which the caller must not change.
func (f *folder) ReadFile(name string) ([]byte, error) {
	if g, ok := f.got[name]; ok {
		return g.content, g.err
	}
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	if len(f.got) >= mostFiles {
		return nil, fmt.Errorf("a contract has at most %d files", mostFiles)
	}
	content, err := f.read(name)
	if err == nil && len(content) > mostContract {
		err = fmt.Errorf("it has more than %d MB", mostContract>>20)
	}
	if f.bytes += len(content); err == nil && f.bytes > mostInAll {
		err = fmt.Errorf("the files of this contract have more than %d MB", mostInAll>>20)
	}
	if err != nil {
		content = nil
	}
	f.got[name] = got{content, err, stateOf(content, err)}
	return content, err
}

// again reads from what another folder has read, and else as it does.
func (f *folder) again(name string) ([]byte, error) {
	if g, ok := f.got[name]; ok {
		return g.content, g.err
	}
	return f.read(name)
}

// Open makes it an fs.FS.
func (f *folder) Open(name string) (fs.File, error) {
	content, err := f.ReadFile(name)
	if err != nil {
		return nil, err
	}
	return &opened{name: path.Base(name), content: content}, nil
}

func (f *folder) names() []string { return slices.Sorted(maps.Keys(f.got)) }

// contents gives what could be read.
func (f *folder) contents() map[string][]byte {
	all := map[string][]byte{}
	for name, g := range f.got {
		if g.err == nil {
			all[name] = g.content
		}
	}
	return all
}

// opened is a file in memory.
type opened struct {
	name    string
	content []byte
	at      int
}

func (o *opened) Read(b []byte) (int, error) {
	if o.at >= len(o.content) {
		return 0, io.EOF
	}
	n := copy(b, o.content[o.at:])
	o.at += n
	return n, nil
}

func (o *opened) Close() error               { return nil }
func (o *opened) Stat() (fs.FileInfo, error) { return o, nil }
func (o *opened) Name() string               { return o.name }
func (o *opened) Size() int64                { return int64(len(o.content)) }
func (o *opened) Mode() fs.FileMode          { return 0o444 }
func (o *opened) ModTime() (t time.Time)     { return t }
func (o *opened) IsDir() bool                { return false }
func (o *opened) Sys() any                   { return nil }

func hashOf(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}

// stateOf tells one state of a file apart from another.
func stateOf(content []byte, err error) string {
	if err != nil {
		return "error " + err.Error()
	}
	return "content " + hashOf(content)
}
