package googlecalendar

import (
	"cmp"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"parity/fakes/cast"
	"parity/fakes/kit"
)

// stampTag is the etag of an entry, a rule or a setting: the microseconds of
// its change, as recorded.
func stampTag(stamp int64) string { return `"` + strconv.FormatInt(stamp, 10) + `"` }

// newest is the highest stamp of a small collection.
func (c *call) newest(collection string) int64 {
	highest := int64(0)
	for record := range c.Tx.Newest(name+"."+collection, 0) {
		if stamp, _ := record.Value()["stamp"].(int64); stamp > highest {
			highest = stamp
		}
	}
	return highest
}

// shownEntry is an entry as a reply has it: much of it is the calendar's.
func (c *call) shownEntry(entry map[string]any) map[string]any {
	id := kit.Text(entry, "id")
	out := shown(entry, "stamp", "user")
	out["kind"] = "calendar#calendarListEntry"
	if out["etag"] == nil {
		out["etag"] = stampTag(epoch().UnixMicro())
	}
	if entry["deleted"] == true {
		return only(out, "kind", "etag", "id", "deleted", "accessRole", "summary", "timeZone")
	}
	if calendar, ok := c.get(calendars, id); ok {
		for _, field := range []string{"summary", "description", "location", "timeZone", "conferenceProperties", "dataOwner"} {
			if out[field] == nil && calendar[field] != nil {
				out[field] = calendar[field]
			}
		}
	}
	if role := c.role(id); role != "" {
		out["accessRole"] = role
	}
	color := kit.Text(out, "colorId")
	if color == "" {
		color = "14"
	}
	out["colorId"] = color
	if shades, ok := calendarColors()[color].(map[string]any); ok && out["backgroundColor"] == nil {
		out["backgroundColor"], out["foregroundColor"] = shades["background"], "#000000"
	}
	if out["defaultReminders"] == nil {
		out["defaultReminders"] = []any{}
	}
	if id == c.user() {
		out["primary"] = true
	}
	for _, flag := range []string{"hidden", "selected"} {
		if out[flag] == false {
			delete(out, flag)
		}
	}
	return out
}

func listEntries(c *call) (answer, *refusal) {
	stamp, syncs, refused := c.since(entries, c.user(), []string{"minAccessRole"})
	if refused != nil {
		return answer{}, refused
	}
	skip, refused := c.skipped()
	if refused != nil {
		return answer{}, refused
	}
	least := rank(c.query("minAccessRole"))
	var all []map[string]any
	for _, value := range c.entries() {
		changed, _ := value["stamp"].(int64)
		entry := c.shownEntry(value)
		switch {
		case syncs && changed <= stamp, rank(kit.Text(entry, "accessRole")) < least,
			entry["deleted"] == true && !syncs && !c.flag("showDeleted"), entry["hidden"] == true && !syncs && !c.flag("showHidden"):
		default:
			all = append(all, entry)
		}
	}
	page, more := cut(all, skip, min(c.count("maxResults", 100), usualPage))
	newest := c.newest(entries)
	value := map[string]any{"kind": "calendar#calendarList", "etag": c.stateOf(c.user()), "items": values(page)}
	if more {
		value["nextPageToken"] = c.pageToken(skip+len(page), "")
	} else {
		value["nextSyncToken"] = c.tokenAt(entries, c.user(), newest)
	}
	return many(value)
}

// stateOf is the etag of the lists of a calendar: a user's list of calendars and
// their primary calendar have the same, as recorded.
func (c *call) stateOf(of string) string {
	calendar, _ := c.get(calendars, of)
	stamp, _ := calendar["stamp"].(int64)
	if of == c.user() {
		stamp = max(stamp, c.newest(entries))
	}
	return listTag(of, stampTag(stamp))
}

func values(page []map[string]any) []any {
	items := make([]any, len(page))
	for i, item := range page {
		items[i] = item
	}
	return items
}

// entries are those of the user's list, by when they changed, as recorded; those
// of a fixture come first.
func (c *call) entries() []map[string]any {
	var all []map[string]any
	user := c.user()
	for record := range c.Tx.Oldest(name+"."+entries, 0) {
		if whose := kit.Text(record.Value(), "user"); whose == user || whose == "" && user == c.first() {
			all = append(all, record.Value())
		}
	}
	slices.SortStableFunc(all, func(a, b map[string]any) int {
		return cmp.Compare(cast.Int(a["stamp"]), cast.Int(b["stamp"]))
	})
	return all
}

// onEntry answers a call about one entry of the user's list.
func onEntry(act func(*call, map[string]any) (answer, *refusal)) handler {
	return kit.With(func(c *call) (map[string]any, *refusal) { return c.entry(c.Input.Path["calendarId"]) }, act)
}

// entry finds an entry of the user's list.
func (c *call) entry(id string) (map[string]any, *refusal) {
	if id == primary {
		id = c.user()
	}
	entry, ok := c.listed(id)
	if !ok {
		entry, ok = c.listed(c.alias(id))
	}
	if !ok || entry["deleted"] == true {
		return nil, notFound()
	}
	return entry, nil
}

