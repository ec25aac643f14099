package profiles

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"parity/fakes/chance"
	"parity/fakes/fixture"
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
	slot, start := o.slot(name), o.startSlot(name, p.Content)
	if !p.Start.Empty() { // before the profile that needs it
		err = replace(root, start, p.Start.Content())
	}
	if err == nil {
		err = replace(root, slot, p.Content)
	}
	if err == nil {
		err = sweep(root, o.startSlot(name, nil), start)
	}
	if err != nil {
		return fmt.Errorf("keep profile %s: %w", p.Name, err)
	}
	return nil
}

// sweep takes away what the fixtures of earlier revisions came to.
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
	draft := name + ".new"
	file, err := root.OpenFile(draft, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = file.Write(content)
	if err := errors.Join(err, file.Sync(), file.Close()); err != nil {
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
	info, err := root.Stat(slot)
	content, err := readFile(info, err, maxBytes, func() (fs.File, error) { return root.Open(slot) })
	if err == nil {
		o.Start, err = o.kept(root, o.startSlot(name, content))
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

// kept reads what the fixtures and data of a kept profile came to; nil where
// they came to nothing.
func (o Options) kept(root *os.Root, slot string) (*fixture.Spec, error) {
	content, err := root.ReadFile(slot)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	start, err := fixture.Parse(content)
	return &start, err
}

// startSlot names the file of what goes with a kept profile of that content.
func (o Options) startSlot(name string, content []byte) string {
	prefix := strings.TrimSuffix(o.slot(name), ".yaml") + ".start-"
	if content == nil {
		return prefix
	}
	return prefix + chance.Hash(string(content))[:8] + ".json"
}

// slot names the file that a profile is kept in: as its own is called, and
// apart from one of that name in another folder.
func (o Options) slot(name string) string {
	src := o.named(name)
	if src.shelf {
		return safe(name) + ".yaml"
	}
	base := filepath.Base(src.path)
	return safe(strings.TrimSuffix(base, filepath.Ext(base))) + "-" + chance.Hash(src.path)[:8] + ".yaml"
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
