package sendgrid

import (
	"strings"

	"parity/fakes"
)

// Identify reads the API key. One that is well formed is SG., an id, a dot and
// a secret; what follows SG. is not looked at closer.
func (f *Fake) Identify(p fakes.Presented) (string, *fakes.Trouble) {
	scheme, key, _ := strings.Cut(strings.TrimSpace(p.Header.Get("Authorization")), " ")
	key = strings.TrimSpace(key)
	switch {
	case scheme == "":
		return "", &fakes.Trouble{Kind: fakes.Unauthorised}
	case !strings.EqualFold(scheme, "Bearer") || key == "":
		return "", &fakes.Trouble{Kind: fakes.Unauthorised, Message: wrongCredentials}
	case !strings.HasPrefix(key, "SG.") || len(key) < 5 || strings.IndexFunc(key, notKeyRune) >= 0:
		return "", &fakes.Trouble{Kind: fakes.Unauthorised, Message: unauthorised().problems[0].message}
	}
	return key, nil
}

// Texts of a 401.
const (
	wrongCredentials = "Permission denied, wrong credentials"
	noCredentials    = "authorization required"
)

func notKeyRune(r rune) bool {
	return (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && r != '.' && r != '_' && r != '-'
}
