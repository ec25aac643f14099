package github

import (
	"net/http"
	"slices"
	"strings"

	"parity/fakes"
	"parity/fakes/kit"
)

// Texts of GitHub's refusals of a caller.
const (
	badCredentials = "Bad credentials"
	wantsLogin     = "Requires authentication"
	wantsAgent     = "Request forbidden by administrative rules. Please make sure your request has a User-Agent header (https://docs.github.com/en/rest/overview/resources-in-the-rest-api#user-agent-required). Check https://developer.github.com for other possible causes."
	noScopes       = "Resource not accessible by personal access token"
	noIntegration  = "Resource not accessible by integration"
)

// Identify reads the token: as token, as Bearer, or as the password of Basic.
// Nobody in particular may read what is public.
func (f *Fake) Identify(p fakes.Credentials) (string, *fakes.Problem) {
	if p.Header.Get("User-Agent") == "" {
		return "", &fakes.Problem{Kind: fakes.Unauthorised, Status: http.StatusForbidden, Message: wantsAgent}
	}
	sent := kit.AuthorizationOf(p.Header)
	if sent.Scheme == "" {
		return "", nil
	}
	token := tokenIn(sent)
	if !wellFormed(token) {
		return malformed, nil // Answer turns it away, in the caller's own limits
	}
	return token, nil
}

// malformed stands for every credential that is none of GitHub's.
const malformed = "(malformed)"

func tokenIn(sent kit.Authorization) string {
	if sent.Is("token", "Bearer") {
		return sent.Rest
	}
	user, password, _ := sent.Basic()
	if password == "" || password == "x-oauth-basic" {
		return user
	}
	return password
}

// wellFormed tells a token of GitHub's: one of its prefixes, forty hexadecimal
// digits as they were until 2021, or the three parts of a signed one of an app.
// Source: docs.github.com/authentication/keeping-your-account-and-data-secure/about-authentication-to-github#githubs-token-formats.
func wellFormed(token string) bool {
	return kit.Prefixed(token, tokenMarks, "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_") || isSHA(token) || signed(token)
}

// signed tells a JSON Web Token, with which an app shows who it is.
func signed(token string) bool {
	return strings.HasPrefix(token, "eyJ") && strings.Count(token, ".") == 2
}

// tokenMarks may stand in tokens and logins beside letters and digits.
const tokenMarks = "_.-"

// viewerDefault is who calls with a token that nobody has declared.
const viewerDefault = "octocat"

// identify finds out who calls.
func (c *call) identify() {
	if c.Identity == "" && !c.Preauthenticated {
		return
	}
	c.viewer = viewerDefault
	if c.Identity == fakes.Fixture {
		return
	}
	if c.IdentityOf != nil && c.Identity == c.IdentityOf(malformed) {
		c.viewer, c.known, c.token.Revoked = "", true, true
		return
	}
	if c.token, c.known = c.fake.tokens.Of(c.Call); c.known && c.token.Subject != "" {
		c.viewer = strings.ToLower(c.token.Subject)
		return
	}
	if record, ok := c.Tx.Get(viewersCollection, c.Identity); ok {
		c.viewer = kit.Text(record.Value(), "login")
	}
}

// admit turns away a token that was revoked or has expired, and one that lacks
// the scope that an operation wants.
func (c *call) admit() *refusal {
	if c.known && (c.token.Revoked || c.token.Expired(c.Now)) {
		return &refusal{status: http.StatusUnauthorized, message: badCredentials, docs: c.rootDocs()}
	}
	if c.viewer == "" && !public(c) {
		return &refusal{status: http.StatusUnauthorized, message: wantsLogin}
	}
	return nil
}

// public tells whether anybody may call an operation: reads, but for what is
// about the caller.
func public(c *call) bool {
	if c.Operation.Method != http.MethodGet {
		return false
	}
	path := c.Operation.Path
	for _, own := range []string{"/user", "/issues", "/notifications"} {
		if path == own || strings.HasPrefix(path, own+"/") {
			return false
		}
	}
	return c.id != "search/code"
}

// allScopes are those of a token that nobody declared.
var allScopes = []string{"admin:org", "admin:public_key", "admin:repo_hook", "delete_repo", "gist", "notifications", "project", "repo", "user", "workflow"}

func (c *call) scopes() []string {
	if c.known && c.token.Scopes != nil {
		return c.token.Scopes
	}
	return allScopes
}

// wider tells which scopes bring others with them.
// Source: docs.github.com/apps/oauth-apps/building-oauth-apps/scopes-for-oauth-apps.
var wider = map[string][]string{
	"public_repo":     {"repo"},
	"repo:status":     {"repo"},
	"read:org":        {"write:org", "admin:org"},
	"write:org":       {"admin:org"},
	"read:repo_hook":  {"write:repo_hook", "admin:repo_hook", "repo"},
	"write:repo_hook": {"admin:repo_hook", "repo"},
	"admin:repo_hook": {"repo"},
	"notifications":   {"repo"},
	"read:user":       {"user"},
	"read:project":    {"project", "repo"},
}

func (c *call) hasScope(scope string) bool {
	if !c.known || c.token.Scopes == nil {
		return true
	}
	return c.token.Has(scope) || slices.ContainsFunc(wider[scope], c.token.Has)
}

// accepted lists the scopes of which one lets a token call an operation.
func accepted(id string) string {
	category, _, _ := strings.Cut(id, "/")
	switch {
	case id == "repos/delete":
		return "delete_repo"
	case strings.HasPrefix(id, "actions/") && strings.Contains(id, "org"), category == "orgs":
		return "admin:org, read:org, repo, user, write:org"
	case strings.Contains(id, "webhook"):
		return "admin:repo_hook, public_repo, read:repo_hook, repo, write:repo_hook"
	case category == "activity":
		return "notifications, repo"
	case category == "users":
		return "repo, user"
	case strings.HasPrefix(id, "repos/") && strings.Contains(id, "status"):
		return "repo, repo:status"
	}
	return "public_repo, repo"
}
