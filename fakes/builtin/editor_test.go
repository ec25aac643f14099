package builtin_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"parity/fakes"
	"parity/fakes/builtin"
	"parity/fakes/world"
	"parity/specs"
)

// TestEveryOperationHasASubjectOrNone asks of every operation whom it is about,
// in a world that holds next to nothing: nothing falls over, and what is named
// is there.
func TestEveryOperationHasASubjectOrNone(t *testing.T) {
	t.Parallel()
	catalogue, err := builtin.Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	w, err := catalogue.World()
	if err != nil {
		t.Fatal(err)
	}
	for _, service := range catalogue.Services() {
		editor, edits := service.Fake.(fakes.Editor)
		copier, copies := service.Fake.(fakes.Copier)
		if !edits || !copies {
			t.Errorf("nobody else can edit the records of %s", service.Name)
			continue
		}
		for _, op := range service.Contract.Operations {
			call := someCall(service, op, w.Begin())
			collection, id := editor.Subject(call)
			if collection == "" {
				continue
			}
			if _, ok := call.Tx.Get(collection, id); !ok {
				t.Errorf("%s %s is about %s %q, which is not there", service.Name, op.Name(), collection, id)
			}
		}
		call := someCall(service, service.Contract.Operations[0], w.Begin())
		if editor.Edit(call, service.Collections[0].Name, "nobody", map[string]any{"a": "b"}) == nil ||
			editor.Remove(call, service.Collections[0].Name, "nobody") == nil {
			t.Errorf("%s changes what is not there", service.Name)
		}
		if _, err := copier.Copy(call, service.Collections[0].Name, "nobody"); err == nil {
			t.Errorf("%s copies what is not there", service.Name)
		}
	}
}

// someCall is a call to an operation whose every parameter is "x".
func someCall(service fakes.Service, op *specs.Operation, tx *world.Tx) *fakes.Call {
	path := map[string]string{}
	for part := range strings.SplitSeq(op.Path, "{") {
		if name, _, ok := strings.Cut(part, "}"); ok {
			path[strings.TrimPrefix(name, "+")] = "x"
		}
	}
	return &fakes.Call{
		Operation: op, Contract: service.Contract, Input: specs.Input{Path: path}, Header: http.Header{}, Tx: tx,
		Now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC), Identity: service.Name + "-somebody", Base: "https://api.example",
		NewID:      func(prefix string, n int) string { return prefix + strings.Repeat("7", n) },
		IdentityOf: func(string) string { return service.Name + "-somebody" },
	}
}
