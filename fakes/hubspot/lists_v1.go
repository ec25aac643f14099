package hubspot

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

func noList(id string) *refusal {
	return &refusal{status: http.StatusNotFound, message: fmt.Sprintf("List does not exist: %s", kit.Clip(id))}
}

// shownList writes a list as v1 has it.
func (c *call) shownList(value map[string]any) map[string]any {
	shown := changed(value)
	delete(shown, "id")
	delete(shown, v3)
	shown["portalId"] = c.settings.portal()
	return shown
}

func listListsV1(c *call) (answer, *refusal) {
	kind := c.Operation.Path[strings.LastIndexByte(c.Operation.Path, '/')+1:]
	count, from := c.count("count", mostListsV1), c.offset()
	var all []*world.Record
	for r := range c.Tx.Oldest(c.fake.store.Full(lists), 0) {
		dynamic := r.Value()["dynamic"] == true
		if deleted(r) || segment(r)["objectTypeId"] != contactType {
			continue
		}
		if kind == "lists" || kind == "dynamic" && dynamic || kind == "static" && !dynamic {
			all = append(all, r)
		}
	}
	shown, last := []any{}, ""
	end := min(from+count, len(all))
	for _, r := range all[min(from, end):end] {
		shown, last = append(shown, c.shownList(r.Value())), r.ID
	}
	return ok(map[string]any{"lists": shown, "offset": int64(end), "has-more": end < len(all) || c.wentOn("v1/"+kind, last)})
}

func getListsV1(c *call) (answer, *refusal) {
	shown := []any{}
	for _, id := range c.words("listId") {
		if r, there := c.fake.store.Get(c.Tx, lists, id); there && !deleted(r) {
			shown = append(shown, c.shownList(r.Value()))
		}
	}
	return ok(map[string]any{"lists": shown})
}

func (c *call) namedList() (*world.Record, *refusal) {
	id := c.Input.Path["listId"]
	r, there := c.fake.store.Get(c.Tx, lists, id)
	if !there || deleted(r) || segment(r)["objectTypeId"] != contactType {
		return nil, noList(id)
	}
	return r, nil
}

func getListV1(c *call, r *world.Record) (answer, *refusal) {
	return ok(c.shownList(r.Value()))
}

func createListV1(c *call) (answer, *refusal) {
	title := strings.TrimSpace(c.text("name"))
	if title == "" {
		return answer{}, &refusal{status: http.StatusBadRequest, message: "List name was not provided"}
	}
	for r := range c.Tx.Oldest(c.fake.store.Full(lists), 0) {
		if r.Value()["name"] == title {
			return answer{}, &refusal{status: http.StatusConflict, message: fmt.Sprintf("A list already exists with the name '%s'", kit.Clip(title))}
		}
	}
	value := c.newList(title, c.Input.Body["dynamic"] == true, c.Input.Body["filters"])
	c.fake.store.Create(c.Tx, lists, cast.Plain(value["listId"]), value)
	return ok(c.shownList(value))
}

// newList is the record of a list that is to be made.
func (c *call) newList(title string, dynamic bool, filters any) map[string]any {
	n := int64(c.Tx.Len(c.fake.store.Full(lists)) + 1)
	for ; ; n++ {
		if _, taken := c.fake.store.Get(c.Tx, lists, cast.Plain(n)); !taken {
			break
		}
	}
	if filters == nil {
		filters = []any{}
	}
	at := c.Now.UnixMilli()
	return map[string]any{
		"id": cast.Plain(n), "listId": n, "internalListId": n, "name": title, "dynamic": dynamic, "filters": filters, "createdAt": at, "updatedAt": at,
		"listType": map[bool]string{true: "DYNAMIC", false: "STATIC"}[dynamic], "deleted": false, "deleteable": true, "archived": false, "readOnly": false, "internal": false,
		"limitExempt": false, "authorId": int64(0), "parentId": int64(0), "teamIds": []any{}, "ilsFilterBranch": "",
		"metaData": map[string]any{
			"processing": map[bool]string{true: "INITIALIZING", false: "DONE"}[dynamic], "size": int64(0), "error": "",
			"lastProcessingStateChangeAt": at, "lastSizeChangeAt": at, "listReferencesCount": nil, "parentFolderId": nil,
		},
	}
}

func updateListV1(c *call, r *world.Record) (answer, *refusal) {
	value := changed(r.Value())
	for _, field := range []string{"name", "dynamic", "filters"} {
		if sent, ok := c.Input.Body[field]; ok {
			value[field] = sent
		}
	}
	value["updatedAt"] = c.Now.UnixMilli()
	c.fake.store.Update(c.Tx, lists, r.ID, value)
	return ok(c.shownList(value))
}

func archiveListV1(c *call, r *world.Record) (answer, *refusal) {
	c.fake.store.Delete(c.Tx, lists, r.ID)
	return done()
}

func refreshListV1(c *call, _ *world.Record) (answer, *refusal) {
	return done()
}

