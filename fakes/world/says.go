package world

import (
	"bytes"
	"unicode/utf8"
)

// Says tells whether a word, in small letters, may be in a text of the record as
// strings.ToLower gives it. Where it is false, none has it, and the record need
// not be decoded to be passed over.
func (r *Record) Says(word string) bool {
	for i := range len(word) {
		if c := word[i]; c < ' ' || c == '"' || c == '\\' || c >= utf8.RuneSelf {
			return true // JSON may write it in another way, or it may have more than two forms
		}
	}
	if r.own == nil || r.held != nil {
		return true
	}
	for _, letter := range []string{"\u0130", "\u212a"} { // whose small letters are i and k
		if bytes.Contains(r.own, []byte(letter)) {
			return true
		}
	}
	return containsFold(r.own, word)
}

// containsFold tells whether a word is in a text, whatever the case of the
// text's letters.
func containsFold(text []byte, word string) bool {
	if word == "" {
		return true
	}
	for at := 0; at+len(word) <= len(text); at++ {
		if small(text[at]) != word[0] {
			continue
		}
		n := 1
		for n < len(word) && small(text[at+n]) == word[n] {
			n++
		}
		if n == len(word) {
			return true
		}
	}
	return false
}

func small(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		c += 'a' - 'A'
	}
	return c
}
