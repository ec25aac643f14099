package shadow

import (
	"math/big"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"parity/fakes/world"
	"parity/specs"
	"parity/specs/body"
	"parity/specs/schema"
)

// A field is what a contract says of a place in a call.
type field struct {
	kinds   schema.Kinds // 0: it says nothing
	formats map[string]bool
	decimal bool // a text that is a decimal number
	sets    bool // a list whose order says nothing: uniqueItems
	usual   any  // what stands for one that is left out
	isUsual bool
}

// deepest bounds how far a schema is followed.
const deepest = 12

// A book has what contracts say of fields, each looked up once.
type book struct{ known map[bookmark]*field }

type bookmark struct {
	op    *specs.Operation
	place string
}

// of gives what the contract says of a place: in is path, query or body.
func (b *book) of(op *specs.Operation, in string, path []string) *field {
	at := bookmark{op, in + "\x00" + strings.Join(path, "\x00")}
	if f := b.known[at]; f != nil {
		return f
	}
	f := &field{formats: map[string]bool{}}
	b.known[at] = f
	if op.Source() == nil {
		return f
	}
	if in != inBody {
		parameters, _ := op.Source().Parameters()
		for _, p := range parameters {
			if p.In == in && len(path) > 0 && p.Name == path[0] {
				f.follow(p.Schema, path[1:], 0)
			}
		}
		return f
	}
	taken, _ := op.Source().Body()
	if taken == nil {
		return f
	}
	for _, m := range taken.Content {
		if kind := body.Kind(m.Type); body.IsJSON(kind) || body.IsForm(kind) {
			f.follow(m.Schema, path, 0)
		}
	}
	return f
}

// follow takes in what a schema says of what is at a path in it.
func (f *field) follow(s *schema.Schema, path []string, depth int) {
	if s = s.Target(); s == nil || depth > deepest {
		return
	}
	v := s.View()
	for _, parts := range [][]*schema.Schema{v.AllOf, v.AnyOf, v.OneOf} {
		for _, part := range parts {
			f.follow(part, path, depth+1)
		}
	}
	switch {
	case len(path) == 0:
		f.take(v)
	case v.Get(path[0]) != nil:
		f.follow(v.Get(path[0]), path[1:], depth+1)
	case index(path[0]) && v.Items != nil:
		f.follow(v.Items, path[1:], depth+1)
	case v.Rest != nil:
		f.follow(v.Rest, path[1:], depth+1)
	}
}

func (f *field) take(v *schema.View) {
	f.kinds |= v.Kinds()
	f.formats[v.Format] = true
	f.sets = f.sets || v.UniqueItems
	f.decimal = f.decimal || v.Format == "decimal" || v.Kinds()&schema.String != 0 && v.Pattern != "" && decimalPattern(v.Pattern)
	if v.Default != nil && !f.isUsual {
		f.usual, f.isUsual = v.Default.Value(), true
	}
}

// decimalPattern tells a pattern that decimal numbers fit, and words do not.
func decimalPattern(pattern string) bool {
	re, err := regexp.Compile(pattern)
	return err == nil && re.MatchString("10.50") && !re.MatchString("word") && !re.MatchString("1.2.3")
}

func index(name string) bool {
	for _, c := range name {
		if c < '0' || c > '9' {
			return false
		}
	}
	return name != ""
}

// whole is a whole number as a text has it.
var whole = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[+-]?[0-9]{1,30}$`) })

// decimal is a decimal number as a text has it.
var decimal = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[+-]?[0-9]{1,30}(\.[0-9]{1,30})?$`) })

// spelled is a value in the one spelling that all of its spellings have: 1000 and
// "1000" are alike, and so are 10, "10" and "10.00" where the contract says that it
// is a decimal number.
func (f *field) spelled(value any) string {
	switch v := value.(type) {
	case nil:
		return "\x00null"
	case string:
		return f.text(v)
	case int64:
		return strconv.FormatInt(v, 10)
	case float64:
		if n, ok := new(big.Rat).SetString(strconv.FormatFloat(v, 'f', -1, 64)); ok {
			return rational(n)
		}
	case bool:
		return strconv.FormatBool(v)
	case map[string]any:
		if len(v) == 0 {
			return "\x00{}"
		}
	case []any:
		if len(v) == 0 {
			return "\x00[]"
		}
	}
	return string(world.Encode(map[string]any{"": value}))
}

func (f *field) text(v string) string {
	v = strings.ReplaceAll(v, "\r\n", "\n") // forms have lines end so
	number := f.kinds&schema.Number != 0 || f.decimal
	switch {
	case f.kinds&schema.Integer != 0 && whole().MatchString(v), number && decimal().MatchString(v):
		if n, ok := new(big.Rat).SetString(v); ok {
			return rational(n)
		}
	case f.kinds&schema.Boolean != 0:
		return strings.ToLower(v)
	case f.formats["date-time"]:
		if at, err := time.Parse(time.RFC3339, v); err == nil {
			return at.UTC().Format(time.RFC3339Nano)
		}
	case f.formats["email"], f.formats["uuid"]:
		return strings.ToLower(v)
	}
	return v
}

func rational(n *big.Rat) string {
	if n.IsInt() {
		return n.Num().String()
	}
	return strings.TrimRight(n.FloatString(30), "0")
}
