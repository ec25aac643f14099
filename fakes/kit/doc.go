// Package kit is what fakes share: pages, stored idempotent answers, timers,
// expanded references, ids, merged metadata, and replies. None of it knows a
// service; each fake gives it its own words.
//
//	List     world ──▶ one page, newest first, between two cursors
//	Keys     key ──▶ fresh | running | done | misused
//	Schedule timer ──▶ the world ──Due──▶ what happens next, and when
//	Shape    "data.customer" ──▶ the record in place of its id
//	Reply    a record or a value ──▶ status, headers, bytes
//
// Nothing here keeps state: what must be remembered is in the transaction that
// the caller hands in.
package kit
