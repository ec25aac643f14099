package profiles

import (
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v4"

	"parity/fakes"
	"parity/fakes/clock"
	"parity/fakes/fixture"
)

// Options are what reading a profile needs to know.
type Options struct {
	Catalogue *fakes.Catalogue // the services that ship; needed
	// Dir is where relative paths begin, and what extends: cannot leave unless
	// the named profile is itself elsewhere: then it cannot leave that
	// profile's folder. By default the working directory.
	Dir string
	// Within, where set, is the folder that no link may lead the named profile
	// out of, whenever it is read: somebody else has named it. By default it may
	// be a link to anywhere.
	Within string
	// Start, where set, is what the profile's fixtures and data come to: they
	// are not read again. A journal keeps it beside the profile.
	Start *fixture.Spec
	// Sources, where set, are the contracts of the profile's own services: no
	// file of them is read. A journal keeps them beside the profile.
	Sources   Sources
	Places    Places     // where the profile's own files have what is in it; a journal keeps them beside it
	Added     []Added    // services besides those of the profile
	Stateless bool       // the profile's own services keep nothing: each answer is a sample
	Shelf     *Shelf     // what was made of contracts before; nil: nothing
	Wall      clock.Wall // clock.System; for what has run out, and for Watch

	// The rest is for Watch.
	Seen  string        // the Digest that counts as seen; by default what is there when Watch begins
	Quiet time.Duration // how often files are read until they have come to rest; 100 ms, a third of the wait
	Poll  time.Duration // how often files are compared, events or none; 3 s
	Log   *slog.Logger  // discarded
	// Again, where set, tells whether a save counts that leaves the files as they
	// were: what was called back with last is no longer in force.
	Again func() bool
}

