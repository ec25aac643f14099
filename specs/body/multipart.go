package body

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net/textproto"
	"strconv"
	"strings"
	"unicode/utf8"

	"parity/specs/document"
	"parity/specs/openapi"
	"parity/specs/schema"
)

// Bounds on a multipart body.
const (
	maxParts      = 1000
	maxPartHeader = 16 << 10 // bytes of one part's headers
	maxMultiparts = 4        // multipart bodies inside multipart bodies
	maxBoundary   = 70       // RFC 2046
)

// A Multipart is a body in parts.
//
//	--x                                                    Value
//	Content-Disposition: form-data; name="title"     ──▶   title: "Graz"
//	--x                                              ──▶   photo: "\x89PNG…"
//	Content-Disposition: form-data; name="photo"; …        Parts
//	                                                 ──▶   /photo: a.png, image/png, 8123 bytes
type Multipart struct {
	Value any    // an object, or a list where the schema is one; a file is a string of its bytes
	Parts []Part // in the order they came
}

// A Part is one part of a multipart body as it came.
type Part struct {
	Pointer  string // JSON pointer to its value
	Name     string // of the field; "" where it has none
	FileName string // as the client says: a name to show, not to open
	Type     string // Content-Type as written; "" for none
	Header   textproto.MIMEHeader
	Data     []byte // without its transfer encoding
}

// A partsReader reads one multipart body.
type partsReader struct {
	shape    shape
	encoding []openapi.Encoding
	form     bool // form-data: every part has a name
	depth    int
	document *document.Document // to follow references in; nil for none
	parts    []Part
}

// DecodeMultipart types the parts of a body by a schema: JSON parts are
// decoded, text gets its declared type, files stay bytes. Names that come
// several times, or with brackets, are lists and objects as in forms. Parts
// without a name, which only form-data forbids, are by their Content-ID or else
// the properties in their order.
func DecodeMultipart(data []byte, contentType string, s *schema.Schema, encoding []openapi.Encoding) (Multipart, *Problem) {
	d := partsReader{shape: shapeOf(s), encoding: encoding, depth: 1}
	if s != nil {
		d.document = s.Set().Document
	}
	return d.decode(data, contentType)
}

func (d *partsReader) decode(data []byte, contentType string) (Multipart, *Problem) {
	if d.depth > maxMultiparts {
		return Multipart{}, &Problem{Rule: RuleSize, Message: "has too many multipart bodies inside one another", Want: strconv.Itoa(maxMultiparts)}
	}
	kind, boundary, wrong := boundaryOf(contentType)
	if wrong != nil {
		return Multipart{}, wrong
	}
	d.form = kind == "multipart/form-data"
	if wrong := d.read(data, boundary); wrong != nil {
		return Multipart{Parts: d.parts}, wrong
	}
	value, wrong := d.value()
	return Multipart{Value: value, Parts: d.parts}, wrong
}

func boundaryOf(contentType string) (kind, boundary string, wrong *Problem) {
	kind, parameters, err := mime.ParseMediaType(contentType)
	boundary = parameters["boundary"]
	switch {
	case err != nil:
		return "", "", &Problem{Rule: RuleSyntax, Message: "the Content-Type header cannot be read: " + err.Error(), Got: shorten(contentType)}
	case !strings.HasPrefix(kind, "multipart/"):
		return "", "", &Problem{Rule: RuleContentType, Message: "is no multipart body", Want: "multipart/form-data", Got: shorten(contentType)}
	case boundary == "":
		return "", "", &Problem{Rule: RuleSyntax, Message: "the Content-Type header names no boundary", Want: "boundary", Got: shorten(contentType)}
	case len(boundary) > maxBoundary || strings.ContainsAny(boundary, "\r\n") || !utf8.ValidString(boundary):
		return "", "", &Problem{Rule: RuleSyntax, Message: fmt.Sprintf("the boundary is longer than %d characters, or no text", maxBoundary), Got: shorten(boundary)}
	}
	return kind, boundary, nil
}

// read takes the body apart.
func (d *partsReader) read(data []byte, boundary string) *Problem {
	reader := multipart.NewReader(bytes.NewReader(data), boundary)
	for {
		next, err := reader.NextRawPart()
		if err == io.EOF { //nolint:errorlint // a wrapped one is a body that ends too early
			return nil
		}
		if err != nil {
			return d.broken(err)
		}
		if len(d.parts) == maxParts {
			return &Problem{Rule: RuleSize, Message: fmt.Sprintf("has more than %d parts", maxParts), Want: strconv.Itoa(maxParts)}
		}
		size := 0
		for name, values := range next.Header {
			for _, value := range values {
				size += len(name) + len(value)
			}
		}
		if size > maxPartHeader {
			return d.tooLong()
		}
		content, err := io.ReadAll(next)
		if err != nil {
			return d.broken(err)
		}
		part := Part{Header: next.Header, Type: next.Header.Get("Content-Type")}
		if part.Data, err = untransferred(content, next.Header.Get("Content-Transfer-Encoding")); err != nil {
			return &Problem{Rule: RuleSyntax, Message: d.ordinal() + ": " + err.Error()}
		}
		if wrong := d.named(&part); wrong != nil {
			return wrong
		}
		d.parts = append(d.parts, part)
	}
}

func (d *partsReader) ordinal() string { return "part " + strconv.Itoa(len(d.parts)+1) }

func (d *partsReader) tooLong() *Problem {
	return &Problem{Rule: RuleSize, Message: fmt.Sprintf("%s has more than %d bytes of headers", d.ordinal(), maxPartHeader), Want: strconv.Itoa(maxPartHeader)}
}

