package sendgrid

import (
	"strings"

	"parity/fakes"
	"parity/fakes/kit"
)

// Identify reads the API key. One that is well formed is SG., an id, a dot and
// a secret; what follows SG. is not looked at closer.
func (f *Fake) Identify(p fakes.Credentials) (string, *fakes.Problem) {
	sent := kit.AuthorizationOf(p.Header)
	key := sent.Rest
	switch {
	case sent.Scheme == "":
		return "", &fakes.Problem{Kind: fakes.Unauthorised}
	case !sent.Is("Bearer") || key == "":
		return "", &fakes.Problem{Kind: fakes.Unauthorised, Message: wrongCredentials}
	case !strings.HasPrefix(key, "SG.") || len(key) < 5 || !kit.Wordlike(key, "._-"):
		return "", &fakes.Problem{Kind: fakes.Unauthorised, Message: unauthorised().problems[0].message}
	}
	return key, nil
}

// Texts of a 401.
const (
	wrongCredentials = "Permission denied, wrong credentials"
	noCredentials    = "authorization required"
)
