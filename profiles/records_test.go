package profiles_test

import (
	"path/filepath"
	"testing"
	"time"

	"parity/fakes/chance"
	"parity/fakes/fixture"
	"parity/profiles"
)

const vault = `openapi: 3.0.3
info: {title: Vault, version: '1'}
paths:
  /v3/profiles:
    get: {responses: {'200': {description: all, content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Profile'}}}}}}}
    post:
      requestBody: {content: {application/json: {schema: {type: object, properties: {name: {type: string}}}}}}
      responses: {'201': {description: made, content: {application/json: {schema: {$ref: '#/components/schemas/Profile'}}}}}
  /v3/profiles/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get: {responses: {'200': {description: one, content: {application/json: {schema: {$ref: '#/components/schemas/Profile'}}}}}}
components:
  schemas:
    Profile:
      type: object
      required: [id, name]
      properties:
        id: {type: string, readOnly: true, example: prf_9fc19496}
        name: {type: string}
        state: {type: string, enum: [new, verified], readOnly: true}
        created_at: {type: string, format: date-time, readOnly: true}
`

// "vault POST /v3/profiles makes ids such as prf_9fc19496, and "prf_1a2b3c4d" is
// none": a record that brings its id was refused, and what only the server sets
// was lost of it.
func TestARecordOfOnesOwnServiceGoesInAsItStands(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	writeAll(t, dir, map[string]string{
		"vault.yaml":   vault,
		"seed.yaml":    "vault.profiles:\n  - {id: prf_1a2b3c4d, name: Ada, state: verified, created_at: \"2019-05-01T08:00:00Z\"}\n  - {id: prf_77, name: Bob}\n",
		"profile.yaml": "profile: p\nservices: {vault: {contract: vault.yaml, fixtures: [./seed.yaml]}}\n",
	})
	p, err := profiles.Load(filepath.Join(dir, "profile.yaml"), options(t, dir))
	if err != nil {
		t.Fatal(err)
	}
	base, err := p.Catalogue.World()
	if err != nil {
		t.Fatal(err)
	}
	w, err := fixture.Build(base, p.Catalogue, p.Start, chance.Seed(1), time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC))
	if err != nil {
		t.Fatal(err)
	}
	ada, ok := w.Get("vault.profiles", "prf_1a2b3c4d")
	if !ok || ada.Value()["id"] != "prf_1a2b3c4d" || ada.Value()["name"] != "Ada" || ada.Value()["state"] != "verified" || ada.Value()["created_at"] != "2019-05-01T08:00:00Z" {
		t.Errorf("%v: %+v", ok, ada)
	}
	if bob, ok := w.Get("vault.profiles", "prf_77"); !ok || bob.Value()["name"] != "Bob" {
		t.Errorf("%v: %+v", ok, bob)
	}
}

// A file for two services was read as two, and its records were there already.
func TestAFileThatTwoServicesNameIsReadOnce(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	writeAll(t, dir, map[string]string{
		"seed.yaml":  "stripe.customers:\n  - {id: cus_ada, name: Ada}\n",
		"other.yaml": "stripe.customers:\n  - {id: cus_bob, name: Bob}\n",
	})
	for _, again := range []string{"./seed.yaml", "./../" + filepath.Base(dir) + "/seed.yaml"} {
		writeAll(t, dir, map[string]string{"profile.yaml": "profile: p\nservices:\n  stripe: {fixtures: [./seed.yaml, ./other.yaml]}\n  slack: {fixtures: [" + again + "]}\n"})
		p, err := profiles.Load(filepath.Join(dir, "profile.yaml"), options(t, dir))
		if err != nil {
			t.Errorf("%s: %v", again, err)
			continue
		}
		if len(p.Start.Files) != 2 {
			t.Errorf("%s: %d files are read", again, len(p.Start.Files))
		}
	}
}
