package googlecalendar

import (
	"maps"
	"strings"

	"parity/fakes/cast"
	"parity/fakes/kit"
)

// writable lists the fields of an event that a client may set whatever its
// query says.
func writable() []string {
	return []string{
		"summary", "description", "location", "colorId", "start", "end", "endTimeUnspecified", "recurrence", "status", "transparency",
		"visibility", "attendees", "attendeesOmitted", "extendedProperties", "anyoneCanAddSelf", "guestsCanInviteOthers", "guestsCanModify",
		"guestsCanSeeOtherGuests", "reminders", "source", "gadget", "eventLabelId", "birthdayProperties", "focusTimeProperties",
		"outOfOfficeProperties", "workingLocationProperties",
	}
}

// kept lists what a replacement leaves as it is.
func kept() []string {
	return append([]string{
		"kind", "id", "created", "creator", "organizer", "iCalUID", "sequence", "recurringEventId", "originalStartTime", "eventType",
		"conferenceData", "hangoutLink", "attachments", "privateCopy", "locked", "etag", "updated",
	}, unseen()...)
}

// drafted lays what a client sent over an event: over all of it, or, where it
// replaces the event, over what cannot be changed.
func (c *call) drafted(old, body map[string]any, replaces bool) map[string]any {
	value := maps.Clone(old)
	if replaces {
		value = only(old, kept()...)
	}
	names := writable()
	if c.flag("supportsAttachments") {
		names = append(names, "attachments")
	}
	for _, field := range names {
		change, said := body[field]
		if !said {
			continue
		}
		if settings, ok := change.(map[string]any); ok && field == "reminders" && settings["useDefault"] == true {
			value[field] = settings // the overrides of before go with it
		} else if merged := merge(value[field], change); merged != nil {
			value[field] = merged
		} else {
			delete(value, field)
		}
	}
	return value
}

// merge lays a change over a value: objects field by field, lists whole; null
// takes away.
func merge(old, change any) any {
	changes, ok := change.(map[string]any)
	if !ok {
		return change
	}
	before, _ := old.(map[string]any)
	value := make(map[string]any, len(before)+len(changes))
	maps.Copy(value, before)
	for field, inner := range changes {
		if merged := merge(before[field], inner); merged != nil {
			value[field] = merged
		} else {
			delete(value, field)
		}
	}
	return value
}

// checked holds a drafted event against Google's rules, and gives it as it is
// kept.
func (c *call) checked(calendar, value map[string]any) (start, end moment, refused *refusal) {
	in, zoneName := c.zoneOf(calendar), kit.Text(calendar, "timeZone")
	recurs := value["recurrence"] != nil && len(cast.List(value["recurrence"])) > 0
	if value["end"] == nil {
		return start, end, missing("Missing end time.")
	}
	if value["start"] == nil {
		return start, end, missing("Missing start time.")
	}
	if start, refused = c.moment(value["start"], "start", in, zoneName, recurs); refused != nil {
		return start, end, refused
	}
	if end, refused = c.moment(value["end"], "end", in, zoneName, recurs); refused != nil {
		return start, end, refused
	}
	switch {
	case (start.day == "") != (end.day == ""):
		return start, end, invalid("Start and end times must either both be date or both be dateTime.")
	case end.at.Before(start.at):
		return start, end, emptyRange()
	}
	value["start"], value["end"] = start.kept(), end.kept()
	if !recurs {
		delete(value, "recurrence")
	} else if !c.ruled(start, cast.List(value["recurrence"])) {
		return start, end, invalid("Invalid recurrence rule.")
	}
	for _, check := range []func(map[string]any) *refusal{checkAttendees, checkReminders, checkLook, checkAttachments} {
		if refused := check(value); refused != nil {
			return start, end, refused
		}
	}
	c.tidy(calendar, value, start.day != "")
	return start, end, nil
}

// proper refuses what is of a wrong type in the parts of a record that its
// operation's contract leaves open.
func (c *call) proper(collection string, value map[string]any) *refusal {
	if wrong := c.fake.contract.CheckRecord(collection, value); len(wrong) > 0 {
		return invalid("Invalid value for: " + last(wrong[0].Pointer))
	}
	return nil
}

// checkAttendees reads who is invited. What is no choice of the client is left
// out.
func checkAttendees(value map[string]any) *refusal {
	attendees := make([]any, 0, len(cast.List(value["attendees"])))
	seen := map[string]bool{}
	for _, item := range cast.List(value["attendees"]) {
		given, _ := item.(map[string]any)
		email := strings.TrimSpace(kit.Text(given, "email"))
		if email == "" {
			return missing("Missing attendee email.")
		}
		if local, domain, ok := strings.Cut(email, "@"); !ok || local == "" || domain == "" || strings.ContainsAny(email, " \t<>,") {
			return invalid("Invalid attendee email.")
		}
		if seen[strings.ToLower(email)] {
			continue
		}
		seen[strings.ToLower(email)] = true
		one := map[string]any{"email": email, "responseStatus": needsAction}
		for _, field := range []string{"displayName", "comment", "responseStatus"} {
			if text := kit.Text(given, field); text != "" {
				one[field] = text
			}
		}
		for _, field := range []string{"optional", "resource"} {
			if given[field] == true {
				one[field] = true
			}
		}
		if guests, _ := given["additionalGuests"].(int64); guests > 0 {
			one["additionalGuests"] = guests
		}
		attendees = append(attendees, one)
	}
	delete(value, "attendees")
	if len(attendees) > 0 {
		value["attendees"] = attendees
	}
	return nil
}

