package kit

import (
	"regexp"
	"strconv"
	"sync"
)

// mostNoughts bounds what stands for bytes that are not kept.
const mostNoughts = 1 << 20

var told = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^file of ([0-9]+) bytes, `) })

// Told tells whether a text of an Input stands for bytes that it does not keep.
func Told(text string) bool { return told().MatchString(text) }

// FileSent reads a file that a client sent, as an Input has it and as the journal
// keeps it: how long it is, and what is in it where that is text of some length.
func FileSent(text string) (size int64, content string) {
	found := told().FindStringSubmatch(text)
	if found == nil {
		return int64(len(text)), text
	}
	size, _ = strconv.ParseInt(found[1], 10, 64) // digits
	return size, ""
}

// FileBytes are those of a file of which size and content are kept: noughts stand
// for what is not.
func FileBytes(size int64, content string) []byte {
	if content != "" {
		return []byte(content)
	}
	return make([]byte, max(0, min(size, mostNoughts)))
}
