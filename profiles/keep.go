package profiles

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"parity/fakes/chance"
	"parity/fakes/fixture"
	"parity/specs/file"
)

// Keep puts a profile aside in folder, so that a restart can serve it should
// its file be broken by then. Name is what the profile was loaded by. What is
// kept is resolved: it needs none of the files that it was read from.
func Keep(folder, name string, p *Profile, o Options) error {
	o, err := o.ready()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return fmt.Errorf("keep profile %s: %w", p.Name, err)
	}
	root, err := os.OpenRoot(folder)
	if err != nil {
		return fmt.Errorf("keep profile %s: %w", p.Name, err)
	}
	defer root.Close()
	slot, start, sources := o.slot(name), o.besideSlot(name, "start", p.Content), o.besideSlot(name, "contracts", p.Content)
	if err = p.put(root, slot, start, sources); err == nil {
		err = errors.Join(sweep(root, o.besideSlot(name, "start", nil), start), sweep(root, o.besideSlot(name, "contracts", nil), sources))
	}
	if err != nil {
		return fmt.Errorf("keep profile %s: %w", p.Name, err)
	}
	return nil
}

// put writes a profile and what goes with it down.
func (p *Profile) put(root *os.Root, profile, start, sources string) (err error) {
	if !p.Start.Empty() { // before the profile that needs it
		err = replace(root, start, p.Start.Content())
	}
	if len(p.Sources) > 0 && err == nil {
		err = replaceBy(root, sources, p.Sources.write)
	}
	if err == nil {
		err = replace(root, profile, p.Content)
	}
	return err
}

// sweep takes away what was kept beside earlier revisions.
func sweep(root *os.Root, prefix, but string) error {
	kept, err := fs.Glob(root.FS(), prefix+"*")
	for _, name := range kept {
		if name != but {
			err = errors.Join(err, root.Remove(name))
		}
	}
	return err
}

// replace writes a file whole or not at all.
func replace(root *os.Root, name string, content []byte) error {
	return replaceBy(root, name, func(to io.Writer) error {
		_, err := to.Write(content)
		return err
	})
}

func replaceBy(root *os.Root, name string, write func(io.Writer) error) error {
	draft := name + ".new"
	file, err := root.OpenFile(draft, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	if err := errors.Join(write(file), file.Sync(), file.Close()); err != nil {
		return err
	}
	return root.Rename(draft, name)
}

// LastGood gives the last revision that was kept of the profile loaded by that
// name, marked as Kept. Its error is fs.ErrNotExist where none was.
func LastGood(folder, name string, o Options) (*Profile, error) {
	o, err := o.ready()
	if err != nil {
		return nil, err
	}
	slot := o.slot(name)
	root, err := os.OpenRoot(folder)
	if err != nil {
		return nil, fmt.Errorf("last good revision of %s: %w", name, err)
	}
	defer root.Close()
	f, err := file.OpenIn(root, slot)
	content, err := readFile(f, err, maxBytes)
	if err == nil {
		err = o.kept(root, o.besideSlot(name, "start", content), o.besideSlot(name, "contracts", content))
	}
	if err != nil {
		return nil, fmt.Errorf("last good revision of %s: %w", name, err)
	}
	p, err := Parse(filepath.ToSlash(filepath.Join(folder, slot)), content, o)
	if err != nil {
		return nil, fmt.Errorf("last good revision of %s: %w", name, err)
	}
	p.Path, p.Kept = name, true
	return p, nil
}

// kept reads what goes with a kept profile: what its fixtures and data came to,
// and the contracts of its own services. Where there is no file they came to
// nothing.
func (o *Options) kept(root *os.Root, startName, sourcesName string) error {
	o.Start, o.Sources = nil, Sources{}
	content, err := file.ReadIn(root, startName, file.Most)
	if err == nil {
		var start fixture.Spec
		start, err = fixture.Parse(content)
		o.Start = &start
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	content, err = file.ReadIn(root, sourcesName, file.Most)
	if err == nil {
		o.Sources, err = readSources(content)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// besideSlot names the file of one kind of what goes with a kept profile of that
// content.
func (o Options) besideSlot(name, kind string, content []byte) string {
	prefix := strings.TrimSuffix(o.slot(name), ".yaml") + "." + kind + "-"
	if content == nil {
		return prefix
	}
	return prefix + chance.Hash(string(content))[:8]
}

// slot names the file that a profile is kept in: as its own is called, and
// apart from one of that name in another folder.
func (o Options) slot(name string) string {
	var apart, called []string
	names := Layers(name)
	for _, layer := range names {
		src := o.named(layer)
		if !src.shelf {
			base := filepath.Base(src.path)
			layer = strings.TrimSuffix(base, filepath.Ext(base))
		}
		if !src.shelf || len(names) > 1 {
			apart = append(apart, cmp.Or(src.path, layer))
		}
		called = append(called, layer)
	}
	name = strings.Join(called, "-with-")
	for _, a := range o.Added {
		apart = append(apart, append([]string{a.Service, a.Contract}, a.Hosts...)...)
	}
	if apart == nil {
		return safe(name) + ".yaml"
	}
	return safe(name) + "-" + chance.Hash(apart...)[:8] + ".yaml"
}

// safe makes a part of a file name of any text.
func safe(s string) string {
	s = strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_' {
			return r
		}
		return '-'
	}, s)
	return s[:min(len(s), 64)]
}
