package report

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"parity/faults/trail"
	"parity/specs/words"
)

// frameDoc is one event in full, as page/frame.js shows it.
type frameDoc struct {
	Head       [][2]string `json:"head"` // what there is to say of it, and the words for that
	Request    *messageDoc `json:"request,omitempty"`
	Violations []string    `json:"violations,omitempty"`
	Strikes    []strikeDoc `json:"strikes,omitempty"`
	Reply      *messageDoc `json:"reply,omitempty"`
	Fake       *messageDoc `json:"fake,omitempty"` // what the service said, where a rule said otherwise
	Wire       []string    `json:"wire,omitempty"` // what the client saw
	Delta      []deltaDoc  `json:"delta,omitempty"`
	More       int         `json:"more,omitempty"` // changes that are not shown
}

type messageDoc struct {
	Line   string   `json:"line"`
	Header string   `json:"header,omitempty"`
	Body   *bodyDoc `json:"body,omitempty"`
}

// bodyDoc is a body, or the beginning of one.
type bodyDoc struct {
	Text string `json:"text"`
	Size int    `json:"size"`
	Cut  bool   `json:"cut,omitempty"`
}

type strikeDoc struct {
	Rule  string `json:"rule"`
	Fault string `json:"fault"`
	Fired bool   `json:"fired,omitempty"`
	Words string `json:"words"`
}

type deltaDoc struct {
	Op         string     `json:"op"`
	Collection string     `json:"collection"`
	ID         string     `json:"id"`
	Title      string     `json:"title,omitempty"`  // what people would call it
	Hidden     bool       `json:"hidden,omitempty"` // bookkeeping of the service
	Fields     []fieldDoc `json:"fields,omitempty"`
	More       int        `json:"more,omitempty"` // fields that are not shown
	Record     *bodyDoc   `json:"record,omitempty"`
}

// fieldDoc is what one field was and is, and the event that last changed it.
type fieldDoc struct {
	Pointer string `json:"pointer"`
	Was     string `json:"was"`
	Is      string `json:"is"`
	By      uint64 `json:"by,omitempty"`
}

const (
	mostDeltas = 40 // changes that a frame shows
	mostFields = 40 // fields of a changed record
)

// frame gives an event in full.
func (p *packer) frame(e *trail.Event) *frameDoc {
	f := &frameDoc{Head: p.headOf(e)}
	if x := e.Exchange; x != nil {
		p.exchange(f, x, e)
	}
	if d := e.Delivery; d != nil {
		f.Request = p.message(d.Method+" "+d.URL, d.Header, d.Body)
		f.Wire = []string{upper(p.plain(delivered(d)))}
	}
	for _, c := range e.Delta {
		if len(f.Delta) == mostDeltas {
			f.More = len(e.Delta) - mostDeltas
			break
		}
		f.Delta = append(f.Delta, p.delta(&c))
	}
	return f
}

func (p *packer) headOf(e *trail.Event) [][2]string {
	head := [][2]string{{"At", stamp(e.At)}}
	add := func(name, value string) {
		if value != "" {
			head = append(head, [2]string{name, p.plain(value)})
		}
	}
	add("By", e.Identity)
	if x := e.Exchange; x != nil {
		add("Operation", strings.TrimSpace(x.Service+" "+x.Operation))
		add("Effect", x.Effect)
		add("Came", "by "+x.Way)
		add("Outcome", string(x.Outcome))
		add("Answered", joined(x.Fidelities()))
		if x.Intent.ID != "" {
			text := fmt.Sprintf("%s, attempt %d", x.Intent.ID, max(x.Intent.Attempt, 1))
			if x.Intent.Key != "" {
				text += ", key " + x.Intent.Key
			}
			if x.Intent.SDKRetry > 0 {
				text += fmt.Sprintf(", retry %d of the SDK", x.Intent.SDKRetry)
			}
			add("Intent", text)
		}
		if x.Reserved > 0 {
			add("Waited", "since #"+number(x.Reserved))
		}
		add("Note", x.Note)
	} else {
		add("What", upper(other(e)))
	}
	add("Revision", short(e.Revision))
	return head
}

func (p *packer) exchange(f *frameDoc, x *trail.Exchange, e *trail.Event) {
	target := x.Path
	if x.Query != "" {
		target += "?" + x.Query
	}
	f.Request = p.message(x.Method+" "+x.Host+target, x.Header, x.Body)
	for _, v := range x.Violations {
		f.Violations = append(f.Violations, p.plain(strings.TrimSpace(v.In+" "+v.Pointer)+": "+v.Message))
	}
	for _, s := range x.Strikes {
		words := strikeWords(s)
		if s.Did != "" {
			words += "; it " + s.Did
		}
		f.Strikes = append(f.Strikes, strikeDoc{Rule: p.plain(s.Rule), Fault: p.plain(s.Fault), Fired: s.Fired, Words: p.plain(words)})
	}
	if e.Kind == trail.Reserved {
		return // it is answered by a later event
	}
	line := "no status"
	if x.Status != 0 {
		line = fmt.Sprint(x.Status)
	}
	f.Reply = p.message(line, x.ReplyHeader, x.ReplyBody)
	if x.FakeStatus != 0 {
		f.Fake = p.message(fmt.Sprint(x.FakeStatus), nil, x.FakeBody)
	}
	f.Wire = p.seen(x, e.Seq)
}

