package zendesk

import (
	"strings"

	"parity/fakes/cast"
)

// channels are the numbers by which conditions name how a ticket came in.
// Source: developer.zendesk.com/documentation/ticketing/reference-guides/via-types.
var channels = map[string]string{"web": "0", "email": "4", "mail": "4", "api": "5", "rule": "8", "follow_up": "27", "chat": "29", "sms": "57", "native_messaging": "75"}

// numbers are the values that old rules, and policies, name by numbers.
var numbers = map[string]map[string]string{
	"status_id":      {"0": "new", "1": "open", "2": "pending", "6": "hold", "3": "solved", "4": "closed"},
	"priority_id":    {"0": "", "1": "low", "2": "normal", "3": "high", "4": "urgent"},
	"ticket_type_id": {"0": "", "1": "question", "2": "incident", "3": "problem", "4": "task"},
}

// byName gives a field and its value as they are called now.
func byName(field, value string) (string, string) {
	of, old := numbers[field]
	if !old {
		return field, value
	}
	if known, ok := of[value]; ok {
		value = known
	}
	if field == "ticket_type_id" {
		return "type", value
	}
	return strings.TrimSuffix(field, "_id"), value
}

// meant resolves who is meant by a value such as current_user.
func (c *call) meant(want string, ticket map[string]any) string {
	switch want {
	case "current_user":
		return key(c.callerID())
	case "requester_id", "assignee_id", "group_id":
		return cast.Plain(ticket[want])
	}
	return want
}

// mine tells whether a ticket is of one of the caller's groups.
func (c *call) mine(ticket map[string]any) bool {
	for r := range c.Tx.Find(full(memberships), "user_id", key(c.callerID()), 0) {
		if id(r.Value(), "group_id") == id(ticket, "group_id") {
			return true
		}
	}
	return false
}

// text is a field of a ticket as conditions compare it. Custom fields, and fields
// of the requester and of the organization, are named by prefixes.
func (c *call) text(field string, ticket map[string]any) string {
	if ticket == nil {
		return ""
	}
	for _, prefix := range []string{"custom_fields_", "ticket_fields_"} {
		if name, ok := strings.CutPrefix(field, prefix); ok {
			n, _ := whole(name)
			return cast.Plain(fieldsByID(ticket["custom_fields"])[n])
		}
	}
	if name, ok := strings.CutPrefix(field, "organization.custom_fields."); ok {
		of, _ := c.find(organizations, id(ticket, "organization_id"))
		return cast.Plain(cast.Object(value(of)["organization_fields"])[name])
	}
	if name, ok := strings.CutPrefix(field, "requester.custom_fields."); ok {
		who, _ := c.find(users, id(ticket, "requester_id"))
		return cast.Plain(cast.Object(value(who)["user_fields"])[name])
	}
	if name, ok := strings.CutPrefix(field, "user.custom_fields."); ok {
		return cast.Plain(cast.Object(c.caller()["user_fields"])[name])
	}
	switch field {
	case "via_id", "via_type":
		channel := cast.Text(cast.Object(ticket["via"])["channel"])
		return orDefault(channels[channel], channel)
	case "locale_id":
		who, _ := c.find(users, id(ticket, "requester_id"))
		return cast.Plain(value(who)["locale_id"])
	case "ticket_is_public":
		if ticket["is_public"] == true {
			return "public"
		}
		return "private"
	case "exact_created_at":
		at, _ := moment(cast.Text(ticket["created_at"]))
		return key(at.Unix())
	case "in_business_hours", "within_schedule": // no schedule is modelled: all hours are business hours
		return "true"
	case "reopens", "replies", "agent_stations", "group_stations", "assignee_stations":
		return cast.Plain(c.metrics(id(ticket, "id"))[strings.Replace(field, "agent_s", "assignee_s", 1)])
	}
	if n := id(ticket, field); strings.HasSuffix(field, "_id") && field != "external_id" {
		if n == 0 {
			return ""
		}
		return key(n)
	}
	return cast.Plain(ticket[field])
}

// aside gives what a condition says of the change itself, and of people's roles,
// in lower case. What is wanted tells in which words.
func (c *call) aside(field, want string, m matter) (string, bool) {
	if field == "requester_role" {
		who, _ := c.find(users, id(m.ticket, "requester_id"))
		return roleAs(value(who), want), true
	}
	if m.edit == nil {
		return "", false
	}
	e := m.edit
	switch field {
	case "update_type":
		if e.before == nil {
			return "create", true
		}
		return "change", true
	case "role":
		return roleAs(c.caller(), want), true
	case "comment_is_public":
		return e.visible(want), true
	case "current_via_id":
		channel := cast.Text(e.via["channel"])
		return orDefault(channels[channel], channel), true
	case "attachment":
		files, _ := e.comment["attachments"].([]any)
		return map[bool]string{true: "present"}[len(files) > 0], true
	}
	return "", false
}

// visible gives what is wanted where the comment of a change is as wanted:
// not_relevant is any comment.
func (e *edit) visible(want string) string {
	public := e.comment["public"] == true
	switch {
	case e.comment == nil:
		return ""
	case want == "not_relevant", want == "requester_can_see_comment" && public:
		return want
	case public:
		return "true"
	}
	return "false"
}

// roleAs gives a user's role in the words in which a condition asks for one: by
// name, by number, or as the user or the custom role that is meant. Admins are
// agents too.
func roleAs(user map[string]any, want string) string {
	role := strings.ReplaceAll(cast.Text(user["role"]), "-", "_")
	switch want {
	case "0", "2", "4":
		return map[string]string{"end_user": "0", "admin": "2", "agent": "4"}[role]
	case "agent":
		if role == "admin" {
			return want
		}
	case key(id(user, "id")), key(id(user, "custom_role_id")):
		return want
	}
	return role
}
