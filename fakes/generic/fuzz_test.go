package generic

import (
	"testing"

	"parity/fakes/world"
	"parity/specs"
)

func crmContract(t testing.TB) *specs.Contract {
	contract, err := specs.Builtin("acme-crm")
	if err != nil {
		t.Fatal(err)
	}
	return contract
}

// Whatever stands in a behaviour file, reading it gives a service, or says what
// is wrong and where.
func FuzzBehaviour(f *testing.F) {
	for _, seed := range []string{
		"resources: {contacts: {id: {form: 'con_{base62:3}'}, states: {field: status, moves: {active: [archived]}}}}",
		"operations: {archiveContact: {when: 'record.status == 1', set: {status: archived}, effects: [{create: events}]}}",
		"errors: {shape: {message: /a}}", "fixtures: {companies: [{id: x, name: y}]}", "a: &a [*a]", "- 1", "resources:\n\t- x", "\x00", "{",
		"resources: {contacts: {list: {filters: {a: b}, ranges: {x: {field: id, is: '>'}}, default: -1}}}",
	} {
		f.Add([]byte(seed))
	}
	contract := crmContract(f)
	f.Fuzz(func(t *testing.T, text []byte) {
		fake := &Fake{service: "acme-crm", contract: contract, api: contract.API(), model: copyOf(contract.Model())}
		_, problems, err := fake.behave(text, "")
		if err != nil && len(problems) == 0 {
			t.Errorf("%v, and no place", err)
		}
		for _, p := range problems {
			if p.Line < 1 || p.Column < 1 || p.Message == "" {
				t.Errorf("a problem without a place: %+v", p)
			}
		}
	})
}

// A patch gives a record or an error, and never changes what it began with.
func FuzzPatch(f *testing.F) {
	for _, seed := range []string{
		`[{"op":"add","path":"/a/-","value":1}]`, `[{"op":"move","from":"/a","path":"/b"},{"op":"test","path":"/b","value":[1]}]`,
		`[{"op":"remove","path":""}]`, `[{"op":"copy","from":"","path":"/a/0"}]`, `[{"op":"replace","path":"/a/1e3","value":null}]`, `[1]`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		decoded, err := world.Decode(append(append([]byte(`{"patch":`), text...), '}'))
		if err != nil {
			return
		}
		operations, _ := decoded["patch"].([]any)
		record := map[string]any{"a": []any{int64(1), map[string]any{"c": "d"}}, "b": nil}
		before := string(world.Encode(record))
		after, err := jsonPatch(record, operations[:min(len(operations), 20)])
		if err == nil && after == nil {
			t.Error("neither a record nor an error")
		}
		if string(world.Encode(record)) != before {
			t.Errorf("the record has changed: %s", world.Encode(record))
		}
	})
}
