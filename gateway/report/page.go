package report

import (
	"io"
	"strings"
	"unicode/utf8"

	"github.com/fatih/color"
	"github.com/mattn/go-isatty"
)

// Options say how a report is to look.
type Options struct {
	Color bool // see Colored
	Width int  // in columns; 0: 80

	Verbose bool // what is counted by default is listed
}

// Colored tells whether w wants colours: it is a terminal that can show them,
// and NO_COLOR (https://no-color.org) is not set.
func Colored(w io.Writer, getenv func(string) string) bool {
	file, ok := w.(interface{ Fd() uintptr })
	return ok && isatty.IsTerminal(file.Fd()) && getenv("NO_COLOR") == "" && getenv("TERM") != "dumb"
}

// ink is what something is painted with.
type ink []color.Attribute

func red() ink    { return ink{color.FgRed, color.Bold} }
func green() ink  { return ink{color.FgGreen} }
func yellow() ink { return ink{color.FgYellow, color.Bold} }
func faint() ink  { return ink{color.Faint} }
func bold() ink   { return ink{color.Bold} }

// page is text in the making, wrapped to a width.
type page struct {
	*masker
	out   strings.Builder
	width int
	color bool

	verbose bool
}

func newPage(o Options) *page {
	if o.Width <= 0 {
		o.Width = 80
	}
	return &page{masker: newMasker(), width: max(o.Width, 40), color: o.Color, verbose: o.Verbose}
}

func (p *page) paint(i ink, s string) string {
	c := color.New(i...)
	c.DisableColor()
	if p.color {
		c.EnableColor()
	}
	return c.Sprint(s)
}

// blank leaves one empty line, never two, and none at the top.
func (p *page) blank() {
	if s := p.out.String(); s != "" && !strings.HasSuffix(s, "\n\n") {
		p.out.WriteByte('\n')
	}
}

// text writes s, wrapped, each further line hanging under the first.
func (p *page) text(indent int, s string) { p.labelled(strings.Repeat(" ", indent), nil, s, indent+2) }

// row writes a label and what belongs to it, wrapped in a column of its own.
func (p *page) row(label string, i ink, s string) {
	const column = 12
	p.labelled(label+strings.Repeat(" ", max(column-len(label), 2)), i, s, column)
}

// labelled writes a label, painted, and s behind it; what does not fit hangs.
func (p *page) labelled(label string, i ink, s string, hang int) {
	lines := fold(p.plain(s), p.width-len(label), p.width-hang)
	if i != nil {
		text := strings.TrimRight(label, " ")
		p.out.WriteString(p.paint(i, text) + label[len(text):])
	} else {
		p.out.WriteString(label)
	}
	p.out.WriteString(strings.Join(lines, "\n"+strings.Repeat(" ", hang)) + "\n")
}

// command writes what can be copied to a shell: never wrapped.
func (p *page) command(indent string, i ink, line string) {
	if i != nil {
		indent = p.paint(i, strings.TrimRight(indent, " ")) + indent[len(strings.TrimRight(indent, " ")):]
	}
	p.out.WriteString(indent + p.plain(line) + "\n")
}

// gap is what steps of a story are set apart by; lines break there first.
const gap = "   "

// fold cuts s into lines: at gaps where that is enough, else at spaces. A word
// longer than a line stays whole.
func fold(s string, head, rest int) []string {
	if utf8.RuneCountInString(s) <= head {
		return []string{s}
	}
	var lines []string
	line := ""
	put := func(word, sep string) {
		room := rest
		if len(lines) == 0 {
			room = head
		}
		if line != "" && utf8.RuneCountInString(line+sep+word) > room {
			lines = append(lines, line)
			line = word
			return
		}
		if line != "" {
			line += sep
		}
		line += word
	}
	for i, step := range strings.Split(s, gap) {
		if utf8.RuneCountInString(step) <= rest {
			put(step, gap)
			continue
		}
		for j, word := range strings.Fields(step) {
			if i > 0 && j == 0 {
				put(word, gap)
			} else {
				put(word, " ")
			}
		}
	}
	return append(lines, line)
}

// CommandLine writes a command as a shell reads it, without what looks like a
// secret.
func CommandLine(args []string) string { return quote(newMasker().command(args)) }

// quote writes a command as a shell reads it.
func quote(args []string) string {
	out := make([]string, len(args))
	for i, arg := range args {
		out[i] = arg
		if arg == "" || strings.ContainsFunc(arg, func(r rune) bool {
			return !strings.ContainsRune("_-./:=,+@%", r) && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
		}) {
			out[i] = "'" + strings.ReplaceAll(arg, "'", `'\''`) + "'"
		}
	}
	return strings.Join(out, " ")
}
