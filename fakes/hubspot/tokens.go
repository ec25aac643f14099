package hubspot

import (
	"net/http"
	"time"

	"parity/fakes/cast"
	"parity/fakes/kit"
)

// tokenLife is how long an access token holds.
// Source: developers.hubspot.com/docs/api-reference/auth-oauth-v1.
const tokenLife = 30 * time.Minute

// createToken exchanges a code, or a refresh token, for an access token. Codes
// are taken as they come, once each; so is a refresh token that nobody gave
// out, since an agent may hold one from before the run.
func createToken(c *call) (answer, *refusal) {
	switch {
	case c.text("client_id") == "":
		return answer{}, oauth("invalid_client", "BAD_CLIENT_ID", "missing or unknown client id")
	case c.text("client_secret") == "":
		return answer{}, oauth("invalid_client", "BAD_CLIENT_SECRET", "missing or unknown client secret")
	}
	subject, refresh := c.text("client_id"), ""
	var scopes []string
	switch c.text("grant_type") {
	case "authorization_code":
		code := c.text("code")
		if code == "" || c.spent(code) {
			return answer{}, oauth("invalid_grant", "BAD_AUTH_CODE", "missing or unknown auth code")
		}
		if c.text("redirect_uri") == "" {
			return answer{}, oauth("invalid_grant", "BAD_REDIRECT_URI", "missing or invalid redirect uri")
		}
		c.fake.tokens.Issue(c.Call, code, kit.Token{Subject: subject, Revoked: true, Fields: map[string]any{"revoked": true, "kind": "code"}})
	case "refresh_token":
		refresh = c.text("refresh_token")
		known, there := c.fake.tokens.Look(c.Call, c.IdentityOf(refresh))
		if refresh == "" || there && known.Revoked {
			return answer{}, oauth("invalid_grant", "BAD_REFRESH_TOKEN", "refresh token is invalid, expired or revoked")
		}
		scopes = known.Scopes
	default:
		return answer{}, oauth("unsupported_grant_type", "BAD_GRANT_TYPE", "missing or unknown grant_type")
	}
	if refresh == "" {
		refresh = "na1-" + c.hex(4) + "-" + c.uuid()
		c.fake.tokens.Issue(c.Call, refresh, kit.Token{Subject: subject, Fields: map[string]any{"kind": "refresh"}})
	}
	access := "C" + c.NewID("", 80)
	c.fake.tokens.Issue(c.Call, access, kit.Token{Subject: subject, Scopes: scopes, Expires: c.Now.Add(tokenLife), Fields: map[string]any{"kind": "access"}})
	return ok(map[string]any{
		"token_type": "bearer", "refresh_token": refresh, "access_token": access, "expires_in": int64(tokenLife / time.Second), "hub_id": c.settings.portal(),
	})
}

// spent tells whether a code was exchanged before.
func (c *call) spent(code string) bool {
	_, known := c.fake.tokens.Look(c.Call, c.IdentityOf(code))
	return known
}

// oauth words a refusal of the token endpoint: as RFC 6749 has it, and as
// HubSpot had it before.
func oauth(code, status, message string) *refusal {
	return &refusal{
		status: http.StatusBadRequest, message: message,
		extra: map[string]any{"status": status, "error": code, "error_description": message},
	}
}

// getAccessToken tells what an access token stands for.
func getAccessToken(c *call) (answer, *refusal) {
	token := c.Input.Path["token"]
	known, there := c.fake.tokens.Look(c.Call, c.IdentityOf(token))
	if !wellFormed(token) || there && (known.Revoked || known.Expired(c.Now)) {
		return answer{}, &refusal{status: http.StatusNotFound, category: notFoundCategory, message: "access token invalid or expired"}
	}
	scopes := append([]string{"oauth"}, anyGranularScopes...)
	if there && known.Scopes != nil {
		scopes = known.Scopes
	}
	left := int64(tokenLife / time.Second)
	if there && !known.Expires.IsZero() {
		left = int64(known.Expires.Sub(c.Now) / time.Second)
	}
	return ok(map[string]any{
		"token": token, "user": "admin@example.com", "hub_domain": "example.com", "scopes": cast.Anys(scopes), "hub_id": c.settings.portal(),
		"app_id": whole(c.settings.appID), "expires_in": left, "user_id": int64(100), "token_type": "access",
	})
}
