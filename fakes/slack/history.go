package slack

import (
	"iter"
	"maps"
	"slices"
	"strconv"
	"strings"

	"parity/fakes/kit"
	"parity/fakes/world"
)

// span is a part of time: the arguments oldest, latest and inclusive.
type span struct {
	oldest, latest int64 // microseconds; 0: no bound
	inclusive      bool
}

func (s span) holds(micro int64) bool {
	switch {
	case s.inclusive:
		return (s.oldest == 0 || micro >= s.oldest) && (s.latest == 0 || micro <= s.latest)
	default:
		return (s.oldest == 0 || micro > s.oldest) && (s.latest == 0 || micro < s.latest)
	}
}

func (c *call) span() (span, *refusal) {
	s := span{inclusive: c.flag("inclusive", false)}
	for _, argument := range []string{"oldest", "latest"} {
		text := c.text(argument)
		switch {
		case text == "" || text == "now":
			continue
		case !isStamp(text):
			return s, refuse("invalid_ts_" + argument)
		case argument == "oldest":
			s.oldest = micros(text)
		default:
			s.latest = micros(text)
		}
	}
	return s, nil
}

// readable is a channel whose messages the caller may read: a bot only those
// that it is in.
func (c *call) readable() (*world.Record, *refusal) {
	channel, refused := c.channel("channel")
	if refused == nil {
		refused = c.scopeFor(familyOf(channel.Value()), "history")
	}
	if refused != nil {
		return nil, refused
	}
	if c.who.kind != userToken && c.app()["as_user"] != true && !c.isMember(channel.ID, c.who.user) {
		return nil, refuse(notInChannel)
	}
	return channel, nil
}

// timeline walks a channel's messages, newest first.
// from, where it is not 0, is the newest that is asked for.
func (c *call) timeline(channel string, from int64) iter.Seq[*world.Record] {
	if !c.mixed(channel) {
		below := uint64(0)
		if first, ok := c.get(messages, channel+"/"+stamp(from)); from != 0 && ok {
			below = first.Order + 1 // no need to walk there
		}
		return c.Tx.Find(c.fake.Full(messages), "timeline", channel, below)
	}
	walk := c.fake.Find(c.Tx, messages, "timeline", channel)
	all := slices.Collect(walk)
	slices.SortStableFunc(all, func(a, b *world.Record) int { return compareText(tsOf(b), tsOf(a)) })
	return slices.Values(all)
}

// history reads a page of a channel, newest first. Its cursor is the ts of the
// next message. With oldest and no latest the page is that of the oldest.
func history(c *call) (answer, *refusal) {
	channel, refused := c.readable()
	if refused != nil {
		return answer{}, refused
	}
	s, refused := c.span()
	if refused != nil {
		return answer{}, refused
	}
	limit, refused := c.limitOf(100, 999)
	if refused != nil {
		return answer{}, refused
	}
	from, refused := c.nextFrom()
	if refused != nil {
		return answer{}, refused
	}
	newest := from
	if newest == 0 {
		newest = s.latest
	}
	list, next := []any{}, ""
	for record := range c.timeline(channel.ID, newest) {
		micro := micros(tsOf(record))
		if from != 0 && micro > from || !s.holds(micro) {
			if s.oldest != 0 && micro < s.oldest {
				break
			}
			continue
		}
		if len(list) == limit {
			next = tsOf(record)
			break
		}
		list = append(list, c.told(record))
	}
	fields := map[string]any{
		"messages": list, "has_more": next != "", "pin_count": c.pinCount(channel.ID), "channel_actions_ts": nil, "channel_actions_count": int64(0),
	}
	for argument, micro := range map[string]int64{"oldest": s.oldest, "latest": s.latest} {
		if micro != 0 {
			fields[argument] = c.text(argument)
		}
	}
	if next != "" {
		fields["response_metadata"] = map[string]any{"next_cursor": nextCursor(next)}
	}
	return said(fields)
}

func nextCursor(ts string) string { return cursorOf("next_ts:" + strings.Replace(ts, ".", "", 1)) }

// nextFrom reads the cursor of history and replies; 0 is the beginning.
func (c *call) nextFrom() (int64, *refusal) {
	cursor := c.text("cursor")
	if cursor == "" {
		return 0, nil
	}
	digits, ok := at(cursor, "next_ts:")
	micro, err := strconv.ParseInt(digits, 10, 64)
	if !ok || err != nil {
		return 0, refuse(invalidCursor)
	}
	return micro, nil
}

// told is a message as history tells it.
func (c *call) told(record *world.Record) map[string]any {
	message, _ := record.Value()["message"].(map[string]any)
	if message["metadata"] != nil && !c.flag("include_all_metadata", false) {
		message = maps.Clone(message)
		delete(message, "metadata")
	}
	return message
}

// replies reads a thread: its parent first, on each page, then the replies,
// oldest first.
func replies(c *call, channel *world.Record) (answer, *refusal) {
	parent, ok := c.message(channel, c.text("ts"))
	if !ok {
		return answer{}, refuse("thread_not_found")
	}
	s, refused := c.span()
	if refused != nil {
		return answer{}, refused
	}
	limit, refused := c.limitOf(1000, 1000)
	if refused != nil {
		return answer{}, refused
	}
	from, refused := c.nextFrom()
	if refused != nil {
		return answer{}, refused
	}
	if thread := kit.Text(parent.Value(), "message.thread_ts"); thread != "" && thread != tsOf(parent) {
		return said(map[string]any{"messages": []any{c.told(parent)}, "has_more": false, "response_metadata": map[string]any{"next_cursor": ""}})
	}
	list, next := []any{c.told(parent)}, ""
	for _, record := range c.repliesTo(parent) {
		micro := micros(tsOf(record))
		if micro < from || !s.holds(micro) {
			continue
		}
		if len(list) == limit && limit > 1 || limit == 1 && len(list) > 1 {
			next = tsOf(record)
			break
		}
		list = append(list, c.told(record))
	}
	fields := map[string]any{"messages": list, "has_more": next != ""}
	if next != "" {
		fields["response_metadata"] = map[string]any{"next_cursor": nextCursor(next)}
	}
	return said(fields)
}
