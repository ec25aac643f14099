package hubspot

import (
	"net/http"
	"slices"
	"strings"

	"parity/fakes"
	"parity/fakes/cast"
	"parity/fakes/kit"
)

// mostPeople is how many users of the account a page has, by default and at
// most.
// Source: developers.hubspot.com/docs/guides/api/settings/users/user-provisioning.
const mostPeople = 100

// showMember writes a user of the account as the settings do.
func showMember(value map[string]any) map[string]any {
	shown := changed(value)
	if shown["roleIds"] == nil {
		shown["roleIds"] = []any{}
		if role := cast.Text(shown["roleId"]); role != "" {
			shown["roleIds"] = []any{role}
		}
	}
	if shown["superAdmin"] == nil {
		shown["superAdmin"] = false
	}
	shown["sendWelcomeEmail"] = false
	return shown
}

// everyMember lists the users of the account: those that are records, and those
// who are known as owners alone.
func (c *call) everyMember() []map[string]any {
	var all []map[string]any
	seen := map[string]bool{}
	for r := range c.Tx.Oldest(c.fake.store.Full(people), 0) {
		seen[r.ID] = true
		all = append(all, r.Value())
	}
	for r := range c.Tx.Oldest(c.fake.store.Full(owners), 0) {
		value := r.Value()
		id, email := cast.Plain(value["userId"]), cast.Text(value["email"])
		if value["archived"] == true || value["userId"] == nil || email == "" || seen[id] {
			continue
		}
		one := map[string]any{"id": id, "email": email}
		for _, field := range []string{"firstName", "lastName"} {
			if value[field] != nil {
				one[field] = value[field]
			}
		}
		all = append(all, one)
	}
	return all
}

func listMembers(c *call) (answer, *refusal) {
	limit := mostPeople
	if n, sent := c.Input.Query["limit"].(int64); sent {
		if n < 1 || n > mostPeople {
			return answer{}, invalid("limit must be between 1 and %d", mostPeople)
		}
		limit = int(n)
	}
	all, from := c.everyMember(), 0
	if cursor := c.query("after"); cursor != "" {
		from = 1 + slices.IndexFunc(all, func(one map[string]any) bool { return one["id"] == cursor })
		if from == 0 {
			return answer{}, invalid("Invalid after parameter: %s", kit.Clip(cursor))
		}
	}
	end := min(from+limit, len(all))
	results, last := []any{}, ""
	for _, one := range all[from:end] {
		results = append(results, showMember(one))
	}
	if end < len(all) {
		last = cast.Text(all[end-1]["id"])
	}
	return c.page(results, last)
}

// namedMember finds the user of the path: by the id, or by the address.
func (c *call) namedMember() (map[string]any, *refusal) {
	key := c.Input.Path["userId"]
	for _, one := range c.everyMember() {
		if c.query("idProperty") == "EMAIL" && strings.EqualFold(cast.Text(one["email"]), key) || c.query("idProperty") != "EMAIL" && one["id"] == key {
			return one, nil
		}
	}
	return nil, &refusal{status: http.StatusNotFound, category: notFoundCategory, message: "No user found for the given identifier", context: map[string]any{"userId": []any{kit.Clip(key)}}}
}

func getMember(c *call, value map[string]any) (answer, *refusal) { return ok(showMember(value)) }

// memberWith lays the role and teams that are sent over a user, and refuses those
// that there are none of.
func (c *call) memberWith(value map[string]any) (map[string]any, *refusal) {
	after := changed(value)
	for _, field := range []string{"firstName", "lastName", "roleId", "primaryTeamId", "secondaryTeamIds"} {
		if sent, given := c.Input.Body[field]; given && sent != nil {
			after[field] = sent
		}
	}
	if role := cast.Text(c.Input.Body["roleId"]); role != "" {
		if _, known := c.fake.store.Get(c.Tx, roles, role); !known {
			return nil, invalid("Role %s does not exist", kit.Clip(role))
		}
	}
	for _, team := range append(cast.Texts(c.Input.Body["secondaryTeamIds"]), cast.Text(c.Input.Body["primaryTeamId"])) {
		if _, known := c.fake.store.Get(c.Tx, teams, team); team != "" && !known {
			return nil, invalid("Team %s does not exist", kit.Clip(team))
		}
	}
	return after, nil
}

