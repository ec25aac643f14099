package notion

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A term is a part of a formula: what is called, with what. Operators and
// methods are calls of functions too.
type term struct {
	call  string // a function; "" where the node is a value or a name
	args  []*term
	by    function
	value any
	name  string // of a variable
}

// deepest is how deep the parts of a formula may lie in each other.
const deepest = 50

// infixes are the functions that infixes stand for, by how loosely they bind.
var infixes = []map[string]string{
	{"or": "or", "||": "or"},
	{"and": "and", "&&": "and"},
	{"==": "equal", "!=": "unequal"},
	{">": "larger", "<": "smaller", ">=": "largerEq", "<=": "smallerEq"},
	{"+": "add", "-": "subtract"},
	{"*": "multiply", "/": "divide", "%": "mod"},
}

// parseFormula reads a formula; ok is false where it is none, or calls what is
// no function, or with too few or too many arguments.
//
//	if(prop("Done"), 0, prop("Points") * 2)   prop("Tags").filter(current != "x").length()
func parseFormula(expression string) (root *term, ok bool) {
	p := &parser{tokens: tokens(expression)}
	root = p.ternary(0)
	return root, !p.bad && len(p.tokens) == 0
}

type parser struct {
	tokens []string
	bad    bool
}

// tokens splits an expression; texts keep their opening quote, and references
// their braces.
func tokens(s string) []string {
	var all []string
	for s != "" {
		r, n := utf8.DecodeRuneInString(s)
		switch {
		case unicode.IsSpace(r):
			s = s[n:]
			continue
		case strings.HasPrefix(s, "/*"):
			_, rest, _ := strings.Cut(s[2:], "*/")
			s = rest
			continue
		case strings.HasPrefix(s, "{{"):
			if end := strings.Index(s, "}}"); end > 0 {
				n = end + 2
			}
		case r == '"' || r == '\'':
			for n < len(s) && rune(s[n]) != r {
				n += 1 + btoi(s[n] == '\\')
			}
			n = min(n, len(s))
			all = append(all, `"`+s[1:n])
			s = s[min(n+1, len(s)):]
			continue
		case unicode.IsDigit(r):
			for n < len(s) && (unicode.IsDigit(rune(s[n])) || s[n] == '.' && n+1 < len(s) && unicode.IsDigit(rune(s[n+1]))) {
				n++
			}
		case unicode.IsLetter(r) || r == '_':
			n = len(s) - len(strings.TrimLeftFunc(s, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' }))
		case len(s) > 1 && strings.Contains("== != >= <= && ||", s[:2]):
			n = 2
		}
		all = append(all, s[:n])
		s = s[n:]
	}
	return all
}

func (p *parser) peek() string {
	if len(p.tokens) == 0 {
		return ""
	}
	return p.tokens[0]
}

func (p *parser) next(choice string) bool {
	if p.peek() != choice || choice == "" {
		return false
	}
	p.tokens = p.tokens[1:]
	return true
}

func (p *parser) want(token string) { p.bad = p.bad || !p.next(token) }

func (p *parser) ternary(depth int) *term {
	if depth > deepest {
		p.bad = true
		return nil
	}
	test := p.infix(0, depth+1)
	if p.bad || !p.next("?") {
		return test
	}
	yes := p.ternary(depth + 1)
	p.want(":")
	return p.called("if", test, yes, p.ternary(depth+1))
}

func (p *parser) infix(level, depth int) *term {
	if level == len(infixes) {
		return p.unary(depth)
	}
	left := p.infix(level+1, depth)
	for !p.bad {
		function, ok := infixes[level][p.peek()]
		if !ok {
			break
		}
		p.tokens = p.tokens[1:]
		left = p.called(function, left, p.infix(level+1, depth))
	}
	return left
}

func (p *parser) unary(depth int) *term {
	if depth > deepest {
		p.bad = true
		return nil
	}
	switch {
	case p.next("-"):
		return p.called("unaryMinus", p.unary(depth+1))
	case p.next("+"):
		return p.called("unaryPlus", p.unary(depth+1))
	case p.next("not"), p.next("!"):
		return p.called("not", p.unary(depth+1))
	}
	base := p.postfix(depth)
	if !p.bad && p.next("^") {
		return p.called("pow", base, p.unary(depth+1)) // binds to the right
	}
	return base
}

// postfix reads a value and the methods that are called on it.
func (p *parser) postfix(depth int) *term {
	of := p.operand(depth)
	for !p.bad && p.next(".") {
		name := p.peek()
		if name == "" {
			p.bad = true
			return nil
		}
		p.tokens = p.tokens[1:]
		args := []*term{of}
		if p.peek() == "(" {
			args = append(args, p.arguments(depth, ")")...)
		}
		of = p.called(name, args...)
	}
	return of
}

// arguments reads a list up to what closes it.
func (p *parser) arguments(depth int, end string) []*term {
	p.tokens = p.tokens[1:]
	var all []*term
	for !p.bad && !p.next(end) {
		all = append(all, p.ternary(depth+1))
		if !p.next(",") {
			p.want(end)
			break
		}
	}
	return all
}

func (p *parser) operand(depth int) *term {
	token := p.peek()
	if token == "" || p.bad {
		p.bad = true
		return nil
	}
	first, _ := utf8.DecodeRuneInString(token)
	switch {
	case token == "(":
		all := p.arguments(depth, ")")
		if len(all) != 1 {
			p.bad = true
			return nil
		}
		return all[0]
	case token == "[":
		return p.called("list", p.arguments(depth, "]")...)
	}
	p.tokens = p.tokens[1:]
	switch {
	case first == '"':
		return &term{value: strings.NewReplacer(`\"`, `"`, `\'`, `'`, `\n`, "\n", `\t`, "\t", `\\`, `\`).Replace(token[1:])}
	case strings.HasPrefix(token, "{{"):
		parts := strings.Split(strings.Trim(token, "{}"), ":") // {{notion:block_property:ID:…}}
		if len(parts) < 3 || parts[1] != "block_property" {
			p.bad = true
			return nil
		}
		return p.called("prop", &term{value: parts[2]})
	case unicode.IsDigit(first):
		n, err := strconv.ParseFloat(token, 64)
		p.bad = p.bad || err != nil
		return &term{value: n}
	case token == "true", token == "false":
		return &term{value: token == "true"}
	case (unicode.IsLetter(first) || first == '_') && p.peek() == "(":
		return p.called(token, p.arguments(depth, ")")...)
	case unicode.IsLetter(first) || first == '_':
		return &term{name: token, by: formulaFunctions()[token]} // pi and e are named alone
	}
	p.bad = true
	return nil
}

func (p *parser) called(function string, args ...*term) *term {
	f, known := formulaFunctions()[function]
	p.bad = p.bad || !known || len(args) < f.least || f.most >= 0 && len(args) > f.most
	return &term{call: function, by: f, args: args}
}

// sound tells whether all that a formula names is there: properties, and
// variables where they are bound.
func (n *term) sound(property func(key string) bool, bound map[string]bool) bool {
	switch {
	case n == nil:
		return false
	case n.name != "":
		return bound[n.name] || n.name == "current" || n.name == "index" || n.name == "pi" || n.name == "e"
	case n.call == "prop" && len(n.args) == 1:
		key, _ := n.args[0].value.(string)
		return property(key)
	}
	scope := bound
	if n.call == "let" || n.call == "lets" {
		scope = map[string]bool{}
		for name := range bound {
			scope[name] = true
		}
		for i := 0; i+1 < len(n.args); i += 2 {
			scope[n.args[i].name] = true
		}
	}
	for _, arg := range n.args {
		if !arg.sound(property, scope) {
			return false
		}
	}
	return true
}
