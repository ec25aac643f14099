package hubspot

import (
	"net/http"

	"parity/fakes/cast"
	"parity/fakes/kit"
)

// startExport begins to write records to a file, of a view or of a list.
// Source: developers.hubspot.com/docs/guides/api/crm/exports.
func startExport(c *call) (answer, *refusal) {
	o, known := c.typeNamed(c.text("objectType"))
	if !known {
		return answer{}, unknownType(c.text("objectType"))
	}
	for _, property := range cast.Texts(c.Input.Body["objectProperties"]) {
		if c.definition(o, property) == nil {
			return answer{}, invalid("Property %q does not exist on object type %s", kit.Clip(property), o.id)
		}
	}
	count := 0
	if id := c.text("listId"); c.text("exportType") == "LIST" {
		r, there := c.fake.store.Get(c.Tx, lists, id)
		if !there || deleted(r) {
			return answer{}, noSegment(id)
		}
		count = len(c.membersOf(r))
	} else {
		for r := range c.Tx.Oldest(c.fake.store.Full(o.collection), 0) {
			if visible(o, r, false) {
				count++
			}
		}
	}
	id := c.id(exports)
	c.fake.store.Create(c.Tx, exports, id, map[string]any{
		"id": id, "exportName": c.text("exportName"), "exportType": c.text("exportType"), "format": c.text("format"), "objectType": o.upper, "recordCount": int64(count),
		"objectProperties": listed(c.Input.Body["objectProperties"]), "createdAt": c.now(), "updatedAt": c.now(),
	})
	return answer{status: http.StatusAccepted, value: map[string]any{"id": id, "links": map[string]any{"status": c.Base + "/crm/v3/exports/export/async/tasks/" + id + "/status"}}}, nil
}

// namedExport finds an export, and tells whether it is done.
func (c *call) namedExport() (value map[string]any, complete bool, refused *refusal) {
	id := c.Input.Path["taskId"]
	if id == "" {
		id = c.Input.Path["exportId"]
	}
	r, there := c.fake.store.Get(c.Tx, exports, id)
	if !there {
		return nil, false, &refusal{status: http.StatusNotFound, category: notFoundCategory, message: "Export not found with id " + kit.Clip(id)}
	}
	at := millis(cast.Text(r.Value()["createdAt"]))
	return r.Value(), c.Now.UnixMilli() >= at+exportTime.Milliseconds(), nil
}

func getExportStatus(c *call, value map[string]any, complete bool) (answer, *refusal) {
	shown := map[string]any{"status": "PROCESSING", "requestedAt": value["createdAt"], "startedAt": value["createdAt"], "completedAt": value["createdAt"]}
	if complete {
		shown["status"], shown["completedAt"] = "COMPLETE", instantOf(millis(cast.Text(value["createdAt"]))+exportTime.Milliseconds())
		shown["result"] = "https://exports.hubspot.invalid/" + cast.Text(value["id"]) + ".csv"
	}
	return ok(shown)
}

func getExport(c *call, value map[string]any, complete bool) (answer, *refusal) {
	shown := changed(value)
	shown["exportState"] = map[bool]string{true: "DONE", false: "PROCESSING"}[complete]
	return ok(shown)
}
