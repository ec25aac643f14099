package sendgrid

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"parity/fakes/cast"
)

// The conditions that email activity and contacts are searched by: a small part
// of SQL.
//
//	or ── and ── not ── ( or ) | CONTAINS(field, value) | field = value | field LIKE 'a%'
//	      field IN (a, b) | field BETWEEN a AND b | field IS [NOT] NULL
//
// Source: twilio.com/docs/sendgrid/for-developers/sending-email/segmentation-query-language
// and .../getting-started-email-activity-api.

// A predicate holds for a record or not; get gives the record's fields.
type predicate func(get func(field string) any) bool

// A queryReader reads conditions. known tells whether there is a field.
type queryReader struct {
	tokens []string // texts in quotes begin with '
	at     int
	depth  int
	known  func(field string) bool
}

const (
	longestQuery = 10_000
	deepestQuery = 50
)

// readQuery reads a condition.
// Errors: in the words of the service.
func readQuery(text string, known func(string) bool) (predicate, error) {
	if len(text) > longestQuery {
		return nil, fmt.Errorf("invalid syntax: query is too long")
	}
	tokens, err := tokensOf(text)
	if err != nil {
		return nil, err
	}
	q := &queryReader{tokens: tokens, known: known}
	c, err := q.or()
	if err != nil {
		return nil, err
	}
	if q.at < len(q.tokens) {
		return nil, q.unexpected()
	}
	return c, nil
}

func tokensOf(text string) ([]string, error) {
	var tokens []string
	for i := 0; i < len(text); {
		r := text[i]
		switch {
		case r == ' ' || r == '\t' || r == '\n' || r == '\r':
			i++
		case r == '\'' || r == '"':
			var value strings.Builder
			j := i + 1
			for ; ; j++ {
				if j >= len(text) {
					return nil, fmt.Errorf("invalid syntax: unterminated string")
				}
				if text[j] == r {
					if j+1 < len(text) && text[j+1] == r { // doubled
						j++
					} else {
						break
					}
				}
				value.WriteByte(text[j])
			}
			tokens, i = append(tokens, "'"+value.String()), j+1
		case strings.ContainsRune("(),[]", rune(r)):
			tokens, i = append(tokens, string(r)), i+1
		case strings.ContainsRune("=!<>", rune(r)):
			j := i + 1
			for j < len(text) && strings.IndexByte("=>", text[j]) >= 0 {
				j++
			}
			tokens, i = append(tokens, text[i:j]), j
		default:
			j := i
			for j < len(text) && (unicode.IsLetter(rune(text[j])) || unicode.IsDigit(rune(text[j])) || strings.IndexByte("_.-:+", text[j]) >= 0) {
				j++
			}
			if j == i {
				return nil, fmt.Errorf("invalid syntax: unexpected '%c'", r)
			}
			tokens, i = append(tokens, text[i:j]), j
		}
	}
	return tokens, nil
}

func (q *queryReader) unexpected() error {
	if q.at >= len(q.tokens) {
		return fmt.Errorf("invalid syntax: unexpected end of query")
	}
	return fmt.Errorf("invalid syntax: unexpected '%s'", clip(strings.TrimPrefix(q.tokens[q.at], "'")))
}

// word takes the next token if it is this word.
func (q *queryReader) word(word string) bool {
	if q.at < len(q.tokens) && strings.EqualFold(q.tokens[q.at], word) {
		q.at++
		return true
	}
	return false
}

func (q *queryReader) or() (predicate, error) {
	if q.depth++; q.depth > deepestQuery {
		return nil, fmt.Errorf("invalid syntax: query is nested too deep")
	}
	defer func() { q.depth-- }()
	left, err := q.and()
	for err == nil && q.word("OR") {
		var right predicate
		first := left
		if right, err = q.and(); err == nil {
			left = func(get func(string) any) bool { return first(get) || right(get) }
		}
	}
	return left, err
}

func (q *queryReader) and() (predicate, error) {
	left, err := q.not()
	for err == nil && q.word("AND") {
		var right predicate
		first := left
		if right, err = q.not(); err == nil {
			left = func(get func(string) any) bool { return first(get) && right(get) }
		}
	}
	return left, err
}

func (q *queryReader) not() (predicate, error) {
	if q.word("NOT") {
		if q.depth++; q.depth > deepestQuery {
			return nil, fmt.Errorf("invalid syntax: query is nested too deep")
		}
		defer func() { q.depth-- }()
		inner, err := q.not()
		return func(get func(string) any) bool { return !inner(get) }, err
	}
	if q.word("(") {
		inner, err := q.or()
		if err == nil && !q.word(")") {
			err = q.unexpected()
		}
		return inner, err
	}
	if q.word("CONTAINS") {
		return q.contains()
	}
	return q.compare()
}

func (q *queryReader) contains() (predicate, error) {
	if !q.word("(") {
		return nil, q.unexpected()
	}
	field, err := q.field()
	if err != nil {
		return nil, err
	}
	if !q.word(",") {
		return nil, q.unexpected()
	}
	value, err := q.value()
	if err != nil {
		return nil, err
	}
	if !q.word(")") {
		return nil, q.unexpected()
	}
	return func(get func(string) any) bool {
		for _, one := range cast.List(get(field)) {
			if shown(one) == value {
				return true
			}
		}
		return false
	}, nil
}

