package notion

import (
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"parity/fakes/cast"
	"parity/fakes/kit"
)

// A field of a block's content: how it is read, and what it is when it was not
// sent. A nil default leaves it out.
type field struct {
	read     func(place) (any, problem)
	absent   any
	required bool
}

// leftOut is the default of a field that is not shown unless it was sent.
var leftOut = struct{}{}

// A shape is what blocks of a type hold.
type shape struct {
	fields map[string]field
	nests  bool // other blocks
	media  bool
}

func readTexts(p place) (any, problem) { return list(p.texts()) }

// list keeps a nil list from becoming a nil interface that is not nil.
func list(items []any, wrong problem) (any, problem) { return items, wrong }

func readBool(p place) (any, problem)   { return p.value, p.isBool() }
func readNumber(p place) (any, problem) { return p.value, p.isNumber() }
func readColor(p place) (any, problem)  { return p.value, p.isOne(colors...) }
func readIcon(p place) (any, problem)   { return p.icon(true) }

func readLine(most int) func(place) (any, problem) {
	return func(p place) (any, problem) { return p.value, p.isText(most) }
}

func readAny(p place) (any, problem) { return p.value, nil }

// shapeOf gives what blocks of a type hold; false where there is no such type.
func shapeOf(kind string) (shape, bool) {
	text := field{read: readTexts, required: true}
	color := field{read: readColor, absent: "default"}
	caption := field{read: readTexts, absent: []any{}}
	rich := map[string]field{"rich_text": text, "color": color}
	switch kind {
	case "paragraph":
		return shape{nests: true, fields: map[string]field{"rich_text": text, "color": color, "icon": {read: readIcon}}}, true
	case "bulleted_list_item", "quote", "toggle":
		return shape{nests: true, fields: rich}, true
	case "numbered_list_item":
		return shape{nests: true, fields: map[string]field{"rich_text": text, "color": color, "list_start_index": {read: readNumber, absent: leftOut}, "list_format": {read: readLine(20), absent: leftOut}}}, true
	case "heading_1", "heading_2", "heading_3", "heading_4":
		return shape{nests: true, fields: map[string]field{"rich_text": text, "color": color, "is_toggleable": {read: readBool, absent: false}}}, true
	case "to_do":
		return shape{nests: true, fields: map[string]field{"rich_text": text, "color": color, "checked": {read: readBool, absent: false}}}, true
	case "callout":
		return shape{nests: true, fields: map[string]field{"rich_text": text, "color": color, "icon": {read: readIcon, absent: map[string]any{"type": "emoji", "emoji": "💡"}}}}, true
	case "template":
		return shape{nests: true, fields: map[string]field{"rich_text": text}}, true
	case "code":
		return shape{fields: map[string]field{"rich_text": text, "caption": caption, "language": {read: readLanguage, required: true}}}, true
	case "equation":
		return shape{fields: map[string]field{"expression": {read: readLine(maxExpression), required: true}}}, true
	case "divider", "breadcrumb", "tab":
		return shape{nests: kind == "tab"}, true
	case "column_list":
		return shape{nests: true}, true
	case "table_of_contents":
		return shape{fields: map[string]field{"color": {read: readColor, absent: "gray"}}}, true
	case "column":
		return shape{nests: true, fields: map[string]field{"width_ratio": {read: readNumber, absent: leftOut}}}, true
	case "bookmark", "embed":
		return shape{fields: map[string]field{"caption": caption, "url": {read: readLine(maxLink), required: true}}}, true
	case "image", "video", "pdf", "audio", "file":
		return shape{media: true, fields: map[string]field{"caption": caption}}, true
	case "link_to_page":
		return shape{fields: map[string]field{"type": {read: readAny, absent: leftOut}, "page_id": {read: readID, absent: leftOut}, "database_id": {read: readID, absent: leftOut}, "comment_id": {read: readID, absent: leftOut}}}, true
	case "table":
		return shape{nests: true, fields: map[string]field{"table_width": {read: readNumber, required: true}, "has_column_header": {read: readBool, absent: false}, "has_row_header": {read: readBool, absent: false}}}, true
	case "table_row":
		return shape{fields: map[string]field{"cells": {read: readCells, required: true}}}, true
	case "synced_block":
		return shape{nests: true, fields: map[string]field{"synced_from": {read: readSynced}}}, true
	}
	return shape{}, false
}

