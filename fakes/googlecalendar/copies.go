package googlecalendar

import (
	"maps"
	"slices"
	"strings"

	"parity/fakes/cast"
	"parity/fakes/kit"
)

const declined = "declined"

// ownFields are those that each copy of an event has for itself; of
// extendedProperties it is the part that is private.
func ownFields() []string { return []string{"reminders", "colorId", "transparency", "visibility"} }

// foreign tells whether an event of a calendar is organized by another.
func (c *call) foreign(calendar, event map[string]any) bool {
	organizer := kit.Text(event, "organizer.email")
	return organizer != "" && !strings.EqualFold(organizer, kit.Text(calendar, "id"))
}

// copied keeps the guests' copies as their organizer's event is: each guest who
// is a user of the world has one in the primary calendar, whether anybody was
// mailed or not.
//
//	organizer's event ──written──▶ a copy for each guest (shared fields that changed)
//	guest's copy ──answered──▶ organizer's event ──▶ the other copies
func (c *call) copied(calendar, before, now map[string]any) {
	if c.quiet || now["privateCopy"] == true || c.foreign(calendar, now) || c.alone() {
		return
	}
	of, invited := kit.Text(calendar, "id"), map[string]bool{}
	c.Spend(2 * len(cast.List(now["attendees"])))
	for _, item := range cast.List(now["attendees"]) {
		if email, lives := c.resident(kit.Text(cast.Object(item), "email")); lives && email != of {
			invited[email] = now["status"] != cancelled
		}
	}
	for _, id := range []string{kit.Text(now, "id"), kit.Text(now, "recurringEventId")} {
		for _, had := range c.copiesOf(of, kit.Text(now, "iCalUID"), id) {
			if _, still := invited[had]; !still {
				invited[had] = false
			}
		}
	}
	for _, guest := range slices.Sorted(maps.Keys(invited)) {
		c.copyTo(guest, invited[guest], before, now)
	}
}

// copiesOf lists whose calendars have a copy of an event.
func (c *call) copiesOf(organizer, uid, id string) []string {
	var all []string
	for record := range c.fake.store.Find(c.Tx, events, "uid", uid) {
		event := record.Value()
		if in := calendarOf(event); in != organizer && event["id"] == id && event["privateCopy"] != true && event["status"] != cancelled {
			if _, lives := c.resident(in); lives {
				all = append(all, in)
			}
		}
	}
	return all
}

// copyTo writes a guest's copy, or cancels it where they are not invited any
// more. What they changed in it for themselves stays until the organizer
// changes the same.
func (c *call) copyTo(guest string, invited bool, before, now map[string]any) {
	c.reside(guest)
	calendar, _ := c.get(calendars, guest)
	old, there := c.get(events, c.keyOf(guest, kit.Text(now, "id")))
	there = there && calendarOf(old) == guest
	if there && old["status"] == cancelled && (!invited || response(now, guest) == declined) || !there && !invited && now["recurringEventId"] == nil {
		return
	}
	value := map[string]any{}
	if there {
		value = maps.Clone(old)
	} else {
		before = nil
	}
	for _, field := range shareable(old, now) {
		switch {
		case before != nil && field != "attendees" && field != "status" && kit.Same(before[field], now[field]):
		case now[field] == nil:
			delete(value, field)
		default:
			value[field] = now[field]
		}
	}
	if !invited {
		value["status"] = cancelled
	}
	share(value, now)
	in := c.zoneOf(calendar)
	start, _ := recorded(value["start"], in)
	end, _ := recorded(value["end"], in)
	if value["reminders"] == nil {
		value["reminders"] = c.reminders(guest, start.day != "")
	}
	if !there || !kit.Same(old, value) {
		c.store(calendar, value, start, end)
	}
}

