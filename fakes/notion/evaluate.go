package notion

import (
	"math"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// evaluate works out a formula: properties, numbers, texts, the operators and
// the plainest functions. It gives false for what it does not know. It spends of a
// call's work what it does.
func evaluate(expression string, look func(string) any, now time.Time, spend func(steps int)) (result any, ok bool) {
	spend(len(expression) / 16)
	p := &parser{tokens: tokens(expression), look: look, now: now, spend: spend}
	result = p.ternary(0)
	return result, !p.bad && len(p.tokens) == 0
}

type parser struct {
	tokens []string
	look   func(string) any
	now    time.Time
	spend  func(steps int)
	bad    bool
}

// weigh spends for looking at all of a value, as text.
func (p *parser) weigh(v any) {
	switch x := v.(type) {
	case string:
		p.spend(len(x) / 64)
	case []any:
		p.spend(len(x))
		for _, one := range x {
			p.weigh(one)
		}
	case map[string]any:
		p.spend(1)
		for _, one := range x {
			p.weigh(one)
		}
	}
}

// tokens splits an expression; texts keep their opening quote.
func tokens(s string) []string {
	var all []string
	for s != "" {
		n := 1
		switch r := rune(s[0]); {
		case unicode.IsSpace(r):
			s = s[1:]
			continue
		case r == '"':
			for n < len(s) && s[n] != '"' {
				n += 1 + btoi(s[n] == '\\')
			}
			n = min(n, len(s))
			all = append(all, s[:n])
			s = s[min(n+1, len(s)):]
			continue
		case unicode.IsDigit(r):
			for n < len(s) && (unicode.IsDigit(rune(s[n])) || s[n] == '.') {
				n++
			}
		case unicode.IsLetter(r):
			for n < len(s) && (unicode.IsLetter(rune(s[n])) || unicode.IsDigit(rune(s[n]))) {
				n++
			}
		case len(s) > 1 && strings.Contains("== != >= <= && ||", s[:2]):
			n = 2
		}
		all = append(all, s[:n])
		s = s[n:]
	}
	return all
}

func (p *parser) next(choices ...string) string {
	if len(p.tokens) > 0 {
		for _, choice := range choices {
			if p.tokens[0] == choice {
				p.tokens = p.tokens[1:]
				return choice
			}
		}
	}
	return ""
}

func (p *parser) want(token string) {
	if p.next(token) == "" {
		p.bad = true
	}
}

const deepest = 50

func (p *parser) ternary(depth int) any {
	if depth > deepest {
		p.bad = true
		return nil
	}
	test := p.binary(0, depth+1)
	if p.next("?") == "" {
		return test
	}
	yes := p.ternary(depth + 1)
	p.want(":")
	no := p.ternary(depth + 1)
	if truth(test) {
		return yes
	}
	return no
}

// levels are the operators, the loosest first.
var levels = [][]string{{"or", "||"}, {"and", "&&"}, {"==", "!="}, {">", "<", ">=", "<="}, {"+", "-"}, {"*", "/", "%"}, {"^"}}

func (p *parser) binary(level, depth int) any {
	if level == len(levels) {
		return p.unary(depth)
	}
	left := p.binary(level+1, depth)
	for !p.bad {
		operator := p.next(levels[level]...)
		if operator == "" {
			break
		}
		left = p.apply(operator, left, p.binary(level+1, depth))
	}
	return left
}

func (p *parser) unary(depth int) any {
	switch p.next("-", "not", "!") {
	case "-":
		n, _ := float(p.unary(depth + 1))
		return -n
	case "not", "!":
		return !truth(p.unary(depth + 1))
	}
	return p.operand(depth)
}

func (p *parser) operand(depth int) any {
	if len(p.tokens) == 0 || depth > deepest {
		p.bad = true
		return nil
	}
	token := p.tokens[0]
	p.tokens = p.tokens[1:]
	switch {
	case token == "(":
		v := p.ternary(depth + 1)
		p.want(")")
		return v
	case token[0] == '"':
		return strings.NewReplacer(`\"`, `"`, `\n`, "\n", `\\`, `\`).Replace(token[1:])
	case unicode.IsDigit(rune(token[0])):
		n, err := strconv.ParseFloat(token, 64)
		p.bad = p.bad || err != nil
		return n
	case token == "true", token == "false":
		return token == "true"
	case unicode.IsLetter(rune(token[0])):
		return p.function(token, depth+1)
	}
	p.bad = true
	return nil
}

func (p *parser) function(name string, depth int) any {
	p.want("(")
	var given []any
	for !p.bad && p.next(")") == "" {
		given = append(given, p.ternary(depth))
		if p.next(",") == "" {
			p.want(")")
			break
		}
	}
	p.weigh(given)
	at := func(i int) any {
		if i < len(given) {
			return given[i]
		}
		p.bad = true
		return nil
	}
	switch name {
	case "prop":
		key, _ := at(0).(string)
		return p.look(key)
	case "if":
		if truth(at(0)) {
			return at(1)
		}
		return at(2)
	case "empty":
		return !truth(at(0))
	case "concat":
		var b strings.Builder
		for _, v := range given {
			b.WriteString(said(v))
		}
		return b.String()
	case "contains":
		return strings.Contains(said(at(0)), said(at(1)))
	case "now":
		return map[string]any{"start": p.now.UTC().Truncate(time.Minute).Format(timeLayout), "end": nil, "time_zone": nil}
	case "length", "lower", "upper", "format", "toNumber", "abs", "round", "floor", "ceil":
		return ofOne(name, at(0))
	}
	return p.folded(name, given)
}

// ofOne works out functions of one text or number.
func ofOne(name string, v any) any {
	n, _ := float(v)
	switch name {
	case "length":
		return float64(units(said(v)))
	case "lower":
		return strings.ToLower(said(v))
	case "upper":
		return strings.ToUpper(said(v))
	case "format":
		return said(v)
	case "abs":
		return math.Abs(n)
	case "round":
		return math.Round(n)
	case "floor":
		return math.Floor(n)
	case "ceil":
		return math.Ceil(n)
	}
	f, err := strconv.ParseFloat(said(v), 64)
	if err != nil {
		return nil
	}
	return f
}

// folded works out functions of any number of numbers.
func (p *parser) folded(name string, given []any) any {
	if len(given) == 0 {
		p.bad = true
		return nil
	}
	result, _ := float(given[0])
	for _, v := range given[1:] {
		n, _ := float(v)
		switch name {
		case "min":
			result = min(result, n)
		case "max":
			result = max(result, n)
		case "sum", "add":
			result += n
		case "subtract":
			result -= n
		case "multiply":
			result *= n
		case "divide":
			result /= n
		}
	}
	switch name {
	case "min", "max", "sum", "add", "subtract", "multiply", "divide":
		return result
	}
	p.bad = true
	return nil
}

func (p *parser) apply(operator string, a, b any) any {
	p.weigh(a)
	p.weigh(b)
	x, ok := float(a)
	y, ok2 := float(b)
	switch operator {
	case "or", "||":
		return truth(a) || truth(b)
	case "and", "&&":
		return truth(a) && truth(b)
	case "==":
		return said(a) == said(b)
	case "!=":
		return said(a) != said(b)
	case "+":
		if !ok || !ok2 {
			if _, text := a.(string); text {
				return said(a) + said(b)
			}
			if _, text := b.(string); text {
				return said(a) + said(b)
			}
		}
		return x + y
	case "-":
		return x - y
	case "*":
		return x * y
	case "/":
		return x / y
	case "%":
		return math.Mod(x, y)
	case "^":
		return math.Pow(x, y)
	case ">":
		return x > y
	case "<":
		return x < y
	case ">=":
		return x >= y
	}
	return x <= y
}

func truth(v any) bool {
	switch x := v.(type) {
	case nil:
		return false
	case bool:
		return x
	case string:
		return x != ""
	case float64:
		return x != 0
	case []any:
		return len(x) > 0
	}
	return true
}

// said is a value as text.
func said(v any) string {
	switch x := v.(type) {
	case nil:
		return ""
	case float64:
		return strconv.FormatFloat(x, 'f', -1, 64)
	case map[string]any:
		return describe(x["start"])
	}
	return describe(v)
}
