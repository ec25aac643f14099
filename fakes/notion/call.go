package notion

import (
	"crypto/sha1" //nolint:gosec // Express's weak ETags are made of it
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"parity/fakes"
	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

// The versions, as Notion-Version names them. Source: developers.notion.com,
// Changes by version.
const (
	v20210816 = "2021-08-16" // ids of properties safe for addresses; append gives the new blocks
	v20220222 = "2022-02-22" // rich_text in blocks; property items in pages
	v20220628 = "2022-06-28" // relations with a type
	v20250903 = "2025-09-03" // data sources
	v20260311 = "2026-03-11" // in_trash alone; position of new blocks
)

var versions = [...]string{"2021-05-11", "2021-05-13", v20210816, v20220222, v20220628, v20250903, v20260311}

// A call is one request under way.
type call struct {
	*fakes.Call
	fake    *Fake
	version string
	request string          // the request's id
	space   map[string]any  // the workspace
	made    map[string]bool // ids that a recorded conversation makes; only while a world is set up from one
}

// A handler answers one operation. It refuses before it writes anything.
type handler func(*call) (map[string]any, *refusal)

// Answer plays one call.
func (f *Fake) Answer(fc *fakes.Call) fakes.Reply {
	c := f.call(fc)
	if fc.Operation.ID == readFileID {
		return c.readFile()
	}
	given, refused := c.answer()
	if refused != nil {
		return refused.reply(c.request)
	}
	status := http.StatusOK
	if given["object"] == "async_task" && fc.Operation.Method != http.MethodGet {
		status = http.StatusAccepted
	}
	fresh, _ := c.readdressed(given)
	given = maps.Clone(cast.Object(fresh))
	given["request_id"] = c.request
	return reply(status, c.request, given)
}

func (f *Fake) call(fc *fakes.Call) *call {
	c := &call{Call: fc, fake: f, version: fc.Header.Get("Notion-Version")}
	c.request = uuidFrom(c.NewID("req_", 22), "4")
	if r, ok := c.find(workspaces, "workspace"); ok {
		c.space = r.Value()
	}
	return c
}

func (c *call) answer() (map[string]any, *refusal) {
	if c.Identity == fakes.Fixture {
		if c.version == "" {
			c.version = v20260311
		}
		return c.fake.handlers[c.Operation.ID](c)
	}
	if refused := c.permitted(); refused != nil {
		return nil, refused
	}
	if c.version == "" && strings.HasPrefix(c.Operation.Path, "/v1/oauth/") {
		c.version = v20260311 // nothing there depends on it
	}
	switch {
	case c.version == "":
		return nil, missingVersion()
	case !slices.Contains(versions[:], c.version):
		return nil, unknownVersion(c.version)
	}
	if refused := c.limited(); refused != nil {
		return nil, refused
	}
	if len(c.Body) > maxBody && c.Operation.ID != "send-a-file-upload" {
		return nil, tooLarge()
	}
	if later, refused := c.deferred(); refused != nil {
		return nil, refused
	} else if later {
		return c.accept()
	}
	return c.fake.handlers[c.Operation.ID](c)
}

// reply puts a value on the wire, with the headers that every reply has.
func reply(status int, request string, value map[string]any) fakes.Reply {
	body := world.Encode(value)
	sum := sha1.Sum(body) //nolint:gosec // no secret depends on it
	header := kit.Headers(
		"Content-Type", "application/json; charset=utf-8",
		"X-Notion-Request-Id", request,
		"Etag", fmt.Sprintf(`W/"%x-%s"`, len(body), base64.RawStdEncoding.EncodeToString(sum[:])),
	)
	return fakes.Reply{Status: status, Header: header, Body: body, Result: value}
}

// maxBody is how large a request may be. Source: developers.notion.com, Request
// limits: 500 KB overall.
const maxBody = 500 * 1024

// since tells whether the call's version is that one or a later one.
func (c *call) since(version string) bool { return c.version >= version }

// uuid makes an id; kind is the digit that says how it was made: Notion's
// pages, blocks and comments have 8, databases 4.
func (c *call) uuid(kind string) string {
	seed := c.NewID("", 22)
	if id, ok := uuidOf(seed); ok { // a fixture says which
		return id
	}
	return uuidFrom(seed, kind)
}

func uuidFrom(seed, kind string) string {
	sum := sha256.Sum256([]byte(seed))
	h := hex.EncodeToString(sum[:16])
	variant := string("89ab"[sum[16]&3])
	return h[:8] + "-" + h[8:12] + "-" + kind + h[13:16] + "-" + variant + h[17:20] + "-" + h[20:]
}

// uuidOf reads an id with or without dashes.
func uuidOf(text string) (string, bool) {
	h := strings.ToLower(strings.ReplaceAll(text, "-", ""))
	if len(h) != 32 || strings.Trim(h, "0123456789abcdef") != "" {
		return "", false
	}
	return h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:], true
}

func undashed(id string) string { return strings.ReplaceAll(id, "-", "") }

// minute is the call's instant as most objects show time: Notion rounds down.
func (c *call) minute() string {
	return c.Now.UTC().Truncate(time.Minute).Format("2006-01-02T15:04:05.000Z")
}

// instant is the call's instant as databases show it.
func (c *call) instant() string { return c.Now.UTC().Format("2006-01-02T15:04:05.000+00:00") }

// me is the bot that calls, as objects name it.
func (c *call) me() map[string]any {
	return map[string]any{"object": "user", "id": kit.Text(c.space, "bot_id")}
}

func (c *call) find(collection, id string) (*world.Record, bool) {
	return c.fake.store.Get(c.Tx, collection, id)
}

// pathID reads the id that the path names.
func (c *call) pathID(parameter string) (string, *refusal) {
	sent := c.Input.Path[parameter]
	id, ok := uuidOf(sent)
	if !ok {
		return "", invalid("path", should("path."+parameter, "a valid uuid", quoted(sent)))
	}
	return id, nil
}

// query gives a query parameter that is text; "" when it is absent.
func (c *call) query(parameter string) string { return cast.Text(c.Input.Query[parameter]) }

func float(v any) (float64, bool) {
	switch n := v.(type) {
	case int64:
		return float64(n), true
	case float64:
		return n, true
	}
	return 0, false
}
