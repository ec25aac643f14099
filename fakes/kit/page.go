package kit

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"parity/fakes/world"
)

// ErrCursor is returned for a cursor that names no record of the collection.
var ErrCursor = errors.New("the cursor names no record")

// A Query asks for one page of a collection.
type Query struct {
	Collection string // the world's name, such as "stripe.charges"
	Index      string // the field to narrow by, dotted; "" narrows nothing
	Value      string // what that field must hold, as text
	Keep       func(*world.Record) bool
	Limit      int
	After      string // an id: records older than it
	Before     string // an id: records newer than it, those next to it
}

// A Page is some records, newest first, and whether more lie beyond it in the
// direction that was asked for.
type Page struct {
	Records []*world.Record
	More    bool
}

// List reads one page. ErrCursor is its one error.
func List(r world.Reader, q Query) (Page, error) {
	if q.Before != "" {
		return newer(r, q)
	}
	below := uint64(0)
	if q.After != "" {
		cursor, ok := r.Get(q.Collection, q.After)
		if !ok {
			return Page{}, ErrCursor
		}
		if below = cursor.Order; below <= 1 { // 0 would mean the top again
			return Page{Records: []*world.Record{}}, nil
		}
	}
	page := Page{Records: make([]*world.Record, 0, min(q.Limit, r.Len(q.Collection)))}
	walk := r.Newest(q.Collection, below)
	if q.Index != "" {
		walk = r.Find(q.Collection, q.Index, q.Value, below)
	}
	for record := range walk {
		if !page.take(record, q) {
			break
		}
	}
	return page, nil
}

// A rower gives the records that an index knows by a value, in the order of
// their creation: a transaction does.
type rower interface {
	Row(collection, field, value string) (world.Row, bool)
}

// newer reads the page just above q.Before. Equality indexes of a world that
// nobody writes to run downwards only: there the index is checked on each record
// that the walk meets.
func newer(r world.Reader, q Query) (Page, error) {
	cursor, ok := r.Get(q.Collection, q.Before)
	if !ok {
		return Page{}, ErrCursor
	}
	page := Page{Records: make([]*world.Record, 0, min(q.Limit, r.Len(q.Collection)))}
	walk := r.Oldest(q.Collection, cursor.Order)
	if rows, ok := r.(rower); ok && q.Index != "" {
		if row, ok := rows.Row(q.Collection, q.Index, q.Value); ok {
			walk = row.From(row.Rank(cursor.Order+1), false)
		}
	}
	for record := range walk {
		if q.Index != "" && Text(record.Value(), q.Index) != q.Value {
			continue
		}
		if !page.take(record, q) {
			break
		}
	}
	slices.Reverse(page.Records)
	return page, nil
}

// take adds a record, or notes that there is one more than fits. It returns
// false when the walk may end.
func (p *Page) take(record *world.Record, q Query) bool {
	if q.Keep != nil && !q.Keep(record) {
		return true
	}
	if len(p.Records) == q.Limit {
		p.More = true
		return false
	}
	p.Records = append(p.Records, record)
	return true
}

// Text gives the field at a dotted path as text; "" when there is none.
func Text(value map[string]any, path string) string {
	for {
		name, rest, deeper := strings.Cut(path, ".")
		if !deeper {
			switch x := value[name].(type) {
			case string:
				return x
			case int64:
				return strconv.FormatInt(x, 10)
			case bool:
				return strconv.FormatBool(x)
			}
			return ""
		}
		inner, ok := value[name].(map[string]any)
		if !ok {
			return ""
		}
		value, path = inner, rest
	}
}
