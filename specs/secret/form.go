package secret

import "strings"

// A form is how a vendor's secrets begin. What comes after the beginning is the
// secret.
type form struct {
	begins string
	least  int    // characters after it
	also   string // these may be in it, besides letters, digits, _ and -
}

// forms are the known ones, by their first byte. Sources: the vendors' pages on
// their keys, and GitHub's list of supported secret scanning patterns.
var forms = byFirst(
	form{"sk_live_", 1, ""}, form{"sk_test_", 1, ""}, form{"rk_live_", 1, ""}, form{"rk_test_", 1, ""}, form{"whsec_", 1, "+/="}, // Stripe
	form{"sk-ant-", 8, ""}, form{"sk-proj-", 8, ""}, form{"sk-", 16, ""}, // Anthropic, OpenAI
	form{"ghp_", 8, ""}, form{"gho_", 8, ""}, form{"ghu_", 8, ""}, form{"ghs_", 8, ""}, form{"ghr_", 8, ""}, form{"github_pat_", 8, ""}, form{"glpat-", 8, "."},
	form{"xoxa-", 8, ""}, form{"xoxb-", 8, ""}, form{"xoxe-", 8, ""}, form{"xoxe.", 8, "."}, form{"xoxp-", 8, ""}, form{"xoxr-", 8, ""}, form{"xoxs-", 8, ""}, form{"xapp-", 8, ""}, // Slack
	form{"hooks.slack.com/services/", 8, "/"}, form{"hooks.slack.com/workflows/", 8, "/"}, form{"discord.com/api/webhooks/", 8, "/"},
	form{"SG.", 8, "."}, form{"AKIA", 12, ""}, form{"ASIA", 12, ""}, form{"AIza", 30, ""}, form{"ya29.", 8, "."}, form{"GOCSPX-", 8, ""}, form{"1//0", 20, ""}, // SendGrid, AWS, Google
	form{"pat-na1-", 8, ""}, form{"pat-na2-", 8, ""}, form{"pat-eu1-", 8, ""}, form{"ntn_", 20, ""}, form{"secret_", 40, ""}, // HubSpot, Notion
	form{"npm_", 30, ""}, form{"pypi-", 30, ""}, form{"hf_", 30, ""}, form{"dop_v1_", 30, ""}, form{"shpat_", 20, ""}, form{"shpss_", 20, ""}, form{"sq0atp-", 20, ""}, form{"sq0csp-", 20, ""},
	form{"hvs.", 20, ""}, form{"hvb.", 20, ""}, form{"dckr_pat_", 16, ""}, form{"gsk_", 20, ""}, // Vault, Docker, Groq
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
