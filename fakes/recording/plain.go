package recording

import (
	"fmt"
	"hash/fnv"
	"net/url"
	"slices"
	"strings"
	"time"

	"parity/specs/personal"
)

// Plain gives the conversation with a value of its kind in place of each placeholder
// of what was of people, the same for the same one: an address of mail where a
// contract wants one.
func (c *Conversation) Plain() Conversation {
	plain := *c
	plain.Exchanges = slices.Clone(c.Exchanges)
	for i := range plain.Exchanges {
		e := &plain.Exchanges[i]
		e.Response.Body = plainly(e.Response.Body)
		if e.Request.URL = plainQuery(e.Request.URL); e.Request.Body != nil {
			said := plainly(*e.Request.Body)
			e.Request.Body = &said
		}
	}
	return plain
}

func plainly(text string) string {
	return personal.Placeholders().ReplaceAllStringFunc(text, standIn)
}

// plainQuery gives an address whose query has no placeholder.
func plainQuery(address string) string {
	before, query, asks := strings.Cut(address, "?")
	if !asks {
		return address
	}
	pairs := strings.Split(query, "&")
	for i, pair := range pairs {
		name, value, _ := strings.Cut(pair, "=")
		if said, err := url.QueryUnescape(value); err == nil && plainly(said) != said {
			pairs[i] = name + "=" + url.QueryEscape(plainly(said))
		}
	}
	return before + "?" + strings.Join(pairs, "&")
}

// standIn is a value of a placeholder's kind.
func standIn(found string) string {
	parts := personal.Placeholders().FindStringSubmatch(found)
	kind, letters := personal.Kind(parts[1]), parts[2]
	h := fnv.New64a()
	h.Write([]byte(letters)) //nolint:errcheck // a hash takes everything
	digits := h.Sum64()
	switch kind {
	case personal.Email:
		return letters + "@people.example"
	case personal.Phone:
		return fmt.Sprintf("+1555%07d", digits%10_000_000)
	case personal.Account:
		return fmt.Sprintf("%012d", digits%1_000_000_000_000)
	case personal.Card:
		return fmt.Sprintf("%016d", digits%1_0000_0000_0000_0000)
	case personal.Address:
		return fmt.Sprintf("%d %s Street", 1+digits%999, capital(letters))
	case personal.Login:
		return letters
	case personal.Birth:
		return fmt.Sprintf("19%02d-%02d-%02d", digits%100, 1+digits%12, 1+digits%28)
	case personal.Network:
		return fmt.Sprintf("10.%d.%d.%d", digits>>16&0xff, digits>>8&0xff, digits&0xff)
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
