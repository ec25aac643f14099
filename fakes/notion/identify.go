package notion

import (
	"time"

	"parity/fakes"
	"parity/fakes/kit"
)

// Identify reads the integration's token, as Bearer, or the client's id and
// secret as Basic, which the endpoints of OAuth take.
func (f *Fake) Identify(p fakes.Credentials) (string, *fakes.Problem) {
	sent := kit.AuthorizationOf(p.Header)
	if p.Header.Get("Authorization") == "" && p.Query["X-Amz-Date"] != nil {
		return "", nil // a file is read by its address alone; permitted refuses all else
	}
	if sent.Is("Basic") && sent.Rest != "" || sent.Is("Bearer") && wellFormed(sent.Rest) {
		return sent.Rest, nil
	}
	return "", &fakes.Problem{Kind: fakes.Unauthorised}
}

// wellFormed accepts tokens of both generations. Source: developers.notion.com,
// changelog of September 2024: secret_ became ntn_.
func wellFormed(token string) bool { return kit.Prefixed(token, "_-.", "secret_", "ntn_") }

// capabilities are what an integration needs for an operation, as tokens list
// them under scopes. Source: developers.notion.com, Integration capabilities.
var capabilities = map[string]string{
	"get-users": "read_users", "get-user": "read_users",
	"post-search": "read_content", "retrieve-a-block": "read_content", "get-block-children": "read_content",
	"retrieve-a-page": "read_content", "retrieve-a-page-property": "read_content", "retrieve-page-markdown": "read_content",
	"get-databases": "read_content", "retrieve-a-database": "read_content", "post-database-query": "read_content",
	"retrieve-a-data-source": "read_content", "query-data-source": "read_content", "list-data-source-templates": "read_content",
	"update-a-block": "update_content", "delete-a-block": "update_content", "patch-page": "update_content",
	"move-page": "update_content", "update-page-markdown": "update_content", "update-a-database": "update_content",
	"update-a-data-source": "update_content",
	"patch-block-children": "insert_content", "post-page": "insert_content", "create-a-database": "insert_content",
	"create-a-data-source": "insert_content", "create-a-file-upload": "insert_content", "send-a-file-upload": "insert_content",
	"complete-a-file-upload": "insert_content",
	"list-views":             "read_content", "retrieve-a-view": "read_content", "create-a-view-query": "read_content", "get-view-query-results": "read_content",
	"create-a-view": "insert_content", "update-a-view": "update_content", "delete-a-view": "update_content",
	"retrieve-a-comment": "read_comments", "get-comment": "read_comments",
	"create-a-comment": "insert_comments", "update-a-comment": "insert_comments", "delete-a-comment": "insert_comments",
}

// permitted tells whether the token is good, and good for the operation.
func (c *call) permitted() *refusal {
	if c.Identity == "" && !c.Preauthenticated {
		return unauthorised()
	}
	token, known := c.fake.tokens.Of(c.Call)
	switch {
	case !known:
		return nil
	case token.Revoked, token.Expired(c.Now):
		return unauthorised()
	}
	if needed := capabilities[c.Operation.ID]; needed != "" && !token.Has(needed) {
		return restricted()
	}
	return nil
}

// An integration has a budget of requests for each 60 seconds, which depends on
// the workspace's plan and may be spent in a burst; Retry-After is the time until
// the window ends. Source: developers.notion.com, Request limits. Here it is 180,
// three a second on average.
const (
	limitMost   = 180
	limitWindow = time.Minute
)

func (c *call) limited() *refusal {
	left := c.fake.limits.Take(c.Tx, c.Identity, limitMost, limitWindow, c.Now)
	if !left.Over {
		return nil
	}
	return limitedFor(max(time.Second, left.Reset.Sub(c.Now)))
}
