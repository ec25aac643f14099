package faults

import (
	"maps"
	"net/http"
	"strconv"
	"strings"

	"parity/specs"
)

// asked gives what a request says of a parameter of its list, in the query or
// in the body. page[after] is the field after of page.
func asked(in specs.Input, name string) (any, bool) {
	base, inner, deep := strings.Cut(strings.TrimSuffix(name, "]"), "[")
	for _, from := range []map[string]any{in.Query, in.Body} {
		value, ok := from[name]
		if deep && !ok {
			fields, _ := from[base].(map[string]any)
			value, ok = fields[inner]
		}
		if ok && value != nil {
			return value, true
		}
	}
	return nil, false
}

// asking is a request that says something else of a parameter; nil: nothing.
func asking(op *specs.Operation, in specs.Input, name string, value any) specs.Input {
	base, inner, deep := strings.Cut(strings.TrimSuffix(name, "]"), "[")
	to := &in.Query
	_, inQuery := in.Query[base]
	_, inBody := in.Body[base]
	queries, _ := op.Promises(specs.InQuery, base)
	if inBody || !inQuery && op.Method != http.MethodGet && !queries {
		to = &in.Body
	}
	changed := maps.Clone(*to)
	if changed == nil {
		changed = map[string]any{}
	}
	if _, whole := changed[name]; deep && !whole {
		fields, _ := changed[base].(map[string]any)
		if fields = maps.Clone(fields); fields == nil {
			fields = map[string]any{}
		}
		setAs(fields, inner, value)
		changed[base] = fields
	} else {
		setAs(changed, name, value)
	}
	*to = changed
	return in
}

// setAs writes a number as text where there is text.
func setAs(fields map[string]any, name string, value any) {
	was, had := fields[name]
	_, text := was.(string)
	switch n, number := value.(int64); {
	case value == nil:
		delete(fields, name)
	case had && text && number:
		fields[name] = strconv.FormatInt(n, 10)
	default:
		fields[name] = value
	}
}

// counted reads a parameter that counts.
func counted(in specs.Input, name string) (int64, bool) {
	value, ok := asked(in, name)
	if !ok || name == "" {
		return 0, false
	}
	n, err := strconv.ParseInt(idText(value), 10, 64)
	return n, err == nil
}

// carried gives the parameter that a request goes on in a list by, and what it
// holds; "" where it asks for the first page.
func carried(op *specs.Operation, in specs.Input) (name, value string) {
	a := &op.Anatomy
	for _, name := range a.Cursors {
		if value, ok := asked(in, name); ok && idText(value) != "" {
			return name, idText(value)
		}
	}
	if n, ok := counted(in, a.Page); ok && n > int64(a.First) {
		return a.Page, strconv.FormatInt(n, 10)
	}
	if n, ok := counted(in, a.Offset); ok && n > 0 {
		return a.Offset, strconv.FormatInt(n, 10)
	}
	return "", ""
}

// limiter is the parameter that a request's page is limited by: the one that
// it has, or that goes with what it has, or else the last.
func limiter(a *specs.Anatomy, in specs.Input) string {
	for _, name := range a.Limit {
		if _, ok := asked(in, name); ok {
			return name
		}
		base, _, deep := strings.Cut(name, "[")
		if fields, _ := in.Query[base].(map[string]any); deep && fields != nil {
			return name
		}
	}
	if len(a.Limit) == 0 {
		return ""
	}
	return a.Limit[len(a.Limit)-1]
}
