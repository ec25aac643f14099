package zendesk

import (
	"parity/fakes/world"
)

// searchUsers finds users by external id, or by words of their name and address.
func searchUsers(c *call) (answer, *refusal) {
	if external := c.query("external_id"); external != "" {
		return c.usersOf(c.those(users, "external_id", external, active))
	}
	asked := c.query("query")
	if asked == "" {
		asked = c.query("name")
	}
	q := parse(asked, c.Now)
	q.types = []string{"user"}
	found := []*world.Record{}
	for _, hit := range c.hits(q) {
		found = append(found, hit.record)
	}
	return c.usersOf(found)
}

func relatedToUser(c *call, r *world.Record) (answer, *refusal) {
	n := func(field string) int64 { return int64(len(c.those(tickets, field, r.ID, living))) }
	ccd := int64(0)
	for ticket := range c.Tx.Oldest(full(tickets), 0) {
		for _, one := range ids(ticket.Value()["collaborator_ids"]) {
			if key(one) == r.ID && living(ticket) {
				ccd++
			}
		}
	}
	return answer{value: map[string]any{"user_related": map[string]any{
		"assigned_tickets": n("assignee_id"), "requested_tickets": n("requester_id"), "ccd_tickets": ccd, "followed_tickets": int64(0),
		"topics": int64(0), "topic_comments": int64(0), "votes": int64(0), "subscriptions": int64(0), "entry_subscriptions": int64(0),
		"forum_subscriptions": int64(0), "organization_subscriptions": int64(0),
	}}}, nil
}

// listThose lists the records of one collection that belong to one of another.
func listThose(owners, parameter, collection, field string) handler {
	return on(owners, parameter, func(c *call, owner *world.Record) (answer, *refusal) {
		return c.list(listing{collection: collection, some: c.those(collection, field, owner.ID, nil), narrowed: true})
	})
}

func listUserTags(c *call, r *world.Record) (answer, *refusal) {
	return answer{value: map[string]any{"tags": r.Value()["tags"]}}, nil
}

// through lists the records at the other end of memberships.
func (c *call) through(owners, parameter, links, mine, theirs, collection string) (answer, *refusal) {
	owner, refused := c.member(owners, parameter)
	if refused != nil {
		return answer{}, refused
	}
	some := []*world.Record{}
	for _, link := range c.those(links, mine, owner.ID, nil) {
		if r, ok := c.find(collection, id(link.Value(), theirs)); ok {
			some = append(some, r)
		}
	}
	return c.list(listing{collection: collection, some: some, narrowed: true})
}

func listGroupUsers(c *call) (answer, *refusal) {
	return c.through(groups, "group_id", memberships, "group_id", "user_id", users)
}

func listUserGroups(c *call) (answer, *refusal) {
	return c.through(users, "user_id", memberships, "user_id", "group_id", groups)
}

func listOrganizationUsers(c *call, owner *world.Record) (answer, *refusal) {
	return c.usersOf(c.those(users, "organization_id", owner.ID, active))
}

// listUserOrganizations lists where a user belongs, the first organization first.
func listUserOrganizations(c *call, user *world.Record) (answer, *refusal) {
	some, first := []*world.Record{}, id(user.Value(), "organization_id")
	if r, ok := c.find(organizations, first); ok {
		some = append(some, r)
	}
	for _, link := range c.those(belongings, "user_id", user.ID, nil) {
		if n := id(link.Value(), "organization_id"); n != first {
			if r, ok := c.find(organizations, n); ok {
				some = append(some, r)
			}
		}
	}
	return c.list(listing{collection: organizations, some: some, narrowed: true})
}
