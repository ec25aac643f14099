package hubspot

import (
	"fmt"
	"net/http"
	"strings"
	"time"

	"parity/fakes"
	"parity/fakes/cast"
	"parity/fakes/kit"
)

// Texts of refusals for who calls.
// Source: recorded, and developers.hubspot.com/docs/api-reference/error-handling.
const (
	noCredentials = "Authentication credentials not found. This API supports OAuth 2.0 authentication and you can find more details at https://developers.hubspot.com/docs/methods/auth/oauth-overview"
	notAuthorised = "You are not authorized to view this resource"
	lacksScopes   = "This app hasn't been granted all required scopes to make this call. Read more about required scopes here: https://developers.hubspot.com/scopes."
	scopesPage    = "https://developers.hubspot.com/scopes"
)

// shortest is how long an access token is at least that is no private app's:
// anything shorter is refused as none.
const shortest = 20

// Identify reads the token of a private app or of OAuth, or the key of old, from
// the query. The token endpoint shows a client's secret in its body.
func (f *Fake) Identify(p fakes.Credentials) (string, *fakes.Problem) {
	if _, asks := p.Body["grant_type"]; asks {
		return cast.Text(p.Body["client_secret"]), nil
	}
	sent := kit.AuthorizationOf(p.Header)
	if sent.Is("Bearer") && wellFormed(sent.Rest) {
		return sent.Rest, nil
	}
	if key := cast.Text(p.Query["hapikey"]); key != "" && sent.Scheme == "" {
		return key, nil
	}
	return "", &fakes.Problem{Kind: fakes.Unauthorised}
}

func wellFormed(token string) bool {
	if strings.ContainsFunc(token, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return false
	}
	private, ok := strings.CutPrefix(token, "pat-")
	return ok && private != "" || len(token) >= shortest
}

// admit refuses calls by who makes them, and by how many there were.
func (c *call) admit() *refusal {
	if c.Identity == fakes.Fixture || c.Operation.ID == "TokensCreate" {
		return nil
	}
	c.token, _ = c.fake.tokens.Of(c.Call)
	switch {
	case c.token.Revoked:
		return &refusal{status: http.StatusUnauthorized, category: "INVALID_AUTHENTICATION", message: noCredentials}
	case c.token.Expired(c.Now):
		return expired(c.token.Expires, c.Now)
	}
	if refused := c.spend(); refused != nil {
		return refused
	}
	return c.permitted()
}

func expired(at, now time.Time) *refusal {
	ago := now.Sub(at)
	text := fmt.Sprintf("%d second(s)", int(ago.Seconds()))
	switch {
	case ago >= 24*time.Hour:
		text = fmt.Sprintf("%d day(s)", int(ago.Hours()/24))
	case ago >= time.Hour:
		text = fmt.Sprintf("%d hour(s)", int(ago.Hours()))
	case ago >= time.Minute:
		text = fmt.Sprintf("%d minute(s)", int(ago.Minutes()))
	}
	return &refusal{
		status: http.StatusUnauthorized, category: "EXPIRED_AUTHENTICATION",
		message: "The OAuth token used to make this call expired " + text + " ago.",
		context: map[string]any{"expire time": []any{instant(at)}},
	}
}

// The scopes of the endpoint of all types, any of which opens it, in the order
// in which HubSpot names them.
var (
	anyScopes = []string{"e-commerce", "tickets", "crm.objects.goals.read", "media_bridge.read", "crm.objects.custom.read", "crm.objects.custom.write"}

	anyGranularScopes = []string{
		"crm.objects.commercepayments.read", "crm.objects.invoices.read", "crm.objects.carts.write", "crm.objects.contacts.write",
		"crm.objects.carts.read", "crm.objects.subscriptions.read", "crm.objects.appointments.read", "crm.objects.line_items.read",
		"crm.objects.appointments.write", "crm.objects.line_items.write", "crm.objects.listings.read", "crm.objects.listings.write",
		"crm.objects.quotes.write", "crm.objects.services.read", "crm.objects.quotes.read", "crm.objects.services.write",
		"crm.objects.leads.read", "crm.objects.contacts.read", "crm.objects.companies.read", "crm.objects.leads.write",
		"crm.objects.partner-clients.read", "crm.objects.deals.read", "crm.objects.courses.read", "crm.objects.partner-clients.write",
		"crm.objects.courses.write", "crm.objects.deals.write", "crm.objects.users.read", "crm.objects.users.write",
		"crm.objects.orders.write", "crm.objects.orders.read", "crm.objects.companies.write",
	}
)

