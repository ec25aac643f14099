package notion

import (
	"net/http"
	"strings"

	"parity/fakes/kit"
)

// createToken exchanges a code, which is good once, or a refresh token.
func createToken(c *call) (map[string]any, *refusal) {
	body := c.body()
	if kind, ok := body.at("grant_type").value.(string); ok && kind != "authorization_code" && kind != "refresh_token" {
		return nil, &refusal{status: http.StatusBadRequest, code: "unsupported_grant_type", message: "The grant type is not supported.", oauth: true}
	}
	if wrong := body.at("grant_type").isOne("authorization_code", "refresh_token"); wrong != nil {
		return nil, oauth(invalid("body", wrong))
	}
	field := "code"
	if body.at("grant_type").value == "refresh_token" {
		field = "refresh_token"
	}
	if wrong := body.at(field).isText(maxContent); wrong != nil {
		return nil, oauth(invalid("body", wrong))
	}
	spent := c.IdentityOf(kit.Text(c.Input.Body, field))
	if token, known := c.fake.tokens.Look(c.Call, spent); known && token.Revoked || strings.TrimSpace(kit.Text(c.Input.Body, field)) == "" {
		return nil, &refusal{status: http.StatusBadRequest, code: "invalid_grant", message: "Invalid code.", oauth: true}
	} else if known {
		c.fake.tokens.Revoke(c.Call, token)
	} else {
		c.spend(spent)
	}
	access, refresh := c.NewID("ntn_", 46), c.NewID("nrt_", 46)
	for _, issued := range []string{access, refresh} {
		c.issue(issued)
	}
	return map[string]any{
		"access_token": access, "token_type": "bearer", "refresh_token": refresh, "bot_id": kit.Text(c.space, "bot_id"),
		"workspace_icon": nil, "workspace_name": c.space["workspace_name"], "workspace_id": c.space["workspace_id"],
		"owner": map[string]any{"type": "user", "user": c.owner()}, "duplicated_template_id": nil,
	}, nil
}

func oauth(r *refusal) *refusal {
	r.oauth = true
	return r
}

// owner is the person who let the integration in.
func (c *call) owner() map[string]any {
	for r := range c.Tx.Oldest(c.fake.store.Full(users), 0) {
		if r.Value()["type"] == "person" {
			return r.Value()
		}
	}
	return c.me()
}

func introspectToken(c *call) (map[string]any, *refusal) {
	if wrong := c.body().at("token").isText(maxContent); wrong != nil {
		return nil, oauth(invalid("body", wrong))
	}
	token, known := c.fake.tokens.Look(c.Call, c.IdentityOf(kit.Text(c.Input.Body, "token")))
	if !known || token.Revoked || token.Expired(c.Now) {
		return map[string]any{"active": false}, nil
	}
	issued, _ := token.Fields["issued"].(int64)
	scope := kit.Text(token.Fields, "scope")
	if scope == "" {
		scope = strings.Join(allScopes, " ")
	}
	return map[string]any{"active": true, "scope": scope, "iat": issued * 1000}, nil
}

var allScopes = []string{"read_content", "insert_content", "update_content", "read_comments", "insert_comments", "read_users_with_email"}

func revokeToken(c *call) (map[string]any, *refusal) {
	if wrong := c.body().at("token").isText(maxContent); wrong != nil {
		return nil, oauth(invalid("body", wrong))
	}
	token, known := c.fake.tokens.Look(c.Call, c.IdentityOf(kit.Text(c.Input.Body, "token")))
	if !known {
		c.spend(c.IdentityOf(kit.Text(c.Input.Body, "token")))
		return map[string]any{}, nil
	}
	c.fake.tokens.Revoke(c.Call, token)
	return map[string]any{}, nil
}

func (c *call) issue(token string) {
	c.fake.tokens.Issue(c.Call, token, kit.Token{})
}

// spend remembers that a code or token is good no more.
func (c *call) spend(identity string) {
	value := map[string]any{"id": identity, "issued": c.Now.Unix(), "revoked": true}
	_, err := c.Tx.Insert(c.fake.tokens.Collection, identity, value)
	kit.Must(name, err)
}

// spendOnce is spend, of what a recorded conversation showed to be spent.
func (c *call) spendOnce(secret any) {
	text, _ := secret.(string)
	if identity := c.IdentityOf(text); text != "" {
		if _, known := c.fake.tokens.Look(c.Call, identity); !known {
			c.spend(identity)
		}
	}
}

// takeToken knows a token that a recorded conversation showed to be good.
func (c *call) takeToken(shown map[string]any) {
	token := kit.Text(c.Input.Body, "token")
	if _, known := c.fake.tokens.Look(c.Call, c.IdentityOf(token)); token != "" && !known {
		c.fake.tokens.Issue(c.Call, token, kit.Token{Fields: map[string]any{"scope": shown["scope"]}})
	}
}
