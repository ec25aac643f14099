package gateway_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"parity/fakes/builtin"
	"parity/gateway/client"
	"parity/gateway/kept"
	"parity/profiles"
)

const pinging = `openapi: 3.0.3
info: {title: crm, version: "1"}
paths:
  /contacts:
    get: {responses: {"200": {description: all, content: {application/json: {schema: {type: array, items: {$ref: "#/components/schemas/contact"}}}}}}}
    post:
      requestBody: {content: {application/json: {schema: {$ref: "#/components/schemas/contact"}}}}
      responses: {"201": {description: made, content: {application/json: {schema: {$ref: "#/components/schemas/contact"}}}}}
  /contacts/{id}:
    get: {parameters: [{name: id, in: path, required: true, schema: {type: string}}], responses: {"200": {description: one, content: {application/json: {schema: {$ref: "#/components/schemas/contact"}}}}}}
  /ping:
    post: {responses: {"200": {description: pong, content: {application/json: {schema: {type: object, properties: {pong: {type: boolean}}}, example: {pong: true}}}}}}
components: {schemas: {contact: {type: object, properties: {id: {type: string, readOnly: true}, email: {type: string}}}}}
`

// Differences that a run notices are proposed as YAML. Pasted into the profile
// they lint, and the next run proposes none of them again.
func TestDifferencesThatARunNotices(t *testing.T) {
	t.Parallel()
	const profile = "profile: own\nextends: [stripe]\nservices:\n  crm: {contract: crm.yaml, hosts: [crm.test]}\n"
	rehearse := func(t *testing.T, more string) *kept.Run {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "crm.yaml"), []byte(pinging), 0o600); err != nil {
			t.Fatal(err)
		}
		h := openIn(t, dir, profile+more, shared)
		catalogue, err := builtin.Catalogue()
		if err != nil {
			t.Fatal(err)
		}
		p, err := profiles.Load(h.file, profiles.Options{Catalogue: catalogue})
		if err != nil || len(p.Warnings)+len(p.Silent) > 0 {
			t.Fatalf("lint: %v\n%v", err, p)
		}
		k, run := h.control(), h.make(client.NewRun{Names: []string{"it"}})[0]
		crm, stripe := strings.Replace(base(run), "/stripe", "/crm", 1), base(run)
		for _, c := range [][3]string{
			{"POST", crm + "/contacts", `{"email": "a@example.com"}`},
			{"POST", crm + "/ping", ""},
			{"GET", stripe + "/v1/tax_rates/txr_1234", ""},
			{"GET", stripe + "/v1/tax_rates/txr_5678", ""},
			{"GET", stripe + "/v1/charges", ""},
		} {
			if _, _, _, err := call(t, h.single(), c[0], c[1], c[2], "Content-Type", "application/json"); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := k.MoveClock(t.Context(), "it", client.Move{Advance: "2h"}); err != nil {
			t.Fatal(err)
		}
		h.close()
		kept, err := kept.Read(h.root, "it")
		if err != nil {
			t.Fatal(err)
		}
		return kept
	}
	first := rehearse(t, "").Report()
	covered := map[string][]string{}
	for _, p := range first.Proposed {
		covered[p.Name] = p.Covers
	}
	if diff := cmp.Diff(map[string][]string{
		"crm-from-its-contract": {"crm POST /contacts"}, "crm-examples": {"crm POST /ping"},
		"stripe-not-played": {"stripe GET /v1/tax_rates/*"}, "run-clock": {"*"},
	}, covered); diff != "" {
		t.Fatalf("proposed (-want +got):\n%s", diff)
	}
	if again := rehearse(t, first.Declare).Report(); len(again.Proposed) != 0 || again.Declare != "" {
		t.Errorf("proposed once more, though declared:\n%s", again.Declare)
	}
	part := rehearse(t, "differences:\n  crm-examples: {covers: crm *, production: p, here: h, so: s, weakens: [content, effects]}\n").Report()
	for _, p := range part.Proposed {
		if p.Name == "crm-examples" || p.Name == "crm-examples-2" && cmp.Diff([]string{"settlement", "delivery", "timing", "volume", "limits", "auth", "freshness"}, p.Weakens) != "" {
			t.Errorf("proposed beside one that covers a part: %+v", p)
		}
	}
	if len(part.Proposed) != 4 {
		t.Errorf("%d are proposed", len(part.Proposed))
	}
}
