package faults

import (
	"strings"

	"parity/specs"
)

// Documentation writes a path out where a contract has a parameter:
//
//	contract  POST /crm/v3/objects/{objectType}
//	written   POST /crm/v3/objects/contacts       only calls for contacts
//
// A pattern is first what the contract writes. Where no operation has such a
// path, it stands for the calls whose path, as it is made, is the pattern's.

// MatchCall tells whether a call of op is one of those that the pattern names.
func (p Pattern) MatchCall(op *specs.Operation, in specs.Input) bool {
	if p.Match(op) {
		return true
	}
	return p.writes(op, func(template string) []token { return filled(template, in.Path) })
}

// May tells whether a call of op can be one of those whose path the pattern
// writes out, with values where the contract has parameters.
func (p Pattern) May(op *specs.Operation) bool {
	return p.writes(op, tokensOf)
}

func (p Pattern) writes(op *specs.Operation, as func(template string) []token) bool {
	if p.path == "" || p.path == "*" || strings.Contains(p.path, "[") || !glob(p.service, op.Service) || !glob(p.method, op.Method) {
		return false
	}
	own := tokensOf(p.path)
	bare := op.Bare()
	return overlap(own, as(op.Path)) || bare != op.Path && overlap(own, as(bare))
}

// Values are those that the pattern has in the place of parameters of op, where
// both have as many segments; a parameter, or a *, is none.
func (p Pattern) Values(op *specs.Operation) map[string]string {
	values := map[string]string{}
	own := strings.Split(p.path, "/")
	for _, template := range []string{op.Path, op.Bare()} {
		parts := strings.Split(template, "/")
		if len(parts) != len(own) {
			continue
		}
		for i, part := range parts {
			if name, whole := strings.CutSuffix(part, "}"); whole && strings.HasPrefix(name, "{") && !strings.ContainsAny(own[i], "{}*?") {
				values[name[1:]] = own[i]
			}
		}
		return values
	}
	return values
}

// pins counts the parameters of an operation's path that the pattern gives a
// value for.
func (p Pattern) pins(op *specs.Operation) int {
	return strings.Count(op.Bare(), "{") - strings.Count(p.path, "{")
}

// A token stands for one character of a path, or for any number of them.
type token struct {
	char byte // 0: any, but for a slash unless over
	more bool // as many as there are, none too
	over bool // slashes too
}

// tokensOf takes a path apart: a parameter stands for what has no slash, and is
// not empty; a * for anything, a ? for one character.
func tokensOf(path string) []token {
	tokens := make([]token, 0, len(path))
	for i := 0; i < len(path); i++ {
		switch c := path[i]; c {
		case '{':
			tokens = append(tokens, token{}, token{more: true})
			if end := strings.IndexByte(path[i:], '}'); end > 0 {
				i += end
			}
		case '*':
			tokens = append(tokens, token{more: true, over: true})
		case '?':
			tokens = append(tokens, token{over: true})
		default:
			tokens = append(tokens, token{char: c})
		}
	}
	return tokens
}

// filled is a path with its values. A slash inside one is no slash of the path.
func filled(template string, values map[string]string) []token {
	var tokens []token
	for {
		before, rest, ok := strings.Cut(template, "{")
		tokens = append(tokens, text(before)...)
		if !ok {
			return tokens
		}
		name, after, _ := strings.Cut(rest, "}")
		tokens, template = append(tokens, text(strings.ReplaceAll(values[name], "/", "%2F"))...), after
	}
}

func text(s string) []token {
	tokens := make([]token, len(s))
	for i := range len(s) {
		tokens[i] = token{char: s[i]}
	}
	return tokens
}

// takes tells whether both stand for some character.
func (t token) takes(other token) bool {
	switch {
	case t.char != 0 && other.char != 0:
		return t.char == other.char
	case t.char == '/':
		return other.over
	case other.char == '/':
		return t.over
	}
	return true
}

// mostSteps bounds the work of one comparison: longer paths are not what anybody
// writes into a profile.
const mostSteps = 1 << 20

// overlap tells whether some path is what both stand for.
func overlap(a, b []token) bool {
	if len(a)*len(b) > mostSteps {
		return false
	}
	seen := make([]bool, (len(a)+1)*(len(b)+1))
	var from func(i, j int) bool
	from = func(i, j int) bool {
		at := i*(len(b)+1) + j
		if seen[at] {
			return false
		}
		seen[at] = true
		moreA, moreB := i < len(a) && a[i].more, j < len(b) && b[j].more
		switch {
		case i == len(a) && j == len(b):
			return true
		case moreA && from(i+1, j), moreB && from(i, j+1):
			return true
		case i == len(a) || j == len(b) || !a[i].takes(b[j]):
			return false
		}
		nextI, nextJ := i+1, j+1
		return from(nextI, nextJ) || moreA && from(i, nextJ) || moreB && from(nextI, j)
	}
	return from(0, 0)
}
