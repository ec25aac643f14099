package specs

import (
	"fmt"
	"io/fs"
	"net/url"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"parity/specs/document"
	"parity/specs/openapi"
)

// A Diagnostic is a fault in a contract that does not stop its use.
type Diagnostic struct {
	File         string // where, in the contract's folder
	Line, Column int    // from 1; 0: the document as a whole
	Pointer      string // JSON pointer into the document; "" where it is not known
	Code         string // a closed set, such as broken-reference: see README.md
	Message      string // what is wrong, and what happens because of it
}

// String writes a diagnostic as compilers do: file:line:column: code: message.
func (d Diagnostic) String() string {
	return fmt.Sprintf("%s:%d:%d: %s: %s", d.File, d.Line, d.Column, d.Code, d.Message)
}

// longestMessage bounds what is said of one fault: a name may be as long as a
// file.
const longestMessage = 1000 // bytes

// printable makes one line of what a document says, without what would steer a
// terminal.
func printable(text string) string {
	text = document.Clip(text, longestMessage)
	return strings.Map(func(r rune) rune {
		if r == utf8.RuneError || !unicode.IsPrint(r) {
			return '\uFFFD'
		}
		return r
	}, text)
}

// Load reads the contract in the file name of fsys: OpenAPI 3.0, 3.1 or 3.2,
// Swagger 2.0, or a Google discovery document, as YAML or JSON. References to
// other files are read from fsys and from nowhere else. A contract with faults
// is used as far as it goes, and the diagnostics say how far; an error means
// that it cannot be used at all.
//
// The document is not validated as a whole, which would take longer than
// loading it: operations are read, and schemas compiled, when they are first
// needed. Contract.Check does it for all of them.
func Load(fsys fs.FS, name, service string) (*Contract, []Diagnostic, error) {
	doc, err := document.Open(fsys, name)
	if err != nil {
		return nil, nil, fmt.Errorf("contract of %s: %w", service, err)
	}
	return contractOf(doc, service, false)
}

// contractOf makes the contract of a document, of which somebody may know that
// nothing is wrong with it.
func contractOf(doc *document.Document, service string, sound bool) (*Contract, []Diagnostic, error) {
	api, err := openapi.Read(doc)
	if err != nil {
		return nil, nil, fmt.Errorf("contract of %s: %s: %w", service, doc.Name(), err)
	}
	b := newBuilder(api, service)
	b.sound, b.contract.schemas.lenient = sound, !sound
	for _, p := range doc.Problems() {
		b.diagnostics = append(b.diagnostics, Diagnostic{File: printable(p.File), Line: p.Line, Column: p.Column, Code: p.Code, Message: printable(p.Message)})
	}
	b.problems(api.Problems)
	contract := b.build()
	return contract, b.diagnostics, nil
}

// Bounds on where a contract is served.
const (
	mostBases  = 16      // of one operation
	mostPlaces = 1 << 16 // of all operations: those that come later are served at their first one
	mostHosts  = 1000
)

// bases gives the base paths of servers, without a slash at the end, each once:
// with variables standing for their defaults, for each of their choices, or,
// where they have none, for anything.
func bases(servers []openapi.Server) []string {
	var paths []string
	add := func(base string) {
		base = strings.TrimRight(base, "/")
		if base != "" && base[0] != '/' {
			base = "/" + base
		}
		if parsed, err := url.Parse(base); err == nil && !strings.ContainsRune(base, '{') {
			base = parsed.EscapedPath()
		}
		if !slices.Contains(paths, base) && len(paths) < mostBases {
			paths = append(paths, base)
		}
	}
	for _, server := range servers {
		if len(paths) == mostBases {
			break
		}
		add(server.Fill(server.Base))
		if !strings.ContainsRune(server.Base, '{') {
			continue
		}
		for _, base := range spread(server, server.Base) {
			if strings.ContainsRune(base, '{') {
				base = strings.ReplaceAll(base, "{", "{server.") // its name is none of the operation's
			}
			add(base)
		}
	}
	if len(paths) == 0 {
		return []string{""}
	}
	return paths
}

// spread writes an address once for each choice that its variables have.
// Variables without choices stay.
func spread(server openapi.Server, address string) []string {
	all := []string{address}
	for _, v := range server.Variables {
		name := "{" + v.Name + "}"
		if len(v.Choices) == 0 || !strings.Contains(address, name) {
			continue
		}
		var next []string
		for _, one := range all {
			for _, choice := range v.Choices {
				if filled := openapi.Put(one, v.Name, choice); len(next) < mostBases && len(filled) <= openapi.MaxAddress {
					next = append(next, filled)
				}
			}
		}
		all = next
	}
	return all
}

// hosts gives the hosts of servers, lower case, each once. A variable in a
// host's name that may be anything makes a pattern of what follows it, such as
// *.acme.com, as long as that is not a whole top level.
func hosts(servers []openapi.Server) []string {
	var names []string
	add := func(name string) {
		name = strings.ToLower(name)
		if suffix, ok := strings.CutPrefix(name, "*"); ok && strings.Count(suffix, ".") < 2 {
			return // all of a top level
		}
		if name != "" && !strings.ContainsAny(name, "{}/: ") && len(names) < mostHosts && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for _, server := range servers {
		add(server.Fill(server.Host))
		for _, host := range spread(server, server.Host) {
			last := strings.LastIndexByte(host, '}')
			if last < 0 {
				add(host)
				continue
			}
			if _, suffix, ok := strings.Cut(host[last:], "."); ok && strings.Contains(suffix, ".") {
				add("*." + suffix)
			}
		}
	}
	return names
}
