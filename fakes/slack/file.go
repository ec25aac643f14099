package slack

import (
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"

	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

// fileRecord is a file as completeUploadExternal shows it: nobody has looked
// into it yet.
func (c *call) fileRecord(upload *world.Record, title string) map[string]any {
	id, called := upload.ID, kit.Text(upload.Value(), "filename")
	if title == "" {
		title = called
	}
	base, team := c.filesBase(), c.teamID()
	sum := sha256.Sum256([]byte(team + id))
	private := base + "/files-pri/" + team + "-" + id + "/"
	escaped := url.PathEscape(strings.ToLower(strings.ReplaceAll(called, " ", "_")))
	return map[string]any{
		"id": id, "created": upload.Value()["created"], "timestamp": upload.Value()["created"], "name": called, "title": title,
		"mimetype": "", "filetype": "", "pretty_type": "", "user": c.who.user, "user_team": team, "editable": false,
		"size": upload.Value()["received"], "mode": "hosted", "is_external": false, "external_type": "", "is_public": false,
		"public_url_shared": false, "display_as_bot": false, "username": "", "url_private": private + escaped,
		"url_private_download": private + "download/" + escaped, "media_display_type": "unknown",
		"permalink":        c.site() + "files/" + c.who.user + "/" + id + "/" + escaped,
		"permalink_public": "https://slack-files.com/" + team + "-" + id + "-" + hex.EncodeToString(sum[:5]),
		"comments_count":   int64(0), "is_starred": false, "shares": map[string]any{}, "channels": []any{}, "groups": []any{}, "ims": []any{},
		"has_more_shares": false, "has_rich_preview": false, "file_access": "visible",
	}
}

// Types of files by the ends of their names.
// Source: docs.slack.dev/reference/objects/file-object, "File types".
var fileTypes = map[string][3]string{
	".txt": {"text/plain", "text", "Plain Text"}, ".md": {"text/plain", "markdown", "Markdown (raw)"}, ".csv": {"text/csv", "csv", "CSV"},
	".json": {"text/plain", "json", "JSON"}, ".pdf": {"application/pdf", "pdf", "PDF"}, ".png": {"image/png", "png", "PNG"},
	".jpg": {"image/jpeg", "jpg", "JPEG"}, ".jpeg": {"image/jpeg", "jpg", "JPEG"}, ".gif": {"image/gif", "gif", "GIF"},
	".html": {"text/html", "html", "HTML"}, ".xml": {"text/plain", "xml", "XML"}, ".py": {"text/plain", "python", "Python"},
	".go": {"text/plain", "go", "Go"}, ".js": {"text/plain", "javascript", "JavaScript/JSON"}, ".zip": {"application/zip", "zip", "Zip"},
	".log": {"text/plain", "text", "Plain Text"}, ".yaml": {"text/plain", "yaml", "YAML"}, ".yml": {"text/plain", "yaml", "YAML"},
	".xlsx": {"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "xlsx", "Excel Spreadsheet"},
	".docx": {"application/vnd.openxmlformats-officedocument.wordprocessingml.document", "docx", "Word Document"},
}

func typeOf(called string) map[string]any {
	kind, known := fileTypes[strings.ToLower(path.Ext(called))]
	if !known {
		kind = [3]string{"application/octet-stream", "binary", "Binary"}
	}
	return map[string]any{"mimetype": kind[0], "filetype": kind[1], "pretty_type": kind[2]}
}

// shared notes in a file where it was shared.
func (c *call) shared(id string, channel *world.Record, message map[string]any) {
	file, ok := c.get(files, id)
	if !ok {
		return
	}
	value := maps.Clone(file.Value())
	list, side := "channels", "public"
	switch familyOf(channel.Value()) {
	case "groups", "mpim":
		list, side = "groups", "private"
	case "im":
		list, side = "ims", "private"
	default:
		value["is_public"] = true
	}
	if names := cast.Texts(value[list]); !slices.Contains(names, channel.ID) {
		value[list] = cast.Anys(append(names, channel.ID))
	}
	shares, _ := value["shares"].(map[string]any)
	shares = maps.Clone(shares)
	sides, _ := shares[side].(map[string]any)
	sides = maps.Clone(sides)
	if sides == nil {
		sides = map[string]any{}
	}
	entry := map[string]any{
		"reply_users": []any{}, "reply_users_count": int64(0), "reply_count": int64(0), "ts": message["ts"],
		"channel_name": channel.Value()["name"], "team_id": c.teamID(), "share_user_id": c.who.user, "source": "UNKNOWN",
	}
	if thread := message["thread_ts"]; thread != nil {
		entry["thread_ts"] = thread
	}
	sides[channel.ID] = append([]any{entry}, cast.List(sides[channel.ID])...)
	shares[side] = sides
	value["shares"] = shares
	c.update(files, id, value)
	c.emitIn(channel, "file_shared", map[string]any{
		"file_id": id, "user_id": c.who.user, "file": map[string]any{"id": id}, "channel_id": channel.ID, "event_ts": stamp(c.Now.UnixMicro()),
	})
}

// file finds a file that the caller may see: its own, or one that was shared
// where it is.
func (c *call) file() (*world.Record, *refusal) {
	record, ok := c.get(files, c.text("file"))
	if !ok || !c.seesFile(record) {
		return nil, refuse(fileNotFound)
	}
	if record.Value()["mode"] == tombstone {
		return nil, refuse("file_deleted")
	}
	return record, nil
}

func (c *call) seesFile(file *world.Record) bool {
	if file.Value()["user"] == c.who.user || file.Value()["is_public"] == true {
		return true
	}
	for _, list := range []string{"channels", "groups", "ims"} {
		for _, id := range cast.Texts(file.Value()[list]) {
			if c.isMember(id, c.who.user) {
				return true
			}
		}
	}
	return false
}

func fileInfo(c *call, file *world.Record) (answer, *refusal) {
	value := file.Value()
	if upload, ok := c.get(uploads, file.ID); ok && strings.HasPrefix(kit.Text(value, "mimetype"), "text/") {
		value = maps.Clone(value)
		content := kit.Text(upload.Value(), "content")
		value["preview"], value["preview_is_truncated"] = cut(content, 500), len(content) > 500
		value["lines"] = int64(strings.Count(content, "\n") + 1)
		value["is_truncated"] = false
	}
	return said(map[string]any{"file": value, "comments": []any{}, "response_metadata": map[string]any{"next_cursor": ""}})
}

// listFiles lists files, newest first.
func listFiles(c *call) (answer, *refusal) {
	page, count, refused := c.numbered(100, 1000)
	if refused != nil {
		return answer{}, refused
	}
	if user := c.text("user"); user != "" {
		if _, ok := c.get(users, user); !ok {
			return answer{}, refuse(userNotFound)
		}
	}
	from, to := c.text("ts_from"), c.text("ts_to")
	list, total := []any{}, int64(0)
	for file := range c.Tx.Newest(c.fake.Full(files), 0) {
		created := kit.Text(file.Value(), "created")
		if !c.seesFile(file) || file.Value()["mode"] == tombstone || c.given("user") && file.Value()["user"] != c.text("user") ||
			c.given("channel") && !sharedIn(file, c.text("channel")) || from != "" && created < from || to != "" && created > to ||
			!ofType(file, c.names("types")) {
			continue
		}
		if total >= (page-1)*count && total < page*count {
			list = append(list, file.Value())
		}
		total++
	}
	return said(map[string]any{"files": list, "paging": map[string]any{"count": count, "total": total, "page": page, "pages": pagesOf(total, count)}})
}

func sharedIn(file *world.Record, channel string) bool {
	for _, list := range []string{"channels", "groups", "ims"} {
		if slices.Contains(cast.Texts(file.Value()[list]), channel) {
			return true
		}
	}
	return false
}

func ofType(file *world.Record, kinds []string) bool {
	if len(kinds) == 0 {
		return true
	}
	mime, kind := kit.Text(file.Value(), "mimetype"), kit.Text(file.Value(), "filetype")
	for _, wanted := range kinds {
		switch {
		case wanted == "all", wanted == "images" && strings.HasPrefix(mime, "image/"), wanted == "pdfs" && kind == "pdf",
			wanted == "zips" && kind == "zip", wanted == "snippets" && file.Value()["mode"] == "snippet":
			return true
		}
	}
	return false
}

func deleteFile(c *call, file *world.Record) (answer, *refusal) {
	switch {
	case file.Value()["user"] != c.who.user:
		return answer{}, refuse("cant_delete_file")
	}
	c.shred(file)
	return done()
}

// shred takes a file away, and from the messages that show it.
func (c *call) shred(file *world.Record) {
	c.update(files, file.ID, map[string]any{"id": file.ID, "mode": tombstone, "user": file.Value()["user"], "created": file.Value()["created"]})
	for _, list := range []string{"channels", "groups", "ims"} {
		for _, id := range cast.Texts(file.Value()[list]) {
			c.bury(id, file.ID)
		}
	}
	c.emit("file_deleted", map[string]any{"file_id": file.ID, "event_ts": stamp(c.Now.UnixMicro())})
}

// bury puts a tombstone where a channel's messages show a file.
func (c *call) bury(channel, file string) {
	for record := range c.fake.Find(c.Tx, messages, "timeline", channel) {
		old, _ := record.Value()["message"].(map[string]any)
		shown, _ := old["files"].([]any)
		at := slices.IndexFunc(shown, func(f any) bool { m, _ := f.(map[string]any); return m["id"] == file })
		if at < 0 {
			continue
		}
		message, list := maps.Clone(old), slices.Clone(shown)
		list[at] = map[string]any{"id": file, "mode": tombstone}
		message["files"] = list
		c.revalue(record, message)
	}
}

// readFile gives a file's bytes to who shows a token; others are sent to the
// workspace's front door.
func readFile(c *call) (answer, *refusal) {
	_, id, _ := strings.Cut(c.Input.Path["name"], "-")
	c.args["file"] = id
	file, refused := c.file()
	if refused != nil || c.trust() != nil {
		return plainly(http.StatusNotFound, "file not found")
	}
	kind := kit.Text(file.Value(), "mimetype")
	if kind == "" {
		kind = "application/octet-stream"
	}
	upload, ok := c.get(uploads, id)
	if !ok {
		return plainly(http.StatusNotFound, "file not found")
	}
	data := kit.FileBytes(cast.Int(upload.Value()["received"]), kit.Text(upload.Value(), "content"))
	return answer{plain: true, status: http.StatusOK, text: data, kind: kind}, nil
}
