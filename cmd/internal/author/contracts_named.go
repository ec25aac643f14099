package author

import (
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"parity/profiles"
)

// CheckContracts reads contracts as a command line names them, FILE or
// NAME=FILE, and hosts, HOST or NAME=HOST.
func CheckContracts(contracts, hosts []string) ([]profiles.Added, error) {
	var all []profiles.Added
	for _, text := range contracts {
		a, err := readContract(text)
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(all, func(b profiles.Added) bool { return b.Service == a.Service }) {
			return nil, fmt.Errorf("--contract %s: there is a service %s already; name this one: --contract NAME=%s", text, a.Service, a.Contract)
		}
		all = append(all, a)
	}
	for _, text := range hosts {
		name, host, named := strings.Cut(text, "=")
		if !named {
			name, host = "", text
		}
		i := slices.IndexFunc(all, func(a profiles.Added) bool { return a.Service == name || !named && len(all) == 1 })
		switch {
		case len(all) == 0:
			return nil, fmt.Errorf("--host %s: it goes with --contract", text)
		case host == "":
			return nil, fmt.Errorf("--host %q names no host", text)
		case i < 0 && named:
			return nil, fmt.Errorf("--host %s: no --contract makes a service %s", text, name)
		case i < 0:
			return nil, fmt.Errorf("--host %s: say of which service, as in %s=%s", text, all[0].Service, host)
		}
		all[i].Hosts = append(all[i].Hosts, host)
	}
	return all, nil
}

var (
	serviceForm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z0-9-]{1,64}$`) })
	noService   = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[^a-z0-9]+`) })
)

func readContract(text string) (profiles.Added, error) {
	name, file, named := strings.Cut(text, "=")
	if !named || strings.ContainsAny(name, `/\.`) { // a file with = in its name
		name, file = nameOf(text), text
	}
	switch {
	case file == "":
		return profiles.Added{}, errors.New("--contract is there and names no file: give it an OpenAPI document, FILE or NAME=FILE")
	case !serviceForm().MatchString(name):
		return profiles.Added{}, fmt.Errorf("--contract %s: %q is no name of a service: lower-case letters, digits and -, as in --contract acme-crm=%s", text, name, file)
	}
	return profiles.Added{Service: name, Contract: file}, nil
}

// nameOf makes a service's name of its contract's file, or where that is named
// as all of them are, of its folder.
func nameOf(file string) string {
	path := filepath.ToSlash(file)
	if abs, err := filepath.Abs(file); err == nil {
		path = filepath.ToSlash(abs)
	}
	parts := strings.Split(path, "/")
	for _, part := range []string{parts[len(parts)-1], parts[max(0, len(parts)-2)]} {
		name := strings.ToLower(part)
		for _, ending := range []string{".json", ".yaml", ".yml", ".openapi", ".swagger"} {
			name = strings.TrimSuffix(name, ending)
		}
		name = strings.Trim(noService().ReplaceAllString(name, "-"), "-")
		if !slices.Contains([]string{"", "openapi", "swagger", "spec", "api", "index"}, name) {
			return name[:min(len(name), 64)]
		}
	}
	return "service"
}
