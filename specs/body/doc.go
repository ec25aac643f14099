// Package body turns the bytes of a message into values that have the types of
// a schema, and values back into bytes.
//
//	path, query, header, cookie ── Parameters ──┐             ┌── EncodeParameter ──▶ text
//	JSON, form, multipart, XML ──── Decode… ────┼──▶ values ──┤
//	any charset ──── ToUTF8 ──▶ UTF-8 ──────────┘             └── Encode ──▶ bytes
//
// Values are nil, bool, int64, float64, string, []any and map[string]any. Text
// gets the type that its schema declares; text that cannot have it stays text,
// for the judge of the schema to refuse. Only what cannot be read at all is a
// Problem.
package body

import (
	"strings"

	"parity/specs/document"
)

// The rules that a Problem can name.
const (
	RuleRequired    = "required"     // a part, or a header of it, is missing
	RuleSyntax      = "syntax"       // bytes that are not what they are said to be
	RuleSize        = "size"         // too deep, too many, too long
	RuleContentType = "content-type" // a part of a kind that is not taken
)

// A Problem is why bytes cannot be read.
type Problem struct {
	Pointer string // JSON pointer to the value; "" for the whole
	Rule    string // one of the Rule constants
	Message string // what was meant, in words
	Want    string // the bound, or the kinds that are taken
	Got     string // what came, shortened
}

// Error says what is wrong, and where.
func (p *Problem) Error() string {
	if p.Pointer == "" {
		return p.Message
	}
	return p.Pointer + " " + p.Message
}

// escape writes a name as one token of a JSON pointer.
func escape(name string) string { return document.Escape(name) }

// shorten keeps a value from outside short enough for one line of a message.
func shorten(text string) string {
	const most = 80
	return strings.ToValidUTF8(document.Clip(text, most), "�")
}
