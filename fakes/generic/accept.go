package generic

import (
	"strconv"
	"strings"

	"parity/specs/body"
	"parity/specs/openapi"
)

// success picks the reply for something that went well, in the content type
// that the client likes best.
func (c *call) success(wanted ...int) target {
	t := c.plan.success(wanted...)
	if t.of == nil || len(t.of.Content) < 2 {
		return t
	}
	if m := preferred(t.of, c.Header.Get("Accept")); m != nil {
		t.media = m
	}
	return t
}

// preferred gives the content type of a reply that has the best quality for a
// client; of equal ones the one that is usual. Nil where the client names none
// of them. Source: RFC 9110, section 12.5.1.
func preferred(r *openapi.Response, accept string) *openapi.Media {
	if accept == "" {
		return nil
	}
	var best *openapi.Media
	most, rank := 0.0, -1
	for i := range r.Content {
		m := &r.Content[i]
		q := quality(accept, body.Kind(m.Type))
		if n := rankOf(m.Type); q > most || q == most && q > 0 && n > rank {
			best, most, rank = m, q, n
		}
	}
	return best
}

// quality is how much a client likes a content type: what it says of that type
// itself goes before what it says of its family, and that before the rest.
func quality(accept, kind string) float64 {
	liked, exact := 0.0, -1
	for part := range strings.SplitSeq(accept, ",") {
		name, parameters, _ := strings.Cut(part, ";")
		name = strings.ToLower(strings.TrimSpace(name))
		family, all := strings.CutSuffix(name, "/*")
		depth := 2
		switch {
		case name == kind:
		case name == "*/*":
			depth = 0
		case all && strings.HasPrefix(kind, family+"/"):
			depth = 1
		default:
			continue
		}
		q := 1.0
		for parameter := range strings.SplitSeq(parameters, ";") {
			if text, ok := strings.CutPrefix(strings.TrimSpace(parameter), "q="); ok {
				if n, err := strconv.ParseFloat(text, 64); err == nil {
					q = n
				}
			}
		}
		if depth > exact {
			liked, exact = q, depth
		}
	}
	return liked
}
