package slack

import (
	"encoding/base64"
	"iter"
	"strings"

	"parity/fakes/kit"
	"parity/fakes/world"
)

// paging is a list that is read in pages by cursors. A cursor names the first
// record of the next page: base64 of team:C…, as Slack's do.
type paging struct {
	collection   string
	cursor       string                   // what is before the id in a cursor
	most, absent int64                    // of limit
	among        func(*world.Record) bool // what there is for the caller; nil: all
	keep         func(*world.Record) bool // what the call's filters leave of a page that was cut
}

type page struct {
	records []*world.Record
	next    string // an id
	prefix  string
}

func (p page) metadata() map[string]any {
	if p.next == "" {
		return map[string]any{"next_cursor": ""}
	}
	return map[string]any{"next_cursor": cursorOf(p.prefix + p.next)}
}

func cursorOf(text string) string { return base64.StdEncoding.EncodeToString([]byte(text)) }

// at reads a cursor that begins with a prefix.
func at(cursor, prefix string) (string, bool) {
	text, err := base64.StdEncoding.DecodeString(cursor)
	if err != nil {
		return "", false
	}
	return strings.CutPrefix(string(text), prefix)
}

// limitOf reads the argument limit. Slack takes more than its most as its most,
// and nought as nothing said.
func (c *call) limitOf(absent, most int64) (int, *refusal) {
	limit, ok := c.number("limit", absent)
	switch {
	case !ok, limit < 0:
		return 0, refuse(invalidLimit)
	case limit == 0:
		limit = absent
	}
	return int(min(limit, most)), nil
}

// page reads one page, oldest record first.
func (c *call) page(p paging) (page, *refusal) {
	limit, refused := c.limitOf(p.absent, p.most)
	if refused != nil {
		return page{}, refused
	}
	after := uint64(0)
	if cursor := c.text("cursor"); cursor != "" {
		id, ok := at(cursor, p.cursor)
		if !ok {
			return page{}, refuse(invalidCursor)
		}
		first, ok := c.get(p.collection, id)
		if !ok {
			return page{}, refuse(invalidCursor)
		}
		after = first.Order - 1
	}
	return c.gather(c.oldest(p.collection, after), limit, p), nil
}

// oldest walks a collection upwards from above an order.
func (c *call) oldest(collection string, after uint64) iter.Seq[*world.Record] {
	return c.Tx.Oldest(c.fake.Full(collection), after)
}

// gather takes a page from a walk. It ends where it is full, and where that of
// the real service ended. Filters count after that, so that a page may be short,
// or empty, and lead on.
// Source: docs.slack.dev/reference/methods/conversations.list, "any filters used
// in the request are applied after retrieving a virtual page's limit".
func (c *call) gather(walk iter.Seq[*world.Record], limit int, p paging) page {
	got, cut, ended := page{prefix: p.cursor}, 0, false
	_, listed := c.Tx.Get(pagesCollection, "listed/"+p.collection)
	for record := range walk {
		if listed && c.guessed(p.collection, record.ID) {
			continue
		}
		if p.among != nil && !p.among(record) {
			continue
		}
		if cut == limit || ended {
			got.next = record.ID
			break
		}
		cut++
		if p.keep == nil || p.keep(record) {
			got.records = append(got.records, record)
		}
		_, ended = c.Tx.Get(pagesCollection, p.collection+"/"+record.ID)
	}
	return got
}

func (c *call) guessed(collection, id string) bool {
	_, known := c.Tx.Get(pagesCollection, "guessed/"+collection+"/"+id)
	return known
}

// put writes bookkeeping, whether it is new or not.
func (c *call) put(collection, id string, value map[string]any) {
	kit.Keep(c.Tx, collection, id, value)
}

// numbered reads the arguments page and count of the older lists.
func (c *call) numbered(absent, most int64) (page, count int64, refused *refusal) {
	page, ok := c.number("page", 1)
	count, ok2 := c.number("count", absent)
	if !ok || !ok2 {
		return 0, 0, refuse(invalidArguments)
	}
	return max(page, 1), min(max(count, 1), most), nil
}

// pagesOf is how many pages there are.
func pagesOf(total, count int64) int64 { return (total + count - 1) / count }
