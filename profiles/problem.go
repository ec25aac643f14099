package profiles

import (
	"fmt"
	"slices"
	"strings"
)

// Problem is one thing wrong in one place.
type Problem struct {
	File    string // as the user would name it
	Line    int    // from 1; 0: the file as a whole
	Column  int    // from 1
	Message string
	Hint    string // how to mend it; may be empty
	Warning bool   // the profile can be used all the same
}

func (p Problem) Error() string {
	var b strings.Builder
	b.WriteString(p.File)
	if p.Line > 0 {
		fmt.Fprintf(&b, ":%d:%d", p.Line, p.Column)
	}
	b.WriteString(": ")
	if p.Warning {
		b.WriteString("warning: ")
	}
	b.WriteString(p.Message)
	if p.Hint != "" {
		b.WriteString("; " + p.Hint)
	}
	return b.String()
}

// Problems are all that was found, in the order of file, line and column. As
// an error it holds at least one that is not a warning.
type Problems []Problem

func (ps Problems) Error() string {
	lines := make([]string, len(ps))
	for i, p := range ps {
		lines[i] = p.Error()
	}
	return strings.Join(lines, "\n")
}

// Fatal tells whether any of them is more than a warning.
func (ps Problems) Fatal() bool {
	return slices.ContainsFunc(ps, func(p Problem) bool { return !p.Warning })
}

// place is where something stands.
type place struct {
	file      string
	line, col int
}

// maxProblems bounds what is kept of a file that is not a profile at all.
const maxProblems = 200

// finder gathers problems.
type finder struct {
	found   Problems
	dropped int
	errors  int // how many were more than warnings
}

func (f *finder) add(at place, warning bool, message, hint string) {
	p := Problem{File: at.file, Line: at.line, Column: at.col, Message: message, Hint: hint, Warning: warning}
	if !warning {
		f.errors++
	}
	switch {
	case slices.Contains(f.found, p): // a file that two others extend is judged once for each
	case len(f.found) >= maxProblems:
		f.dropped++
	default:
		f.found = append(f.found, p)
	}
}

// wrong notes an error; hint says how to mend it.
func (f *finder) wrong(at place, hint, format string, args ...any) {
	f.add(at, false, fmt.Sprintf(format, args...), hint)
}

// warn notes something that looks like a mistake and can be used.
func (f *finder) warn(at place, hint, format string, args ...any) {
	f.add(at, true, fmt.Sprintf(format, args...), hint)
}

// sorted gives all that was found: files in the order in which they were
// read, each from top to bottom.
func (f *finder) sorted(files []string) Problems {
	slices.SortStableFunc(f.found, func(a, b Problem) int {
		if d := slices.Index(files, a.File) - slices.Index(files, b.File); d != 0 {
			return d
		}
		if a.Line != b.Line {
			return a.Line - b.Line
		}
		return a.Column - b.Column
	})
	if f.dropped > 0 && len(f.found) > 0 {
		last := f.found[len(f.found)-1]
		last.Message, last.Hint = fmt.Sprintf("and %d problems more", f.dropped), "mend these first"
		last.Warning = f.errors == 0
		return append(f.found, last)
	}
	return f.found
}
