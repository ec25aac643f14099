package notion

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"

	"parity/fakes/cast"
	"parity/fakes/kit"
)

// A place is a value of the body and where it is, such as
// body.children[0].paragraph.
type place struct {
	c     *call
	where string
	value any
	sent  bool
}

// body is the whole of what was sent.
func (c *call) body() place { return place{c: c, where: "body", value: c.Input.Body, sent: true} }

// at is a field of an object.
func (p place) at(field string) place {
	value, sent := cast.Object(p.value)[field]
	return place{c: p.c, where: p.where + "." + field, value: value, sent: sent}
}

// item is an element of an array.
func (p place) item(i int) place {
	return place{c: p.c, where: p.where + "[" + strconv.Itoa(i) + "]", value: cast.List(p.value)[i], sent: true}
}

// should says what the place ought to be.
func (p place) should(want string) problem {
	if !p.sent {
		return should(p.where, want, undefined)
	}
	return should(p.where, want, p.raw())
}

// raw is the place as the client wrote it, its fields in their order.
func (p place) raw() string {
	rest, ok := strings.CutPrefix(p.where, "body")
	if !ok {
		return jsonText(p.value)
	}
	raw := json.RawMessage(p.c.Body)
	for rest != "" {
		if rest[0] == '[' {
			end := strings.IndexByte(rest, ']')
			i, err := strconv.Atoi(rest[1:end])
			var items []json.RawMessage
			if err != nil || json.Unmarshal(raw, &items) != nil || i >= len(items) {
				return jsonText(p.value)
			}
			raw, rest = items[i], rest[end+1:]
			continue
		}
		var fields map[string]json.RawMessage
		if json.Unmarshal(raw, &fields) != nil {
			return jsonText(p.value)
		}
		field := rest[1:]
		if end := strings.IndexAny(field, ".["); end >= 0 {
			field = field[:end]
		}
		inner, ok := fields[field]
		if !ok {
			return jsonText(p.value)
		}
		raw, rest = inner, rest[1+len(field):]
	}
	var b bytes.Buffer
	if json.Compact(&b, raw) != nil {
		return jsonText(p.value)
	}
	return b.String()
}

// The checks below give nil where the place is as it ought to be.

func (p place) defined() problem {
	if !p.sent {
		return p.should("defined")
	}
	return nil
}

func (p place) isObject() problem {
	if _, ok := p.value.(map[string]any); !ok {
		return p.orDefined("an object")
	}
	return nil
}

func (p place) isArray(most int) problem {
	items, ok := p.value.([]any)
	if !ok {
		return p.orDefined("an array")
	}
	if len(items) > most {
		return should(p.where+".length", fmt.Sprintf("≤ `%d`", most), strconv.Itoa(len(items)))
	}
	return nil
}

// isText is a string of at most so many characters, as JavaScript counts them.
func (p place) isText(most int) problem {
	text, ok := p.value.(string)
	if !ok {
		return p.orDefined("a string")
	}
	if n := units(text); n > most {
		return should(p.where+".length", fmt.Sprintf("≤ `%d`", most), strconv.Itoa(n))
	}
	return nil
}

func units(text string) int { return len(utf16.Encode([]rune(text))) }

func (p place) isBool() problem {
	if _, ok := p.value.(bool); !ok {
		return p.orDefined("a boolean")
	}
	return nil
}

func (p place) isNumber() problem {
	if _, ok := float(p.value); !ok {
		return p.orDefined("a number")
	}
	return nil
}

func (p place) isUUID() problem {
	text, ok := p.value.(string)
	if !ok {
		return p.orDefined("a string")
	}
	if _, ok := uuidOf(text); !ok {
		return p.should("a valid uuid")
	}
	return nil
}

func (p place) isOne(choices ...string) problem {
	text, ok := p.value.(string)
	if ok && slices.Contains(choices, text) {
		return nil
	}
	all := make([]string, len(choices))
	for i, choice := range choices {
		all[i] = "`" + quoted(choice) + "`"
	}
	return p.should(either(all))
}

