package client_test

import (
	"context"
	"fmt"
	"net/http/httptest"

	"parity/gateway/admin"
	"parity/gateway/client"
	"parity/specs"
)

func ExampleClient() {
	contract, err := specs.Builtin("parity")
	if err != nil {
		fmt.Println(err)
		return
	}
	operations := map[string]admin.Operation{} // a gateway's, which here knows no run
	for _, op := range contract.Operations {
		operations[op.ID] = func(_ context.Context, call admin.Call) (admin.Answer, error) {
			return admin.Answer{}, &admin.Problem{Status: 404, Code: "unknown-run", Detail: "there is no run " + call.Path["run"]}
		}
	}
	control, err := admin.New(admin.Options{Address: "127.0.0.1:0", Token: "s3cret", Operations: operations})
	if err != nil {
		fmt.Println(err)
		return
	}
	server := httptest.NewServer(control)
	defer server.Close()

	c, err := client.New(client.Options{URL: server.URL, Token: "s3cret"})
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = c.MoveClock(context.Background(), "shard-1", client.Move{Advance: "2h"})
	fmt.Println(err)
	_, err = c.MoveClock(context.Background(), "shard-1", client.Move{})
	fmt.Println(err)
	// Output:
	// there is no run shard-1
	// body: wants at least 1 fields
}
