// Package recording reads conversations with real services, and compares what
// they said with what a fake says.
//
//	recorded request ──ids of ours in place of theirs──▶ a fake ──▶ reply
//	recorded reply ─────────────────────────────────────────────▶ Compare ──▶ misses
//
// A service makes up ids, times and tokens. Compare learns which of theirs
// stands for which of ours, from where they first come, and holds them to it
// from then on; everything else has to be equal.
package recording

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// A Conversation is what one client and a real service said to each other.
type Conversation struct {
	Source    string     `json:"source"`
	Licence   string     `json:"licence"`
	Service   string     `json:"service"`
	Recorded  string     `json:"recorded"` // the day
	Version   string     `json:"api_version"`
	Grade     string     `json:"grade"` // B: statuses may have been flattened to 200
	Notes     []string   `json:"notes"`
	Mirror    *Mirror    `json:"mirror,omitempty"` // where the conversation is one
	Exchanges []Exchange `json:"exchanges"`
}

// An Exchange is one request and its reply.
type Exchange struct {
	Request  Request  `json:"request"`
	Response Response `json:"response"`
}

// A Request is what the client sent.
type Request struct {
	Method string            `json:"method"`
	URL    string            `json:"url"`
	Header map[string]string `json:"headers"`
	Body   *string           `json:"body"`
}

// A Response is what the service said.
type Response struct {
	Status int               `json:"status"`
	Header map[string]string `json:"headers"`
	Body   string            `json:"body"`
}

// Read reads a conversation. Its errors say what is no conversation.
func Read(data []byte) (Conversation, error) {
	var c Conversation
	if err := json.Unmarshal(data, &c); err != nil {
		return Conversation{}, fmt.Errorf("recording: %w", err)
	}
	for i := range c.Exchanges {
		c.Exchanges[i].Response.Body = unpacked(c.Exchanges[i].Response.Body)
		if _, err := url.Parse(c.Exchanges[i].Request.URL); err != nil {
			return Conversation{}, fmt.Errorf("recording: exchange %d: %w", i+1, err)
		}
	}
	return c, nil
}

// unpacked gives a body that was kept in base64, as recorders keep what they
// take for bytes, where it is JSON; any other as it is. Filters of a recorder
// may have been at work in what they took for plain text: their placeholders
// become again what they replaced.
func unpacked(body string) string {
	plain, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(body), ""))
	if err != nil || len(plain) == 0 {
		return body
	}
	text := strings.NewReplacer("<VENDOR_ID>", "1", "<VENDOR_AUTH_CODE>", "x", "<PADDLE_API_KEY>", "secret").Replace(string(plain))
	if !json.Valid([]byte(text)) {
		return body
	}
	return text
}

// Text is the body as it was sent; "" where there was none.
func (r *Request) Text() string {
	if r.Body == nil {
		return ""
	}
	return *r.Body
}

// At is when the reply was made, by its Date; else the zero time.
func (r *Response) At() time.Time {
	at, err := http.ParseTime(r.Value("date"))
	if err != nil {
		return time.Time{}
	}
	return at.UTC()
}

// Value is a header of the reply; "" where it has none of that name.
func (r *Response) Value(name string) string {
	for n, value := range r.Header {
		if strings.EqualFold(n, name) {
			return value
		}
	}
	return ""
}

// Says tells whether a header of the reply has a text in it.
func (r *Response) Says(header, text string) bool { return strings.Contains(r.Value(header), text) }

// Good tells whether the service did what was asked.
func (r *Response) Good() bool { return r.Status/100 == 2 }

// Made lists the ids that the conversation itself brought into being: those of
// records that successful writes show and nothing before them mentions, and of
// what came of those. reads tell of further exchanges that only read, such as a
// search by POST.
func (c *Conversation) Made(reads ...func(Exchange) bool) map[string]bool {
	made := map[string]bool{}
	var before strings.Builder
	for i := range c.Exchanges {
		e := &c.Exchanges[i]
		before.WriteString(e.Request.URL + " " + e.Request.Text() + "\n")
		write := e.makes()
		for _, read := range reads {
			write = write && !read(*e)
		}
		if write {
			if e.Response.Good() {
				for _, id := range ids(e.Response.Body) {
					if !strings.Contains(before.String(), id) {
						made[id] = true
					}
				}
			}
		}
		before.WriteString(e.Response.Body + "\n")
	}
	c.derived(made, before.String())
	return made
}

