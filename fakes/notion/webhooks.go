package notion

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"time"

	"parity/fakes"
	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

// Webhooks are subscribed to in Notion's settings, so here by a fixture:
//
//	notion.webhook_endpoints: [{id: wh1, url: "https://agent.example/hook", secret: secret_x, events: [page.created]}]
//
// The secret is the verification token that Notion sent to the endpoint once.
// Source: developers.notion.com, Webhooks.

// maxAttempts is how often Notion tries, and the waits in between grow up to a
// day. Source: developers.notion.com, Webhooks, Event delivery.
const maxAttempts = 8

const firstWait = time.Minute

// emit tells the endpoints that something happened to a node.
func (c *call) emit(kind string, n node, updated []any) {
	if c.Identity == fakes.Fixture {
		return
	}
	for r := range c.Tx.Oldest(c.fake.store.Full(endpoints), 0) {
		events := cast.List(r.Value()["events"])
		if len(events) > 0 && !slices.Contains(events, any(kind)) || r.Value()["verified"] == false {
			continue
		}
		c.deliver(r, kind, n, updated)
	}
}

func (c *call) deliver(endpoint *world.Record, kind string, n node, updated []any) {
	id := uuidFrom(c.NewID("evt_", 22), "4")
	data := map[string]any{"parent": hookParent(cast.Object(n.Value()["parent"]))}
	if updated != nil {
		data["updated_properties"] = updated
	}
	if n.kind == comments {
		data["page_id"] = c.pageOf(n.Value())
	}
	body := world.Encode(map[string]any{
		"id": id, "timestamp": c.Now.UTC().Format(timeLayout), "workspace_id": c.space["workspace_id"], "workspace_name": c.space["workspace_name"],
		"subscription_id": uuidFrom(endpoint.ID, "4"), "integration_id": c.integration()["integration_id"], "type": kind,
		"authors":       []any{map[string]any{"id": kit.Text(c.space, "bot_id"), "type": "bot"}},
		"accessible_by": []any{map[string]any{"id": kit.Text(c.space, "bot_id"), "type": "bot"}}, "attempt_number": int64(1),
		"api_version": or(endpoint.Value()["api_version"], v20250903), "entity": map[string]any{"id": n.ID, "type": singular(n.kind)}, "data": data,
	})
	err := kit.Deliver(c.Tx, fakes.Delivery{
		Service: name, ID: endpoint.ID + "/" + id, URL: kit.Text(endpoint.Value(), "url"), Method: http.MethodPost, Body: body, Attempt: 1, Due: c.Now.Add(time.Second), Event: id,
	})
	kit.Must(name, err)
}

func singular(kind string) string { return strings.TrimSuffix(kind, "s") }

// hookParent is a parent as events name it.
func hookParent(parent map[string]any) map[string]any {
	kind := kit.Text(parent, "type")
	switch kind {
	case "workspace", "":
		return map[string]any{"id": spaceID, "type": "space"}
	case "data_source_id":
		return map[string]any{"id": parent[kind], "type": "database", "data_source_id": parent[kind]}
	}
	return map[string]any{"id": parent[kind], "type": strings.TrimSuffix(kind, "_id")}
}

// pageOf is the page that something is on.
func (c *call) pageOf(value map[string]any) any {
	for up := range c.above(value) {
		if up.kind == pages {
			return up.ID
		}
	}
	return nil
}

// emitContent tells that the content of a page changed.
func (c *call) emitContent(n node) {
	if n.kind == pages {
		c.emit("page.content_updated", n, nil)
		return
	}
	for up := range c.above(n.Value()) {
		if up.kind == pages {
			c.emit("page.content_updated", up, nil)
			return
		}
	}
}

// emitTrash tells that something went to the trash, or came back.
func (c *call) emitTrash(n node, trash bool) {
	verb := ".undeleted"
	if trash {
		verb = ".deleted"
	}
	if n.kind == blocks {
		c.emitContent(n)
		return
	}
	c.emit(singular(n.kind)+verb, n, nil)
}

// Sign gives the headers of an attempt.
func (f *Fake) Sign(call *fakes.Call, d fakes.Delivery) http.Header {
	header := kit.Headers("Content-Type", "application/json", "User-Agent", "Notion-Webhooks")
	id, _, _ := strings.Cut(d.ID, "/")
	if r, ok := f.store.Get(call.Tx, endpoints, id); ok {
		if secret := kit.Text(r.Value(), "secret"); secret != "" {
			mac := hmac.New(sha256.New, []byte(secret))
			mac.Write(d.Body) //nolint:errcheck // it never fails
			header.Set("X-Notion-Signature", "sha256="+hex.EncodeToString(mac.Sum(nil)))
		}
	}
	return header
}

// Delivered tries again later where the endpoint did not take the event.
func (f *Fake) Delivered(call *fakes.Call, d fakes.Delivery, answer fakes.Answer) {
	if answer.Status/100 == 2 || d.Attempt >= maxAttempts {
		return
	}
	var body map[string]any
	if json.Unmarshal(d.Body, &body) == nil {
		body["attempt_number"] = d.Attempt + 1
		if again, err := json.Marshal(body); err == nil {
			d.Body = again
		}
	}
	wait := firstWait
	for range d.Attempt - 1 {
		wait *= 3
	}
	d.Due = call.Now.Add(min(wait, 24*time.Hour))
	d.Attempt++
	kit.Must(name, kit.Deliver(call.Tx, d))
}
