package profiles

func credentialsKey() key {
	return key{name: "credentials", kind: object, doc: "Which credentials count as real. A call that shows one is refused, and nothing of it is kept.", keys: []key{
		{
			name: "issuers", kind: list, of: &key{kind: text, example: "https://login.acme.example/"}, example: `["https://login.acme.example/"]`,
			doc: "Who makes web tokens (JWTs) that count as real credentials: what they say as iss. Keys of vendors that ship count in any case.",
		},
	}}
}

// issuers gives whose web tokens are real.
func (b *binder) issuers() []string {
	return b.tree.get("policy").get("credentials").get("issuers").strings()
}