// blockTypes are the types that can be made, in the order in which Notion
// names them.
var blockTypes = []string{
	"embed", "bookmark", "image", "video", "pdf", "file", "audio", "code", "equation", "divider", "breadcrumb",
	"table_of_contents", "link_to_page", "table_row", "table", "column_list", "column", "heading_1", "heading_2",
	"heading_3", "heading_4", "paragraph", "bulleted_list_item", "numbered_list_item", "quote", "to_do", "toggle", "template",
	"callout", "synced_block", "tab",
}

func readID(p place) (any, problem) {
	if wrong := p.isUUID(); wrong != nil {
		return nil, wrong
	}
	id, _ := uuidOf(cast.Text(p.value))
	return id, nil
}

func readCells(p place) (any, problem) {
	if wrong := p.isArray(maxElements); wrong != nil {
		return nil, wrong
	}
	cells := []any{}
	for i := range cast.List(p.value) {
		cell, wrong := p.item(i).texts()
		if wrong != nil {
			return nil, wrong
		}
		cells = append(cells, cell)
	}
	return cells, nil
}

func readSynced(p place) (any, problem) {
	if p.null() {
		return nil, nil
	}
	if wrong := p.isObject(); wrong != nil {
		return nil, wrong
	}
	id, wrong := readID(p.at("block_id"))
	return map[string]any{"type": "block_id", "block_id": id}, wrong
}

// A draft is a block that was asked for, and those within it.
type draft struct {
	kind    string
	content map[string]any
	within  []draft
}

// drafts reads blocks, and those within them down to a depth. Notion takes two
// levels below the ones that are sent first.
func (p place) drafts(depth int) ([]draft, problem) {
	if wrong := p.isArray(maxElements); wrong != nil {
		return nil, wrong
	}
	items := cast.List(p.value)
	all := make([]draft, 0, len(items))
	for i := range items {
		d, wrong := p.item(i).draft(depth)
		if wrong != nil {
			return nil, wrong
		}
		all = append(all, d)
	}
	return all, nil
}

func (p place) draft(depth int) (draft, problem) {
	if wrong := p.isObject(); wrong != nil {
		return draft{}, wrong
	}
	kind := p.blockType()
	if kind == "" {
		var wrong problem
		for _, known := range blockTypes {
			wrong = append(wrong, p.at(known).should("defined")...)
		}
		return draft{}, wrong
	}
	s, _ := shapeOf(kind)
	content, wrong := p.at(kind).fieldsOf(s, true)
	if wrong != nil {
		return draft{}, wrong
	}
	if at := p.at("object"); at.sent {
		wrong = at.isOne("block")
	}
	if at := p.at("type"); at.sent && wrong == nil {
		wrong = at.isOne(kind)
	}
	if wrong != nil {
		return draft{}, wrong
	}
	d := draft{kind: kind, content: content}
	if nested := p.nested(kind); nested.sent {
		if depth == 0 || !s.nests {
			return draft{}, nested.should("not present")
		}
		d.within, wrong = nested.drafts(depth - 1)
	}
	return d, wrong
}

// nested is where the blocks within a block are: in its content, or beside it.
func (p place) nested(kind string) place {
	if at := p.at(kind).at("children"); at.sent {
		return at
	}
	return p.at("children")
}

// blockType is the one type of which there is content.
func (p place) blockType() string {
	sent := cast.Object(p.value)
	if kind := kit.Text(sent, "type"); kind != "" {
		if _, ok := sent[kind]; ok && slices.Contains(blockTypes, kind) {
			return kind
		}
	}
	for _, kind := range blockTypes {
		if _, ok := sent[kind]; ok {
			return kind
		}
	}
	return ""
}

