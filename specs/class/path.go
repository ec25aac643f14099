package class

import (
	"slices"
	"strings"

	"parity/specs/words"
)

// A path is the words of a path template, segment by segment, without those that
// are parameters.
type path []segment

// A segment is its words in lower case, each for one of several: webhookEndpoints
// is webhook endpoint.
type segment struct {
	words []string
	many  bool // it is written as several: hooks
}

// read takes a path template apart. What stands in for a path with procedures is
// apart too: files.sharedPublicURL, calendars:watch, ?Action=CreateAccessKey.
func read(template string) path {
	var all path
	for _, part := range strings.FieldsFunc(template, func(r rune) bool { return strings.ContainsRune("/.:?#=&", r) }) {
		if strings.ContainsAny(part, "{}") || part == "json" || part == "xml" { // the latter stand behind a point
			continue
		}
		s := segment{words: words.Split(part)}
		for i, word := range s.words {
			s.words[i] = one(word)
			s.many = s.words[i] != word
		}
		if len(s.words) > 0 {
			all = append(all, s)
		}
	}
	return all
}

// one gives the word for one of several, nearly: it is only compared.
func one(word string) string {
	switch {
	case strings.HasSuffix(word, "ss"), strings.HasSuffix(word, "us"), len(word) < 4:
		return word
	case strings.HasSuffix(word, "ies"):
		return strings.TrimSuffix(word, "ies") + "y"
	default:
		return strings.TrimSuffix(word, "s")
	}
}

// says gives the first of the terms that a segment has: anywhere in it, or where
// it says what the segment is of, at its end. A term may be of several words.
func (s segment) says(terms []string, anywhere bool) string {
	text := " " + strings.Join(s.words, " ") + " "
	for _, term := range terms {
		if anywhere && strings.Contains(text, " "+term+" ") || strings.HasSuffix(text, " "+term+" ") {
			return term
		}
	}
	return ""
}

func (s segment) last() string { return s.words[len(s.words)-1] }

func (s segment) is(word string) bool { return len(s.words) == 1 && s.words[0] == word }

// resource gives the segments that say what an operation works on: the last one,
// and the one before, where the last is what is done to it.
func (p path) resource() path {
	if n := len(p); n > 1 && !p[n-1].many {
		return p[n-2:]
	}
	return p[max(len(p)-1, 0):]
}

// graph tells whether a path is where GraphQL is asked, with a version behind it
// or not.
func (p path) graph() bool {
	n := len(p)
	if n > 1 && p[n-1].version() {
		n--
	}
	return n > 0 && p[n-1].says([]string{"graphql", "graph ql", "gql"}, false) != ""
}

// version tells whether a segment is one: v2.
func (s segment) version() bool {
	digits, ok := strings.CutPrefix(s.words[0], "v")
	return ok && len(s.words) == 1 && strings.Trim(digits, "0123456789") == ""
}

// signsIn gives the words by which a path is where somebody signs in.
func (p path) signsIn() string {
	n := len(p)
	if n == 0 || p[n-1].says([]string{"token"}, false) == "" || len(p[n-1].words) > 2 {
		return ""
	}
	if slices.ContainsFunc(p, func(s segment) bool { return s.says([]string{"oauth", "oauth2", "openid connect"}, true) != "" }) {
		return "oauth token"
	}
	return ""
}

// governs gives the word by which a path is of who may do what, or of where data
// goes; "" where it is of neither.
func (p path) governs() string {
	for i, s := range p {
		if s.says(harmless(), true) != "" || i+1 < len(p) && s.is("admin") && p[i+1].is("api") { // all of such an API is below that
			continue
		}
		if word := s.says(governing(), true); word != "" {
			return word
		}
		if word := s.says(governingAtEnd(), false); word != "" {
			return word
		}
		if slices.ContainsFunc(own(), s.is) && !s.many && i+1 < len(p) {
			return s.words[0]
		}
	}
	for _, s := range p.resource() {
		if s.says(harmless(), true) != "" {
			continue
		}
		if word := s.says(governingResource(), false); word != "" {
			return word
		}
		if word := s.says(governingOne(), false); word != "" && !s.many {
			return word
		}
	}
	return p.mates()
}

// mates gives the words by which a path is of who belongs to what.
func (p path) mates() string {
	for i := max(len(p)-2, 1); i < len(p); i++ {
		circles := mates()[p[i].last()]
		if in := p[i-1].says(circles, false); in != "" && p[i].many {
			return in + " " + p[i].last()
		}
	}
	return ""
}

// ends gives the word by which what a path does cannot be taken back.
func (p path) ends() string {
	if len(p) == 0 {
		return ""
	}
	last := p[len(p)-1]
	if slices.Contains(final(), last.words[0]) {
		return last.words[0]
	}
	if word := last.says(final(), false); word != "" && !last.many {
		return word
	}
	return ""
}

// drafts gives the word by which a path is of what is not real yet; "" where it
// is of what is, or makes it so.
func (p path) drafts() string {
	resource := p.resource()
	if len(resource) == 0 || slices.ContainsFunc(resource, func(s segment) bool { return slices.Contains(s.words, "from") }) {
		return "" // of nothing, or made of a draft
	}
	last := resource[len(resource)-1]
	if word := last.drafts(); word != "" {
		return word
	}
	if len(resource) > 1 && last.says(editing(), false) != "" {
		return resource[0].drafts()
	}
	return ""
}

func (s segment) drafts() string {
	if word := s.says(drafting(), false); word != "" {
		return word
	}
	if len(s.words) > 1 && slices.Contains(draftingFirst(), s.words[0]) {
		return s.words[0]
	}
	return ""
}
