package corpus

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/dlclark/regexp2"
	"github.com/getkin/kin-openapi/openapi3"
)

// oracleVariable makes the test binary the oracle.
const oracleVariable = "PARITY_CORPUS_ORACLE"

// A question to an oracle, one line of JSON.
type question struct {
	Do     string // open, reply, request, end
	File   string // open
	Path   string `json:",omitempty"` // as the document writes it
	Method string `json:",omitempty"`

	Status  int             `json:",omitempty"` // reply
	Type    string          `json:",omitempty"` // content type
	Headers []string        `json:",omitempty"` // reply: lower case
	Body    string          `json:",omitempty"` // reply: as it came
	Values  []outside       `json:",omitempty"` // request
	Content json.RawMessage `json:",omitempty"` // request: the body, decoded; nothing: there is none
	Text    bool            `json:",omitempty"` // request: fields of the body are written as text
}

// outside is a value outside the body of a request.
type outside struct {
	In    string
	Name  string
	Value any
	Text  bool // Value is text, to be read as whatever it can be read as
}

// An answer of an oracle.
type answer struct {
	Verdict    string // valid, invalid, unjudged
	Why        string // of the last two
	Plain      bool   // invalid without a look into a schema: there is no second opinion
	Blank      bool   // reply: valid because the document says nothing of its body
	Version    string // open
	Broken     string // open: why nothing of this document can be judged; "" for nothing
	Operations []located
	Peak       int64 // end: of the process's memory, in bytes
}

// located is an operation of a document, as encoding/json reads it.
type located struct{ Method, Path string }

const (
	valid    = "valid"
	invalid  = "invalid"
	unjudged = "unjudged"
)

// serveOracle answers questions until there are no more.
func serveOracle(in io.Reader, out io.Writer) error {
	debug.SetGCPercent(60)
	openapi3.DefineStringFormatValidator("uuid", openapi3.NewRegexpFormatValidator(openapi3.FormatOfStringForUUIDOfRFC9562))
	openapi3.DefineStringFormatValidator("email", openapi3.NewRegexpFormatValidator(openapi3.FormatOfStringForEmail))
	openapi3.DefineIPv4Format()
	openapi3.DefineIPv6Format()
	k := &kin{}
	decoder := json.NewDecoder(bufio.NewReaderSize(in, 1<<20))
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	for {
		var q question
		if err := decoder.Decode(&q); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		if err := encoder.Encode(k.answer(q)); err != nil {
			return err
		}
	}
}

// kin judges with kin-openapi.
type kin struct {
	doc    *openapi3.T
	broken string
}

func (k *kin) answer(q question) (a answer) {
	defer func() {
		if p := recover(); p != nil {
			a = answer{Verdict: unjudged, Why: fmt.Sprintf("the oracle panics: %v", p), Broken: fmt.Sprint(p)}
		}
	}()
	switch q.Do {
	case "open":
		return k.open(q.File)
	case "end":
		return answer{Peak: peak()}
	}
	if k.doc == nil {
		return answer{Verdict: unjudged, Why: k.broken}
	}
	item := k.doc.Paths.Value(q.Path)
	var op *openapi3.Operation
	if item != nil {
		op = item.Operations()[q.Method]
	}
	if op == nil {
		return answer{Verdict: unjudged, Why: "the oracle finds no such operation"}
	}
	if q.Do == "reply" {
		return k.reply(op, q)
	}
	return k.request(item, op, q)
}

var methods = []string{"get", "put", "post", "delete", "options", "head", "patch", "trace"}

