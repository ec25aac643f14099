package googlecalendar

import (
	"maps"
	"slices"
	"strings"

	"parity/fakes"
	"parity/fakes/kit"
)

// bearer gives what is known of the call's token.
func (c *call) bearer() (kit.Token, bool) {
	if !c.asked {
		c.token, c.known = c.fake.tokens.Of(c.Call)
		c.asked = true
	}
	return c.token, c.known
}

// first is the user for whom a token acts that stands for nobody: the first
// whom a fixture or a recording named, else the one that a world begins with,
// who then makes room.
func (c *call) first() string {
	if c.main != "" {
		return c.main
	}
	c.main = firstUser
	for record := range c.Tx.Oldest(name+"."+accounts, 0) {
		if record.Value()["assumed"] != true {
			c.main = kit.Text(record.Value(), "email")
			break
		}
	}
	if c.Identity == fakes.Fixture {
		return c.main // there may be more to come
	}
	c.Tx.ByItself(func() {
		c.reside(c.main)
		if c.main != firstUser {
			c.fake.evict(c.Tx)
		}
	})
	return c.main
}

// user is the address of the user who calls: whom the token stands for, else
// the first.
func (c *call) user() string {
	if c.email != "" {
		return c.email
	}
	c.email = c.first()
	token, known := c.bearer()
	if !known || c.Identity == fakes.Fixture || token.Subject == "" {
		return c.email
	}
	subject := token.Subject
	if account, ok := c.get(accounts, subject); ok {
		subject = kit.Text(account, "email")
	}
	email, lives := c.resident(subject)
	if !lives {
		email = subject
		c.Tx.ByItself(func() { c.put(accounts, email, map[string]any{"id": email, "email": email, "assumed": true}) })
	}
	c.email = email
	c.Tx.ByItself(func() { c.reside(email) })
	return c.email
}

// resident finds the user of the world who has an address.
func (c *call) resident(address string) (email string, lives bool) {
	for _, spelt := range []string{address, strings.ToLower(address)} {
		for record := range c.fake.store.Find(c.Tx, accounts, "email", spelt) {
			if record.ID != me || record.Value()["assumed"] != true || c.first() == firstUser {
				return spelt, true
			}
		}
	}
	return "", false
}

// alone tells whether the world has one user: then nobody has copies.
func (c *call) alone() bool {
	n := 0
	for record := range c.Tx.Oldest(name+"."+accounts, 0) {
		if _, lives := c.resident(kit.Text(record.Value(), "email")); lives {
			n++
		}
		if n > 1 {
			return false
		}
	}
	return true
}

// reside makes the primary calendar of a user who has none yet, and lists what
// a fixture made theirs.
func (c *call) reside(email string) {
	key := c.entryKey(email, email)
	if _, housed := c.get(entries, key); housed {
		return
	}
	zone := utc
	for record := range c.fake.store.Find(c.Tx, accounts, "email", email) {
		if named, ok := c.zone(kit.Text(record.Value(), "timeZone")); ok {
			zone = named.String()
		}
	}
	c.fake.house(c.Tx, email, key, zone)
	if key == email {
		return
	}
	for record := range c.Tx.Oldest(name+"."+calendars, 0) {
		if kit.Text(record.Value(), "dataOwner") == email {
			c.fake.found(c.Tx, entries, c.entryKey(email, record.ID), map[string]any{
				"kind": "calendar#calendarListEntry", "etag": stampTag(epoch().UnixMicro()), "stamp": epoch().UnixMicro(), "id": record.ID, "user": email, "selected": true,
			})
		}
	}
}

// entryKey is where the place of a calendar in a user's list is kept: under the
// calendar's id in the first user's, and under the user's address too in those
// of others.
func (c *call) entryKey(user, calendar string) string {
	if user == c.first() {
		return calendar
	}
	return user + "/" + calendar
}

// listed gives the place of a calendar in the user's own list.
func (c *call) listed(calendar string) (map[string]any, bool) {
	return c.get(entries, c.entryKey(c.user(), calendar))
}

// forget takes a calendar that is gone off all lists.
func (c *call) forget(calendar string) {
	stamp := max(c.Now.UnixMicro(), c.newest(entries)+1)
	for record := range c.Tx.Oldest(name+"."+entries, 0) {
		if kit.Text(record.Value(), "id") != calendar {
			continue
		}
		entry := maps.Clone(record.Value())
		entry["deleted"], entry["stamp"], entry["etag"] = true, stamp, stampTag(stamp)
		c.put(entries, record.ID, entry)
	}
}

// mine is the path of a collection of the user's own, as channels watch it.
func (c *call) mine(path string) string {
	if c.user() == c.first() {
		return path
	}
	return strings.Replace(path, "/users/me/", "/users/"+c.user()+"/", 1)
}

// impersonated is whom a service account acts for: the user whom it names, who
// has to be one where the world says which there are, else itself.
// Source: developers.google.com/identity/protocols/oauth2/service-account.
func (c *call) impersonated(assertion string) (string, *refusal) {
	var claims struct{ Iss, Sub string }
	if parts := strings.Split(assertion, "."); len(parts) != 3 || !decoded(parts[1], &claims) {
		return "", nil
	}
	switch _, lives := c.resident(claims.Sub); {
	case claims.Sub == "" && !strings.Contains(claims.Iss, "@"):
		return "", nil
	case claims.Sub == "":
		return claims.Iss, nil
	case !lives && c.first() != firstUser:
		return "", oauthError(400, "invalid_grant", "Invalid email or User ID")
	}
	return claims.Sub, nil
}

// adopt completes the events that a fixture put there as they stand: those of a
// calendar, and where there are several users all, since they may be guests of
// each other. It is nobody's act.
func (c *call) adopt(calendar map[string]any) {
	c.Tx.ByItself(func() { c.adoptAll(calendar) })
}

func (c *call) adoptAll(calendar map[string]any) {
	if c.alone() {
		c.adoptFrom(calendar)
		return
	}
	var left []string
	for named := range c.Tx.Texts(name+"."+events, "calendar") {
		left = append(left, named)
	}
	slices.Sort(left) // texts come in no order that is told
	for _, named := range left {
		if named == primary {
			named = c.first()
		}
		if email, lives := c.resident(named); lives {
			c.reside(email)
			named = email
		}
		if of, ok := c.get(calendars, named); ok {
			c.adoptFrom(of)
		}
	}
}

func (c *call) adoptFrom(calendar map[string]any) {
	id := kit.Text(calendar, "id")
	names := []string{id}
	if id == c.first() {
		names = append(names, primary)
	}
	for _, named := range names {
		for record := range c.Tx.Find(name+"."+events, "calendar", named, 0) {
			c.fake.store.Update(c.Tx, events, record.ID, c.completed(calendar, record.Value()))
			c.stir(id, instantOf(record.Value(), "updated"))
			if event, ok := c.get(events, record.ID); ok {
				c.copied(calendar, nil, event)
			}
		}
	}
}
