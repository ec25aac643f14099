package github

import (
	"net/http"
	"strconv"
	"strings"
	"time"

	"parity/fakes"
	"parity/fakes/kit"
)

// GitHub's limits. Those of content (what makes or changes something) are the
// secondary ones that can be told without watching time go by.
// Source: docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api.
const (
	callsAnHour        = 5000
	callsOfNobody      = 60
	searchesAMinute    = 30
	searchesOfNobody   = 10
	codeSearchesMinute = 10
	contentAMinute     = 80
	contentAnHour      = 500
)

// A window is one limit of a caller.
type window struct {
	resource string
	most     int
	length   time.Duration
}

func (c *call) window() window {
	nobody := c.viewer == ""
	switch {
	case c.id == "search/code":
		return window{"code_search", codeSearchesMinute, time.Minute}
	case strings.HasPrefix(c.id, "search/") && nobody:
		return window{"search", searchesOfNobody, time.Minute}
	case strings.HasPrefix(c.id, "search/"):
		return window{"search", searchesAMinute, time.Minute}
	case c.id == "graphql/query":
		return window{"graphql", callsAnHour, time.Hour}
	case nobody:
		return window{"core", callsOfNobody, time.Hour}
	}
	return window{"core", callsAnHour, time.Hour}
}

func (c *call) key(resource string) string { return resource + "/" + c.Identity }

// used tells how much of a window is used, and when it ends; nothing is
// counted.
func (c *call) used(w window) (int, time.Time) {
	record, ok := c.Tx.Get(limitsCollection, c.key(w.resource))
	if ok {
		ends, _ := record.Value()["ends"].(int64)
		n, _ := record.Value()["used"].(int64)
		if until := time.Unix(ends, 0).UTC(); c.Now.Before(until) {
			return int(n), until
		}
	}
	return 0, c.Now.Add(w.length).Truncate(time.Second)
}

// uncounted tells whether a call is outside all limits.
func (c *call) uncounted() bool { return c.Identity == fakes.Fixture || c.id == "rate-limit/get" }

// limited refuses a call that is one too many.
func (c *call) limited() *refusal {
	if c.uncounted() {
		return nil
	}
	w := c.window()
	if n, _ := c.used(w); n >= w.most {
		return c.overLimit()
	}
	if c.Operation.Method == http.MethodGet || strings.HasPrefix(c.id, "search/") || c.viewer == "" {
		return nil
	}
	for _, w := range contentWindows {
		if n, until := c.used(w); n >= w.most {
			r := refusing(http.StatusForbidden, secondaryLimit, requestID(c.NewID("", 20)))
			r.docs = secondaryDocs
			r.header = kit.Headers("Retry-After", strconv.Itoa(max(1, int((until.Sub(c.Now)+time.Second-1)/time.Second))))
			return r
		}
	}
	return nil
}

var contentWindows = []window{{"content-minute", contentAMinute, time.Minute}, {"content-hour", contentAnHour, time.Hour}}

func (c *call) overLimit() *refusal {
	who := "user ID " + strconv.FormatInt(c.userID(c.viewer), 10) + "."
	if c.viewer == "" {
		who = "192.0.2.1. (But here's the good news: Authenticated requests get a higher rate limit. Check out the documentation for more details.)"
	}
	r := refusing(http.StatusForbidden, "API rate limit exceeded for %s", who)
	r.docs = limitDocs
	return r
}

// count takes one call off the caller's windows.
func (c *call) count() {
	if c.uncounted() {
		return
	}
	w := c.window()
	c.fake.limits.Take(c.Tx, c.key(w.resource), w.most, w.length, c.Now)
	if c.Operation.Method == http.MethodGet || strings.HasPrefix(c.id, "search/") || c.viewer == "" {
		return
	}
	for _, w := range contentWindows {
		c.fake.limits.Take(c.Tx, c.key(w.resource), w.most, w.length, c.Now)
	}
}

// rates writes the headers of the caller's limit.
func (c *call) rates(header http.Header) {
	w := c.window()
	n, until := c.used(w)
	for name, value := range map[string]string{
		"Limit": strconv.Itoa(w.most), "Remaining": strconv.Itoa(w.most - n), "Used": strconv.Itoa(n),
		"Reset": strconv.FormatInt(until.Unix(), 10), "Resource": w.resource,
	} {
		header["X-Ratelimit-"+name] = []string{value}
	}
}

// rateLimit shows all limits of the caller.
func rateLimit(c *call) (answer, *refusal) {
	core, search := callsAnHour, searchesAMinute
	if c.viewer == "" {
		core, search = callsOfNobody, searchesOfNobody
	}
	show := func(w window) map[string]any {
		n, until := c.used(w)
		return map[string]any{"limit": int64(w.most), "used": int64(n), "remaining": int64(w.most - n), "reset": until.Unix()}
	}
	resources := map[string]any{}
	for _, w := range []window{
		{"core", core, time.Hour},
		{"search", search, time.Minute},
		{"graphql", callsAnHour, time.Hour},
		{"code_search", codeSearchesMinute, time.Minute},
		{"integration_manifest", callsAnHour, time.Hour},
		{"source_import", 100, time.Minute},
		{"code_scanning_upload", 1000, time.Hour},
		{"actions_runner_registration", 10000, time.Hour},
		{"scim", 15000, time.Hour},
		{"dependency_snapshots", 100, time.Minute},
	} {
		resources[w.resource] = show(w)
	}
	return answer{value: map[string]any{"resources": resources, "rate": resources["core"]}}, nil
}
