package live

import (
	"crypto/x509"
	"encoding/base64"
	"errors"
	"net"
	"net/http"
	"net/url"
	"os"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"

	"parity/specs"
	"parity/specs/class"
	"parity/specs/openapi"
)

// A Service is a real service, and how it is reached.
type Service struct {
	Name     string
	Contract *specs.Contract
	Hosts    []string // host or host:port, in lower case
	Listed   bool     // somebody has named them: they may be at private addresses
	Key      Secret
	Timeout  time.Duration // of a whole call
	MaxReply int64         // bytes of a reply, decoded
	Roots    *x509.CertPool
	Said     func(*specs.Operation) class.Class // what the profile says of an operation; nil: nothing

	once   sync.Once
	shared *http.Transport // for reads
	sorted sync.Once
	acts   map[string][]*specs.Operation // by method

	begun    sync.Once
	segments map[string]bool // see firsts
}

// About is a service by its contract alone: what may be read of it is known, and
// nothing can be sent.
func About(name string, contract *specs.Contract) *Service {
	return &Service{Name: name, Contract: contract}
}

// Roots are the system's certificates, and those of a file in PEM.
func Roots(path string) (*x509.CertPool, error) {
	pool, err := x509.SystemCertPool()
	if err != nil {
		pool = x509.NewCertPool()
	}
	if path == "" {
		return pool, nil
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, errors.New(path + " cannot be read")
	}
	if !pool.AppendCertsFromPEM(data) {
		return nil, errors.New(path + " has no certificate in PEM")
	}
	return pool, nil
}

// A Request is a call as it is about to be sent.
type Request struct {
	Host   string // that the client asked for: it counts where it is one of the service's
	Method string
	Path   string // escaped, as the contract has it
	Query  string // raw
	Header http.Header
	Body   []byte
	Class  class.Class // what policy takes it for, which can only be above what it is here
}

// judged is what a request is, worked out from its bytes.
type judged struct {
	op    *specs.Operation
	input specs.Input
	class class.Class
	reads bool
	why   string // it may not leave at all
}

// Reads tells whether a request is one that only reads, and may leave without a
// pass: a GET or HEAD of class read, or what the contract itself declares read.
func (s *Service) Reads(r Request) bool { j := s.judge(r); return j.why == "" && j.reads }

// judge works out what a request is: nothing that was said of it counts, but that
// it is more than it seems.
func (s *Service) judge(r Request) judged {
	m := s.Contract.MatchCall(&specs.Call{Method: r.Method, Path: r.Path, Query: r.Query, Header: r.Header, Body: r.Body})
	if m.Operation == nil {
		return judged{why: "the contract has no such operation"}
	}
	if climbs(r.Path) {
		return judged{op: m.Operation, why: "its path has a segment that leads up"}
	}
	j := judged{op: m.Operation}
	j.input, _ = m.Operation.Read(specs.Request{Path: m.Path, Query: r.Query, Header: r.Header, Body: r.Body})
	of := class.Of(m.Operation, m.Operation.Effect)
	asked := class.Request{Method: r.Method, Query: r.Query, Header: r.Header, Input: j.input, Body: r.Body}
	carried := class.Judge{
		Match: func(method, path string) (*specs.Operation, bool) {
			part := s.Contract.Match(method, path)
			return part.Operation, part.Operation != nil
		},
		Class: func(op *specs.Operation) class.Class {
			if op == m.Operation {
				return of.Class // of which r.Class says the rest
			}
			return s.class(op)
		},
	}.Carry(m.Operation, asked)
	j.class = class.Highest(carried.Class, r.Class)
	guise := s.guise(m.Operation, j.class, r, asked)
	switch {
	case carried.Code != "":
		j.why = carried.Message
	case holdsSecrets(m.Operation, j.input):
		j.why = "its body has a credential of the agent's"
	case guise != nil:
		j.why = "a server may take it for " + guise.Name()
	case asksForMethod(r):
		j.why = "it may ask for another method than its own"
	case r.Method == http.MethodGet, r.Method == http.MethodHead:
		j.reads = j.class == class.Read && len(r.Body) == 0
	default:
		j.reads = j.class == class.Read && of.How == class.Declared && !givesCredentials(m.Operation)
	}
	return j
}

