package author_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parity/cmd/internal/author"
	"parity/cmd/internal/fidelity"
	"parity/cmd/internal/gatewaytest"
)

// archive records calls as a browser does, with all that is in them.
type archive struct{ entries []any }

func (a *archive) add(method, target, body string, header []string, status int, reply map[string]any) {
	pairs := []any{}
	for i := 0; i+1 < len(header); i += 2 {
		pairs = append(pairs, map[string]any{"name": header[i], "value": header[i+1]})
	}
	text, _ := json.Marshal(reply) // it was decoded from JSON
	request := map[string]any{"method": method, "url": target, "headers": pairs}
	if body != "" {
		request["postData"] = map[string]any{"text": body}
	}
	a.entries = append(a.entries, map[string]any{"request": request, "response": map[string]any{"status": status, "content": map[string]any{"text": string(text)}}})
}

func (a *archive) file(t *testing.T) string {
	t.Helper()
	text, err := json.Marshal(map[string]any{"log": map[string]any{"entries": a.entries}})
	file := filepath.Join(t.TempDir(), "session.har")
	if err := errors.Join(err, os.WriteFile(file, text, 0o600)); err != nil {
		t.Fatal(err)
	}
	return file
}

// A secret in any place of a recording is in no byte of what is made of it: a
// profile with its fixtures, and how close the fakes come to it.
func TestCanariesOfARecordingAreInNoByteThatIsWritten(t *testing.T) {
	t.Parallel()
	h := gatewaytest.Open(t, "profile: shops\nseed: 7\nworld: empty\nservices: {stripe: {}, hubspot: {}}\nclock: {mode: stepped}\n")
	n := 0
	bird := func(before string) string { n++; return fmt.Sprintf("%scanary%02dQ7xZ2mWv9", before, n) }
	// A recorder that begins later: what is made before it is taken for the world's own.
	seen := &archive{}
	made := func(method, service, path, body string, header ...string) {
		h.Must(method, h.Base(service)+path, body, header...)
	}
	read := func(host, service, path string, header ...string) {
		status, reply, err := h.Call("GET", h.Base(service)+path, "", header...)
		if err != nil {
			t.Fatal(err)
		}
		seen.add("GET", "https://"+host+path, "", header, status, reply)
	}
	made("POST", "stripe", "/v1/customers", "name=Ada&metadata[api_key]="+bird("")+"&metadata[note]=key+"+bird("sk_live_"))
	made("POST", "stripe", "/v1/customers", "name=Bea&metadata[passwd]="+bird("")+"&metadata[pwd]="+bird("")+"&metadata[dbPassword]="+bird("")+"&metadata[authorization]="+bird(""))
	read("api.stripe.com", "stripe", "/v1/customers", "Authorization", "Bearer "+bird("sk_test_"))
	for _, call := range [][2]string{ // a property is there before a contact has it
		{"/crm/v3/properties/contacts", `{"name":"password","label":"Password","type":"string","fieldType":"text","groupName":"contactinformation"}`},
		{"/crm/v3/objects/contacts", `{"properties":{"email":"a@b.example","password":"` + bird("") + `","firstname":"` + bird("sk_live_") + `"}}`},
	} {
		if status, reply, err := h.Call("POST", h.Base("hubspot")+call[0], call[1], "Content-Type", "application/json"); err != nil || status != 201 {
			t.Fatal(status, reply, err)
		}
	}
	read("api.hubapi.com", "hubspot", "/crm/v3/objects/contacts?properties=password,firstname")
	read("api.stripe.com", "stripe", "/v9/token/"+bird("")+"?x="+bird(""))
	dir, har := t.TempDir(), seen.file(t)
	var out strings.Builder
	begun := filepath.Join(dir, "begun")
	if err := author.NewProfile(&out, author.ProfileDraft{Root: h.Root, Name: "seen", Dir: begun, From: har}); err != nil {
		t.Fatal(err)
	}
	m := fidelity.Measurement{Root: h.Root, Recordings: []string{har}, Output: "text", All: true, Propose: filepath.Join(dir, "proposed.yaml")}
	if _, err := m.Print(&out); err != nil {
		t.Fatal(err)
	}
	written := map[string]string{"what is said": out.String()}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		text, err := os.ReadFile(path)
		written[path] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for form, text := range written {
		if at := strings.Index(text, "canary"); at >= 0 {
			t.Errorf("a secret is in %s: …%q…", form, text[max(0, at-160):min(len(text), at+40)])
		}
	}
	for _, of := range []string{"stripe.customers", "hubspot.contacts"} {
		if written[filepath.Join(begun, "fixtures", of+".yaml")] == "" {
			t.Errorf("no fixture of %s came of the recording", of)
		}
	}
}
