package sendgrid

import (
	"maps"
	"net/http"
	"slices"
	"time"

	"parity/fakes/cast"
	"parity/fakes/world"
)

// exportTime is what an export of contacts takes, and exportLife how long its
// files are to be had.
// Source for the latter: twilio.com/docs/sendgrid/api-reference/contacts/export-contacts.
const (
	exportTime = 30 * time.Second
	exportLife = 72 * time.Hour
)

func noExport() *refusal { return refuse(http.StatusNotFound, "", "export not found") }

// createExport begins to write contacts to files: all, or those of lists and
// segments.
func createExport(c *call) (answer, *refusal) {
	wantedLists, wantedSegments := cast.List(c.Input.Body["list_ids"]), cast.List(c.Input.Body["segment_ids"])
	named := func(collection string, ids []any) ([]any, *refusal) {
		all := []any{}
		for _, id := range ids {
			r, known := c.get(collection, cast.Text(id))
			if !known {
				return nil, invalid("", "list or segment "+clip(cast.Text(id))+" does not exist")
			}
			all = append(all, map[string]any{"ID": r.ID, "Name": r.Value()["name"]})
		}
		return all, nil
	}
	inLists, refused := named(lists, wantedLists)
	if refused != nil {
		return answer{}, refused
	}
	inSegments, refused := named(segments, wantedSegments)
	if refused != nil {
		return answer{}, refused
	}
	n := int64(0)
	c.all(contacts, func(r *world.Record) bool {
		in := len(wantedLists)+len(wantedSegments) == 0 ||
			slices.ContainsFunc(wantedLists, func(id any) bool { return hasAny(cast.List(r.Value()["list_ids"]), id) })
		if !in && len(wantedSegments) > 0 {
			mine := c.segmentsOf(r.Value())
			in = slices.ContainsFunc(wantedSegments, func(id any) bool { return hasAny(mine, id) })
		}
		if in {
			n++
		}
		return true
	})
	id := c.id(c.uuid)
	c.put(exports, id, map[string]any{
		"id": id, "created_at": iso(c.Now), "lists": inLists, "segments": inSegments, "contact_count": n, "user_id": "40115388", "export_type": "contacts_export",
		"due": c.Now.Add(exportTime).Unix(),
	})
	return answer{status: http.StatusAccepted, value: map[string]any{"id": id, "_metadata": map[string]any{"self": c.Base + c.Operation.Path + "/" + id}}}, nil
}

// showExport writes an export as far as it is.
func (c *call) showExport(r *world.Record) map[string]any {
	shown := maps.Clone(r.Value())
	due := time.Unix(cast.Int(shown["due"]), 0)
	delete(shown, "due")
	shown["status"], shown["updated_at"], shown["expires_at"] = "pending", shown["created_at"], iso(due.Add(exportLife))
	shown["_metadata"] = map[string]any{"self": c.Base + "/v3/marketing/contacts/exports/" + r.ID}
	if !c.Now.Before(due) {
		shown["status"], shown["updated_at"], shown["completed_at"] = "ready", iso(due), iso(due)
		shown["urls"] = []any{"https://exports.sendgrid.invalid/" + r.ID + ".csv"}
	}
	return shown
}

func getExport(c *call, r *world.Record) (answer, *refusal) { return ok(c.showExport(r)), nil }

func listExports(c *call) (answer, *refusal) {
	all := []any{}
	c.all(exports, func(r *world.Record) bool {
		all = append(all, c.showExport(r))
		return true
	})
	return ok(map[string]any{"result": all, "_metadata": map[string]any{"self": c.Base + c.Operation.Path}}), nil
}

// importContacts says where a file of contacts is to be sent. It cannot be sent
// there, so the job waits for it.
func importContacts(c *call) (answer, *refusal) {
	if cast.Text(c.Input.Body["file_type"]) != "csv" {
		return answer{}, invalid("file_type", "file_type must be csv")
	}
	for _, one := range cast.List(c.Input.Body["field_mappings"]) {
		id := cast.Text(one)
		_, own := c.get(fields, id)
		if one != nil && !own && !(len(id) > 3 && id[:3] == "_rf") {
			return answer{}, invalid("field_mappings", "invalid field id: "+clip(id))
		}
	}
	id := c.uuid()
	c.put(contactJobs, id, map[string]any{"id": id, "status": "pending", "job_type": "upsert_contacts", "started_at": iso(c.Now), "results": map[string]any{}})
	return ok(map[string]any{
		"job_id": id, "upload_uri": "https://uploads.sendgrid.invalid/" + id,
		"upload_headers": []any{map[string]any{"header": "x-amz-server-side-encryption", "value": "aws:kms"}},
	}), nil
}