// makes tells whether an exchange may bring records into being: a PATCH does
// where what it answers is no record itself, but a list of those it added.
func (e *Exchange) makes() bool {
	switch e.Request.Method {
	case http.MethodPost, http.MethodPut:
		return true
	case http.MethodPatch:
		var value map[string]any
		return json.Unmarshal([]byte(e.Response.Body), &value) == nil && own(value) == "" && value["object"] == "list"
	}
	return false
}

// derived adds the records that came of what was made: reads show them, they
// name one that was made, and nothing named them before it was.
func (c *Conversation) derived(made map[string]bool, all string) {
	const shortest = 8 // a shorter one stands in other texts by chance
	for i := range c.Exchanges {
		e := &c.Exchanges[i]
		var shown any
		if !e.Response.Good() || e.Request.Method != http.MethodGet || json.Unmarshal([]byte(e.Response.Body), &shown) != nil {
			continue
		}
		walk(shown, func(m map[string]any) {
			id := own(m)
			if made[id] || len(id) < shortest {
				return
			}
			for _, inner := range m {
				if name, ok := inner.(string); ok && made[name] && len(name) >= shortest && strings.Index(all, id) > strings.Index(all, name) {
					made[id] = true
				}
			}
		})
	}
}

// ids lists what a JSON text gives under the names of ids.
func ids(text string) []string {
	var value any
	if json.Unmarshal([]byte(text), &value) != nil {
		return nil
	}
	var found []string
	walk(value, func(m map[string]any) {
		if m["new"] == false || m["isNew"] == false {
			return // it was there before
		}
		if id := own(m); id != "" && m["object"] != "user" { // who made something is not made with it
			found = append(found, id)
		}
	})
	return found
}

// own is the id of an object; "" where it shows none.
func own(m map[string]any) string {
	for _, name := range []string{"id", "ts", "sha", "vid", "companyId", "guid"} {
		switch id := m[name].(type) {
		case string:
			return id
		case float64:
			return fmt.Sprintf("%.0f", id)
		}
	}
	return ""
}

// about tells whether an object is one of those with some ids: by its id, or,
// where it shows none under a usual name, by any field that holds one.
func about(m map[string]any, ids map[string]bool) bool {
	if id := own(m); id != "" {
		return ids[id]
	}
	for _, held := range m {
		if id, ok := held.(string); ok && id != "" && ids[id] {
			return true
		}
	}
	return false
}

func walk(value any, visit func(map[string]any)) {
	switch x := value.(type) {
	case map[string]any:
		visit(x)
		for _, inner := range x {
			walk(inner, visit)
		}
	case []any:
		for _, inner := range x {
			walk(inner, visit)
		}
	}
}

// Without gives a JSON text without the records in its lists that have one of
// these ids; "" where the text itself is such a record. A text that is no JSON
// stays as it is.
func Without(text string, ids map[string]bool) string {
	var value any
	if len(ids) == 0 || json.Unmarshal([]byte(text), &value) != nil {
		return text
	}
	if m, ok := value.(map[string]any); ok && about(m, ids) {
		return ""
	}
	data, err := json.Marshal(without(value, ids))
	if err != nil {
		return text
	}
	return string(data)
}

func without(value any, ids map[string]bool) any {
	switch x := value.(type) {
	case map[string]any:
		for name, inner := range x {
			x[name] = without(inner, ids)
		}
	case []any:
		kept := make([]any, 0, len(x))
		for _, inner := range x {
			if m, ok := inner.(map[string]any); !ok || !about(m, ids) {
				kept = append(kept, without(inner, ids))
			}
		}
		return kept
	}
	return value
}
