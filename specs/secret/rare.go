package secret

import "bytes"

// seldom are the bytes that JSON and what is in it seldom have, the rarest
// first: a text is looked for by one of these, where it has one.
const seldom = "JQXZKVWYjqzUGNHMBFPLORDSATICExkvw5678934_gy20bfh1"

// ranks are the places of bytes in it; those that are not come after all.
var ranks = func() (of [256]byte) {
	for i := range of {
		of[i] = byte(len(seldom))
	}
	for i := range len(seldom) {
		of[seldom[i]] = byte(i)
	}
	return of
}()

// rarest is the place of a text's rarest byte.
func rarest(text string) (at int) {
	for i := range len(text) {
		if ranks[text[i]] < ranks[text[at]] {
			at = i
		}
	}
	return at
}

// Contains is bytes.Contains, for a text that data as long as a reply mostly does
// not have.
func Contains(data []byte, text string) bool { return contains(data, text, rarest(text)) }

// contains tells whether data has a text in it, whose rarest byte is at a place.
// A search that begins with each s of an English text is several times slower.
func contains(data []byte, text string, rarest int) bool {
	if text == "" {
		return true
	}
	for from := rarest; ; {
		last := len(data) - (len(text) - rarest) // where it may be at last
		if from > last {
			return false
		}
		i := bytes.IndexByte(data[from:last+1], text[rarest])
		if i < 0 {
			return false
		}
		begin := from + i - rarest
		if string(data[begin:begin+len(text)]) == text {
			return true
		}
		from += i + 1
	}
}
