package oracle

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"

	"parity/specs/pattern"
)

// A Verdict is what an Opinion comes to.
type Verdict string

// The verdicts there are.
const (
	Holds    Verdict = "holds"
	Breaks   Verdict = "breaks"
	Unjudged Verdict = "unjudged" // kin-openapi cannot tell
)

// An Opinion is what kin-openapi says of a request or a reply.
type Opinion struct {
	Verdict Verdict
	Why     string // of all but Holds
}

// A Request is what is asked of an operation.
type Request struct {
	Method string
	Path   string            // as the document writes it, with {parameters}
	Values map[string]string // of the path's parameters, unescaped
	Query  string            // raw, without the question mark
	Header http.Header
	Body   []byte // inflated
	Value  any    // the body, decoded by who asks: for kinds that kin-openapi reads otherwise
}

// A Reply is what came of a Request.
type Reply struct {
	Status int
	Header http.Header
	Body   []byte
}

// Request holds a request against the contract. Parameters and JSON are read by
// kin-openapi itself; of other bodies it judges the value that was read already,
// since how a form says that fields nest is not in a document.
func (d *Document) Request(r Request) (o Opinion) {
	defer recovered(&o)
	input, lacking := d.input(r)
	if lacking != "" {
		return Opinion{Unjudged, lacking}
	}
	for _, p := range parameters(input.Route) {
		err := openapi3filter.ValidateParameter(context.Background(), input, p)
		if err != nil && !unread(err, p, r) {
			return refusal(err)
		}
	}
	ref := input.Route.Operation.RequestBody
	if ref == nil || ref.Value == nil {
		return Opinion{Verdict: Holds}
	}
	if isJSON(r.Header.Get("Content-Type")) || len(r.Body) == 0 {
		input.Request.Body = io.NopCloser(bytes.NewReader(r.Body))
		if err := openapi3filter.ValidateRequestBody(context.Background(), input, ref.Value); err != nil {
			return refusal(err)
		}
		return Opinion{Verdict: Holds}
	}
	media := ref.Value.Content.Get(r.Header.Get("Content-Type"))
	switch {
	case media == nil:
		return Opinion{Breaks, "content type " + r.Header.Get("Content-Type") + " is not taken"}
	case media.Schema == nil || media.Schema.Value == nil || r.Value == nil:
		return Opinion{Unjudged, "the body is of a kind that kin-openapi is not asked about"}
	}
	data, err := json.Marshal(r.Value)
	if err != nil {
		return Opinion{Unjudged, line(err)}
	}
	var value any
	if err := json.Unmarshal(data, &value); err != nil {
		return Opinion{Unjudged, line(err)}
	}
	options := append(d.options(), openapi3.VisitAsRequest())
	if err := media.Schema.Value.VisitJSON(value, options...); err != nil {
		return refusal(err)
	}
	return Opinion{Verdict: Holds}
}

// Reply holds a reply against the contract: its status, its headers, and a body
// of JSON.
func (d *Document) Reply(r Request, reply Reply) (o Opinion) {
	defer recovered(&o)
	input, lacking := d.input(r)
	if lacking != "" {
		return Opinion{Unjudged, lacking}
	}
	options := *input.Options
	options.IncludeResponseStatus = true
	options.ExcludeResponseBody = !isJSON(reply.Header.Get("Content-Type"))
	judged := &openapi3filter.ResponseValidationInput{RequestValidationInput: input, Status: reply.Status, Header: reply.Header, Options: &options}
	judged.SetBodyBytes(reply.Body)
	if err := openapi3filter.ValidateResponse(context.Background(), judged); err != nil {
		return refusal(err)
	}
	return Opinion{Verdict: Holds}
}

// parameters lists those of an operation: its own, and those of its path that it
// does not say anew.
func parameters(route *routers.Route) []*openapi3.Parameter {
	var all []*openapi3.Parameter
	for _, ref := range route.Operation.Parameters {
		all = append(all, ref.Value)
	}
	for _, ref := range route.PathItem.Parameters {
		if route.Operation.Parameters.GetByInAndName(ref.Value.In, ref.Value.Name) == nil {
			all = append(all, ref.Value)
		}
	}
	return all
}

