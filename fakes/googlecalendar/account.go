package googlecalendar

import (
	"crypto/sha1"
	"encoding/base64"
	"maps"
	"slices"
	"strings"
	"time"

	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

const (
	primary = "primary"
	me      = "me"
	// firstUser is whose primary calendar a world begins with; a fixture's
	// googlecalendar.account says another.
	firstUser = "user@example.com"
	// groupHost ends the id of every secondary calendar.
	groupHost = "@group.calendar.google.com"
	utc       = "UTC"
)

// epoch is when what a world begins with was last changed.
func epoch() time.Time { return time.Date(2025, 1, 6, 9, 0, 0, 0, time.UTC) }

// begin puts into a world one user with a primary calendar.
func (f *Fake) begin(tx *world.Tx) error {
	if _, err := tx.Insert(name+"."+accounts, me, map[string]any{"id": me, "email": firstUser, "assumed": true}); err != nil {
		return err
	}
	f.house(tx, firstUser, firstUser, utc)
	first := firstSettings()
	for _, id := range slices.Sorted(maps.Keys(first)) {
		f.store.Create(tx, settings, id, settingOf(id, first[id], epoch().UnixMicro()))
	}
	return nil
}

// house makes a user's primary calendar, with its place in the list, which is
// kept under a key, and its owner.
func (f *Fake) house(tx *world.Tx, email, key, zone string) {
	stamp := epoch().UnixMicro()
	calendar := map[string]any{
		"kind": "calendar#calendar", "id": email, "summary": email, "timeZone": zone, "conferenceProperties": meets(), "updated": millis(epoch()), "stamp": stamp,
	}
	calendar["etag"] = digest(calendar)
	f.found(tx, calendars, email, calendar)
	entry := map[string]any{
		"kind": "calendar#calendarListEntry", "etag": stampTag(stamp), "stamp": stamp, "id": email, "accessRole": "owner", "primary": true,
		"selected": true, "colorId": "14", "defaultReminders": []any{map[string]any{"method": "popup", "minutes": int64(30)}},
		"notificationSettings": map[string]any{"notifications": []any{
			map[string]any{"type": "eventCreation", "method": "email"},
			map[string]any{"type": "eventChange", "method": "email"},
			map[string]any{"type": "eventCancellation", "method": "email"},
			map[string]any{"type": "eventResponse", "method": "email"},
		}},
	}
	if key != email {
		entry["user"] = email
	}
	f.found(tx, entries, key, entry)
	f.found(tx, rules, email+"/user:"+email, ruleOf(email, "owner", map[string]any{"type": "user", "value": email}, stamp))
}

// found makes a record where there is none.
func (f *Fake) found(tx *world.Tx, collection, id string, value map[string]any) {
	if _, there := f.store.Get(tx, collection, id); !there {
		f.store.Create(tx, collection, id, value)
	}
}

func meets() map[string]any {
	return map[string]any{"allowedConferenceSolutionTypes": []any{"hangoutsMeet"}}
}

// evict takes away the calendar of the first user, where nobody is.
func (f *Fake) evict(tx *world.Tx) {
	for _, at := range [][2]string{{calendars, firstUser}, {entries, firstUser}, {rules, firstUser + "/user:" + firstUser}} {
		if _, there := f.store.Get(tx, at[0], at[1]); there {
			f.store.Delete(tx, at[0], at[1])
		}
	}
}

// calendar finds a calendar by its id, by "primary", or by another address of
// the same one.
func (c *call) calendar(id string) (map[string]any, *refusal) {
	if id == primary {
		id = c.user()
	}
	calendar, ok := c.get(calendars, id)
	if !ok {
		calendar, ok = c.get(calendars, c.alias(id))
	}
	if email, lives := c.resident(id); !ok && lives {
		c.reside(email)
		calendar, ok = c.get(calendars, email)
	}
	if !ok || calendar["deleted"] == true || c.role(kit.Text(calendar, "id")) == "" {
		return nil, notFound()
	}
	return calendar, nil
}

// alias gives the id of the calendar that has another address too.
func (c *call) alias(address string) string {
	account, _ := c.get(accounts, me)
	return cast.Text(cast.Object(account["aliases"])[address])
}

// reachable finds the calendar that a path names, for a user with a role.
func (c *call) reachable(role string) (map[string]any, *refusal) {
	calendar, refused := c.calendar(c.Input.Path["calendarId"])
	if refused != nil {
		return nil, refused
	}
	if rank(c.role(kit.Text(calendar, "id"))) < rank(role) {
		return nil, lowAccess(role)
	}
	return calendar, nil
}

// on answers a call about a calendar for which one needs a role.
func on(role string, act func(*call, map[string]any) (answer, *refusal)) handler {
	return kit.With(func(c *call) (map[string]any, *refusal) { return c.reachable(role) }, act)
}

// role is what the user may do with a calendar; "" is nothing.
func (c *call) role(calendar string) string {
	user := c.user()
	if calendar == user {
		return "owner"
	}
	best := ""
	if entry, ok := c.listed(calendar); ok {
		best = kit.Text(entry, "accessRole")
	}
	for _, id := range []string{"user:" + user, "domain:" + domainOf(user), "default"} {
		if rule, ok := c.get(rules, calendar+"/"+id); ok && rank(kit.Text(rule, "role")) > rank(best) {
			best = kit.Text(rule, "role")
		}
	}
	return best
}

func domainOf(email string) string {
	_, domain, _ := strings.Cut(email, "@")
	return domain
}

func rank(role string) int {
	switch role {
	case "owner":
		return 5
	case "writer":
		return 4
	case "writerWithoutPrivateAccess":
		return 3
	case "reader":
		return 2
	case "freeBusyReader":
		return 1
	}
	return 0
}

// digest is the etag of a value that has no time of change.
func digest(value map[string]any) string {
	bare := maps.Clone(value)
	for _, unseen := range []string{"etag", "updated", "stamp", "seen", "busy"} {
		delete(bare, unseen)
	}
	sum := sha1.Sum(world.Encode(bare)) // as long as Google's
	return `"` + base64.RawURLEncoding.EncodeToString(sum[:]) + `"`
}

// shown gives the fields of a record that the API has.
func shown(value map[string]any, unseen ...string) map[string]any {
	out := maps.Clone(value)
	for _, field := range unseen {
		delete(out, field)
	}
	return out
}
