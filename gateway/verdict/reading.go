package verdict

import (
	"slices"
	"strings"

	"parity/specs/words"
)

// reading is what a call says: the words by which others could name what it is
// about, and what it has to say to people. It is made once for each call that
// somebody asks about.
//
//	POST /v1/refunds {"charge": "ch_1a2b", "reason": "sent twice"}
//	    marks  ch_1a2b        nouns  refund        prose  "sent twice"
type reading struct {
	marks  map[string]bool // of what it sends: ids, addresses, numbers that name something
	shown  map[string]bool // of what it was answered, whether or not all of it arrived
	nouns  []string        // of what its path is about, as one: ticket, customer
	prose  string          // what people read in it, in lower case
	texts  string          // all that it sends as text, likewise
	quotes []string        // of what it was answered, see call.quotes; nil: nobody has asked
	warns  answer          // whether it tells people of trouble
	done   answer          // whether it tells people that something was done
}

// answer is what is known of a question that is answered once.
type answer int

const (
	unasked answer = iota
	no
	yes
)

// ask answers a question once.
func (a *answer) ask(question func() bool) bool {
	if *a == unasked {
		*a = no
		if question() {
			*a = yes
		}
	}
	return *a == yes
}

// mostMarks bounds the words that are kept of one text.
const mostMarks = 400

func (c *call) read() *reading {
	if c.reading != nil {
		return c.reading
	}
	r := &reading{nouns: nouns(c.x.Operation, c.x.Path)}
	r.marks = marksIn(nil, c.x.Path, c.x.Query, string(c.x.Body))
	r.shown = marksIn(nil, string(c.x.ReplyBody), string(c.x.FakeBody))
	if !c.reads() {
		if body := fieldsOf(c); body != nil {
			var all, prose []string
			spoken("", body, &all, &prose)
			r.texts, r.prose = strings.ToLower(strings.Join(all, "\n")), strings.ToLower(strings.Join(prose, "\n"))
		}
	}
	c.reading = r
	return r
}

// marksIn adds to a set the words of texts that name something.
func marksIn(set map[string]bool, texts ...string) map[string]bool {
	if set == nil {
		set = map[string]bool{}
	}
	for _, text := range texts {
		const most = 256 << 10
		text = readable(text[:min(len(text), most)])
		eachWord(text, func(word string, _, _ int) {
			if len(set) < mostMarks && marking(word) {
				set[strings.ToLower(word)] = true
			}
		})
	}
	return set
}

// marking tells a word that names one thing: an id, an address. A date, a year
// or a small number is on too many things to name one.
func marking(word string) bool {
	if len(word) < 4 {
		return false
	}
	digits, letters, at := 0, 0, false
	for i := range len(word) {
		switch c := word[i]; {
		case c >= '0' && c <= '9':
			digits++
		case c == '@':
			at = true
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= 0x80:
			letters++
		}
	}
	switch {
	case at:
		return true
	case letters == 0:
		return digits >= 6 && !strings.HasPrefix(word, "20")
	case digits > 0:
		return !dated(word)
	}
	return false
}

// dated tells a time as it stands in JSON: 2026-03-02T13.
func dated(word string) bool {
	return len(word) >= 10 && word[4] == '-' && word[7] == '-' && word[:2] == "20"
}

// nouns are what an operation is about: the parts of its path that are words, as
// one each, and what the call puts for a part that is a type. What only says how a
// service is built names nothing.
func nouns(operation, path string) []string {
	_, template, _ := strings.Cut(operation, " ")
	if template == "" {
		template = path
	}
	actual := strings.Split(path, "/")
	parts := strings.Split(template, "/")
	for i, part := range parts {
		if isType(part) && i < len(actual) {
			parts[i] = actual[i]
		}
	}
	var all []string
	for part := range strings.FieldsFuncSeq(strings.Join(parts, "/"), func(r rune) bool { return r == '/' || r == '.' || r == ':' || r == '_' }) {
		part = strings.ToLower(part)
		if len(part) < 3 || strings.ContainsAny(part, "0123456789{}%@$") {
			continue
		}
		switch part {
		case "api", "rest", "crm", "objects", "json", "search", "query", "list", "batch", "read", "create", "update", "upsert", "history",
			"get", "post", "all", "info", "repos", "calendars", "primary", "chat", "send", "delete", "archive", "data", "show", "many":
			continue
		}
		all = append(all, words.Singular(part))
	}
	return all
}

