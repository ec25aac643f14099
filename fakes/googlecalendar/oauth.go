package googlecalendar

import (
	"net/http"
	"strconv"
	"strings"
	"time"

	"parity/fakes/kit"
)

// tokenLife is how long an access token lasts; Google says a second less.
const tokenLife = time.Hour

// usualScope is what a token may do that nobody narrowed.
const usualScope = scopeRoot + "calendar"

// grantToken gives out an access token.
// Source: developers.google.com/identity/protocols/oauth2.
func grantToken(c *call) (answer, *refusal) {
	grant := kit.Text(c.Input.Body, "grant_type")
	switch grant {
	case "":
		return answer{}, oauthError(http.StatusBadRequest, "invalid_request", "Missing required parameter: grant_type")
	case byRefresh, byCode:
		if c.Identity == "" && !c.Preauthenticated {
			missing := map[string]string{byRefresh: "refresh_token", byCode: "code"}[grant]
			return answer{}, oauthError(http.StatusBadRequest, "invalid_request", "Missing required parameter: "+missing)
		}
		return c.granted(grant)
	case byAssertion:
		if c.Identity == "" && !c.Preauthenticated {
			return answer{}, oauthError(http.StatusBadRequest, "invalid_request", "Missing required parameter: assertion")
		}
		signed := kit.Text(c.Input.Body, "assertion")
		subject, refused := c.impersonated(signed)
		if refused != nil {
			return answer{}, refused
		}
		token := c.issue(kit.Token{Subject: subject, Scopes: claimed(signed)}, "")
		return many(map[string]any{"access_token": token, "expires_in": int64(tokenLife/time.Second) - 1, "token_type": "Bearer"})
	}
	return answer{}, oauthError(http.StatusBadRequest, "unsupported_grant_type", "Invalid grant_type: "+kit.Clip(grant))
}

// granted answers a refresh token or a code.
func (c *call) granted(grant string) (answer, *refusal) {
	known, ok := c.fake.tokens.Of(c.Call)
	if ok && (known.Revoked || known.Expired(c.Now)) {
		if grant == byCode {
			return answer{}, oauthError(http.StatusBadRequest, "invalid_grant", "Bad Request")
		}
		return answer{}, oauthError(http.StatusBadRequest, "invalid_grant", "Token has been expired or revoked.")
	}
	scope := usualScope
	if known.Scopes != nil {
		scope = strings.Join(known.Scopes, " ")
	}
	value := map[string]any{"expires_in": int64(tokenLife/time.Second) - 1, "scope": scope, "token_type": "Bearer"}
	if grant == byCode {
		c.spend(known, ok)
		refresh := "1//0" + c.NewID("", 60)
		c.fake.tokens.Issue(c.Call, refresh, kit.Token{Subject: known.Subject, Scopes: known.Scopes, Fields: map[string]any{"kind": byRefresh}})
		value["refresh_token"] = refresh
		value["access_token"] = c.issue(known, c.IdentityOf(refresh))
		return many(value)
	}
	value["access_token"] = c.issue(known, c.Identity)
	return many(value)
}

// issue makes an access token of a grant.
func (c *call) issue(of kit.Token, grant string) string {
	token := accessPrefix + "a0" + c.NewID("", 120)
	fields := map[string]any{}
	if grant != "" {
		fields["grant"] = grant
	}
	c.fake.tokens.Issue(c.Call, token, kit.Token{Subject: of.Subject, Scopes: of.Scopes, Expires: c.Now.Add(tokenLife), Fields: fields})
	return token
}

// spend uses a code up: it is good once.
func (c *call) spend(known kit.Token, ok bool) {
	if ok {
		c.fake.tokens.Revoke(c.Call, known)
		return
	}
	c.put(tokens, c.Identity, map[string]any{"id": c.Identity, "issued": c.Now.Unix(), "kind": byCode, "revoked": true})
}

// revokeToken gives a token up, and what it was the grant of.
func revokeToken(c *call) (answer, *refusal) {
	if c.Identity == "" && !c.Preauthenticated {
		return answer{}, oauthError(http.StatusBadRequest, "invalid_request", "Missing required parameter: token")
	}
	known, ok := c.fake.tokens.Of(c.Call)
	switch {
	case ok && (known.Revoked || known.Expired(c.Now)):
		return answer{}, oauthError(http.StatusBadRequest, "invalid_token", "Token expired or revoked")
	case ok:
		c.fake.tokens.Revoke(c.Call, known)
	default:
		c.put(tokens, c.Identity, map[string]any{"id": c.Identity, "issued": c.Now.Unix(), "revoked": true})
	}
	grant := c.Identity
	if of := kit.Text(known.Fields, "grant"); of != "" {
		grant = of // an access token takes its refresh token with it
		if refresh, ok := c.fake.tokens.Look(c.Call, of); ok && !refresh.Revoked {
			c.fake.tokens.Revoke(c.Call, refresh)
		}
	}
	for record := range c.fake.store.Find(c.Tx, tokens, "grant", grant) {
		if issued, ok := c.fake.tokens.Look(c.Call, record.ID); ok && !issued.Revoked {
			c.fake.tokens.Revoke(c.Call, issued)
		}
	}
	return many(map[string]any{})
}

// tellToken says what an access token is good for.
func tellToken(c *call) (answer, *refusal) {
	known, ok := c.fake.tokens.Of(c.Call)
	if c.Identity == "" && !c.Preauthenticated || ok && (known.Revoked || known.Expired(c.Now)) {
		return answer{}, oauthError(http.StatusBadRequest, "invalid_token", "Invalid Value")
	}
	scope, left := usualScope, tokenLife-time.Second
	if known.Scopes != nil {
		scope = strings.Join(known.Scopes, " ")
	}
	if !known.Expires.IsZero() {
		left = known.Expires.Sub(c.Now)
	}
	const client = "000000000000-parity.apps.googleusercontent.com"
	return many(map[string]any{
		"azp": client, "aud": client, "scope": scope, "access_type": "offline",
		"exp": strconv.FormatInt(c.Now.Add(left).Unix(), 10), "expires_in": strconv.Itoa(int(left / time.Second)),
	})
}

// certificates lists no keys: nothing here signs id tokens.
func certificates(*call) (answer, *refusal) { return many(map[string]any{"keys": []any{}}) }
