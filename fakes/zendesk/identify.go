package zendesk

import (
	"strings"

	"parity/fakes"
	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/specs"
)

// Identify reads who is calling. Of Basic it is the email, whatever the token:
// Zendesk's tokens belong to the account, and the email says as whom one calls.
func (f *Fake) Identify(p fakes.Credentials) (string, *fakes.Problem) {
	sent := kit.AuthorizationOf(p.Header)
	if sent.Is("Bearer") && len(sent.Rest) >= 8 && !strings.ContainsAny(sent.Rest, " \t") {
		return sent.Rest, nil
	}
	user, secret, _ := sent.Basic()
	email := strings.ToLower(strings.TrimSuffix(user, "/token"))
	if at := strings.IndexByte(email, '@'); at >= 1 && at < len(email)-1 && secret != "" {
		return email, nil
	}
	return "", &fakes.Problem{Kind: fakes.Unauthorised}
}

// caller gives the user who calls: the one whose email or token it is, or else
// the owner of the account.
func (c *call) caller() map[string]any {
	if c.asker == nil {
		c.asker = c.whoCalls()
	}
	return c.asker
}

func (c *call) whoCalls() map[string]any {
	if known, ok := c.Tx.Get(full(callers), c.Identity); ok {
		if user, ok := c.find(users, id(known.Value(), "user")); ok {
			return user.Value()
		}
	}
	if token, ok := c.fake.tokens.Of(c.Call); ok && token.Subject != "" {
		if user, ok := c.Tx.Get(full(users), token.Subject); ok {
			return user.Value()
		}
		if user := c.byEmail(token.Subject); user != nil {
			return user
		}
	}
	if user := c.scanCallers(); user != nil {
		return user
	}
	if owner, ok := c.find(users, ownerID); ok {
		return owner.Value()
	}
	for admin := range c.Tx.Find(full(users), "role", "admin", 0) {
		return admin.Value()
	}
	return map[string]any{"id": int64(ownerID), "role": "admin", "name": "Account Owner", "email": "owner@example.com"}
}

// scanCallers finds a caller among records that no call has written.
func (c *call) scanCallers() map[string]any {
	if c.IdentityOf == nil || c.Identity == "" || c.Identity == fakes.Fixture {
		return nil
	}
	const most = 2000 // of end users, who seldom call
	for _, role := range []string{"admin", "agent", "end-user"} {
		seen := 0
		for user := range c.Tx.Find(full(users), "role", role, 0) {
			if email := cast.Text(user.Value()["email"]); email != "" && c.IdentityOf(strings.ToLower(email)) == c.Identity {
				return user.Value()
			}
			if seen++; role == "end-user" && seen == most {
				break
			}
		}
	}
	return nil
}

// known remembers as whom calls with an email come in.
func (c *call) known(email string, user int64) {
	if email == "" || c.IdentityOf == nil {
		return
	}
	c.keep(callers, c.IdentityOf(strings.ToLower(email)), map[string]any{"user": user})
}

func (c *call) callerID() int64 { return id(c.caller(), "id") }

func (c *call) endUser() bool { return cast.Text(c.caller()["role"]) == "end-user" }

func (c *call) admin() bool { return cast.Text(c.caller()["role"]) == "admin" }

// openToAll tells whether end users may call an operation.
func openToAll(operation string) bool {
	switch operation {
	case "ShowCurrentUser", "ListRequests", "ListOpenRequests", "ListSolvedRequests", "ListCcdRequests", "SearchRequests", "ShowCommentForRequest", "CreateTicketSatisfactionRating", "CreateRequest", "ShowRequest", "UpdateRequest", "ListCommentsForRequest", "ArticleSearch", "UploadFiles", "DeleteUpload", "ShowAttachment", "DownloadAttachment":
		return true
	}
	read := strings.HasPrefix(operation, "List") || strings.HasPrefix(operation, "Show")
	return read && (strings.Contains(operation, "Article") || strings.Contains(operation, "Section") || strings.Contains(operation, "Categor"))
}

// permits tells whether a token's scopes allow an operation: read, write, or
// those of one kind of record, such as tickets:read.
// Source: developer.zendesk.com/api-reference/introduction/security-and-auth.
func permits(t kit.Token, operation *specs.Operation) bool {
	want := "write"
	if operation.Method == "GET" || operation.Method == "HEAD" {
		want = "read"
	}
	return t.Scopes == nil || t.Has(want) || t.Has(operation.Anatomy.Collection+":"+want)
}

// forAdmins tells whether an operation changes how the account works, which is
// for admins alone.
// Source: the "Allowed for" of developer.zendesk.com/api-reference.
func forAdmins(operation *specs.Operation) bool {
	if operation.Method == "GET" || operation.Method == "HEAD" {
		return false
	}
	switch operation.Anatomy.Collection {
	case triggers, automations, triggerCategories, slaPolicies, customStatuses, customRoles, targets, recipientAddresses, dynamicContent, ticketFields, ticketForms, "user_fields", "organization_fields", brands, groups, webhooks, phoneNumbers, memberships:
		return true
	}
	return operation.ID == "DestroyManyUsers" || operation.ID == "BulkDeleteOrganizations" || operation.ID == "DeleteOrganization"
}