func (d *partsReader) broken(err error) *Problem {
	switch {
	case errors.Is(err, multipart.ErrMessageTooLarge):
		return d.tooLong()
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return &Problem{Rule: RuleSyntax, Message: d.ordinal() + ": the body ends before its closing boundary"}
	default:
		return &Problem{Rule: RuleSyntax, Message: d.ordinal() + ": " + shorten(err.Error())}
	}
}

// untransferred undoes a Content-Transfer-Encoding.
func untransferred(data []byte, encoding string) ([]byte, error) {
	switch strings.ToLower(strings.TrimSpace(encoding)) {
	case "", "7bit", "8bit", "binary":
		return data, nil
	case "base64":
		out, err := io.ReadAll(base64.NewDecoder(base64.StdEncoding, bytes.NewReader(data)))
		if err != nil {
			return nil, errors.New("is not base64, which its Content-Transfer-Encoding says")
		}
		return out, nil
	case "quoted-printable":
		out, err := io.ReadAll(quotedprintable.NewReader(bytes.NewReader(data)))
		if err != nil {
			return nil, errors.New("is not quoted-printable, which its Content-Transfer-Encoding says")
		}
		return out, nil
	default:
		return nil, fmt.Errorf("Content-Transfer-Encoding %q is not known; send binary, base64 or quoted-printable", shorten(encoding))
	}
}

// quoted undoes what browsers write for quotes and line ends in names.
// Source: https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#multipart-form-data
var quoted = strings.NewReplacer("%22", `"`, "%0D", "\r", "%0A", "\n")

// named finds a part's name and file name.
func (d *partsReader) named(part *Part) *Problem {
	written := part.Header.Get("Content-Disposition")
	if written == "" {
		if d.form {
			return &Problem{Rule: RuleSyntax, Message: d.ordinal() + " has no name: it wants Content-Disposition: form-data; name=…"}
		}
		part.Name = strings.Trim(part.Header.Get("Content-ID"), "<>")
		return nil
	}
	kind, parameters, err := mime.ParseMediaType(written)
	if err != nil {
		return &Problem{Rule: RuleSyntax, Message: d.ordinal() + ": Content-Disposition cannot be read: " + err.Error(), Got: shorten(written)}
	}
	name, has := parameters["name"]
	if d.form && (kind != "form-data" || !has) {
		return &Problem{Rule: RuleSyntax, Message: d.ordinal() + " has no name: it wants Content-Disposition: form-data; name=…", Got: shorten(written)}
	}
	part.Name, part.FileName = quoted.Replace(name), quoted.Replace(parameters["filename"])
	if !has {
		part.Name = strings.Trim(part.Header.Get("Content-ID"), "<>")
	}
	if !utf8.ValidString(part.Name) || !utf8.ValidString(part.FileName) {
		return &Problem{Rule: RuleSyntax, Message: d.ordinal() + " has a name that is not UTF-8", Got: shorten(written)}
	}
	return nil
}

// value gives the parts their places and types.
func (d *partsReader) value() (any, *Problem) {
	if d.shape.only(anArray) && !d.form {
		out := make([]any, len(d.parts))
		all := d.shape.items()
		for i := range d.parts {
			value, wrong := d.part(&d.parts[i], all.at(i), openapi.Encoding{}, "/"+strconv.Itoa(i))
			if wrong != nil {
				return out, wrong
			}
			out[i] = value
		}
		return out, nil
	}
	d.position()
	tree := make(form, 1, len(d.parts)+1)
	for i := range d.parts {
		wrong := tree.add(d.parts[i].Name, strconv.Itoa(i), d.shape.has)
		if wrong != nil {
			wrong.Pointer = "/" + escape(shorten(d.parts[i].Name))
			return nil, wrong
		}
	}
	out := make(map[string]any, tree.count(0))
	for at := tree[0].first; at != 0; at = tree[at].next {
		name := tree[at].name
		value, wrong := d.field(tree, at)
		if wrong != nil {
			return out, wrong
		}
		out[name] = value
	}
	return out, d.demanded(out)
}

// position names the parts that have no name: by the properties, in order, that
// no part has.
func (d *partsReader) position() {
	if d.form {
		return
	}
	taken := map[string]bool{}
	for _, part := range d.parts {
		taken[part.Name] = true
	}
	var free []string
	for _, view := range d.shape.views {
		for _, p := range view.Properties {
			if !taken[p.Name] {
				taken[p.Name] = true
				free = append(free, p.Name)
			}
		}
	}
	for i := range d.parts {
		if d.parts[i].Name != "" {
			continue
		}
		d.parts[i].Name = strconv.Itoa(i)
		if len(free) > 0 {
			d.parts[i].Name, free = free[0], free[1:]
		}
	}
}

func (d *partsReader) field(tree form, at int32) (any, *Problem) {
	name := tree[at].name
	inner, _ := d.shape.property(name)
	var encoding openapi.Encoding
	for _, e := range d.encoding {
		if e.Field == name {
			encoding = e
		}
	}
	pointer := "/" + escape(name)
	if encoding.Style != "" && tree[at].first == 0 && inner.takes(anArray|anObject) {
		if p := formParameter(encoding, d.shape); p.separator != "" {
			part := &d.parts[index(tree[at].latest())]
			part.Pointer = pointer
			value, wrong := p.parts(strings.Split(string(part.Data), p.separator), false)
			if wrong != nil {
				wrong.Pointer = pointer
			}
			return value, wrong
		}
	}
	t := typing{form: tree}
	t.leaf = func(inner shape, text, pointer string) any {
		value, wrong := d.part(&d.parts[index(text)], inner, encoding, pointer)
		if wrong != nil {
			t.fail(wrong)
		}
		return value
	}
	return t.value(at, inner, false, pointer), t.failed
}

// index reads what add was given.
func index(text string) int {
	i, _ := strconv.Atoi(text)
	return i
}
