package slack

import (
	"net/http"
	"slices"
	"strings"

	"parity/fakes"
	"parity/fakes/kit"
)

// The kinds of tokens, as an identity begins with them.
const (
	botToken  = "bot"
	userToken = "user"
	appToken  = "app"
)

// who is whom a token stands for.
type who struct {
	kind string // botToken, userToken or appToken; "" where nothing tells
	user string // its id
}

// Identify takes the token from the Authorization header, else from the body,
// else from the query. A request without one is turned away by Answer, since
// some addresses want none.
// Source: docs.slack.dev/authentication/tokens; that any scheme but Bearer, spelt
// so, and an empty token count as no token was measured,
// github.com/brekkylab/backlot/pull/73.
func (f *Fake) Identify(p fakes.Credentials) (string, *fakes.Problem) {
	if isForm(p.Header) {
		for _, value := range p.Body {
			switch value.(type) {
			case map[string]any, []any: // a[b]=c
				return "", &fakes.Problem{Kind: fakes.Unauthorised, Code: "invalid_array_arg"}
			}
		}
	}
	token := ""
	if sent := kit.AuthorizationOf(p.Header); sent.Scheme == "Bearer" { // as written: bearer is none
		token = sent.Rest
	}
	for _, values := range []map[string]any{p.Body, p.Query} {
		if token == "" {
			token, _ = values["token"].(string)
		}
	}
	if token != "" && f.KindOf(token) == "" {
		return "", &fakes.Problem{Kind: fakes.Unauthorised, Code: invalidAuth}
	}
	return token, nil
}

func isForm(h http.Header) bool {
	return strings.HasPrefix(h.Get("Content-Type"), "application/x-www-form-urlencoded")
}

// KindOf tells a bot's token from a user's and an app's: an identity begins with
// it, since it decides what may be asked.
func (f *Fake) KindOf(token string) string {
	for prefix, kind := range map[string]string{
		"xoxb-": botToken, "xoxe.xoxb-": botToken, "xoxp-": userToken, "xoxe.xoxp-": userToken,
		"xoxa-": userToken, "xoxo-": userToken, "xoxs-": userToken, "xoxc-": userToken, "xapp-": appToken,
	} {
		if rest, ok := strings.CutPrefix(token, prefix); ok && kit.Wordlike(rest, "-_.") {
			return kind
		}
	}
	return ""
}

// identify finds out whom the call's token stands for. A token that nobody
// declared is the app's own, of its kind.
func (c *call) identify() {
	for _, kind := range []string{botToken, userToken, appToken} {
		if strings.HasPrefix(c.Identity, name+"-"+kind+"-") {
			c.who.kind = kind
		}
	}
	app := c.app()
	c.who.user = kit.Text(app, "user_id")
	if c.who.kind == userToken {
		c.who.user = kit.Text(app, "installer")
	}
	if c.Identity == "" || c.Identity == fakes.Fixture {
		return
	}
	if token, known := c.fake.tokens.Of(c.Call); known {
		c.token = token
		if token.Subject != "" {
			c.who.user = token.Subject
		}
	}
}

// trust refuses who shows no token, or one that has ended.
func (c *call) trust() *refusal {
	switch {
	case c.Identity == fakes.Fixture:
		return nil
	case c.Identity == "" && !c.Preauthenticated:
		return refuse("not_authed")
	case c.token.Revoked:
		return refuse("token_revoked")
	case c.token.Expired(c.Now):
		return refuse("token_expired")
	}
	if user, ok := c.get(users, c.who.user); ok && user.Value()["deleted"] == true {
		return refuse("account_inactive")
	}
	return nil
}

// entitle refuses tokens of the wrong kind, and without the scope.
func (c *call) entitle() *refusal {
	switch {
	case c.method.open || c.Identity == fakes.Fixture:
		return nil
	case (c.who.kind == appToken) != c.method.app, c.method.people && c.who.kind == botToken && c.app()["as_user"] != true:
		return refuse("not_allowed_token_type")
	}
	return c.scope(c.method.scopes...)
}

// scope refuses a token that has none of some scopes.
func (c *call) scope(any ...string) *refusal {
	if len(any) == 0 || c.token.Scopes == nil || slices.ContainsFunc(any, c.token.Has) {
		return nil
	}
	needed := any
	if len(any) > 1 && strings.HasPrefix(any[0], "channels:") && strings.HasPrefix(c.method.name, "conversations.") {
		needed = any[:1]
	}
	return &refusal{code: "missing_scope", needed: strings.Join(needed, ","), provided: c.provided()}
}

// scopeFor refuses a token without the scope for one kind of channel: read,
// history or write of channels, groups, im or mpim.
func (c *call) scopeFor(family, what string) *refusal {
	scopes := []string{family + ":" + what}
	if what == "write" && family == "channels" {
		scopes = append(scopes, "channels:manage")
	}
	return c.scope(scopes...)
}

// Scopes of tokens that nobody declared: they may do everything.
var (
	botScopes = []string{
		"app_mentions:read", "bookmarks:read", "bookmarks:write", "channels:history", "channels:join", "channels:manage", "channels:read",
		"chat:write", "chat:write.customize", "chat:write.public", "emoji:read", "files:read", "files:write", "groups:history", "groups:read",
		"groups:write", "im:history", "im:read", "im:write", "incoming-webhook", "mpim:history", "mpim:read", "mpim:write", "pins:read",
		"pins:write", "reactions:read", "reactions:write", "team:read", "users.profile:read", "users:read", "users:read.email", "users:write",
	}
	userScopes = []string{
		"identify", "bookmarks:read", "bookmarks:write", "channels:history", "channels:read", "channels:write", "chat:write", "emoji:read",
		"files:read", "files:write", "groups:history", "groups:read", "groups:write", "im:history", "im:read", "im:write", "mpim:history",
		"mpim:read", "mpim:write", "pins:read", "pins:write", "reactions:read", "reactions:write", "search:read", "team:read",
		"users.profile:read", "users.profile:write", "users:read", "users:read.email", "users:write",
	}
)

// provided lists the scopes of the call's token, as X-OAuth-Scopes does.
func (c *call) provided() string {
	switch {
	case c.Identity == "":
		return ""
	case c.token.Scopes != nil:
		return strings.Join(c.token.Scopes, ",")
	case c.who.kind == appToken:
		return "connections:write"
	case c.who.kind == userToken:
		return strings.Join(userScopes, ",")
	}
	return strings.Join(botScopes, ",")
}

// limit counts the call, and refuses one too many.
func (c *call) limit() *refusal {
	if c.Identity == fakes.Fixture || c.method.tier == 0 {
		return nil
	}
	return c.take(c.method.name+" "+c.Identity, int(c.method.tier))
}

func (c *call) take(key string, most int) *refusal {
	left := c.fake.limits.Take(c.Tx, key, most, limitWindow, c.Now)
	if !left.Over {
		return nil
	}
	return &refusal{code: rateLimited, wait: left.Reset.Sub(c.Now)}
}
