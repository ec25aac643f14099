package profiles

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"go.yaml.in/yaml/v4"

	"parity/specs"
	"parity/specs/file"
)

// Added is a service that whoever starts Parity adds to a profile.
type Added struct {
	Service  string
	Contract string   // its file: any path
	Hosts    []string // nil: those of the contract
}

// added lays the services of Options.Added over a profile.
func (l *loader) added(flat *item) *item {
	if flat == nil || l.o.Sources != nil {
		return flat
	}
	services := l.keys.find("services")
	for _, a := range l.o.Added {
		text := func(s string) *yaml.Node { return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: s} }
		settings := &yaml.Node{Kind: yaml.MappingNode, Content: []*yaml.Node{text("contract"), text(a.Contract)}}
		if a.Hosts != nil {
			hosts := &yaml.Node{Kind: yaml.SequenceNode}
			for _, host := range a.Hosts {
				hosts.Content = append(hosts.Content, text(host))
			}
			settings.Content = append(settings.Content, text("hosts"), hosts)
		}
		shown := filepath.ToSlash(a.Contract)
		l.known[shown] = &gathered{source: source{shown: shown, free: true}}
		s := &shaper{finder: l.finder, file: shown}
		it := s.item(&yaml.Node{Kind: yaml.MappingNode, Content: []*yaml.Node{text(a.Service), settings}}, services, "services")
		it.unplaced()
		flat = merge(&item{place: place{file: shown}, key: l.keys, fields: []field{{place: place{file: shown}, name: "services", item: it}}}, flat)
	}
	return flat
}

// unplaced takes away where an item that is in no file stands in it.
func (i *item) unplaced() {
	i.line, i.col = 0, 0
	for _, e := range i.list {
		e.unplaced()
	}
	for n := range i.fields {
		i.fields[n].line, i.fields[n].col = 0, 0
		i.fields[n].item.unplaced()
	}
}

// about names the contract of a message, unless its place does.
func about(contract *item) string {
	if contract.line == 0 {
		return ""
	}
	return "contract " + shorten(contract.str()) + ": "
}

// services reads the contracts that a profile names, and all that they refer
// to, so that they are watched with it.
func (l *loader) services(flat *item) {
	l.made, l.paths, l.folders = map[string]*made{}, map[*item]string{}, map[string]string{}
	for _, f := range flat.get("services").all() {
		if _, ships := l.o.Catalogue.Service(f.name); ships {
			continue
		}
		if contract := f.item.get("contract"); contract.ok() {
			l.service(f, contract)
		}
	}
}

func (l *loader) service(f field, contract *item) {
	d := declaration{service: f.name, hosts: f.item.get("hosts").strings(), stateless: l.o.Stateless}
	if l.o.Sources != nil {
		l.again(d, contract)
		return
	}
	behaviour := f.item.get("behaviour")
	if behaviour.ok() {
		src, content, ok := l.beside(behaviour, maxBytes)
		if !ok {
			return
		}
		if len(content) > maxBytes {
			l.wrong(behaviour.place, "", "behaviour: %s has more than %d bytes", shorten(behaviour.str()), maxBytes)
			return
		}
		d.behaviour, d.rules = src.shown, content
	}
	src, ok := l.locate(contract)
	if !ok {
		return
	}
	d.place, d.contract = f.name+" "+src.path, filepath.Base(src.path)
	root, err := os.OpenRoot(l.rootOf(src))
	if err != nil {
		l.readings = append(l.readings, reading{source: src, err: err})
		l.wrong(contract.place, "", "%s%s", about(contract), l.unread(src.shown, err))
		return
	}
	defer root.Close()
	m, files := l.o.Shelf.open(d, l.reader(src, root))
	for _, name := range files.names() {
		at := source{shown: path.Join(path.Dir(src.shown), name), path: filepath.Join(filepath.Dir(src.path), filepath.FromSlash(name))}
		g := files.got[name]
		l.readings = append(l.readings, reading{source: at, err: g.err, state: g.state})
	}
	if err := files.got[d.contract].err; err != nil {
		l.wrong(contract.place, "", "%s%s", about(contract), l.unread(src.shown, err))
		return
	}
	l.made[f.name], l.folders[f.name] = m, path.Dir(src.shown)
}

