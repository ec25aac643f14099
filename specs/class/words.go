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
		"sharing", "shared link", "sharedpublicurl", "shared public url", "redirect uri", "callback url", "data export",
	}
}

// governingAtEnd count wherever in a path a segment ends with them: a token, but
// not a token count; a secret, but not secret scanning.
func governingAtEnd() []string {
	return []string{"key", "token", "secret", "hook", "role", "admin", "access", "protection", "scope", "invite", "owner"}
}

// governingResource count where an operation works on them, and not where they
// are only on the way: a member, but not the tasks of a member.
func governingResource() []string {
	return []string{
		"member", "membership", "setting", "configuration", "config", "policy", "integration", "installation", "installed app",
		"grant", "revoke", "rotate", "suspend", "unsuspend", "watch", "team", "visibility", "organization", "org", "workspace", "tenant", "license", "seat",
	}
}

// governingOne are resources of which there is one, the caller's own: an account,
// but not the accounts of customers.
func governingOne() []string { return []string{"account"} }

// harmless are phrases with a governing word in them that are of something else.
func harmless() []string {
	return []string{
		"count token", "token count", "input token", "output token", "card token", "payment token", "device token", "push token",
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

// editing are what may be done to a draft that leaves it one. What else is done
// to it makes it real: it is sent, accepted, finalised.
func editing() []string {
	return []string{"draft", "create", "add", "insert", "update", "edit", "set", "save", "modify", "patch", "duplicate", "copy", "clone", "item", "line"}
}
