package generic

import (
	"net/http"
	"slices"
	"strings"

	"parity/fakes"
	"parity/fakes/kit"
	"parity/specs"
	"parity/specs/openapi"
)

const noCredential = "No credential was sent, or not where and how this service wants it."

// secured tells whether an operation wants a credential.
func (f *Fake) secured(source *openapi.Operation) bool {
	ways := source.Security()
	if len(ways) == 0 {
		return false
	}
	for _, way := range ways {
		if len(way) == 0 || !f.checkable(way) {
			return false // anybody may, or nothing can be seen of it here
		}
	}
	return true
}

func (f *Fake) checkable(way openapi.Requirement) bool {
	for _, name := range way {
		if s, ok := f.api.Scheme(name); ok && s.Type != "mutualTLS" {
			return true
		}
	}
	return false
}

// scheme takes note of the ways in which an operation is shown who calls.
func (f *Fake) scheme(source *openapi.Operation) {
	for _, way := range f.waysOf(source) {
		if !slices.Contains(f.ways, way) {
			f.ways = append(f.ways, way)
		}
	}
	for _, way := range source.Security() {
		for _, name := range way {
			if s, ok := f.api.Scheme(name); ok && !slices.Contains(f.schemes, s) {
				f.schemes = append(f.schemes, s)
			}
		}
	}
}

// Identify reads whatever credential there is. It turns a caller away where all
// operations want one; where only some do, Answer does.
func (f *Fake) Identify(p fakes.Credentials) (string, *fakes.Problem) {
	credential := f.credential(p.Header, p.Query)
	if credential == "" && f.guarded {
		return "", &fakes.Problem{Kind: fakes.Unauthorised, Message: wanted(f.ways)}
	}
	return credential, nil
}

// credential gives the first that any operation would take.
func (f *Fake) credential(header http.Header, query map[string]any) string {
	if sent := kit.AuthorizationOf(header); sent.Rest != "" {
		return sent.Rest
	} else if sent.Scheme != "" {
		return sent.Scheme
	}
	for _, s := range f.schemes {
		if found := specs.KeyOf(s, query, header); s.Type == "apiKey" && found != "" {
			return found
		}
	}
	return ""
}

// presents refuses a call without the credential that its operation wants.
func (c *call) presents() *refusal {
	if !c.plan.asks || c.Preauthenticated || c.Identity == fakes.Fixture || c.Operation.Authenticate(c.Input.Query, c.Header) == nil {
		return nil
	}
	return &refusal{
		status: http.StatusUnauthorized, code: "unauthorized", message: wanted(c.fake.waysOf(c.plan.source)),
		header: http.Header{"Www-Authenticate": {c.fake.challenge()}},
	}
}

// challenge is what a 401 says that it wants.
func (f *Fake) challenge() string {
	for _, s := range f.schemes {
		if s.Type == "http" && s.Scheme == "basic" {
			return `Basic realm="` + f.service + `"`
		}
	}
	return "Bearer"
}

// waysOf words the ways in which an operation may be shown who calls.
func (f *Fake) waysOf(source *openapi.Operation) []string {
	var ways []string
	for _, way := range source.Security() {
		var parts []string
		for _, name := range way {
			if s, ok := f.api.Scheme(name); ok && s.Type != "mutualTLS" {
				parts = append(parts, place(s))
			}
		}
		if text := strings.Join(parts, " with "); text != "" && !slices.Contains(ways, text) {
			ways = append(ways, text)
		}
	}
	return ways
}

// place is where a scheme wants its credential, as a client would write it.
func place(s openapi.Scheme) string {
	switch {
	case s.Type == "apiKey" && s.In == "query":
		return "?" + s.Name + "=…"
	case s.Type == "apiKey" && s.In == "cookie":
		return "Cookie: " + s.Name + "=…"
	case s.Type == "apiKey":
		return s.Name + ": …"
	case s.Type == "http" && s.Scheme != "":
		return "Authorization: " + strings.ToUpper(s.Scheme[:1]) + s.Scheme[1:] + " …"
	}
	return "Authorization: Bearer …"
}

// wanted says that no credential was found, and the first ways to show one.
func wanted(ways []string) string {
	const most = 3
	if len(ways) == 0 {
		return noCredential
	}
	return noCredential + " Wanted: " + strings.Join(ways[:min(len(ways), most)], ", or ")
}