// createMember adds a user, who is an owner from then on, and is mailed where
// that is asked for.
func createMember(c *call) (answer, *refusal) {
	email := strings.ToLower(strings.TrimSpace(c.text("email")))
	if !address().MatchString(email) {
		return answer{}, invalid("Email address %s is invalid", kit.Clip(email))
	}
	for _, one := range c.everyMember() {
		if strings.EqualFold(cast.Text(one["email"]), email) {
			return answer{}, &refusal{status: http.StatusConflict, category: conflictCategory, message: "User already exists with email " + email}
		}
	}
	number := whole(c.id(people)) % 100000000
	value, refused := c.memberWith(map[string]any{"id": cast.Plain(number), "email": email})
	if refused != nil {
		return answer{}, refused
	}
	c.fake.store.Create(c.Tx, people, cast.Text(value["id"]), value)
	owner := map[string]any{
		"id": c.id(owners), "email": email, "type": "PERSON", "userId": number, "userIdIncludingInactive": number,
		"createdAt": c.now(), "updatedAt": c.now(), "archived": false,
	}
	for _, field := range []string{"firstName", "lastName"} {
		if value[field] != nil {
			owner[field] = value[field]
		}
	}
	c.fake.store.Create(c.Tx, owners, cast.Text(owner["id"]), owner)
	shown := showMember(value)
	if c.Input.Body["sendWelcomeEmail"] == true {
		shown["sendWelcomeEmail"] = true
		sent := fakes.Sent{
			Service: name, Kind: "mail", ID: "welcome/" + cast.Text(value["id"]), To: []string{email}, Summary: "Welcome to HubSpot, to " + email,
			Content: map[string]any{"to": email}, At: c.Now,
		}
		kit.Must(name, kit.Send(c.Tx, sent))
	}
	return answer{status: http.StatusCreated, value: shown}, nil
}

func updateMember(c *call, value map[string]any) (answer, *refusal) {
	after, refused := c.memberWith(value)
	if refused != nil {
		return answer{}, refused
	}
	c.fake.store.Put(c.Tx, people, cast.Text(value["id"]), after)
	return ok(showMember(after))
}

// deleteMember removes a user; what they own stays theirs, as an owner who is
// archived.
func deleteMember(c *call, value map[string]any) (answer, *refusal) {
	id := cast.Text(value["id"])
	if _, kept := c.fake.store.Get(c.Tx, people, id); kept {
		c.fake.store.Delete(c.Tx, people, id)
	}
	for r := range c.Tx.Oldest(c.fake.store.Full(owners), 0) {
		if cast.Plain(r.Value()["userId"]) == id {
			owner := changed(r.Value())
			owner["archived"], owner["updatedAt"], owner["userId"] = true, c.now(), nil
			c.fake.store.Update(c.Tx, owners, r.ID, owner)
		}
	}
	return done()
}

func listRoles(c *call) (answer, *refusal) {
	results := []any{}
	for r := range c.Tx.Oldest(c.fake.store.Full(roles), 0) {
		results = append(results, r.Value())
	}
	return ok(map[string]any{"results": results})
}

// listTeams lists the teams with their members.
func listTeams(c *call) (answer, *refusal) {
	results := []any{}
	all := c.everyMember()
	for r := range c.Tx.Oldest(c.fake.store.Full(teams), 0) {
		shown := changed(r.Value())
		first, second := []any{}, []any{}
		for _, one := range all {
			if one["primaryTeamId"] == r.ID {
				first = append(first, one["id"])
			}
			if slices.Contains(cast.Texts(one["secondaryTeamIds"]), r.ID) {
				second = append(second, one["id"])
			}
		}
		shown["userIds"], shown["secondaryUserIds"] = first, second
		results = append(results, shown)
	}
	return ok(map[string]any{"results": results})
}
