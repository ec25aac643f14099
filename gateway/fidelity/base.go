package fidelity

import (
	"encoding/json"
	"maps"
	"net/url"
	"slices"
	"strings"

	"parity/fakes/recording"
)

// based is what links in the replies of a service begin with: what stands before the
// path of the very call in a reply to it, most often; else the host that was asked,
// which a proxy may stand before. "": neither is known.
func based(all []recording.Exchange) string {
	seen, asked := map[string]int{}, ""
	for i := range all {
		u, err := url.Parse(all[i].Request.URL)
		if err != nil || u.Host == "" {
			continue
		}
		if asked == "" {
			asked = u.Scheme + "://" + u.Host
		}
		var body any
		if path := u.EscapedPath(); len(path) > 1 && json.Unmarshal([]byte(all[i].Response.Body), &body) == nil {
			for base := range linked(body, path) {
				seen[base]++
			}
		}
	}
	bases := slices.Sorted(maps.Keys(seen))
	slices.SortStableFunc(bases, func(a, b string) int { return seen[b] - seen[a] })
	if len(bases) > 0 && seen[asked] == 0 {
		return bases[0]
	}
	return asked
}

// linked are the bases of the links in a value that lead to a path.
func linked(value any, path string) map[string]bool {
	found := map[string]bool{}
	var in func(v any)
	in = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			for _, inner := range v {
				in(inner)
			}
		case []any:
			for _, inner := range v {
				in(inner)
			}
		case string:
			base, is := strings.CutSuffix(v, path)
			if u, err := url.Parse(base); is && err == nil && u.Host != "" && u.RawQuery == "" {
				found[base] = true
			}
		}
	}
	in(value)
	return found
}
