package body

import (
	"mime"
	"strings"
)

// kindOnly gives a content type in lower case without its parameters; "" where
// it cannot be read.
func kindOnly(text string) string {
	if !strings.ContainsAny(text, "; ") && strings.ToLower(text) == text {
		return text
	}
	kind, _, _ := mime.ParseMediaType(text) // a parameter that cannot be read does not matter
	return kind
}

func isJSON(kind string) bool {
	return kind == "application/json" || strings.HasSuffix(kind, "+json") || kind == "text/json"
}

func isXML(kind string) bool {
	return kind == "application/xml" || kind == "text/xml" || strings.HasSuffix(kind, "+xml")
}

func isForm(kind string) bool { return kind == "application/x-www-form-urlencoded" }

// fits tells whether a kind is one of those that a list with commas, which may
// have patterns (image/*), names.
func fits(list, kind string) bool {
	for pattern := range strings.SplitSeq(list, ",") {
		pattern = kindOnly(strings.TrimSpace(pattern))
		family, isPattern := strings.CutSuffix(pattern, "/*")
		if pattern == kind || pattern == "*/*" || isPattern && strings.HasPrefix(kind, family+"/") || isJSON(pattern) && isJSON(kind) {
			return true
		}
	}
	return false
}
