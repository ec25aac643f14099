package zendesk

import (
	"encoding/base64"
	"net/http"
	"net/url"
	"strings"
	"unicode/utf8"

	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

func fileHandlers() map[string]handler {
	return map[string]handler{
		"UploadFiles":        uploadFile,
		"DeleteUpload":       on(uploads, "token", deleteUpload),
		"ShowAttachment":     showPlain(attachments, "attachment_id"),
		"DownloadAttachment": on(contents, "token", downloadAttachment),
	}
}

// mostUploaded is how large a file may be.
// Source: developer.zendesk.com/api-reference/ticketing/tickets/ticket-attachments.
const mostUploaded = 50 << 20

// uploadFile keeps a file until a comment takes it by its token. A token that
// is sent along gets one more file.
func uploadFile(c *call) (answer, *refusal) {
	filename := c.query("filename")
	switch {
	case filename == "":
		return answer{}, titled(http.StatusBadRequest, "Parameter Missing", "Required parameter missing: filename")
	case len(c.Body) == 0:
		return answer{}, named(http.StatusUnprocessableEntity, "AttachmentUnprocessable", "Attachment cannot be empty")
	case len(c.Body) > mostUploaded:
		return answer{}, named(http.StatusRequestEntityTooLarge, "AttachmentTooLarge", "Attachment is too large")
	}
	before, again := c.Tx.Get(full(uploads), c.query("token"))
	if c.query("token") != "" && (!again || before.Value()["used"] == true) {
		return answer{}, notFound()
	}
	n, at := c.fresh(attachments), c.NewID("", 24)
	kind := c.Header.Get("Content-Type")
	if kind == "" || strings.HasPrefix(kind, "application/json") {
		kind = "application/binary"
	}
	link := c.Base + "/attachments/token/" + at + "/?name=" + url.QueryEscape(filename)
	file := c.fake.store.Create(c.Tx, attachments, key(n), map[string]any{
		"url": c.address(api+attachments, n), "id": n, "file_name": filename, "content_url": link, "mapped_content_url": link, "content_type": kind,
		"size": int64(len(c.Body)), "width": nil, "height": nil, "inline": false, "deleted": false, "malware_access_override": false,
		"malware_scan_result": "not_scanned", "thumbnails": []any{},
	})
	held := map[string]any{"id": at, "kind": kind}
	if utf8.Valid(c.Body) {
		held["text"] = string(c.Body)
	} else {
		held["base64"] = base64.StdEncoding.EncodeToString(c.Body)
	}
	c.keep(contents, at, held)
	files := []any{n}
	token := c.NewID("", 22)
	value := map[string]any{"token": token, "expires_at": stamp(c.Now.Add(uploadLife)), "attachment_ids": files, "used": false}
	if again {
		token = before.ID
		files = append(cast.Anys(ids(before.Value()["attachment_ids"])), n)
		value = with(before.Value(), map[string]any{"attachment_ids": files})
		c.fake.store.Update(c.Tx, uploads, token, value)
	} else {
		c.fake.store.Create(c.Tx, uploads, token, value)
	}
	all := []any{}
	for _, one := range ids(files) {
		if r, ok := c.find(attachments, one); ok {
			all = append(all, c.show(r))
		}
	}
	return answer{status: http.StatusCreated, header: kit.Headers("Location", cast.Text(c.show(file)["url"])), value: map[string]any{"upload": map[string]any{
		"token": token, "expires_at": value["expires_at"], "attachment": c.show(file), "attachments": all,
	}}}, nil
}

func deleteUpload(c *call, r *world.Record) (answer, *refusal) {
	c.fake.store.Delete(c.Tx, uploads, r.ID)
	return answer{status: http.StatusNoContent}, nil
}

func downloadAttachment(c *call, r *world.Record) (answer, *refusal) {
	body := []byte(cast.Text(r.Value()["text"]))
	if packed := cast.Text(r.Value()["base64"]); packed != "" {
		body, _ = base64.StdEncoding.DecodeString(packed) // uploadFile wrote it
	}
	return answer{kind: orDefault(cast.Text(r.Value()["kind"]), "application/binary"), raw: body}, nil
}
