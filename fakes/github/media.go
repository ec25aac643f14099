package github

import (
	"strings"
)

// media is what a client asks for in Accept.
type media struct {
	param string // raw, html, diff, patch, sha, object, full, text, or the name of a preview
	given string // as GitHub shows it
}

// mediaOf reads an Accept header: application/vnd.github.v3.raw+json and its
// like. Both orders of version and parameter are taken.
// Source: docs.github.com/rest/using-the-rest-api/getting-started-with-the-rest-api#media-types.
func mediaOf(accept string) media {
	for one := range strings.SplitSeq(accept, ",") {
		kind, _, _ := strings.Cut(strings.TrimSpace(one), ";")
		rest, ours := strings.CutPrefix(strings.ToLower(kind), "application/vnd.github")
		if !ours {
			continue
		}
		m := media{given: "github.v3"}
		rest, format, _ := strings.Cut(rest, "+")
		for part := range strings.SplitSeq(strings.Trim(rest, "."), ".") {
			switch part {
			case "", "v3", "v4":
			case "beta":
				m.given = "github.beta"
			default:
				m.param = strings.TrimSuffix(part, "-json")
			}
		}
		if m.param != "" {
			m.given += "; param=" + m.param
		}
		if format != "" {
			m.given += "; format=" + format
		}
		return m
	}
	return media{}
}

func (m media) shown() string {
	if m.given == "" {
		return "github.v3; format=json"
	}
	return m.given
}