// isOneOrNone is isOne of a field that may be missing.
func (p place) isOneOrNone(choices ...string) problem {
	text, ok := p.value.(string)
	if !p.sent || ok && slices.Contains(choices, text) {
		return nil
	}
	all := make([]string, 0, len(choices)+1)
	for _, choice := range choices {
		all = append(all, "`"+quoted(choice)+"`")
	}
	return p.should(either(append(all, "`undefined`")))
}

// either joins choices as Notion does.
func either(choices []string) string {
	last := len(choices) - 1
	switch last {
	case 0:
		return choices[0]
	case 1:
		return choices[0] + " or " + choices[1]
	}
	return strings.Join(choices[:last], ", ") + ", or " + choices[last]
}

// orDefined says that the place is missing, where it is, and else what it
// ought to be.
func (p place) orDefined(want string) problem {
	if !p.sent {
		return p.should("defined")
	}
	return p.should(want)
}

// only refuses fields that are not known.
func (p place) only(fields ...string) problem {
	sent := make([]string, 0, 4)
	for field := range cast.Object(p.value) {
		if !slices.Contains(fields, field) {
			sent = append(sent, field)
		}
	}
	if len(sent) == 0 {
		return nil
	}
	slices.Sort(sent)
	return p.at(sent[0]).should("not present")
}

// optional makes a check of a field that may be missing.
func (p place) optional(check func(place) problem) problem {
	if !p.sent {
		return nil
	}
	return check(p)
}

// null tells whether the place is null.
func (p place) null() bool { return p.sent && p.value == nil }

// first is the first problem there is.
func first(problems ...problem) problem {
	for _, p := range problems {
		if p != nil {
			return p
		}
	}
	return nil
}

// page reads page_size and start_cursor of a body.
func (c *call) bodyPage() (size int, cursor string, refused *refusal) {
	body := c.body()
	size = maxPage
	if at := body.at("page_size"); at.sent && !at.null() {
		n, ok := at.value.(int64)
		switch {
		case !ok:
			return 0, "", invalid("body", at.should("a number or `undefined`"))
		case n > maxPage:
			return 0, "", invalid("body", at.should("≤ `100` or `undefined`"))
		case n < 0:
			return 0, "", invalid("body", at.should("≥ `0` or `undefined`"))
		case n > 0: // 0 is as good as none
			size = int(n)
		}
	}
	if at := body.at("start_cursor"); at.sent && !at.null() {
		text, ok := at.value.(string)
		if !ok {
			return 0, "", invalid("body", at.should("a string or `undefined`"))
		}
		cursor = text
	}
	return size, cursor, nil
}

// maxPage is the most that a page holds, and what it holds unless asked for
// less. Source: developers.notion.com, Pagination.
const maxPage = 100

// queryPage reads page_size and start_cursor of the address.
func (c *call) queryPage() (size int, cursor string, refused *refusal) {
	size = maxPage
	if sent := c.query("page_size"); sent != "" {
		n, err := strconv.Atoi(sent)
		switch {
		case err != nil:
			return 0, "", invalid("query", should("query.page_size", "a number or `undefined`", quoted(sent)))
		case n > maxPage:
			return 0, "", invalid("query", should("query.page_size", "≤ `100` or `undefined`", sent))
		case n < 0 || n == 0 && c.Operation.ID == "retrieve-a-comment":
			return 0, "", invalid("query", should("query.page_size", "≥ `1` or `undefined`", sent))
		case n > 0:
			size = n
		}
	}
	cursor = c.query("start_cursor")
	if c.Operation.ID == "get-block-children" || c.Operation.ID == "retrieve-a-comment" {
		if _, ok := uuidOf(cursor); cursor != "" && !ok {
			return 0, "", invalid("query", should("query.start_cursor", "a valid uuid or `undefined`", quoted(cursor)))
		}
	}
	return size, cursor, nil
}

// paged answers a call that reads a list a page at a time.
func paged(act func(c *call, size int, cursor string) (map[string]any, *refusal)) handler {
	return kit.WithTwo((*call).queryPage, act)
}
