package github

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"parity/fakes"
	"parity/fakes/kit"
	"parity/specs"
)

// Texts of GitHub's limits. plugin-throttling tells the second kind by the
// words "secondary rate".
const (
	limitDocs      = "https://docs.github.com/rest/overview/resources-in-the-rest-api#rate-limiting"
	secondaryLimit = "You have exceeded a secondary rate limit. Please wait a few minutes before you try again. If you reach out to GitHub Support for help, please include the request ID %s."
	secondaryDocs  = "https://docs.github.com/rest/overview/rate-limits-for-the-rest-api#about-secondary-rate-limits"
)

// Word puts what the gateway has to say into GitHub's own error shape.
func (f *Fake) Render(t fakes.Problem) fakes.Reply {
	r := f.worded(t)
	if t.Status != 0 {
		r.status = t.Status
	}
	if t.Message != "" {
		r.message = t.Message
	}
	header := kit.Headers(
		"X-Github-Request-Id", requestID(t.RequestID),
		"X-Github-Media-Type", mediaOf(t.Header.Get("Accept")).shown(),
		"Access-Control-Expose-Headers", exposed,
		"Retry-After", retryAfter(t),
		"Content-Type", "application/json; charset=utf-8",
	)
	if ofGit(t.Path) {
		return toGit(r, header)
	}
	if t.Message == wantsAgent {
		header.Set("Content-Type", "text/html")
		return fakes.Reply{Status: r.status, Header: header, Body: []byte("\r\n" + wantsAgent + "\r\n")}
	}
	quotaHeaders(t, header)
	if t.Kind != fakes.Unauthorised && t.Kind != fakes.SessionExpired && t.Kind != fakes.Revoked {
		header.Set("X-Accepted-Oauth-Scopes", "public_repo, repo")
	}
	return kit.ValueReply(r.status, header, r.body(f.docsOf(t)))
}

func (f *Fake) docsOf(t fakes.Problem) string {
	if m := f.contract.Match(t.Method, t.Path); m.Operation != nil && (t.Kind == fakes.BadRequest || t.Kind == fakes.Forbidden) {
		if at := f.docs[base(m.Operation.ID)]; at != "" {
			return at
		}
	}
	return docsRoot
}

// worded is the error of each kind of trouble as GitHub itself would send it.
func (f *Fake) worded(t fakes.Problem) *refusal {
	switch t.Kind {
	case fakes.BadRequest:
		return f.violated(t)
	case fakes.NoOperation, fakes.NoMethod: // a path that has other methods is as unknown as any
		return notFound()
	case fakes.Unauthorised:
		return refusing(http.StatusUnauthorized, badCredentials)
	case fakes.RateLimited:
		r := refusing(http.StatusForbidden, secondaryLimit, requestID(t.RequestID))
		r.docs = secondaryDocs
		return r
	case fakes.TooLarge:
		return refusing(http.StatusRequestEntityTooLarge, "Request Entity Too Large")
	case fakes.Forbidden:
		return refusing(http.StatusForbidden, "%s", inaccessible(t.Header))
	}
	if r := stopped(t); r != nil {
		return r
	}
	return broken(t)
}

// stopped words what was good, and is not any more; nil for other trouble.
// GitHub has no idempotency keys, and pages by number: what it says of those is
// what it says of other conflicts and of queries that it cannot answer.
func stopped(t fakes.Problem) *refusal {
	switch t.Kind {
	case fakes.SessionExpired, fakes.Revoked: // one text for all that is no token, or none any more
		return refusing(http.StatusUnauthorized, badCredentials)
	case fakes.CursorExpired:
		return failed(wrong("Query", "page", codeInvalid))
	case fakes.KeyInFlight, fakes.KeyReused:
		return refusing(http.StatusConflict, "Conflict")
	case fakes.Locked:
		return refusing(http.StatusLocked, "Locked")
	case fakes.OverQuota:
		return hourUsedUp()
	case fakes.Retired:
		return refusing(http.StatusGone, "This API endpoint has been removed.")
	}
	return nil
}

// inaccessible is what GitHub says of a right that a token lacks: of an app's, or
// a person's.
// Source: docs.github.com/rest/using-the-rest-api/troubleshooting-the-rest-api#resource-not-accessible.
func inaccessible(h http.Header) string {
	if token := tokenIn(kit.AuthorizationOf(h)); strings.HasPrefix(token, "ghs_") || signed(token) {
		return noIntegration
	}
	return noScopes
}

func hourUsedUp() *refusal {
	r := refusing(http.StatusForbidden, "API rate limit exceeded for user ID %d.", 583231)
	r.docs = limitDocs
	return r
}

