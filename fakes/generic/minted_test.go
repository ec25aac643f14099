package generic_test

import (
	"encoding/base64"
	"net/http"
	"strings"
	"testing"

	"parity/fakes"
)

// A contract that wants Basic was minted a token, which no client could show it.
func TestMintedCredentialsAreWhatTheContractWants(t *testing.T) {
	t.Parallel()
	const paths = "paths: {/notes: {get: {operationId: list, responses: {'200': {description: ok}}}}}\n"
	for scheme, show := range map[string]func(string) http.Header{
		"{type: http, scheme: basic}": func(v string) http.Header {
			return http.Header{"Authorization": {"Basic " + base64.StdEncoding.EncodeToString([]byte(v))}}
		},
		"{type: http, scheme: bearer}":            func(v string) http.Header { return http.Header{"Authorization": {"Bearer " + v}} },
		"{type: apiKey, in: header, name: X-Key}": func(v string) http.Header { return http.Header{"X-Key": {v}} },
	} {
		s := play(t, "security: [{it: []}]\n"+paths+"components: {securitySchemes: {it: "+scheme+"}}\n").service
		value := s.Fake.(fakes.Minter).Mint(func(n int) string { return strings.Repeat("a", n) })
		if strings.Contains(value, ":") != strings.Contains(scheme, "basic") || !strings.HasPrefix(value, fakes.MintedMark) {
			t.Errorf("%s: %s", scheme, value)
		}
		if got, trouble := s.Fake.(fakes.Identifier).Identify(fakes.Credentials{Header: show(value)}); got == "" || trouble != nil {
			t.Errorf("%s: %q, %v", scheme, got, trouble)
		}
	}
}