// listMembersV1 lists the contacts of a list: by vid, or by when they came in.
func listMembersV1(c *call, r *world.Record) (answer, *refusal) {
	recent := strings.HasSuffix(c.Operation.Path, "/recent")
	members := c.members(r.ID)
	if recent {
		slices.SortStableFunc(members, func(a, b *world.Record) int { return int(addedAt(b) - addedAt(a)) })
	} else {
		slices.SortStableFunc(members, func(a, b *world.Record) int {
			return int(whole(cast.Text(a.Value()["vid"])) - whole(cast.Text(b.Value()["vid"])))
		})
	}
	count, m, after, until := c.count("count", mostV1), c.briefV1(), c.number("vidOffset"), c.number("timeOffset")
	contacts, last, at, more := []any{}, "", int64(0), false
	for _, member := range members {
		vid := cast.Text(member.Value()["vid"])
		contact, there := c.find(c.contacts(), vid)
		if !there || !recent && whole(vid) <= after || recent && until > 0 && addedAt(member) >= until {
			continue
		}
		if more = len(contacts) == count; more {
			break
		}
		contacts, last, at = append(contacts, c.listedV1(contact, m, member.Value()["addedAt"])), vid, addedAt(member)
	}
	value := map[string]any{"contacts": contacts, "has-more": more || c.wentOn("v1/list/"+r.ID, last), "vid-offset": whole(last)}
	if recent {
		value["time-offset"] = at
	}
	return ok(value)
}

func (c *call) members(listID string) []*world.Record {
	var all []*world.Record
	for r := range c.fake.store.Find(c.Tx, memberships, "list", listID) {
		all = append(all, r)
	}
	slices.Reverse(all)
	return all
}

func addedAt(r *world.Record) int64 { return cast.Int(r.Value()["addedAt"]) }

// asked reads which contacts are to go in or out, and those that are none.
func (c *call) askedMembers() (vids []string, strangers, addresses []any) {
	strangers, addresses = []any{}, []any{}
	for _, one := range cast.List(c.Input.Body["vids"]) {
		if contact, there := c.find(c.contacts(), cast.Plain(one)); there {
			vids = append(vids, contact.ID)
		} else {
			strangers = append(strangers, one)
		}
	}
	for _, email := range cast.Texts(c.Input.Body["emails"]) {
		if r := c.byProperty(c.contacts(), "email", email); r != nil {
			vids = append(vids, r.ID)
		} else {
			addresses = append(addresses, email)
		}
	}
	return vids, strangers, addresses
}

func (c *call) staticList() (*world.Record, *refusal) {
	r, refused := c.namedList()
	if refused != nil {
		return nil, refused
	}
	if r.Value()["dynamic"] == true {
		return nil, &refusal{status: http.StatusBadRequest, message: "Can not operate manually on a dynamic list"}
	}
	return r, nil
}

func addMembersV1(c *call, r *world.Record) (answer, *refusal) {
	vids, strangers, addresses := c.askedMembers()
	var updated, discarded []string
	for _, vid := range vids {
		id := r.ID + "/" + vid
		if _, in := c.fake.store.Get(c.Tx, memberships, id); in {
			discarded = append(discarded, vid)
			continue
		}
		c.fake.store.Create(c.Tx, memberships, id, map[string]any{"id": id, "list": r.ID, "vid": vid, "addedAt": c.Now.UnixMilli()})
		updated = append(updated, vid)
	}
	c.resize(r, len(updated))
	return ok(map[string]any{"updated": setOf(updated), "discarded": setOf(discarded), "invalidVids": strangers, "invalidEmails": addresses})
}

func removeMembersV1(c *call, r *world.Record) (answer, *refusal) {
	vids, strangers, addresses := c.askedMembers()
	var updated, discarded []string
	for _, vid := range vids {
		id := r.ID + "/" + vid
		if _, in := c.fake.store.Get(c.Tx, memberships, id); !in {
			discarded = append(discarded, vid)
			continue
		}
		c.fake.store.Delete(c.Tx, memberships, id)
		updated = append(updated, vid)
	}
	c.resize(r, -len(updated))
	return ok(map[string]any{"updated": setOf(updated), "discarded": setOf(discarded), "invalidVids": strangers, "invalidEmails": addresses})
}

// resize keeps a list's size in step.
func (c *call) resize(r *world.Record, by int) {
	if by == 0 {
		return
	}
	value := changed(r.Value())
	meta := changed(cast.Object(value["metaData"]))
	if meta == nil {
		meta = map[string]any{}
	}
	meta["size"], meta["lastSizeChangeAt"] = max(0, cast.Int(meta["size"])+int64(by)), c.Now.UnixMilli()
	value["metaData"] = meta
	c.fake.store.Update(c.Tx, lists, r.ID, value)
}

// setOf lists vids in the order in which Java's hash set has them, as HubSpot's
// answers do.
func setOf(vids []string) []any {
	room := 16
	for len(vids)*4 > room*3 {
		room *= 2
	}
	bucket := func(vid string) int {
		n := whole(vid)
		h := uint32(n) ^ uint32(n>>32)
		return int(h^h>>16) & (room - 1)
	}
	slices.SortStableFunc(vids, func(a, b string) int { return bucket(a) - bucket(b) })
	all := make([]any, len(vids))
	for i, vid := range vids {
		all[i] = whole(vid)
	}
	return all
}
