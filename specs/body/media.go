package body

import (
	"mime"
	"strings"
)

// Kind gives a content type in lower case without its parameters, such as a
// charset; "" where it cannot be read.
func Kind(text string) string {
	if !strings.ContainsAny(text, "; ") && strings.ToLower(text) == text && strings.Count(text, "/") < 2 {
		return text
	}
	kind, _, _ := mime.ParseMediaType(text) // a parameter that cannot be read does not matter
	return kind
}

// IsJSON tells whether a kind of body is JSON, or one of its family.
func IsJSON(kind string) bool {
	return kind == "application/json" || strings.HasSuffix(kind, "+json") || kind == "text/json"
}

// IsXML tells whether a kind of body is XML, or one of its family.
func IsXML(kind string) bool {
	return kind == "application/xml" || kind == "text/xml" || strings.HasSuffix(kind, "+xml")
}

// IsForm tells whether a kind of body is a form, which is not one in parts.
func IsForm(kind string) bool { return kind == "application/x-www-form-urlencoded" }

// fits tells whether a kind is one of those that a list with commas, which may
// have patterns (image/*), names.
func fits(list, kind string) bool {
	for pattern := range strings.SplitSeq(list, ",") {
		pattern = Kind(strings.TrimSpace(pattern))
		family, isPattern := strings.CutSuffix(pattern, "/*")
		if pattern == kind || pattern == "*/*" || isPattern && strings.HasPrefix(kind, family+"/") || IsJSON(pattern) && IsJSON(kind) {
			return true
		}
	}
	return false
}
