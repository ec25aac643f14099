package report

import _ "embed" // the compiler asks for it beside go:embed

//go:generate go test -run ^TestSchemaIsCommitted$ . -update

// The JSON Schema is made from the Go types, by schema_test.go.
//
//go:embed report.schema.json
var schema string

// Schema gives the JSON Schema, draft 2020-12, of what JSON writes.
func Schema() string { return schema }
