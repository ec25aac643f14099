package profiles

import "parity/profiles/policy"

func approverKey() *key {
	decisions := []string{policy.DecidesApprove, policy.DecidesReject, policy.DecidesChange, policy.DecidesNothing}
	return &key{kind: object, doc: "Who is asked: a person, or a stand-in that decides on the run's clock.", keys: []key{
		{name: "person", kind: flag, example: "true", otherwise: "false", doc: "A person decides, in the console, with parity approvals, or at the control port."},
		{name: "decides", kind: choice, choices: decisions, example: "approve", doc: "What a stand-in says; nothing has approvals lapse."},
		{name: "after", kind: span, example: "90s", otherwise: "at once", doc: "How long it takes, on the run's clock."},
		{name: "reject", kind: object, doc: "Which asks it rejects all the same.", keys: []key{
			{name: "every", kind: whole, least: 1, example: "3", doc: "Each one of an identity whose number is a multiple."},
		}},
		{name: "of", kind: choice, choices: []string{"first", "latest"}, example: "first", otherwise: "latest", doc: "first has it decide of the call as it was first asked for, though it was changed since."},
		{name: "set", kind: anything, example: "{amount: 500}", doc: "With decides: change, the fields of the body that it changes."},
		{name: "note", kind: text, example: "Looks like a double.", doc: "What it says with the decision."},
		{name: "notify", kind: object, doc: "Where a person is told that something waits: one POST, signed.", keys: []key{
			{name: "env", kind: text, example: "APPROVALS_URL", doc: "The variable, of the gateway's own environment, that has the address."},
			{name: "form", kind: choice, choices: []string{"json", "blocks"}, example: "blocks", otherwise: "json", doc: "blocks adds what chat services lay out by themselves."},
			{name: "secret", kind: object, doc: "What it is signed with: Parity-Signature, HMAC-SHA256.", keys: []key{
				{name: "env", kind: text, example: "APPROVALS_SECRET", doc: "The variable that has the key."},
			}},
			{name: "include", kind: choice, choices: []string{"arguments"}, example: "arguments", otherwise: "nothing of what the call says", doc: "What is told besides."},
		}},
	}}
}

// approvers reads who is asked.
func (b *binder) approvers(table *item) map[string]policy.Approver {
	all := map[string]policy.Approver{}
	for _, f := range table.all() {
		if f.item.ok() {
			all[f.name] = b.approver(f)
		}
	}
	return all
}

func (b *binder) approver(f field) policy.Approver {
	it := f.item
	p := policy.Approver{
		Name: f.name, Person: it.get("person").flag(false), Decides: it.get("decides").str(), After: it.get("after").span(),
		Every: int(it.get("reject").get("every").count()), First: it.get("of").str() == "first", Note: it.get("note").str(), //nolint:gosec // small
	}
	p.Set, _ = scalarOf(it.get("set")).(map[string]any)
	if n := it.get("notify"); n.ok() {
		p.Notify = &policy.Notify{Env: n.get("env").str(), Secret: n.get("secret").get("env").str(), Form: n.get("form").str(), Arguments: n.get("include").str() == "arguments"}
		if p.Notify.Env == "" {
			b.wrong(n.place, "such as notify: {env: APPROVALS_URL}", "approver %s: notify says the variable that has the address", f.name)
		}
	}
	standsIn := p.Decides != "" || it.get("after") != nil || it.get("reject") != nil || it.get("of") != nil || it.get("set") != nil
	switch {
	case p.Person && standsIn:
		b.wrong(it.place, "keep one of them", "approver %s is a person, who decides, or a stand-in with decides:", f.name)
	case !p.Person && p.Decides == "":
		b.wrong(it.place, "such as decides: approve, or person: true", "approver %s: say what it decides, or that it is a person", f.name)
	case (p.Decides == policy.DecidesChange) != (len(p.Set) > 0):
		b.wrong(it.place, "such as {decides: change, set: {amount: 500}}", "approver %s: decides: change and set go together", f.name)
	}
	return p
}

// scalarOf is what an item of any kind comes to.
func scalarOf(it *item) any {
	if !it.ok() {
		return nil
	}
	return it.value
}
