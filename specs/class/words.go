package class

// The words that classes are inferred by, each for one of several. A word that
// is missing makes an operation too low, which is a hole: these lists err on the
// high side, and harmless takes back what is known to be something else.

// governing are of who may do what, or of where data goes, wherever they stand in
// a path: what is below a webhook is part of it.
func governing() []string {
	return []string{
		// what opens doors
		"api key", "apikey", "access key", "ssh key", "gpg key", "signing key", "deploy key", "secret key", "encryption key",
		"access token", "refresh token", "auth token", "personal access token", "api token", "credential", "password", "passkey",
		"mfa", "2fa", "two factor", "saml", "sso", "scim", "oidc", "identity provider", "service account", "access grant",
		// who may do what
		"permission", "privilege", "acl", "authorization", "collaborator", "invitation", "teammate", "subuser", "delegate", "delegation",
		"role assignment", "role binding", "impersonate", "impersonation", "ownership", "administrator",
		"branch protection", "ruleset", "allowlist", "whitelist", "blocklist", "ip access",
		// where data goes
		"webhook", "event destination", "event subscription", "log stream", "forwarding", "autoforwarding",
		"sharing", "shared link", "public url", "redirect uri", "callback url", "data export",
	}
}

// governingAtEnd count wherever in a path a segment ends with them: a token, but
// not a token count; a secret, but not secret scanning.
func governingAtEnd() []string {
	return []string{"key", "token", "secret", "hook", "role", "admin", "access", "protection", "scope", "invite", "owner", "setting"}
}

// governingResource count where an operation works on them, and not where they
// are only on the way: a member, but not the tasks of a member.
func governingResource() []string {
	return []string{
		"member", "membership", "team", "usergroup", "user group", "organization", "org", "workspace", "tenant", "license", "seat",
		"configuration", "config", "policy", "integration", "installation", "installed app", "certificate", "domain",
		"grant", "revoke", "rotate", "suspend", "unsuspend", "kick", "visibility", "share", "watch",
	}
}

// governingOne count where they are written as one, which is the caller's own: an
// account, but not the accounts of customers.
func governingOne() []string { return []string{"account"} }

// own are what everything below is the administration of, where it is written as
// one and so the caller's own: organization/projects.
func own() []string { return []string{"organization", "tenant", "enterprise"} }

// mates gives what belongs to somebody's circle by what it is found below: the
// users of a project, the repositories of a team.
func mates() map[string][]string {
	circles := []string{"organization", "org", "workspace", "tenant", "enterprise", "project", "team", "group", "usergroup"}
	teams := []string{"team", "group", "usergroup"}
	return map[string][]string{"user": circles, "group": circles, "repo": teams, "repository": teams, "project": teams}
}

// ranking are fields that say what a user may do, in the body of a call on one.
func ranking() []string {
	return []string{"role", "roles", "role_id", "roleId", "custom_role_id", "permission", "permissions", "scopes", "is_admin", "isAdmin", "site_admin"}
}

// harmless are phrases with a governing word in them that are of something else.
func harmless() []string {
	return []string{
		"count token", "token count", "input token", "output token", "card token", "payment token", "device token", "push token",
		"credit grant", "increment authorization", "preauthorization",
		"foreign key", "primary key", "idempotency key", "translation key", "key result", "public key",
	}
}

// drafting are of what is not real yet, where a segment ends with them.
func drafting() []string {
	return []string{
		"draft", "preview", "validate", "validation", "validator", "estimate", "estimation", "estimator", "quote", "quotation",
		"simulate", "simulation", "dry run", "dryrun", "calculate", "calculation", "proposal",
	}
}

// draftingFirst are of what is not real yet, where a segment begins with them:
// draft orders, validate an address.
func draftingFirst() []string {
	return []string{"draft", "preview", "validate", "estimate", "simulate", "calculate"}
}

// final are of what cannot be taken back, where the effect is only guessed by the
// method: procedures are all POST.
func final() []string {
	return []string{
		"delete", "destroy", "purge", "erase", "wipe", "terminate", "send", "post message", "postmessage", "post ephemeral", "me message",
		"email", "pay", "payout", "transfer", "refund", "publish", "deploy", "merge",
	}
}

// editing are what may be done to a draft that leaves it one. What else is done
// to it makes it real: it is sent, accepted, finalised.
func editing() []string {
	return []string{"draft", "create", "add", "insert", "update", "edit", "set", "save", "modify", "patch", "duplicate", "copy", "clone", "item", "line"}
}
