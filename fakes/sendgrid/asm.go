package sendgrid

import (
	"maps"
	"strconv"
	"strings"

	"parity/fakes/cast"
	"parity/fakes/world"
)

// Limits of unsubscribe groups.
// Source: twilio.com/docs/sendgrid/api-reference/suppressions-unsubscribe-groups.
const (
	mostASMGroups        = 200
	longestGroupName     = 30
	longestGroupText     = 100
	firstGroup           = 24101
	groupNameRequired    = "name is required"
	groupTextRequired    = "description is required"
	groupNameTooLong     = "name must be 30 characters or fewer"
	groupTextTooLong     = "description must be 100 characters or fewer"
	groupNameTaken       = "group name must be unique"
	tooManyGroupsMessage = "maximum number of groups reached"
)

// shownGroup is a group with how many left it.
func (c *call) shownGroup(r *world.Record) map[string]any {
	value := shape(r.Value(), "id", "name", "description", "is_default", "last_email_sent_at")
	if _, said := value["last_email_sent_at"]; !said {
		value["last_email_sent_at"] = nil
	}
	n := int64(0)
	for range c.fake.store.Find(c.Tx, groupSuppressions, "group_id", r.ID) {
		n++
	}
	value["unsubscribes"] = n
	return value
}

func listGroups(c *call) (answer, *refusal) {
	wanted := map[string]bool{}
	for _, id := range cast.List(c.Input.Query["id"]) {
		if n, ok := id.(int64); ok {
			wanted[strconv.FormatInt(n, 10)] = true
		}
	}
	all := []any{}
	for r := range c.Tx.Oldest(full(asmGroups), 0) {
		if len(wanted) == 0 || wanted[r.ID] {
			all = append(all, c.shownGroup(r))
		}
	}
	return ok(all), nil
}

func createGroup(c *call) (answer, *refusal) {
	body := c.Input.Body
	if cast.Text(body["name"]) == "" {
		return answer{}, invalid("name", groupNameRequired)
	}
	if cast.Text(body["description"]) == "" {
		return answer{}, invalid("description", groupTextRequired)
	}
	if c.Tx.Len(full(asmGroups)) >= mostASMGroups {
		return answer{}, invalid("", tooManyGroupsMessage)
	}
	value := map[string]any{"is_default": body["is_default"] == true, "last_email_sent_at": nil}
	if refused := c.describeGroup(value, ""); refused != nil {
		return answer{}, refused
	}
	id := c.next(asmGroups, firstGroup)
	value["id"] = id
	c.laid(value, "last_email_sent_at")
	record := c.put(asmGroups, strconv.FormatInt(id, 10), value)
	return created(shape(record.Value(), "id", "name", "description", "is_default")), nil
}

// describeGroup lays what was sent over a group.
func (c *call) describeGroup(value map[string]any, self string) *refusal {
	name, named := c.Input.Body["name"].(string)
	about, told := c.Input.Body["description"].(string)
	switch {
	case named && name == "":
		return invalid("name", groupNameRequired)
	case len([]rune(name)) > longestGroupName:
		return invalid("name", groupNameTooLong)
	case len([]rune(about)) > longestGroupText:
		return invalid("description", groupTextTooLong)
	}
	if named {
		taken := false
		c.all(asmGroups, func(r *world.Record) bool {
			taken = r.ID != self && r.Value()["name"] == name
			return !taken
		})
		if taken {
			return invalid("name", groupNameTaken)
		}
		value["name"] = name
	}
	if told {
		value["description"] = about
	}
	if set, sent := c.Input.Body["is_default"].(bool); sent {
		value["is_default"] = set
	}
	return nil
}

func (c *call) group() (*world.Record, *refusal) { return c.member(asmGroups, "group_id", notFound()) }

func getGroup(c *call, record *world.Record) (answer, *refusal) {
	return ok(c.shownGroup(record)), nil
}

func updateGroup(c *call, record *world.Record) (answer, *refusal) {
	value := maps.Clone(record.Value())
	if refused := c.describeGroup(value, record.ID); refused != nil {
		return answer{}, refused
	}
	return created(c.shownGroup(c.put(asmGroups, record.ID, value))), nil
}

func deleteGroup(c *call, record *world.Record) (answer, *refusal) {
	var gone []string
	for r := range c.fake.store.Find(c.Tx, groupSuppressions, "group_id", record.ID) {
		gone = append(gone, r.ID)
	}
	for _, id := range gone {
		c.fake.store.Delete(c.Tx, groupSuppressions, id)
	}
	c.fake.store.Delete(c.Tx, asmGroups, record.ID)
	return noContent, nil
}

func listGroupSuppressions(c *call, record *world.Record) (answer, *refusal) {
	all := []any{}
	for r := range c.fake.store.Find(c.Tx, groupSuppressions, "group_id", record.ID) {
		all = append(all, r.Value()["email"])
	}
	return ok(all), nil
}

func unsubscribeFromGroup(c *call, record *world.Record) (answer, *refusal) {
	emails, refused := c.addresses()
	if refused != nil {
		return answer{}, refused
	}
	group, _ := record.Value()["id"].(int64)
	for _, email := range emails {
		id := groupMember(group, email)
		if _, known := c.get(groupSuppressions, id); !known {
			c.put(groupSuppressions, id, map[string]any{"id": id, "group_id": group, "email": strings.ToLower(email), "created_at": c.Now.Unix()})
		}
	}
	return created(map[string]any{"recipient_emails": anys(emails)}), nil
}

func searchGroupSuppressions(c *call, record *world.Record) (answer, *refusal) {
	group, _ := record.Value()["id"].(int64)
	found := []any{}
	for _, one := range cast.List(c.Input.Body["recipient_emails"]) {
		if _, left := c.get(groupSuppressions, groupMember(group, cast.Text(one))); left {
			found = append(found, one)
		}
	}
	return ok(found), nil
}

func resubscribeToGroup(c *call, record *world.Record) (answer, *refusal) {
	id := groupMember(cast.Int(record.Value()["id"]), c.Input.Path["email"])
	if _, left := c.get(groupSuppressions, id); left {
		c.fake.store.Delete(c.Tx, groupSuppressions, id)
	}
	return noContent, nil
}

// listLeft lists who left which group.
func listLeft(c *call) (answer, *refusal) {
	all := []any{}
	c.all(groupSuppressions, func(r *world.Record) bool {
		group, _ := r.Value()["group_id"].(int64)
		name, at := "", int64(0)
		if record, known := c.get(asmGroups, strconv.FormatInt(group, 10)); known {
			name = cast.Text(record.Value()["name"])
		}
		at, _ = r.Value()["created_at"].(int64)
		all = append(all, map[string]any{"email": r.Value()["email"], "group_id": group, "group_name": name, "created_at": at})
		return true
	})
	return ok(all), nil
}

// getLeft lists all groups, and whether an address left each.
func getLeft(c *call) (answer, *refusal) {
	all := []any{}
	for r := range c.Tx.Oldest(full(asmGroups), 0) {
		_, left := c.get(groupSuppressions, groupMember(cast.Int(r.Value()["id"]), c.Input.Path["email"]))
		value := shape(r.Value(), "description", "id", "is_default", "name")
		value["suppressed"] = left
		all = append(all, value)
	}
	return ok(map[string]any{"suppressions": all}), nil
}
