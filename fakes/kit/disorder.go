package kit

import (
	"net/http"
	"strings"

	"parity/fakes"
)

// Signs tells whether a header of a webhook is what its endpoint checks it by.
func Signs(header string) bool {
	return strings.Contains(header, "Signature") && !strings.HasSuffix(header, "Timestamp") && !strings.HasSuffix(header, "Version") ||
		header == "X-Goog-Channel-Token"
}

// Disorder alters the headers of an attempt as its delivery says: another id
// for its event, a signature that is not right.
func Disorder(header http.Header, d fakes.Delivery) {
	for name, values := range header {
		for i, value := range values {
			if d.Event != "" && d.Renamed != "" {
				value = strings.ReplaceAll(value, d.Event, d.Renamed)
			}
			if d.Spoilt && Signs(name) {
				value = Respell(value, len(value)-8, func(n int) int { return (n + 1) / 2 })
			}
			values[i] = value
		}
	}
}

// Respell gives text of the same form: from a place on, each digit and letter
// becomes another of its kind, by so many steps as step says, of at most so
// many as it is given. What is written in hexadecimal digits stays so.
func Respell(text string, from int, step func(most int) int) string {
	from = max(from, 0)
	hex := strings.Trim(strings.ToLower(text[from:]), "0123456789abcdef-") == ""
	letters := byte(26)
	if hex {
		letters = 6
	}
	out := []byte(text)
	for i := from; i < len(out); i++ {
		for _, of := range []struct{ first, count byte }{{'0', 10}, {'a', letters}, {'A', letters}} {
			if c := out[i]; c >= of.first && c < of.first+of.count {
				out[i] = of.first + (c-of.first+byte(step(int(of.count)-1)))%of.count //nolint:gosec // small
				break
			}
		}
	}
	return string(out)
}
