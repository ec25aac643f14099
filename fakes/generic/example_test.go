package generic_test

import (
	"fmt"
	"net/http"
	"time"

	"parity/fakes"
	"parity/fakes/generic"
	"parity/specs"
)

// A contract is played as it stands, without a word about what it means.
func ExampleNew() {
	contract, err := specs.Builtin("acme-crm")
	if err != nil {
		fmt.Println(err)
		return
	}
	service, problems, err := generic.New(generic.Options{Contract: contract})
	if err != nil {
		fmt.Println(err, problems)
		return
	}
	catalogue, err := fakes.NewCatalogue(service)
	if err != nil {
		fmt.Println(err)
		return
	}
	w, err := catalogue.World()
	if err != nil {
		fmt.Println(err)
		return
	}
	match := contract.Match("POST", "/v1/companies")
	header := http.Header{"Content-Type": {"application/json"}, "Authorization": {"Bearer secret"}}
	input, wrong := match.Operation.Read(specs.Request{Header: header, Body: []byte(`{"name": "Acme"}`)})
	if len(wrong) > 0 {
		fmt.Println(wrong)
		return
	}
	call := &fakes.Call{
		Operation: match.Operation, Contract: contract, Input: input, Header: header, Tx: w.Begin(),
		Now:   time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC),
		NewID: func(prefix string, n int) string { return fmt.Sprintf("%s%0*d", prefix, n, 7) }, // a run draws them
	}
	reply := service.Fake.Answer(call)
	fmt.Println(reply.Status, string(reply.Body))
	fmt.Println(call.Tx.Commit().Len("acme-crm.companies"))
	// Output:
	// 201 {"id":"com_00000000000007","created_at":"2026-03-02T12:00:00Z","name":"Acme","updated_at":"2026-03-02T12:00:00Z"}
	// 1
}