// permitted holds what the token may do against what the call needs.
func (c *call) permitted() *refusal {
	if c.token.Scopes == nil {
		return nil
	}
	path := c.Operation.Path
	given := c.Input.Path["objectType"]
	if given == "" {
		given = c.Input.Path["fromObjectType"]
	}
	kind, ok := c.typeNamed(given)
	if !ok {
		kind = c.fake.types.other
	}
	switch {
	case strings.HasPrefix(path, "/crm/v3/properties/"):
		return c.maySchema(kind)
	case strings.HasPrefix(path, "/settings/"):
		return c.needs("settings.users."+c.verb(), "crm.objects.users."+c.verb())
	case strings.HasPrefix(path, "/crm/v3/imports"):
		return c.needs("crm.import")
	case strings.HasPrefix(path, "/crm/v3/exports"):
		return c.needs("crm.export", "crm-public-export")
	case strings.HasPrefix(path, "/crm/v3/lists"), strings.HasPrefix(path, "/crm/lists/"):
		return c.needs("crm.lists." + c.verb())
	case strings.HasPrefix(path, "/crm/v3/schemas"):
		return c.needs("crm.schemas.custom."+c.verb(), "crm.objects.custom."+c.verb())
	case strings.HasPrefix(path, "/crm/v3/owners"):
		return c.needs("crm.objects.owners.read")
	case strings.HasPrefix(path, "/crm/v3/pipelines/"):
		return c.needs(kind.scope("schemas", "read"), kind.scope("objects", "read"), kind.legacyScope())
	case strings.HasPrefix(path, "/crm/"):
		return c.mayObjects(kind)
	case strings.HasPrefix(path, "/deals/"):
		return c.needs("crm.objects.deals."+c.verb(), "contacts")
	case strings.HasPrefix(path, "/owners/"):
		return c.needs("crm.objects.owners.read", "contacts")
	case strings.HasPrefix(path, "/companies/"):
		return c.needs("crm.objects.companies."+c.verb(), "contacts")
	case strings.HasPrefix(path, "/contacts/"):
		return c.needs("crm.objects.contacts."+c.verb(), "crm.lists."+c.verb(), "contacts")
	}
	return nil
}

// verb is what a call does, as scopes have it.
func (c *call) verb() string {
	if c.Operation.Method == http.MethodGet || strings.HasSuffix(c.Operation.Path, "/search") || strings.HasSuffix(c.Operation.Path, "/batch/read") {
		return "read"
	}
	return "write"
}

func (c *call) mayObjects(kind *objectType) *refusal {
	opens := false
	for _, scope := range append(append([]string{"contacts"}, anyScopes...), anyGranularScopes...) {
		opens = opens || c.token.Has(scope)
	}
	if !opens {
		return lacking(anyScopes, anyGranularScopes)
	}
	return c.needs(kind.scope("objects", c.verb()), kind.legacyScope())
}

// maySchema words the lack as the endpoint of properties does.
func (c *call) maySchema(kind *objectType) *refusal {
	verb := c.verb()
	for _, scope := range []string{kind.scope("schemas", verb), kind.scope("objects", verb), kind.legacyScope()} {
		if c.token.Has(scope) {
			return nil
		}
	}
	act := map[string]string{"read": "view", "write": "edit"}[verb]
	return &refusal{
		status:  http.StatusForbidden,
		message: fmt.Sprintf("You do not have permissions to %s object type ObjectTypeId{legacyObjectType=%s} in portal %s (requires one of [%s-%s])", act, kind.upper, c.settings.portalID, kind.name, verb),
	}
}

// needs refuses a token that has none of some scopes; the first of them is
// named.
func (c *call) needs(scopes ...string) *refusal {
	for _, scope := range scopes {
		if scope != "" && c.token.Has(scope) {
			return nil
		}
	}
	return lacking(nil, scopes[:1])
}

func lacking(plain, granular []string) *refusal {
	context := map[string]any{"requiredGranularScopes": cast.Anys(granular)}
	if plain != nil {
		context["requiredScopes"] = cast.Anys(plain)
	}
	return &refusal{
		status: http.StatusForbidden, category: missingScopes, message: lacksScopes,
		errors: []any{map[string]any{"message": "One or more of the following scopes are required.", "context": context}},
		links:  map[string]any{"scopes": scopesPage},
	}
}
