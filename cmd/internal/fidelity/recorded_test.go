package fidelity_test

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parity/cmd/internal/fidelity"
	"parity/cmd/internal/gatewaytest"
	"parity/gateway/kept"
)

// balance is an entry of a HAR file, with more of it.
func balance(request, response string) string {
	return fmt.Sprintf(`{"comment": "x", "request": {"method": "GET", "url": "https://api.stripe.com/v1/customers"%s}, "response": {"status": 200%s}}`, request, response)
}

const noCustomers = `{\"object\": \"list\", \"data\": [], \"has_more\": false, \"url\": \"/v1/customers\"}`

// What browsers, proxies and vendors' tools write, and what is left of it when
// they are interrupted.
func TestRecordingsOfAllKindsAreRead(t *testing.T) {
	t.Parallel()
	plain := strings.ReplaceAll(noCustomers, `\"`, `"`)
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	_, _ = z.Write([]byte(plain))
	_ = z.Close()
	content := func(text, more string) string { return fmt.Sprintf(`, "content": {"text": "%s"%s}`, text, more) }
	har := func(entries ...string) string {
		return `{"log": {"version": "1.2", "comment": "c", "entries": [` + strings.Join(entries, ",") + `]}}`
	}
	for _, c := range []struct{ name, file, content, says, fails string }{
		{"plain", "a.har", har(balance("", content(noCustomers, ""))), "parity score 100.0 %\n1 recording, 1 exchange", ""},
		{"with a byte order mark", "a.har", "\ufeff" + har(balance("", content(noCustomers, ""))), "score 100.0 %", ""},
		{"of another name", "a.json", har(balance("", content(noCustomers, ""))), "score 100.0 %", ""},
		{"base64", "a.har", har(balance("", content(base64.StdEncoding.EncodeToString([]byte(plain)), `, "encoding": "base64", "size": -1`))), "score 100.0 %", ""},
		{"base64 of gzip", "a.har", har(balance("", content(base64.StdEncoding.EncodeToString(packed.Bytes()), `, "encoding": "base64"`))), "score 100.0 %", ""},
		{"decoded, said to be gzip", "a.har", har(balance("", content(noCustomers, "")+`, "headers": [{"name": "Content-Encoding", "value": "gzip"}]`)), "score 100.0 %", ""},
		{"pseudo headers of HTTP/2", "a.har", har(balance(`, "headers": [{"name": ":authority", "value": "x"}, {"name": ":path"}]`, content(noCustomers, ""))), "score 100.0 %", ""},
		{"sizes and times that are none", "a.har", har(balance(`, "headersSize": "?", "bodySize": null`, content(noCustomers, `, "size": "many"`)+`, "bodySize": {}`)), "score 100.0 %", ""},
		{"parameters in place of a text", "a.har", har(`{"request": {"method": "post", "url": "https://api.stripe.com/v1/customers", "postData": {"mimeType": "application/x-www-form-urlencoded", "params": [{"name": "email", "value": "nobody"}]}}, "response": {"status": 402}}`), "stripe POST /v1/customers: production answers 402", ""},
		{"binary", "a.har", har(balance("", content("gAE=", `, "encoding": "base64"`))), "undeclared: 1 difference", ""},
		{"no body kept", "a.har", har(balance("", "")), "undeclared: 1 difference", ""},
		{"a call that was cut short, beside others", "a.har", har(strings.Replace(balance("", ""), "200", "0", 1), balance("", content(noCustomers, ""))), "left out: 1 exchange of api.stripe.com", ""},
		{"our own gateway's address", "a.har", har(strings.Replace(balance("", content(noCustomers, "")), "https://api.stripe.com", "http://127.0.0.1:4010/stripe", 1)), "score 100.0 %", ""},
		{"conversations", "a.json", `{"service": "stripe", "grade": "B", "exchanges": [` + strings.Replace(balance("", `, "body": "`+noCustomers+`"`), `"status": 200`, `"status": 200, "headers": {}`, 1) + `]}`, "score 100.0 %", ""},
		{"what no contract has", "a.har", har(strings.Replace(balance("", content(noCustomers, "")), "/v1/customers", "/v9/moons", 1)), "no contract here has the operation", ""},
		{"cut short", "a.har", har(balance("", content(noCustomers, "")))[:90], "", "a.har is cut short after 90 bytes: it was not written to its end; record it again"},
		{"empty", "a.har", " ", "", "a.har is empty: record it again"},
		{"no JSON", "a.har", "<html>", "", "a.har is no recording: at byte 1, invalid character"},
		{"other JSON", "a.har", `{"log": {"entries": null}}`, "", "it has no log.entries"},
		{"other JSON yet", "a.json", `{"paths": {}}`, "", "is no recording: it has neither log.entries"},
		{"only of others", "a.har", har(strings.Replace(balance("", ""), "api.stripe.com", "example.com", 1)), "", "only to example.com"},
		{"events cut short", "a.jsonl", "{\"seq\": 1, \"kind\": \"start\"}\n{\"seq\": 2, \"kin", "", "line 2: "},
	} {
		file := filepath.Join(t.TempDir(), c.file)
		if err := os.WriteFile(file, []byte(c.content), 0o600); err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		_, err := fidelity.Measurement{Recordings: []string{file}, Output: "text"}.Print(&out)
		switch {
		case c.fails == "" && err != nil, c.fails != "" && (err == nil || !strings.Contains(err.Error(), c.fails)):
			t.Errorf("%s: %v, want %q", c.name, err, c.fails)
		case !strings.Contains(out.String(), c.says):
			t.Errorf("%s: want %q in\n%s", c.name, c.says, out.String())
		}
	}
}

