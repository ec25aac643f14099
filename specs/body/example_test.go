package body_test

import (
	"fmt"
	"testing/fstest"

	"parity/specs/body"
	"parity/specs/document"
	"parity/specs/openapi"
)

// A contract's parameters read a query, and write one.
func Example() {
	files := fstest.MapFS{"api.yaml": {Data: []byte(`
openapi: 3.1.0
info: {title: shop, version: "1"}
paths:
  /orders:
    get:
      parameters:
        - {name: ids, in: query, explode: false, schema: {type: array, items: {type: integer}}}
        - {name: paid, in: query, schema: {type: boolean}}
`)}}
	d, err := document.Open(files, "api.yaml")
	if err != nil {
		panic(err)
	}
	api, err := openapi.Read(d)
	if err != nil {
		panic(err)
	}
	list, _ := api.Operations[0].Parameters()
	parameters := body.NewParameters(list, body.Options{}) // kept

	values, problem := parameters.Query("ids=1,2&paid=true")
	fmt.Println(values, problem == nil)

	text, err := body.EncodeParameter(list[0], []any{int64(7), int64(8)})
	fmt.Println(text, err)
	// Output:
	// map[ids:[1 2] paid:true] true
	// ids=7,8 <nil>
}
