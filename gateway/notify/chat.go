package notify

import (
	"encoding/json"
	"strings"
	"time"
	"unicode"
)

// A Form is what a message is to look like.
type Form string

// The forms.
const (
	Plain  Form = ""       // text and approval: what Slack, Mattermost and the like show, and what programs read
	Blocks Form = "blocks" // the same, and blocks that chat services lay out
)

// An Approval is what is told of one.
type Approval struct {
	ID        string    `json:"id"`
	Run       string    `json:"run"`
	Gate      string    `json:"gate"`
	Identity  string    `json:"identity"`
	Operation string    `json:"operation"`
	State     string    `json:"state"`
	Live      bool      `json:"live,omitempty"`  // it leaves for the real service once somebody says yes
	Lapses    time.Time `json:"lapses,omitzero"` // on the run's clock
	// URL is where it is shown. It decides nothing, and lets nobody in.
	URL string `json:"url"`
	// Arguments are those of the call, without secrets. They are sent only to targets
	// that have them.
	Arguments any `json:"arguments,omitempty"`
}

const (
	longestPart = 150
	// longestBlock is what Slack takes in the text of one block
	// (https://docs.slack.dev/reference/block-kit/blocks/section-block).
	longestBlock = 2900
)

func bodyOf(t Target, a Approval) ([]byte, error) {
	if !t.Arguments {
		a.Arguments = nil
	}
	text := line(a)
	sent := struct {
		Text     string   `json:"text"`
		Blocks   []any    `json:"blocks,omitempty"`
		Approval Approval `json:"approval"`
	}{Text: text, Approval: a}
	if t.Form == Blocks {
		blocks, err := blocksOf(a)
		if err != nil {
			return nil, err
		}
		sent.Blocks = blocks
	}
	return json.Marshal(sent)
}

// line is one line of text. What an agent chose stands in it as code, so that it
// calls nobody (@channel) and leads nowhere.
func line(a Approval) string {
	says := "wants an answer"
	if a.State != "pending" {
		says = "is " + code(a.State)
	}
	text := ""
	if a.Live {
		text = "REAL WRITE: "
	}
	text += code(a.Operation) + " of " + code(a.Identity) + " " + says + " (gate " + code(a.Gate) + ", run " + code(a.Run)
	if !a.Lapses.IsZero() {
		text += ", lapses " + a.Lapses.UTC().Format(time.RFC3339)
	}
	text += ")"
	if a.URL != "" {
		text += ": " + escaped(a.URL)
	}
	return text
}

// blocksOf are Slack's. Fields are plain text there, which nothing is made of; none
// is a button.
func blocksOf(a Approval) ([]any, error) {
	type object map[string]any
	field := func(name, value string) object {
		return object{"type": "plain_text", "emoji": false, "text": name + "\n" + or(plain(value), "–")}
	}
	fields := []any{field("Operation", a.Operation), field("Identity", a.Identity), field("Gate", a.Gate), field("Run", a.Run), field("State", a.State)}
	if a.Live {
		fields = append(fields, field("REAL WRITE", "It leaves for the real service"))
	}
	if !a.Lapses.IsZero() {
		fields = append(fields, field("Lapses", a.Lapses.UTC().Format(time.RFC3339)))
	}
	blocks := []any{
		object{"type": "section", "text": object{"type": "mrkdwn", "verbatim": true, "text": line(a)}},
		object{"type": "section", "fields": fields},
	}
	if a.Arguments != nil {
		text, err := json.MarshalIndent(a.Arguments, "", "  ")
		if err != nil {
			return nil, err
		}
		blocks = append(blocks, object{"type": "section", "text": object{"type": "plain_text", "emoji": false, "text": cut(seen(string(text)), longestBlock)}})
	}
	return blocks, nil
}

// code is a value as what Slack and Mattermost take for code.
func code(text string) string {
	return "`" + or(strings.ReplaceAll(escaped(plain(text)), "`", "'"), "–") + "`"
}

// escaped is a text for Slack, where <!channel> calls everybody
// (https://docs.slack.dev/messaging/formatting-message-text).
func escaped(text string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(text)
}

// plain is a text in one line, without what cannot be seen, and not without end.
func plain(text string) string {
	return cut(strings.Join(strings.Fields(seen(text)), " "), longestPart)
}

// seen leaves out controls, marks that turn text round, and what has no width.
func seen(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return r
		case unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == '\u2028' || r == '\u2029' || r == unicode.ReplacementChar:
			return -1
		}
		return r
	}, text)
}

func cut(text string, most int) string {
	if letters := []rune(text); len(letters) > most {
		return string(letters[:most-1]) + "…"
	}
	return text
}

func or(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}
