package slack

import (
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"parity/fakes"
	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

// fileReady is the timer of an upload that is finished: Slack looks into a file,
// and shares it, a moment after it said ok.
const fileReady = "file-ready"

// fileDelay is that moment. Source: recordings, in which completeUploadExternal
// shows neither type nor share; Slack promises no time.
const fileDelay = time.Second

// filesBase is where files are: files.slack.com, or the address under which the
// client reached the service.
func (c *call) filesBase() string {
	u, err := url.Parse(c.Base)
	if err != nil || u.Hostname() == "slack.com" || strings.HasSuffix(u.Hostname(), ".slack.com") {
		return "https://files.slack.com"
	}
	return strings.TrimSuffix(c.Base, "/")
}

func getUploadURL(c *call) (answer, *refusal) {
	var missing []string
	for _, argument := range []string{"filename", "length"} {
		if _, sent := c.args[argument]; !sent {
			missing = append(missing, "[ERROR] missing required field: "+argument)
		}
	}
	length, ok := c.number("length", 0)
	switch {
	case len(missing) > 0:
		return answer{}, &refusal{code: invalidArguments, messages: missing}
	case !ok:
		return answer{}, &refusal{code: invalidArguments, messages: []string{"[ERROR] must be an integer [json-pointer:/length]"}}
	case length <= 0:
		return answer{}, &refusal{code: invalidArguments, messages: []string{"[ERROR] must be greater than 0 [json-pointer:/length]"}}
	case c.text("filename") == "":
		return answer{}, &refusal{code: invalidArguments, messages: []string{"[ERROR] must be more than 0 characters [json-pointer:/filename]"}}
	}
	id := "F" + strings.ToUpper(c.NewID("", 10))
	ticket := "CwABAAAA" + c.NewID("", 120)
	c.create(uploads, id, map[string]any{
		"id": id, "ticket": ticket, "filename": c.text("filename"), "length": length, "user": c.who.user, "created": c.now(),
		"alt_txt": c.text("alt_txt"), "snippet_type": c.text("snippet_type"),
	})
	return said(map[string]any{"upload_url": c.filesBase() + "/upload/v1/" + ticket, "file_id": id})
}

func plainly(status int, text string) (answer, *refusal) {
	return answer{plain: true, status: status, text: []byte(text), kind: "text/plain; charset=utf-8"}, nil
}

// receiveFile takes a file's bytes: as a body, or as a part of a form. The
// address is the credential.
func receiveFile(c *call) (answer, *refusal) {
	for record := range c.fake.Find(c.Tx, uploads, "ticket", c.Input.Path["ticket"]) {
		size, content := c.sent()
		value := maps.Clone(record.Value())
		value["received"] = size
		delete(value, "content")
		if content != "" {
			value["content"] = content
		}
		c.update(uploads, record.ID, value)
		return plainly(http.StatusOK, fmt.Sprintf("OK - %d", size))
	}
	return plainly(http.StatusNotFound, "invalid upload url")
}

// sent gives how long the file is, and what is in it where that is text of some
// length: what the journal keeps of a request, so that it can be played again.
func (c *call) sent() (size int64, content string) {
	var value any = c.Input.Value
	for _, field := range slices.Sorted(maps.Keys(c.Input.Body)) { // a form: its longest text is the file
		if text, ok := c.Input.Body[field].(string); ok && (value == nil || field == "file" || kit.Told(text)) {
			value = text
		}
	}
	if text, isText := value.(string); isText {
		return kit.FileSent(text)
	}
	return int64(len(c.Body)), string(c.Body) // JSON, or nothing
}

// completeUpload makes files of uploads, and shares them.
func completeUpload(c *call, made []map[string]any) (answer, *refusal) {
	targets := c.names("channels")
	if id := c.text("channel_id"); id != "" {
		targets = append([]string{id}, targets...)
	}
	for _, id := range targets {
		channel, ok := c.get(channels, id)
		if !ok || !c.sees(channel) {
			return answer{}, refuse(channelNotFound)
		}
		if _, refused := c.writable(id); refused != nil {
			return answer{}, refused
		}
		if _, refused := c.threadOf(channel, c.text("thread_ts")); refused != nil {
			return answer{}, refused
		}
	}
	var blocks any
	if c.given("blocks") {
		list, refused := c.blocks()
		if refused != nil {
			return answer{}, refused
		}
		blocks = list
	}
	list := make([]any, len(made))
	ids := make([]string, len(made))
	for i, value := range made {
		ids[i] = asText(value["id"])
		c.create(files, ids[i], value)
		list[i] = value
		upload, _ := c.get(uploads, ids[i])
		spent := maps.Clone(upload.Value())
		spent["done"] = true
		c.update(uploads, ids[i], spent)
	}
	share := map[string]any{
		"id": "share " + ids[0], "files": cast.Anys(ids), "channels": cast.Anys(targets), "comment": c.text("initial_comment"), "blocks": blocks,
		"thread_ts": c.text("thread_ts"), "user": c.who.user,
	}
	c.put(appCollection, "share "+ids[0], share)
	kit.Must(name, kit.Schedule(c.Tx, fakes.Timer{Service: name, Kind: fileReady, Subject: ids[0], Due: c.Now.Add(fileDelay)}))
	return said(map[string]any{"files": list})
}

// uploaded reads the argument files, and makes the files of it.
func (c *call) uploaded() ([]map[string]any, *refusal) {
	value, ok := c.json("files")
	list, isList := value.([]any)
	if !ok || !isList || len(list) == 0 {
		return nil, &refusal{code: invalidArguments, messages: []string{"[ERROR] must be a valid array [json-pointer:/files]"}}
	}
	made := make([]map[string]any, 0, len(list))
	for i, item := range list {
		entry, _ := item.(map[string]any)
		id := asText(entry["id"])
		if id == "" {
			return nil, &refusal{code: invalidArguments, messages: []string{fmt.Sprintf("[ERROR] missing required field: id [json-pointer:/files/%d]", i)}}
		}
		upload, ok := c.get(uploads, id)
		if !ok || upload.Value()["received"] == nil || upload.Value()["done"] == true || upload.Value()["user"] != c.who.user {
			return nil, refuse(fileNotFound)
		}
		made = append(made, c.fileRecord(upload, asText(entry["title"])))
	}
	return made, nil
}

// ready is what Slack does when it has looked into the files of an upload: it
// knows their types, and shares them.
func (c *call) ready(first string) {
	record, ok := c.Tx.Get(appCollection, "share "+first)
	if !ok {
		return
	}
	share := record.Value()
	kit.Must(name, c.Tx.Delete(appCollection, record.ID))
	c.who.user = kit.Text(share, "user")
	var list []*world.Record
	for _, id := range cast.Texts(share["files"]) {
		if file, ok := c.get(files, id); ok && file.Value()["mode"] != tombstone {
			value := maps.Clone(file.Value())
			maps.Copy(value, typeOf(kit.Text(value, "name")))
			list = append(list, c.update(files, id, value))
		}
	}
	if len(list) == 0 {
		return
	}
	for _, id := range cast.Texts(share["channels"]) {
		if channel, ok := c.get(channels, id); ok && channel.Value()["is_archived"] != true {
			c.share(channel, list, share)
		}
	}
}

// share posts files to a channel.
func (c *call) share(channel *world.Record, list []*world.Record, share map[string]any) {
	parent, refused := c.threadOf(channel, kit.Text(share, "thread_ts"))
	if refused != nil {
		return
	}
	shown := make([]any, len(list))
	for i, file := range list {
		shown[i] = file.Value()
	}
	value := c.authored(map[string]any{"text": formatted(kit.Text(share, "comment")), "files": shown, "upload": false, "display_as_bot": false})
	if blocks := share["blocks"]; blocks != nil {
		value["blocks"] = blocks
	} else if text := asText(value["text"]); text != "" {
		value["blocks"] = []any{c.richText(text)}
	}
	message := c.write(post{channel: channel, thread: parent, value: value, owner: c.who.user}, false)
	for _, file := range list {
		c.shared(file.ID, channel, message)
	}
}