func (k *kin) open(file string) (a answer) {
	k.doc, k.broken = nil, ""
	runtime.GC() // the last one was as large as this one may be
	data, err := os.ReadFile(file)
	if err != nil {
		return answer{Broken: err.Error()}
	}
	var outline struct {
		OpenAPI string
		Paths   map[string]json.RawMessage
	}
	if err := json.Unmarshal(data, &outline); err != nil {
		return answer{Broken: err.Error()}
	}
	a.Version = outline.OpenAPI
	for path, raw := range outline.Paths {
		var item map[string]json.RawMessage
		if json.Unmarshal(raw, &item) != nil {
			continue
		}
		for _, method := range methods {
			if item[method] != nil {
				a.Operations = append(a.Operations, located{strings.ToUpper(method), path})
			}
		}
	}
	slices.SortFunc(a.Operations, func(a, b located) int { return strings.Compare(a.Path+" "+a.Method, b.Path+" "+b.Method) })
	outline.Paths = nil
	if !strings.HasPrefix(a.Version, "3.0") {
		a.Broken = "kin-openapi is asked about OpenAPI 3.0 only"
		k.broken = a.Broken
		return a
	}
	defer func() {
		if p := recover(); p != nil {
			k.doc, k.broken = nil, fmt.Sprintf("kin-openapi panics: %v", p)
			a.Broken = k.broken
		}
	}()
	// Its own Load reads JSON as YAML, for minutes where a document is large.
	doc := &openapi3.T{}
	err = json.Unmarshal(data, doc)
	if err == nil {
		data = nil
		err = openapi3.NewLoader().ResolveRefsIn(doc, nil)
	}
	if err != nil {
		k.broken = err.Error()
		a.Broken = k.broken
		return a
	}
	k.doc = doc
	return a
}

func (k *kin) reply(op *openapi3.Operation, q question) answer {
	response := op.Responses.Status(q.Status)
	if response == nil {
		family := strconv.Itoa(q.Status/100) + "XX"
		for code, r := range op.Responses.Map() {
			if strings.EqualFold(code, family) {
				response = r
			}
		}
	}
	if response == nil {
		response = op.Responses.Default()
	}
	if response == nil || response.Value == nil {
		return answer{Verdict: invalid, Plain: true, Why: "status " + strconv.Itoa(q.Status) + " is not described"}
	}
	for name, header := range response.Value.Headers {
		if header.Value != nil && header.Value.Required && !slices.Contains(q.Headers, strings.ToLower(name)) {
			return answer{Verdict: invalid, Plain: true, Why: "required header is missing"}
		}
	}
	content := response.Value.Content
	if len(content) == 0 {
		return answer{Verdict: valid, Blank: true}
	}
	if q.Method == "HEAD" || (q.Status == 204 || q.Status == 304) && q.Body == "" { // HTTP lets them have none
		return answer{Verdict: valid, Blank: true}
	}
	media := describedBy(content, q.Type)
	if media == nil {
		if q.Type == "" && q.Body == "" {
			return answer{Verdict: invalid, Plain: true, Why: "there is no body, and one is described"}
		}
		return answer{Verdict: invalid, Plain: true, Why: "content type " + q.Type + " is not described"}
	}
	if media.Schema == nil || !isJSON(q.Type) {
		return answer{Verdict: valid, Blank: true}
	}
	var value any
	if err := json.Unmarshal([]byte(q.Body), &value); err != nil {
		return answer{Verdict: invalid, Plain: true, Why: "the body is no JSON: " + err.Error()}
	}
	return judge(media.Schema, value, openapi3.VisitAsResponse())
}

func describedBy(content openapi3.Content, kind string) *openapi3.MediaType {
	kind = essence(kind)
	for name, media := range content {
		if essence(name) == kind {
			return media
		}
	}
	family, _, _ := strings.Cut(kind, "/")
	for _, pattern := range []string{family + "/*", "*/*", "*"} {
		for name, media := range content {
			if essence(name) == pattern {
				return media
			}
		}
	}
	return nil
}

// essence is a content type without its parameters.
func essence(kind string) string {
	if parsed, _, err := mime.ParseMediaType(kind); err == nil {
		return parsed
	}
	before, _, _ := strings.Cut(kind, ";")
	return strings.ToLower(strings.TrimSpace(before))
}

func isJSON(kind string) bool {
	kind = essence(kind)
	return kind == "application/json" || strings.HasSuffix(kind, "+json") || kind == "text/json"
}

// judge asks kin-openapi about one value. Patterns are read as ECMA-262 has
// them; one that nothing can read is left out of account.
func judge(ref *openapi3.SchemaRef, value any, side openapi3.SchemaValidationOption) answer {
	if ref == nil || ref.Value == nil {
		return answer{Verdict: valid}
	}
	err := ref.Value.VisitJSON(value, side, openapi3.SetSchemaRegexCompiler(expression), openapi3.DisableSchemaErrorDetails())
	if err == nil {
		return answer{Verdict: valid}
	}
	var broken *openapi3.SchemaError
	if !errors.As(err, &broken) {
		return answer{Verdict: unjudged, Why: clip(err.Error())}
	}
	return answer{Verdict: invalid, Why: cause(broken)}
}

