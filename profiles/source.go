package profiles

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"parity/fakes/chance"
	"parity/specs/file"
)

// source is one file that a profile is read from.
type source struct {
	shown string // as problems name it
	path  string // absolute; "" in the library, and for content without a file
	shelf bool   // in the library
	free  bool   // named by whoever starts Parity, who may name any file
	root  string // what extends: and files that are named cannot leave; "": Options.Dir
}

// folder is where the source's relative paths begin.
func (s source) folder(dir string) string {
	if s.path == "" {
		return dir
	}
	return filepath.Dir(s.path)
}

// Bare is the name of the profile that has nothing, for Options.Added.
const Bare = "bare"

// isPath tells a path from a name of the library.
func isPath(name string) bool {
	return strings.ContainsAny(name, `/\`) || strings.HasSuffix(name, ".yaml") || strings.HasSuffix(name, ".yml")
}

// named finds the source that a user names.
func (o Options) named(name string) source {
	if name == Bare {
		return source{shown: Bare, shelf: true}
	}
	if !isPath(name) {
		return source{shown: "library/" + name + ".yaml", shelf: true}
	}
	path := name
	if !filepath.IsAbs(path) {
		path = filepath.Join(o.Dir, path)
	}
	src := source{shown: filepath.ToSlash(filepath.Clean(name)), path: filepath.Clean(path)}
	if within, err := filepath.Rel(o.Dir, src.path); err != nil || !filepath.IsLocal(within) {
		src.root = filepath.Dir(src.path)
	}
	return src
}

// rootOf is the folder that a source, and what it names, cannot leave: the
// working directory, or where the named profile is outside it, its own.
func (o Options) rootOf(s source) string {
	if s.root != "" {
		return s.root
	}
	return o.Dir
}

// between stands between the names of layers: files have commas in their names,
// and hardly ever this.
const between = " + "

// Layers are the names that a name stands for, such as mine.yaml + lost-replies:
// layers of one profile, the last of which wins. Layered is the way back.
func Layers(name string) []string { return strings.Split(name, between) }

// Layered names a profile of these layers; an empty name is none.
func Layered(names ...string) string {
	return strings.Join(slices.DeleteFunc(names, func(name string) bool { return name == "" }), between)
}

// extended finds the source that an extends: entry names.
func (o Options) extended(name string, from source) (source, error) {
	switch {
	case !isPath(name):
		return o.named(name), nil
	case from.shelf:
		return source{}, errors.New("a profile of the library extends others of the library only")
	}
	return o.beside(name, from)
}

// beside finds the file that another one names by its path.
func (o Options) beside(name string, from source) (source, error) {
	switch {
	case from.free:
		path := name
		if !filepath.IsAbs(path) {
			path = filepath.Join(o.Dir, path)
		}
		return source{shown: from.shown, path: filepath.Clean(path), free: true}, nil
	case from.shelf:
		return source{}, errors.New("a profile of the library has no files beside it")
	case filepath.IsAbs(name) || filepath.VolumeName(name) != "":
		return source{}, errors.New("write the path from this file, not from the root")
	}
	root := o.rootOf(from)
	path := filepath.Join(from.folder(o.Dir), filepath.FromSlash(name))
	if within, err := filepath.Rel(root, path); err != nil || !filepath.IsLocal(within) {
		return source{}, fmt.Errorf("%s is outside %s, which a profile cannot leave", name, root)
	}
	shown := path
	if within, err := filepath.Rel(o.Dir, path); err == nil && filepath.IsLocal(within) {
		shown = within
	}
	return source{shown: filepath.ToSlash(shown), path: path, root: from.root}, nil
}

// read gives a source's content, of at most so many bytes and one more, which
// tells that there are too many. A file that a profile names is opened through
// root, so that no symlink leads out of it; the named one is the user's own
// choice.
func (s source) read(root string, most int64) ([]byte, error) {
	if s.shelf && s.shown == Bare {
		return []byte("profile: " + Bare + "\nsummary: No rules, and no services but those that are added.\n"), nil
	}
	if s.shelf {
		return library.ReadFile(s.shown)
	}
	if root == "" {
		f, err := file.Open(s.path)
		return readFile(f, err, most)
	}
	within, err := filepath.Rel(root, s.path)
	if err != nil {
		return nil, err
	}
	folder, err := os.OpenRoot(root)
	if err != nil {
		return nil, err
	}
	defer folder.Close()
	f, err := file.OpenIn(folder, within)
	return readFile(f, err, most)
}

// readFile reads no more than a file may have, and one byte. What is wrong with
// its kind is said without its name, which problems have beside them.
func readFile(f *os.File, err error, most int64) ([]byte, error) {
	for _, kind := range []error{file.ErrFolder, file.ErrKind} {
		if errors.Is(err, kind) {
			return nil, kind
		}
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, most+1))
}

// reading is what became of one read; a file that is not there yet is one too,
// so that its coming is noticed.
type reading struct {
	source
	content []byte
	err     error
	state   string // stateOf both; "": to be worked out
}

// digest tells one state of all the files that a profile is read from apart
// from another.
func digest(readings []reading) string {
	var parts []string
	for _, r := range readings {
		state := r.state
		if state == "" {
			state = stateOf(r.content, r.err)
		}
		parts = append(parts, r.shown, state)
	}
	return chance.Hash(parts...)
}