func (o Options) ready() (Options, error) {
	if o.Catalogue == nil {
		return o, errors.New("profiles: Options.Catalogue is needed")
	}
	dir, err := filepath.Abs(o.Dir)
	if err != nil {
		return o, err
	}
	o.Dir = dir
	if o.Wall == nil {
		o.Wall = clock.System{}
	}
	if o.Quiet <= 0 {
		o.Quiet = 100 * time.Millisecond
	}
	if o.Poll <= 0 {
		o.Poll = 3 * time.Second
	}
	if o.Shelf == nil {
		o.Shelf = NewShelf()
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return o, nil
}

// Load reads the profile with that name: a path, or the bare name of one in
// the library, or several of these as Layered names them: the last wins, by key.
// Its error is Problems where the profile is what is wrong: all of
// them at once.
func Load(name string, o Options) (*Profile, error) {
	p, _, err := LoadSeen(name, o)
	return p, err
}

// LoadSeen is Load, and gives the digest of what it has read, whether that is a
// profile or not: handed to Watch as Options.Seen, it lets no save fall between
// the two.
func LoadSeen(name string, o Options) (*Profile, string, error) {
	o, err := o.ready()
	if err != nil {
		return nil, "", err
	}
	p, read, err := load(name, nil, o)
	return p, digest(read), err
}

// Parse reads a profile from content. Name is what problems call it; paths in
// it begin in Options.Dir.
func Parse(name string, content []byte, o Options) (*Profile, error) {
	o, err := o.ready()
	if err != nil {
		return nil, err
	}
	if content == nil {
		content = []byte{}
	}
	p, _, err := load(name, content, o)
	return p, err
}

// Digest tells one state of all the files behind a profile apart from another,
// as LoadSeen does of what it reads.
func Digest(name string, o Options) string {
	o, err := o.ready()
	if err != nil {
		return ""
	}
	l, _ := gatherAll(name, nil, o)
	return digest(l.readings)
}

// gatherAll reads a profile and every file that it comes to.
func gatherAll(name string, content []byte, o Options) (*loader, *gathered) {
	l := newLoader(o)
	top := l.begin(name, content)
	if top != nil {
		top.flat = l.added(top.flat)
		l.services(top.flat)
		l.fixtures(top.flat)
	}
	return l, top
}

func load(name string, content []byte, o Options) (*Profile, []reading, error) {
	l, top := gatherAll(name, content, o)
	files := make([]string, len(l.readings))
	for i, r := range l.readings {
		files[i] = r.shown
	}
	var p *Profile
	if top != nil {
		b := &binder{finder: l.finder, o: o, named: l.named, tree: top.flat, files: l.files, shown: l.shown, made: l.made, paths: l.paths, folders: l.folders}
		p = b.bind()
		p.Files = files
		if content == nil {
			p.Path = name
			if l.top.path != "" {
				p.folder = filepath.Dir(l.top.path)
			}
		}
	}
	found := l.sorted(files)
	if l.errors > 0 {
		return nil, l.readings, found
	}
	p.Warnings = found
	return p, l.readings, nil
}

// loader gathers a profile and all that it extends.
type loader struct {
	*finder
	o        Options
	keys     *key
	readings []reading
	known    map[string]*gathered // by what it is shown as
	open     []string             // the chain of extends: that led here
	files    map[*item]fixture.File
	shown    map[string]string
	top      source            // the named one; of several the last
	named    []string          // those that were named, as they are shown
	made     map[string]*made  // services of the profile's own
	paths    map[*item]string  // files that items name, from the named file's folder
	folders  map[string]string // of contracts, as problems name them, by service
}

// gathered is one file, and what it comes to with all that it extends.
type gathered struct {
	source source
	flat   *item
}

// Bounds on what one profile extends.
const (
	maxChain = 16
	maxFiles = 64
)

func newLoader(o Options) *loader {
	return &loader{finder: &finder{}, o: o, keys: document(), known: map[string]*gathered{}}
}

// begin gathers from the named files on, or from content that stands for them.
func (l *loader) begin(name string, content []byte) *gathered {
	if content != nil {
		return l.layer(name, content)
	}
	var top *gathered
	var names []string
	for _, name := range Layers(name) {
		g := l.layer(name, nil)
		if g == nil {
			return nil
		}
		names = append(names, g.flat.get("profile").str())
		if top != nil {
			g = &gathered{source: g.source, flat: merge(g.flat, inherited(top.flat))}
		}
		top = g
	}
	if len(names) > 1 {
		l.top = source{} // what they name is shown from Options.Dir
		top.flat = called(top.flat, strings.Join(names, "-with-"))
	}
	return top
}

// called gives a profile that name.
func called(flat *item, name string) *item {
	if flat == nil {
		return nil
	}
	all := *flat
	all.fields = slices.Clone(flat.fields)
	for i, f := range all.fields {
		if f.name == "profile" {
			it := *f.item
			it.source = name[:min(len(name), 64)]
			it.value = it.source
			all.fields[i].item = &it
		}
	}
	return &all
}

// layer gathers from one of the named files on.
func (l *loader) layer(name string, content []byte) *gathered {
	src := source{shown: name}
	if content == nil {
		src = l.o.named(name)
	}
	l.top, l.named = src, append(l.named, src.shown)
	if known, ok := l.known[src.shown]; ok && content == nil {
		return known
	}
	var err error
	if content == nil {
		within := l.o.Within
		if within != "" && !filepath.IsAbs(within) {
			within = filepath.Join(l.o.Dir, within)
		}
		content, err = src.read(within, maxBytes)
	}
	l.readings = append(l.readings, reading{source: src, content: content, err: err})
	if err != nil {
		l.add(place{file: src.shown}, false, l.unread(name, err), l.instead(name, src))
		return nil
	}
	return l.gather(src, content)
}

// unread words why a file could not be read.
func (l *loader) unread(name string, err error) string {
	switch {
	case errors.Is(err, fs.ErrNotExist) && !isPath(name):
		return "there is no profile " + shorten(name) + " in the library"
	case errors.Is(err, fs.ErrNotExist):
		return "there is no such file"
	}
	var path *fs.PathError
	if errors.As(err, &path) {
		err = path.Err
	}
	return "cannot be read: " + err.Error()
}

// instead says what might have been meant by a profile that is not there.
func (l *loader) instead(name string, src source) string {
	if !src.shelf {
		if info, err := os.Stat(filepath.Dir(src.path)); err != nil || !info.IsDir() {
			return "nor is there its folder"
		}
		return ""
	}
	for _, ending := range []string{".yaml", ".yml"} {
		if _, err := os.Stat(filepath.Join(l.o.Dir, name+ending)); err == nil {
			return "a bare name means the library; did you mean ./" + name + ending
		}
	}
	return didYouMean(name, Library())
}

func (l *loader) gather(src source, content []byte) *gathered {
	g := &gathered{source: src}
	l.known[src.shown] = g
	l.open = append(l.open, src.shown)
	defer func() { l.open = l.open[:len(l.open)-1] }()
	root := l.document(src, content)
	if root == nil {
		return g
	}
	s := &shaper{finder: l.finder, file: src.shown}
	own := s.item(root, l.keys, "")
	g.flat = own
	parents := own.get("extends")
	if !parents.ok() {
		return g
	}
	for _, entry := range slices.Backward(parents.list) {
		if parent := l.extend(entry, src); parent != nil {
			g.flat = merge(g.flat, inherited(parent.flat))
		}
	}
	return g
}

// document reads the YAML of a source; that of the library, which stays as it is,
// once for all that the shelf serves.
func (l *loader) document(src source, content []byte) *yaml.Node {
	if !src.shelf {
		return readDocument(l.finder, src.shown, content)
	}
	return l.o.Shelf.document(src.shown, func() *yaml.Node { return readDocument(l.finder, src.shown, content) })
}

// inherited leaves out what belongs to one profile alone.
func inherited(flat *item) *item {
	if flat == nil {
		return nil
	}
	heir := *flat
	heir.fields = slices.DeleteFunc(slices.Clone(flat.fields), func(f field) bool {
		return f.name == "profile" || f.name == "summary" || f.name == "extends" || f.name == "exported"
	})
	return &heir
}

// extend gathers what one entry of extends: names.
func (l *loader) extend(entry *item, from source) *gathered {
	if !entry.ok() {
		return nil
	}
	name := entry.str()
	src, err := l.o.extended(name, from)
	if err != nil {
		l.wrong(entry.place, "", "extends: %v", err)
		return nil
	}
	if i := slices.Index(l.open, src.shown); i >= 0 {
		l.wrong(entry.place, "take one of them out", "extends goes round in a circle: %s",
			strings.Join(append(slices.Clone(l.open[i:]), src.shown), " → "))
		return nil
	}
	if known, ok := l.known[src.shown]; ok {
		return known
	}
	if len(l.open) >= maxChain || len(l.readings) >= maxFiles {
		l.wrong(entry.place, "put some of them together", "extends goes through more than %d files in a row or %d in all", maxChain, maxFiles)
		return nil
	}
	content, err := src.read(l.o.rootOf(src), maxBytes)
	l.readings = append(l.readings, reading{source: src, content: content, err: err})
	if err != nil {
		l.wrong(entry.place, l.instead(name, src), "extends %s: %s", shorten(name), l.unread(name, err))
		return nil
	}
	return l.gather(src, content)
}
