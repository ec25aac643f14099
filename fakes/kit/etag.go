package kit

import "strings"

// Matches tells whether a list of entity tags, as If-Match and If-None-Match
// have it, has a tag among them, which is given without quotes. Weak ones count
// where only reading is at stake.
// Source: RFC 9110, 13.1.1 and 13.1.2.
func Matches(list, tag string, weak bool) bool {
	for one := range strings.SplitSeq(list, ",") {
		one = strings.TrimSpace(one)
		if weak {
			one = strings.TrimPrefix(one, "W/")
		}
		if one == "*" || strings.Trim(one, `"`) == tag && !strings.HasPrefix(one, "W/") {
			return true
		}
	}
	return false
}
