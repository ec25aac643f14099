package googlecalendar

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	"parity/fakes"
	"parity/fakes/cast"
	"parity/fakes/kit"
)

// The ways to get an access token.
const (
	byRefresh   = "refresh_token"
	byCode      = "authorization_code"
	byAssertion = "urn:ietf:params:oauth:grant-type:jwt-bearer"
)

// accessPrefix begins every access token of Google's.
const accessPrefix = "ya29."

// Identify reads who calls: from the header, the query, or, where a token is
// asked for or given up, from the form. A call without any credential is let
// through: some operations need none, and permit refuses the others.
func (f *Fake) Identify(p fakes.Credentials) (credential string, trouble *fakes.Problem) {
	grant, _ := p.Body["grant_type"].(string)
	if token, shown := bearer(p); shown && grant == "" {
		if !strings.HasPrefix(token, accessPrefix) || len(token) == len(accessPrefix) || strings.ContainsAny(token, " \t,") {
			return "", &fakes.Problem{Kind: fakes.Unauthorised, Code: "authError"}
		}
		return token, nil
	}
	text := func(field string) string { value, _ := p.Body[field].(string); return value }
	switch grant {
	case byRefresh:
		return opaque(text("refresh_token"), "1//", "Bad Request")
	case byCode:
		return opaque(text("code"), "4/", "Malformed auth code.")
	case byAssertion:
		return assertion(text("assertion"))
	}
	if token := text("token"); token != "" {
		return token, nil
	}
	return cast.Text(p.Query["token"]), nil
}

// bearer gives the access token that a call shows.
func bearer(p fakes.Credentials) (token string, shown bool) {
	if sent := kit.AuthorizationOf(p.Header); sent.Is("Bearer") {
		return sent.Rest, true
	} else if sent.Scheme != "" {
		return "", true
	}
	for _, name := range []string{"access_token", "oauth_token"} {
		if token, ok := p.Query[name].(string); ok {
			return token, true
		}
	}
	return "", false
}

// opaque is a refresh token or a code: which of them are good, the world knows.
func opaque(token, prefix, wrong string) (string, *fakes.Problem) {
	if token != "" && (!strings.HasPrefix(token, prefix) || len(token) == len(prefix)) {
		return "", &fakes.Problem{Kind: fakes.Unauthorised, Code: "invalid_grant", Message: wrong}
	}
	return token, nil
}

// assertion reads a service account's signed claims. Its signature is not
// checked: nobody here has the key.
// Source: developers.google.com/identity/protocols/oauth2/service-account.
func assertion(token string) (string, *fakes.Problem) {
	if token == "" {
		return "", nil
	}
	parts := strings.Split(token, ".")
	var header struct{ Alg string }
	var claims struct{ Iss, Scope, Sub, Aud string }
	if len(parts) != 3 || !decoded(parts[0], &header) || !decoded(parts[1], &claims) || parts[2] == "" {
		return "", &fakes.Problem{Kind: fakes.Unauthorised, Code: "invalid_grant", Message: "Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable timeframe. Check your iat and exp values in the JWT claim."}
	}
	switch {
	case header.Alg != "RS256":
		return "", &fakes.Problem{Kind: fakes.Unauthorised, Code: "invalid_grant", Message: "Invalid JWT Signature."}
	case claims.Iss == "":
		return "", &fakes.Problem{Kind: fakes.Unauthorised, Code: "invalid_grant", Message: "Invalid grant: account not found"}
	case claims.Scope == "":
		return "", &fakes.Problem{Kind: fakes.Unauthorised, Code: "invalid_scope", Message: "Invalid OAuth scope or ID token audience provided."}
	}
	return "jwt:" + claims.Iss + ":" + claims.Sub, nil
}

// claimed lists the scopes that a service account asks for.
func claimed(token string) []string {
	var claims struct{ Scope string }
	if parts := strings.Split(token, "."); len(parts) != 3 || !decoded(parts[1], &claims) || claims.Scope == "" {
		return nil
	}
	return strings.Fields(claims.Scope)
}

func decoded(part string, into any) bool {
	data, err := base64.RawURLEncoding.DecodeString(strings.TrimRight(part, "="))
	return err == nil && json.Unmarshal(data, into) == nil
}

// permit refuses a call without a credential, with one that is over, and with
// one that lacks a scope.
func (c *call) permit() *refusal {
	allowed, needs := c.fake.scopes[c.Operation.ID]
	if !needs || c.Identity == fakes.Fixture {
		return nil
	}
	if c.Identity == "" && !c.Preauthenticated {
		return noToken()
	}
	c.bearer()
	switch {
	case !c.known:
		return nil
	case c.token.Revoked || c.token.Expired(c.Now) || kit.Text(c.token.Fields, "kind") == byRefresh:
		return invalidToken()
	case len(allowed) > 0 && !slices.ContainsFunc(allowed, c.scoped):
		return lowScope(methodOf(c.Operation.ID), fullScopes(allowed))
	}
	return nil
}

// fullScopes writes scopes as a challenge lists them.
func fullScopes(scopes []string) string {
	full := make([]string, len(scopes))
	for i, scope := range scopes {
		full[i] = scopeRoot + scope
	}
	return strings.Join(full, " ")
}

// scoped tells whether the call's token has a scope, by its full or its last
// name.
func (c *call) scoped(scope string) bool { return c.token.Has(scopeRoot+scope) || c.token.Has(scope) }

// methodOf names an operation as Google's newer errors do.
func methodOf(id string) string {
	parts := strings.Split(id, ".")
	for i := 1; i < len(parts); i++ {
		parts[i] = strings.ToUpper(parts[i][:1]) + parts[i][1:]
	}
	return strings.Replace(strings.Join(parts, "."), "calendar.", "calendar.v3.", 1)
}

// refusedToken words a credential that Identify turned away.
func refusedToken(t fakes.Problem) *refusal {
	switch t.Code {
	case "invalid_grant", "invalid_scope":
		return oauthError(http.StatusBadRequest, t.Code, t.Message)
	case "", "authError":
		return invalidToken()
	}
	return refused(http.StatusUnauthorized, t.Code, t.Message)
}
