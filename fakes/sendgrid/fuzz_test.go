package sendgrid

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"
)

// A template is refused, or fills: nothing that somebody writes in one panics.
func FuzzTemplate(f *testing.F) {
	for _, seed := range []string{
		"{{a}}", "{{#if a}}x{{else}}y{{/if}}", "{{#each l}}{{@index}}{{../a}}{{/each}}", "{{{a}}}", "{{insert a 'default=b'}}", "{{", "{{}}", "{{~ ~}}",
		"{{formatDate d 'MM' '-0800'}}", "{{#a}}{{/a}}", "{{a.[b c].0}}", "{{@root.a.length}}", "{{length}}", "{{#equals}}{{/equals}}", "{{formatDate}}", "{{insert}}",
	} {
		f.Add(seed)
	}
	data := map[string]any{"a": "x", "l": []any{int64(1), "b", nil}, "d": "2026-03-01T00:00:00Z", "m": map[string]any{"k": 1.5}}
	f.Fuzz(func(t *testing.T, source string) {
		out, err := render(source, data, true, func(int) {})
		if err == nil && !strings.Contains(source, "{{") && out != source {
			t.Errorf("%q became %q", source, out)
		}
		if utf8.ValidString(source) && !utf8.ValidString(out) {
			t.Errorf("%q became %q", source, out)
		}
	})
}

// A query is refused, or holds for a record or not.
func FuzzQuery(f *testing.F) {
	for _, seed := range []string{
		"a = 'b'", "a LIKE '%b_'", "(a = 1 OR NOT b IN ('x', 'y')) AND CONTAINS(c, 'd')", "a BETWEEN TIMESTAMP '1' AND '2'", "a IS NOT NULL", "a['k'] = 'v'", "LOWER(a) = 'b'", "'", "((((",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		holds, err := readQuery(text, func(string) bool { return true })
		if err == nil {
			holds(func(string) any { return []any{"d", int64(1)} })
		} else if err.Error() == "" {
			t.Error("refused without a word")
		}
	})
}

// Whatever a body is, it is taken or refused with at least one problem, each
// with a message.
func FuzzMailShape(f *testing.F) {
	for _, seed := range []string{`{}`, `{"from":1}`, `{"personalizations":[{"to":[{"email":"a@b.c"}]}]}`, `{"mail_settings":{"footer":{"enable":"x"}}}`, `{"headers":{"a":null}}`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var body any
		if json.Unmarshal([]byte(text), &body) != nil {
			return
		}
		for _, p := range misshapen(mailForm, whole(body), "") {
			if p.message == "" {
				t.Errorf("%s: %+v", text, p)
			}
		}
	})
}

func TestDerivedKeys(t *testing.T) {
	t.Parallel()
	a, okA := deriveKey("seed")
	b, okB := deriveKey("seed")
	c, okC := deriveKey("other")
	if !okA || !okB || !okC || publicKey(a) != publicKey(b) || publicKey(a) == publicKey(c) {
		t.Error("a seed gives one key, and another seed another")
	}
}
