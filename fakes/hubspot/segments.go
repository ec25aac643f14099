package hubspot

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

// The lists of v3 are those of v1, and of other types than contacts too. What v1
// does not show of one stands under "v3" in its record.
const v3 = "v3"

// contactType is the id of the type that lists of v1 are of.
const contactType = "0-1"

// How lists come by their members.
const (
	manual   = "MANUAL"
	dynamic  = "DYNAMIC"
	snapshot = "SNAPSHOT"
)

// How many lists a search gives: by default, and at most.
// Source: developers.hubspot.com/docs/guides/api/crm/lists/overview.
const (
	usualSegments = 20
	mostSegments  = 500
)

// segment is what v3 knows of a list. A list that v1 made is of contacts.
func segment(r *world.Record) map[string]any {
	if held := cast.Object(r.Value()[v3]); held != nil {
		return held
	}
	kind := manual
	if r.Value()["dynamic"] == true {
		kind = dynamic
	}
	return map[string]any{"objectTypeId": contactType, "processingType": kind, "listVersion": int64(1), "filtersUpdatedAt": instantOf(cast.Int(r.Value()["updatedAt"]))}
}

// namedSegment finds the list of the path that was not deleted.
func (c *call) namedSegment() (*world.Record, *refusal) {
	r, ok := c.fake.store.Get(c.Tx, lists, c.Input.Path["listId"])
	if !ok || deleted(r) {
		return nil, noSegment(c.Input.Path["listId"])
	}
	return r, nil
}

func deleted(r *world.Record) bool { return cast.Text(segment(r)["deletedAt"]) != "" }

func noSegment(id string) *refusal {
	return &refusal{
		status: http.StatusNotFound, category: notFoundCategory, message: "List does not exist with ID " + kit.Clip(id) + ".",
		context: map[string]any{"listId": []any{kit.Clip(id)}},
	}
}

// showSegment writes a list as v3 does; its filters only where they are asked
// for.
func (c *call) showSegment(r *world.Record, filters bool) map[string]any {
	held := segment(r)
	shown := map[string]any{
		"listId": r.ID, "name": r.Value()["name"], "objectTypeId": held["objectTypeId"], "processingType": held["processingType"],
		"processingStatus": "COMPLETE", "listVersion": held["listVersion"], "filtersUpdatedAt": held["filtersUpdatedAt"],
		"createdAt": instantOf(cast.Int(r.Value()["createdAt"])), "updatedAt": instantOf(cast.Int(r.Value()["updatedAt"])),
		"createdById": "100", "updatedById": "100", "size": int64(len(c.membersOf(r))),
		"listPermissions":    map[string]any{"teamsWithEditAccess": []any{}, "usersWithEditAccess": []any{}},
		"membershipSettings": map[string]any{"membershipTeamId": nil, "includeUnassigned": nil},
	}
	if c.processing(r) {
		shown["processingStatus"] = "PROCESSING"
	}
	if filters && held["filterBranch"] != nil {
		shown["filterBranch"] = held["filterBranch"]
	}
	if at := cast.Text(held["deletedAt"]); at != "" {
		shown["deletedAt"] = at
	}
	return shown
}

// processing tells whether a list is still being made up of its filters.
func (c *call) processing(r *world.Record) bool {
	held := segment(r)
	return held["processingType"] == dynamic && c.Now.UnixMilli() < millis(cast.Text(held["filtersUpdatedAt"]))+lag.Milliseconds()
}

