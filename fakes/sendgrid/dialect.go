package sendgrid

import (
	"net/http"
	"strings"

	"parity/fakes"
	"parity/fakes/kit"
	"parity/specs"
	"parity/specs/words"
)

// mailPath is answered by another part of SendGrid than the rest.
const mailPath = "/v3/mail/send"

// Word puts what the gateway has to say into SendGrid's own error shapes.
func (f *Fake) Render(t fakes.Problem) fakes.Reply {
	mailing := strings.HasSuffix(t.Path, mailPath)
	r := worded(t, mailing)
	if t.Status != 0 {
		r.status = t.Status
	}
	if t.Message != "" && len(r.problems) > 0 {
		r.problems[0].message = t.Message
	}
	reply := r.reply(mailing)
	if after := t.After(); after != "" {
		reply.Header.Set("Retry-After", after)
	}
	if t.Kind == fakes.RateLimited {
		reply.Header.Set("X-Ratelimit-Limit", "600")
		reply.Header.Set("X-Ratelimit-Remaining", "0")
	}
	return reply
}

// worded is the error of each kind of trouble as SendGrid itself would send it.
func worded(t fakes.Problem, mailing bool) *refusal {
	switch t.Kind {
	case fakes.BadRequest:
		return violated(t.Violations, mailing)
	case fakes.NoOperation:
		return notFound()
	case fakes.NoMethod:
		if mailing {
			return refuse(http.StatusMethodNotAllowed, "", "POST method allowed only")
		}
		return refuse(http.StatusMethodNotAllowed, "", "method not allowed")
	case fakes.Unauthorised:
		if mailing {
			return refuse(http.StatusUnauthorized, "", wrongCredentials)
		}
		return refuse(http.StatusUnauthorized, "", noCredentials)
	case fakes.RateLimited:
		return tooMany()
	case fakes.TooLarge:
		return refuse(http.StatusRequestEntityTooLarge, "", "Request entity too large")
	case fakes.Forbidden: // github.com/sendgrid/sendgrid-php/issues/263
		return broken(http.StatusForbidden)
	}
	if r := stopped(t.Kind); r != nil {
		return r
	}
	return broken(t.Status)
}

// stopped words what was good, and is not any more; nil for other trouble.
// SendGrid has no idempotency keys and no locks; the words of a conflict, of a
// page token and of a retired path are made up.
// Source: github.com/sendgrid/sendgrid-nodejs/issues/1032 for the credits: 401.
func stopped(kind fakes.ProblemKind) *refusal {
	switch kind {
	case fakes.SessionExpired, fakes.Revoked: // one text for both
		return unauthorised()
	case fakes.CursorExpired:
		return invalid("page_token", "invalid page token")
	case fakes.KeyInFlight, fakes.KeyReused, fakes.Locked:
		return broken(http.StatusConflict)
	case fakes.OverQuota:
		return refuse(http.StatusUnauthorized, "", "Maximum credits exceeded")
	case fakes.Retired:
		return broken(http.StatusGone)
	}
	return nil
}

// broken is a failure of the service.
func broken(status int) *refusal {
	switch {
	case status == 0:
		status = http.StatusInternalServerError
	case status == http.StatusUnauthorized:
		return unauthorised()
	case status == http.StatusForbidden:
		return refuse(status, "", "access forbidden")
	case status == http.StatusNotFound:
		return notFound()
	case status == http.StatusTooManyRequests:
		return tooMany()
	}
	message := strings.ToLower(http.StatusText(status))
	if status == http.StatusInternalServerError {
		message = "internal server error"
	}
	if message == "" {
		message = "error"
	}
	return refuse(status, "", message)
}

// violated words what breaks the contract.
func violated(all []specs.Violation, mailing bool) *refusal {
	r := &refusal{status: http.StatusBadRequest}
	for _, v := range all {
		switch v.Rule {
		case specs.RuleContentType:
			return refuse(http.StatusUnsupportedMediaType, "", "Content-Type should be application/json.")
		case specs.RuleSyntax, specs.RuleSize:
			if mailing {
				return invalid("", "Bad Request")
			}
			return invalid("", "invalid JSON")
		}
		if mailing && v.Rule != specs.RuleFormat {
			return invalid("", "Bad Request")
		}
		r.problems = append(r.problems, violation(v))
	}
	if len(r.problems) == 0 {
		return invalid("", "Bad Request")
	}
	return r
}

func violation(v specs.Violation) problem {
	field := kit.Clip(strings.Join(specs.PointerNames(v.Pointer), "."))
	p := problem{field: field, message: v.Message}
	switch v.Rule {
	case specs.RuleRequired:
		p.message = field + " is required"
		if field == "" {
			p.message = "missing body"
		}
	case specs.RuleType:
		p.message = field + " must be " + words.A(v.Want)
	case specs.RuleEnum:
		p.message = field + " must be one of " + v.Want
	case "maxLength":
		p.message = field + " must be at most " + v.Want + " characters"
	case "minimum", "maximum":
		p.message = field + " is out of range"
	}
	return p
}
