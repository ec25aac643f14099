// Package specs holds the contracts: what each service's API allows, compiled
// from its OpenAPI document so that a request costs microseconds.
//
//	openapi.yaml ──Load──▶ Contract ──Match──▶ Operation ──Read──▶ Input
//	                          │                    │          └───▶ []Violation
//	                          ├─CheckRecord        ├─CheckReply
//	                          └─Model              └─Authenticate
//
// Documents are read by the packages below this one (document, schema, openapi),
// each part when it is first needed; matching and anatomy are ours; JSON Schema
// does the judging, each schema compiled once. Checking a whole document is never
// on the start path: Contract.Check is for tests and for lint.
package specs