// again takes a service from what was kept of it.
func (l *loader) again(d declaration, contract *item) {
	kept, ok := l.o.Sources[d.service]
	if !ok {
		l.wrong(contract.place, "", "the contract of %s was not kept", d.service)
		return
	}
	d.place, d.contract, d.behaviour, d.rules = "kept "+d.service, kept.Contract, kept.Behaviour, kept.Rules
	l.made[d.service], _ = l.o.Shelf.open(d, func(name string) ([]byte, error) {
		content, ok := kept.Files[name]
		if !ok {
			return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
		}
		return content, nil
	})
}

// locate finds the file that an item names, beside the one that it stands in.
func (l *loader) locate(it *item) (source, bool) {
	from, ok := l.known[it.file]
	if !ok {
		from = &gathered{source: source{shown: it.file}}
	}
	if strings.Contains(it.str(), "://") {
		l.wrong(it.place, "put a copy of it beside the profile", "%s: %s is not a path", it.key.name, shorten(it.str()))
		return source{}, false
	}
	src, err := l.o.beside(it.str(), from.source)
	if err != nil {
		l.wrong(it.place, "", "%s: %v", it.key.name, err)
		return src, false
	}
	l.paths[it] = filepath.Base(src.path)
	if within, err := filepath.Rel(l.top.folder(l.o.Dir), src.path); err == nil && !src.free {
		l.paths[it] = filepath.ToSlash(within)
	}
	return src, true
}

// beside reads the file that an item names.
func (l *loader) beside(it *item, most int64) (source, []byte, bool) {
	src, ok := l.locate(it)
	if !ok {
		return src, nil, false
	}
	content, err := src.read(l.rootOf(src), most)
	l.readings = append(l.readings, reading{source: src, content: content, err: err})
	if err != nil {
		l.wrong(it.place, "", "%s %s: %s", it.key.name, shorten(it.str()), l.unread(src.shown, err))
		return src, nil, false
	}
	return src, content, true
}

// rootOf is the folder that no symlink leads out of.
func (l *loader) rootOf(src source) string {
	if src.free {
		return filepath.Dir(src.path)
	}
	return l.o.rootOf(src)
}

// reader reads files of a contract's folder. The contract itself, where a user
// named it, may be a link to anywhere.
func (l *loader) reader(src source, root *os.Root) func(string) ([]byte, error) {
	return func(name string) ([]byte, error) {
		if src.free && name == filepath.Base(src.path) {
			return src.read("", mostContract)
		}
		within, err := filepath.Rel(root.Name(), filepath.Join(filepath.Dir(src.path), filepath.FromSlash(name)))
		if err != nil {
			return nil, err
		}
		f, err := file.OpenIn(root, within)
		return readFile(f, err, mostContract)
	}
}

// diagnosed is a fault of a contract as a problem: where it stands in the
// contract, if that is known, else where the profile names it.
func (b *binder) diagnosed(service string, contract *item, d specs.Diagnostic) {
	at, message := contract.place, about(contract)+d.Message
	if d.Line > 0 {
		at, message = place{file: path.Join(b.folders[service], d.File), line: d.Line, col: max(1, d.Column)}, d.Message
	} else if d.Pointer != "" {
		message = about(contract) + d.Pointer + ": " + d.Message
	}
	if d.Code != "" {
		message = d.Code + ": " + message
	}
	b.add(at, true, message, "")
}

// placed is how a contract's reader says where in the contract it stumbled.
var placed = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^:(\d+):(\d+): `) })

// useless says that a contract cannot be used at all, and why: where the
// profile names it, or in the contract itself where no profile does.
func (b *binder) useless(f field, contract *item, m *made) {
	at := contract.place
	message, _, _ := strings.Cut(strings.TrimSpace(m.unusable.Error()), "\n")
	message = strings.TrimPrefix(message, "contract of "+f.name+": ")
	if rest := strings.TrimPrefix(message, m.file); at.line == 0 && placed().MatchString(rest) {
		where := placed().FindStringSubmatch(rest)
		at.line, _ = strconv.Atoi(where[1]) // digits, as the form has it
		at.col, _ = strconv.Atoi(where[2])
		message = rest[len(where[0]):]
	}
	b.wrong(at, "it has to be an OpenAPI document: 3.0, 3.1, 3.2, Swagger 2.0, or Google discovery", "%s%s", about(contract), strings.TrimPrefix(message, m.file+": "))
}

// rulesPlace is where something stands in a behaviour file.
func rulesPlace(m *made, line, column int) place {
	at := place{file: m.rules, line: line, col: column}
	if line < 1 {
		at.line, at.col = 0, 0
	}
	return at
}