// spoken collects the texts of a body, and those of them that are written for
// people: in fields that hold prose, or of several words.
func spoken(field string, value any, all, prose *[]string) {
	switch x := value.(type) {
	case map[string]any:
		for _, name := range sorted(x) {
			spoken(name, x[name], all, prose)
		}
	case []any:
		for _, inner := range x {
			spoken(field, inner, all, prose)
		}
	case string:
		const most = 8 << 10
		x = x[:min(len(x), most)]
		if hasWord(field, "tag", "tags", "label", "labels") {
			return
		}
		*all = append(*all, x)
		if strings.Count(strings.TrimSpace(x), " ") >= 1 && !strings.HasPrefix(x, "http") || forPeople(field) && x != "" {
			*prose = append(*prose, x)
		}
	}
}

func sorted(m map[string]any) []string {
	names := make([]string, 0, len(m))
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// forPeople tells a field whose text people read.
// A table of English, not of any one service.
func forPeople(field string) bool {
	return wordy(field) || hasWord(field, "text", "body", "subject", "title", "message", "content", "summary", "html", "plain", "markdown")
}

// about tells whether a call is about what another one asked for or was
// answered: it names one of the same things, or speaks of the same kind of thing.
func (c *call) about(other *call) bool {
	mine, its := c.read(), other.read()
	if c.x.Service == other.x.Service && single(other) && (c.x.Path == other.x.Path || strings.HasPrefix(c.x.Path, other.x.Path+"/")) {
		return true
	}
	if meet(mine.marks, its.marks) || meet(mine.marks, its.shown) {
		return true
	}
	if single(other) {
		return false // another one of the kind is another
	}
	return c.x.Service == other.x.Service && slices.ContainsFunc(mine.nouns, func(n string) bool { return slices.Contains(its.nouns, n) }) ||
		slices.ContainsFunc(its.nouns, func(n string) bool { return mentions(mine.prose, n) })
}

// meet tells whether two sets have a word in common.
func meet(a, b map[string]bool) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	for word := range a {
		if b[word] {
			return true
		}
	}
	return false
}

// mentions tells whether a text speaks of a kind of thing, of one or of many.
func mentions(text, noun string) bool {
	for i := strings.Index(text, noun); i >= 0; {
		if i == 0 || !inWord(text[i-1]) {
			return true
		}
		next := strings.Index(text[i+1:], noun)
		if next < 0 {
			return false
		}
		i += 1 + next
	}
	return false
}

// sameMatter tells whether a read asks for what another call was for: the same
// list, or the same record by whichever way.
func (c *call) sameMatter(other *call) bool {
	if c.x.Service != other.x.Service {
		return false
	}
	if strings.TrimSuffix(c.x.Path, ".json") == strings.TrimSuffix(other.x.Path, ".json") {
		return true
	}
	if c.name() == other.name() {
		return false
	}
	mine, its := c.read(), other.read()
	if single(other) {
		return meet(mine.marks, namesIn(other.x.Path)) || meet(mine.shown, namesIn(other.x.Path))
	}
	if n := lastNoun(other); n != "" && slices.Contains(mine.nouns, n) {
		return true
	}
	return meet(mine.marks, its.marks) || meet(mine.shown, its.marks) || meet(mine.shown, its.shown)
}

// lastNoun is what a path is about in the end; "": nothing that is a word.
func lastNoun(c *call) string {
	nouns := c.read().nouns
	if len(nouns) == 0 {
		return ""
	}
	return nouns[len(nouns)-1]
}

// single tells a call that is about one record: its path ends with what names it.
func single(c *call) bool { return strings.HasSuffix(strings.TrimSuffix(c.x.Operation, ".json"), "}") }

// namesIn are the parts of a path that name one thing.
func namesIn(path string) map[string]bool {
	set := map[string]bool{}
	parts := strings.Split(path, "/")
	last := strings.ToLower(strings.TrimSuffix(parts[len(parts)-1], ".json"))
	if last != "" {
		set[last] = true
	}
	return set
}

// likenessOf is how much of what one text says another says as well: the share of
// the shorter one's words, 0 to 1.
func likenessOf(a, b string) float64 {
	x, y := wordsOf(a), wordsOf(b)
	if len(x) > len(y) {
		x, y = y, x
	}
	if len(x) < 2 {
		return 0
	}
	n := 0
	for word := range x {
		if y[word] {
			n++
		}
	}
	return float64(n) / float64(len(x))
}

func wordsOf(text string) map[string]bool {
	set := map[string]bool{}
	eachWord(strings.ToLower(text), func(word string, _, _ int) {
		if len(word) > 2 {
			set[word] = true
		}
	})
	return set
}
