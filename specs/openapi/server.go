package openapi

import (
	"net/url"
	"strings"

	"parity/specs/document"
)

// A Server is where an API may be found.
type Server struct {
	Host      string // lower case, with {variables}; "" where the address is relative
	Base      string // the path, with {variables} and without a slash at the end; "" for none
	Variables []Variable
}

// A Variable is a part of a server's address that may differ.
type Variable struct {
	Name    string
	Default string
	Choices []string // none: anything
}

// MaxAddress bounds an address whose variables are filled in. Variables whose
// values hold variables could make it double with each.
const MaxAddress = 4 << 10 // bytes

// Bounds on the servers of one list, which each operation may have to itself.
const (
	maxServers   = 256
	maxVariables = 64 // of one server
)

// Fill replaces variables by their defaults; it gives the text itself where it
// would become longer than an address can be.
func (s Server) Fill(text string) string {
	out := text
	for _, v := range s.Variables {
		if out = Put(out, v.Name, v.Default); len(out) > MaxAddress {
			return text
		}
	}
	return out
}

// Put gives a variable a value.
func Put(text, name, value string) string {
	if len(text) > MaxAddress || len(value) > MaxAddress {
		return text
	}
	return strings.ReplaceAll(text, "{"+name+"}", value)
}

// servers gives the servers that a document, a path or an operation has; nil
// for none of its own.
func (a *API) servers(owner *document.Node) []Server {
	if a.Version == "2.0" {
		return swaggerServers(owner)
	}
	list := owner.Get("servers")
	if list.Len() == 0 || !list.Is(document.Array) {
		return nil
	}
	if known, ok := a.served[list]; ok {
		return known
	}
	var all []Server
	for i := range min(list.Len(), maxServers) {
		n := list.At(i)
		s := newServer(n.Get("url").Text())
		variables := n.Get("variables")
		for j := range min(variables.Len(), maxVariables) {
			v := variables.At(j)
			s.Variables = append(s.Variables, Variable{Name: v.Name, Default: v.Get("default").Scalar(), Choices: v.Get("enum").Texts()})
		}
		all = append(all, s)
	}
	a.served[list] = all
	return all
}

func swaggerServers(owner *document.Node) []Server {
	host, base := owner.Get("host").Text(), owner.Get("basePath").Text()
	if host == "" && base == "" {
		return nil
	}
	if base != "" && !strings.HasPrefix(base, "/") {
		base = "/" + base
	}
	address := base
	if host != "" {
		address = "https://" + host + base
	}
	return []Server{newServer(address)}
}

// newServer takes an address apart by hand: variables are no part of a URL.
func newServer(address string) Server {
	var s Server
	rest := address
	if i := strings.Index(rest, "://"); i >= 0 {
		rest = rest[i+3:]
	} else if strings.HasPrefix(rest, "//") {
		rest = rest[2:]
	} else if !strings.HasPrefix(rest, "/") {
		rest = "/" + rest // relative to wherever the document is
	}
	rest, _, _ = strings.Cut(rest, "?")
	rest, _, _ = strings.Cut(rest, "#")
	host, base, _ := strings.Cut(rest, "/")
	if i := strings.LastIndexByte(host, '@'); i >= 0 {
		host = host[i+1:]
	}
	if i := strings.LastIndexByte(host, ':'); i >= 0 && !strings.HasSuffix(host, "]") {
		host = host[:i]
	}
	s.Host = strings.ToLower(host)
	if strings.ContainsRune(host, '{') {
		s.Host = host // a variable's name is as it is written
	}
	base = strings.Trim(base, "/")
	if base != "" {
		s.Base = "/" + base
	}
	if !strings.ContainsRune(s.Base, '{') {
		if parsed, err := url.Parse(s.Base); err == nil {
			s.Base = parsed.EscapedPath()
		}
	}
	return s
}
