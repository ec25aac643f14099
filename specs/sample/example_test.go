package sample_test

import (
	"encoding/json"
	"fmt"
	"hash/crc32"
	"testing/fstest"
	"time"

	"parity/specs/document"
	"parity/specs/openapi"
	"parity/specs/sample"
)

func Example() {
	d, err := document.Open(fstest.MapFS{"crm.yaml": {Data: []byte(`
openapi: 3.0.3
paths: {}
components:
  schemas:
    Contact:
      type: object
      required: [id, email, plan]
      properties:
        id: {type: string, readOnly: true, pattern: '^ct_[0-9a-f]{8}$'}
        email: {type: string, format: email}
        plan: {type: string, enum: [free, paid]}
        created_at: {type: string, format: date-time, readOnly: true}
`)}}, "crm.yaml")
	if err != nil {
		fmt.Println(err)
		return
	}
	api, err := openapi.Read(d)
	if err != nil {
		fmt.Println(err)
		return
	}
	contact := api.Component("Contact")

	maker := sample.Maker{
		Draw: func(key string, n int) int { return int(crc32.ChecksumIEEE([]byte("seed 7 "+key))) % n },
		Now:  time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC),
		Side: sample.Request,
	}
	request, ok := maker.Value(contact, "contact")
	show(request, ok)
	broken, ok := maker.Spoil(contact, request)
	show(broken, ok)

	maker.Side = sample.Reply
	show(maker.Complete(contact, map[string]any{"email": "ada@example.com", "plan": "paid"}), true)
	// Output:
	// {"email":"allison.townsend1472@example.com","plan":"free"} true
	// {"Value":{"email":null,"plan":"free"},"Rule":"type","Path":"/email"} true
	// {"created_at":"2026-03-04T13:59:03Z","email":"ada@example.com","id":"ct_71bce823","plan":"paid"} true
}

func show(value any, ok bool) {
	text, err := json.Marshal(value)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(string(text), ok)
}
