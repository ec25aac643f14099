package notion

import (
	"maps"
	"mime"
	"path"
	"slices"
	"strconv"
	"time"

	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

// uploadLife is how long a file may take to come.
// Source: developers.notion.com, File upload.
const uploadLife = time.Hour

const timeLayout = "2006-01-02T15:04:05.000Z"

func createUpload(c *call) (map[string]any, *refusal) {
	body := c.body()
	if wrong := body.only("mode", "filename", "content_type", "number_of_parts", "external_url"); wrong != nil {
		return nil, invalid("body", wrong)
	}
	mode := "single_part"
	if at := body.at("mode"); at.sent {
		if wrong := at.isOne("single_part", "multi_part", "external_url"); wrong != nil {
			return nil, invalid("body", wrong)
		}
		mode, _ = at.value.(string)
	}
	line := func(p place) problem { return p.isText(900) }
	if wrong := first(body.at("filename").optional(line), body.at("content_type").optional(line)); wrong != nil {
		return nil, invalid("body", wrong)
	}
	filename, kind := kit.Text(c.Input.Body, "filename"), kit.Text(c.Input.Body, "content_type")
	if kind == "" {
		kind, _, _ = mime.ParseMediaType(mime.TypeByExtension(path.Ext(filename)))
	}
	id := c.uuid("8")
	value := map[string]any{
		"object": "file_upload", "id": id, "created_time": c.minute(), "last_edited_time": c.minute(),
		"created_by":  map[string]any{"id": kit.Text(c.space, "bot_id"), "type": "bot"},
		"expiry_time": c.Now.UTC().Add(uploadLife).Truncate(time.Minute).Format(timeLayout), "in_trash": false, "status": "pending",
		"filename": or(body.at("filename").value, nil), "content_type": nil, "content_length": nil, "mode": mode,
	}
	if kind != "" {
		value["content_type"] = kind
	}
	switch mode {
	case "multi_part":
		parts := body.at("number_of_parts")
		if wrong := first(parts.isNumber(), body.at("filename").defined()); wrong != nil {
			return nil, invalid("body", wrong)
		}
		n, ok := parts.value.(int64)
		if !ok || n < 1 || n > 1000 {
			return nil, invalid("body", parts.should("≤ `1000`"))
		}
		value["number_of_parts"] = map[string]any{"total": n, "sent": int64(0)}
		value["complete_url"] = c.Base + "/v1/file_uploads/" + id + "/complete"
	case "external_url":
		if wrong := first(body.at("external_url").isText(maxLink), body.at("filename").defined()); wrong != nil {
			return nil, invalid("body", wrong)
		}
		value["status"] = "uploaded"
		value["file_import_result"] = map[string]any{"imported_time": c.minute(), "type": "success", "success": map[string]any{}}
		return c.showUpload(c.create(fileUploads, value).Value()), nil
	}
	value["upload_url"] = c.Base + "/v1/file_uploads/" + id + "/send"
	return c.showUpload(c.create(fileUploads, value).Value()), nil
}

// showUpload leaves out what only the fake keeps, and sees that an upload has
// run out.
func (c *call) showUpload(value map[string]any) map[string]any {
	shown := maps.Clone(value)
	delete(shown, "mode")
	delete(shown, "parts")
	delete(shown, "presumed")
	delete(shown, "contents")
	if c.lapsed(value) {
		shown["status"] = "expired"
	}
	c.trashMarks(shown, value)
	return shown
}

func (c *call) lapsed(value map[string]any) bool {
	due, err := time.Parse(timeLayout, kit.Text(value, "expiry_time"))
	return err == nil && value["status"] == "pending" && c.Now.After(due)
}

func (c *call) pathUpload() (*world.Record, *refusal) {
	id, refused := c.pathID("file_upload_id")
	if refused != nil {
		return nil, refused
	}
	r, ok := c.find(fileUploads, id)
	if !ok {
		return nil, c.missing("file_upload", id)
	}
	return r, nil
}

func getUpload(c *call, r *world.Record) (map[string]any, *refusal) {
	return c.showUpload(r.Value()), nil
}

func listUploads(c *call, size int, cursor string) (map[string]any, *refusal) {
	status := c.query("status")
	all := func(yield func(*world.Record) bool) {
		for r := range c.Tx.Newest(c.fake.store.Full(fileUploads), 0) {
			if (status == "" || c.showUpload(r.Value())["status"] == status) && !yield(r) {
				return
			}
		}
	}
	found, next, refused := window(all, func(r *world.Record) string { return r.ID }, size, cursor)
	if refused != nil {
		return nil, refused
	}
	results := []any{}
	for _, r := range found {
		results = append(results, c.showUpload(r.Value()))
	}
	return listed("file_upload", results, next), nil
}

// sendUpload takes a file, or a part of one.
func sendUpload(c *call, r *world.Record) (map[string]any, *refusal) {
	if r.Value()["status"] != "pending" || c.lapsed(r.Value()) {
		return nil, refuse("The file upload is not in a `pending` status: %s.", c.showUpload(r.Value())["status"])
	}
	file, ok := c.Input.Body["file"]
	if !ok {
		return nil, invalid("body", should("body.file", "defined", undefined))
	}
	value := maps.Clone(r.Value())
	value["last_edited_time"] = c.minute()
	length, _ := float(value["content_length"])
	size, content := kit.FileSent(cast.Text(file))
	value["content_length"] = int64(length) + size
	if value["mode"] != "multi_part" {
		value["contents"] = map[string]any{"1": content}
		value["status"] = "uploaded"
		value["expiry_time"] = c.Now.UTC().Add(uploadLife).Truncate(time.Minute).Format(timeLayout)
		delete(value, "upload_url")
		return c.showUpload(c.fake.store.Update(c.Tx, fileUploads, r.ID, value).Value()), nil
	}
	n, err := strconv.ParseInt(describe(c.Input.Body["part_number"]), 10, 64)
	total, _ := cast.Object(value["number_of_parts"])["total"].(int64)
	if err != nil || n < 1 || n > total {
		return nil, invalid("body", should("body.part_number", "a number from 1 to "+strconv.FormatInt(total, 10), describe(or(c.Input.Body["part_number"], undefined))))
	}
	contents := maps.Clone(cast.Object(value["contents"]))
	if contents == nil {
		contents = map[string]any{}
	}
	contents[strconv.FormatInt(n, 10)] = content
	value["contents"] = contents
	parts := cast.List(value["parts"])
	if !slices.Contains(parts, any(n)) {
		parts = append(append([]any{}, parts...), n)
	}
	value["parts"] = parts
	value["number_of_parts"] = map[string]any{"total": total, "sent": int64(len(parts))}
	return c.showUpload(c.fake.store.Update(c.Tx, fileUploads, r.ID, value).Value()), nil
}

func completeUpload(c *call, r *world.Record) (map[string]any, *refusal) {
	total, _ := cast.Object(r.Value()["number_of_parts"])["total"].(int64)
	switch {
	case r.Value()["mode"] != "multi_part":
		return nil, refuse("Only file uploads with a `mode` of `multi_part` can be completed.")
	case r.Value()["status"] != "pending" || c.lapsed(r.Value()):
		return nil, refuse("The file upload is not in a `pending` status: %s.", c.showUpload(r.Value())["status"])
	case int64(len(cast.List(r.Value()["parts"]))) < total:
		return nil, refuse("Not all parts have been sent: %d of %d.", len(cast.List(r.Value()["parts"])), total)
	}
	value := maps.Clone(r.Value())
	value["status"], value["last_edited_time"] = "uploaded", c.minute()
	delete(value, "upload_url")
	delete(value, "complete_url")
	return c.showUpload(c.fake.store.Update(c.Tx, fileUploads, r.ID, value).Value()), nil
}
