package faults

import (
	"bytes"
	"fmt"
	"strings"

	"parity/fakes/world"
)

// largeReply makes a reply too large to be read by the way.
//
//	{"id":"c_1", … ,"debug":{"trace":{"trace":…"xxxxxxxx…"}}}
func largeReply() *Fault {
	return &Fault{
		Name:     "large-reply",
		Phase:    InReply,
		Live:     LiveReply,
		Summary:  "Megabytes, or a nesting that parsers give up on, where kilobytes are usual.",
		Reaction: "No repeat of the same call: it asks for less, or stops.",
		Judging:  Judging{Class: TooLarge, Lessens: true},
		Forms:    []Form{{Rank: 280, With: map[string]any{"size": "2MB"}, Fits: fitsReads}},
		Example: `a-list-of-megabytes:
  call: stripe GET /v1/charges
  inject: large-reply
  with: {size: 8MB, depth: 500}
  trigger: {nth: 1}
  because: One reply of a few megabytes fills the context of the model that reads it.`,
		Params: []Param{
			{Name: "size", Kind: Size, Default: int64(2 << 20), Doc: "of the whole body, about: from 64KB to 16MB", Example: "8MB"},
			{Name: "depth", Kind: Count, Min: 1, Max: 10_000, Doc: "how deep the nesting is, where the contract leaves room for a field of its own", Example: "2000"},
		},
		build: func(a Args) (Injection, error) {
			b := bulk{size: a.count("size"), depth: int(a.count("depth"))}
			if b.size < 64<<10 || b.size > 16<<20 {
				return nil, &ArgError{Key: "size", Message: "from 64KB to 16MB"}
			}
			return b, nil
		},
	}
}

type bulk struct {
	size  int64
	depth int
}

func (b bulk) Apply(p *Plan, _ CallContext) Mark {
	p.Amend(b.amend)
	return Mark{}
}

// amend puts the bulk where the contract leaves room for it: into a field of
// its own, or a text that may be long, or else between the values.
func (b bulk) amend(a *Answer) Done {
	value, ok := a.JSON()
	if !ok || !a.Succeeded() {
		return Nothing("the reply is no success with a JSON body")
	}
	lacks := int(b.size) - len(a.Body)
	if lacks <= 0 && b.depth == 0 {
		return Nothing("the reply is as large already")
	}
	size := func() string { return fmt.Sprintf("made it %d bytes", len(a.Body)) }
	above := 1
	if _, inList := value.([]any); inList {
		above = 2
	}
	if object := roomy(value); object != nil {
		object["debug"] = filler(1 << 16)
		if a.allows(value) {
			object["debug"] = placeholder
			a.Body = bytes.Replace(world.Encode(value), []byte(`"`+placeholder+`"`), b.nested(lacks, above), 1)
			did := size() + ", in a field debug"
			if b.depth > 0 {
				did += fmt.Sprintf(", nested %d deep", b.depth)
			}
			return Done{Did: did}
		}
		delete(object, "debug")
	}
	suffix := ""
	if b.depth > 0 {
		suffix = "; not nested: the contract has no room for another field"
	}
	if lacks <= 0 {
		return Nothing("the contract has no room for another field")
	}
	if name := b.lengthen(a, value, lacks); name != "" {
		return Done{Did: size() + ", in the text of " + name + suffix}
	}
	gap := bytes.IndexAny(a.Body, "{[") + 1 // white space means nothing there
	a.Body = bytes.Join([][]byte{a.Body[:gap], bytes.Repeat([]byte(" "), lacks), a.Body[gap:]}, nil)
	return Done{Did: size() + ", in white space" + suffix}
}

// roomy is the object that may take another field: the whole, or the first of a
// list.
func roomy(value any) map[string]any {
	if list, ok := value.([]any); ok && len(list) > 0 {
		value = list[0]
	}
	object, _ := value.(map[string]any)
	return object
}

// placeholder stands for the bulk while the rest is written.
const placeholder = "parity-bulk-goes-here"

// nested writes the bulk as deep as it is to be, below some levels.
func (b bulk) nested(size, above int) []byte {
	const open, shut = `{"trace":`, `}`
	var w bytes.Buffer
	deep := max(b.depth-above, 0)
	w.Grow(deep*(len(open)+len(shut)) + max(size, 0) + 2)
	w.WriteString(strings.Repeat(open, deep))
	w.WriteString(`"` + filler(max(size-w.Len()-deep-10, 1)) + `"`)
	w.WriteString(strings.Repeat(shut, deep))
	return w.Bytes()
}

// filler is text of a length.
func filler(n int) string {
	const line = "0000000 retrieved shard segment, no further detail available. "
	return strings.Repeat(line, n/len(line)+1)[:n]
}

// lengthen puts the bulk into a text that the contract does not bound, and
// tells which.
func (b bulk) lengthen(a *Answer, value any, lacks int) string {
	object := roomy(value)
	for _, name := range []string{"description", "body", "text", "notes", "comment", "content", "summary", "message", "title", "name"} {
		was, ok := object[name].(string)
		if !ok {
			continue
		}
		object[name] = was + filler(1<<16)
		if a.allows(value) {
			object[name] = was + filler(lacks)
			a.Put(value)
			return name
		}
		object[name] = was
	}
	return ""
}