// climbs tells whether a segment of an escaped path is . or .., which a server may
// take for another path than the contract did.
func climbs(path string) bool {
	for segment := range strings.SplitSeq(path, "/") {
		plain, err := url.PathUnescape(segment)
		if err != nil {
			return true
		}
		for part := range strings.SplitSeq(strings.ReplaceAll(plain, `\`, "/"), "/") {
			if part == "." || part == ".." {
				return true
			}
		}
	}
	return strings.HasPrefix(path, "//")
}

// holdsSecrets tells whether a body has what the contract calls a password.
func holdsSecrets(op *specs.Operation, in specs.Input) bool {
	return len(in.Body) > 0 && !reflect.DeepEqual(op.WithoutSecrets(in.Body), any(in.Body))
}

// givesCredentials tells an operation that hands out credentials of the real
// service: they would be the agent's, though it changes nothing else.
func givesCredentials(op *specs.Operation) bool {
	last := op.Path[strings.LastIndexByte(op.Path, '/')+1:]
	return op.IssuesTokens() || strings.Contains(strings.ToLower(last), "token")
}

// host is where a call goes: the host that the client asked for where it is one
// of the service's, else the first of these.
func (s *Service) host(asked string) (string, bool) {
	asked = strings.ToLower(strings.TrimSuffix(asked, ":443"))
	if slices.Contains(s.Hosts, asked) {
		return asked, true
	}
	if len(s.Hosts) == 0 {
		return "", false
	}
	return s.Hosts[0], true
}

// At is where a call goes that was made for a host.
func (s *Service) At(asked string) string {
	host, _ := s.host(asked)
	return host
}

// within tells whether a host, with its port, is one of the service's.
func (s *Service) within(host string) bool {
	return slices.ContainsFunc(s.Hosts, func(own string) bool { return withPort(own) == withPort(strings.ToLower(host)) })
}

func withPort(host string) string {
	if _, _, err := net.SplitHostPort(host); err == nil {
		return host
	}
	return net.JoinHostPort(strings.Trim(host, "[]"), "443")
}

// shown puts the key where the contract's scheme wants it: in a header, or in the
// query, which it gives. A contract that asks nobody gets a bearer.
func (s *Service) shown(op *specs.Operation, header http.Header, query string) string {
	if !s.Key.Set() {
		return query
	}
	way := []openapi.Scheme{{Type: "http", Scheme: "bearer"}}
	for _, one := range op.Ways() {
		if len(one) > 0 {
			way = one
			break
		}
	}
	for _, scheme := range way {
		key := s.Key.text()
		switch {
		case scheme.Type == "apiKey" && scheme.In == "query":
			query = strings.TrimPrefix(query+"&"+url.QueryEscape(scheme.Name)+"="+url.QueryEscape(key), "&")
		case scheme.Type == "apiKey" && scheme.In == "header":
			header.Set(scheme.Name, key)
		case scheme.Type == "http" && strings.EqualFold(scheme.Scheme, "basic"):
			header.Set("Authorization", "Basic "+base64.StdEncoding.EncodeToString([]byte(pair(key))))
		case scheme.Type == "http" || scheme.Type == "oauth2" || scheme.Type == "openIdConnect":
			header.Set("Authorization", "Bearer "+key)
		}
	}
	return query
}

// goes are the headers that a call takes along whatever its contract says. All
// others are the agent's own.
var goes = []string{
	"Accept", "Accept-Language", "Content-Type", "If-Match", "If-Modified-Since", "If-None-Match", "If-Unmodified-Since", "Prefer", "User-Agent",
}

// outgoing are the headers that leave: those that the contract declares, and those
// that say what is asked for; none that shows who the agent is, or by which way it
// came.
func (s *Service) outgoing(op *specs.Operation, from http.Header) http.Header {
	header := http.Header{"User-Agent": {""}}
	for name, values := range from {
		declared := op.Takes(name) && !s.Contract.Credential("header", name) && !op.SecretHeader(name) && !stays(name)
		if declared || slices.Contains(goes, name) {
			header[name] = slices.Clone(values)
		}
	}
	return header
}

// stays tells headers that never leave, though a contract declare them.
func stays(name string) bool {
	switch http.CanonicalHeaderKey(name) {
	case "Authorization", "Proxy-Authorization", "Cookie", "Forwarded", "Via", "Host", "Connection", "X-Real-Ip",
		"X-Http-Method", "X-Http-Method-Override", "X-Method-Override":
		return true
	}
	name = strings.ToLower(name)
	return strings.HasPrefix(name, "parity-") || strings.HasPrefix(name, "x-parity-") || strings.HasPrefix(name, "x-forwarded-") || strings.HasPrefix(name, "proxy-")
}

// asked is the query that leaves: without what shows who the agent is.
func asked(op *specs.Operation, in specs.Input, raw string) string {
	secrets := op.Secrets(in.Query)
	if len(secrets) == 0 {
		return raw
	}
	pairs := slices.DeleteFunc(strings.Split(raw, "&"), func(pair string) bool {
		name, _, _ := strings.Cut(pair, "=")
		plain, err := url.QueryUnescape(name)
		head, _, _ := strings.Cut(plain, "[")
		return err != nil || slices.Contains(secrets, head)
	})
	return strings.Join(pairs, "&")
}
