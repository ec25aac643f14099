package gateway_test

import (
	"strings"
	"testing"
	"unicode"

	"parity/gateway"
	"parity/gateway/client"
)

// A name with a control of C1, DEL, or a mark that turns text round steered the
// terminal that a trace, a report or a state was printed to.
func TestWhatComesFromOutsideSteersNoTerminal(t *testing.T) {
	t.Parallel()
	profile := "profile: shown\nseed: 7\nservices: {hubspot: {}, slack: {}}\nclock: {mode: stepped}\n"
	profile = strings.Replace(profile, "", "", 1)
	h := open(t, profile, func(s *gateway.Settings) { s.Token = controlToken })
	c := h.proxied(false)
	const evil = "\u009b31m\u007f\u202egnp\u2066xy\u0085"
	for _, body := range []string{
		`{"properties":{"email":"a@b.example","firstname":"` + evil + `","lastname":"` + evil + `"}}`, `{"properties":{"email":"` + evil + `"}}`,
		`{"properties":{"` + evil + `":"x"}}`, `{"` + evil + `":1,"properties":{}}`,
	} {
		_, _, _, _ = call(t, c, "POST", "https://api.hubapi.com/crm/v3/objects/contacts", body, "Content-Type", "application/json", "X-Agent-Name", "a\u009bb", "User-Agent", "a\u202eb")
	}
	for _, target := range []string{"https://api.hubapi.com/crm/v3/objects/contacts/%C2%9B31m%E2%80%AE", "https://api.hubapi.com/nowhere/%C2%9B?x=%E2%80%AE", "https://api.hubapi.com/crm/v3/objects/contacts?after=%C2%9B%7F%E2%80%AE"} {
		_, _, _, _ = call(t, c, "GET", target, "")
	}
	_, _, _, _ = call(t, c, "POST", "https://slack.com/api/chat.postMessage", `{"channel":"general","text":"`+evil+`"}`, "Content-Type", "application/json", "Authorization", "Bearer xoxb-tester-0123456789")
	if err := h.control().Claim(t.Context(), h.Run.ID, client.Outcome{Status: "partial", Note: evil, Claims: []client.Statement{{Text: evil}}}); err != nil {
		t.Fatal(err)
	}
	if _, err := h.control().End(t.Context(), h.Run.ID, nil); err != nil {
		t.Fatal(err)
	}
	h.close()
	n := 0
	for form, text := range everything(t, h.root, h.Run.ID) {
		if strings.HasPrefix(form, "/") || form == "the journal's pages" {
			continue
		}
		n += strings.Count(text, "31m")
		for at, r := range text {
			if r >= 0x7f && (unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r)) {
				t.Errorf("%s has %U: %q", form, r, text[max(0, at-120):min(len(text), at+20)])
				break
			}
		}
	}
	if n < 5 {
		t.Errorf("what came is shown %d times", n)
	}
}
