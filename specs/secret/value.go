package secret

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Value gives a decoded value without secrets: the value itself where there are
// none. What it has to change it copies.
func (l *List) Value(v any, hide Hide) any {
	clean, _ := l.value("", v, hide)
	return clean
}

// value hides what is in v; within is the name of a secret that v belongs to.
func (l *List) value(within string, v any, hide Hide) (clean any, changed bool) {
	switch v := v.(type) {
	case string:
		return l.said(within, v, hide)
	case map[string]any:
		return l.fields(within, l.pair(v), v, hide)
	case []any:
		var list []any
		for i, item := range v {
			inner, differs := l.item(within, item, hide)
			if differs && list == nil {
				list = append(make([]any, 0, len(v)), v...)
			}
			if differs {
				list[i] = inner
			}
		}
		if list != nil {
			return list, true
		}
	default:
		if numeric(v) && within != "" && l.Name(within) {
			return hide(within, Said(v)), true
		}
	}
	return v, false
}

func numeric(v any) bool {
	switch v.(type) {
	case json.Number, int64, int, uint64, float64:
		return true
	}
	return false
}

// item is value of one of a list. Records of many secrets tell their names and
// dates as well: of those the value alone is secret.
func (l *List) item(within string, v any, hide Hide) (clean any, changed bool) {
	record, ok := v.(map[string]any)
	if ok && plural(within) {
		return l.fields("", within, record, hide)
	}
	return l.value(within, v, hide)
}

// plural tells the names of lists of records, or of counts.
func plural(name string) bool {
	for _, end := range []string{"secrets", "tokens", "cookies"} {
		if len(name) >= len(end) && strings.EqualFold(name[len(name)-len(end):], end) {
			return true
		}
	}
	return false
}

// Said is a value as a text, by which equal ones are told.
func Said(v any) string {
	if text, ok := v.(string); ok {
		return text
	}
	return fmt.Sprint(v)
}

func (l *List) said(within, text string, hide Hide) (any, bool) {
	switch {
	case within == "" || !l.Name(within) && !likely(text) && l.pairs(within) == "":
		clean := l.Text(text, hide)
		return clean, clean != text
	case text == "" || hidden(text) || Public(text):
		return text, false
	}
	return hide(within, text), true
}

// labels are what the field is called that names the one beside it, value.
var labels = [...]string{"name", "key", "property", "variable", "header", "field", "Name", "Key", "ParameterKey", "parameterKey"}

// values are what that one is called.
var values = [...]string{"value", "Value", "val", "ParameterValue", "parameterValue"}

// pair is the name of the secret that stands under value in an object such as
// {"name": "DB_PASSWORD", "value": "x"}; "" where none does.
func (l *List) pair(v map[string]any) string {
	if !slices.ContainsFunc(values[:], func(name string) bool { return v[name] != nil }) {
		return ""
	}
	for _, label := range labels {
		if name, _ := v[label].(string); name != "" && l.pairs(name) != "" {
			return name
		}
	}
	return ""
}

// pairs gives a name back where it is of a secret, or of a variable of an
// environment that holds one.
func (l *List) pairs(name string) string {
	if l.Name(name) || variable(name, '=') {
		return name
	}
	return ""
}

// fields hides what is in the fields of an object, and under value what belongs
// to named, where that is not "".
func (l *List) fields(within, named string, v map[string]any, hide Hide) (any, bool) {
	var object map[string]any
	for name, value := range v {
		under := within
		switch {
		case named != "" && slices.Contains(values[:], name):
			under = named
		case l.kind(name) != never && !(plural(name) && numeric(value)):
			under = name
		}
		inner, differs := l.value(under, value, hide)
		key := name
		if form := l.Text(name, hide); form != name {
			key, differs = form, true
		}
		if !differs {
			continue
		}
		if object == nil {
			object = make(map[string]any, len(v))
			for name, value := range v {
				object[name] = value
			}
		}
		delete(object, name)
		object[key] = inner
	}
	if object == nil {
		return v, false
	}
	return object, true
}
