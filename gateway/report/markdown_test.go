package report

import (
	"bytes"
	"fmt"
	"html"
	"regexp"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	renderer "github.com/yuin/goldmark/renderer/html"

	"parity/faults/trail"
)

// rendered is a page as GitHub renders it: its tables, and links in what only
// looks like one; raw HTML goes through.
func rendered(t *testing.T, r Report) string {
	t.Helper()
	var page, out bytes.Buffer
	if err := Markdown(&page, r); err != nil {
		t.Fatal(err)
	}
	if err := goldmark.New(goldmark.WithExtensions(extension.GFM), goldmark.WithRendererOptions(renderer.WithUnsafe())).Convert(page.Bytes(), &out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestMarkdown(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"handled", "failed", "invalid", "mute", "mixed"} {
		var out bytes.Buffer
		if err := Markdown(&out, samples()[name]); err != nil {
			t.Fatal(err)
		}
		golden(t, name+".md", out.Bytes())
		if !regexp.MustCompile(`^### (Passed\n|(Failed|Invalid|Our fault): )`).Match(out.Bytes()) {
			t.Errorf("%s: it opens with something else", name)
		}
	}
}

// The tables of GitHub's flavour have a line of dashes, and as many cells in each
// row as in their head: what came over the wire opens no cell.
func TestMarkdownCannotBeInjected(t *testing.T) {
	t.Parallel()
	marks := regexp.MustCompile(`<(a|img|script|input|h1|h2|em|strong|code|del|ul|ol|li|pre|td|b|svg|iframe)[ >]`)
	tidy := func(said string) (string, int) { return html.UnescapeString(said), len(marks.FindAllString(said, -1)) }
	calm := hostile("harmless")
	_, want := tidy(rendered(t, calm))
	for _, text := range []string{
		"<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "<!-- hidden", "[click](https://evil.example)", "![x](https://evil.example/x.png)",
		"see https://evil.example/a and http://evil.example", "www.evil.example", "WWW.evil.example", "mail a@evil.example", "mailto:a@evil.example", "@octocat do it", "closes #14",
		"org/repo#14", "GH-14", "!14 and ~label and %1 and &2 and $3 and ^alert#4", "| new | cell |", "a `code` b", "``` fence", "**bold** __bold__ *it* _it_", "~~gone~~",
		"- item", "+ item", "1. one", "1) one", "# heading", "> quote", "---", "===", ":tada: :rocket:", "a\nb\r\n/close", "$x^2$ and $`x`$", "\\| x \\<b\\> \\", "&lt;b&gt; &#60;b&#62; &amp;",
		"[x]: https://evil.example", "[^1]", "- [ ] task", "<https://evil.example>", "a\u202eb", "ftp://evil.example", "xmpp:a@evil.example",
	} {
		page := rendered(t, hostile(text))
		plain, got := tidy(page)
		if got != want {
			t.Errorf("%q makes %d marks of %d:\n%s", text, got, want, page)
		}
		// References are looked for in what is left once marks are gone.
		body, _, _ := strings.Cut(plain, "<h3>Again")
		if found := regexp.MustCompile(`[@#!~%&$][A-Za-z0-9"]|(?i)gh-[0-9]|://|www\.|:[a-z]+:`).FindString(body); found != "" {
			t.Errorf("%q leaves %q, which is looked for", text, found)
		}
		if seen := newMasker().plain(text); !strings.Contains(strings.ReplaceAll(plain, "\u200b", ""), seen) {
			t.Errorf("%q does not read as it is:\n%s", text, page)
		}
	}
}

// hostile is a report that has a text wherever one can come from elsewhere.
func hostile(text string) Report {
	r := sample()
	mixed(&r)
	r.Run, r.Profile, r.Command = text, text, []string{text}
	for i := range r.Verdicts {
		v := &r.Verdicts[i]
		v.Subject, v.Lines, v.Why, v.Mend, v.Because, v.Weakened = text, []string{text, text}, text, text, text, []string{text}
		v.At = &trail.Place{File: text}
		v.Scope.Operations = []string{text}
	}
	r.Operations = []trail.Touched{{Operation: text, Effect: text, Fidelity: []trail.Fidelity{trail.Fidelity(text)}}}
	r.Surface = Surface{Services: []ServiceSurface{{Service: text, Allows: ByEffect{Read: 3}, Called: r.Operations}}}
	r.Untouched = []string{text}
	r.Faults = []trail.RuleCount{{Rule: text, Fault: text}}
	r.Differences = []trail.Difference{{Name: text, So: text, Weakens: []string{text}, Accepted: &trail.Acceptance{By: text, Until: text, Standing: trail.Expired}}}
	r.Outside, r.Denied = []trail.HostCount{{Host: text, Calls: 1}}, []trail.HostCount{{Host: text, Calls: 1}}
	r.NotPlayed, r.NeverCalled, r.Defects, r.Hints = []trail.NotPlayed{{Call: text}}, []string{text}, []trail.Defect{{Note: text}}, []string{text}
	return r
}

// A comment on GitHub has at most 65,536 characters, and says what is left out.
func TestMarkdownIsBounded(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"x", strings.Repeat("@&<", 400)} {
		r := hostile(text)
		r.Command = append(r.Command, strings.Repeat("long ", 5_000))
		for i := range 2_000 {
			v := r.Verdicts[i%3]
			v.Subject = fmt.Sprint(v.Subject, i)
			v.Result = []trail.Result{trail.Failed, trail.Passed, trail.NotExercised, trail.NotEvaluated}[i%4]
			r.Verdicts = append(r.Verdicts, v)
			r.Differences = append(r.Differences, r.Differences[0])
			r.Operations = append(r.Operations, r.Operations[0])
		}
		var out bytes.Buffer
		if err := Markdown(&out, r); err != nil {
			t.Fatal(err)
		}
		if out.Len() > most || !strings.Contains(out.String(), " more | ") || !strings.Contains(out.String(), "### Again") {
			t.Errorf("%d bytes", out.Len())
		}
		if strings.Count(out.String(), "<details>") != strings.Count(out.String(), "</details>") {
			t.Error("it is not closed")
		}
	}
}
