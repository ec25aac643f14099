package gateway_test

import (
	"net/http"
	"strings"
)

// shows is a create that happens, and whose answer is seen so.
func shows(part string) func(*probe) string {
	return lost(func(_ *probe, g got) string {
		return unless(strings.Contains(string(g.body), part), "%d %s", g.status, g.body)
	})
}

// driftSights are of replies that are not as the contract says, or not so.
func driftSights() []sight {
	return []sight{
		{fault: "schema-drift", with: "{field: id}", at: "create", commits: true, play: shows(`"id_value":`)},
		{fault: "wrong-value", with: "{field: email, value: else@example.com}", at: "create", commits: true, play: shows("else@example.com")},
		{fault: "malformed-body", with: "{how: bom}", at: "create", commits: true, play: shows("\xef\xbb\xbf")},
		{fault: "html-page", at: "create", play: refused(http.StatusOK, func(_ *probe, g got) string {
			return unless(strings.Contains(string(g.body), "<title>Sign in"), "%s", g.body)
		})},
		{fault: "html-page", with: "{when: after}", at: "create", commits: true, play: shows("<title>Sign in")},
		{fault: "deprecation", with: "{since: 2026-01-01T00:00:00Z}", at: "create", commits: true, play: lost(func(_ *probe, g got) string {
			return unless(g.header.Get("Deprecation") == "@1767225600" && g.header.Get("Sunset") != "", "%v", g.header)
		})},
		{fault: "clock-skew", with: "{refuse: true}", at: "create", play: refused(http.StatusUnauthorized, nil)},
		{fault: "misleading-refusal", with: "{field: email, status: 422}", at: "create", play: refused(http.StatusUnprocessableEntity, func(_ *probe, g got) string {
			return unless(strings.Contains(string(g.body), "email"), "%s", g.body)
		})},
		{fault: "silent-no-op", at: "create", play: func(p *probe) string {
			before := p.count()
			g := p.create()
			return all(unless(g.status == p.kind.made, "%d %s", g.status, g.body), none(p, before))
		}},
		{fault: "duplicate-effect", at: "create", commits: true, play: func(p *probe) string {
			before := p.count()
			g := p.create()
			return all(unless(g.status == p.kind.made, "%d %s", g.status, g.body), none(p, before+2))
		}},
	}
}
