package secret

import "strings"

// A form is how a vendor's secrets begin. What comes after the beginning is the
// secret.
type form struct {
	begins string
	least  int    // characters after it
	also   string // these may be in it, besides letters, digits, _ and -

	kind  string                  // what a whole one is; "": those cannot be told from what is made up
	whole func(after string) bool // tells what comes after the beginning of a whole one
}

func begins(with string, least int, also string) form {
	return form{begins: with, least: least, also: also}
}

// real says how a whole one looks, as a vendor gives it out: Real tells those.
func (f form) real(kind string, whole func(string) bool) form {
	f.kind, f.whole = kind, whole
	return f
}

// forms are the known ones, by their first byte: the one list by which secrets are
// masked, and real ones refused and scanned for. Sources: the vendors' pages on
// their keys, and GitHub's list of supported secret scanning patterns.
var forms = byFirst(
	begins("sk_live_", 1, "").real("a live secret key of Stripe", stripeKey),
	begins("rk_live_", 1, "").real("a live restricted key of Stripe", stripeKey),
	begins("sk_test_", 1, ""), begins("rk_test_", 1, ""), begins("whsec_", 1, "+/="), // Stripe
	begins("sk-ant-", 8, ""), begins("sk-proj-", 8, ""), begins("sk-", 16, ""), // Anthropic, OpenAI
	begins("ghp_", 8, "").real("a token of GitHub", githubToken),
	begins("gho_", 8, "").real("a token of GitHub", githubToken),
	begins("ghu_", 8, "").real("a token of GitHub", githubToken),
	begins("ghs_", 8, "").real("a token of GitHub", githubToken),
	begins("ghr_", 8, "").real("a token of GitHub", githubToken),
	begins("github_pat_", 8, "").real("a fine-grained token of GitHub", githubFine),
	begins("glpat-", 8, "."),
	begins("xoxb-", 8, "").real("a bot token of Slack", slackToken),
	begins("xoxp-", 8, "").real("a user token of Slack", slackToken),
	begins("xoxa-", 8, ""), begins("xoxe-", 8, ""), begins("xoxe.", 8, "."), begins("xoxr-", 8, ""), begins("xoxs-", 8, ""), begins("xapp-", 8, ""), // Slack
	begins("hooks.slack.com/services/", 8, "/"), begins("hooks.slack.com/workflows/", 8, "/"), begins("discord.com/api/webhooks/", 8, "/"),
	begins("SG.", 8, ".").real("an API key of SendGrid", sendgridKey),
	begins("AKIA", 12, "").real("an access key of AWS", awsKey),
	begins("ASIA", 12, "").real("a temporary access key of AWS", awsKey),
	begins("AIza", 30, "").real("an API key of Google", googleKey),
	begins("ya29.", 8, "."), begins("GOCSPX-", 8, ""), begins("1//0", 20, ""), // Google
	begins("pat-na1-", 8, ""), begins("pat-na2-", 8, ""), begins("pat-eu1-", 8, ""), begins("ntn_", 20, ""), begins("secret_", 40, ""), // HubSpot, Notion
	begins("npm_", 30, ""), begins("pypi-", 30, ""), begins("hf_", 30, ""), begins("dop_v1_", 30, ""), begins("shpat_", 20, ""), begins("shpss_", 20, ""), begins("sq0atp-", 20, ""), begins("sq0csp-", 20, ""),
	begins("hvs.", 20, ""), begins("hvb.", 20, ""), begins("dckr_pat_", 16, ""), begins("gsk_", 20, ""), // Vault, Docker, Groq
)

func byFirst(all ...form) (table [256][]form) {
	for _, f := range all {
		table[f.begins[0]] = append(table[f.begins[0]], f)
	}
	return table
}

