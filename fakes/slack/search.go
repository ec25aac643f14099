package slack

import (
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"slices"
	"strings"
	"time"

	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

// A query is what search.messages was asked: words, phrases, and modifiers such
// as in:#general, from:@mei, before:2026-01-31.
// Source: slack.com/help/articles/202528808.
type query struct {
	words, without []string
	channels       []string // ids or names
	authors        []string // ids or names
	after, before  int64    // microseconds; 0: no bound
	has            []string
	thread         bool
}

func (c *call) query(text string) query {
	var q query
	for _, word := range fields(text) {
		kind, value, isModifier := strings.Cut(word, ":")
		value = strings.Trim(value, `"`)
		if !isModifier || value == "" {
			kind = ""
		}
		switch kind {
		case "in":
			q.channels = append(q.channels, named(value))
		case "from":
			if value == "me" || value == "@me" {
				value = c.who.user
			}
			q.authors = append(q.authors, named(value))
		case "before", "after", "on", "during":
			q.when(kind, value)
		case "has":
			q.has = append(q.has, value)
		case "is":
			q.thread = q.thread || value == "thread"
		default:
			if rest, not := strings.CutPrefix(word, "-"); not && rest != "" {
				q.without = append(q.without, strings.ToLower(strings.Trim(rest, `"`)))
			} else if word = strings.ToLower(strings.Trim(word, `"`)); word != "" {
				q.words = append(q.words, word)
			}
		}
	}
	return q
}

// fields splits a query at spaces outside quotes.
func fields(text string) []string {
	quoted := false
	return strings.FieldsFunc(text, func(r rune) bool {
		if r == '"' {
			quoted = !quoted
		}
		return r == ' ' && !quoted
	})
}

// named is an id or a name, whichever way it was written.
func named(value string) string {
	value = strings.Trim(value, "<>")
	value, _, _ = strings.Cut(value, "|")
	return strings.TrimLeft(value, "#@")
}

func (q *query) when(kind, value string) {
	day, err := time.Parse("2006-01-02", value)
	if err != nil {
		return
	}
	from, to := day.UnixMicro(), day.AddDate(0, 0, 1).UnixMicro()
	switch kind {
	case "before":
		q.before = from
	case "after":
		q.after = to
	default:
		q.after, q.before = from, to
	}
}

// textStep is how many bytes of a message, looked through for a word, are a step
// of a call's work.
const textStep = 1024

// mayFind tells whether a message may have the words of the query.
func (q query) mayFind(message *world.Record) bool {
	return !slices.ContainsFunc(q.words, func(word string) bool {
		return !strings.ContainsAny(word, "&<>") && !message.Says(strings.TrimSuffix(word, "*"))
	})
}

// matches tells whether the query finds a message.
func (q query) matches(c *call, channel *world.Record, message map[string]any) bool {
	if subtype := asText(message["subtype"]); subtype == tombstone || strings.HasPrefix(subtype, "channel_") {
		return false
	}
	if len(q.channels) > 0 && !slices.Contains(q.channels, channel.ID) && !slices.Contains(q.channels, kit.Text(channel.Value(), "name")) {
		return false
	}
	if len(q.authors) > 0 {
		author := asText(message["user"])
		if !slices.Contains(q.authors, author) && !slices.Contains(q.authors, c.nameOf(author)) && !slices.Contains(q.authors, asText(message["username"])) {
			return false
		}
	}
	micro := micros(asText(message["ts"]))
	if q.after != 0 && micro < q.after || q.before != 0 && micro >= q.before {
		return false
	}
	if q.thread && message["thread_ts"] == nil {
		return false
	}
	text := asText(message["text"])
	if strings.IndexByte(text, '&') >= 0 {
		text = unescaped(text)
	}
	text = strings.ToLower(text)
	c.Spend((len(q.words) + len(q.without)) * (1 + len(text)/textStep))
	for _, word := range q.words {
		if !strings.Contains(text, strings.TrimSuffix(word, "*")) {
			return false
		}
	}
	for _, word := range q.without {
		if strings.Contains(text, word) {
			return false
		}
	}
	for _, thing := range q.has {
		if !hasIt(message, thing) {
			return false
		}
	}
	return true
}

func hasIt(message map[string]any, thing string) bool {
	switch thing {
	case "link":
		return strings.Contains(asText(message["text"]), "://")
	case "file":
		return message["files"] != nil
	case "pin":
		return message["pinned_to"] != nil
	case "reaction":
		return message["reactions"] != nil
	}
	return slices.ContainsFunc(cast.List(message["reactions"]), func(item any) bool {
		return cast.Object(item)["name"] == strings.Trim(thing, ":")
	})
}

// searchMessages finds what the index shows of messages, newest first: it lags
// behind what was written, changed and deleted.
func searchMessages(c *call) (answer, *refusal) {
	asked := strings.TrimSpace(c.text("query"))
	if asked == "" {
		return answer{}, refuse("no_query")
	}
	page, count, refused := c.numbered(20, 100)
	if refused != nil {
		return answer{}, refused
	}
	var found []any
	total := int64(0)
	start, end := (page-1)*count, page*count
	rising := c.text("sort") == "timestamp" && c.text("sort_dir") == "asc"
	q := c.query(asked)
	c.indexed(q.mayFind, func(channel *world.Record, id string, message map[string]any) {
		if !q.matches(c, channel, message) {
			return
		}
		if rising || total >= start && total < end {
			found = append(found, c.match(channel, id, message))
		}
		total++
	})
	if rising {
		slices.Reverse(found)
		found = found[min(start, total):min(end, total)]
	}
	if found == nil {
		found = []any{}
	}
	first, last := start+1, min(end, total)
	if len(found) == 0 {
		first, last = 0, 0
	}
	return said(map[string]any{"query": asked, "messages": map[string]any{
		"total": total, "matches": found,
		"paging":     map[string]any{"count": count, "total": total, "page": page, "pages": pagesOf(total, count)},
		"pagination": map[string]any{"total_count": total, "page": page, "per_page": count, "page_count": pagesOf(total, count), "first": first, "last": last},
	}})
}

// indexed walks what the index shows of messages in channels that the caller
// sees, newest first. Messages that are gone, and still shown, come last. Those
// of which may is false are passed over, where they are shown as they are.
func (c *call) indexed(may func(*world.Record) bool, visit func(channel *world.Record, id string, message map[string]any)) {
	known := map[string]*world.Record{}
	show := func(id string, value map[string]any) {
		if value == nil {
			return
		}
		at, _ := value["channel"].(string)
		channel, looked := known[at]
		if !looked {
			if record, ok := c.get(channels, at); ok && c.sees(record) {
				channel = record
			}
			known[at] = channel
		}
		if message, ok := value["message"].(map[string]any); ok && channel != nil {
			visit(channel, id, message)
		}
	}
	since := stamp(c.Now.Add(-searchLag).UnixMicro())
	for record := range c.Tx.Newest(c.fake.Full(messages), 0) {
		if c.lately(record, since) {
			show(record.ID, c.fake.index.See(c.Tx, record.ID, record.Value(), c.Now))
		} else if may(record) {
			show(record.ID, record.Value())
		}
	}
	for id, shown := range c.fake.index.Behind(c.Tx, c.Now) {
		if _, still := c.get(messages, id); !still {
			show(id, shown)
		}
	}
}

// lately tells whether a message may have been written, changed or deleted
// within the lag: of all others the index shows what they are.
func (c *call) lately(r *world.Record, since string) bool {
	return cast.Text(r.At("ts")) > since || r.At("message", "subtype") == tombstone || asText(r.At("message", "edited", "ts")) > since
}

// match is a message as a search shows it.
func (c *call) match(channel *world.Record, id string, message map[string]any) map[string]any {
	value := maps.Clone(message)
	sum := sha256.Sum256([]byte(id))
	iid := hex.EncodeToString(sum[:16])
	value["iid"] = iid[:8] + "-" + iid[8:12] + "-" + iid[12:16] + "-" + iid[16:20] + "-" + iid[20:]
	value["team"] = c.teamID()
	value["channel"] = map[string]any{
		"id": channel.ID, "name": channel.Value()["name"], "is_channel": channel.Value()["is_channel"] == true, "is_group": channel.Value()["is_group"] == true,
		"is_im": channel.Value()["is_im"] == true, "is_mpim": channel.Value()["is_mpim"] == true, "is_private": !isPublic(channel),
		"is_shared": false, "is_org_shared": false, "is_ext_shared": false, "is_pending_ext_shared": false, "pending_shared": []any{},
	}
	if value["username"] == nil {
		value["username"] = c.nameOf(asText(message["user"]))
	}
	ts := asText(message["ts"])
	link := c.site() + "archives/" + channel.ID + "/p" + strings.Replace(ts, ".", "", 1)
	if thread := asText(message["thread_ts"]); thread != "" && thread != ts {
		link += "?thread_ts=" + thread
	}
	value["permalink"] = link
	value["no_reactions"] = message["reactions"] == nil
	for _, field := range []string{"bot_profile", "reactions"} {
		delete(value, field)
	}
	return value
}
