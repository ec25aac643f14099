package report

import (
	"bufio"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"

	"parity/faults/trail"
)

//go:embed page
var assets embed.FS

// HTMLOptions say what a page knows besides the report and its events.
type HTMLOptions struct {
	Version string          // of Parity
	Hidden  map[string]bool // collections that hold a service's bookkeeping: no part of the world that is compared
	Forks   []uint64        // the events after which the line of events went on in another run
}

// HTML writes the report as one page that needs nothing else: no network, no
// other file. What it says of the run is markup, and readable without scripts;
// the events are packed behind it:
//
//	┌ markup ────────────────────────┐ ┌ packed, base64 of gzip of JSON ──┐ ┌ script ┐
//	│ verdicts · not proved · faults │ │ parts of frames · world · rows   │ │        │
//	└────────────────────────────────┘ └──────────────────────────────────┘ └────────┘
//
// so that the first screen is painted before anything is unpacked, and a frame
// when it is opened. Traffic reaches the page as text alone: the markup is
// escaped, what is packed is put there as text, and the page's own policy lets
// no other script run and nothing be fetched. What is bounded says so.
func HTML(w io.Writer, r Report, events []trail.Event, settlements map[uint64]trail.Settlement, o HTMLOptions) error {
	style, err := asset("page.css")
	if err != nil {
		return err
	}
	script, err := asset("theme.js", "data.js", "list.js", "frame.js", "world.js", "page.js")
	if err != nil {
		return err
	}
	page, err := template.ParseFS(assets, "page/*.html")
	if err != nil {
		return err
	}
	out := bufio.NewWriterSize(w, 64<<10)
	p := &packer{tracer: &tracer{page: newPage(Options{})}, out: out, bound: mostPacked, hidden: o.Hidden, forks: o.Forks, settlements: settlements}
	p.choose(r.Verdicts, events)
	v := p.view(&r, o)
	v.Style, v.Script, v.Policy = template.CSS(style), template.JS(script), allowed(style, script) // our own, from page
	if err := page.ExecuteTemplate(out, "head", v); err != nil {
		return fmt.Errorf("report: %w", err)
	}
	if err := p.pack(); err != nil {
		return fmt.Errorf("report: %w", err)
	}
	if err := page.ExecuteTemplate(out, "foot", v); err != nil {
		return fmt.Errorf("report: %w", err)
	}
	return out.Flush()
}

// asset gives files of the page, one after the other.
func asset(names ...string) (string, error) {
	text := "\n"
	for _, name := range names {
		data, err := assets.ReadFile("page/" + name)
		if err != nil {
			return "", err
		}
		text += string(data)
	}
	return text, nil
}

// allowed is the policy of a page: it lets its one style and its one script be, and
// nothing be fetched.
func allowed(style, script string) string {
	return "default-src 'none'; img-src data:; style-src '" + digest(style) + "'; script-src '" + digest(script) + "'; base-uri 'none'; form-action 'none'"
}

// digest is how a policy names the one script, or style, that it lets be
// (https://www.w3.org/TR/CSP3/#grammardef-hash-source).
func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}
