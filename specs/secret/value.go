package secret

import (
	"encoding/json"
	"fmt"
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
		return l.fields(within, v, hide)
	case []any:
		var list []any
		for i, item := range v {
			inner, differs := l.value(within, item, hide)
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
	case json.Number, int64, int, uint64, float64:
		if within != "" {
			return hide(within, Said(v)), true
		}
	}
	return v, false
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
	case within == "":
		clean := l.Text(text, hide)
		return clean, clean != text
	case text == "" || hidden(text) || public(text):
		return text, false
	}
	return hide(within, text), true
}

// public tells what has the name of a secret and is none: a card's token names
// it once.
func public(text string) bool {
	return strings.HasPrefix(text, "tok_") || strings.HasPrefix(text, "btok_")
}

func (l *List) fields(within string, v map[string]any, hide Hide) (any, bool) {
	var object map[string]any
	for name, value := range v {
		under := within
		if l.Name(name) {
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
