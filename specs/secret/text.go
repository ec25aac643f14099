package secret

import (
	"slices"
	"strings"
)

// Text hides what looks like a secret in a text: by form, what a name of a secret
// is given, as in api_key=x, --token x, "password": "x" or X-Api-Key: x, however
// often it is JSON in JSON, and passwords in URLs. What was JSON still is.
func (l *List) Text(s string, hide Hide) string {
	c := cutter{s: s, hide: hide}
	for i := 0; i < len(s); i++ {
		switch b := s[i]; {
		case b == '=' || b == ':':
			if strings.HasPrefix(s[i:], "://") {
				c.scheme = i + len("://")
			}
			i = max(i, l.given(&c, i))
		case b == '-' && i+1 < len(s) && s[i+1] != '-' && flagged(s, i) && l.flag(&c, i):
		case b == '@' && c.userinfo(i):
		case b == '_':
			if from, to, ok := clientSecret(s, i); ok {
				c.cut("", from, to)
				i = to - 1
			}
		case len(forms[b]) > 0 || b == 'e' || b == '-' || b == 'B' || b == 'b':
			if i > 0 && word(s[i-1]) && !escaped(s, i) {
				continue
			}
			if b == 'e' && i < c.barren {
				continue
			}
			from, to, ok := formAt(s, i)
			if ok {
				c.cut("", from, to)
				i = to - 1
			} else if b == 'e' {
				c.barren = to
			}
		}
	}
	return c.text()
}

// cutter copies a text without what was cut out of it.
type cutter struct {
	s    string
	hide Hide
	out  strings.Builder
	done int // up to where it is copied

	scheme int // after the last ://
	barren int // up to where no web token begins: each look for one may go far
}

func (c *cutter) cut(name string, from, to int) {
	if from < c.done || from >= to || hidden(c.s[from:to]) {
		return
	}
	c.out.WriteString(c.s[c.done:from])
	c.out.WriteString(c.hide(name, c.s[from:to]))
	c.done = to
}

func (c *cutter) text() string {
	if c.done == 0 {
		return c.s
	}
	c.out.WriteString(c.s[c.done:])
	return c.out.String()
}

// hidden tells what stands in the place of a secret, or of a value that somebody
// fills in.
func hidden(s string) bool {
	return strings.HasPrefix(s, "***") || strings.HasPrefix(s, Opening) || strings.HasPrefix(s, "%28redacted")
}

// escaped tells whether the letters before a place are the end of an escape, as
// in \n or \u0026.
func escaped(s string, at int) bool {
	return at >= 2 && s[at-2] == '\\' && strings.IndexByte("nrtbf", s[at-1]) >= 0 || at >= 6 && s[at-6] == '\\' && s[at-5] == 'u'
}

// given hides what stands after an = or a colon, where that is after the name of
// a secret. It tells up to where there is nothing more to look for.
func (l *List) given(c *cutter, at int) int {
	s := c.s
	end := at
	for end > 0 && (s[end-1] == '"' || s[end-1] == '\\' || s[end-1] == '\'' || s[end-1] == ' ' || s[end-1] == ']') {
		end--
	}
	begin := end
	for begin > 0 && end-begin < longest && (word(s[begin-1]) || s[begin-1] == '-' || s[begin-1] == '.' || s[begin-1] >= 0x80) {
		begin--
	}
	name := s[begin:end]
	if begin > 0 && s[begin-1] == '\\' { // its first letters are an escape's
		if skip := map[bool]int{true: 5, false: 1}[strings.HasPrefix(name, "u") && len(name) > 5]; len(name) > skip && escaped(s, begin+skip) {
			name = name[skip:]
		}
	}
	if len(name) < 2 {
		return at
	}
	if name == "value" && s[at] == ':' {
		name = named(s, begin)
	}
	kind := l.kind(name)
	if kind == never && !variable(name, s[at]) {
		return at
	}
	from, to, quoted := valueAt(s, at)
	json := s[at] == ':' && at > 0 && s[at-1] == '"' && (!quoted || slashes(s, at-1) == slashes(s, from-1))
	if cookies(name) && !quoted {
		to = max(to, cookiesTo(s, from))
	}
	if kind == maybe && !likely(s[from:to]) || Public(s[from:to]) {
		return at
	}
	if s[at] == '=' && at > 0 && s[at-1] == ' ' && to-from < 4 { // a token = a word
		return at
	}
	if json && !quoted { // a number or an object: a mark there is no JSON
		return at
	}
	if !json && quoted && from < len(s) && strings.IndexByte(",}]:\n", s[from]) >= 0 || quoted && from == len(s) {
		return at // the quote ends a text of which the name is the last word
	}
	c.cut(name, from, to)
	return max(at, to-1)
}

// keysOfData are names of variables that are keys to data alone.
var keysOfData = [...]string{"IDEMPOTENCY_KEY", "PRIMARY_KEY", "FOREIGN_KEY", "PUBLIC_KEY", "PARTITION_KEY", "SORT_KEY", "CACHE_KEY", "PROJECT_KEY", "ISSUE_KEY"}

