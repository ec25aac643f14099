// Package document reads the files that a contract is written in, JSON or
// YAML, into trees of nodes that know their place, and follows the references
// between them.
//
//	openapi.yaml ──┐                  ┌─ Get, At, Text … ─▶ what stands there
//	pet.yaml ──────┼─Open─▶ Document ─┤
//	errors.json ───┘                  └─ Resolve, Follow ─▶ what $ref means
//
// It knows nothing of OpenAPI. Files are read from one folder and nowhere else,
// within bounds; nothing changes after Open.
package document

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net/url"
	"path"
	"slices"
	"strings"
	"sync"
)

// Bounds on the files of one document.
const (
	maxFile  = 64 << 20  // bytes of one file
	maxTotal = 128 << 20 // bytes of all
	maxFiles = 2000
	maxNodes = 4 << 20 // nodes of one file: some 300 MB
	maxAlias = 1 << 19 // nodes that YAML's aliases stand for, counted as often as they are used
	maxDepth = 256
	maxHops  = 64  // references that lead to references
	maxTold  = 120 // bytes of a reference or a name in a message
)

// A Document is a contract's files. All its methods may be called at the same
// time.
type Document struct {
	fsys     fs.FS
	name     string
	files    map[string]*file
	problems []Problem

	mu    sync.Mutex
	known map[target]found
	index index
}

// A Problem is something in a file that is not as it should be and does not
// keep it from being used.
type Problem struct {
	File    string
	Line    int
	Column  int
	Code    string // a closed set: doubled-name, second-document, unreadable-file
	Message string
}

// target is a reference as it is written in one of the files.
type target struct {
	file *file
	ref  string
}

// found is what a reference came to.
type found struct {
	node *Node
	err  error
}

// A file is one file of a document.
type file struct {
	name string
	text string // of JSON, into which its nodes point; "" for YAML
	yaml bool
	root Node
	ids  []*Node // objects with an $id
	size int
	sum  [sha256.Size]byte

	counting sync.Once
	lines    []int // of JSON: where each begins
}

// Open reads a file of fsys, and all the files that it refers to. A file that
// only a reference names, and that cannot be read, is a Problem; an error means
// that the first file is of no use: too big, not there, not JSON or YAML.
func Open(fsys fs.FS, name string) (*Document, error) {
	name = path.Clean(name)
	d := &Document{fsys: fsys, name: name, files: map[string]*file{}, known: map[target]found{}}
	total := 0
	pending := []string{name}
	asked := map[string]bool{name: true}
	for len(pending) > 0 {
		next := pending[0]
		pending = pending[1:]
		f, refs, err := d.read(next, maxTotal-total)
		if err != nil {
			if next == name {
				return nil, err
			}
			d.problems = append(d.problems, Problem{File: next, Line: 1, Column: 1, Code: "unreadable-file", Message: err.Error()})
			continue
		}
		d.files[next] = f
		total += f.size
		for _, ref := range refs {
			other, local := relative(next, ref)
			if !local || asked[other] || len(asked) == maxFiles {
				continue
			}
			asked[other] = true
			if _, err := fs.Stat(fsys, other); err == nil { // else told where it is followed, if ever
				pending = append(pending, other)
			}
		}
	}
	return d, nil
}

// Name is the first file's.
func (d *Document) Name() string { return d.name }

// Root gives the first file's topmost node.
func (d *Document) Root() *Node { return &d.files[d.name].root }

// File gives the topmost node of one of Files; nil for any other.
func (d *Document) File(name string) *Node {
	if f := d.files[name]; f != nil {
		return &f.root
	}
	return nil
}

// Problems gives what was found while reading, in the order of files and lines.
func (d *Document) Problems() []Problem { return d.problems }

// Files lists the files that were read, in order.
func (d *Document) Files() []string { return slices.Sorted(maps.Keys(d.files)) }

// Hash gives the hex SHA-256 over the names and contents of all files.
func (d *Document) Hash() string {
	sum := sha256.New()
	for _, name := range d.Files() {
		f := d.files[name]
		fmt.Fprintf(sum, "%d:%s%d:%x", len(name), name, f.size, f.sum) // a hash never fails
	}
	return hex.EncodeToString(sum.Sum(nil))
}

