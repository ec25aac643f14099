package specs

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"parity/specs/openapi"
)

// IssuesTokens tells whether an operation is where credentials are had and
// renewed: the token or refresh address of an OAuth 2.0 scheme of its contract,
// or a POST to what such addresses are mostly called.
// Source: RFC 6749, 3.2; RFC 8414, 2.
func (o *Operation) IssuesTokens() bool {
	if o.Method != http.MethodPost || strings.ContainsRune(o.Path, '{') {
		return false
	}
	for _, end := range []string{"/token", "/access_token", "/oauth.v2.access"} {
		if strings.HasSuffix(o.Path, end) {
			return true
		}
	}
	if o.parts == nil { // made by hand
		return false
	}
	return slices.Contains(o.contract.tokens(), o.Path)
}

// Renewable tells whether the operation's contract has another that issues
// tokens, so that a session that is over can be renewed.
func (o *Operation) Renewable() bool {
	return o.parts != nil && slices.ContainsFunc(o.contract.Operations, (*Operation).IssuesTokens)
}

// tokenPaths lists the paths of the token addresses that the document names.
func tokenPaths(api *openapi.API) []string {
	var paths []string
	for _, address := range api.TokenURLs() {
		if u, err := url.Parse(address); err == nil && u.Path != "" {
			paths = append(paths, u.EscapedPath())
		}
	}
	return paths
}
