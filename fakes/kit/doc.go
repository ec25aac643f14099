// Package kit is what fakes share: records held against the contract, pages,
// stored idempotent answers, timers, webhooks, limits, lagging indexes, tokens,
// expanded references, merged metadata, and replies. None of it knows a
// service; each fake gives it its own words.
//
//	Build    a contract, what answers it, what it keeps ──▶ a service
//	With     a guard, a handler ──▶ a handler that begins where the guard is content
//	Authorization header ──▶ a scheme, and a token or a user and a password
//	Store    a value ──contract──▶ the world
//	List     world ──▶ one page, newest first, between two cursors
//	Keys     key ──▶ fresh | running | done | misused
//	Schedule timer ──▶ the world ──Due──▶ what happens next, and when
//	Deliver  a webhook ──▶ the world ──Deliveries──▶ an attempt ──▶ the next, or none
//	Send     an act that cannot be taken back ──▶ Outbox
//	Limits   key ──▶ how many calls its window still allows
//	Index    record ──▶ what a search sees of it by now
//	Tokens   identity ──▶ whose, for what, until when
//	Shape    "data.customer" ──▶ the record in place of its id
//	Reply    a record or a value ──▶ status, headers, bytes
//
// Nothing here keeps state: what must be remembered is in the transaction that
// the caller hands in.
package kit
