package notion

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"

	"parity/fakes"
)

// The codes of errors. Source: developers.notion.com, Status codes.
const (
	codeValidation = "validation_error"
	codeJSON       = "invalid_json"
	codeURL        = "invalid_request_url"
	codeVersion    = "missing_version"
	codeAuth       = "unauthorized"
	codeRestricted = "restricted_resource"
	codeMissing    = "object_not_found"
	codeConflict   = "conflict_error"
	codeLimited    = "rate_limited"
)

// A refusal is an error of the API.
type refusal struct {
	status  int
	code    string
	message string
	extra   map[string]any // additional_data
	retry   time.Duration  // Retry-After; 0: not said
	oauth   bool           // the endpoints of OAuth also speak of error and error_description
}

func (r *refusal) reply(request string) fakes.Reply {
	value := map[string]any{
		"object": "error", "status": int64(r.status), "code": r.code, "message": r.message, "request_id": request,
	}
	if r.extra != nil {
		value["additional_data"] = r.extra
	}
	if r.oauth {
		value["error"], value["error_description"] = r.code, r.message
	}
	given := reply(r.status, request, value)
	if r.retry > 0 {
		given.Header.Set("Retry-After", strconv.Itoa(int(math.Ceil(r.retry.Seconds()))))
	}
	return given
}

func refuse(message string, args ...any) *refusal {
	if len(args) > 0 {
		message = fmt.Sprintf(message, args...)
	}
	return &refusal{status: http.StatusBadRequest, code: codeValidation, message: message}
}

// A problem is what is wrong with one place of a request: several lines where
// the place may be written in several ways, and fits none.
type problem []string

// should words one problem; got is what was sent, as JSON, and undefined where
// nothing was.
func should(where, want, got string) problem {
	return problem{fmt.Sprintf("%s should be %s, instead was `%s`", where, want, clipped(got))}
}

const undefined = "undefined"

// clipped keeps what was sent as short as Notion shows it.
func clipped(got string) string {
	const most = 55 // as seen in the vendor's messages
	runes := []rune(got)
	if len(runes) <= most {
		return got
	}
	return string(runes[:most]) + "..."
}

func quoted(text string) string { return jsonText(text) }

func jsonText(v any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(v) != nil {
		return undefined
	}
	return strings.TrimSpace(b.String())
}

// invalid words problems of a part of the request: body, path or query.
func invalid(part string, p problem) *refusal {
	if len(p) == 1 {
		return refuse("%s failed validation: %s.", part, p[0])
	}
	return refuse("%s failed validation. Fix one:\n%s.", part, strings.Join(p, ".\n"))
}

func missingVersion() *refusal {
	r := refuse("Notion-Version header failed validation: Notion-Version header should be defined, instead was `undefined`.")
	r.code = codeVersion
	return r
}

func unknownVersion(version string) *refusal {
	lines := make(problem, len(versions))
	for i, known := range versions {
		lines[i] = fmt.Sprintf("Notion-Version header should be `%q`, instead was `%s`", known, clipped(quoted(version)))
	}
	return invalid("Notion-Version header", lines)
}

// missing is what is not there, or not shared with the integration.
func (c *call) missing(what, id string) *refusal {
	with := ""
	switch named, _ := c.space["integration_name"].(string); named {
	case unnamed: // as it was until 2025
		with = " Make sure the relevant pages and databases are shared with your integration."
	case untold: // as it was in 2021
	default:
		with = fmt.Sprintf(" Make sure the relevant pages and databases are shared with your integration %q.", named)
	}
	return &refusal{status: http.StatusNotFound, code: codeMissing, extra: c.integration(), message: fmt.Sprintf("Could not find %s with ID: %s.%s", what, id, with)}
}

// How a workspace says that nobody named the integration in its errors: those
// are what recorded conversations of older days show.
const (
	unnamed = "unnamed"
	untold  = "untold"
)

// integration is what errors say of who calls.
func (c *call) integration() map[string]any {
	if id, ok := c.space["integration_id"]; ok {
		return map[string]any{"integration_id": id}
	}
	return map[string]any{"integration_id": c.space["bot_id"]}
}

func archived(what string) *refusal {
	return refuse("Can't edit %s that is archived. You must unarchive the %s before editing.", what, what)
}

func archivedAncestor(what string) *refusal {
	return refuse("Can't edit %s on block with an archived ancestor. You must unarchive the ancestor before editing %s.", what, what)
}

func restricted() *refusal {
	return &refusal{status: http.StatusForbidden, code: codeRestricted, message: "Insufficient permissions for this endpoint."}
}
