package gateway_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
)

// items are those of the list in a reply: its first array.
func (g got) items() []any {
	for _, value := range g.json {
		if list, ok := value.([]any); ok {
			return list
		}
	}
	return nil
}

// beyond is the query for the page behind one of a single item.
func (g got) beyond() string {
	paging, _ := g.json["paging"].(map[string]any)
	if next, ok := paging["next"].(map[string]any); ok {
		return "?limit=1&after=" + url.QueryEscape(fmt.Sprint(next["after"]))
	}
	if items := g.items(); len(items) > 0 {
		item, _ := items[0].(map[string]any)
		return fmt.Sprint("?limit=1&starting_after=", item["id"])
	}
	return ""
}

// pageSights are of lists and of reads that are not up to date.
func pageSights() []sight {
	page := func(want int) func(*probe) string {
		return func(p *probe) string {
			for range 3 {
				p.made()
			}
			g := p.list("?limit=3")
			return unless(g.status == 200 && len(g.items()) == want, "%d, %d items, want %d: %s", g.status, len(g.items()), want, g.body)
		}
	}
	return []sight{
		{fault: "partial-page", with: "{drop: 1}", at: "list", play: page(2)},
		{fault: "partial-page", with: "{drop: 1, marker: hidden}", at: "list", play: page(2)},
		{fault: "partial-page", with: "{drop: 100%}", at: "list", only: "acme-crm: its pages are gone on in by their last item", play: func(p *probe) string {
			p.made()
			p.made()
			empty := p.list("?limit=1")
			next := p.list(empty.beyond())
			return unless(empty.status == 200 && len(empty.items()) == 0 && next.status == 200 && len(next.items()) == 1, "%s, then %d %s", empty.body, next.status, next.body)
		}},
		{fault: "partial-result", with: "{parts: 1}", at: "list", play: page(2)},
		{fault: "cursor-expired", at: "list", play: func(p *probe) string {
			p.made()
			p.made()
			first := p.list("?limit=1")
			g := p.list(first.beyond())
			return unless(first.status == 200 && g.status >= 400 && g.status < 500, "%d, then %d %s", first.status, g.status, g.body)
		}},
		{fault: "moving-page", with: "{insert: 2, remove: 0}", at: "list", play: func(p *probe) string {
			for range 3 {
				p.made()
			}
			before := p.count()
			p.list("?limit=2")
			return none(p, before+2)
		}},
		{fault: "stale-read", with: "{lag: 1h}", at: "list", play: func(p *probe) string {
			p.made()
			g := p.list("?limit=3")
			return unless(g.status == 200 && len(g.items()) == 0, "%d %s", g.status, g.body)
		}},
		{fault: "stale-cache", with: "{age: 1h}", at: "list", play: func(p *probe) string {
			g := p.list("?limit=3")
			return unless(g.status == 200 && g.header.Get("Age") == "3600", "%d, Age %q", g.status, g.header.Get("Age"))
		}},
		{fault: "large-reply", with: "{size: 64KB}", at: "list", play: func(p *probe) string {
			p.made()
			g := p.list("?limit=1")
			return unless(g.status == 200 && len(g.body) > 60<<10 && g.json != nil, "%d, %d bytes", g.status, len(g.body))
		}},
	}
}

// worldSights are of what others do, of what runs out, and of what comes later.
func worldSights() []sight {
	return []sight{
		{fault: "concurrent-edit", with: "{once_read: \"READ\", set: {FIELD: edited}}", at: "update", play: func(p *probe) string {
			id := p.made()
			first, second := p.read(id), p.read(id)
			return unless(!strings.Contains(string(first.body), "edited") && strings.Contains(string(second.body), "edited"), "%s, then %s", first.body, second.body)
		}},
		{fault: "concurrent-edit", with: "{at: before-write, delete: true}", at: "update", play: func(p *probe) string {
			g := p.change(p.made())
			return unless(g.status == http.StatusNotFound, "%d %s", g.status, g.body)
		}},
		{fault: "owner-changed", with: "{once_read: \"READ\", field: FIELD, to: edited}", at: "update", play: func(p *probe) string {
			id := p.made()
			p.read(id)
			second := p.read(id)
			return unless(strings.Contains(string(second.body), "edited"), "%s", second.body)
		}},
		{fault: "lock-lost", with: "{ttl: 500ms, status: 423}", at: "update", play: func(p *probe) string {
			id := p.made()
			first, second := p.change(id), p.change(id)
			return unless(first.status == http.StatusOK && second.status == http.StatusLocked, "%d, then %d %s", first.status, second.status, second.body)
		}},
		{fault: "session-expired", with: "{ttl: 1ms}", at: "", play: func(p *probe) string {
			p.read("x")
			return refused(http.StatusUnauthorized, nil)(p)
		}},
		{fault: "idempotency-conflict", with: "{how: reused}", at: "create", play: func(p *probe) string {
			before := p.count()
			g := p.create("Idempotency-Key", "k-"+p.way.name)
			return all(unless(g.status >= 400 && g.status < 500, "%d %s", g.status, g.body), none(p, before))
		}},
		{fault: "async-accept", with: "{wait: 1h}", at: "create", play: refused(http.StatusAccepted, func(_ *probe, g got) string {
			return unless(g.header.Get("Location") != "", "no Location: %v", g.header)
		})},
	}
}
