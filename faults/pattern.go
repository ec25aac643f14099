package faults

import (
	"fmt"
	"path"
	"strings"

	"parity/specs"
)

// Pattern says which operations a rule is about: "stripe POST /v1/refunds",
// "stripe.PostRefunds", "stripe GET *", "stripe *" or "*". A * stands for any
// run of characters, slashes too.
type Pattern struct {
	text    string
	any     bool
	service string
	method  string
	path    string
	id      string
}

// ParsePattern reads a pattern.
func ParsePattern(s string) (Pattern, error) {
	p := Pattern{text: s}
	words := strings.Fields(s)
	switch {
	case len(words) == 1 && words[0] == "*":
		p.any = true
	case len(words) == 1:
		service, id, ok := strings.Cut(words[0], ".")
		if !ok {
			return p, fmt.Errorf("%q names no operation; write it as service METHOD /path or service.OperationId", s)
		}
		p.service, p.id = service, id
	case len(words) == 2 && words[1] == "*":
		p.service, p.method, p.path = words[0], "*", "*"
	case len(words) == 3:
		p.service, p.method, p.path = words[0], words[1], words[2]
		if p.method != strings.ToUpper(p.method) {
			return p, fmt.Errorf("%q: the method is written in capitals: %s", s, strings.ToUpper(p.method))
		}
		if p.path != "*" && !strings.HasPrefix(p.path, "/") && !strings.HasPrefix(p.path, "*") {
			return p, fmt.Errorf("%q: a path begins with /", s)
		}
	default:
		return p, fmt.Errorf("%q names no operation; write it as service METHOD /path or service.OperationId", s)
	}
	return p, nil
}

func (p Pattern) String() string { return p.text }

// Service gives the service that the pattern names, or "" for any.
func (p Pattern) Service() string {
	if p.any || strings.ContainsAny(p.service, "*?[") {
		return ""
	}
	return p.service
}

// Whole tells a pattern that names every operation of the services that it
// names: "stripe *" or "*".
func (p Pattern) Whole() bool { return p.any || p.method == "*" && p.path == "*" }

// Match tells whether op is one of those that the pattern names. Names of path
// parameters do not matter: /v1/charges/{id} is /v1/charges/{charge}. The base
// path of the service's server may be there, or not.
func (p Pattern) Match(op *specs.Operation) bool {
	if p.any {
		return true
	}
	if !glob(p.service, op.Service) {
		return false
	}
	if p.id != "" {
		return glob(p.id, op.ID)
	}
	return glob(p.method, op.Method) && (p.matchPath(op.Path) || p.matchPath(op.Bare()) || p.matchSuffixed(op))
}

// matchSuffixed holds the pattern against the path with what clients may add to
// it.
func (p Pattern) matchSuffixed(op *specs.Operation) bool {
	path, ends := strings.CutSuffix(p.path, op.Suffix())
	if !ends || path == p.path {
		return false
	}
	p.path = path
	return p.matchPath(op.Path) || p.matchPath(op.Bare())
}

// matchPath holds the pattern against one form of an operation's path.
func (p Pattern) matchPath(template string) bool {
	if !strings.ContainsAny(p.path, "*?[") {
		return alike(p.path, template)
	}
	return glob(anonymous(p.path), anonymous(template))
}

// alike tells whether two paths are the same but for the names of parameters.
func alike(a, b string) bool {
	for {
		before, restA, ok := strings.Cut(a, "{")
		other, restB, okB := strings.Cut(b, "{")
		if before != other || ok != okB {
			return false
		}
		if !ok {
			return true
		}
		_, a, _ = strings.Cut(restA, "}")
		_, b, _ = strings.Cut(restB, "}")
	}
}

// anonymous takes the names out of a path's parameters.
func anonymous(template string) string {
	if !strings.Contains(template, "{") {
		return template
	}
	var b strings.Builder
	for {
		before, rest, ok := strings.Cut(template, "{")
		b.WriteString(before)
		if !ok {
			return b.String()
		}
		_, template, _ = strings.Cut(rest, "}")
		b.WriteString("{}")
	}
}

// glob matches as path.Match does, with a * that also crosses slashes.
func glob(pattern, s string) bool {
	if !strings.ContainsAny(pattern, "*?[") {
		return pattern == s
	}
	crossing := strings.NewReplacer("/", "\x00")
	ok, err := path.Match(crossing.Replace(pattern), crossing.Replace(s))
	return err == nil && ok
}
