package generic

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"parity/fakes"
	"parity/fakes/cast"
	"parity/fakes/chance"
	"parity/specs/sample"
	"parity/specs/schema"
)

// A form of ids, such as con_{base62:14}, is literal text and draws.
type idForm []idPart

// An idPart is a text, or a number of characters of an alphabet.
type idPart struct {
	text  string
	kind  string // base62 hex digits lower uuid; "": text alone
	count int
}

const (
	base62      = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	punctuation = "-_:./" // stays where an example has it
	usualID     = 20      // characters of an id of which nothing is known
	shortID     = 6       // fewer digits do not tell one id from another
	tries       = 16      // draws until an id is free
	halfInts    = math.MaxInt32
	fullInts    = 1 << 53 // what JSON carries exactly
)

var alphabets = map[string]string{
	"base62": base62, "digits": base62[:10], "hex": "0123456789abcdef",
	"lower": "0123456789abcdefghijklmnopqrstuvwxyz", "upper": base62[:36],
}

// parseForm reads a form of ids. "uuid" and "integer" are forms by themselves.
func parseForm(source string) (idForm, error) {
	if source == "uuid" || source == "integer" {
		return idForm{{kind: source}}, nil
	}
	var form idForm
	for rest := source; rest != ""; {
		before, after, found := strings.Cut(rest, "{")
		if before != "" {
			form = append(form, idPart{text: before})
		}
		if !found {
			break
		}
		inner, after, closed := strings.Cut(after, "}")
		if !closed {
			return nil, fmt.Errorf("a { is never closed")
		}
		kind, count, _ := strings.Cut(inner, ":")
		n, err := strconv.Atoi(count)
		switch {
		case kind == "uuid" && count == "":
		case alphabets[kind] == "":
			return nil, fmt.Errorf("{%s} is not known; write {base62:14}, {hex:24}, {digits:8}, {lower:20}, {upper:8} or {uuid}", inner)
		case err != nil || n < 1 || n > 128:
			return nil, fmt.Errorf("{%s} wants a length from 1 to 128, such as {%s:14}", inner, kind)
		}
		form, rest = append(form, idPart{kind: kind, count: n}), after
	}
	if !slices.ContainsFunc(form, func(p idPart) bool { return p.kind != "" }) {
		return nil, fmt.Errorf("nothing in it differs from id to id; add a draw such as {base62:14}")
	}
	return form, nil
}

// A minter gives the ids of a call. What it draws depends on the call's intent
// alone.
type minter struct {
	call *fakes.Call
}

// seedLength is how many characters are drawn for a seed.
const seedLength = 22

// bytes gives draws of this call, as many as are wanted.
func (m minter) bytes(n int) []byte { return bytesOf(m.call.NewID("", seedLength), n) }

// bytesOf gives the draws that one is good for.
func bytesOf(drawn string, n int) []byte {
	var out []byte
	for i := 0; len(out) < n; i++ {
		hex := chance.Hash(drawn, strconv.Itoa(i))
		for at := 0; at+2 <= len(hex); at += 2 {
			b, err := strconv.ParseUint(hex[at:at+2], 16, 8)
			if err != nil {
				panic(err) // chance.Hash gives hex
			}
			out = append(out, byte(b))
		}
	}
	return out[:n]
}

// seedOf gives the seed that a draw is good for.
func seedOf(drawn string) chance.Seed {
	var s chance.Seed
	for _, b := range bytesOf(drawn, 8) {
		s = s<<8 | chance.Seed(b)
	}
	return s
}

