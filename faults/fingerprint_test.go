package faults_test

import (
	"testing"
	"testing/fstest"

	"parity/faults"
	"parity/specs"
)

// Two orders whose bodies are lists are two intents.
func TestBodiesThatAreListsTellIntentsApart(t *testing.T) {
	t.Parallel()
	contract, err := specs.Builtin("stripe")
	if err != nil {
		t.Fatal(err)
	}
	op, _ := contract.Operation("PostRefunds")
	one := faults.Fingerprint("a", op, specs.Input{Value: []any{int64(1)}})
	other := faults.Fingerprint("a", op, specs.Input{Value: []any{int64(2)}})
	none := faults.Fingerprint("a", op, specs.Input{})
	if one == other || one == none || one != faults.Fingerprint("a", op, specs.Input{Value: []any{int64(1)}}) {
		t.Errorf("fingerprints %s, %s, %s", one, other, none)
	}
}

// Documentation leaves out what every address begins with.
func TestPatternsLeaveOutTheBasePath(t *testing.T) {
	t.Parallel()
	contract, _, err := specs.Load(fstest.MapFS{"a.yaml": {Data: []byte(`
openapi: 3.0.3
info: {title: t, version: '1'}
servers: [{url: 'https://api.test/v1'}]
paths: {'/contacts/{id}': {get: {responses: {}}}}
`)}}, "a.yaml", "crm")
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]bool{
		"crm GET /v1/contacts/{id}": true, "crm GET /contacts/{contact}": true, "crm GET /v2/contacts/{id}": false, "crm POST /contacts/{id}": false,
	} {
		p, err := faults.ParsePattern(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := p.Match(contract.Operations[0]); got != want {
			t.Errorf("%s matches: %v", text, got)
		}
	}
}
