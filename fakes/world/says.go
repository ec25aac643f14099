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
	if !r.apart() {
		return true
	}
	d := decoders.Get().(*decoder)
	defer d.release()
	text := r.whole(&d.buffer)
	for _, letter := range []string{"\u0130", "\u212a"} { // whose small letters are i and k
		if bytes.Contains(text, []byte(letter)) {
			return true
		}
	}
	return containsFold(text, word)
}

// containsFold tells whether a word, in small letters, is in a text, whatever
// the case of the text's letters. It looks for one byte of the word first: the
// last that is no letter, as it has one form, or else the last.
func containsFold(text []byte, word string) bool {
	if word == "" {
		return true
	}
	key := len(word) - 1
	for i := range len(word) {
		if c := word[i]; c < 'a' || c > 'z' {
			key = i
		}
	}
	one := word[key]
	other := one
	if one >= 'a' && one <= 'z' {
		other = one - 'a' + 'A'
	} else if bytes.IndexByte(text, one) < 0 {
		return false
	}
	for at := key; at < len(text); at++ {
		if c := text[at]; (c == one || c == other) && foldedAt(text, at-key, word) {
			return true
		}
	}
	return false
}

// foldedAt tells whether a word stands at a place of a text.
func foldedAt(text []byte, at int, word string) bool {
	if at+len(word) > len(text) {
		return false
	}
	for i := range len(word) {
		c := text[at+i]
		if c >= 'A' && c <= 'Z' {
			c += 'a' - 'A'
		}
		if c != word[i] {
			return false
		}
	}
	return true
}
