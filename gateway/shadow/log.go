package shadow

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"parity/specs/body"
	"parity/specs/words"
)

// Bounds on a log: what is beyond them is no log that a person has read.
const (
	mostLog   = 64 << 20 // bytes
	mostLine  = 1 << 20
	mostLines = 100_000
	mostTold  = 20 // problems
)

// A Line is one of a person's log.
type Line struct {
	Number int
	At     time.Time
	Call   string // SERVICE METHOD PATH, its path as contracts write it or as it was called; or SERVICE METHOD
	Path   any    // the path as it was called, or its parameters by name; nil: Call has it
	Body   any    // decoded JSON, or text; nil: none
	By     string
}

// Read reads a log, a JSON object a line. Its error tells all that is wrong with it,
// each with the number of its line.
func Read(log []byte) ([]Line, error) {
	if len(log) > mostLog {
		return nil, fmt.Errorf("the log has more than %d MB: cut it into several", mostLog>>20)
	}
	var lines []Line
	var wrong []error
	log = bytes.TrimPrefix(log, []byte("\xef\xbb\xbf"))
	for i, text := range bytes.Split(log, []byte("\n")) {
		text = bytes.TrimSpace(text)
		if len(text) == 0 {
			continue
		}
		line, err := readLine(text)
		if err == nil && len(lines) == mostLines {
			return nil, fmt.Errorf("the log has more than %d lines: cut it into several", mostLines)
		}
		if err != nil {
			wrong = append(wrong, fmt.Errorf("line %d: %w", i+1, err))
			continue
		}
		line.Number = i + 1
		lines = append(lines, line)
	}
	if more := len(wrong) - mostTold; more > 0 {
		wrong = append(wrong[:mostTold:mostTold], fmt.Errorf("and %s more", words.Count(more, "line")))
	}
	if len(wrong) == 0 && len(lines) == 0 {
		return nil, errors.New(`the log is empty: a line of it is {"at": "2026-03-02T13:00:00Z", "call": "stripe POST /v1/refunds", "body": {"charge": "ch_1"}, "by": "ada"}`)
	}
	return lines, errors.Join(wrong...)
}

// names are the keys of a line.
const names = "at, call, path, body and by"

func readLine(text []byte) (l Line, err error) {
	if len(text) > mostLine {
		return l, fmt.Errorf("it has more than %d MB", mostLine>>20)
	}
	value, problem := body.DecodeJSON(text)
	if problem != nil {
		return l, errors.New("it " + problem.Message)
	}
	fields, ok := value.(map[string]any)
	if !ok {
		return l, errors.New("it is no JSON object with " + names)
	}
	wrong := l.take(fields)
	if len(wrong) == 0 {
		return l, nil
	}
	slices.Sort(wrong)
	return l, errors.New(strings.Join(wrong, "; "))
}

// take reads the keys of a line, and tells what is wrong with them.
func (l *Line) take(fields map[string]any) (wrong []string) {
	texts := map[string]string{}
	for name, value := range fields {
		switch name {
		case "at", "call", "by":
			text, ok := value.(string)
			if !ok {
				wrong = append(wrong, name+" is no text")
			}
			texts[name] = strings.TrimSpace(text)
		case "body":
			l.Body = value
		case "path":
			l.Path = value
			switch value.(type) {
			case string, map[string]any, nil:
			default:
				wrong = append(wrong, "path is neither a text nor an object")
			}
		default:
			wrong = append(wrong, fmt.Sprintf("%q is no key of it: say %s", short(name), names))
		}
	}
	l.Call, l.By = texts["call"], texts["by"]
	for name, such := range map[string]string{"at": "2026-03-02T13:00:00Z", "call": "stripe POST /v1/refunds"} {
		if text, isText := fields[name].(string); fields[name] == nil || isText && strings.TrimSpace(text) == "" {
			wrong = append(wrong, name+" is missing, such as "+such)
		}
	}
	if texts["at"] != "" {
		var err error
		if l.At, err = time.Parse(time.RFC3339, texts["at"]); err != nil {
			wrong = append(wrong, fmt.Sprintf("at is no instant with its zone: %q, where 2026-03-02T13:00:00Z is one", short(texts["at"])))
		}
	}
	return wrong
}

// short keeps a text of a log short where it is told.
func short(text string) string {
	if runes := []rune(text); len(runes) > 80 {
		return string(runes[:80]) + "…"
	}
	return text
}