// formAt tells whether a secret begins at a place of a text, and where it stands.
func formAt(s string, at int) (from, to int, ok bool) {
	for _, f := range forms[s[at]] {
		if !strings.HasPrefix(s[at:], f.begins) {
			continue
		}
		from = at + len(f.begins)
		if to = from + run(s[from:], f.also); to-from >= f.least {
			return from, to, true
		}
	}
	switch s[at] {
	case 'e':
		return webToken(s, at)
	case '-':
		return privateKey(s, at)
	case 'B', 'b':
		return scheme(s, at)
	}
	return 0, 0, false
}

// run is how long a text goes on with letters, digits, _, -, and what else may be.
func run(s, also string) int {
	for i := range len(s) {
		if !word(s[i]) && s[i] != '-' && strings.IndexByte(also, s[i]) < 0 {
			return i
		}
	}
	return len(s)
}

// word tells a letter, digit or _ of ASCII.
func word(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_'
}

// webToken is a JSON Web Token (RFC 7519): three parts, the first of which is an
// object. Where there is none, none begins before to either.
func webToken(s string, at int) (from, to int, ok bool) {
	if !strings.HasPrefix(s[at:], "eyJ") {
		return 0, at, false
	}
	head := at + run(s[at:], "")
	if head == len(s) || s[head] != '.' {
		return 0, head, false
	}
	claims := head + 1 + run(s[head+1:], "")
	if claims == head+1 || claims == len(s) || s[claims] != '.' {
		if strings.HasPrefix(s[head+1:], "eyJ") { // its end was cut off
			return at + len("eyJ"), claims, true
		}
		return 0, head, false
	}
	return at + len("eyJ"), claims + 1 + run(s[claims+1:], ""), true
}

// clientSecret is what follows an id in a client secret of Stripe's:
// pi_1_secret_x.
func clientSecret(s string, at int) (from, to int, ok bool) {
	const mark = "_secret_"
	if at == 0 || !word(s[at-1]) || !strings.HasPrefix(s[at:], mark) {
		return 0, 0, false
	}
	from = at + len(mark)
	to = from + run(s[from:min(len(s), from+2*longest)], "")
	return from, to, to-from >= 12 && strings.ContainsAny(s[from:to], "0123456789")
}

// privateKey is one in PEM (RFC 7468), whole or cut off, however its ends of
// line are written.
func privateKey(s string, at int) (from, to int, ok bool) {
	const mark, block, end = "PRIVATE KEY", " BLOCK", "-----" // PGP's is a block
	if !strings.HasPrefix(s[at:], "-----BEGIN ") {
		return 0, 0, false
	}
	head := strings.Index(s[at:min(len(s), at+64)], mark)
	if head < 0 {
		return 0, 0, false
	}
	from = at + head + len(mark)
	if strings.HasPrefix(s[from:], block) {
		from += len(block)
	}
	if !strings.HasPrefix(s[from:], end) {
		return 0, 0, false
	}
	from += len(end)
	for to = from; to < len(s); to++ {
		switch {
		case strings.HasPrefix(s[to:], "-----END"):
			return from, to, true
		case s[to] == '\\': // an end of line in JSON
			n := to
			for n < len(s) && s[n] == '\\' {
				n++
			}
			if n == len(s) || s[n] != 'n' && s[n] != 'r' {
				return from, to, to > from
			}
			to = n
		case !word(s[to]) && strings.IndexByte(" +/=\r\n:,-", s[to]) < 0:
			return from, to, to > from
		}
	}
	return from, to, to > from
}

// scheme is a credential after the name of its scheme (RFC 6750, 7617).
func scheme(s string, at int) (from, to int, ok bool) {
	for _, name := range []string{"bearer", "basic"} {
		if len(s) <= at+len(name) || !strings.EqualFold(s[at:at+len(name)], name) {
			continue
		}
		for from = at + len(name); from < len(s) && s[from] == ' '; from++ {
		}
		if from == at+len(name) {
			return 0, 0, false
		}
		to = from + run(s[from:], ".~+/=")
		// Words follow as well: a basic understanding.
		return from, to, to-from >= 6 && (to-from >= 20 || strings.ContainsAny(s[from:to], "0123456789_=+/.~"))
	}
	return 0, 0, false
}
