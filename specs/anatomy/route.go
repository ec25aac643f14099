package anatomy

import "strings"

// A step is one part of a path that a place hangs on: a word, or what a
// parameter stands for.
type step struct {
	word  string
	param string
}

// A route is a path taken apart: the place that it leads to, and the word that
// says what is done there.
//
//	/v1/contacts/{id}.json      contacts, {id}
//	/contacts/update/{id}       contacts, {id}    update
//	/contacts/{id}:cancel       contacts, {id}    cancel
//	/Contacts(Id='{id}')        Contacts, {id}
//	/conversations.list         conversations     list
type route struct {
	steps []step
	verb  string // as written; "" for none
	kind  Kind   // of verb; "" where it is not known
	rpc   bool   // the path names a procedure
}

// routeOf takes a path apart. deeper tells whether other paths go on from one.
func (in *inference) routeOf(path string) route {
	var r route
	path, fragment, _ := strings.Cut(path, "#")
	path, query, _ := strings.Cut(path, "?")
	segments := segmentsOf(path)
	for i, segment := range segments {
		r.segment(segment, i == len(segments)-1)
	}
	switch {
	case fragment != "":
		r.fragment(fragment)
	case strings.HasPrefix(query, "Action="):
		r.fragment(query)
	default:
		r.strip(in.deeper[strings.TrimSuffix(path, "/")], in.methods[bare(path)])
	}
	return r
}

// segmentsOf splits at slashes that are in no braces.
func segmentsOf(path string) []string {
	var all []string
	depth, begin := 0, 0
	for i := 0; i <= len(path); i++ {
		switch {
		case i == len(path) || path[i] == '/' && depth == 0:
			if i > begin {
				all = append(all, path[begin:i])
			}
			begin = i + 1
		case path[i] == '{':
			depth++
		case path[i] == '}' && depth > 0:
			depth--
		}
	}
	return all
}

func (r *route) segment(segment string, last bool) {
	open := strings.IndexByte(segment, '{')
	if open < 0 {
		r.literal(segment, last)
		return
	}
	if i := strings.IndexByte(segment, '('); i > 0 && i < open { // OData
		r.steps = append(r.steps, step{word: segment[:i]})
	}
	rest, tail := segment, ""
	for {
		before, after, ok := strings.Cut(rest, "{")
		name, next, closed := strings.Cut(after, "}")
		if !ok || !closed {
			tail = rest
			break
		}
		name, _, _ = strings.Cut(strings.TrimSuffix(strings.TrimPrefix(name, "+"), "*"), "=")
		if before != "." || !formats[canon(name)] { // {id}.{format}
			r.steps = append(r.steps, step{param: name})
		}
		rest = next
	}
	if verb, ok := strings.CutPrefix(tail, ":"); ok && last {
		r.verb, r.kind = verb, kindOfVerb(verb)
	}
}

func (r *route) literal(segment string, last bool) {
	if !last {
		r.steps = append(r.steps, step{word: segment})
		return
	}
	if noun, verb, ok := strings.Cut(segment, ":"); ok && verb != "" {
		if noun != "" {
			r.steps = append(r.steps, step{word: noun})
		}
		r.verb, r.kind = verb, kindOfVerb(verb)
		return
	}
	if i := strings.LastIndexByte(segment, '.'); i > 0 && i < len(segment)-1 {
		noun, tail := segment[:i], segment[i+1:]
		switch tail {
		case "json", "xml", "php", "aspx", "html", "do", "csv", "txt", "jsp", "ashx", "cgi", "yaml":
			segment = noun
		default:
			if strings.IndexFunc(tail, digit) < 0 && strings.IndexFunc(noun, digit) != 0 && tail[0] >= 'a' && tail[0] <= 'z' {
				r.steps = append(r.steps, step{word: noun})
				r.verb, r.kind, r.rpc = tail, kindOfVerb(tail), true
				return
			}
		}
	}
	r.steps = append(r.steps, step{word: segment})
}

var formats = set("format", "ext", "extension", "mediatype", "mediatypeextension", "responseformat")

