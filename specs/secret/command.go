package secret

import "strings"

// Command hides secrets among the arguments of a command: those too that only
// the flag before them gives away, and what variables are set to.
func (l *List) Command(args []string, hide Hide) []string {
	if args == nil {
		return nil
	}
	out := make([]string, len(args))
	for i, arg := range args {
		out[i] = arg
		if name, value, ok := strings.Cut(arg, "="); ok && value != "" && l.argument(name) {
			if !hidden(value) {
				out[i] = name + "=" + hide(name, value)
			}
			continue
		}
		if i > 0 && strings.HasPrefix(args[i-1], "-") && l.argument(args[i-1]) && !strings.HasPrefix(arg, "-") && !hidden(arg) {
			out[i] = hide(args[i-1], arg)
			continue
		}
		out[i] = l.Text(arg, hide)
	}
	return out
}

// argument tells whether a flag or variable of that name holds a secret.
func (l *List) argument(name string) bool {
	if strings.ContainsAny(name, " \t\n/?&") {
		return false
	}
	flag := strings.ToUpper(strings.TrimLeft(name, "-"))
	return l.Name(flag) || flag == "KEY" || variable(strings.ReplaceAll(flag, "-", "_"), '=')
}
