package recording

import (
	"encoding/json"
	"fmt"
	"maps"
	"mime"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// A Miss is one way in which our reply is not theirs.
type Miss struct {
	What  string // status, header, shape, value, order or text
	Where string // a JSON pointer, or the name of a header
	Want  string // what the real service said
	Have  string
}

func (m Miss) String() string {
	return fmt.Sprintf("%s %s: want %s, have %s", m.What, m.Where, short(m.Want), short(m.Have))
}

func short(text string) string {
	const most = 120
	if len(text) > most {
		return text[:most] + "…"
	}
	return text
}

// Compare holds a reply of ours against the recorded one.
func (a *Alignment) Compare(e Exchange, status int, header http.Header, body []byte) []Miss {
	c := &comparison{Alignment: a}
	if status != e.Response.Status {
		c.miss("status", "", strconv.Itoa(e.Response.Status)+" "+e.Response.Body, strconv.Itoa(status)+" "+string(body))
		return c.found
	}
	a.Knew(e.Request.URL + " " + e.Request.Text())
	c.headers(e.Response.Header, header)
	var theirs, ours any
	switch err := json.Unmarshal([]byte(e.Response.Body), &theirs); {
	case err != nil:
		if e.Response.Body != string(body) && a.Ours(e.Response.Body) != string(body) {
			c.miss("text", "", e.Response.Body, string(body))
		}
	case json.Unmarshal(body, &ours) != nil:
		c.miss("shape", "", e.Response.Body, string(body))
	default:
		c.value("", "", theirs, ours)
	}
	a.Knew(e.Response.Body)
	return c.found
}

type comparison struct {
	*Alignment
	found []Miss
}

func (c *comparison) miss(what, where, want, have string) {
	c.found = append(c.found, Miss{What: what, Where: where, Want: want, Have: have})
}

// passing are headers of the way, not of the service.
var passing = []string{
	"date", "status", "x-runtime", "age", "via", "server", "connection", "transfer-encoding", "content-length", "last-modified",
	"x-github-media-type", "stripe-account", "x-poll-interval",
}

func (c *comparison) headers(theirs map[string]string, ours http.Header) {
	for _, name := range slices.Sorted(maps.Keys(theirs)) {
		want, have := theirs[name], ours.Get(name)
		switch lower := strings.ToLower(name); {
		case slices.Contains(passing, lower):
		case have == "":
			c.miss("header", lower, want, "")
		case lower == "content-type":
			x, _, _ := mime.ParseMediaType(want)
			y, _, _ := mime.ParseMediaType(have)
			if x != y {
				c.miss("header", lower, want, have)
			}
		case lower == "location" && !c.same("url", want, have), lower == "www-authenticate" && want != have:
			c.miss("header", lower, want, have)
		case lower == "link" && strings.Count(want, "rel=") != strings.Count(have, "rel="):
			c.miss("header", lower, want, have)
		}
	}
}

func (c *comparison) value(where, name string, theirs, ours any) {
	switch x := theirs.(type) {
	case map[string]any:
		y, ok := ours.(map[string]any)
		if !ok {
			c.miss("shape", where, "an object", text(ours))
			return
		}
		for _, field := range idsFirst(x) {
			inner, has := y[field]
			if !has {
				c.miss("shape", where+"/"+field, text(x[field]), "nothing")
				continue
			}
			c.value(where+"/"+field, field, x[field], inner)
		}
	case []any:
		y, ok := ours.([]any)
		if !ok || len(x) != len(y) {
			c.miss("shape", where, "a list of "+strconv.Itoa(len(x)), text(ours))
			return
		}
		for i := range x {
			c.value(where+"/"+strconv.Itoa(i), name, x[i], y[i])
		}
	case string:
		if y, ok := ours.(string); !ok || !passingField(name) && !c.same(name, x, y) {
			c.miss("value", where, text(theirs), text(ours))
		}
	case float64:
		if y, ok := ours.(float64); !ok || !c.number(name, x, y) {
			c.miss("value", where, text(theirs), text(ours))
		}
	default:
		if theirs != ours {
			c.miss("value", where, text(theirs), text(ours))
		}
	}
}

// number compares two numbers: times and ids are made up, others are not.
func (c *comparison) number(name string, theirs, ours float64) bool {
	switch {
	case theirs == ours, passingField(name):
		return true
	case naming().MatchString(name): // ids may look like times
		return c.same(name, text(theirs), text(ours))
	case when(theirs) && when(ours):
		return true
	case theirs > 1e6:
		return c.same(name, text(theirs), text(ours))
	}
	return false
}

// passingField tells whether a field is of the one exchange only.
func passingField(name string) bool {
	switch name {
	case "request_id", "correlationId", "request_log_url", "requestId",
		"profile-token", "profile-url", // HubSpot: made anew for each reply
		"risk_score", "authorization_code": // Stripe: drawn for each payment
		return true
	}
	return false
}

func text(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	if s, ok := v.(string); ok {
		return s
	}
	return string(data)
}

// idsFirst gives the fields of an object in the order in which they are
// compared: ids and names before addresses that are made of them.
func idsFirst(object map[string]any) []string {
	fields := slices.Sorted(maps.Keys(object))
	slices.SortStableFunc(fields, func(a, b string) int { return late(object[a]) - late(object[b]) })
	return fields
}

// late is 1 for an address, 2 for what has fields of its own.
func late(value any) int {
	switch v := value.(type) {
	case map[string]any, []any:
		return 2
	case string:
		if !strings.Contains(v, "://") {
			return 0
		}
		return 1
	}
	return 0
}
