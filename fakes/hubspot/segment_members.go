package hubspot

import (
	"slices"
	"strconv"

	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

// How many members a page has: by default, and at most.
// Source: developers.hubspot.com/docs/api-reference/crm-lists-v3.
const (
	usualMembers = 100
	mostMembers  = 250
)

// A member is a record in a list, and when it came in, in milliseconds since 1970.
type member struct {
	id string
	at int64
}

// membersOf lists the members of a list by their ids: those that were put in,
// or, once a dynamic list is made up, those that its filters fit.
func (c *call) membersOf(r *world.Record) []member {
	held := segment(r)
	o, known := c.typeNamed(cast.Text(held["objectTypeId"]))
	if !known {
		return nil
	}
	var all []member
	branch := cast.Object(held["filterBranch"])
	switch {
	case held["processingType"] == dynamic && branch != nil && c.processing(r):
		return nil
	case held["processingType"] == dynamic && branch != nil:
		since := millis(cast.Text(held["filtersUpdatedAt"]))
		for _, id := range c.matching(o, branch) {
			if record, there := c.find(o, id); there {
				all = append(all, member{id, max(since, millis(cast.Text(record.Value()["updatedAt"])))})
			}
		}
	default:
		for m := range c.fake.store.Find(c.Tx, memberships, "list", r.ID) {
			if id := cast.Text(m.Value()["vid"]); c.alive(o, id) {
				all = append(all, member{id, addedAt(m)})
			}
		}
	}
	slices.SortFunc(all, func(a, b member) int { return int(whole(a.id) - whole(b.id)) })
	return all
}

func listSegmentMembers(c *call, r *world.Record) (answer, *refusal) {
	members := c.membersOf(r)
	if c.Operation.ID == "ListsV3GetMembersByJoin" || c.Operation.ID == "ListsV3GetMembersByJoin"+alias {
		slices.SortStableFunc(members, func(a, b member) int { return int(a.at - b.at) })
	}
	limit := usualMembers
	if n, sent := c.Input.Query["limit"].(int64); sent {
		if n < 1 || n > mostMembers {
			return answer{}, invalid("limit must be between 1 and %d", mostMembers)
		}
		limit = int(n)
	}
	from, refused := offset(c.query("after"))
	if refused != nil {
		return answer{}, refused
	}
	end := min(from+limit, len(members))
	results := []any{}
	for _, m := range members[min(from, end):end] {
		results = append(results, map[string]any{"recordId": m.id, "membershipTimestamp": instantOf(m.at)})
	}
	value := map[string]any{"results": results, "total": int64(len(members))}
	if end < len(members) {
		value["paging"] = map[string]any{"next": map[string]any{"after": strconv.Itoa(end), "link": c.link(strconv.Itoa(end))}}
	}
	return ok(value)
}

// manualSegment finds the list of the path, to which records can be added.
func (c *call) manualSegment() (*world.Record, *refusal) {
	r, refused := c.namedSegment()
	if refused == nil && segment(r)["processingType"] == dynamic {
		refused = invalid("Memberships of a list with processingType DYNAMIC can not be changed by hand")
	}
	return r, refused
}

// enlist puts a record into a list; false where it is in it.
func (c *call) enlist(r *world.Record, id string) bool {
	key := r.ID + "/" + id
	if _, in := c.fake.store.Get(c.Tx, memberships, key); in {
		return false
	}
	c.fake.store.Create(c.Tx, memberships, key, map[string]any{"id": key, "list": r.ID, "vid": id, "addedAt": c.Now.UnixMilli()})
	return true
}

func (c *call) delist(r *world.Record, id string) bool {
	key := r.ID + "/" + id
	if _, in := c.fake.store.Get(c.Tx, memberships, key); !in {
		return false
	}
	c.fake.store.Delete(c.Tx, memberships, key)
	return true
}

// changeMembers puts records into a list and takes others out.
func (c *call) changeMembers(r *world.Record, in, out []any) (answer, *refusal) {
	o, known := c.typeNamed(cast.Text(segment(r)["objectTypeId"]))
	if !known {
		return answer{}, unknownType(cast.Text(segment(r)["objectTypeId"]))
	}
	added, removed, absent := []any{}, []any{}, []any{}
	for _, one := range in {
		switch record, there := c.find(o, cast.Plain(one)); {
		case !there:
			absent = append(absent, kit.Clip(cast.Plain(one)))
		case c.enlist(r, record.ID):
			added = append(added, record.ID)
		}
	}
	for _, one := range out {
		switch record, there := c.find(o, cast.Plain(one)); {
		case !there:
			absent = append(absent, kit.Clip(cast.Plain(one)))
		case c.delist(r, record.ID):
			removed = append(removed, record.ID)
		}
	}
	c.resize(r, len(added)-len(removed))
	return ok(map[string]any{"recordsIdsAdded": added, "recordIdsRemoved": removed, "recordIdsMissing": absent})
}

func addSegmentMembers(c *call, r *world.Record) (answer, *refusal) {
	return c.changeMembers(r, cast.List(c.Input.Value), nil)
}

func removeSegmentMembers(c *call, r *world.Record) (answer, *refusal) {
	return c.changeMembers(r, nil, cast.List(c.Input.Value))
}

func swapSegmentMembers(c *call, r *world.Record) (answer, *refusal) {
	return c.changeMembers(r, cast.List(c.Input.Body["recordIdsToAdd"]), cast.List(c.Input.Body["recordIdsToRemove"]))
}

func emptySegment(c *call, r *world.Record) (answer, *refusal) {
	n := 0
	for _, m := range c.members(r.ID) {
		c.fake.store.Delete(c.Tx, memberships, m.ID)
		n++
	}
	c.resize(r, -n)
	return done()
}

func addSegmentMembersFrom(c *call, r *world.Record) (answer, *refusal) {
	from, there := c.fake.store.Get(c.Tx, lists, c.Input.Path["sourceListId"])
	switch {
	case !there || deleted(from):
		return answer{}, noSegment(c.Input.Path["sourceListId"])
	case from.ID == r.ID, segment(from)["objectTypeId"] != segment(r)["objectTypeId"]:
		return answer{}, invalid("The source list must be another list of the same object type")
	}
	n := 0
	for _, m := range c.membersOf(from) {
		if c.enlist(r, m.id) {
			n++
		}
	}
	c.resize(r, n)
	return done()
}

// listSegmentsOf lists the lists that a record is in.
func listSegmentsOf(c *call) (answer, *refusal) {
	o, refused := c.objectType("objectTypeId")
	if refused != nil {
		return answer{}, refused
	}
	record, there := c.find(o, c.Input.Path["recordId"])
	if !there {
		return answer{}, missing()
	}
	results := []any{}
	for r := range c.Tx.Oldest(c.fake.store.Full(lists), 0) {
		if deleted(r) || segment(r)["objectTypeId"] != o.id {
			continue
		}
		members := c.membersOf(r)
		if i := slices.IndexFunc(members, func(m member) bool { return m.id == record.ID }); i >= 0 {
			results = append(results, map[string]any{
				"listId": r.ID, "listVersion": segment(r)["listVersion"], "firstAddedTimestamp": instantOf(members[i].at),
				"lastAddedTimestamp": instantOf(members[i].at), "isPublicList": false,
			})
		}
	}
	return ok(map[string]any{"results": results, "total": int64(len(results))})
}
