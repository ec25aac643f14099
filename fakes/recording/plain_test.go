package recording_test

import (
	"net/url"
	"strings"
	"testing"

	"parity/fakes/recording"
	"parity/specs/personal"
)

// Whatever mode record has put a placeholder for has a value in its place, in the
// call and in its reply alike.
func TestEachKindOfPlaceholderHasAValueInItsPlace(t *testing.T) {
	t.Parallel()
	seen := map[string]personal.Kind{}
	for _, kind := range personal.Kinds() {
		held := personal.Placeholder(kind, "0123456789abcdef")
		asked := `{"of":"` + held + `"}`
		c := recording.Conversation{Exchanges: []recording.Exchange{{
			Request:  recording.Request{URL: "https://x.example/a?of=" + url.QueryEscape(held), Body: &asked},
			Response: recording.Response{Body: `{"of":"` + strings.NewReplacer("<", `\u003c`, ">", `\u003e`).Replace(held) + `"}`},
		}}}
		plain := c.Plain().Exchanges[0]
		value := strings.TrimSuffix(strings.TrimPrefix(plain.Response.Body, `{"of":"`), `"}`)
		if value == "" || strings.ContainsAny(value, `<\`) || seen[value] != "" {
			t.Errorf("%s is %s, as of %s", held, value, seen[value])
		}
		if plain.Request.Text() != plain.Response.Body || plain.Request.URL != "https://x.example/a?of="+url.QueryEscape(value) {
			t.Errorf("asked with %s and %s", plain.Request.URL, plain.Request.Text())
		}
		seen[value] = kind
		if asked != `{"of":"`+held+`"}` {
			t.Error("the conversation itself has changed")
		}
	}
}