func getEntry(c *call, entry map[string]any) (answer, *refusal) {
	return one(c.shownEntry(entry))
}

func insertEntry(c *call) (answer, *refusal) {
	id := kit.Text(c.Input.Body, "id")
	if id == "" {
		return answer{}, missing("Required")
	}
	calendar, refused := c.calendar(id)
	if refused != nil {
		return answer{}, refused
	}
	id = kit.Text(calendar, "id")
	entry := map[string]any{"id": id} // what the user may do, the rules say
	if old, ok := c.listed(id); ok && old["deleted"] != true {
		entry = shown(old)
	} else if role := kit.Text(old, "accessRole"); role != "" {
		entry["accessRole"] = role
	}
	if refused := c.adorn(entry, false); refused != nil {
		return answer{}, refused
	}
	listed := c.list(id, entry)
	c.notify(c.mine("/users/me/calendarList"))
	return one(c.shownEntry(listed))
}

func updateEntry(c *call) (answer, *refusal) {
	entry, refused := c.entry(c.Input.Path["calendarId"])
	if refused == nil {
		refused = c.matched(kit.Text(entry, "etag"))
	}
	if refused != nil {
		return answer{}, refused
	}
	value := maps.Clone(entry)
	if refused := c.adorn(value, c.Operation.Method == http.MethodPut); refused != nil {
		return answer{}, refused
	}
	listed := c.list(kit.Text(entry, "id"), value)
	c.notify(c.mine("/users/me/calendarList"))
	return one(c.shownEntry(listed))
}

// adorn lays what a client says over an entry.
func (c *call) adorn(entry map[string]any, replaces bool) *refusal {
	looks := []string{"summaryOverride", "colorId", "backgroundColor", "foregroundColor", "hidden", "selected", "defaultReminders", "notificationSettings"}
	if replaces {
		for _, field := range looks {
			delete(entry, field)
		}
	}
	for _, field := range looks {
		said, ok := c.Input.Body[field]
		if !ok {
			continue
		}
		if merged := merge(entry[field], said); merged != nil && merged != "" {
			entry[field] = merged
		} else {
			delete(entry, field)
		}
	}
	if color := kit.Text(c.Input.Body, "colorId"); color != "" {
		if _, known := calendarColors()[color].(map[string]any); !known {
			return invalid("Invalid color id value.")
		}
		if !c.flag("colorRgbFormat") {
			delete(entry, "backgroundColor")
			delete(entry, "foregroundColor")
		}
	}
	if c.flag("colorRgbFormat") {
		if shade := kit.Text(entry, "backgroundColor"); shade != "" {
			entry["colorId"] = nearest(shade)
		}
	} else if c.Input.Body["backgroundColor"] != nil && kit.Text(c.Input.Body, "colorId") == "" {
		delete(entry, "backgroundColor")
		delete(entry, "foregroundColor")
	}
	reminders := map[string]any{"reminders": map[string]any{"useDefault": false, "overrides": entry["defaultReminders"]}}
	if refused := checkReminders(reminders); refused != nil {
		return refused
	}
	entry["defaultReminders"] = []any{}
	if clean, _ := reminders["reminders"].(map[string]any); clean["overrides"] != nil {
		entry["defaultReminders"] = clean["overrides"]
	}
	return c.proper(entries, entry)
}

// nearest is the colour of the palette that is most like a shade.
func nearest(shade string) string {
	best, least := "14", 1<<30
	for n := 1; n <= len(calendarColors()); n++ {
		id := strconv.Itoa(n)
		color, _ := calendarColors()[id].(map[string]any)
		if d := apart(kit.Text(color, "background"), shade); d < least {
			best, least = id, d
		}
	}
	return best
}

func apart(a, b string) int {
	x, err := strconv.ParseInt(strings.TrimPrefix(a, "#"), 16, 64)
	y, err2 := strconv.ParseInt(strings.TrimPrefix(b, "#"), 16, 64)
	if err != nil || err2 != nil {
		return 1 << 29
	}
	sum := 0
	for shift := 0; shift <= 16; shift += 8 {
		d := int(x>>shift&255) - int(y>>shift&255)
		sum += d * d
	}
	return sum
}

func deleteEntry(c *call, entry map[string]any) (answer, *refusal) {
	id := kit.Text(entry, "id")
	if id == c.user() {
		return answer{}, refused403("cannotUnsubscribePrimary", "The primary calendar of a user cannot be taken off the list.")
	}
	c.unlist(id, entry)
	c.notify(c.mine("/users/me/calendarList"))
	return done()
}

// unlist takes a calendar off the list; a sync shows that it went.
func (c *call) unlist(id string, entry map[string]any) {
	value := maps.Clone(entry)
	value["deleted"] = true
	c.list(id, value)
}
