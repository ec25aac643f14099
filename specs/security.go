package specs

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"parity/specs/openapi"
	"parity/specs/schema"
	"parity/specs/words"
)

// RuleSecurity is broken by a request that does not show who sends it.
const RuleSecurity = "security"

// Authenticate tells whether a request shows who sends it, in one of the ways
// that the contract names: whether a credential is there, and has the form that
// its scheme asks for. Whether it is the right one is not a contract's business.
// It gives nil where it does, and where the contract asks for none. The query is
// as Read decoded it.
func (o *Operation) Authenticate(query map[string]any, header http.Header) *Violation {
	var first *Violation
	for _, way := range o.read().ways {
		missing := missing(way, query, header)
		if missing == nil {
			return nil
		}
		if first == nil || first.Got == "" && missing.Got != "" { // one that was tried goes first
			first = missing
		}
	}
	if first != nil && (o.contract.schemas.lenient && keyByName(o.ways, header.Get("Authorization")) || o.Admits()) {
		return nil
	}
	return first
}

// keyByName tells whether a key is shown as the name of Basic, with no password,
// where a bearer is wanted: many services take either, and their documents tell one.
func keyByName(ways [][]openapi.Scheme, given string) bool {
	kind, credential, _ := strings.Cut(strings.TrimSpace(given), " ")
	decoded, err := base64.StdEncoding.DecodeString(strings.TrimSpace(credential))
	if name, password, _ := strings.Cut(string(decoded), ":"); err != nil || !strings.EqualFold(kind, "basic") || name == "" || password != "" {
		return false
	}
	return slices.ContainsFunc(ways, func(way []openapi.Scheme) bool {
		return len(way) == 1 && way[0].Type == "http" && strings.EqualFold(way[0].Scheme, "bearer")
	})
}

// Admits tells whether an operation gives a credential to who shows a secret in
// its body. Nobody has the credential before, though a document that asks for it
// everywhere makes no exception here.
func (o *Operation) Admits() bool {
	if !o.contract.schemas.lenient || o.Method != http.MethodPost || o.source.Node.Get("security") != nil {
		return false
	}
	path := strings.ToLower(o.Path)
	if !slices.ContainsFunc([]string{"token", "auth", "login", "signin", "sign-in", "session", "jwt"}, func(word string) bool { return strings.Contains(path, word) }) {
		return false
	}
	o.read()
	shows := slices.ContainsFunc(o.bodies, func(m media) bool {
		return hasAny(m, "password", "secret", "secretkey", "clientsecret", "apisecret", "refresh", "refreshtoken", "granttype", "otp")
	})
	gives := false
	for status, kinds := range o.replies {
		gives = gives || strings.HasPrefix(status, "2") && slices.ContainsFunc(kinds, func(m media) bool {
			return hasAny(m, "access", "accesstoken", "token", "jwt", "idtoken", "authtoken", "sessiontoken", "bearertoken")
		})
	}
	return shows && gives
}

// hasAny tells whether a body has a field of one of these names.
func hasAny(m media, names ...string) bool {
	return slices.ContainsFunc(m.source.Schema.View().Properties, func(p schema.Property) bool {
		return slices.Contains(names, words.Bare(p.Name))
	})
}

// waysOf gives the schemes of each way in which an operation may be allowed. One
// that the document does not have asks for nothing.
func waysOf(o *openapi.Operation) [][]openapi.Scheme {
	var ways [][]openapi.Scheme
	for _, way := range o.Security() {
		schemes := make([]openapi.Scheme, 0, len(way))
		for _, name := range way {
			if scheme, ok := o.API().Scheme(name); ok {
				schemes = append(schemes, scheme)
			}
		}
		ways = append(ways, schemes)
	}
	return ways
}

func missing(way []openapi.Scheme, query map[string]any, header http.Header) *Violation {
	for _, scheme := range way {
		if v := shown(scheme, query, header); v != nil {
			return v
		}
	}
	return nil
}

// shown tells what a request lacks of one scheme.
func shown(scheme openapi.Scheme, query map[string]any, header http.Header) *Violation {
	lacks := func(in, name, message string) *Violation {
		return &Violation{In: in, Pointer: Pointer(name), Rule: RuleSecurity, Message: message, Want: scheme.Type}
	}
	switch scheme.Type {
	case "apiKey":
		if KeyOf(scheme, query, header) == "" {
			return lacks(scheme.In, scheme.Name, "wants a credential here")
		}
	case "http", "oauth2", "openIdConnect":
		return authorization(scheme, header.Get("Authorization"), lacks)
	}
	return nil // mutual TLS, and what is not known
}

// KeyOf gives the API key that a request shows by a scheme of type apiKey; ""
// where it shows none. The query is as Read decoded it.
func KeyOf(scheme openapi.Scheme, query map[string]any, header http.Header) string {
	switch scheme.In {
	case inQuery:
		switch value := query[scheme.Name].(type) {
		case string:
			return value
		case bool, int64, float64: // a parameter that is declared as one
			return fmt.Sprint(value)
		}
	case inHeader:
		return strings.TrimSpace(header.Get(scheme.Name))
	case inCookie:
		if cookie, err := (&http.Request{Header: header}).Cookie(scheme.Name); err == nil {
			return cookie.Value
		}
	}
	return ""
}

func authorization(scheme openapi.Scheme, given string, lacks func(in, name, message string) *Violation) *Violation {
	want := "bearer"
	if scheme.Type == "http" && scheme.Scheme != "" {
		want = scheme.Scheme
	}
	kind, credential, _ := strings.Cut(strings.TrimSpace(given), " ")
	if given == "" {
		return lacks(inHeader, "Authorization", "wants a credential: Authorization: "+strings.ToUpper(want[:1])+want[1:]+" …")
	}
	v := lacks(inHeader, "Authorization", "")
	v.Got = shorten(kind) // never the credential
	switch {
	case !strings.EqualFold(kind, want) && scheme.Type == "http":
		v.Message = "wants a credential of the scheme " + want
	case strings.TrimSpace(credential) == "" && scheme.Type == "http":
		v.Message = "wants a credential after the scheme"
	case want == "basic" && !isBasic(credential):
		v.Message = "wants a name and a password, joined by a colon, in base64"
	default:
		return nil
	}
	return v
}

func isBasic(credential string) bool {
	decoded, err := base64.StdEncoding.DecodeString(strings.TrimSpace(credential))
	return err == nil && strings.Contains(string(decoded), ":")
}

// Ways gives the schemes of each way in which the contract lets a caller show who
// it is, in the order of the document. It is empty where the contract asks nobody.
func (o *Operation) Ways() [][]openapi.Scheme { return o.read().ways }
