package googlecalendar

import (
	"encoding/json"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"parity/fakes"
	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
	"parity/specs"
)

// Import puts into the world what the real service answered: whose calendars
// these are, how they are called, and the events that were read.
func (f *Fake) Import(fc *fakes.Call, status int, body []byte) {
	var decoded map[string]any
	if fc.Operation.Method == http.MethodPost && fc.Operation.Effect != specs.Read {
		return // it shows what the call itself made
	}
	if status != http.StatusOK || json.Unmarshal(body, &decoded) != nil {
		return
	}
	value, ok := world.Normalise(decoded).(map[string]any)
	if !ok {
		return
	}
	c := &call{Call: fc, fake: f, zones: map[string]*time.Location{}}
	path := fc.Input.Path["calendarId"]
	switch kit.Text(value, "kind") {
	case "calendar#calendar":
		c.learn(path, value)
	case "calendar#calendarList":
		for _, item := range cast.List(value["items"]) {
			if entry, ok := item.(map[string]any); ok && entry["primary"] == true {
				c.become(kit.Text(entry, "id"))
			}
		}
		for _, item := range cast.List(value["items"]) {
			if entry, ok := item.(map[string]any); ok {
				c.learnEntry(entry)
			}
		}
		c.learnToken(entries, value, c.newest(entries))
	case "calendar#calendarListEntry":
		if entry := value; entry["primary"] == true {
			c.become(kit.Text(entry, "id"))
		}
		c.learnEntry(value)
	case "calendar#events":
		c.learnEvents(path, value)
	case "calendar#event":
		if calendar, refused := c.calendar(path); refused == nil {
			c.learnEvent(calendar, value)
		}
	case "calendar#freeBusy":
		c.learnBusy(value)
	case "calendar#acl":
		for _, item := range cast.List(value["items"]) {
			if rule, ok := item.(map[string]any); ok {
				c.learnRule(path, rule)
			}
		}
	case "calendar#setting":
		c.learnSetting(value)
	case "calendar#settings":
		for _, item := range cast.List(value["items"]) {
			if setting, ok := item.(map[string]any); ok {
				c.learnSetting(setting)
			}
		}
	}
}

// become makes the user of the world the one whose calendars are read, if
// nobody said before who it is.
func (c *call) become(email string) {
	if email == "" || c.user() != firstUser || email == firstUser {
		return
	}
	account, _ := c.get(accounts, me)
	known := maps.Clone(account)
	known["email"], known["assumed"] = email, false
	c.put(accounts, me, known)
	c.email, c.main = "", ""
	c.user()
}

// sound tells whether a value would pass the contract as a record.
func (c *call) sound(collection string, value map[string]any) bool {
	return len(c.fake.contract.CheckRecord(collection, value)) == 0
}

// learn takes a calendar in. One that was read by another address than its own
// has that too.
func (c *call) learn(path string, value map[string]any) {
	id := kit.Text(value, "id")
	if id == "" {
		return
	}
	if path == primary || !strings.Contains(id, ".calendar.google.com") && path == id {
		c.become(id)
	}
	if path != id && path != primary {
		account, _ := c.get(accounts, me)
		known := maps.Clone(account)
		aliases := map[string]any{}
		if before, ok := known["aliases"].(map[string]any); ok {
			maps.Copy(aliases, before)
		}
		aliases[path] = id
		known["aliases"] = aliases
		c.put(accounts, me, known)
	}
	c.settle(id, value)
	if c.role(id) == "" {
		c.put(rules, id+"/user:"+c.user(), ruleOf(id, "owner", map[string]any{"type": "user", "value": c.user()}, epoch().UnixMicro()))
	}
}

// settle writes what was seen of a calendar over what was assumed of it. What
// was seen before stays.
func (c *call) settle(id string, seen map[string]any) {
	old, known := c.get(calendars, id)
	value := map[string]any{"kind": "calendar#calendar", "id": id, "summary": id, "timeZone": utc, "conferenceProperties": meets(), "updated": millis(epoch()), "stamp": epoch().UnixMicro()}
	if known {
		if old["dataOwner"] != nil {
			return // it was made in this world
		}
		maps.Copy(value, old)
	}
	already := map[string]any{}
	if before, ok := value["seen"].(map[string]any); ok {
		maps.Copy(already, before)
	}
	for _, field := range []string{"summary", "description", "location", "timeZone", "conferenceProperties", "etag"} {
		if seen[field] != nil && seen[field] != "" && already[field] == nil {
			value[field], already[field] = seen[field], true
		}
	}
	if value["etag"] == nil {
		value["etag"] = digest(value)
	}
	if updated := instantOf(seen, "updated"); seen["updated"] != nil && already["updated"] == nil {
		value["updated"], value["stamp"], already["updated"] = millis(updated), updated.UnixMicro(), true
	}
	value["seen"] = already
	if c.sound(calendars, value) {
		c.put(calendars, id, value)
	}
}

