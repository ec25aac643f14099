package specs

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
)

// Load reads the contract in the file name of fsys: OpenAPI 3.0, 3.1 or 3.2, or
// Swagger 2.0 by conversion, as YAML or JSON. References to other files are read from fsys and from nowhere
// else. A contract with faults is used as far as it goes, and the diagnostics
// say how far; an error means that it cannot be used at all.
//
// The document is not validated as a whole, which would take longer than
// loading it; schemas are compiled when they are first needed.
func Load(fsys fs.FS, name, service string) (*Contract, []Diagnostic, error) {
	files := reader{fsys: fsys, seen: map[string][]byte{}}
	data, err := files.read(name)
	if err != nil {
		return nil, nil, fmt.Errorf("contract of %s: %w", service, err)
	}
	loader := openapi3.NewLoader()
	// The flag alone would let any file or URL be read; with a reader of one's
	// own the flag is ignored and the reader decides.
	loader.IsExternalRefsAllowed = true
	loader.ReadFromURIFunc = func(_ *openapi3.Loader, location *url.URL) ([]byte, error) { return files.readURL(location) }
	location := &url.URL{Path: path.Clean(name)}
	doc, err := loader.LoadFromDataWithPath(data, location)
	if err != nil || doc.OpenAPI == "" {
		doc, err = convert(loader, data, location, err)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("contract of %s: %s: %w", service, name, err)
	}
	b := newBuilder(doc, service)
	contract := b.build()
	contract.Hash = files.hash()
	return contract, b.diagnostics, nil
}

// A reader gives the files of one folder, and remembers what it gave.
type reader struct {
	fsys fs.FS
	seen map[string][]byte
}

func (r *reader) readURL(location *url.URL) ([]byte, error) {
	if location.Scheme != "" || location.Host != "" {
		return nil, fmt.Errorf("reference to %s: a contract may only refer to files of its own folder; put a copy there", location.Redacted())
	}
	return r.read(path.Clean(location.Path))
}

func (r *reader) read(name string) ([]byte, error) {
	if !fs.ValidPath(name) {
		return nil, fmt.Errorf("file %q is outside the contract's folder; put a copy there", name)
	}
	data, err := fs.ReadFile(r.fsys, name)
	if err != nil {
		return nil, fmt.Errorf("file %q cannot be read: %w", name, err)
	}
	r.seen[name] = data
	return data, nil
}

func (r *reader) hash() string {
	names := make([]string, 0, len(r.seen))
	for name := range r.seen {
		names = append(names, name)
	}
	slices.Sort(names)
	sum := sha256.New()
	for _, name := range names {
		fmt.Fprintf(sum, "%d:%s%d:", len(name), name, len(r.seen[name]))
		sum.Write(r.seen[name])
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// bases gives the base paths of servers, without a slash at the end, each
// once; variables stand for their defaults.
func bases(servers openapi3.Servers) []string {
	var paths []string
	for _, server := range servers {
		if server == nil {
			continue
		}
		address := server.URL
		for name, variable := range server.Variables {
			if variable != nil {
				address = strings.ReplaceAll(address, "{"+name+"}", variable.Default)
			}
		}
		base := ""
		if parsed, err := url.Parse(address); err == nil {
			base = strings.TrimRight(parsed.EscapedPath(), "/")
		}
		if base != "" && !strings.HasPrefix(base, "/") {
			base = "/" + base
		}
		if !slices.Contains(paths, base) {
			paths = append(paths, base)
		}
	}
	if len(paths) == 0 {
		return []string{""}
	}
	return paths
}

// hosts gives the hosts of servers, lower case, each once.
func hosts(servers openapi3.Servers) []string {
	var names []string
	for _, server := range servers {
		if server == nil {
			continue
		}
		parsed, err := url.Parse(server.URL)
		if err != nil || parsed.Hostname() == "" {
			continue
		}
		if name := strings.ToLower(parsed.Hostname()); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}