// shareable lists the fields that an event and its copy have in common.
func shareable(of ...map[string]any) []string {
	skip := append(unseen(), ownFields()...)
	skip = append(skip, "extendedProperties", "etag", "updated", "locked")
	names := map[string]bool{}
	for _, event := range of {
		for field := range event {
			if !slices.Contains(skip, field) {
				names[field] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// share lays the extended properties that are shared over a copy's.
func share(copied, from map[string]any) {
	properties := maps.Clone(cast.Object(copied["extendedProperties"]))
	if properties == nil {
		properties = map[string]any{}
	}
	delete(properties, "shared")
	if shared := cast.Object(from["extendedProperties"])["shared"]; shared != nil {
		properties["shared"] = shared
	}
	delete(copied, "extendedProperties")
	if len(properties) > 0 {
		copied["extendedProperties"] = properties
	}
}

// response is what a guest answered.
func response(event map[string]any, guest string) string {
	for _, item := range cast.List(event["attendees"]) {
		if one := cast.Object(item); strings.EqualFold(kit.Text(one, "email"), guest) {
			return kit.Text(one, "responseStatus")
		}
	}
	return ""
}

// master finds the organizer's event of a copy, where that is in the world.
func (c *call) master(copied map[string]any) (home, event map[string]any, ok bool) {
	organizer := kit.Text(copied, "organizer.email")
	home, ok = c.get(calendars, organizer)
	if !ok || copied["privateCopy"] == true || home["deleted"] == true {
		return nil, nil, false
	}
	event, refused := c.event(home, kit.Text(copied, "id"))
	if refused != nil || c.foreign(home, event) || event["iCalUID"] != copied["iCalUID"] || event["status"] == cancelled {
		return nil, nil, false
	}
	return home, event, true
}

// answered carries a guest's change of their copy to the organizer's event: the
// answer and whom they bring always, all that is shared where guests may change
// it. It gives the copy as it is then.
func (c *call) answered(calendar, before, now map[string]any) map[string]any {
	guest := kit.Text(calendar, "id")
	c.reply(before, now, guest)
	home, master, ok := c.master(now)
	if !ok {
		return now
	}
	value := maps.Clone(master)
	value["attendees"] = answers(master, now, guest)
	if master["guestsCanModify"] == true {
		for _, field := range writable() {
			if field == "attendees" || slices.Contains(ownFields(), field) || kit.Same(before[field], now[field]) {
				continue
			}
			value[field] = now[field]
			if now[field] == nil {
				delete(value, field)
			}
		}
		value["sequence"] = max(cast.Int(master["sequence"]), cast.Int(now["sequence"]))
		share(value, now)
	}
	c.amend(home, master, value)
	if event, ok := c.get(events, c.keyOf(guest, kit.Text(now, "id"))); ok {
		return event
	}
	return now
}

// amend writes an organizer's event that a guest has changed.
func (c *call) amend(home, old, value map[string]any) {
	if kit.Same(old, value) {
		c.copied(home, old, old) // the copy may say what it may not
		return
	}
	in := c.zoneOf(home)
	start, _ := recorded(value["start"], in)
	end, _ := recorded(value["end"], in)
	c.spread(home, old, c.save(home, value, start, end))
}

// answers are an event's attendees after a guest wrote their copy: of others
// the guest changes nothing, unless guests may, but may bring somebody.
func answers(master, copied map[string]any, guest string) []any {
	known := map[string]map[string]any{}
	for _, item := range cast.List(master["attendees"]) {
		known[strings.ToLower(kit.Text(cast.Object(item), "email"))] = cast.Object(item)
	}
	modifies := master["guestsCanModify"] == true
	all, said := []any{}, map[string]bool{}
	for _, item := range cast.List(copied["attendees"]) {
		one := cast.Object(item)
		email := strings.ToLower(kit.Text(one, "email"))
		old, was := known[email]
		said[email] = true
		switch {
		case strings.EqualFold(email, guest) && (was || modifies || master["anyoneCanAddSelf"] == true):
			all = append(all, one)
		case was:
			all = append(all, old)
		case modifies || master["guestsCanInviteOthers"] != false:
			added := maps.Clone(one)
			added["responseStatus"] = needsAction
			all = append(all, added)
		}
	}
	for _, item := range cast.List(master["attendees"]) {
		if email := strings.ToLower(kit.Text(cast.Object(item), "email")); !said[email] && (!modifies || email == strings.ToLower(guest)) {
			all = append(all, item)
		}
	}
	return all
}

// decline is what the deletion of a copy means to its organizer.
func (c *call) decline(calendar, event map[string]any) {
	guest := kit.Text(calendar, "id")
	now := maps.Clone(event)
	now["attendees"] = responded(event, guest, map[string]any{"responseStatus": declined})
	c.answered(calendar, event, now)
}

// responded are an event's attendees after one answered.
func responded(event map[string]any, guest string, says map[string]any) []any {
	all := make([]any, 0, len(cast.List(event["attendees"])))
	for _, item := range cast.List(event["attendees"]) {
		one := cast.Object(item)
		if strings.EqualFold(kit.Text(one, "email"), guest) {
			one = maps.Clone(one)
			maps.Copy(one, says)
		}
		all = append(all, one)
	}
	return all
}

// reply mails the organizer what a guest answered, if the client asks for it.
func (c *call) reply(before, now map[string]any, guest string) {
	said := response(now, guest)
	if said == response(before, guest) || !c.tells() {
		return
	}
	word := map[string]string{"accepted": "Accepted", declined: "Declined", "tentative": "Tentatively accepted"}[said]
	if word != "" {
		c.post("reply", word, now, []string{kit.Text(now, "organizer.email")})
	}
}