func (c *call) learnEntry(entry map[string]any) {
	id := kit.Text(entry, "id")
	if id == "" || !c.sound(entries, shown(entry)) {
		return
	}
	if _, known := c.get(calendars, id); !known || id == c.user() {
		seen := only(entry, "summary", "description", "location", "timeZone", "conferenceProperties")
		c.settle(id, seen)
	}
	if old, known := c.get(entries, id); known && (id != c.user() || old["stamp"] != epoch().UnixMicro()) {
		return
	}
	value := shown(entry)
	value["stamp"] = epoch().UnixMicro()
	if stamp, err := strconv.ParseInt(trim(kit.Text(entry, "etag")), 10, 64); err == nil && stamp > 0 {
		value["stamp"] = stamp
	}
	c.put(entries, id, value)
}

// learnEvents takes a list of events in: first the calendar, as the list's
// envelope describes it.
func (c *call) learnEvents(path string, value map[string]any) {
	of := path
	if path == primary {
		for _, item := range cast.List(value["items"]) {
			event, _ := item.(map[string]any)
			if organizer, ok := event["organizer"].(map[string]any); ok && organizer["self"] == true {
				c.become(kit.Text(organizer, "email"))
			}
		}
		if summary := kit.Text(value, "summary"); strings.Contains(summary, "@") {
			c.become(summary) // a primary calendar is called by its address, unless somebody renamed it
		}
		of = c.user()
	}
	if alias := c.alias(of); alias != "" {
		of = alias
	}
	c.settle(of, only(value, "summary", "description", "timeZone", "updated"))
	if role := kit.Text(value, "accessRole"); role != "" && c.role(of) == "" {
		c.put(rules, of+"/user:"+c.user(), ruleOf(of, role, map[string]any{"type": "user", "value": c.user()}, epoch().UnixMicro()))
	}
	if entry, ok := c.get(entries, of); ok && value["defaultReminders"] != nil {
		changed := maps.Clone(entry)
		changed["defaultReminders"] = value["defaultReminders"]
		if c.sound(entries, changed) {
			c.put(entries, of, changed)
		}
	}
	calendar, refused := c.calendar(of)
	if refused != nil {
		return
	}
	for _, item := range cast.List(value["items"]) {
		if event, ok := item.(map[string]any); ok {
			c.learnEvent(calendar, event)
		}
	}
	c.learnToken(events+":"+kit.Text(calendar, "id"), value, cast.Int(calendar["stamp"]))
}

// learnToken takes the sync token of a list in, with the state it stands for; of
// a page that others follow, the token of the next, with where that begins.
// The first that is seen counts: later ones are of what the client changed.
func (c *call) learnToken(of string, value map[string]any, stamp int64) {
	token := kit.Text(value, "nextSyncToken")
	if next := kit.Text(value, "nextPageToken"); next != "" {
		skip := len(cast.List(value["items"]))
		if asked := c.query("pageToken"); asked != "" {
			before, ok := c.seenPage(asked)
			if !ok {
				return
			}
			skip += before
		}
		token, of, stamp = next, c.pageKey(skip), int64(skip)
	}
	if before, _ := c.seenToken(of); token == "" || before != "" {
		return
	}
	account, _ := c.get(accounts, me)
	known, lists := maps.Clone(account), map[string]any{}
	if before, ok := known["synced"].(map[string]any); ok {
		maps.Copy(lists, before)
	}
	lists[of] = map[string]any{"token": token, "stamp": stamp}
	known["synced"] = lists
	c.put(accounts, me, known)
}

