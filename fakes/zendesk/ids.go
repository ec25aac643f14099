package zendesk

import (
	"hash/fnv"
	"strings"

	"parity/fakes/kit"
)

// fresh draws an id that no record of a collection has. Ids go up with time, as
// Zendesk's do, and have 14 digits.
func (c *call) fresh(collection string) int64 {
	const since2010, each = 1262304000, 20000
	if n, ok := whole(c.Wanted); ok && c.Operation != nil && c.Operation.Anatomy.Collection == collection { // a fixture says which
		if _, taken := c.find(collection, n); !taken {
			return n
		}
	}
	for {
		drawn := c.NewID("", 10)
		h := fnv.New64a()
		_, _ = h.Write([]byte(collection + drawn)) // a hash never fails
		n := (c.Now.Unix()-since2010)*each + int64(h.Sum64()%each)
		if n < 0 { // before 2010 ids were small
			n = -n%900_000 + 100_000
		}
		if _, taken := c.find(collection, n); !taken {
			return n
		}
	}
}

// ticketID gives the next number of a ticket: they are counted.
func (c *call) ticketID() int64 {
	if n, ok := whole(c.Wanted); ok {
		if _, taken := c.find(tickets, n); !taken {
			return n
		}
	}
	if c.promised != 0 {
		return c.promised
	}
	next := int64(1)
	record, known := c.Tx.Get(full(counters), tickets)
	if known {
		next = id(record.Value(), "next")
	}
	for newest := range c.Tx.Newest(full(tickets), 0) {
		next = max(next, id(newest.Value(), "id")+1)
		break
	}
	for _, taken := c.find(tickets, next); taken; _, taken = c.find(tickets, next) {
		next++
	}
	c.keep(counters, tickets, map[string]any{"id": tickets, "next": next + 1})
	return next
}

// keep writes a record of bookkeeping, whether or not there is one.
func (c *call) keep(collection, id string, value map[string]any) {
	kit.Keep(c.Tx, full(collection), id, value)
}

// encoded is the form of a ticket's id in its mails, such as ABC123-4D5E.
func (c *call) encoded() string {
	s := strings.ToUpper(c.NewID("", 10))
	return s[:6] + "-" + s[6:]
}
