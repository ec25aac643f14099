package recording

import (
	"fmt"
	"hash/fnv"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
)

// kept is what stands in a recording for what was of people: its kind, and
// letters that are the same for the same value.
var kept = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?:<|\\u003[cC])(email|phone|name|address|account) ([a-p]{10})(?:>|\\u003[eE])`)
})

// Plain gives the conversation with a value of its kind in place of each placeholder
// in its replies, the same for the same one: an address of mail where a contract wants
// one.
func (c *Conversation) Plain() Conversation {
	plain := *c
	plain.Exchanges = slices.Clone(c.Exchanges)
	for i := range plain.Exchanges {
		if body := &plain.Exchanges[i].Response.Body; strings.Contains(*body, " ") {
			*body = kept().ReplaceAllStringFunc(*body, standIn)
		}
	}
	return plain
}

// standIn is a value of a placeholder's kind.
func standIn(found string) string {
	parts := kept().FindStringSubmatch(found)
	kind, letters := parts[1], parts[2]
	h := fnv.New64a()
	h.Write([]byte(letters)) //nolint:errcheck // a hash takes everything
	digits := h.Sum64()
	switch kind {
	case "email":
		return letters + "@people.example"
	case "phone":
		return fmt.Sprintf("+1555%07d", digits%10_000_000)
	case "account":
		return fmt.Sprintf("%012d", digits%1_000_000_000_000)
	case "address":
		return fmt.Sprintf("%d %s Street", 1+digits%999, capital(letters))
	}
	return capital(letters)
}

func capital(word string) string { return strings.ToUpper(word[:1]) + word[1:] }

// At is how the service was: by the head of a mirror, else the newest of the replies'
// own dates, else the day of the recording. ok tells whether any is said.
func (c *Conversation) At() (at time.Time, ok bool) {
	if c.Mirror != nil && !c.Mirror.At.IsZero() {
		return c.Mirror.At.UTC(), true
	}
	for i := range c.Exchanges {
		if said := c.Exchanges[i].Response.At(); said.After(at) {
			at = said
		}
	}
	if !at.IsZero() {
		return at, true
	}
	day, err := time.Parse(time.DateOnly, c.Recorded)
	return day, err == nil
}