func (d *Document) read(name string, left int) (*file, []string, error) {
	if !fs.ValidPath(name) {
		return nil, nil, fmt.Errorf("file %q is outside the contract's folder; put a copy there", name)
	}
	info, err := fs.Stat(d.fsys, name)
	if err != nil {
		return nil, nil, fmt.Errorf("file %q cannot be read: %w", name, err)
	}
	if info.IsDir() {
		return nil, nil, fmt.Errorf("%q is a folder; name a file in it", name)
	}
	if !info.Mode().IsRegular() { // a pipe would be waited for
		return nil, nil, fmt.Errorf("%q is not a regular file", name)
	}
	most := int64(min(maxFile, left))
	if info.Size() > most {
		return nil, nil, fmt.Errorf("file %q has %d bytes; at most %d are read", name, info.Size(), most)
	}
	data, err := fs.ReadFile(d.fsys, name)
	if err != nil {
		return nil, nil, fmt.Errorf("file %q cannot be read: %w", name, err)
	}
	if int64(len(data)) > most { // it has grown meanwhile
		return nil, nil, fmt.Errorf("file %q has %d bytes; at most %d are read", name, len(data), most)
	}
	f := &file{name: name, size: len(data), sum: sha256.Sum256(data)}
	p := parser{file: f}
	if err := p.parse(data); err != nil {
		return nil, nil, fmt.Errorf("%s:%w", name, err)
	}
	d.problems = append(d.problems, p.problems...)
	return f, p.refs, nil
}

// relative resolves a reference's file against the file that it stands in. It
// is not local when it points to a network, or out of the folder.
func relative(from, ref string) (name string, local bool) {
	location, _, _ := strings.Cut(ref, "#")
	if location == "" {
		return from, true
	}
	parsed, err := url.Parse(location)
	if err != nil || parsed.Scheme != "" || parsed.Host != "" || strings.HasPrefix(parsed.Path, "/") || parsed.Path == "" {
		return "", false
	}
	name = path.Join(path.Dir(from), parsed.Path)
	return name, fs.ValidPath(name)
}

// Resolve finds what a reference means that stands at from. It does not follow
// a reference that it finds there.
func (d *Document) Resolve(from *Node, ref string) (*Node, error) {
	key := target{from.file, ref}
	d.mu.Lock()
	defer d.mu.Unlock()
	known, ok := d.known[key]
	if !ok {
		known.node, known.err = d.resolve(from.file, ref)
		d.known[key] = known
	}
	return known.node, known.err
}

func (d *Document) resolve(from *file, ref string) (*Node, error) {
	location, fragment, _ := strings.Cut(ref, "#")
	f := from
	if location != "" {
		other, local := relative(from.name, ref)
		switch {
		case local && d.files[other] != nil:
			f = d.files[other]
		case d.identified(location) != nil:
			return d.within(d.identified(location), fragment, ref)
		case !local:
			return nil, fmt.Errorf("reference to %s: a contract may only refer to files of its own folder; put a copy there", Clip(ref, maxTold))
		default:
			return nil, fmt.Errorf("reference to %s: that file is not there, or cannot be read", Clip(ref, maxTold))
		}
	}
	return d.within(&f.root, fragment, ref)
}

// identified finds the schema whose $id is an address.
func (d *Document) identified(address string) *Node {
	if d.index.ids == nil {
		d.index.ids = map[string]*Node{}
		for _, name := range d.Files() {
			for _, n := range d.files[name].ids {
				id := strings.TrimSuffix(n.Get("$id").Text(), "#")
				if d.index.ids[id] == nil {
					d.index.ids[id] = n
				}
			}
		}
	}
	return d.index.ids[address]
}

// within follows a fragment: a JSON pointer, or the name of an anchor.
func (d *Document) within(n *Node, fragment, ref string) (*Node, error) {
	fragment, err := url.PathUnescape(fragment)
	if err != nil {
		return nil, fmt.Errorf("reference to %s: it is not escaped well", Clip(ref, maxTold))
	}
	if fragment != "" && fragment[0] != '/' {
		if found := d.index.anchor(n, fragment); found != nil {
			return found, nil
		}
		return nil, fmt.Errorf("reference to %s: nothing has that name", Clip(ref, maxTold))
	}
	found := n.find(fragment, d.index.get)
	if found == nil {
		return nil, fmt.Errorf("reference to %s: nothing is there", Clip(ref, maxTold))
	}
	return found, nil
}

// Follow goes from a node through its $ref, and through those it meets, to a
// node that has none.
func (d *Document) Follow(n *Node) (*Node, error) {
	for range maxHops {
		ref, ok := n.Ref()
		if !ok {
			return n, nil
		}
		next, err := d.Resolve(n, ref)
		if err != nil {
			return nil, err
		}
		n = next
	}
	return nil, errors.New("reference goes round in a circle")
}

// SetRoot puts another tree in place of the first file's, for a document that is
// read in other words than it is written in. It is for those who have just
// opened a document: nothing may have been resolved in it.
func (d *Document) SetRoot(root *Node) { d.files[d.name].root = *root }
