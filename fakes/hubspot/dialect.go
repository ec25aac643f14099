package hubspot

import (
	"fmt"
	"net/http"
	"strings"
	"time"

	"parity/fakes"
	"parity/fakes/kit"
	"parity/specs"
)

// Word puts into HubSpot's words what the gateway has to say.
func (f *Fake) Render(t fakes.Problem) fakes.Reply {
	id := correlationOf(t.RequestID)
	header := kit.Headers("X-Hubspot-Correlation-Id", id)
	legacy := legacyPath(t.Path)
	r := worded(t, legacy)
	if t.Status != 0 {
		r.status = t.Status
	}
	if t.Message != "" {
		r.message = t.Message
	}
	if t.Code != "" {
		r.category = t.Code
	}
	if after := t.After(); after != "" {
		header.Set("Retry-After", after)
	}
	return r.reply(header, id, strings.ReplaceAll(id, "-", ""), legacy)
}

func worded(t fakes.Problem, legacy bool) *refusal {
	switch t.Kind {
	case fakes.BadRequest:
		return violated(t.Violations)
	case fakes.NoOperation:
		return gone()
	case fakes.NoMethod:
		if legacy {
			return &refusal{status: http.StatusMethodNotAllowed, bare: true}
		}
		return &refusal{status: http.StatusMethodNotAllowed, message: "HTTP 405 Method Not Allowed"}
	case fakes.Unauthorised:
		if strings.HasPrefix(t.Path, "/content/") {
			return &refusal{status: http.StatusUnauthorized, message: notAuthorised, extra: map[string]any{"succeeded": false}}
		}
		return &refusal{status: http.StatusUnauthorized, category: "INVALID_AUTHENTICATION", message: noCredentials}
	case fakes.RateLimited:
		if strings.HasSuffix(t.Path, "/search") {
			return limited(secondly)
		}
		return limited(tenSecondly)
	case fakes.TooLarge:
		return &refusal{status: http.StatusRequestEntityTooLarge, message: "Request entity is too large"}
	case fakes.Forbidden: // github.com/HubSpot/hubspot-api-nodejs/issues/268; which scopes it would need is not known here
		return &refusal{status: http.StatusForbidden, category: missingScopes, message: lacksScopes, links: map[string]any{"scopes": scopesPage}}
	}
	if r := stopped(t); r != nil {
		return r
	}
	status := t.Status
	if status == 0 {
		status = http.StatusInternalServerError
	}
	return &refusal{status: status, message: brokenWords(status)}
}

// stopped words what was good, and is not any more; nil for other trouble.
// HubSpot has no idempotency keys; that an API was sunset is in words of ours.
// Source: developers.hubspot.com/docs/api-reference/error-handling, 423 and 429.
func stopped(t fakes.Problem) *refusal {
	switch t.Kind {
	case fakes.Revoked: // as of a token that never was
		return &refusal{status: http.StatusUnauthorized, category: "INVALID_AUTHENTICATION", message: noCredentials}
	case fakes.SessionExpired:
		return expired(t.Now.Add(-time.Minute), t.Now)
	case fakes.CursorExpired:
		return invalid("Invalid after parameter: %s", kit.Clip(t.Asked("after")))
	case fakes.KeyInFlight, fakes.KeyReused:
		return &refusal{status: http.StatusConflict, category: conflictCategory, message: "conflict"}
	case fakes.Locked:
		return &refusal{status: http.StatusLocked, message: "The resource is locked"}
	case fakes.OverQuota:
		return limited(daily)
	case fakes.Retired:
		return &refusal{status: http.StatusGone, message: "This API has been sunset"}
	}
	return nil
}

func brokenWords(status int) string {
	switch status {
	case http.StatusInternalServerError:
		return "internal error"
	case http.StatusUnauthorized:
		return noCredentials
	}
	return strings.ToLower(http.StatusText(status))
}

// violated words the first violation of the contract, as the Java of the
// service does. Columns are not counted.
func violated(all []specs.Violation) *refusal {
	var absent []string
	for _, v := range all {
		if names := specs.PointerNames(v.Pointer); v.Rule == specs.RuleRequired && len(names) > 0 && v.In == "body" {
			absent = append(absent, names[len(names)-1])
		}
	}
	if len(all) == 0 {
		return invalid("The request is not valid")
	}
	switch v := all[0]; {
	case v.Rule == specs.RuleContentType:
		return &refusal{status: http.StatusUnsupportedMediaType, message: "HTTP 415 Unsupported Media Type"}
	case v.In == "query":
		return misread(v)
	case len(absent) > 0 && absent[0] != "":
		return unset(absent...)
	case v.Rule == specs.RuleRequired:
		return &refusal{status: http.StatusBadRequest, message: "Invalid input JSON on line 1, column 1: No content to map due to end-of-input"}
	case v.Rule == specs.RuleSyntax:
		return &refusal{status: http.StatusBadRequest, message: "Invalid input JSON on line 1, column 1: " + kit.Clip(v.Message)}
	case v.Rule == specs.RuleType, v.Rule == "oneOf":
		return badInput(": Cannot deserialize value of type `%s` from %s", javaType(v.Want), javaToken(v.Got))
	case v.Rule == specs.RuleEnum:
		return badInput(": Cannot deserialize value of type `%s` from String %s: not one of the values accepted for Enum class: [%s]",
			"com.hubspot.inbounddb.properties.Enum", v.Got, v.Want)
	default:
		return badInput(": %s", kit.Clip(v.Message))
	}
}

// misread words a query parameter that is of another type.
func misread(v specs.Violation) *refusal {
	parameter := strings.Join(specs.PointerNames(v.Pointer), ".")
	got := strings.Trim(v.Got, `"`)
	r := invalid("Invalid value for parameter %s: %s", parameter, kit.Clip(got))
	r.context = map[string]any{"parameter": []any{parameter}}
	return r
}

func javaType(want string) string {
	switch {
	case strings.Contains(want, "array"):
		return "java.util.ArrayList"
	case strings.Contains(want, "object"):
		return "java.util.LinkedHashMap"
	case strings.Contains(want, "integer"):
		return "java.lang.Integer"
	case strings.Contains(want, "boolean"):
		return "java.lang.Boolean"
	}
	return "java.lang.String"
}

func javaToken(got string) string {
	switch {
	case got == "an object", strings.HasPrefix(got, "{"):
		return "Object value (token `JsonToken.START_OBJECT`)"
	case got == "an array", strings.HasPrefix(got, "["):
		return "Array value (token `JsonToken.START_ARRAY`)"
	case strings.HasPrefix(got, `"`):
		return "String " + got
	}
	return fmt.Sprintf("token %s", kit.Clip(got))
}

// correlationOf makes a UUID of a request's id.
func correlationOf(request string) string {
	clean := strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return -1
	}, request)
	return uuidOf((clean + "0123456789abcdefghijklmn")[:24])
}
