package profiles

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"sync"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"
	"go.yaml.in/yaml/v4/plugin/loaderlimits"
)

// Bounds on one file.
const (
	maxBytes = 1 << 20
	maxDepth = 32
)

// readDocument gives the one document of a file, or nil where there is none to
// go on with.
func readDocument(f *finder, file string, content []byte) *yaml.Node {
	if at, what := unreadable(content); what != "" {
		f.wrong(locate(file, content, at), "a profile is UTF-8 text", "%s", what)
		return nil
	}
	first, second, err, more := parse(content)
	if err != nil && !errors.Is(err, io.EOF) {
		if veiled := veil(content); veiled != nil { // operations as they are written, inside { }
			if f, s, e, m := parse(veiled); e == nil {
				first, second, err, more = f, s, e, m
				unveil(&first)
			}
		}
	}
	switch {
	case errors.Is(err, io.EOF):
		f.wrong(place{file: file, line: 1, col: 1}, "a profile begins with its name: profile: my-profile", "there is nothing in this file")
		return nil
	case err != nil:
		syntax(f, file, content, err)
		return nil
	}
	switch {
	case errors.Is(more, io.EOF):
	case more != nil:
		syntax(f, file, content, more)
	default:
		f.wrong(place{file: file, line: max(1, second.Line), col: max(1, second.Column)}, "keep one profile in a file",
			"a second document begins here, and would be ignored")
	}
	if len(first.Content) != 1 {
		f.wrong(place{file: file, line: 1, col: 1}, "a profile begins with its name: profile: my-profile", "there is nothing in this file")
		return nil
	}
	return first.Content[0]
}

// shallow bounds how deep a document may nest.
func shallow(depth int, _ *yaml.DepthContext) error {
	if depth > maxDepth {
		return fmt.Errorf("nested more than %d deep", maxDepth)
	}
	return nil
}

// unreadable finds the first byte that no text has. YAML takes a NUL for the
// end of the file and would ignore the rest.
func unreadable(content []byte) (int, string) {
	if len(content) > maxBytes {
		return 0, fmt.Sprintf("this file has more than %d bytes", maxBytes)
	}
	for i := 0; i < len(content); {
		r, size := utf8.DecodeRune(content[i:])
		switch {
		case r == utf8.RuneError && size <= 1:
			return i, fmt.Sprintf("byte %#02x is not UTF-8", content[i])
		case r < ' ' && r != '\t' && r != '\n' && r != '\r', r == 0x7f:
			return i, fmt.Sprintf("a control character, %#02x", r)
		}
		i += size
	}
	return 0, ""
}

// parse reads the first document of a file, and looks for a second.
func parse(content []byte) (first, second yaml.Node, err, more error) { //nolint:revive // two of one kind
	loader, err := yaml.NewLoader(bytes.NewReader(content), yaml.WithPlugin(loaderlimits.New(loaderlimits.DepthFunc(shallow))))
	if err != nil {
		return first, second, err, nil
	}
	if err = loader.Load(&first); err == nil {
		more = loader.Load(&second)
	}
	return first, second, err, more
}

// operation is a method and a path with parameters, as documentation writes it.
var operation = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\b(?:GET|PUT|POST|PATCH|DELETE|HEAD|OPTIONS|TRACE|QUERY) /(?:[^\s,{}"'\]]|\{[^{}\s,"']*\})*`)
})

// The braces of paths, while YAML reads the document: to it they would begin and
// end a map where they stand inside one.
const veiledOpen, veiledClose = '\uE000', '\uE001'

// veil takes the braces out of operations; nil where there are none, or where
// they could not be told from what is there.
func veil(content []byte) []byte {
	if bytes.ContainsRune(content, veiledOpen) || bytes.ContainsRune(content, veiledClose) {
		return nil
	}
	veiled := operation().ReplaceAllFunc(content, func(path []byte) []byte {
		return []byte(strings.NewReplacer("{", string(veiledOpen), "}", string(veiledClose)).Replace(string(path)))
	})
	if bytes.Equal(veiled, content) {
		return nil
	}
	return veiled
}

// unveil puts them back.
func unveil(n *yaml.Node) {
	n.Value = strings.NewReplacer(string(veiledOpen), "{", string(veiledClose), "}").Replace(n.Value)
	for _, inner := range n.Content {
		unveil(inner)
	}
}

