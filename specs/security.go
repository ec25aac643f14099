package specs

import (
	"encoding/base64"
	"net/http"
	"strings"

	"parity/specs/openapi"
)

// RuleSecurity is broken by a request that does not show who sends it.
const RuleSecurity = "security"

// Authenticate tells whether a request shows who sends it, in one of the ways
// that the contract names: whether a credential is there, and has the form that
// its scheme asks for. Whether it is the right one is not a contract's business.
// It gives nil where it does, and where the contract asks for none.
func (o *Operation) Authenticate(query string, header http.Header) *Violation {
	ways := o.source.Security()
	if len(ways) == 0 {
		return nil
	}
	var first *Violation
	for _, way := range ways {
		missing := o.missing(way, query, header)
		if missing == nil {
			return nil
		}
		if first == nil || first.Got == "" && missing.Got != "" { // one that was tried goes first
			first = missing
		}
	}
	return first
}

func (o *Operation) missing(way openapi.Requirement, query string, header http.Header) *Violation {
	for _, name := range way {
		scheme, ok := o.contract.api.Scheme(name)
		if !ok {
			continue // lint says so
		}
		if v := shown(scheme, query, header); v != nil {
			return v
		}
	}
	return nil
}

// shown tells what a request lacks of one scheme.
func shown(scheme openapi.Scheme, query string, header http.Header) *Violation {
	lacks := func(in, name, message string) *Violation {
		return &Violation{In: in, Pointer: Pointer(name), Rule: RuleSecurity, Message: message, Want: scheme.Type}
	}
	switch scheme.Type {
	case "apiKey":
		given := ""
		switch scheme.In {
		case inQuery:
			given = values(query).Get(scheme.Name)
		case inHeader:
			given = header.Get(scheme.Name)
		case inCookie:
			if cookie, err := (&http.Request{Header: header}).Cookie(scheme.Name); err == nil {
				given = cookie.Value
			}
		}
		if given == "" {
			return lacks(scheme.In, scheme.Name, "wants a credential here")
		}
	case "http", "oauth2", "openIdConnect":
		return authorization(scheme, header.Get("Authorization"), lacks)
	}
	return nil // mutual TLS, and what is not known
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