// mostReminders is how many reminders one event may have.
// Source: developers.google.com/workspace/calendar/api/concepts/reminders.
const mostReminders = 5

func checkReminders(value map[string]any) *refusal {
	given, ok := value["reminders"].(map[string]any)
	if !ok {
		return nil
	}
	overrides := cast.List(given["overrides"])
	usual := given["useDefault"] == true
	switch {
	case usual && len(overrides) > 0:
		r := refused(400, "cannotUseDefaultRemindersAndSpecifyOverride", "Cannot specify both default reminders and overrides at the same time.")
		r.domain = ofCalendar
		return r
	case len(overrides) > mostReminders:
		return invalid("Invalid reminder overrides: there may be at most %d.", mostReminders)
	}
	reminders := make([]any, 0, len(overrides))
	for _, item := range overrides {
		one, refused := reminder(item)
		if refused != nil {
			return refused
		}
		reminders = append(reminders, one)
	}
	clean := map[string]any{"useDefault": usual}
	if len(reminders) > 0 {
		clean["overrides"] = reminders
	}
	value["reminders"] = clean
	return nil
}

func reminder(item any) (map[string]any, *refusal) {
	given, _ := item.(map[string]any)
	method := kit.Text(given, "method")
	minutes, ok := given["minutes"].(int64)
	switch {
	case method == "":
		return nil, missing("Missing reminder method.")
	case method != "email" && method != "popup":
		return nil, invalid("Invalid reminder method.")
	case !ok:
		return nil, missing("Missing reminder minutes.")
	case minutes < 0 || minutes > 40320:
		return nil, invalid("Invalid reminder minutes.")
	}
	return map[string]any{"method": method, "minutes": minutes}, nil
}

// checkLook holds the small choices of an event against what there is.
func checkLook(value map[string]any) *refusal {
	if color := kit.Text(value, "colorId"); color != "" {
		if _, known := eventColors()[color].(map[string]any); !known {
			return invalid("Invalid color id value.")
		}
	}
	return nil
}

func checkAttachments(value map[string]any) *refusal {
	given := cast.List(value["attachments"])
	if len(given) > 25 {
		return invalid("Too many attachments: an event may have at most 25.")
	}
	attachments := make([]any, 0, len(given))
	for _, item := range given {
		attachment, _ := item.(map[string]any)
		if kit.Text(attachment, "fileUrl") == "" {
			return missing("Missing attachment file URL.")
		}
		attachments = append(attachments, only(attachment, "fileUrl", "title", "mimeType", "iconLink", "fileId"))
	}
	delete(value, "attachments")
	if len(attachments) > 0 {
		value["attachments"] = attachments
	}
	return nil
}

// tidy leaves out what is empty or as it is anyway: Google shows none of it.
func (c *call) tidy(calendar, value map[string]any, allDay bool) {
	for field, usual := range map[string]any{
		"summary": "", "description": "", "location": "", "colorId": "", "transparency": "opaque", "visibility": "default", "anyoneCanAddSelf": false,
		"guestsCanInviteOthers": true, "guestsCanModify": false, "guestsCanSeeOtherGuests": true, "endTimeUnspecified": false, "attendeesOmitted": false,
	} {
		if value[field] == usual {
			delete(value, field)
		}
	}
	if value["status"] == nil {
		value["status"] = confirmed
	}
	if value["reminders"] == nil {
		value["reminders"] = c.reminders(kit.Text(calendar, "id"), allDay)
	}
	if source, ok := value["source"].(map[string]any); ok {
		value["source"] = only(source, "title", "url")
	}
	if extended, ok := value["extendedProperties"].(map[string]any); ok {
		clean := map[string]any{}
		for _, kind := range []string{"private", "shared"} {
			if properties, ok := extended[kind].(map[string]any); ok && len(properties) > 0 {
				clean[kind] = texts(properties)
			}
		}
		delete(value, "extendedProperties")
		if len(clean) > 0 {
			value["extendedProperties"] = clean
		}
	}
}

// texts leaves out what is null.
func texts(properties map[string]any) map[string]any {
	clean := make(map[string]any, len(properties))
	for field, value := range properties {
		if text, ok := value.(string); ok {
			clean[field] = text
		}
	}
	return clean
}
