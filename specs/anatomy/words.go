package anatomy

import (
	"strings"
	"unicode"

	"parity/specs/words"
)

// canon makes names comparable that are written in different styles: petId,
// pet_id and Pet-ID are petid.
func canon(name string) string {
	plain := true
	for i := range len(name) {
		if c := name[i]; (c < 'a' || c > 'z') && (c < '0' || c > '9') {
			plain = false
			break
		}
	}
	if plain {
		return name
	}
	out := make([]byte, 0, len(name))
	for i := range len(name) {
		switch c := name[i]; {
		case c >= 'A' && c <= 'Z':
			out = append(out, c+'a'-'A')
		case c >= 'a' && c <= 'z', c >= '0' && c <= '9', c >= 0x80:
			out = append(out, c)
		}
	}
	return string(out)
}

func split(name string) []string { return words.Split(name) }

// singular gives the word for one of several, in canonical writing.
func singular(word string) string {
	word = canon(word)
	switch {
	case len(word) < 4:
		return word
	case irregular[word] != "":
		return irregular[word]
	case strings.HasSuffix(word, "ies") && len(word) > 4:
		return word[:len(word)-3] + "y"
	case strings.HasSuffix(word, "sses"), strings.HasSuffix(word, "xes"), strings.HasSuffix(word, "ches"),
		strings.HasSuffix(word, "shes"), strings.HasSuffix(word, "zes"):
		return word[:len(word)-2]
	case strings.HasSuffix(word, "ss"), strings.HasSuffix(word, "us"), strings.HasSuffix(word, "is"), strings.HasSuffix(word, "news"):
		return word
	case strings.HasSuffix(word, "s"):
		return word[:len(word)-1]
	}
	return word
}

// plural tells whether a word speaks of several.
func plural(word string) bool { return singular(word) != canon(word) }

var irregular = map[string]string{
	"people": "person", "children": "child", "men": "man", "women": "woman", "mice": "mouse", "data": "datum", "media": "medium",
	"indices": "index", "vertices": "vertex", "matrices": "matrix", "criteria": "criterion", "statuses": "status", "addresses": "address",
	"aliases": "alias", "buses": "bus", "analyses": "analysis", "bases": "base", "series": "series", "databases": "database",
	"caches": "cache", "movies": "movie", "cookies": "cookie", "ties": "tie", "zombies": "zombie", "axes": "axis", "leaves": "leaf",
	"knives": "knife", "lives": "life", "shelves": "shelf", "halves": "half", "niches": "niche", "warehouses": "warehouse",
	"cases": "case", "phases": "phase", "releases": "release", "licenses": "license", "expenses": "expense", "responses": "response",
	"houses": "house", "courses": "course", "purchases": "purchase", "leases": "lease", "clauses": "clause", "sizes": "size",
}

// identifier writes a segment of a path as the name of a resource.
func identifier(segment string) string {
	var b strings.Builder
	for _, r := range segment {
		switch {
		case unicode.IsLetter(r), unicode.IsDigit(r):
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "_"):
			b.WriteByte('_')
		}
	}
	name := strings.TrimRight(b.String(), "_")
	if name == "" || unicode.IsDigit([]rune(name)[0]) {
		return "r" + name
	}
	return name
}

// verbs are words in paths that say what is done, and mean nothing else. They
// count before parameters too: /contacts/get/{id}.
var verbs = map[string]Kind{
	"list": List, "listall": List, "getall": List, "index": List, "getlist": List,
	"get": Read, "retrieve": Read, "fetch": Read, "describe": Read, "read": Read, "view": Read, "getbyid": Read,
	"create": Create, "insert": Create, "new": Create,
	"update": Update, "edit": Update, "modify": Update, "updatebyid": Update,
	"upsert": Upsert, "createorupdate": Upsert, "replace": Replace,
	"delete": Delete, "destroy": Delete, "del": Delete, "deletebyid": Delete,
}

// tails are words that say what is done where a path ends with them.
var tails = map[string]Kind{
	"all": List, "info": Read, "show": Read, "detail": Read, "details": Read, "load": Read,
	"add": Create, "register": Create,
	"set": Update, "save": Upsert, "store": Upsert, "put": Replace, "patch": Update,
	"remove": Delete,
	"search": Search, "find": Search, "query": Search, "filter": Search, "lookup": Search,
	"count": Count, "total": Count,
}

// heads are the verbs that names of procedures begin with: getContacts.
var heads = map[string]Kind{
	"list": List, "get": Read, "retrieve": Read, "fetch": Read, "describe": Read, "read": Read, "show": Read,
	"create": Create, "insert": Create, "add": Create, "new": Create, "post": Create, "register": Create,
	"update": Update, "edit": Update, "modify": Update, "set": Update, "patch": Update, "change": Update,
	"upsert": Upsert, "put": Replace, "replace": Replace, "save": Upsert,
	"delete": Delete, "remove": Delete, "destroy": Delete, "deregister": Delete,
	"search": Search, "find": Search, "query": Search, "count": Count,
}

// selves are names of things of which there is one.
var selves = set("me", "self", "myself", "current", "profile", "account", "settings", "setting", "config", "configuration", "preferences",
	"preference", "status", "info", "whoami", "currentuser", "userinfo", "health", "version", "options")

func set(words ...string) map[string]bool {
	made := make(map[string]bool, len(words))
	for _, word := range words {
		made[word] = true
	}
	return made
}
