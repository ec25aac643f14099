package report

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// masked stands for a secret.
const masked = "***"

// masker hides what looks like a secret.
type masker struct {
	shapes []shape
	card   *regexp.Regexp
	flag   *regexp.Regexp
}

// shape is how one kind of secret looks; what keep says stays readable.
type shape struct {
	re    *regexp.Regexp
	keep  string
	marks []string // one of them is in all that looks so, in lower case: to look for these is a hundred times quicker
	apart string   // where a long text can be cut, since nothing that looks so has it inside; "": nowhere
}

func newMasker() *masker {
	named := `client_secret|secret|password|passwd|api[-_]?key|access_token|refresh_token|id_token|private_key`
	word := `(?:authorization|` + named + `)`
	words := []string{"secret", "password", "passwd", "api_key", "api-key", "apikey", "_token", "authorization", "private_key"}
	assigned, spoken := make([]string, len(words)), make([]string, len(words))
	for i, w := range words {
		assigned[i], spoken[i] = w+"=", w+": "
	}
	// Where a word begins; in JSON the escape before it may end in a letter.
	edge := `(?:\b|\\(?:u[0-9a-f]{4}|[bfnrt]))`
	return &masker{
		shapes: []shape{
			// However often it is JSON in JSON.
			{regexp.MustCompile(`(?i)("` + word + `\\*"\s*:\s*\\*")[^"\\]+`), "${1}" + masked, words, `,"`},
			{regexp.MustCompile(`(?im)((?:^|\\n|")[a-z-]*(?:` + named + `): +)[^\\"\n]+`), "${1}" + masked, spoken, ""}, // a header on a line of its own
			{regexp.MustCompile(`(?i)("name":\s*"[a-z-]*` + word + `",\s*"value":\s*")(?:[^"\\]|\\.)+`), "${1}" + masked, []string{`"value":`}, ""},
			{regexp.MustCompile(`(` + edge + `(?:sk|rk)_(?:test|live)_)[A-Za-z0-9]+`), "${1}" + masked, []string{"sk_", "rk_"}, ""},
			{regexp.MustCompile(`(` + edge + `whsec_)[A-Za-z0-9+/=]+`), "${1}" + masked, []string{"whsec_"}, ""},
			{regexp.MustCompile(`(` + edge + `[a-z]+_[A-Za-z0-9]+_secret_)[A-Za-z0-9]+`), "${1}" + masked, []string{"_secret_"}, ""},
			{regexp.MustCompile(`(` + edge + `sk-(?:ant-|proj-)?)[A-Za-z0-9_-]{8,}`), "${1}" + masked, []string{"sk-"}, ""},
			{regexp.MustCompile(`(` + edge + `(?:xox[abeprs]-|gh[opsur]_|github_pat_|glpat-|SG\.|AKIA|pat-[a-z]+\d-))[A-Za-z0-9_.-]{8,}`), "${1}" + masked, []string{"xox", "gho_", "ghp_", "ghs_", "ghu_", "ghr_", "github_pat_", "glpat-", "sg.", "akia", "pat-"}, ""},
			{regexp.MustCompile(`(` + edge + `eyJ)[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*`), "${1}" + masked, []string{"eyj"}, ""},
			{regexp.MustCompile(`(?i)(authorization\W+(?:bearer|basic) +)[A-Za-z0-9._~+/=-]+`), "${1}" + masked, []string{"authorization"}, ""},
			{regexp.MustCompile(`(` + edge + `(?:Bearer|Basic)) +[A-Za-z0-9._~+/=-]{6,}`), "${1} " + masked, []string{"bearer", "basic"}, ""},
			{regexp.MustCompile(`(://[^/\s:@"]*:)[^/\s@"]+@`), "${1}" + masked + "@", []string{"://"}, ""},
			{regexp.MustCompile(`(?i)(` + edge + word + `=)[^&\s"\\]+`), "${1}" + masked, assigned, ""},
		},
		card: regexp.MustCompile(`(["=])([3-6]\d{14,15})\b`),
		flag: regexp.MustCompile(`(?i)^--?[a-z-]*(?:key|token|secret|password)$`),
	}
}

// Masked is a text without what looks like a secret in it.
func Masked(text string) string { return newMasker().mask(text) }

// mask hides secrets in text, which may be JSON: what was JSON still is.
func (m *masker) mask(s string) string {
	small := lower(s)
	for i := range m.shapes {
		shape := &m.shapes[i]
		if !shape.marked(small) {
			continue
		}
		if said := shape.hide(s); said != s {
			s, small = said, lower(said)
		}
	}
	if !longNumber(s) {
		return s
	}
	return m.card.ReplaceAllStringFunc(s, m.number)
}

func (sh *shape) marked(small string) bool {
	return slices.ContainsFunc(sh.marks, func(mark string) bool { return strings.Contains(small, mark) })
}

// hide masks what looks so: in a long text piece by piece, since only those that
// have a mark cost anything.
func (sh *shape) hide(s string) string {
	const long = 256
	if sh.apart == "" || len(s) < long {
		return sh.re.ReplaceAllString(s, sh.keep)
	}
	var out strings.Builder
	for s != "" {
		end := len(s)
		if i := strings.Index(s[min(long, end):], sh.apart); i >= 0 {
			end = long + i + 1
		}
		piece := s[:end]
		if sh.marked(lower(piece)) {
			piece = sh.re.ReplaceAllString(piece, sh.keep)
		}
		out.WriteString(piece)
		s = s[end:]
	}
	return out.String()
}

// lower is how marks are looked for: to who reads without regard to case, a
// long s is an s.
func lower(s string) string {
	s = strings.ToLower(s)
	if strings.ContainsRune(s, 'ſ') {
		s = strings.ReplaceAll(s, "ſ", "s")
	}
	return s
}

// number hides most of a card's number, which has one character before it.
func (m *masker) number(match string) string {
	digits := match[1:]
	if !luhn(digits) {
		return match
	}
	return match[:1] + strings.Repeat("*", len(digits)-4) + digits[len(digits)-4:]
}

// command hides secrets among arguments, those too that only the flag before
// them gives away.
func (m *masker) command(args []string) []string {
	if args == nil {
		return nil
	}
	out := make([]string, len(args))
	for i, arg := range args {
		out[i] = m.mask(arg)
		if i > 0 && m.flag.MatchString(args[i-1]) && !strings.HasPrefix(arg, "-") {
			out[i] = masked
		}
	}
	return out
}

// longNumber tells whether there is a number in s that may be a card's.
func longNumber(s string) bool {
	digits := 0
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			digits = 0
		} else if digits++; digits == 15 {
			return true
		}
	}
	return false
}

// luhn is the check that card numbers pass (ISO/IEC 7812-1, annex B).
func luhn(digits string) bool {
	sum := 0
	for i := range len(digits) {
		d := int(digits[len(digits)-1-i] - '0')
		if i%2 == 1 {
			if d *= 2; d > 9 {
				d -= 9
			}
		}
		sum += d
	}
	return sum%10 == 0
}

// plain hides secrets and leaves out what would move a cursor or hide text.
func (m *masker) plain(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t' || r == '\r':
			return ' '
		case unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r):
			return -1
		}
		return r
	}, m.mask(s))
}