// Where recordings of real services are at hand, all of them are measured.
func TestRecordedServicesAreMeasured(t *testing.T) {
	t.Parallel()
	root := os.Getenv("PARITY_SHARED")
	if root == "" {
		root = "../../../../shared"
	}
	folder := filepath.Join(root, "recordings")
	if _, err := os.Stat(folder); err != nil {
		t.Skipf("no recorded conversations here; set PARITY_SHARED to the folder that has recordings")
	}
	r, _ := measured(t, fidelity.Measurement{Recordings: []string{folder}})
	for _, s := range r.Services {
		t.Logf("%5.1f %%  %-15s %d exchanges, %d alike in everything, %d of %d fields missed", s.Percent, s.Name, s.Exchanges, s.Alike, s.Missed, s.Compared)
		if s.Percent < 85 {
			t.Errorf("%s: %.1f %%", s.Name, s.Percent)
		}
	}
	if r.Exchanges < 500 {
		t.Errorf("%d exchanges of 700", r.Exchanges)
	}
}

// A run is a recording of the fakes themselves: nothing differs.
func TestARunIsARecording(t *testing.T) {
	t.Parallel()
	h := gatewaytest.Open(t, gatewaytest.Quiet)
	at := h.Base("stripe")
	h.Must("POST", at+"/v1/customers", "name=Ada&email=ada@example.com")
	h.Must("GET", at+"/v1/customers", "")
	h.Close()
	names := []string{h.Run.ID}
	kept, err := kept.Read(h.Root, h.Run.ID)
	if err != nil {
		t.Fatal(err)
	}
	of := kept.Subject()
	for format, write := range map[string]func(io.Writer) error{"jsonl": of.Lines, "har": of.HAR} {
		var out bytes.Buffer
		if err := write(&out); err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(t.TempDir(), "run."+format)
		if err := os.WriteFile(file, out.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		names = append(names, file)
	}
	for _, name := range names {
		if r, code := measured(t, fidelity.Measurement{Root: h.Root, Recordings: []string{name}}); code != 0 || r.Percent != 100 || r.Exchanges != 2 {
			t.Errorf("%s: code %d: %+v", name, code, r)
		}
	}
}
