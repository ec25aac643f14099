package secret

import (
	"slices"
	"strings"
)

// Command hides secrets among the arguments of a command: those too that only
// the flag before them gives away, and what variables are set to.
func (l *List) Command(args []string, hide Hide) []string {
	if args == nil {
		return nil
	}
	out := make([]string, len(args))
	for i, arg := range args {
		before := ""
		if i > 0 {
			before = args[i-1]
		}
		out[i] = l.arg(before, arg, hide)
	}
	return out
}

// arg hides what is secret in an argument that comes after another.
func (l *List) arg(before, arg string, hide Hide) string {
	name, value, ok := strings.Cut(arg, "=")
	switch {
	case ok && value != "" && l.argument(name):
		if hidden(value) {
			return arg
		}
		return name + "=" + hide(name, value)
	case hidden(arg) || strings.HasPrefix(arg, "-") || !strings.HasPrefix(before, "-"):
		return l.Text(arg, hide)
	case userFlag(before):
		if user, password, ok := strings.Cut(arg, ":"); ok && password != "" && !hidden(password) {
			return user + ":" + hide(before, password)
		}
	case before == "-b" && strings.Contains(arg, "="), before == "-p" && password(arg), l.argument(before):
		return hide(before, arg)
	}
	return l.Text(arg, hide)
}

// password tells whether what follows -p could be one: not a port, a folder, or
// what a model is asked.
func password(arg string) bool {
	return arg != "" && strings.IndexFunc(arg, func(r rune) bool { return r < '0' || r > '9' }) >= 0 && !strings.ContainsAny(arg, " \t\r\n/:.")
}

// userFlag tells the flag of a user with a password, as curl has it: -u me:x.
func userFlag(name string) bool {
	return name == "-u" || name == "--user" || name == "-U" || name == "--proxy-user"
}

// flagged tells whether the - at a place is the last before the name of a flag
// that begins there.
func flagged(s string, at int) bool {
	if at > 0 && s[at-1] == '-' {
		at--
	}
	return at == 0 || strings.IndexByte(" \"'`\n\t", s[at-1]) >= 0 || escaped(s, at)
}

// flag hides the value of a flag that stands apart from it in a text, as in
// --token x. It tells whether there was one.
func (l *List) flag(c *cutter, at int) bool {
	s := c.s
	end := at + 1
	for end < len(s) && end-at < longest && (word(s[end]) || s[end] == '-') {
		end++
	}
	from := end
	for from < len(s) && s[from] == ' ' {
		from++
	}
	name := s[at:end]
	switch {
	case strings.HasPrefix(name, "-p") && len(name) > len("-p") && (at == 0 || s[at-1] != '-') && asksPassword(s[:at]): // mysql -pX
		from = at + len("-p")
		c.cut("-p", from, ended(s, from, flagEnds))
		return true
	case from == end || from == len(s) || s[from] == '-':
		return false
	}
	begins := from
	for from < len(s) && s[from] == '\\' {
		from++
	}
	value := from // where its end is looked for
	if odd := (from-begins)%2 == 1; odd && from < len(s) {
		switch s[from] {
		case 'n', 'r', 't', 'b', 'f':
			return false // no argument
		case 'u':
			from, value = begins, min(len(s), from+len("uXXXX"))
		}
	}
	ends := flagEnds
	if from < len(s) && (s[from] == '"' || s[from] == '\'') {
		ends = s[from:from+1] + "\"\\\r\n" // of JSON around it, too
		from++
		if from == len(s) || strings.IndexByte(",}]:\n", s[from]) >= 0 {
			return false // the quote ends a text of which the flag is the last word
		}
		value = from
	}
	to := ended(s, value, ends)
	switch value := s[from:to]; {
	case userFlag(name) || userFlag("-"+name):
		if colon := strings.IndexByte(value, ':'); colon >= 0 {
			c.cut(name, from+colon+1, to)
			return true
		}
	case name == "-b" && strings.Contains(value, "="), name == "-p" && password(value) && asksPassword(s[:at]), len(name) > len("-p") && l.Name(name):
		c.cut(name, from, to)
		return true
	}
	return false
}

// flagEnds are what an argument ends at.
const flagEnds = " \"'\\\r\n\t`,;|&<>"

// asksPassword tells whether the last words of a line are of a program whose -p
// is a password.
func asksPassword(line string) bool {
	line = line[max(0, len(line)-2*longest):]
	line = line[strings.LastIndexByte(line, '\n')+1:]
	return slices.ContainsFunc([]string{"mysql", "mariadb", "sshpass", "mongo", "login"}, func(program string) bool { return strings.Contains(line, program) })
}

// argument tells whether a flag or variable of that name holds a secret.
func (l *List) argument(name string) bool {
	if strings.ContainsAny(name, " \t\n/?&") {
		return false
	}
	flag := strings.ToUpper(strings.TrimLeft(name, "-"))
	return l.Name(flag) || flag == "KEY" || variable(strings.ReplaceAll(flag, "-", "_"), '=')
}
