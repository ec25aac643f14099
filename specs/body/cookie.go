package body

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"unicode/utf8"
)

func tooMany(most int) *Problem {
	return &Problem{Rule: RuleSize, Message: fmt.Sprintf("has more than %d", most), Want: strconv.Itoa(most)}
}

// Cookie types the declared cookies of the lines of the Cookie header. Other
// cookies are left out: they are not the operation's business.
func (ps *Parameters) Cookie(lines []string) (map[string]any, *Problem) {
	if len(ps.cookie.known) == 0 || len(lines) == 0 {
		return nil, nil
	}
	given := map[string][]string{}
	var order []string
	for _, line := range lines {
		for pair := range strings.SplitSeq(line, ";") {
			name, value, ok := strings.Cut(strings.Trim(pair, " \t"), "=")
			if !ok || name == "" {
				continue
			}
			if len(order) == maxFields {
				return nil, tooMany(maxFields)
			}
			if len(value) >= 2 && value[0] == '"' && value[len(value)-1] == '"' {
				value = value[1 : len(value)-1]
			}
			given[name] = append(given[name], value)
			order = append(order, name)
		}
	}
	out := map[string]any{}
	for _, name := range order {
		if wrong := ps.cookie.cookie(out, name, given[name]); wrong != nil {
			return out, wrong
		}
	}
	return out, nil
}

func (f *fields) cookie(out map[string]any, name string, values []string) *Problem {
	p := f.known[name]
	if p == nil {
		owner := f.owner(name)
		if owner == nil {
			return nil
		}
		object, _ := out[owner.Name].(map[string]any)
		if object == nil {
			object = map[string]any{}
			out[owner.Name] = object
		}
		inner, _ := owner.shape.property(name)
		if inner.takes(anArray) && (inner.only(anArray) || len(values) > 1) {
			list := &parameter{Parameter: owner.Parameter, shape: inner}
			object[name], _ = list.parts(unescaped(values, owner.Style), false)
			return nil
		}
		object[name] = inner.nested(cookieText(values[len(values)-1], owner.Style))
		return nil
	}
	if p.Content == "" && p.separator == "" && p.shape.takes(anArray) { // a=1; a=2, or a=1&a=2
		if len(values) == 1 {
			values = strings.Split(values[0], "&"+name+"=")
		}
		if p.shape.only(anArray) || len(values) > 1 {
			out[name], _ = p.parts(unescaped(values, p.Style), false)
			return nil
		}
	}
	value, wrong := p.crumb(values[len(values)-1])
	if wrong != nil {
		return p.blame(wrong, values[0])
	}
	out[name] = value
	return nil
}

// crumb reads a cookie of one value.
func (p *parameter) crumb(raw string) (any, *Problem) {
	if p.separator == "" || !strings.Contains(raw, p.separator) {
		return p.simple(cookieText(raw, p.Style), "")
	}
	if !p.shape.takes(anArray | anObject) {
		return p.shape.scalar(cookieText(raw, p.Style)), nil
	}
	return p.parts(unescaped(strings.Split(raw, p.separator), p.Style), false)
}

func unescaped(values []string, style string) []string {
	out := make([]string, len(values))
	for i, value := range values {
		out[i] = cookieText(value, style)
	}
	return out
}

// cookieText undoes escapes where there are any: many cookies have none, and
// percent signs that mean themselves. The style "cookie" (3.2) has none.
func cookieText(text, style string) string {
	if style == "cookie" || !strings.Contains(text, "%") {
		return text
	}
	decoded, err := url.PathUnescape(text)
	if err != nil || !utf8.ValidString(decoded) {
		return text
	}
	return decoded
}