type matcher struct{ *regexp2.Regexp }

func (m matcher) MatchString(text string) bool {
	if m.Regexp == nil {
		return true
	}
	found, err := m.Regexp.MatchString(text)
	return found || err != nil
}

func expression(text string) (openapi3.RegexMatcher, error) {
	compiled, err := regexp2.Compile(text, regexp2.ECMAScript|regexp2.Unicode)
	if err != nil {
		compiled, err = regexp2.Compile(text, regexp2.None)
	}
	if err != nil {
		return matcher{}, nil
	}
	compiled.MatchTimeout = 100 * time.Millisecond
	return matcher{compiled}, nil
}

// cause says where and by which keyword a value is refused.
func cause(e *openapi3.SchemaError) string {
	for {
		var inner *openapi3.SchemaError
		if e.Origin == nil || !errors.As(e.Origin, &inner) || inner == e {
			break
		}
		e = inner
	}
	return e.SchemaField + ": " + clip(e.Reason) + " at /" + strings.Join(e.JSONPointer(), "/")
}

func clip(text string) string {
	const most = 200
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}

func (k *kin) request(item *openapi3.PathItem, op *openapi3.Operation, q question) answer {
	given := map[string]outside{}
	for _, v := range q.Values {
		given[v.In+" "+v.Name] = v
	}
	for _, list := range []openapi3.Parameters{op.Parameters, item.Parameters} {
		for _, ref := range list {
			p := ref.Value
			if p == nil || list[0] != nil && overridden(op, item, p) {
				continue
			}
			v, ok := given[p.In+" "+p.Name]
			if !ok {
				if p.Required {
					return answer{Verdict: invalid, Plain: true, Why: "required " + p.In + " parameter is missing"}
				}
				continue
			}
			schema := p.Schema
			for _, media := range p.Content {
				schema = media.Schema
			}
			if a := readings(schema, v); a.Verdict != valid {
				return a
			}
		}
	}
	return k.body(op, q)
}

// overridden tells whether a parameter of the path is one of the operation's
// own, said anew.
func overridden(op *openapi3.Operation, item *openapi3.PathItem, p *openapi3.Parameter) bool {
	return item.Parameters.GetByInAndName(p.In, p.Name) == p && op.Parameters.GetByInAndName(p.In, p.Name) != nil
}

// readings judges text by everything it can be read as: it is invalid only if
// all of them are.
func readings(schema *openapi3.SchemaRef, v outside) answer {
	side := openapi3.VisitAsRequest()
	text, isText := v.Value.(string)
	if !v.Text || !isText {
		return judge(schema, v.Value, side)
	}
	values := []any{text, []any{text}}
	var other any
	if json.Unmarshal([]byte(text), &other) == nil {
		values = append(values, other, []any{other})
	}
	if strings.Contains(text, ",") {
		var items []any
		for item := range strings.SplitSeq(text, ",") {
			items = append(items, item)
		}
		values = append(values, items)
	}
	var first answer
	for i, value := range values {
		a := judge(schema, value, side)
		if a.Verdict != invalid {
			return a
		}
		if i == 0 {
			first = a
		}
	}
	return first
}

func (k *kin) body(op *openapi3.Operation, q question) answer {
	if op.RequestBody == nil || op.RequestBody.Value == nil {
		return answer{Verdict: valid}
	}
	if len(q.Content) == 0 {
		if op.RequestBody.Value.Required {
			return answer{Verdict: invalid, Plain: true, Why: "required body is missing"}
		}
		return answer{Verdict: valid}
	}
	media := describedBy(op.RequestBody.Value.Content, q.Type)
	if media == nil {
		return answer{Verdict: invalid, Plain: true, Why: "content type " + q.Type + " is not taken"}
	}
	if media.Schema == nil {
		return answer{Verdict: valid, Blank: true}
	}
	var value any
	if err := json.Unmarshal(q.Content, &value); err != nil {
		return answer{Verdict: unjudged, Why: err.Error()}
	}
	return judge(media.Schema, value, openapi3.VisitAsRequest())
}

// peak is the most memory that this process has had, in bytes.
func peak() int64 {
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(text)) {
		if rest, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			kilobytes, _ := strconv.ParseInt(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(rest), "kB")), 10, 64)
			return kilobytes << 10
		}
	}
	return 0
}
