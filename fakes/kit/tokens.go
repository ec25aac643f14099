package kit

import (
	"fmt"
	"slices"
	"time"

	"parity/fakes"
	"parity/fakes/world"
)

// Tokens are credentials that a service issued, or that a fixture declared, in
// a collection of the world. Issued ones are kept by the identity that they
// give, never as they are; declared ones are records whose id is the token:
//
//	github.tokens: [{id: ghp_readonly, scopes: [public_repo], subject: octocat, expires: …, revoked: true}]
//
// A well-formed token that is in none of them may do everything.
type Tokens struct {
	Collection string // the world's name, such as "github.tokens"
}

// A Token is what is known of a credential.
type Token struct {
	ID      string   // of its record
	Subject string   // who it stands for
	Scopes  []string // nil: all
	Expires time.Time
	Revoked bool
	Fields  map[string]any // what else its record says
}

// Expired tells whether the token's time is over.
func (t Token) Expired(now time.Time) bool { return !t.Expires.IsZero() && !now.Before(t.Expires) }

// Has tells whether the token has a scope.
func (t Token) Has(scope string) bool { return t.Scopes == nil || slices.Contains(t.Scopes, scope) }

// Issue remembers a token that is given out in this call.
func (k Tokens) Issue(call *fakes.Call, token string, t Token) {
	value := map[string]any{"id": call.IdentityOf(token), "issued": call.Now.Unix()}
	for name, field := range t.Fields {
		value[name] = field
	}
	if t.Subject != "" {
		value["subject"] = t.Subject
	}
	if t.Scopes != nil {
		scopes := make([]any, len(t.Scopes))
		for i, scope := range t.Scopes {
			scopes[i] = scope
		}
		value["scopes"] = scopes
	}
	if !t.Expires.IsZero() {
		value["expires"] = t.Expires.Unix()
	}
	id, _ := value["id"].(string)
	if _, err := call.Tx.Insert(k.Collection, id, value); err != nil {
		panic(fmt.Sprintf("tokens: %v", err)) // the collection is not declared: a mistake of the fake
	}
}

// Of gives what is known of the token that a call carries.
func (k Tokens) Of(call *fakes.Call) (Token, bool) { return k.Look(call, call.Identity) }

// Look gives what is known of the token that gives an identity, such as one
// that came in a body: Look(call, call.IdentityOf(token)).
func (k Tokens) Look(call *fakes.Call, identity string) (Token, bool) {
	if record, ok := call.Tx.Get(k.Collection, identity); ok {
		return tokenOf(record), true
	}
	if identity == "" || call.IdentityOf == nil {
		return Token{}, false
	}
	for record := range call.Tx.Oldest(k.Collection, 0) {
		if _, issued := record.Value()["issued"]; !issued && call.IdentityOf(record.ID) == identity {
			return tokenOf(record), true
		}
	}
	return Token{}, false
}

// Revoke ends a token that is known.
func (k Tokens) Revoke(call *fakes.Call, t Token) {
	value := map[string]any{"revoked": true}
	for name, field := range t.Fields {
		if name != "revoked" {
			value[name] = field
		}
	}
	if _, err := call.Tx.Update(k.Collection, t.ID, value); err != nil {
		panic(fmt.Sprintf("tokens: %v", err)) // it was there when it was looked up
	}
}

func tokenOf(r *world.Record) Token {
	t := Token{ID: r.ID, Subject: Text(r.Value(), "subject"), Revoked: r.Value()["revoked"] == true, Fields: r.Value()}
	switch expires := r.Value()["expires"].(type) {
	case int64:
		t.Expires = time.Unix(expires, 0).UTC()
	case string:
		if at, err := time.Parse(time.RFC3339, expires); err == nil {
			t.Expires = at
		}
	}
	if scopes, ok := r.Value()["scopes"].([]any); ok {
		t.Scopes = make([]string, 0, len(scopes))
		for _, scope := range scopes {
			if name, ok := scope.(string); ok {
				t.Scopes = append(t.Scopes, name)
			}
		}
	}
	return t
}