func (m minter) uuid() string {
	b := m.bytes(16)
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

// number gives a whole number from low to high.
func (m minter) number(low, high int64) int64 {
	var n uint64
	for _, b := range m.bytes(8) {
		n = n<<8 | uint64(b)
	}
	return low + int64(n%uint64(high-low+1))
}

// letters draws characters of an alphabet, and puts a prefix before them.
func (m minter) letters(prefix, kind string, n int) string {
	if kind == "base62" {
		return m.call.NewID(prefix, n)
	}
	alphabet := alphabets[kind]
	out := make([]byte, n)
	for i, b := range m.bytes(n) {
		out[i] = alphabet[int(b)%len(alphabet)]
	}
	if kind == "digits" && out[0] == '0' {
		out[0] = '1'
	}
	return prefix + string(out)
}

func (m minter) form(f idForm) any {
	var b strings.Builder
	for _, part := range f {
		switch part.kind {
		case "integer":
			return m.number(1, halfInts)
		case "":
			b.WriteString(part.text)
		case "uuid":
			b.WriteString(m.uuid())
		default:
			drawn := m.letters(b.String(), part.kind, part.count)
			b.Reset()
			b.WriteString(drawn)
		}
	}
	return b.String()
}

// mint gives an id for a member of a resource, in the form that its field has.
func (c *call) mint(r *resource) any {
	m := minter{c.Call}
	if r.rules.id != nil {
		return m.form(r.rules.id)
	}
	field := r.form.at(dotted(r.ID.Field))
	if field == nil && r.member == nil && c.plan.role.Keyed && c.plan.res == r {
		field = c.fake.library.at(c.plan.success(c.usual()...).schema(), pointer(c.plan.role.Key))
	}
	if field == nil {
		return c.mintAs(r, r.member)
	}
	id := c.mintAs(r, field)
	if c.nameable(r, id) {
		return id
	}
	if other, ok := c.fake.typedID(r, c.mintAs(r, r.member)); ok && c.nameable(r, other) {
		return other
	}
	return id
}

// nameable tells whether an id can stand in the path.
func (c *call) nameable(r *resource, id any) bool {
	if r.member == nil || c.fake.library.Fits(r.member, id, sample.Request) {
		return true
	}
	bent, ok := bend(r.member, id)
	return ok && c.fake.library.Fits(r.member, bent, sample.Request)
}

// mintAs gives an id in the form that one schema has.
func (c *call) mintAs(r *resource, field *schema.Schema) any {
	m := minter{c.Call}
	v := typed(field)
	kind := r.ID.Type
	if len(v.Types) > 0 && r.ID.Field != "" {
		kind = v.Types[0]
	}
	if kind == "integer" || kind == "number" {
		low, high := bounds(v, r.ID.Format)
		if r.half {
			high = max(low, min(high, halfInts))
		}
		return m.number(low, high)
	}
	if shown := typed(c.shownID(r)); slices.Contains(shown.Types, "integer") && v.Pattern == "" && v.Enum == nil {
		return cast.Plain(m.number(bounds(shown, shown.Format))) // a text here, a number in the reply
	}
	id := m.word(r, v, func() any { return c.source().value(field, "id") })
	if len(id) < shortID && strings.Trim(id, alphabets["digits"]) == "" && v.Enum == nil {
		return c.longer(field, id)
	}
	return id
}

// longer gives digits that a schema takes in place of a few, of which one may be
// another's, or a 0 that clients take for none.
func (c *call) longer(field *schema.Schema, id string) string {
	for _, n := range []int{18, 12, 9, shortID, 4, 2, 1} {
		if drawn := (minter{c.Call}).letters("", "digits", n); n >= len(id) && c.fake.library.Fits(field, drawn, sample.Reply) {
			return drawn
		}
	}
	return id
}

// shownID gives the schema of a new member's id as the reply has it.
func (c *call) shownID(r *resource) *schema.Schema {
	if c.plan == nil || c.plan.res != r || r.ID.Field == "" {
		return nil
	}
	return c.fake.library.at(c.plan.success(c.usual()...).schema(), slices.Concat(pointer(c.plan.role.Output.Path), dotted(r.ID.Field)))
}

// word mints an id that is a text.
func (m minter) word(r *resource, v *schema.View, made func() any) string {
	example := exampleOf(v)
	switch {
	case r.ID.Format == "uuid" || v.Format == "uuid" || v.Format == "guid":
		return m.uuid()
	case r.ID.Pattern != "" || v.Pattern != "" || v.Enum != nil || v.Format != "" && v.Format != "string" && v.Format != "id":
		if drawn, ok := made().(string); ok && drawn != "" {
			return drawn
		}
	case isUUID(example):
		return m.uuid()
	case len(example) >= 6 && !strings.ContainsAny(example, " \t\n{}<>"):
		return m.like(example, r.ID.Prefix)
	}
	n := usualID
	if v.MinLength != nil {
		n = max(n, *v.MinLength-len(r.ID.Prefix))
	}
	if v.MaxLength != nil {
		n = min(n, *v.MaxLength-len(r.ID.Prefix))
	}
	return m.call.NewID(r.ID.Prefix, max(n, 1))
}

// like gives a text of the same make as an example: its prefix and punctuation
// stay, its letters and digits are drawn anew.
func (m minter) like(example, prefix string) string {
	body, ok := strings.CutPrefix(example, prefix)
	if !ok {
		prefix, body = "", example
	}
	if at := strings.LastIndexAny(body, "_-:/."); prefix == "" && at > 0 && strings.Trim(body[:at], "0123456789") != "" && len(body)-at > 4 {
		prefix, body = body[:at+1], body[at+1:]
	}
	kind := "base62"
	switch {
	case strings.Trim(body, "0123456789-") == "":
		kind = "digits"
	case strings.Trim(body, "0123456789abcdef-") == "":
		kind = "hex"
	case strings.ToLower(body) == body:
		kind = "lower"
	case strings.ToUpper(body) == body:
		kind = "upper"
	}
	if len(body) < 6 { // too few to tell one from another
		return m.letters(prefix, kind, usualID)
	}
	if !strings.ContainsAny(body, punctuation) {
		return m.letters(prefix, kind, len(body))
	}
	drawn := []byte(m.letters("", kind, len(body)))
	for i := range drawn {
		if strings.IndexByte(punctuation, body[i]) >= 0 {
			drawn[i] = body[i]
		}
	}
	return prefix + string(drawn)
}

func exampleOf(v *schema.View) string {
	if v.Example == nil {
		return ""
	}
	return v.Example.Text()
}

func isUUID(s string) bool {
	if len(s) != 36 || strings.Count(s, "-") != 4 {
		return false
	}
	return strings.Trim(s, "0123456789abcdefABCDEF-") == ""
}

// bounds gives the least and the greatest number that an id may be.
func bounds(v *schema.View, format string) (low, high int64) {
	low, high = 1, halfInts
	if format == "int64" || v.Format == "int64" {
		high = fullInts
	}
	if v.Low != nil {
		low = max(low, int64(min(*v.Low, fullInts)))
	}
	if v.Above != nil {
		low = max(low, int64(min(*v.Above, fullInts))+1)
	}
	if v.High != nil {
		high = min(high, int64(max(*v.High, -fullInts)))
	}
	if v.Below != nil {
		high = min(high, int64(max(*v.Below, -fullInts))-1)
	}
	if high < low {
		low, high = min(low, high), max(low, high)
	}
	return low, high
}

// numberOf reads a number; nil for none.
func numberOf(words string) any {
	if n, err := strconv.ParseInt(words, 10, 64); err == nil {
		return n
	}
	if f, err := strconv.ParseFloat(words, 64); err == nil && !math.IsInf(f, 0) && !math.IsNaN(f) {
		return f
	}
	return nil
}