// learnEvent takes an event in as it was read.
func (c *call) learnEvent(calendar, event map[string]any) {
	of, id := kit.Text(calendar, "id"), kit.Text(event, "id")
	if id == "" {
		return
	}
	key := c.keyOf(of, id)
	if _, known := c.get(events, key); known || c.follows(calendar, event) {
		return
	}
	value := shown(event, "htmlLink")
	for _, field := range []string{"creator", "organizer"} {
		if person, ok := value[field].(map[string]any); ok {
			value[field] = shown(person, "self")
			if strings.HasSuffix(kit.Text(person, "email"), groupHost) {
				value[field] = only(person, "id", "email")
			}
		}
	}
	if attendees := cast.List(value["attendees"]); attendees != nil {
		plain := make([]any, len(attendees))
		for i, attendee := range attendees {
			plain[i] = c.guestOf(cast.Object(attendee), of, kit.Text(event, "organizer.email"))
		}
		value["attendees"] = plain
	}
	if value["status"] == cancelled && value["summary"] == nil && value["transparency"] == "transparent" {
		value["bare"] = true
	}
	complete := c.completed(calendar, value)
	if c.sound(events, complete) {
		c.put(events, key, complete)
	}
}

// guestOf is a guest as a record has one: what shows by the address is not kept.
func (c *call) guestOf(attendee map[string]any, of, organizer string) map[string]any {
	plain, email := maps.Clone(attendee), kit.Text(attendee, "email")
	if strings.EqualFold(email, of) {
		delete(plain, "self")
	}
	if strings.EqualFold(email, organizer) {
		delete(plain, "organizer")
	}
	return plain
}

// follows tells whether an instance is as its series says: then it needs no record.
func (c *call) follows(calendar, event map[string]any) bool {
	if event["recurringEventId"] == nil {
		return false
	}
	mine, ok := c.derived(calendar, kit.Text(event, "id"))
	if !ok {
		return false
	}
	told := shown(c.shownEvent(calendar, mine, c.zoneOf(calendar)), "etag", "updated", "htmlLink", "start", "end", "originalStartTime")
	for name, value := range told {
		if !reflect.DeepEqual(event[name], value) {
			return false
		}
	}
	for _, name := range []string{"start", "end"} {
		one, ok := recorded(event[name], c.zoneOf(calendar))
		other, there := recorded(mine[name], c.zoneOf(calendar))
		if !ok || !there || !one.at.Equal(other.at) {
			return false
		}
	}
	return true
}

// learnBusy takes in when calendars are busy, where no event is known that says
// so. What the conversation makes itself is as busy either way.
func (c *call) learnBusy(value map[string]any) {
	asked, _ := value["calendars"].(map[string]any)
	for _, id := range slices.Sorted(maps.Keys(asked)) {
		calendar, refused := c.calendar(id)
		answer, _ := asked[id].(map[string]any)
		if refused != nil || len(cast.List(answer["busy"])) == 0 {
			continue
		}
		known := cast.List(calendar["busy"])
		for _, item := range cast.List(answer["busy"]) {
			between, _ := item.(map[string]any)
			start, end := instantOf(between, "start"), instantOf(between, "end")
			if !start.Before(end) || slices.ContainsFunc(c.busy(calendar, start, end, time.UTC), func(taken any) bool {
				covered, _ := taken.(map[string]any)
				return instantOf(covered, "start").Equal(start) && instantOf(covered, "end").Equal(end)
			}) {
				continue
			}
			known = append(slices.Clip(known), map[string]any{"start": millis(start), "end": millis(end)})
		}
		changed := maps.Clone(calendar)
		changed["busy"] = known
		if len(known) > 0 && c.sound(calendars, changed) {
			c.put(calendars, kit.Text(calendar, "id"), changed)
		}
	}
}

func (c *call) learnRule(path string, rule map[string]any) {
	calendar, refused := c.calendar(path)
	scope, _ := rule["scope"].(map[string]any)
	if refused != nil || scope == nil {
		return
	}
	value := shown(rule)
	value["calendar"], value["stamp"] = calendar["id"], epoch().UnixMicro()
	if key := kit.Text(calendar, "id") + "/" + ruleID(scope); c.sound(rules, value) {
		c.put(rules, key, value)
	}
}

func (c *call) learnSetting(setting map[string]any) {
	if id := kit.Text(setting, "id"); id != "" && c.sound(settings, setting) {
		c.put(settings, id, shown(setting))
	}
}
