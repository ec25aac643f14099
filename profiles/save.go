package profiles

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"parity/faults"
	"parity/specs/file"
)

// SaveRule writes a rule that was armed into a profile's file, first among its
// rules as it was in force before all others, and binds the services that it
// names where the profile does not. What is in the file already stays as it is
// written, comments too; a file that is not there is made. The result lints, or
// nothing is written. It gives what the file was made to, with its warnings.
func SaveRule(file, name, text string, o Options) (*Profile, error) {
	rule, err := Rearm(name, text, "")
	if err != nil {
		return nil, err
	}
	fresh := func(file string) ([]byte, error) {
		content := fmt.Appendf(nil, "profile: %s\n", nameOfFile(file))
		if len(servicesOf(rule)) == 0 { // it is about whatever there is
			content = append(content, "extends: [baseline]\n"...)
		}
		return content, nil
	}
	return changeOr(fresh, file, o, func(e *edit) error {
		err := e.table("faults", name, text)
		for _, service := range servicesOf(rule) {
			if !e.bound[service] && err == nil {
				err = e.table("services", service, "{}\n")
			}
		}
		return err
	})
}

// change edits a profile's file that is there, as SaveRule does.
func change(file string, o Options, how func(*edit) error) (*Profile, error) {
	missing := func(file string) ([]byte, error) { return nil, fmt.Errorf("%s: there is no such file", file) }
	return changeOr(missing, file, o, how)
}

// changeOr edits a profile's file; one that is not there begins as fresh says.
func changeOr(fresh func(file string) ([]byte, error), file string, o Options, how func(*edit) error) (*Profile, error) {
	o, err := o.ready()
	if err != nil {
		return nil, err
	}
	content, mode, err := readForEdit(&file)
	if err == nil && content == nil {
		content, err = fresh(file)
	}
	if err != nil {
		return nil, err
	}
	bound, err := boundBy(file, content, o)
	if err != nil { // it has problems already
		return nil, err
	}
	e := &edit{file: file, lines: strings.SplitAfter(string(content), "\n"), bound: bound}
	if err := how(e); err != nil {
		return nil, err
	}
	return writeSound(file, []byte(strings.Join(e.lines, "")), mode, o)
}

// readForEdit gives a file's content, nil where it is not there, and has name
// say what a link leads to: a link is not replaced.
func readForEdit(name *string) ([]byte, fs.FileMode, error) {
	if to, err := filepath.EvalSymlinks(*name); err == nil {
		*name = to
	}
	info, err := os.Stat(*name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, 0o644, nil
	}
	f, oerr := file.Open(*name)
	content, err := readFile(f, errors.Join(err, oerr), maxBytes)
	if err != nil {
		return nil, 0, fmt.Errorf("%s: %w", *name, err)
	}
	return content, info.Mode().Perm(), nil
}

func nameOfFile(file string) string {
	base := filepath.Base(file)
	name := strings.Trim(strings.ReplaceAll(safe(strings.ToLower(strings.TrimSuffix(base, filepath.Ext(base)))), "_", "-"), "-")
	if name == "" {
		return "injected"
	}
	return name
}

// servicesOf are the services that a rule names.
func servicesOf(rule *faults.Rule) []string {
	var names []string
	for _, p := range rule.Calls {
		if s := p.Service(); s != "" && !slices.Contains(names, s) {
			names = append(names, s)
		}
	}
	return names
}

// boundBy are the services that a profile binds as it is, with what it extends.
func boundBy(file string, content []byte, o Options) (map[string]bool, error) {
	l := newLoader(o)
	src := o.named(file)
	top := l.gather(src, content)
	if l.errors > 0 {
		return nil, fmt.Errorf("%s has problems already: mend them first\n%w", file, l.found)
	}
	bound := map[string]bool{}
	for _, f := range top.flat.get("services").all() {
		bound[f.name] = true
	}
	return bound, nil
}

// writeSound puts content in the place of a file, if it lints there.
func writeSound(file string, content []byte, mode fs.FileMode, o Options) (*Profile, error) {
	draft, err := os.CreateTemp(filepath.Dir(file), "."+filepath.Base(file)+".*.yaml")
	if err != nil {
		return nil, err
	}
	defer os.Remove(draft.Name()) // it is gone where all went well
	_, err = draft.Write(content)
	if err = errors.Join(err, draft.Chmod(mode), draft.Sync(), draft.Close()); err != nil {
		return nil, err
	}
	p, err := Load(draft.Name(), o)
	var problems Problems
	if errors.As(err, &problems) || err == nil && len(p.Warnings) > 0 {
		if err == nil {
			problems = p.Warnings
		}
		for i := range problems {
			if filepath.Base(problems[i].File) == filepath.Base(draft.Name()) {
				problems[i].File = file
			}
		}
	}
	if err != nil {
		return nil, fmt.Errorf("%s is as it was: with that in it there would be problems\n%w", file, err)
	}
	if err := os.Rename(draft.Name(), file); err != nil {
		return nil, err
	}
	p.Path = file
	return p, nil
}

