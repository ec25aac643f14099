// Package specs holds the contracts: what each service's API allows, compiled
// from its OpenAPI document so that a request costs microseconds.
//
//	openapi.yaml ──Load──▶ Contract ──Match──▶ Operation ──Read──▶ Input
//	                          │                    │          └───▶ []Violation
//	                          └─CheckRecord        └─CheckReply
//
// kin-openapi loads the document and resolves its references; matching, form
// decoding and anatomy are ours; JSON Schema does the judging, each schema
// compiled once, when it is first needed. Checking a whole document is never
// on the start path: Contract.Check is for tests and for lint.
package specs
