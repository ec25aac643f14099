package verdict

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"parity/fakes/world"
)

// What an agent passes on is not what it says. The title of an issue may speak of
// trouble:
//
//	#3 issues ▶ "Checkout fails with a coupon"     #14 note "Reported #4: Checkout fails with a coupon"

// mostSearched bounds the answers in which a text is looked for.
const mostSearched = 64

// ownWords are the texts of a call, and what of them people read, without what good
// answers had shown before it.
func (j *judge) ownWords(c *call) (texts, prose string) {
	texts, prose = c.read().texts, c.read().prose
	read := 0
	earlier := j.before(c)
	for i := len(earlier) - 1; i >= 0 && read < mostSearched; i-- {
		r := earlier[i]
		if !whole(r) || len(r.x.ReplyBody) > 256<<10 {
			continue
		}
		read++
		for _, quote := range r.quotes() {
			texts, prose = strings.ReplaceAll(texts, quote, ""), strings.ReplaceAll(prose, quote, "")
		}
	}
	return texts, prose
}

// quotes are what an answer has of several words, in lower case: longer ones first,
// which may have shorter ones in them.
func (c *call) quotes() []string {
	r := c.read()
	if r.quotes == nil {
		r.quotes = []string{}                                                                                  // it may be that there are none
		if reply, err := world.Decode(slices.Concat([]byte(`{"":`), c.x.ReplyBody, []byte("}"))); err == nil { // it may be a list
			r.quotes = quotesIn(reply, r.quotes)
			slices.SortFunc(r.quotes, func(a, b string) int { return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a, b)) })
		}
	}
	return r.quotes
}

func quotesIn(value any, out []string) []string {
	switch x := value.(type) {
	case map[string]any:
		for _, inner := range x {
			out = quotesIn(inner, out)
		}
	case []any:
		for _, inner := range x {
			out = quotesIn(inner, out)
		}
	case string:
		if quote := strings.ToLower(strings.TrimSpace(x)); strings.Contains(quote, " ") {
			out = append(out, quote)
		}
	}
	return out
}

// ofAnother tells a message that speaks of another record than a call is about, and
// does not say what kind of thing that call was for.
func (j *judge) ofAnother(message, c *call) bool {
	kind := lastNoun(c)
	return j.namesOthers(message, c) && (kind == "" || !mentions(message.read().prose, kind))
}

// namesOthers tells a message that names records, none of them that of a call: all
// that it names good answers had shown, or it has the number that an answer gave to
// what the agent made itself.
func (j *judge) namesOthers(message, c *call) bool {
	prose := message.read().prose
	names := marksIn(nil, prose)
	if meet(names, c.read().marks) || meet(names, c.read().shown) {
		return false
	}
	for _, n := range numbers().FindAllStringSubmatch(prose, mostSearched) {
		if slices.Contains(segments(c.x.Path), n[1]) {
			return false
		}
		names["#"+n[1]] = true
	}
	if len(names) == 0 {
		return false
	}
	read := 0
	earlier := j.before(message)
	for i := len(earlier) - 1; i >= 0 && read < mostSearched && len(names) > 0; i-- {
		r := earlier[i]
		if !r.arrived() || r.x.Status/100 != 2 || r.intent() == c.intent() || struckAtAll(r) {
			continue
		}
		read++
		maps.DeleteFunc(names, func(name string, _ bool) bool {
			number, numbered := strings.CutPrefix(name, "#")
			return r.read().shown[name] || numbered && r.changedThings() && gave(r, number)
		})
	}
	return len(names) == 0
}

// numbers are those by which people name things: #17.
var numbers = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`#(\d{1,9})\b`) })

// gave tells whether an answer has a number, as that of what was made.
func gave(c *call, number string) bool {
	reply, err := world.Decode(c.x.ReplyBody)
	if err != nil {
		return false
	}
	for _, name := range []string{"number", "id", "iid"} {
		if v := reply[name]; v != nil && fmt.Sprint(v) == number {
			return true
		}
	}
	return false
}

// speaksOf tells whether what a call says to people is about another call: it names
// what that was about, or the kind of thing.
func speaksOf(n, c *call) bool {
	names := marksIn(nil, n.read().prose)
	return meet(names, c.read().marks) || meet(names, c.read().shown) || mentionsAny(n.read().prose, c.read().nouns)
}