func createSegment(c *call) (answer, *refusal) {
	title, kind := strings.TrimSpace(c.text("name")), c.text("processingType")
	o, known := c.typeNamed(c.text("objectTypeId"))
	switch {
	case !known:
		return answer{}, unknownType(c.text("objectTypeId"))
	case title == "":
		return answer{}, invalid("The list name can not be blank.")
	case c.titled(o, title) != nil:
		return answer{}, duplicateTitle(title)
	case kind != manual && c.Input.Body["filterBranch"] == nil:
		return answer{}, invalid("A list with processingType %s must have a filterBranch", kind)
	}
	held := map[string]any{"objectTypeId": o.id, "processingType": kind, "listVersion": int64(1), "filtersUpdatedAt": c.now()}
	if branch := cast.Object(c.Input.Body["filterBranch"]); branch != nil {
		if refused := c.checkBranch(o, branch, true); refused != nil {
			return answer{}, refused
		}
		held["filterBranch"] = fullBranch(branch)
	}
	if folder := cast.Plain(c.Input.Body["listFolderId"]); folder != "" && folder != "0" {
		if _, there := c.fake.store.Get(c.Tx, folders, folder); !there {
			return answer{}, noFolder(folder)
		}
		held["folder"] = folder
	}
	value := c.newList(title, kind == dynamic, nil)
	value[v3] = held
	r := c.fake.store.Create(c.Tx, lists, cast.Plain(value["listId"]), value)
	if kind == snapshot {
		for _, id := range c.matching(o, cast.Object(held["filterBranch"])) {
			c.enlist(r, id)
		}
	}
	return ok(map[string]any{"list": c.showSegment(r, true)})
}

// titled finds the list of a name and a type.
func (c *call) titled(o *objectType, title string) *world.Record {
	for r := range c.Tx.Oldest(c.fake.store.Full(lists), 0) {
		if !deleted(r) && segment(r)["objectTypeId"] == o.id && strings.EqualFold(cast.Text(r.Value()["name"]), title) {
			return r
		}
	}
	return nil
}

// Source: github.com/segmentio/action-destinations, which tells this refusal by
// its subCategory.
func duplicateTitle(title string) *refusal {
	r := invalid("A list with the name '%s' already exists.", kit.Clip(title))
	r.sub = "ILS.DUPLICATE_LIST_NAMES"
	return r
}

func getSegment(c *call, r *world.Record) (answer, *refusal) {
	return ok(map[string]any{"list": c.showSegment(r, c.flag("includeFilters"))})
}

func getSegments(c *call) (answer, *refusal) {
	all := []any{}
	for _, id := range c.words("listIds") {
		if r, there := c.fake.store.Get(c.Tx, lists, id); there && !deleted(r) {
			all = append(all, c.showSegment(r, c.flag("includeFilters")))
		}
	}
	return ok(map[string]any{"lists": all})
}

func getSegmentByName(c *call) (answer, *refusal) {
	o, refused := c.objectType("objectTypeId")
	if refused != nil {
		return answer{}, refused
	}
	r := c.titled(o, c.Input.Path["listName"])
	if r == nil {
		missing := noSegment("")
		missing.message, missing.context = "List does not exist with name "+kit.Clip(c.Input.Path["listName"])+" and object type ID "+o.id+".", nil
		return answer{}, missing
	}
	return ok(map[string]any{"list": c.showSegment(r, c.flag("includeFilters"))})
}

func searchSegments(c *call) (answer, *refusal) {
	count, from := int64(usualSegments), cast.Int(c.Input.Body["offset"])
	if n, sent := c.Input.Body["count"].(int64); sent {
		count = n
	}
	if count < 0 || from < 0 || count > mostSegments {
		return answer{}, invalid("count must be between 0 and %d", mostSegments)
	}
	query, kinds, ids := strings.ToLower(c.text("query")), cast.Texts(c.Input.Body["processingTypes"]), cast.Texts(c.Input.Body["listIds"])
	var hits []*world.Record
	for r := range c.Tx.Oldest(c.fake.store.Full(lists), 0) {
		held := segment(r)
		if deleted(r) || !strings.Contains(strings.ToLower(cast.Text(r.Value()["name"])), query) ||
			len(kinds) > 0 && !slices.Contains(kinds, cast.Text(held["processingType"])) || len(ids) > 0 && !slices.Contains(ids, r.ID) ||
			c.text("objectTypeId") != "" && held["objectTypeId"] != c.text("objectTypeId") {
			continue
		}
		hits = append(hits, r)
	}
	end := min(from+count, int64(len(hits)))
	shown := []any{}
	for _, r := range hits[min(from, end):end] {
		one := c.showSegment(r, false)
		delete(one, "size")
		one["additionalProperties"] = c.listFacts(r, cast.Texts(c.Input.Body["additionalProperties"]))
		shown = append(shown, one)
	}
	return ok(map[string]any{"lists": shown, "offset": end, "hasMore": end < int64(len(hits)), "total": int64(len(hits))})
}

