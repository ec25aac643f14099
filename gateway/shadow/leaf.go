package shadow

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"parity/fakes/world"
	"parity/faults"
	"parity/faults/trail"
	"parity/specs/secret"
)

// Where a leaf stands.
const (
	inPath  = "path"
	inQuery = "query"
	inBody  = "body"
)

// A leaf is one value that a call says.
type leaf struct {
	in      string
	path    []string
	value   any
	spelled string
	sense   trail.Sense
	may     bool // differ: the profile says so
	now     bool // about the time of the call
	masked  bool // what was said is not kept
	made    bool // an id that the run itself made
}

// name is the leaf as findings tell it.
func (l *leaf) name() string {
	text := strings.Join(l.path, ".")
	switch {
	case l.in != inBody:
		return l.in + " " + text
	case text == "":
		return "the body"
	}
	return text
}

// A flat act is one by its leaves.
type flat struct {
	*Act
	leaves map[string]*leaf
	by     string // the values of the fields that tell intents apart, where the profile names them
	exact  string // all of it: equal for acts that say the same
	order  int    // among the acts of its side
	paired bool
}

// mostLeaves bounds how many values of one call are compared one by one.
const mostLeaves = 5000

// flatten takes an act apart. Made are the ids that the run itself has given out
// before it.
func (p *pairing) flatten(a *Act, order int, made map[string]bool) *flat {
	f := &flat{Act: a, leaves: map[string]*leaf{}, order: order}
	for name, value := range a.Input.Path {
		p.leaf(f, inPath, []string{name}, value)
	}
	ignoring, by := []string{}, []string{}
	if m := p.Meaning(a.Operation); m != nil {
		ignoring, by = m.Ignoring, m.By
	}
	p.inner(f, inQuery, nil, without(a.Input.Query, ignoring))
	p.inner(f, inBody, nil, without(a.Input.Body, ignoring))
	if a.Input.Value != nil {
		p.inner(f, inBody, nil, a.Input.Value)
	}
	for _, l := range f.leaves {
		if text, ok := plain(l.value); ok && made[text] && a.Agent != nil {
			l.made = true
		}
	}
	f.exact, f.by = f.digest(nil), f.digest(by)
	if len(by) == 0 {
		f.by = ""
	}
	return f
}

// without leaves out some fields, by their paths.
func without(fields map[string]any, paths []string) any {
	if len(fields) == 0 {
		return nil
	}
	if len(paths) == 0 {
		return fields
	}
	kept := make(map[string]any, len(fields))
	for name, value := range fields {
		if slices.Contains(paths, name) {
			continue
		}
		var rests []string
		for _, path := range paths {
			if rest, ok := strings.CutPrefix(path, name+"."); ok {
				rests = append(rests, rest)
			}
		}
		if inner, ok := value.(map[string]any); ok && len(rests) > 0 {
			value = without(inner, rests)
		}
		kept[name] = value
	}
	return kept
}

// inner takes a value apart.
func (p *pairing) inner(f *flat, in string, path []string, value any) {
	switch v := value.(type) {
	case map[string]any:
		for name, one := range v {
			if !p.ofTheTry(f, name) {
				p.inner(f, in, append(path[:len(path):len(path)], name), one)
			}
		}
		return // one without fields says nothing
	case []any:
		if len(v) == 0 {
			break
		}
		if p.unordered(f, in, path) {
			v = slices.Clone(v)
			slices.SortStableFunc(v, func(a, b any) int { return strings.Compare(sorts(a), sorts(b)) })
		}
		for i, one := range v {
			p.inner(f, in, append(path[:len(path):len(path)], strconv.Itoa(i)), one)
		}
		return
	case nil:
		if len(path) == 0 {
			return
		}
	}
	p.leaf(f, in, path, value)
}

// sorts is what items of a list are put in order by.
func sorts(v any) string {
	if text, ok := plain(v); ok {
		return text
	}
	return string(world.Encode(map[string]any{"": v}))
}

// unordered tells a list whose order says nothing: of people, or one whose items
// are unlike by its contract.
func (p *pairing) unordered(f *flat, in string, path []string) bool {
	return len(path) > 0 && (recipients(path[len(path)-1]) || p.book.of(f.Operation, in, path).sets)
}

// ofTheTry tells a field that a client makes anew for each try.
func (p *pairing) ofTheTry(f *flat, name string) bool {
	a := &f.Operation.Anatomy
	return name == a.KeyField || slices.Contains(a.Volatile, name) || faults.OfTheTry(name)
}

// leaf adds one value.
func (p *pairing) leaf(f *flat, in string, path []string, value any) {
	if len(f.leaves) == mostLeaves {
		return
	}
	says := p.book.of(f.Operation, in, path)
	l := &leaf{in: in, path: path, value: value, spelled: says.spelled(value)}
	if says.isUsual && in != inPath && l.spelled == says.spelled(says.usual) {
		return // as if it were left out
	}
	if l.sense = p.sense(f.Act, l, says); l.sense == trail.SenseRecipient && strings.ContainsRune(l.spelled, '@') {
		l.spelled = strings.ToLower(l.spelled) // no mailbox goes by it
	}
	l.may = in != inPath && p.acceptable(path)
	l.now = near(value, f.At)
	if text, ok := value.(string); ok {
		l.masked = secret.Marked(text)
	}
	f.leaves[in+" "+strings.Join(path, "\x00")] = l
}

// near tells a time about when the call was made: in RFC 3339, or in seconds or
// milliseconds of Unix.
func near(value any, at time.Time) bool {
	var said time.Time
	var err error
	switch v := value.(type) {
	case int64:
		if said = time.Unix(v, 0); v > 1e11 {
			said = time.UnixMilli(v)
		}
	case string:
		if n, wrong := strconv.ParseInt(v, 10, 64); wrong == nil && len(v) >= 10 {
			return near(n, at)
		}
		said, err = time.Parse(time.RFC3339, v)
	default:
		return false
	}
	return err == nil && said.Sub(at).Abs() < time.Minute
}

// acceptable tells whether the profile lets a field of the body or the query differ:
// it, or what it is within. A * stands for any name, and numbers of items are left
// out.
func (p *pairing) acceptable(path []string) bool {
	var names []string
	for _, name := range path {
		if !index(name) {
			names = append(names, name)
		}
	}
	return slices.ContainsFunc(p.may, func(pattern []string) bool {
		if len(pattern) > len(names) || len(pattern) == 0 {
			return false
		}
		for i, name := range pattern {
			if name != "*" && name != names[i] {
				return false
			}
		}
		return true
	})
}

// patterns are the fields that may differ, taken apart.
func patterns(fields []string) (all [][]string) {
	for _, f := range fields {
		var names []string
		for _, name := range strings.Split(f, ".") {
			if !index(name) {
				names = append(names, name)
			}
		}
		all = append(all, names)
	}
	return all
}

// digest is equal for acts that say the same; of the fields by alone, where these
// are given.
func (f *flat) digest(by []string) string {
	var b strings.Builder
	for _, key := range sortedKeys(f.leaves) {
		l := f.leaves[key]
		name := strings.Join(l.path, ".")
		if len(by) > 0 && l.in != inPath && !slices.ContainsFunc(by, func(one string) bool { return name == one || strings.HasPrefix(name, one+".") }) {
			continue
		}
		b.WriteString(strconv.Quote(key) + "=" + strconv.Quote(l.spelled) + "\n")
	}
	return b.String()
}
