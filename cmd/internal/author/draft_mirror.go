package author

import (
	"cmp"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"parity/cmd/internal/recordings"
	"parity/fakes/fixture"
	"parity/profiles"
	"parity/specs/words"
)

// A talk is a file of what a real service answered, as a profile is to have it.
type talk struct {
	service string
	file    string // of the new profile
	content string
}

// conversations reads a file, or the files of a folder, that a mirror or record mode
// has written; ok is false where from is no such thing.
func conversations(from string) (all []talk, ok bool, err error) {
	info, err := os.Stat(from)
	if err != nil {
		return nil, false, nil //nolint:nilerr // it may be a run
	}
	names := []string{from}
	if info.IsDir() {
		names, err = jsonFiles(from)
	} else if !isJSON(from) {
		return nil, false, nil
	}
	taken := map[string]bool{}
	for _, name := range names {
		content, failed := os.ReadFile(name)
		if err = cmp.Or(err, failed); err != nil {
			return nil, true, err
		}
		c, is, err := fixture.Conversation(fixture.File{Name: name, Content: string(content)})
		switch {
		case is && err != nil:
			return nil, true, fmt.Errorf("%s: %w", name, err)
		case !is:
			return nil, true, fmt.Errorf("%s is no conversation with a service, as parity mirror import and a mode that records write them: it has no exchanges", name)
		}
		t := talk{service: c.Service, file: "fixtures/" + strings.ToLower(filepath.Base(name)), content: string(content)}
		for n := 2; taken[t.file]; n++ {
			t.file = fmt.Sprintf("fixtures/%d-%s", n, strings.ToLower(filepath.Base(name)))
		}
		taken[t.file] = true
		all = append(all, t)
	}
	if len(all) == 0 {
		return nil, true, fmt.Errorf("%s has no conversation in it: no .json file", from)
	}
	slices.Reverse(all) // the newest is taken in first
	return all, true, nil
}

// jsonFiles are those in a folder and the folders in it.
func jsonFiles(folder string) (names []string, err error) {
	err = filepath.WalkDir(folder, func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && isJSON(name) {
			names = append(names, name)
		}
		return err
	})
	return names, err
}

func isJSON(name string) bool { return strings.EqualFold(filepath.Ext(name), ".json") }

// reflect has the profile be of what real services answered: what their conversations
// show is what runs begin with. A service of one's own has its contract beside it.
func (d *draft) reflect(w io.Writer, s ProfileDraft, all []talk) error {
	if err := d.contracted(s.Contract, all); err != nil {
		return err
	}
	d.given = map[string][]string{}
	others := 0
	for _, t := range all {
		if _, known := d.catalogue.Service(t.service); !known {
			return fmt.Errorf("%s is a conversation with %q, which does not ship: say what its contract is, --contract %s=openapi.yaml", path.Base(t.file), t.service, cmp.Or(t.service, "NAME"))
		}
		seen, strange, err := recordings.ReadConversation(path.Base(t.file), t.service, []byte(t.content), d.catalogue)
		if err != nil {
			return err
		}
		d.seen, others = append(d.seen, seen...), others+strange
		d.files[t.file] = t.content
		d.given[t.service] = append(d.given[t.service], t.file)
	}
	if others > 0 {
		fmt.Fprintf(w, "%s for no operation of the contract: left out of the world\n", words.Count(others, "exchange"))
	}
	d.services = slices.Sorted(maps.Keys(d.given))
	d.hosted()
	return d.check()
}

// contracted reads the contract of a service that does not ship, and has the profile
// carry it.
func (d *draft) contracted(contract string, all []talk) error {
	if contract == "" {
		return nil
	}
	a, err := readContract(contract)
	if err != nil {
		return err
	}
	if name := all[0].service; !strings.HasPrefix(contract, a.Service+"=") && serviceForm().MatchString(name) {
		a.Service = name // as it was called when it was read
	}
	if _, ships := d.catalogue.Service(a.Service); ships {
		return fmt.Errorf("--contract %s: %s is built in, and its contract comes with it: leave --contract out", contract, a.Service)
	}
	p, err := profiles.Load(profiles.Bare, profiles.Options{Catalogue: d.catalogue, Added: []profiles.Added{a}})
	if err != nil {
		return err
	}
	d.base, d.catalogue = d.catalogue, p.Catalogue
	source := p.Sources[a.Service]
	for name, content := range source.Files {
		d.files[path.Join("contracts", a.Service, name)] = string(content)
	}
	d.keys = map[string][]string{a.Service: {"contract: " + path.Join("contracts", a.Service, source.Contract)}}
	for i := range all {
		if _, ships := d.base.Service(all[i].service); !ships {
			all[i].service = a.Service
		}
	}
	return nil
}

// hosted has a service of one's own answer on the hosts that were read, too.
func (d *draft) hosted() {
	for _, service := range d.services {
		of, _ := d.catalogue.Service(service)
		if len(d.keys[service]) == 0 {
			continue
		}
		hosts := slices.Clone(of.Hosts)
		for _, o := range d.seen {
			u, err := url.Parse(o.Request.URL)
			if err == nil && o.Service.Name == service && !slices.Contains(hosts, u.Hostname()) && strings.Contains(u.Hostname(), ".") {
				hosts = append(hosts, u.Hostname())
			}
		}
		if len(hosts) == len(of.Hosts) {
			continue
		}
		without := d.keys[service]
		d.keys[service] = append(slices.Clone(without), "hosts: ["+strings.Join(hosts, ", ")+"]")
		if d.check() != nil { // such as an address of this machine
			d.keys[service] = without
		}
	}
}
