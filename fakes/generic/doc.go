// Package generic plays any service of which there is a contract: what is
// created can be read, listed, changed and deleted.
//
//	contract ──anatomy.Infer──▶ Model ─┐
//	                                   ├─▶ plan of each operation ──Answer──▶ record, list, refusal
//	behaviour file (corrections) ──────┘          │
//	                                              └─ nothing is known ─▶ example, or a value of the schema
//
// What the contract says is kept to: shapes of replies, ids, pages, errors.
// What it does not say is guessed, and the behaviour file corrects a guess. The
// fake keeps nothing of its own; records are in the world, as their reads show
// them, and what no read shows is in hidden collections beside them.
package generic
