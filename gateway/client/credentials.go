package client

import (
	"context"
	"net/http"
	"net/url"
	"time"
)

// Credentials are those of a run's identities.
type Credentials struct {
	Credentials []Credential `json:"credentials"`
}

// Credential is what an identity presents to a service.
type Credential struct {
	Identity string    `json:"identity"`
	Service  string    `json:"service"`
	Variable string    `json:"variable,omitempty"` // of the agent's environment; "": it was not made for the run
	State    string    `json:"state"`              // in force, rotated, revoked or expired
	Until    time.Time `json:"until,omitzero"`     // of one that was rotated: how long the one before is good yet
	Value    string    `json:"value,omitempty"`    // the newest
}

// CredentialChange says which credentials of an identity are changed.
type CredentialChange struct {
	Service string `json:"service,omitempty"` // "": all
	Grace   string `json:"grace,omitempty"`   // of rotate: how long the one before is good yet, as "5m"
}

// Credentials lists what the identities of a run present; with what was made for
// the run itself where values says so.
func (c *Client) Credentials(ctx context.Context, run string, values bool) ([]Credential, error) {
	query := ""
	if values {
		query = "?values=true"
	}
	var all Credentials
	err := c.call(ctx, http.MethodGet, path(run, "/credentials"+query), nil, &all)
	return all.Credentials, err
}

// ChangeCredentials has credentials of an identity be revoked, rotated or expired:
// what is revoke, rotate or expire.
func (c *Client) ChangeCredentials(ctx context.Context, run, identity, what string, change CredentialChange) ([]Credential, error) {
	var all Credentials
	err := c.call(ctx, http.MethodPost, path(run, "/credentials/"+url.PathEscape(identity)+"/"+url.PathEscape(what)), change, &all)
	return all.Credentials, err
}