// edit puts entries into a document without touching the rest of its text.
type edit struct {
	file  string
	lines []string        // with their ends
	bound map[string]bool // services
}

// table puts an entry first into a top-level map, which is made where there is
// none.
func (e *edit) table(key, name, text string) error {
	top, err := e.root()
	if err != nil {
		return fmt.Errorf("%w:\n%s", err, entry(name, text, "  "))
	}
	if k, table := child(top, key); table != nil {
		return e.into(k, table, name, text)
	}
	if n := len(e.lines); n > 0 && e.lines[n-1] != "" && !strings.HasSuffix(e.lines[n-1], "\n") {
		e.lines[n-1] += e.end()
	}
	e.insert(len(e.lines), key+":\n"+entry(name, text, "  "))
	return nil
}

// root is the map that the document is.
func (e *edit) root() (*yaml.Node, error) {
	var root yaml.Node
	loader, err := yaml.NewLoader(bytes.NewReader([]byte(strings.Join(e.lines, ""))))
	if err == nil {
		err = loader.Load(&root)
	}
	if err != nil || len(root.Content) != 1 || root.Content[0].Kind != yaml.MappingNode || root.Content[0].Style&yaml.FlowStyle != 0 {
		return nil, fmt.Errorf("%s is not written one key a line: write it yourself", e.file)
	}
	return root.Content[0], nil
}

// child finds an entry of a map; nil where there is none.
func child(table *yaml.Node, name string) (key, value *yaml.Node) {
	for i := 0; i+1 < len(table.Content); i += 2 {
		if table.Content[i].Value == name {
			return table.Content[i], table.Content[i+1]
		}
	}
	return nil, nil
}

// into puts an entry first into a map that is there.
func (e *edit) into(key, table *yaml.Node, name, text string) error {
	if there, _ := child(table, name); there != nil {
		return fmt.Errorf("%s:%d:%d: there is a %s in it already; choose another name", e.file, there.Line, there.Column, name)
	}
	switch {
	case table.Kind != yaml.MappingNode:
		return fmt.Errorf("%s:%d:%d: %s is no map", e.file, table.Line, table.Column, key.Value)
	case table.Style&yaml.FlowStyle == 0:
		indent := strings.Repeat(" ", table.Content[0].Column-1)
		e.insert(key.Line, entry(name, text, indent))
		return nil
	case len(table.Content) == 0 && table.Line == key.Line: // {}: a block takes its place
		line, at := e.lines[table.Line-1], table.Column-1
		end := strings.IndexByte(line[at:], '}')
		if end < 0 {
			break
		}
		e.lines[table.Line-1] = strings.TrimRight(line[:at], " ") + line[at+end+1:]
		e.insert(table.Line, entry(name, text, "  "))
		return nil
	}
	flow, err := inFlow(name, text)
	if err != nil {
		return err
	}
	if len(table.Content) > 0 {
		flow += ", "
	}
	line, at := e.lines[table.Line-1], table.Column
	e.lines[table.Line-1] = line[:at] + flow + line[at:]
	return nil
}

// entry writes a rule, {} or a plain value under its name, so far indented.
func entry(name, text, indent string) string {
	text = strings.TrimRight(text, "\n")
	if !strings.Contains(text, "\n") && (strings.HasPrefix(text, "{") || !strings.Contains(text, ": ")) {
		return indent + name + ": " + text + "\n"
	}
	deeper := "\n" + indent + "  "
	return indent + name + ":" + deeper + strings.ReplaceAll(text, "\n", deeper) + "\n"
}

// inFlow writes it on one line.
func inFlow(name, text string) (string, error) {
	var n yaml.Node
	loader, err := yaml.NewLoader(strings.NewReader(text))
	if err == nil {
		err = loader.Load(&n)
	}
	if err != nil {
		return "", err
	}
	inline(n.Content[0])
	out, err := yaml.Dump(n.Content[0], yaml.WithLineWidth(-1))
	return name + ": " + strings.TrimSpace(string(out)), err
}

func inline(n *yaml.Node) {
	if n.Kind != yaml.ScalarNode {
		n.Style = yaml.FlowStyle
	} else if n.Tag == "!!str" {
		n.Style = yaml.DoubleQuotedStyle
	}
	for _, c := range n.Content {
		inline(c)
	}
}

// insert puts text before a line, with the ends that the file's lines have.
func (e *edit) insert(at int, text string) {
	if end := e.end(); end != "\n" {
		text = strings.ReplaceAll(text, "\n", end)
	}
	e.lines = slices.Insert(e.lines, at, text)
	e.lines = strings.SplitAfter(strings.Join(e.lines, ""), "\n")
}

func (e *edit) end() string {
	if len(e.lines) > 0 && strings.HasSuffix(e.lines[0], "\r\n") {
		return "\r\n"
	}
	return "\n"
}