func digit(r rune) bool { return r >= '0' && r <= '9' }

// fragment reads the name of a procedure that stands behind # or in the query.
func (r *route) fragment(text string) {
	text = text[strings.LastIndexAny(text, "=.")+1:]
	r.rpc = true
	if noun, verb, ok := compound(text); ok {
		r.steps = append(r.steps, step{word: noun})
		r.verb, r.kind = verb, kindOfVerb(verb)
		return
	}
	r.steps = append(r.steps, step{word: text})
}

// compound takes getContacts apart.
func compound(name string) (noun, verb string, ok bool) {
	words := split(name)
	if len(words) < 2 || heads[words[0]] == "" {
		return "", "", false
	}
	switch words[1] {
	case "by", "with", "for", "all", "or", "and", "from", "to", "is":
		return "", "", false
	}
	noun = strings.TrimLeft(name[len(words[0]):], "-_")
	return noun, words[0], noun != ""
}

func kindOfVerb(verb string) Kind {
	word := canon(verb)
	if kind, ok := verbs[word]; ok {
		return kind
	}
	if kind, ok := tails[word]; ok {
		return kind
	}
	return heads[word]
}

// strip takes the verb out of the steps: the last word, or the last before
// trailing parameters, where another word stands before it.
func (r *route) strip(deeper bool, methods string) {
	if r.verb != "" {
		return
	}
	at := len(r.steps) - 1
	for at >= 0 && r.steps[at].word == "" {
		at--
	}
	if at < 0 {
		return
	}
	word := r.steps[at].word
	name := canon(word)
	trailing := at < len(r.steps)-1
	if at > 0 && r.noun(at) {
		kind, ok := verbs[name]
		if !ok && !trailing && !deeper {
			kind, ok = tails[name]
			if words := split(word); !ok && len(words) > 2 && words[1] == "by" && heads[words[0]] != "" {
				kind, ok = Search, true // findByStatus
			}
		}
		if ok {
			r.verb, r.kind = word, kind
			r.steps = append(r.steps[:at:at], r.steps[at+1:]...)
			return
		}
	}
	noun, verb, ok := compound(word)
	if !ok || deeper && !trailing && len(methods) > 4 || !agree(heads[verb], methods) || at > 0 && r.steps[at-1].word == "" {
		return
	}
	r.verb, r.kind, r.rpc = verb, heads[verb], true
	if at > 0 && singular(r.steps[at-1].word) == singular(noun) { // /contacts/createContact
		r.steps = append(r.steps[:at:at], r.steps[at+1:]...)
		return
	}
	r.steps[at].word = noun
}

// bare cuts parameters off the end of a path.
func bare(path string) string {
	for {
		path = strings.TrimSuffix(path, "/")
		i := strings.LastIndexByte(path, '/')
		if i < 0 || !strings.HasPrefix(path[i+1:], "{") {
			return path
		}
		path = path[:i]
	}
}

// agree tells whether a verb in a path may be meant by the methods there.
func agree(kind Kind, methods string) bool {
	for method := range strings.FieldsSeq(methods) {
		ok := method == "POST" || method == "OPTIONS"
		switch kind {
		case List, Read, Search, Count:
			ok = ok || method == "GET" || method == "HEAD"
		case Delete:
			ok = ok || method == "DELETE"
		default:
			ok = ok || method == "PUT" || method == "PATCH"
		}
		if !ok {
			return false
		}
	}
	return true
}

// noun tells whether a word before i is more than a prefix such as /api/v1.
func (r *route) noun(i int) bool {
	for _, s := range r.steps[:i] {
		if s.word != "" && !prefix(s.word) {
			return true
		}
	}
	return false
}

// prefix tells whether a word is no thing but a part of the address.
func prefix(word string) bool {
	switch w := canon(word); w {
	case "api", "rest", "services", "service", "public", "rpc", "ws", "odata", "latest", "beta", "alpha":
		return true
	default:
		return len(w) > 1 && w[0] == 'v' && digit(rune(w[1])) || w != "" && digit(rune(w[0]))
	}
}