// locate turns an offset into a line and a column.
func locate(file string, content []byte, offset int) place {
	before := content[:min(max(0, offset), len(content))]
	line := bytes.Count(before, []byte("\n"))
	begin := bytes.LastIndexByte(before, '\n') + 1
	return place{file: file, line: line + 1, col: utf8.RuneCount(before[begin:]) + 1}
}

// syntax words what the YAML reader stumbled over, naming its usual traps.
func syntax(f *finder, file string, content []byte, err error) {
	var load *yaml.LoadError
	if !errors.As(err, &load) {
		f.wrong(place{file: file, line: 1, col: 1}, "", "this is not YAML: %v", err)
		return
	}
	at := place{file: file, line: load.Mark.Line, col: max(1, load.Mark.Column)}
	if at.line < 1 {
		at = locate(file, content, load.Mark.Index)
	}
	lines := strings.Split(string(content), "\n")
	for _, n := range []int{at.line, load.ContextMark.Line, at.line - 1} {
		if n < 1 || n > len(lines) {
			continue
		}
		line := lines[n-1]
		indent := line[:len(line)-len(strings.TrimLeft(line, " \t"))]
		if tab := strings.IndexByte(indent, '\t'); tab >= 0 {
			f.wrong(place{file: file, line: n, col: tab + 1}, "indent with spaces", "a tab, which YAML does not allow as indentation")
			return
		}
	}
	f.wrong(at, trap(lines, at, load), "this is not YAML: %s", load.Message)
}

// trap gives the hint for a mistake that YAML words poorly.
func trap(lines []string, at place, load *yaml.LoadError) string {
	if at.line > len(lines) {
		return ""
	}
	line := strings.TrimRight(lines[at.line-1], "\r")
	_, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
	value = strings.TrimSpace(value)
	switch {
	case at.col <= len(line) && strings.ContainsAny(line[at.col-1:at.col], "%@`"):
		return fmt.Sprintf("a value cannot begin with %s: quote it, or mend it", line[at.col-1:at.col])
	case strings.HasPrefix(value, "*"):
		return fmt.Sprintf("a value that begins with * is an alias to YAML: quote it, %q", value)
	case strings.Contains(load.Message, "mapping values are not allowed") && folded(lines, at.line) > 0:
		n := folded(lines, at.line)
		return fmt.Sprintf("to YAML the text that begins on line %d goes on until here: mend the indentation of line %d", n, n)
	case strings.Contains(load.Message, "mapping values are not allowed"):
		return "a colon inside a value, or a line indented too far: quote the value, or mend the indentation"
	case misaligned(lines, at.line) > 0:
		n := misaligned(lines, at.line)
		return fmt.Sprintf("the block that it would be in begins on line %d, column %d: keys of one block stand under one another", n, indentOf(lines[n-1])+1)
	case strings.Contains(line, "/{"):
		return "inside { } quote what has a { in it, or write one key a line"
	case load.ContextMark.Line > 0 && load.ContextMark.Line < at.line:
		return fmt.Sprintf("%s that began on line %d", strings.TrimPrefix(load.ContextMsg, "while "), load.ContextMark.Line)
	}
	return ""
}

// misaligned gives the first line of the block that a line would be in, where it
// is indented otherwise than that line; 0: it is not.
func misaligned(lines []string, at int) int {
	own := indentOf(lines[at-1])
	first := 0
	for n := at - 1; n >= 1; n-- {
		text := strings.TrimSpace(lines[n-1])
		if text == "" || text[0] == '#' {
			continue
		}
		if indentOf(lines[n-1]) < own {
			break
		}
		first = n
	}
	if first == 0 || indentOf(lines[first-1]) == own {
		return 0
	}
	return first
}

// folded gives the line further out, before a line, that is no key and so a text
// that goes on with the lines after it; 0: there is none.
func folded(lines []string, at int) int {
	for n := at - 1; n >= 1; n-- {
		text := strings.TrimSpace(lines[n-1])
		if text == "" || text[0] == '#' || indentOf(lines[n-1]) >= indentOf(lines[at-1]) {
			continue
		}
		if strings.HasSuffix(text, ":") || strings.Contains(text, ": ") {
			return 0
		}
		return n
	}
	return 0
}

func indentOf(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }
