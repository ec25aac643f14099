// Package faketest drives a service as the gateway does, without HTTP: it is
// for tests of fakes alone.
//
//	request ─▶ match ─▶ identify ─▶ read ─▶ Answer in a transaction ─▶ commit
//	              └────────┴─── Word ◀┘            │
//	                                    held against the contract
//
// A Rig is one world of one service. Recorded plays recorded conversations
// with the real service.
package faketest
