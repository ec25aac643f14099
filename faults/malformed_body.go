package faults

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"parity/fakes/world"
	"parity/specs/document"
)

// malformedBody spoils the writing of a reply, and leaves its length right.
//
//	{"id":"ch_1","amount":900} ─▶ {"id":"ch_1","amount":NaN}
func malformedBody() *Fault {
	return &Fault{
		Name:     "malformed-body",
		Phase:    InReply,
		Live:     LiveReply,
		Summary:  "A whole body that is not what its head says: JSON without its last brace or with a comma too many, a byte order mark, NaN, a name twice, bytes that are no UTF-8, nothing at all, or JSON called HTML.",
		Reaction: "Nothing seen only in a broken body is written anywhere.",
		Judging:  Judging{Class: Malformed, Lessens: true, Hollow: true, Legible: misspelt},
		Forms:    []Form{{Rank: 100, With: map[string]any{"how": "invalid"}, Fits: fitsAll}},
		Example: `said-twice:
  call: hubspot *
  inject: malformed-body
  with: {how: duplicate-keys}
  trigger: {chance: 5%}`,
		Params: []Param{
			{
				Name: "how", Kind: Choice, Default: "invalid",
				Choices: []string{"invalid", "trailing-comma", "bom", "nan", "duplicate-keys", "truncated-utf8", "empty", "html-labelled"},
				Doc:     "what is wrong: the last brace is missing (invalid), a comma before it (trailing-comma), a byte order mark comes first (bom), a number is NaN (nan), a name stands twice, the second time with another value (duplicate-keys), a text ends inside a character (truncated-utf8), a success has no body (empty), or Content-Type is text/html (html-labelled)", Example: "duplicate-keys",
			},
		},
		build: func(a Args) (Injection, error) { return spoiler(a.text("how")), nil },
	}
}

type spoiler string

func (s spoiler) Apply(p *Plan, _ CallContext) Mark {
	p.Amend(s.amend)
	return Mark{}
}

func (s spoiler) amend(a *Answer) Done {
	if len(a.Body) == 0 {
		return Nothing("the reply has no body")
	}
	switch s {
	case "empty":
		if !a.Succeeded() {
			return Nothing("the reply is no success")
		}
		a.Body = nil
		return Done{Did: "sent no body", Broken: true}
	case "html-labelled":
		a.Header.Set("Content-Type", "text/html; charset=utf-8")
		return Done{Did: "called the body HTML"}
	case "bom":
		a.Body = append([]byte("\xef\xbb\xbf"), a.Body...)
		return Done{Did: "put a byte order mark before the body", Broken: true}
	}
	value, ok := a.JSON()
	if !ok {
		return Nothing("the reply is not JSON")
	}
	switch s {
	case "nan":
		return nan(a, value)
	case "duplicate-keys":
		return doubled(a, value)
	case "truncated-utf8":
		return splitCharacter(a)
	}
	end := bytes.LastIndexAny(a.Body, "}]")
	if end < 1 {
		return Nothing("the reply is neither an object nor a list")
	}
	rest := bytes.Clone(a.Body[end:])
	if s == "trailing-comma" {
		if inner := bytes.TrimSpace(a.Body[:end]); bytes.HasSuffix(inner, []byte("{")) || bytes.HasSuffix(inner, []byte("[")) {
			return Nothing("the reply has nothing to put a comma behind")
		}
		a.Body = append(append(bytes.Clone(a.Body[:end]), ','), rest...)
		return Done{Did: "put a comma before the end of the body", Broken: true}
	}
	a.Body = append(bytes.Clone(a.Body[:end]), rest[1:]...)
	return Done{Did: "left out the end of the body", Broken: true}
}

// mark stands for a spoilt value until it is encoded: no reply has it.
const mark = "\x00spoilt\x00"

// nan has the first number of a reply be none.
func nan(a *Answer, value any) Done {
	name, ok := replace(value, func(v any) bool {
		switch v.(type) {
		case int64, float64:
			return true
		}
		return false
	})
	if !ok {
		return Nothing("the reply has no number")
	}
	a.Body = bytes.Replace(world.Encode(value), world.Encode(mark), []byte("NaN"), 1)
	return Done{Did: "made " + name + " NaN", Broken: true}
}

// replace puts the mark in place of one value inside objects, and gives its
// name: the first in the order of names, those nearer the top first.
func replace(value any, fits func(any) bool) (string, bool) {
	queue := []any{value}
	for len(queue) > 0 {
		at := queue[0]
		queue = queue[1:]
		switch at := at.(type) {
		case []any:
			queue = append(queue, at...)
		case map[string]any:
			for _, name := range slices.Sorted(maps.Keys(at)) {
				if fits(at[name]) {
					at[name] = mark
					return name, true
				}
				queue = append(queue, at[name])
			}
		}
	}
	return "", false
}

// doubled says a name of one of the reply's objects twice. Most readers take
// the second.
func doubled(a *Answer, value any) Done {
	var was, next any
	name, ok := replace(value, func(v any) (ok bool) {
		was = v
		next, ok = a.other(v)
		return ok
	})
	if !ok {
		return Nothing("the reply has no plain value")
	}
	twice := fmt.Sprintf("%s,%s:%s", world.Encode(was), world.Encode(name), world.Encode(next))
	a.Body = bytes.Replace(world.Encode(value), world.Encode(mark), []byte(twice), 1)
	return Done{Did: "said " + name + " twice", Planted: []string{fmt.Sprint(next)}}
}

// other is another value of the same type, that nothing else has.
func (a *Answer) other(value any) (any, bool) {
	switch v := value.(type) {
	case string:
		if v != "" {
			return v + "_" + fmt.Sprintf("%04x", int(a.Draw("other")*0xffff)), true
		}
	case int64:
		return v + 1 + int64(a.Draw("other")*1000), true
	}
	return nil, false
}

// splitCharacter ends the first text of the reply that is a value inside a
// character of two bytes.
func splitCharacter(a *Answer) Done {
	at := bytes.Index(a.Body, []byte(`:"`))
	if at < 0 {
		return Nothing("the reply has no text")
	}
	at += len(`:"`)
	end := at
	for end < len(a.Body) && a.Body[end] != '"' {
		if a.Body[end] == '\\' {
			end++
		}
		end++
	}
	if end >= len(a.Body) {
		return Nothing("the reply has no text")
	}
	text := document.Clip(string(a.Body[at:end]), 40)
	a.Body = append(append(bytes.Clone(a.Body[:end]), 0xc3), a.Body[end:]...)
	return Done{Did: fmt.Sprintf("ended %q inside a character", text), Broken: !utf8.Valid(a.Body)}
}

// misspelt tells a body that readers which are not strict can still read.
func misspelt(did string) bool {
	return strings.HasPrefix(did, "called the body") || strings.HasPrefix(did, "put a byte order") || strings.HasPrefix(did, "said ") || strings.HasPrefix(did, "made ")
}

// NotANumber tells, by the words for what it did, a body with NaN in it.
func NotANumber(did string) bool { return strings.HasSuffix(did, " NaN") }
