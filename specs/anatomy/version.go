package anatomy

import (
	"strings"

	"parity/specs/openapi"
)

// Where a service counts the versions of each operation by itself, one thing is
// under several: POST /v1/teams, GET /v2/teams/{id}. Those are put under the
// highest of them, unless a method and path is there in two versions: then each
// version is an API of its own.

// level gives the path under which each operation of such a thing is read.
func level(api *openapi.API) map[*openapi.Operation]string {
	type group struct {
		ops    []*openapi.Operation
		seen   map[string]bool
		first  string
		high   string
		twice  bool
		mixed  bool
		places [][2]int
	}
	groups := map[string]*group{}
	for _, op := range api.Operations {
		from, to, ok := versionIn(op.Path)
		if !ok {
			continue
		}
		rest := strings.TrimPrefix(op.Path[to:], "/")
		word, _, _ := strings.Cut(rest, "/")
		key := op.Path[:from] + word
		g := groups[key]
		if g == nil {
			g = &group{seen: map[string]bool{}, first: op.Path[from:to], high: op.Path[from:to]}
			groups[key] = g
		}
		version, call := op.Path[from:to], op.Method+" "+nameless(rest)
		g.twice, g.mixed = g.twice || g.seen[call], g.mixed || version != g.first
		g.seen[call] = true
		if len(version) > len(g.high) || len(version) == len(g.high) && version > g.high {
			g.high = version
		}
		g.ops, g.places = append(g.ops, op), append(g.places, [2]int{from, to})
	}
	var moved map[*openapi.Operation]string
	for _, g := range groups {
		if g.twice || !g.mixed {
			continue
		}
		for i, op := range g.ops {
			if moved == nil {
				moved = map[*openapi.Operation]string{}
			}
			moved[op] = op.Path[:g.places[i][0]] + g.high + op.Path[g.places[i][1]:]
		}
	}
	return moved
}

// versionIn finds the first segment of a path that is v and a number.
func versionIn(path string) (from, to int, ok bool) {
	at := 0
	for segment := range strings.SplitSeq(path, "/") {
		if len(segment) > 1 && segment[0] == 'v' && strings.Trim(segment[1:], "0123456789") == "" {
			return at, at + len(segment), true
		}
		at += len(segment) + 1
	}
	return 0, 0, false
}

// nameless writes a path without the names of its parameters.
func nameless(path string) string {
	var out strings.Builder
	depth := 0
	for _, r := range path {
		switch r {
		case '{':
			depth++
		case '}':
			depth--
		default:
			if depth > 0 {
				continue
			}
		}
		out.WriteRune(r)
	}
	return out.String()
}
