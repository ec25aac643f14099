package admin_test

import (
	"context"
	"fmt"
	"net/http/httptest"

	"parity/gateway/admin"
	"parity/specs"
)

func ExampleNew() {
	contract, err := specs.Builtin("parity")
	if err != nil {
		fmt.Println(err)
		return
	}
	operations := map[string]admin.Operation{}
	for _, op := range contract.Operations {
		operations[op.ID] = func(context.Context, admin.Call) (admin.Answer, error) {
			return admin.Answer{JSON: "what " + op.ID + " gives"}, nil
		}
	}
	control, err := admin.New(admin.Options{
		Address:    "127.0.0.1:0",
		Token:      "s3cret",
		Ready:      func() bool { return true },
		Operations: operations,
	})
	if err != nil {
		fmt.Println(err) // a command exits with its usage code here
		return
	}
	r := httptest.NewRequest("GET", "http://127.0.0.1/readyz", nil)
	w := httptest.NewRecorder()
	control.ServeHTTP(w, r)
	fmt.Print(w.Code, " ", w.Body)
	// Output: 200 ready
}

func ExampleCheckAddress() {
	fmt.Println(admin.CheckAddress("0.0.0.0:7070", ""))
	// Output: control address "0.0.0.0:7070": the control plane would be open to others: there is no token; set PARITY_CONTROL_TOKEN to a token such as `openssl rand -hex 16` prints, or bind it to 127.0.0.1
}
