// Package cast reads values that JSON or a record may hold, which are of any
// type. What is not of the type that is asked for reads as that type's zero:
// a fake has checked what a client sent against the contract, and what it
// stores it has written itself, so that a wrong type means the same as nothing.
//
//	Object, List, Text, Int, Bool   a value of one type
//	Plain                           any scalar, as text
//	Texts, Objects                  the items of a list that are of one type
//	Anys                            a list that a record can hold
package cast

import "strconv"

// Object gives what is an object; nil for anything else.
func Object(v any) map[string]any { m, _ := v.(map[string]any); return m }

// List gives what is a list; nil for anything else.
func List(v any) []any { l, _ := v.([]any); return l }

// Text gives what is text; "" for anything else.
func Text(v any) string { s, _ := v.(string); return s }

// Int gives what is a whole number; 0 for anything else.
func Int(v any) int64 { n, _ := v.(int64); return n }

// Bool gives what is a boolean; false for anything else.
func Bool(v any) bool { b, _ := v.(bool); return b }

// Plain gives text, a number or a boolean as text; "" for anything else.
func Plain(v any) string {
	switch x := v.(type) {
	case string:
		return x
	case int64:
		return strconv.FormatInt(x, 10)
	case float64:
		return strconv.FormatFloat(x, 'f', -1, 64)
	case bool:
		return strconv.FormatBool(x)
	}
	return ""
}

// Texts gives the texts of a list, and passes over what is none.
func Texts(v any) []string {
	list := List(v)
	all := make([]string, 0, len(list))
	for _, one := range list {
		if s, ok := one.(string); ok {
			all = append(all, s)
		}
	}
	return all
}

// Objects gives the objects of a list, and passes over what is none.
func Objects(v any) []map[string]any {
	var all []map[string]any
	for _, one := range List(v) {
		if m, ok := one.(map[string]any); ok {
			all = append(all, m)
		}
	}
	return all
}

// Anys makes a list of one type one that a record can hold.
func Anys[T any](list []T) []any {
	all := make([]any, len(list))
	for i, one := range list {
		all[i] = one
	}
	return all
}