// variable tells the name of an environment's variable that holds a secret.
func variable(name string, sign byte) bool {
	if sign != '=' || strings.ToUpper(name) != name || slices.Contains(keysOfData[:], name) {
		return false
	}
	for _, end := range []string{"_KEY", "_PASS", "_AUTH", "_DSN", "_PAT"} {
		if strings.HasSuffix(name, end) {
			return true
		}
	}
	return false
}

// named is the name in {"name": "X-Api-Key", "value": …}, as archives write a
// header; at is where value begins.
func named(s string, at int) string {
	before := strings.TrimRight(s[max(0, at-2*longest):at], "\"\\ \n\t,")
	begin := strings.LastIndexAny(before, `"`)
	if begin < 0 {
		return ""
	}
	name := before[begin+1:]
	key := strings.TrimRight(strings.TrimRight(before[:begin], "\\ :"), `"\`)
	if slices.ContainsFunc(labels[:], func(label string) bool { return strings.HasSuffix(key, label) }) {
		return name
	}
	return ""
}

// cookies tells the name of a header that has cookies.
func cookies(name string) bool {
	return strings.EqualFold(name, "cookie") || strings.EqualFold(name, "set-cookie")
}

// cookiesTo is where cookies end that begin at a place: a=b; c=d.
func cookiesTo(s string, from int) (to int) {
	for to = from; to < len(s); {
		end := ended(s, to, "&\"\\'<>` \t\r\n,;")
		if end == to || strings.IndexByte(s[to:end], '=') <= 0 {
			return to
		}
		if to = end; !strings.HasPrefix(s[to:], "; ") {
			return to
		}
		to += len("; ")
	}
	return to
}

// valueAt is where the value stands that an = or a colon gives.
func valueAt(s string, at int) (from, to int, quoted bool) {
	from = at + 1
	for from < len(s) && (s[from] == ' ' || s[from] == '\t') && (s[at] == ':' || s[at-1] == ' ') {
		from++
	}
	depth := 0
	for from+depth < len(s) && s[from+depth] == '\\' {
		depth++
	}
	if from+depth < len(s) && (s[from+depth] == '"' || depth == 0 && s[from] == '\'') {
		from, quoted = from+depth+1, true
	}
	begin := from
	for _, scheme := range []string{"bearer ", "basic ", "token "} {
		if len(s) > from+len(scheme) && strings.EqualFold(s[from:from+len(scheme)], scheme) {
			from += len(scheme)
		}
	}
	switch {
	case strings.HasPrefix(s[from:], Opening):
		return from, from, quoted
	case quoted:
		return from, max(from, closing(s, begin, depth)), true
	case s[at] == '=':
		to = ended(s, from, "&\"\\'<>` \t\r\n")
	case header(s, at):
		to = ended(s, from, "\"\\\r\n")
	default:
		to = ended(s, from, "&\"\\'<>` \t\r\n,}])")
	}
	return from, to, false
}

func ended(s string, from int, ends string) int {
	if n := strings.IndexAny(s[from:], ends); n >= 0 {
		return from + n
	}
	return len(s)
}

// slashes is how many backslashes stand before a place.
func slashes(s string, at int) (n int) {
	for n < at && s[at-1-n] == '\\' {
		n++
	}
	return n
}

// closes tells whether a quote after a run of backslashes ends a value that began
// after so many and a quote, or a text around it.
func closes(run, depth int) bool {
	if run%2 == 0 || depth == 0 {
		return run%2 == 0
	}
	return closes(run/2, depth/2)
}

// closing is where a quoted value ends that began after so many backslashes and
// a quote.
func closing(s string, from, depth int) int {
	quote := s[from-1]
	if quote == '\'' {
		return ended(s, from, "'\"\\\r\n")
	}
	run := 0
	for i := from; i < len(s); i++ {
		switch {
		case s[i] == '\\':
			run++
			continue
		case s[i] == quote && closes(run, depth):
			if depth == 0 {
				run = 0
			}
			return i - run
		}
		run = 0
	}
	return len(s)
}

// header tells whether the name before a colon begins a line.
func header(s string, at int) bool {
	const near = 2 * longest
	line, cut := s[max(0, at-near):at], at > near
	for _, end := range []string{"\n", `\n`, `"`} {
		if i := strings.LastIndex(line, end); i >= 0 {
			line, cut = line[i+len(end):], false
		}
	}
	return !cut && line != "" && run(line, "") == len(line)
}

// userinfo hides the password of a URL, whose @ stands at a place.
func (c *cutter) userinfo(at int) bool {
	info := c.scheme
	if info == 0 || at-info > 4*longest {
		return false
	}
	if strings.ContainsAny(c.s[info:at], "/ \"\\\n\t?#<>") {
		return false
	}
	if colon := strings.IndexByte(c.s[info:at], ':'); colon >= 0 {
		c.cut("", info+colon+1, at)
	} else if at-info >= 20 { // https://TOKEN@github.com
		c.cut("", info, at)
	}
	return true
}
