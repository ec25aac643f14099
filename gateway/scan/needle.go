package scan

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
)

// A needle is one way in which a value is written.
type needle struct{ text, kind, as string }

// longest is how much of a value is looked for: more tells nothing else apart.
const longest = 4 << 10

// needles are found in one pass, by how they begin: eight bytes, of which a bit
// says whether any needle may.
type needles struct {
	bits   [1 << 10]uint64
	begins map[uint64][]*needle
}

// slot is one of 65,536, by Fibonacci hashing.
func slot(begin uint64) uint64 { return begin * 0x9e3779b97f4a7c15 >> 48 }

// add takes the ways in which a value is often written. Part of it may stand
// between others in base64: so it is looked for as it is at each of three places
// of a group, but for the digits that it shares with them.
func (n *needles) add(s Secret) {
	value := s.Value[:min(len(s.Value), longest)]
	n.way(s.Kind, "", value)
	if quoted, err := json.Marshal(value); err == nil {
		n.way(s.Kind, "JSON", strings.Trim(string(quoted), `"`))
	}
	for _, encoding := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
		for shift, shared := range [...]int{0, 2, 3} {
			text := encoding.EncodeToString(append(make([]byte, shift), value...))
			n.way(s.Kind, "base64", text[shared:(shift+len(value))*8/6])
		}
	}
	digits := hex.EncodeToString([]byte(value))
	n.way(s.Kind, "hexadecimal", digits)
	n.way(s.Kind, "hexadecimal", strings.ToUpper(digits))
	for _, escaped := range []string{url.QueryEscape(value), url.PathEscape(value), everyByte(value)} {
		n.way(s.Kind, "percent-encoded", escaped)
		n.way(s.Kind, "percent-encoded", lower(escaped))
	}
}

// everyByte escapes all of a text.
func everyByte(text string) string {
	var out strings.Builder
	for i := range len(text) {
		fmt.Fprintf(&out, "%%%02X", text[i])
	}
	return out.String()
}

// lower writes escapes in small letters.
func lower(escaped string) string {
	out := []byte(escaped)
	for i := range out {
		if i >= 1 && out[i-1] == '%' || i >= 2 && out[i-2] == '%' {
			out[i] |= 0x20 // digits have that bit already
		}
	}
	return string(out)
}

// way adds one, unless it is there already: the first one says how it is written.
func (n *needles) way(kind, as, text string) {
	if n.begins == nil {
		n.begins = map[uint64][]*needle{}
	}
	begin := binary.LittleEndian.Uint64([]byte(text))
	for _, other := range n.begins[begin] {
		if other.text == text {
			return
		}
	}
	h := slot(begin)
	n.bits[h>>6] |= 1 << (h & 63)
	n.begins[begin] = append(n.begins[begin], &needle{text, kind, as})
}

// each gives those that begin from a place up to another.
func (n *needles) each(data []byte, from, to int, yield func(at int, n *needle)) {
	if n.begins == nil {
		return
	}
	for i := from; i < to && i+Shortest <= len(data); i++ {
		begin := binary.LittleEndian.Uint64(data[i:])
		if h := slot(begin); n.bits[h>>6]&(1<<(h&63)) == 0 {
			continue
		}
		for _, one := range n.begins[begin] {
			if len(data)-i >= len(one.text) && string(data[i:i+len(one.text)]) == one.text {
				yield(i, one)
			}
		}
	}
}
