package faults

import (
	"net/http"
	"unicode/utf8"

	"parity/faults/trail"
)

// truncatedBody cuts the reply short.
//
//	{"id":"ch_1","amount":9╳
func truncatedBody() *Fault {
	return &Fault{
		Name:     "truncated-body",
		Phase:    InReply,
		Live:     LiveReply,
		Summary:  "The body is cut at a byte, a share, or inside a character; its length right or wrong; compressed or in chunks, if asked for.",
		Reaction: "Nothing seen only in a broken body is written anywhere.",
		Judging:  Judging{Class: Truncated, Lessens: true},
		Forms:    []Form{{Rank: 200, With: map[string]any{"at": "50%"}, Tries: SDKTries, Fits: fitsReads}},
		Example: `half-a-list:
  call: stripe GET /v1/charges
  inject: truncated-body
  with: {at: 60%, length: right}
  trigger: {first: 2}`,
		Params: []Param{
			{
				Name: "at", Kind: Cut, Choices: []string{"character"}, Default: 0.5,
				Doc: "where: a share (50%) or a size (64B) of what is sent, compressed or not, or inside the first character of several bytes", Example: "50%",
			},
			{
				Name: "length", Kind: Choice, Choices: []string{"wrong", "right"}, Default: "wrong",
				Doc: "wrong: Content-Length counts the whole body, or the last chunk is missing, and the connection closes early; right: it counts what is sent, so that only the reader of the body can tell", Example: "right",
			},
			encodingParam(),
			framingParam("length"),
		},
		build: func(a Args) (Injection, error) {
			return cutter{at: a["at"], honest: a.text("length") == "right", framing: framingOf(a)}, nil
		},
	}
}

type cutter struct {
	at      any
	honest  bool
	framing framing
}

func (c cutter) Apply(p *Plan, _ CallContext) Mark {
	p.Wire.Short, p.Wire.Honest = true, c.honest
	if !c.honest {
		p.Wire.End = trail.Close
	}
	p.cut = c.at
	c.framing.put(p)
	p.Amend(func(a *Answer) Done {
		if a.Method == http.MethodHead || len(a.Body) == 0 {
			p.Wire.Short, p.Wire.Honest, p.Wire.End = false, false, trail.Complete
			return Nothing("the reply has no body to cut")
		}
		return Done{Broken: true}
	})
	return Mark{}
}

// place is a cut at a byte of the body as it is before it is encoded.
type place int

// CutAt gives the number of bytes of body that go out, for a plan whose wire
// is Short: always fewer than all of them, unless there are none. Body is as it
// goes out; where CutsText, it is as it was before it was encoded.
func (p *Plan) CutAt(body []byte) int {
	n := len(body) / 2
	switch at := p.cut.(type) {
	case float64:
		n = int(at * float64(len(body)))
	case int64:
		n = int(min(at, int64(len(body))))
	case string:
		n = insideCharacter(body)
	case place:
		n = int(at)
	}
	return max(0, min(n, len(body)-1))
}

// CutsText tells whether CutAt goes by what the body says, not by how many
// bytes of it there are.
func (p *Plan) CutsText() bool {
	switch p.cut.(type) {
	case string, place:
		return true
	}
	return false
}

// insideCharacter finds a place inside the first character of several bytes,
// or else the middle.
func insideCharacter(body []byte) int {
	for i := 0; i < len(body); {
		_, size := utf8.DecodeRune(body[i:])
		if size > 1 {
			return i + 1
		}
		i += size
	}
	return len(body) / 2
}
