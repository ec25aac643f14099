package overlay

import (
	"bytes"
	"encoding/json"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"parity/fakes/cast"
	"parity/specs"
)

// A field is one of an object, as it came.
type field struct {
	name string
	raw  json.RawMessage
}

// parse decodes JSON, whose numbers stay as they are written.
func parse(raw []byte) (v any, ok bool) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	if d.Decode(&v) != nil {
		return nil, false
	}
	return v, true
}

func encode(v any) json.RawMessage {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(v) != nil {
		return json.RawMessage("null")
	}
	return bytes.TrimRight(b.Bytes(), "\n")
}

// fieldsOf splits an object without looking into it; false where it is none.
func fieldsOf(raw []byte) (all []field, ok bool) {
	d := json.NewDecoder(bytes.NewReader(raw))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil, false
	}
	for d.More() {
		name, err := d.Token()
		var inner json.RawMessage
		if err != nil || d.Decode(&inner) != nil {
			return nil, false
		}
		text, _ := name.(string)
		all = append(all, field{text, inner})
	}
	return all, true
}

func join(all []field) json.RawMessage {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, f := range all {
		if i > 0 {
			b.WriteByte(',')
		}
		b.Write(encode(f.name))
		b.WriteByte(':')
		b.Write(f.raw)
	}
	b.WriteByte('}')
	return b.Bytes()
}

// itemsOf splits a list; false where it is none.
func itemsOf(raw []byte) (all []json.RawMessage, ok bool) {
	if b := bytes.TrimLeft(raw, " \t\r\n"); len(b) == 0 || b[0] != '[' || json.Unmarshal(raw, &all) != nil {
		return nil, false
	}
	return all, true
}

// patch lays what differs between two answers of the fake over what the real
// service said in their place.
func patch(raw json.RawMessage, without, with any, name string, sums bool) json.RawMessage {
	if reflect.DeepEqual(without, with) {
		return raw
	}
	switch now := with.(type) {
	case map[string]any:
		before, was := without.(map[string]any)
		if fields, ok := fieldsOf(raw); ok && was && identity(before, "") == identity(now, "") {
			return join(patchFields(fields, before, now, sums && !named(now)))
		}
	case []any:
		before, was := without.([]any)
		if items, ok := itemsOf(raw); ok && was && identified(before, "") && identified(now, "") {
			said, _ := parse(raw)
			l := listing{items: items, values: cast.List(said), without: before, with: now, adds: true, sums: sums}
			return l.laid()
		}
	case json.Number:
		before, was := without.(json.Number)
		if sum, ok := moved(raw, before, now); ok && was && (sums || counts().MatchString(name)) {
			return sum
		}
	}
	return encode(with)
}

func patchFields(fields []field, before, now map[string]any, sums bool) []field {
	kept, met := fields[:0:0], map[string]bool{}
	for _, f := range fields {
		met[f.name] = true
		v, stays := now[f.name]
		old, was := before[f.name]
		switch {
		case stays && was:
			f.raw = patch(f.raw, old, v, f.name, sums)
		case stays:
			f.raw = encode(v)
		case was:
			continue
		}
		kept = append(kept, f)
	}
	var fresh []string
	for name, v := range now {
		if old, was := before[name]; !met[name] && !(was && reflect.DeepEqual(old, v)) {
			fresh = append(fresh, name)
		}
	}
	slices.Sort(fresh)
	for _, name := range fresh {
		kept = append(kept, field{name, encode(now[name])})
	}
	return kept
}

// counts are names of fields that say how many there are: what a run has added is
// added to what the real service says.
var counts = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)(^|_|[a-z])(count|counts|total|totals|total_?results|total_?size)$|^(total|num|n|public|open)_[a-z_]+$|^total[A-Z]`)
})

// moved adds to a number what differs between two others.
func moved(raw json.RawMessage, before, now json.Number) (json.RawMessage, bool) {
	from, err1 := before.Int64()
	to, err2 := now.Int64()
	said, err3 := strconv.ParseInt(strings.TrimSpace(string(raw)), 10, 64)
	if err1 != nil || err2 != nil || err3 != nil {
		return nil, false
	}
	return json.RawMessage(strconv.FormatInt(max(said+to-from, 0), 10)), true
}

// at gives what stands at a JSON pointer; nil where nothing does.
func at(v any, pointer string) any {
	held, _ := specs.ValueAt(v, pointer)
	return held
}

// replaced puts another value where a JSON pointer leads; what has none there
// stays as it is.
func replaced(raw json.RawMessage, at []string, by func(json.RawMessage) json.RawMessage) json.RawMessage {
	if len(at) == 0 {
		return by(raw)
	}
	fields, ok := fieldsOf(raw)
	if !ok {
		return raw
	}
	i := slices.IndexFunc(fields, func(f field) bool { return f.name == at[0] })
	if i < 0 {
		return raw
	}
	inner := replaced(fields[i].raw, at[1:], by)
	if bytes.Equal(inner, fields[i].raw) {
		return raw
	}
	fields[i].raw = inner
	return join(fields)
}
