package profiles

import (
	"regexp"
	"strings"
	"sync"
	"time"

	"parity/fakes/chance"
	"parity/fakes/expression"
	"parity/faults"
	"parity/specs/secret"
)

// An Identity is who calls, by a name that people know: what shows it is a
// credential, of which nothing is kept but a digest.
type Identity struct {
	Name   string
	Env    string        // the variable, of the gateway's own environment, that holds the credential
	Digest string        // of the credential, where the profile has a test value: see CredentialDigest
	Minted []Minted      // what is made for it in each run, in order of service
	Agent  string        // who calls under it; "": the run's agent, of which there is one
	TTL    time.Duration // how long a session lasts from its first call; 0: it does not end
}

// CredentialDigest stands for a credential: no copy of a profile has the value
// itself.
func CredentialDigest(credential string) string { return chance.Hash("credential", credential)[:16] }

// live warns of what looks like a key to a real account.
func (b *binder) live(at place, where, text string) {
	if form := secret.Live(text); form != "" {
		b.warn(at, "use a test value, or take it out", "%s has what looks like a live secret (%s…)", where, form)
	}
}

// variableForm is how the name of an environment variable looks.
var variableForm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]{0,127}$`) })

func identityKey() *key {
	return &key{kind: object, doc: "Who calls, by name: what shows it, which agent it is, how long a session lasts, and what it may.", keys: append([]key{
		{name: "presents", kind: object, full: true, example: "{env: STRIPE_KEY}", doc: "The credential that shows who it is: where it is to be had, a test value, or one that is made for each run. Nothing is kept of it but a digest.", keys: []key{
			{name: "env", kind: text, doc: "The variable, of the gateway's own environment, that holds it.", example: "STRIPE_KEY"},
			{name: "digest", kind: text, doc: "What is kept of a test value, in copies of the profile.", example: "9f86d081884c7d65"},
			{name: "minted", kind: table, of: &key{kind: text, example: "STRIPE_API_KEY"}, doc: "By service, the variable of the agent's environment that is given a credential of that service's form, made for each run and good in it alone."},
			{name: "value", kind: text, doc: "A test value, as the client sends it, without Bearer.", example: "sk_test_4eC39HqLyjWDarjtT1zdp7dc"},
		}},
		{name: "agent", kind: name, example: "desk", otherwise: "the run's own agent, as all calls are one agent's", doc: "The agent that calls under it, where a run has several: one that knows what it did is no answer of another. Identities of one agent, at several services, name the same."},
		{name: "session", kind: object, doc: "The session that the credential opens.", keys: []key{
			{name: "ttl", kind: span, doc: "How long it lasts from its first call, on the run's clock; by default it does not end. After it the service refuses the credential, in its own words.", example: "20m"},
		}},
	}, grantKeys()...)}
}

// identities reads who calls.
func (b *binder) identities() []Identity {
	var all []Identity
	for _, f := range b.tree.get("identities").all() {
		if !f.item.ok() {
			continue
		}
		b.complete(f, "identity")
		shows := f.item.get("presents")
		i := Identity{Name: f.name, Env: shows.get("env").str(), Digest: shows.get("digest").str(), Agent: f.item.get("agent").str(), TTL: f.item.get("session").get("ttl").span()}
		value := shows.get("value")
		if test := value.str(); test != "" && i.Digest == "" {
			i.Digest = CredentialDigest(test)
			b.live(value.place, "identity "+f.name, test)
		}
		i.Minted = b.minted(f.name, shows.get("minted"), all)
		switch env := shows.get("env"); {
		case !shows.ok():
		case presented(shows) != 1:
			b.wrong(shows.place, "such as presents: {env: STRIPE_KEY}", "identity %s: say env, value or minted, and one of them", f.name)
		case i.Env != "" && !variableForm().MatchString(i.Env):
			b.wrong(env.place, "such as env: STRIPE_KEY", "identity %s: %s is no name of a variable", f.name, shorten(i.Env))
		}
		for _, other := range all {
			if strings.HasSuffix(other.Name, "-"+i.Name) || strings.HasSuffix(i.Name, "-"+other.Name) {
				b.wrong(f.place, "give one of them another name", "identities %s and %s: one ends as the other does", other.Name, i.Name)
			}
		}
		all = append(all, i)
	}
	return all
}

// sessions are the rules that end the sessions of identities.
func (b *binder) sessions(all []Identity, services []string) []*faults.Rule {
	var rules []*faults.Rule
	for _, i := range all {
		if i.TTL == 0 || b.errors > 0 {
			continue
		}
		d := faults.SessionDraft(i.TTL)
		d.Name, d.Because = "session-of-"+i.Name, "The profile gives "+i.Name+" a session of "+i.TTL.String()+"."
		for _, service := range services {
			if p, err := faults.ParsePattern(service + " *"); err == nil {
				d.Calls = append(d.Calls, p)
			}
		}
		// An identity's name ends with the name that the profile gives.
		when, err := expression.Compile(`request.identity endsWith "-`+i.Name+`"`, expression.Bool, names())
		if err == nil {
			d.When = when
			var rule *faults.Rule
			if rule, err = faults.NewRule(d); err == nil {
				rules = append(rules, rule)
			}
		}
		if err != nil {
			b.wrong(b.tree.get("identities").place, "", "identity %s: %v", i.Name, err)
		}
	}
	return rules
}
