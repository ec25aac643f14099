package report

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"strings"
	"testing"

	"parity/faults/trail"
)

// canary is a secret as it may look in each of several places, each with an end
// of its own by which it is found.
func canary(n int) (bird string) { return fmt.Sprintf("hush%dhush%dhush", n, n) }

// caged is a run whose journal has a secret wherever somebody may have put one,
// though it should never have come so far.
func caged() (r Report, events []trail.Event, settlements map[uint64]trail.Settlement, birds int) {
	next := func() string { birds++; return canary(birds) }
	key := func() string { return "sk_test_" + next() }
	r = sample()
	failing(&r)
	v := &r.Verdicts[0]
	v.Lines = append(v.Lines, "#2 sent Authorization: Bearer "+next())
	v.Why, v.Mend, v.Because = "its key was "+key(), "do not send password="+next(), "ghp_"+next()
	v.Evidence = []uint64{2}
	r.Command = []string{"agent", "--api-key", next(), "--url", "https://me:" + next() + "@api.stripe.com"}
	r.Flags = []string{"--allow", "whsec_" + next()}
	r.Hints = []string{"a token: xoxb-" + next()}
	r.Differences[0].So = "client_secret=" + next()
	r.Operations[0].Operation = "stripe GET /v1/" + key()
	r.Defects = []trail.Defect{{Seq: 2, Note: "panic with eyJ" + next() + ".a.b"}}
	r.NotPlayed = []trail.NotPlayed{{Call: "stripe GET /v1/x?api_key=" + next()}}
	x := &trail.Exchange{
		Service: "stripe", Operation: "POST /v1/refunds", Method: "POST", Host: "api.stripe.com", Path: "/v1/tokens/" + key(),
		Query: "client_secret=" + next() + "&b=1&access_token=" + next(), Status: 302, Outcome: trail.Answered, Fidelity: trail.Modelled,
		Header: []trail.Field{
			{Name: "Authorization", Value: "Bearer " + next()}, {Name: "X-Api-Key", Value: next()}, {Name: "User-Agent", Value: key()}, {Name: "Tracestate", Value: "v=" + key()}, {Name: "Traceparent", Value: agents},
		},
		Body:        []byte(`{"password":"` + next() + `","card":{"number":"4242424242424242"},"nested":"{\"client_secret\":\"` + next() + `\"}"}`),
		ReplyHeader: []trail.Field{{Name: "Location", Value: "https://x.example/?refresh_token=" + next()}, {Name: "Content-Type", Value: "text/plain"}},
		ReplyBody:   []byte("\xff\xfe binary with " + key()), Note: "the note says " + key(), Intent: trail.Intent{ID: "SG." + next(), Attempt: 1},
		Strikes:    []trail.Strike{{Rule: "r", Fault: "latency", Fired: true, Did: "left out " + key()}},
		Violations: []trail.Violation{{In: "body", Pointer: "/a", Message: "not " + key()}},
	}
	form := *x
	form.Body, form.ReplyBody = []byte("a=1&password="+next()), []byte("private_key="+next())
	return r, []trail.Event{
		{Seq: 2, Kind: trail.Exchanged, Identity: key(), Exchange: x}, {Seq: 3, Kind: trail.Exchanged, Exchange: &form},
	}, map[uint64]trail.Settlement{2: {Of: 2, Error: "write to me:" + key()}}, birds
}

func TestSecretsAppearInNoFormat(t *testing.T) {
	t.Parallel()
	r, events, settlements, birds := caged()
	for name, write := range map[string]func(io.Writer) error{
		"text":     func(w io.Writer) error { return Terminal(w, r, Options{}) },
		"json":     func(w io.Writer) error { return JSON(w, r) },
		"markdown": func(w io.Writer) error { return Markdown(w, r) },
		"html":     func(w io.Writer) error { return HTML(w, r, events, settlements, HTMLOptions{Version: "1"}) },
		"junit":    func(w io.Writer) error { return JUnit(w, r) },
		"sarif":    func(w io.Writer) error { return SARIF(w, r) },
		"otlp":     func(w io.Writer) error { return OTLP(w, r, events, settlements) },
		"har":      func(w io.Writer) error { return HAR(w, "1", nil, events, settlements) },
		"trace":    func(w io.Writer) error { return Trace(w, events, settlements, TraceOptions{JSON: true}) },
	} {
		var out bytes.Buffer
		if err := write(&out); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		said := out.String() + unpacked(t, name, out.Bytes())
		for n := 1; n <= birds; n++ {
			if i := strings.Index(said, canary(n)); i >= 0 {
				t.Errorf("%s says secret %d of %d: %s", name, n, birds, said[max(i-80, 0):min(i+40, len(said))])
			}
		}
		if strings.Contains(said, "4242424242424242") {
			t.Errorf("%s says the number of a card", name)
		}
	}
}

// unpacked is what is packed in a document: base64 in an archive, and blocks in a
// page.
func unpacked(t *testing.T, name string, doc []byte) string {
	t.Helper()
	var all strings.Builder
	switch name {
	case "har":
		var archive struct{ Log struct{ Entries []harEntry } }
		if err := json.Unmarshal(doc, &archive); err != nil {
			t.Fatal(err)
		}
		for _, e := range archive.Log.Entries {
			for _, text := range []string{e.Response.Content.Text, e.Request.PostData.Text} {
				if plain, err := base64.StdEncoding.DecodeString(text); err == nil {
					all.Write(plain)
				}
			}
		}
	case "html":
		blocks := regexp.MustCompile(`id="packed-([^"]+)"`).FindAllStringSubmatch(string(doc), -1)
		if len(blocks) == 0 {
			t.Error("nothing is packed in the page: is its mark another?")
		}
		for _, block := range blocks {
			var content json.RawMessage
			unpack(t, string(doc), block[1], &content)
			all.Write(content)
		}
	}
	return all.String()
}
