package sendgrid

import (
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
)

// longestMail bounds what a template may become. The whole of a mail, with its
// attachments, is 30 MB at most.
// Source: twilio.com/docs/sendgrid/api-reference/mail-send/limitations.
const longestMail = 30 << 20

// mostSteps bounds the work of one template, whose loops may show nothing.
const mostSteps = 200_000

// bytesStep is how many bytes of values, and of the mail, are a step of a call's
// work.
const bytesStep = 64

var errTooLong = errors.New("the mail is longer than 30 MB, or takes too long to make")

// render fills a template with data. Values are escaped where html is. It spends
// of a call's work what it does.
func render(source string, data any, html bool, spend func(steps int)) (string, error) {
	spend(len(source) / bytesStep)
	nodes, err := parseTemplate(source)
	if err != nil {
		return "", err
	}
	r := &renderer{root: data, html: html, work: spend}
	if err := r.all(nodes, &scope{value: data}); err != nil {
		return "", err
	}
	return r.out.String(), nil
}

// A scope is what names mean at a place: this, and what is around it.
type scope struct {
	value any
	up    *scope
	vars  map[string]any // index, key, first, last
}

type renderer struct {
	out   strings.Builder
	root  any
	html  bool
	work  func(steps int) // of the call
	steps int
}

func (r *renderer) spend(steps int) {
	r.work(steps)
	r.steps += steps
}

func (r *renderer) bounds() error {
	if r.steps > mostSteps || r.out.Len() > longestMail {
		return errTooLong
	}
	return nil
}

// weigh spends for looking at all of a value.
func (r *renderer) weigh(v any) {
	switch x := v.(type) {
	case string:
		r.spend(len(x) / bytesStep)
	case []any:
		r.spend(1 + len(x)/4)
		for _, one := range x {
			r.weigh(one)
		}
	}
}

func (r *renderer) all(nodes []node, s *scope) error {
	for i := range nodes {
		before := r.out.Len()
		if err := r.one(&nodes[i], s); err != nil {
			return err
		}
		if !nodes[i].block {
			r.spend(1)
			r.work((r.out.Len() - before) / bytesStep)
		}
		if err := r.bounds(); err != nil {
			return err
		}
	}
	return nil
}

func (r *renderer) one(n *node, s *scope) error {
	switch {
	case n.words == nil:
		r.out.WriteString(n.text)
		return nil
	case n.block:
		return r.block(n, s)
	}
	given := r.inline(n.words, s)
	r.weigh(given)
	value := shown(given)
	if r.html && !n.raw {
		value = escaper.Replace(value)
	}
	r.out.WriteString(value)
	return nil
}

var escaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "'", "&#x27;", "`", "&#x60;", "=", "&#x3D;")

// inline gives what a tag that is no block stands for.
func (r *renderer) inline(words []string, s *scope) any {
	if len(words) == 1 {
		return r.value(words[0], s)
	}
	switch words[0] {
	case "insert":
		return r.insert(words[1:], s)
	case "length":
		value := r.value(words[1], s)
		r.weigh(value)
		return int64(length(value))
	case "formatDate":
		return r.date(words[1:], s)
	}
	return r.value(words[0], s)
}

// insert gives values, or the default that stands last: "default=Customer".
func (r *renderer) insert(words []string, s *scope) any {
	fallback, names := "", words
	if last := strings.Trim(words[len(words)-1], `"'`); strings.HasPrefix(last, "default=") {
		fallback, names = strings.TrimPrefix(last, "default="), words[:len(words)-1]
	}
	for _, name := range names {
		if value := r.value(name, s); truthy(value) {
			return value
		}
	}
	return fallback
}

func (r *renderer) block(n *node, s *scope) error {
	args := make([]any, 0, len(n.words)-1)
	r.spend(1 + len(n.words))
	for _, word := range n.words[1:] {
		args = append(args, r.value(word, s))
	}
	if compares[n.words[0]] {
		r.weigh(args)
	}
	if holds, known := condition(n.words[0], args); known {
		if holds != n.inverse {
			return r.all(n.body, s)
		}
		return r.all(n.other, s)
	}
	switch {
	case n.words[0] == "each" && len(args) > 0:
		return r.each(args[0], n, s)
	case n.words[0] == "with" && len(args) > 0:
		if !truthy(args[0]) {
			return r.all(n.other, s)
		}
		return r.all(n.body, &scope{value: args[0], up: s})
	}
	return r.section(r.value(n.words[0], s), n, s)
}

// compares are the conditions that look at all of what they are given.
var compares = map[string]bool{"equals": true, "notEquals": true, "greaterThan": true, "lessThan": true}

// condition decides the blocks that show one of two things.
func condition(name string, args []any) (holds, known bool) {
	two := func() (any, any) { return at(args, 0), at(args, 1) }
	switch name {
	case "if":
		return truthy(at(args, 0)), true
	case "unless":
		return !truthy(at(args, 0)), true
	case "equals":
		a, b := two()
		return shown(a) == shown(b), true
	case "notEquals":
		a, b := two()
		return shown(a) != shown(b), true
	case "greaterThan":
		return order(two()) > 0, true
	case "lessThan":
		return order(two()) < 0, true
	case "and":
		return len(args) > 0 && !slices.ContainsFunc(args, func(v any) bool { return !truthy(v) }), true
	case "or":
		return slices.ContainsFunc(args, truthy), true
	}
	return false, false
}