// field reads a field: a name, LOWER(name), unique_args['name'].
func (q *queryReader) field() (string, error) {
	if q.at+1 < len(q.tokens) && q.tokens[q.at+1] == "(" && (strings.EqualFold(q.tokens[q.at], "lower") || strings.EqualFold(q.tokens[q.at], "upper")) {
		q.at += 2
		field, err := q.field()
		if err == nil && !q.word(")") {
			err = q.unexpected()
		}
		return field, err
	}
	if q.at >= len(q.tokens) || strings.ContainsAny(q.tokens[q.at][:1], "'()=!<>,[]") {
		return "", q.unexpected()
	}
	name := q.tokens[q.at]
	if !q.known(name) {
		return "", fmt.Errorf("invalid syntax: '%s' is not a known field", clip(name))
	}
	q.at++
	if q.word("[") {
		key, err := q.value()
		if err == nil && !q.word("]") {
			err = q.unexpected()
		}
		return name + "." + key, err
	}
	return name, nil
}

// value reads a literal; words that say its type stand for nothing here.
func (q *queryReader) value() (string, error) {
	for q.word("TIMESTAMP") || q.word("DATE") {
	}
	if q.at >= len(q.tokens) || strings.ContainsAny(q.tokens[q.at][:1], "()=!<>,[]") {
		return "", q.unexpected()
	}
	value := strings.TrimPrefix(q.tokens[q.at], "'")
	q.at++
	return value, nil
}

func (q *queryReader) compare() (predicate, error) {
	field, err := q.field()
	if err != nil {
		return nil, err
	}
	if q.word("IS") {
		not := q.word("NOT")
		if !q.word("NULL") {
			return nil, q.unexpected()
		}
		return func(get func(string) any) bool { return truthy(get(field)) == not }, nil
	}
	not := q.word("NOT")
	made, err := q.operator(field)
	if err != nil || !not {
		return made, err
	}
	return func(get func(string) any) bool { return !made(get) }, nil
}

func (q *queryReader) operator(field string) (predicate, error) {
	switch {
	case q.word("LIKE"):
		pattern, err := q.value()
		return func(get func(string) any) bool { return like(shown(get(field)), pattern) }, err
	case q.word("IN"):
		return q.in(field)
	case q.word("BETWEEN"):
		low, err := q.value()
		if err != nil {
			return nil, err
		}
		if !q.word("AND") {
			return nil, q.unexpected()
		}
		high, err := q.value()
		return func(get func(string) any) bool {
			v := shown(get(field))
			return compared(v, low) >= 0 && compared(v, high) <= 0
		}, err
	}
	if q.at >= len(q.tokens) {
		return nil, q.unexpected()
	}
	holds, known := operators[q.tokens[q.at]]
	if !known {
		return nil, q.unexpected()
	}
	q.at++
	value, err := q.value()
	return func(get func(string) any) bool { return holds(compared(shown(get(field)), value)) }, err
}

var operators = map[string]func(int) bool{
	"=": func(n int) bool { return n == 0 }, "!=": func(n int) bool { return n != 0 }, "<>": func(n int) bool { return n != 0 },
	"<": func(n int) bool { return n < 0 }, "<=": func(n int) bool { return n <= 0 },
	">": func(n int) bool { return n > 0 }, ">=": func(n int) bool { return n >= 0 },
}

func (q *queryReader) in(field string) (predicate, error) {
	if !q.word("(") {
		return nil, q.unexpected()
	}
	wanted := map[string]bool{}
	for {
		value, err := q.value()
		if err != nil {
			return nil, err
		}
		wanted[strings.ToLower(value)] = true
		if !q.word(",") {
			break
		}
	}
	if !q.word(")") {
		return nil, q.unexpected()
	}
	return func(get func(string) any) bool { return wanted[strings.ToLower(shown(get(field)))] }, nil
}

// compared orders two texts: numbers as such, others without regard to case.
func compared(a, b string) int {
	if strings.EqualFold(a, b) {
		return 0
	}
	x, okX := digits(a)
	y, okY := digits(b)
	if okX && okY {
		switch {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return 0
	}
	return strings.Compare(strings.ToLower(a), strings.ToLower(b))
}

// digits reads a number. A text that does not begin like one is none, which is
// quicker found out here.
func digits(text string) (float64, bool) {
	if text == "" || text[0] > '9' {
		return 0, false
	}
	n, err := strconv.ParseFloat(text, 64)
	return n, err == nil
}

// like matches a text against a pattern: % is anything, _ one character.
func like(text, pattern string) bool {
	t, p := []rune(strings.ToLower(text)), []rune(strings.ToLower(pattern))
	ti, pi, star, mark := 0, 0, -1, 0
	for ti < len(t) {
		switch {
		case pi < len(p) && p[pi] == '%':
			star, mark, pi = pi, ti, pi+1
		case pi < len(p) && (p[pi] == '_' || p[pi] == t[ti]):
			ti, pi = ti+1, pi+1
		case star >= 0:
			mark++
			ti, pi = mark, star+1
		default:
			return false
		}
	}
	for pi < len(p) && p[pi] == '%' {
		pi++
	}
	return pi == len(p)
}
