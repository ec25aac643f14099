package faults

import (
	"slices"
	"strings"
	"time"

	"parity/fakes/chance"
	"parity/fakes/world"
	"parity/specs"
)

// A Meaning corrects what tells two calls of an operation apart: which of the
// fields of their queries and bodies say what the agent means by one. Whose call
// it is and what its path names count always.
//
//	By        only these, those that a client makes anew for each try too
//	Ignoring  all but these, and but what is left out anyhow (see Fingerprint)
//
// A field of an object within is written metadata.order_id.
type Meaning struct {
	By       []string
	Ignoring []string
}

// Fingerprint digests what an agent meant by a call, as Fingerprint does, by the
// fields that count. A nil Meaning corrects nothing.
func (m *Meaning) Fingerprint(identity string, op *specs.Operation, in specs.Input, now time.Time) string {
	switch {
	case m == nil:
		return Fingerprint(identity, op, in, now)
	case len(m.By) == 0:
		in.Query, in.Body = without(in.Query, m.Ignoring), without(in.Body, m.Ignoring)
		return Fingerprint(identity, op, in, now)
	}
	path := make(map[string]any, len(in.Path))
	for name, value := range in.Path {
		path[name] = value
	}
	fields := map[string]any{"path": path, "query": chosen(in.Query, m.By), "body": chosen(in.Body, m.By)}
	return chance.Short(16, identity, op.Service, op.ID, "by", string(world.Encode(fields)))
}

// chosen are some fields, by their paths.
func chosen(fields map[string]any, paths []string) map[string]any {
	kept := map[string]any{}
	for _, path := range paths {
		if value, ok := at(fields, path); ok {
			kept[path] = value
		}
	}
	return kept
}

func at(fields map[string]any, path string) (any, bool) {
	name, rest, deeper := strings.Cut(path, ".")
	value, ok := fields[name]
	if !ok || !deeper {
		return value, ok
	}
	inner, _ := value.(map[string]any)
	return at(inner, rest)
}

// without gives fields but for those at some paths. It leaves fields as they are.
func without(fields map[string]any, paths []string) map[string]any {
	if len(fields) == 0 {
		return fields
	}
	kept := make(map[string]any, len(fields))
	for name, value := range fields {
		if slices.Contains(paths, name) {
			continue
		}
		inner, ok := value.(map[string]any)
		if rests := inside(paths, name); ok && len(rests) > 0 {
			value = without(inner, rests)
		}
		kept[name] = value
	}
	return kept
}

// inside are the rests of the paths that begin with a name.
func inside(paths []string, name string) []string {
	var rests []string
	for _, path := range paths {
		if rest, ok := strings.CutPrefix(path, name+"."); ok {
			rests = append(rests, rest)
		}
	}
	return rests
}
