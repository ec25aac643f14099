package github

import (
	"bytes"
	"regexp"
	"sync"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"

	"parity/fakes/kit"
)

// gfm renders Markdown as GitHub's flavour of it has it: tables, strikethrough,
// links without brackets, lists of tasks. Raw HTML is left out, which GitHub
// cleans instead.
var gfm = sync.OnceValue(func() goldmark.Markdown { return goldmark.New(goldmark.WithExtensions(extension.GFM)) })

func (c *call) markdown(text string) (answer, *refusal) {
	c.Spend(len(text) / 8)
	var out bytes.Buffer
	must(gfm().Convert([]byte(text), &out))
	return answer{raw: out.Bytes(), kind: "text/html;charset=utf-8"}, nil
}

// issueNumbers are numbers of issues that stand by themselves.
var issueNumbers = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(^|[\s(])#(\d+)\b`) })

func renderMarkdown(c *call) (answer, *refusal) {
	text, in := c.text("text"), c.text("context")
	if c.text("mode") == "gfm" && in != "" {
		text = issueNumbers().ReplaceAllString(text, "${1}[#${2}]("+c.web+"/"+kit.Clip(in)+"/issues/${2})")
	}
	return c.markdown(text)
}

func renderRaw(c *call) (answer, *refusal) { return c.markdown(string(c.Body)) }