func at(args []any, i int) any {
	if i < len(args) {
		return args[i]
	}
	return nil
}

// section is a block that bears a name of the data: {{#items}}…{{/items}}.
func (r *renderer) section(value any, n *node, s *scope) error {
	_, list := value.([]any)
	switch {
	case n.inverse && !truthy(value):
		return r.all(n.body, s)
	case n.inverse, !truthy(value):
		return r.all(n.other, s)
	case list:
		return r.each(value, n, s)
	case value == true:
		return r.all(n.body, s)
	}
	return r.all(n.body, &scope{value: value, up: s})
}

// each repeats a block. Fields of an object come in the order of their names.
func (r *renderer) each(value any, n *node, s *scope) error {
	if !truthy(value) {
		return r.all(n.other, s)
	}
	item := func(i, of int, key, v any) error {
		r.spend(1)
		if err := r.bounds(); err != nil {
			return err
		}
		return r.all(n.body, &scope{value: v, up: s, vars: map[string]any{
			"index": int64(i), "key": key, "first": i == 0, "last": i == of-1,
		}})
	}
	switch x := value.(type) {
	case []any:
		for i, v := range x {
			if err := item(i, len(x), int64(i), v); err != nil {
				return err
			}
		}
	case map[string]any:
		r.spend(len(x))
		for i, key := range slices.Sorted(maps.Keys(x)) {
			if err := item(i, len(x), key, x[key]); err != nil {
				return err
			}
		}
	}
	return nil
}

// value gives what a word means: a literal, or what a path leads to.
func (r *renderer) value(word string, s *scope) any {
	r.spend(len(word) / bytesStep)
	switch {
	case word[0] == '"', word[0] == '\'':
		return word[1:]
	case word == "true", word == "false":
		return word == "true"
	case word == "null", word == "undefined":
		return nil
	case word[0] == '@':
		return r.variable(word[1:], s)
	}
	if n, err := strconv.ParseInt(word, 10, 64); err == nil {
		return n
	}
	if f, err := strconv.ParseFloat(word, 64); err == nil {
		return f
	}
	for strings.HasPrefix(word, "..") {
		if s.up != nil {
			s = s.up
		}
		word = strings.TrimPrefix(strings.TrimPrefix(word, ".."), "/")
	}
	return walk(s.value, word)
}

func (r *renderer) variable(name string, s *scope) any {
	first, rest, _ := strings.Cut(name, ".")
	if first == "root" {
		return walk(r.root, rest)
	}
	for ; s != nil; s = s.up {
		if v, ok := s.vars[first]; ok {
			return v
		}
	}
	return nil
}

// walk follows a path of names and numbers from a value.
func walk(v any, path string) any {
	path = strings.TrimPrefix(strings.TrimPrefix(strings.TrimPrefix(path, "this"), "./"), ".")
	for path != "" {
		var name string
		if strings.HasPrefix(path, "[") {
			name, path, _ = strings.Cut(path[1:], "]")
			path = strings.TrimPrefix(path, ".")
		} else if end := strings.IndexAny(path, "./"); end >= 0 {
			name, path = path[:end], path[end+1:]
		} else {
			name, path = path, ""
		}
		switch x := v.(type) {
		case map[string]any:
			v = x[name]
		case []any:
			i, err := strconv.Atoi(name)
			switch {
			case name == "length":
				v = int64(len(x))
			case err != nil, i < 0, i >= len(x):
				return nil
			default:
				v = x[i]
			}
		default:
			return nil
		}
	}
	return v
}

// dateWords are the parts of formatDate's formats and what Go calls them.
var dateWords = strings.NewReplacer("YYYY", "2006", "YY", "06", "MMMM", "January", "MMM", "Jan", "MM", "01", "M", "1",
	"DD", "02", "D", "2", "dddd", "Monday", "ddd", "Mon", "HH", "15", "hh", "03", "h", "3", "mm", "04", "ss", "05", "A", "PM", "a", "pm",
	"ZZ", "-0700", "Z", "-07:00")

// date writes an instant, ISO 8601 or seconds, in a format and at an offset
// such as -0800.
func (r *renderer) date(words []string, s *scope) any {
	given := r.value(words[0], s)
	r.weigh(given)
	var when time.Time
	if seconds, ok := number(given); ok {
		when = time.Unix(int64(seconds), 0).UTC()
	} else if parsed, err := time.Parse(time.RFC3339, shown(given)); err == nil {
		when = parsed
	} else {
		return given
	}
	if len(words) > 2 {
		if zone, err := time.Parse("-0700", shown(r.value(words[2], s))); err == nil {
			when = when.In(zone.Location())
		}
	}
	if len(words) < 2 {
		return when.Format(time.RFC3339)
	}
	return when.Format(dateWords.Replace(shown(r.value(words[1], s))))
}