// seen says what reached the client.
func (p *packer) seen(x *trail.Exchange, seq uint64) []string {
	var lines []string
	if lost := ending(&x.Wire); lost != "" {
		lines = append(lines, upper(lost))
	}
	whole := len(x.ReplyBody)
	switch shown := x.Wire.Showed(whole); {
	case x.Wire.NoHead:
		lines = append(lines, "The client saw no reply at all")
	case x.Wire.HeadCut:
		lines = append(lines, "The client saw part of a head, and no body")
	case shown < whole:
		lines = append(lines, fmt.Sprintf("The client could read %d of %d bytes of the body", shown, whole))
	}
	if s, ok := p.settlements[seq]; ok {
		return append(lines, upper(p.plain(wentOut(&s))))
	}
	return append(lines, upper(wentOut(nil)))
}

func (p *packer) message(line string, header []trail.Field, body []byte) *messageDoc {
	m := &messageDoc{Line: cut(p.plain(line), 2000), Body: p.body(body)}
	for _, field := range header {
		m.Header += cut(p.plain(field.Name+": "+strings.TrimPrefix(p.mask(field.Name+"="+field.Value), field.Name+"=")), 1000) + "\n"
	}
	return m
}

// body gives a body, or its beginning, to be read: without secrets, and with
// nothing in it that would hide or move text.
func (p *packer) body(b []byte) *bodyDoc {
	if len(b) == 0 {
		return nil
	}
	const beyond = 2 << 10 // so that a secret that the bound cuts is seen whole
	d := &bodyDoc{Size: len(b), Cut: len(b) > shownBody}
	text := p.mask(string(b[:min(len(b), shownBody+beyond)]))
	if d.Cut {
		end := min(len(text), shownBody)
		for end > 0 && end < len(text) && !utf8.RuneStart(text[end]) {
			end--
		}
		text = text[:end]
	}
	d.Text = visible(text)
	return d
}

// visible writes signs for control characters, which stay where they are.
func visible(s string) string {
	s = strings.ToValidUTF8(s, "\ufffd")
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return r
		case r < 0x20:
			return '\u2400' + r // control pictures
		case r == 0x7f:
			return '\u2421'
		case steers(r):
			return '\ufffd'
		}
		return r
	}, s)
}

func (p *packer) delta(c *trail.Change) deltaDoc {
	d := deltaDoc{Op: string(c.Op), Collection: p.plain(c.Collection), ID: p.plain(c.ID), Hidden: p.hidden[c.Collection]}
	if d.Hidden {
		return d // it often holds a whole reply again
	}
	if d.Title = p.title(c.After); c.After == nil {
		d.Title = p.title(c.Before)
	}
	if c.Before == nil || c.After == nil || len(c.Before)+len(c.After) > mostWhole {
		if d.Record = p.body(c.After); c.After == nil {
			d.Record = p.body(c.Before)
		}
		return d
	}
	d.Fields, d.More = p.fieldDocs(fieldsOf(c.Before, c.After), nil)
	return d
}

// fieldDocs words what fields were and are; by says who changed each.
func (p *packer) fieldDocs(all []Difference, by func(pointer string) uint64) (docs []fieldDoc, more int) {
	for i, d := range all {
		if i == mostFields {
			return docs, len(all) - i
		}
		was, is := words.Apart(p.fieldValue(d.Pointer, d.Was), p.fieldValue(d.Pointer, d.Is), mostOfField)
		doc := fieldDoc{Pointer: cut(p.plain(d.Pointer), 300), Was: cut(was, mostOfField), Is: cut(is, mostOfField)}
		if by != nil {
			doc.By = by(d.Pointer)
		}
		docs = append(docs, doc)
	}
	return docs, 0
}

// mostOfField is how many characters of a field are told.
const mostOfField = 400

// fieldValue writes the value of a field, whose name may say that it is a secret.
func (p *packer) fieldValue(pointer string, v any) string {
	if v == nil {
		return ""
	}
	data, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	prefix := `"` + last(pointer) + `":`
	text := p.tracer.plain(prefix + string(data[:min(len(data), shownBody)])) // masked before it is cut
	return strings.TrimPrefix(text, p.plain(prefix))
}
