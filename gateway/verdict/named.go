package verdict

import (
	"bytes"
	"strings"

	"parity/fakes/world"
)

// showsName tells whether a reply names a record that goes by a name within another,
// such as a branch of a repository, whose id no reply has: as a whole word, in
// JSON or in any other form. One that was changed is shown by its name and what it
// points to by then.
func showsName(body []byte, t touched) bool {
	name := nameWithin(t)
	if name == "" || !standsIn(body, name) || t.Op == world.Delete {
		return false
	}
	if t.Op == world.Create {
		return true
	}
	was, is := flat(t.before), flat(t.value)
	for field, value := range is {
		text, ok := value.(string)
		if ok && len(text) >= leastPointer && !same(was[field], value) && standsIn(body, text) {
			return true
		}
	}
	return false
}

// leastPointer is how long a text is that points to something: a digest, a UUID.
const leastPointer = 20

// nameWithin is the part of a record's id that one of its fields holds, behind the
// last colon; "" where there is none.
func nameWithin(t touched) string {
	at := strings.LastIndexByte(t.ID, ':')
	if at < 0 {
		return ""
	}
	name := t.ID[at+1:]
	for _, value := range t.value {
		if value == name {
			return name
		}
	}
	return ""
}

// standsIn tells whether a text has a word that no letter of a longer one stands
// beside.
func standsIn(body []byte, word string) bool {
	for rest := body; ; {
		at := bytes.Index(rest, []byte(word))
		if at < 0 {
			return false
		}
		end := at + len(word)
		if (at == 0 || !wordly(rest[at-1])) && (end == len(rest) || !wordly(rest[end])) {
			return true
		}
		rest = rest[end:]
	}
}

func wordly(b byte) bool {
	return b == '-' || b == '_' || b == '/' || b == '.' || '0' <= b && b <= '9' || 'a' <= b|0x20 && b|0x20 <= 'z'
}