// unread tells whether a refusal only means that kin-openapi cannot read the
// parameter: it is written in a style that it does not know, or its schema names
// no type, and then it takes any value for an empty one.
func unread(err error, p *openapi3.Parameter, r Request) bool {
	var style *openapi3.InvalidSerializationMethodError
	switch {
	case errors.As(err, &style), strings.Contains(err.Error(), "invalid serialization method"):
		return true
	case !errors.Is(err, openapi3filter.ErrInvalidEmptyValue):
		return false
	}
	query, _ := url.ParseQuery(r.Query) // what cannot be read is not there
	return p.In != openapi3.ParameterInQuery || query.Get(p.Name) != ""
}

func recovered(o *Opinion) {
	if p := recover(); p != nil {
		*o = Opinion{Unjudged, fmt.Sprintf("kin-openapi panics: %v", p)}
	}
}

// input is a request as kin-openapi takes them, and what there is not, if
// something is not there. Headers and the address are copies: it writes
// defaults into them.
func (d *Document) input(r Request) (*openapi3filter.RequestValidationInput, string) {
	item := d.doc.Paths.Value(r.Path)
	if item == nil {
		return nil, "kin-openapi has no such path"
	}
	op := item.GetOperation(r.Method)
	if op == nil && r.Method == http.MethodHead {
		op = item.GetOperation(http.MethodGet)
	}
	if op == nil {
		return nil, "kin-openapi has no such operation"
	}
	return &openapi3filter.RequestValidationInput{
		Request:    &http.Request{Method: r.Method, URL: &url.URL{Path: r.Path, RawQuery: r.Query}, Header: r.Header.Clone()},
		PathParams: r.Values,
		Route:      &routers.Route{Spec: d.doc, Path: r.Path, PathItem: item, Method: r.Method, Operation: op},
		Options: &openapi3filter.Options{
			SkipSettingDefaults: true, AuthenticationFunc: openapi3filter.NoopAuthenticationFunc, RegexCompiler: compile,
			ExcludeReadOnlyValidations: true, SchemaValidationOptions: d.options(),
		},
	}, ""
}

// options are what schemas are judged with: patterns as ECMA-262 has them, which
// Go's own engine reads otherwise.
func (d *Document) options() []openapi3.SchemaValidationOption {
	options := []openapi3.SchemaValidationOption{openapi3.SetSchemaRegexCompiler(compile), openapi3.WithStringFormatValidators(map[string]openapi3.StringFormatValidator{
		"uuid": openapi3.NewRegexpFormatValidator(openapi3.FormatOfStringForUUIDOfRFC9562), "email": openapi3.NewRegexpFormatValidator(openapi3.FormatOfStringForEmail),
		"ipv4": openapi3.NewIPValidator(true), "ipv6": openapi3.NewIPValidator(false),
	})}
	if d.doc.IsOpenAPI31OrLater() {
		options = append(options, openapi3.EnableJSONSchema2020())
	}
	return options
}

func compile(text string) (openapi3.RegexMatcher, error) { return pattern.Compile(text) }

// refusal says what kin-openapi holds against something, and where.
func refusal(err error) Opinion {
	var broken *openapi3.SchemaError
	if !errors.As(err, &broken) {
		return Opinion{Breaks, line(err)}
	}
	for {
		var inner *openapi3.SchemaError
		if broken.Origin == nil || !errors.As(broken.Origin, &inner) || inner == broken {
			break
		}
		broken = inner
	}
	where := ""
	var request *openapi3filter.RequestError
	if errors.As(err, &request) && request.Parameter != nil {
		where = request.Parameter.In + " parameter " + request.Parameter.Name + ": "
	} else if at := broken.JSONPointer(); len(at) > 0 {
		where = "/" + strings.Join(at, "/") + ": "
	}
	return Opinion{Breaks, where + line(errors.New(broken.Reason))}
}

func isJSON(kind string) bool {
	essence, _, err := mime.ParseMediaType(kind)
	return err == nil && (essence == "application/json" || strings.HasSuffix(essence, "+json"))
}