// listFacts are properties of a list: three that are always told, and others that
// were asked for, as far as they are known.
func (c *call) listFacts(r *world.Record, asked []string) map[string]any {
	members := c.membersOf(r)
	facts := map[string]any{"hs_list_size": strconv.Itoa(len(members)), "hs_list_reference_count": "0"}
	newest := int64(0)
	for _, m := range members {
		newest = max(newest, m.at)
	}
	if newest > 0 {
		facts["hs_last_record_added_at"] = strconv.FormatInt(newest, 10)
	}
	known := map[string]any{
		"hs_is_read_only": "false", "hs_is_limit_exempt": "false", "hs_folder_id": segment(r)["folder"], "hs_processing_type": segment(r)["processingType"],
		"hs_createdate": cast.Plain(r.Value()["createdAt"]), "hs_list_size_week_delta": strconv.Itoa(len(members)),
	}
	for _, property := range asked {
		if value, is := known[property]; is && value != nil {
			facts[property] = value
		}
	}
	return facts
}

// setSegment writes what v3 knows of a list.
func (c *call) setSegment(r *world.Record, fields map[string]any) *world.Record {
	value, held := changed(r.Value()), changed(segment(r))
	for field, v := range fields {
		if field == "name" {
			value["name"] = v
		} else {
			held[field] = v
		}
	}
	value[v3], value["updatedAt"] = held, c.Now.UnixMilli()
	return c.fake.store.Update(c.Tx, lists, r.ID, value)
}

func renameSegment(c *call, r *world.Record) (answer, *refusal) {
	title := strings.TrimSpace(c.query("listName"))
	o, known := c.typeNamed(cast.Text(segment(r)["objectTypeId"]))
	if title == "" || !known {
		return answer{}, invalid("The list name can not be blank.")
	}
	if other := c.titled(o, title); other != nil && other.ID != r.ID {
		return answer{}, duplicateTitle(title)
	}
	r = c.setSegment(r, map[string]any{"name": title, "listVersion": cast.Int(segment(r)["listVersion"]) + 1})
	return ok(map[string]any{"updatedList": c.showSegment(r, c.flag("includeFilters"))})
}

func refilterSegment(c *call, r *world.Record) (answer, *refusal) {
	held := segment(r)
	o, known := c.typeNamed(cast.Text(held["objectTypeId"]))
	branch := cast.Object(c.Input.Body["filterBranch"])
	if held["processingType"] != dynamic || !known {
		return answer{}, invalid("Filters of a list with processingType %s can not be updated", cast.Text(held["processingType"]))
	}
	if refused := c.checkBranch(o, branch, true); refused != nil {
		return answer{}, refused
	}
	r = c.setSegment(r, map[string]any{"filterBranch": fullBranch(branch), "filtersUpdatedAt": c.now(), "listVersion": cast.Int(held["listVersion"]) + 1})
	return ok(map[string]any{"updatedList": c.showSegment(r, true)})
}

func deleteSegment(c *call, r *world.Record) (answer, *refusal) {
	c.setSegment(r, map[string]any{"deletedAt": c.now()})
	return done()
}

// restoreSegment brings a deleted list back, with the members that it had.
func restoreSegment(c *call) (answer, *refusal) {
	r, there := c.fake.store.Get(c.Tx, lists, c.Input.Path["listId"])
	if !there {
		return answer{}, noSegment(c.Input.Path["listId"])
	}
	c.setSegment(r, map[string]any{"deletedAt": nil})
	return done()
}

// mapSegment gives the id that v3 has for a list of v1: here it is the same.
func mapSegment(c *call) (answer, *refusal) {
	id := c.query("legacyListId")
	if r, there := c.fake.store.Get(c.Tx, lists, id); !there || deleted(r) {
		return answer{}, noSegment(id)
	}
	return ok(map[string]any{"listId": id, "legacyListId": id})
}