// fieldsOf reads a block's content. Where it is no whole, only what was sent
// is given.
func (p place) fieldsOf(s shape, whole bool) (map[string]any, problem) {
	if wrong := p.isObject(); wrong != nil {
		return nil, wrong
	}
	p = p.renamed()
	content := map[string]any{}
	known := []string{"children"}
	for _, name := range slices.Sorted(maps.Keys(s.fields)) {
		known = append(known, name)
		f, at := s.fields[name], p.at(name)
		switch {
		case at.sent:
			value, wrong := f.read(at)
			if wrong != nil {
				return nil, wrong
			}
			content[name] = value
		case !whole:
		case f.required:
			return nil, at.should("defined")
		case f.absent != leftOut:
			content[name] = f.absent
		}
	}
	if s.media {
		return p.mediaContent(content, known, whole)
	}
	if kind, ok := linked(content); ok {
		content["type"] = kind
	}
	return content, p.only(known...)
}

// linked names the kind of a link to a page.
func linked(content map[string]any) (string, bool) {
	for _, kind := range []string{"page_id", "database_id", "comment_id"} {
		if _, ok := content[kind]; ok {
			return kind, true
		}
	}
	return "", false
}

func (p place) mediaContent(content map[string]any, known []string, whole bool) (map[string]any, problem) {
	if whole || p.at("external").sent || p.at("file_upload").sent {
		file, wrong := p.file()
		if wrong != nil {
			return nil, wrong
		}
		maps.Copy(content, file)
	}
	if at := p.at("name"); at.sent {
		if wrong := at.isText(maxContent); wrong != nil {
			return nil, wrong
		}
		content["name"] = at.value
	} else if whole && strings.HasSuffix(p.where, ".file") { // files alone always have one
		content["name"] = path.Base(fileURL(content))
	}
	return content, p.only(append(known, "type", "external", "file_upload", "file", "name")...)
}

// renamed takes text for rich_text, as it was called before 2022-02-22.
func (p place) renamed() place {
	fields := cast.Object(p.value)
	if _, old := fields["text"]; !old || p.c.since(v20220222) {
		return p
	}
	renamed := maps.Clone(fields)
	renamed["rich_text"] = renamed["text"]
	delete(renamed, "text")
	p.value = renamed
	return p
}

func count(drafts []draft) int {
	n := len(drafts)
	for _, d := range drafts {
		n += count(d.within)
	}
	return n
}

// maxBlocks is the most that one request may make.
// Source: developers.notion.com, Request limits.
const maxBlocks = 1000

// made reads the blocks of a request, and holds them to what all of them
// together may be.
func (p place) made() ([]draft, *refusal) {
	drafts, wrong := p.drafts(2)
	if wrong != nil {
		return nil, invalid("body", wrong)
	}
	if n := count(drafts); n > maxBlocks {
		return nil, invalid("body", should(p.where, "at most `"+strconv.Itoa(maxBlocks)+"` blocks", strconv.Itoa(n)))
	}
	return drafts, nil
}

func readLanguage(p place) (any, problem) {
	if wrong := p.isText(maxContent); wrong != nil {
		return nil, wrong
	}
	return p.value, p.isOne(languages...)
}

// languages of code blocks. Source: developers.notion.com, Block, Code.
var languages = []string{
	"abap", "abc", "agda", "arduino", "ascii art", "assembly", "bash", "basic", "bnf", "c", "c#", "c++", "clojure", "coffeescript",
	"coq", "css", "dart", "dhall", "diff", "docker", "ebnf", "elixir", "elm", "erlang", "f#", "flow", "fortran", "gherkin", "glsl",
	"go", "graphql", "groovy", "haskell", "hcl", "html", "idris", "java", "javascript", "json", "julia", "kotlin", "latex", "less",
	"lisp", "livescript", "llvm ir", "lua", "makefile", "markdown", "markup", "matlab", "mathematica", "mermaid", "nix",
	"notion formula", "objective-c", "ocaml", "pascal", "perl", "php", "plain text", "powershell", "prolog", "protobuf", "purescript",
	"python", "r", "racket", "reason", "ruby", "rust", "sass", "scala", "scheme", "scss", "shell", "smalltalk", "solidity", "sql",
	"swift", "toml", "typescript", "vb.net", "verilog", "vhdl", "visual basic", "webassembly", "xml", "yaml", "java/c/c++/c#",
}
