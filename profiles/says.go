package profiles

import (
	"errors"
	"regexp"
	re2 "regexp/syntax"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Says is what an agent writes to people of how its work went, beside the words
// that are known in any case.
type Says struct {
	Done    []*regexp.Regexp // its work is done
	Stopped []*regexp.Regexp // it stopped, or does not know
	Output  bool             // its last lines are read as well
}

// Bounds on what a profile says of words: each is held against each text that the
// agent writes.
const (
	mostPatterns = 100 // of one kind
	mostPattern  = 200 // characters
)

func saysKey() key {
	patterns := func(name, doc, example string) key {
		return key{name: name, kind: oneOrMany, some: true, adds: true, example: "[" + example + "]", of: &key{kind: text, example: example}, doc: doc}
	}
	return key{name: "says", kind: object, doc: "How this agent tells people how its work went, where it has words of its own for that.", keys: []key{
		patterns("done", "What it writes (in mails, messages, tickets, notes) when the work is done: regular expressions (RE2), without regard to case, each found anywhere in the text. Those of profiles that are extended count too.", "your refund is on its way"),
		patterns("stopped", "What it writes when it stopped, or does not know whether the work is done: regular expressions, as in done.", "handed over to .* team"),
		{
			name: "output", kind: flag, otherwise: "false", example: "true",
			doc: "true has the last lines of what the agent itself writes read as well: 4 KB of its stdout and stderr, without what looks like a secret, which are kept with the run. Its output is then a pipe, also where it is shown on a terminal.",
		},
	}}
}

// says reads what the agent writes to people.
func (b *binder) says() Says {
	it := b.tree.get("says")
	done, stopped := b.phrases("done", it.get("done")), b.phrases("stopped", it.get("stopped"))
	for _, e := range it.get("stopped").entries() {
		if e.ok() && slices.Contains(it.get("done").strings(), e.str()) {
			b.wrong(e.place, "keep it in one of them", "says.stopped: %s is in done as well", shorten(e.str()))
		}
	}
	return Says{Done: done, Stopped: stopped, Output: it.get("output").flag(false)}
}

// phrases reads patterns of what is written.
func (b *binder) phrases(of string, it *item) []*regexp.Regexp {
	var all []*regexp.Regexp
	for i, e := range it.entries() {
		if !e.ok() {
			continue
		}
		if i == mostPatterns {
			b.wrong(e.place, "put some of them together, as in (refunded|paid back)", "says.%s: there are more than %d patterns", of, mostPatterns)
			break
		}
		re, err := phrase(e.str())
		if err != nil {
			b.wrong(e.place, hintOf(err), "says.%s: %v", of, err)
			continue
		}
		all = append(all, re)
	}
	return all
}

// phrase compiles a pattern; its error is a mistake.
func phrase(text string) (*regexp.Regexp, error) {
	switch n := utf8.RuneCountInString(text); {
	case n > mostPattern:
		return nil, mistaken("name the few words that tell it", "%s has %d characters, and may have %d", shorten(text), n, mostPattern)
	case strings.ContainsFunc(text, unicode.IsControl):
		return nil, mistaken(`write the pattern in single quotes: in double quotes YAML reads \b as one`, "%s has a control character in it", shorten(text))
	}
	if _, err := regexp.Compile(text); err != nil {
		return nil, wrongPattern(text, err)
	}
	re, err := regexp.Compile("(?i)" + text)
	if err != nil { // all that is longer than what was compiled just now
		return nil, wrongPattern(text, err)
	}
	if re.MatchString("") {
		return nil, mistaken("leave out what may be missing, such as x* or x?", "%s is found in every text", shorten(text))
	}
	return re, nil
}

// wrongPattern says what is wrong with a pattern, and what to write.
func wrongPattern(text string, err error) error {
	hint, what := "it is a regular expression of RE2: https://github.com/google/re2/wiki/Syntax", err.Error()
	var wrong *re2.Error
	if errors.As(err, &wrong) {
		what = wrong.Code.String() + ": " + wrong.Expr
		switch wrong.Code {
		case re2.ErrMissingParen, re2.ErrUnexpectedParen, re2.ErrMissingBracket, re2.ErrMissingRepeatArgument, re2.ErrInvalidRepeatOp:
			hint = `what is meant as it stands has a \ before it, such as \( or \?`
		case re2.ErrInvalidPerlOp, re2.ErrInvalidEscape:
			hint = `RE2 looks neither ahead nor back: leave (?= and \1 out, and write two patterns`
		}
	}
	return mistaken(hint, "%s cannot be read: %s", shorten(text), what)
}

func hintOf(err error) string {
	var m *mistake
	if errors.As(err, &m) {
		return m.hint
	}
	return ""
}
