package github

import (
	"net/http"
	"time"

	"parity/fakes/cast"
	"parity/fakes/kit"
)

// createInstallationToken gives an app a token, for an hour.
// Source: docs.github.com/rest/apps/apps#create-an-installation-access-token-for-an-app.
func createInstallationToken(c *call) (answer, *refusal) {
	token := c.NewID("ghs_", 36)
	expires := c.Now.Add(time.Hour).UTC()
	given := cast.Object(c.Input.Body["permissions"])
	if given == nil {
		given = map[string]any{"metadata": "read", "contents": "write", "issues": "write", "pull_requests": "write", "checks": "write"}
	}
	c.fake.tokens.Issue(c.Call, token, kit.Token{Expires: expires, Fields: map[string]any{"installation": c.path("installation_id")}})
	return answer{status: http.StatusCreated, value: map[string]any{
		"token": token, "expires_at": stamp(expires), "permissions": given, "repository_selection": "selected",
	}}, nil
}

func getApp(c *call) (answer, *refusal) {
	if _, installed := c.token.Fields["installation"]; installed {
		r := refusing(http.StatusForbidden, "Resource not accessible by integration")
		r.docs = docsRoot
		return answer{}, r
	}
	for record := range c.Tx.Newest(full(apps), 0) {
		if kit.Text(record.Value(), "slug") == c.path("app_slug") {
			return answer{value: c.showApp(record.Value())}, nil
		}
	}
	if c.path("app_slug") == appName {
		return answer{value: c.theApp()}, nil
	}
	return answer{}, notFound()
}
