package fidelity_test

import (
	"bytes"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parity/cmd/internal/fidelity"
	"parity/cmd/internal/gatewaytest"
	"parity/gateway"
)

// desk is a service of one's own, with a base path.
const desk = `
openapi: 3.0.3
info: {title: Desk, version: "1"}
servers: [{url: https://desk.example/v2}]
paths:
  /people:
    get: {responses: {"200": {description: "", content: {application/json: {schema: {type: array, items: {$ref: "#/components/schemas/Person"}}}}}}}
    post: {requestBody: {content: {application/json: {schema: {$ref: "#/components/schemas/Person"}}}}, responses: {"201": {description: "", content: {application/json: {schema: {$ref: "#/components/schemas/Person"}}}}}}
  /people/{id}:
    get: {parameters: [{name: id, in: path, required: true, schema: {type: string}}], responses: {"200": {description: "", content: {application/json: {schema: {$ref: "#/components/schemas/Person"}}}}, "404": {description: ""}}}
components:
  schemas:
    Person: {type: object, properties: {id: {type: string, readOnly: true}, email: {type: string, format: email}, phone: {type: string}, city: {type: string}}}
`

// recorded has a second gateway answer as the real services, and gives the folder of
// what mode record wrote of them, and the profile.
func recorded(t *testing.T) (folder, profile string) {
	t.Helper()
	dir := t.TempDir()
	contract := filepath.Join(dir, "desk.yaml")
	if err := os.WriteFile(contract, []byte(desk), 0o600); err != nil {
		t.Fatal(err)
	}
	in := func(name, content string) (file string, opened *gatewaytest.Gateway) {
		file = filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return file, gatewaytest.Open(t, content, func(s *gateway.Settings) {
			s.Profile, s.Getenv = file, func(string) string { return "sk_test_4eC39canaryCANARYcanary007" }
		})
	}
	_, real := in("real.yaml", "profile: real\nseed: 7\nservices: {stripe: {}, desk: {contract: desk.yaml}}\nclock: {mode: stepped}\n")
	to, err := url.Parse("http://" + real.Addr())
	if err != nil {
		t.Fatal(err)
	}
	services := ""
	roots := filepath.Join(dir, "roots.pem")
	for _, name := range []string{"stripe", "desk"} {
		front := httptest.NewTLSServer(&httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(to)
			r.Out.URL.Path, r.Out.URL.RawPath = "/"+name+r.In.URL.Path, ""
		}})
		t.Cleanup(front.Close)
		if err := os.WriteFile(roots, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: front.Certificate().Raw}), 0o600); err != nil {
			t.Fatal(err)
		}
		own := ""
		if name == "desk" {
			own = "contract: desk.yaml, "
		}
		services += fmt.Sprintf("  %s: {%smode: record, record: recordings, upstream: {credential: {env: KEY}, hosts: [%q], roots: %s, account: test}}\n",
			name, own, strings.TrimPrefix(front.URL, "https://"), roots)
	}
	for i := range 3 {
		_, _, _ = real.Call("POST", real.Base("desk")+"/v2/people", fmt.Sprintf(`{"email": "p%d@desk.example", "phone": "+1 555 010 000%d", "city": "Turin"}`, i, i), "Content-Type", "application/json")
	}
	profile, g := in("rec.yaml", "profile: rec\nextends: [stripe]\nclock: {mode: stepped}\nservices:\n"+services)
	s := g.Base("stripe") + "/v1/"
	for _, list := range []string{"customers", "charges", "payment_intents", "invoices", "products", "refunds"} {
		items, _ := g.Must("GET", s+list, "")["data"].([]any)
		for i, item := range items {
			if one, _ := item.(map[string]any); i < 3 {
				g.Must("GET", s+list+"/"+fmt.Sprint(one["id"]), "")
			}
		}
	}
	if status, _, _ := g.Call("POST", s+"refunds", "charge=ch_1"); status != 403 {
		t.Errorf("a write is answered %d", status)
	}
	_, _, _ = g.Call("GET", s+"customers/cus_none", "")
	_, _, _ = g.Call("GET", s+"customers?email=nobody%40acme.example", "")
	_, _, _ = g.Call("GET", g.Base("desk")+"/people", "") // the base URL stands for the base path
	_, _, _ = g.Call("GET", g.Base("desk")+"/v2/people/none", "")
	g.Close()
	return filepath.Join(dir, "recordings"), profile
}

// What mode record wrote of a fake that stood for the real service is what the fake
// itself answers: with placeholders for people, hosts with ports, base paths, refused
// writes. A difference that somebody plants in it is seen.
func TestWhatRecordWroteIsReadAsItWasSaid(t *testing.T) {
	t.Parallel()
	folder, profile := recorded(t)
	measure := func() (of map[string]float64, said string) {
		var out bytes.Buffer
		m := fidelity.Measurement{Root: t.TempDir(), Recordings: []string{folder}, Profile: profile, Output: "json", All: true}
		if _, err := m.Print(&out); err != nil {
			t.Fatal(err)
		}
		var got struct {
			Exchanges int
			Services  []struct {
				Name    string
				Percent float64
			}
		}
		if err := json.Unmarshal(out.Bytes(), &got); err != nil || got.Exchanges < 20 {
			t.Fatalf("%d exchanges, %v", got.Exchanges, err)
		}
		of = map[string]float64{}
		for _, s := range got.Services {
			of[s.Name] = s.Percent
		}
		return of, out.String()
	}
	if of, said := measure(); of["stripe"] < 99.5 || of["desk"] < 100 {
		t.Errorf("%v: %s", of, said)
	}
	files, err := filepath.Glob(filepath.Join(folder, "stripe-*.json"))
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	text, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(text, []byte(`\"livemode\":false`)) {
		t.Fatalf("there is nothing to plant in: %.400s", text)
	}
	if err := os.WriteFile(files[0], bytes.Replace(text, []byte(`\"livemode\":false`), []byte(`\"livemode\":false,\"planted\":true`), 1), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, said := measure(); !strings.Contains(said, "planted") {
		t.Error("a planted difference is not seen")
	}
}