// quotaHeaders tell what is left of the hour: nothing when that is what is
// refused for; else nearly all, since of a secondary limit they do not tell.
// How much the caller has really used, only a call's own reply says.
func quotaHeaders(t fakes.Problem, header http.Header) {
	if t.Kind != fakes.OverQuota && t.Kind != fakes.RateLimited {
		return
	}
	left, back := callsAnHour-1, t.Now.Add(time.Hour)
	if t.Kind == fakes.OverQuota {
		left = 0
		if t.RetryAfter > 0 {
			back = t.Now.Add(t.RetryAfter)
		}
		if !t.RetryDate.IsZero() {
			back = t.RetryDate
		}
	}
	for name, value := range map[string]int{"Limit": callsAnHour, "Remaining": left, "Used": callsAnHour - left} {
		header.Set("X-Ratelimit-"+name, strconv.Itoa(value))
	}
	header.Set("X-Ratelimit-Resource", "core")
	if back.Unix() > 0 && back.Year() > 1970 { // else nobody said when it is
		header.Set("X-Ratelimit-Reset", strconv.FormatInt(back.Unix(), 10))
	}
}

func broken(t fakes.Problem) *refusal {
	switch t.Status {
	case 0, http.StatusInternalServerError:
		return refusing(http.StatusInternalServerError, "Server Error")
	case http.StatusBadGateway:
		return refusing(t.Status, "Server Error")
	case http.StatusServiceUnavailable:
		return refusing(t.Status, "Service unavailable. Sorry about that. Please try refreshing and contact us if the problem persists.")
	case http.StatusGatewayTimeout:
		return refusing(t.Status, "We couldn't respond to your request in time. Sorry about that. Please try resubmitting your request and contact us if the problem persists.")
	case http.StatusForbidden:
		return refusing(t.Status, noScopes)
	case http.StatusTooManyRequests:
		r := refusing(t.Status, secondaryLimit, requestID(t.RequestID))
		r.docs = secondaryDocs
		return r
	}
	return refusing(t.Status, "%s", http.StatusText(t.Status))
}

// violated words violations of the contract: what is no JSON is a 400, what is
// JSON of another shape a 422 in the words of a JSON Schema validator.
func (f *Fake) violated(t fakes.Problem) *refusal {
	var missing []string
	for _, v := range t.Violations {
		switch {
		case v.In == "path": // a number that is none leads nowhere
			return notFound()
		case v.Rule == specs.RuleSyntax || v.Rule == specs.RuleContentType:
			return refusing(http.StatusBadRequest, "Problems parsing JSON")
		case v.In == "body" && v.Pointer == "" && v.Rule == specs.RuleType:
			return refusing(http.StatusBadRequest, "Body should be a JSON object")
		case v.In == "query" && v.Rule == specs.RuleRequired:
			field := strings.Join(specs.PointerNames(v.Pointer), ".")
			return failed(wrong("Search", field, codeMissing))
		case v.Rule == specs.RuleRequired:
			missing = append(missing, last(v.Pointer))
		}
	}
	if len(missing) > 0 {
		return schemaRefusal(lacking(missing))
	}
	if len(t.Violations) == 0 {
		return unprocessable("Validation Failed")
	}
	v := t.Violations[0]
	if v.In == "query" {
		return failed(wrong("Query", last(v.Pointer), codeInvalid))
	}
	return schemaRefusal("For 'properties/" + strings.Join(specs.PointerNames(v.Pointer), "/") + "', " + broke(v))
}

// lacking names the fields that are missing.
func lacking(fields []string) string {
	slices.Sort(fields)
	quoted := make([]string, len(fields))
	for i, field := range fields {
		quoted[i] = strconv.Quote(kit.Clip(field))
	}
	verb := "wasn't"
	if len(fields) > 1 {
		verb = "weren't"
	}
	return strings.Join(quoted, ", ") + " " + verb + " supplied."
}

func last(pointer string) string {
	names := specs.PointerNames(pointer)
	if len(names) == 0 {
		return ""
	}
	return names[len(names)-1]
}

// broke says how a value breaks its schema.
func broke(v specs.Violation) string {
	got := kit.Clip(v.Got)
	if got == "null" {
		got = "nil"
	}
	switch v.Rule {
	case specs.RuleType:
		want, _, _ := strings.Cut(v.Want, " or ")
		if _, err := strconv.ParseFloat(got, 64); err != nil && !slices.Contains([]string{"nil", "true", "false", "an object", "an array"}, got) && !strings.HasPrefix(got, `"`) {
			got = strconv.Quote(got)
		}
		article := "a"
		if strings.HasPrefix(want, "a") || strings.HasPrefix(want, "i") || strings.HasPrefix(want, "o") {
			article = "an"
		}
		return fmt.Sprintf("%s is not %s %s.", got, article, want)
	case specs.RuleEnum:
		return fmt.Sprintf("%s is not a member of [%s].", strings.Trim(got, `"`), v.Want)
	}
	return fmt.Sprintf("%s is not right: %s.", got, v.Message)
}

func retryAfter(t fakes.Problem) string {
	if after := t.After(); after != "" || t.Kind != fakes.RateLimited {
		return after
	}
	return "60"
}
