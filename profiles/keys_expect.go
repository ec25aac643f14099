package profiles

import (
	"slices"

	"parity/faults/trail"
)

// expectKey is the table of what an expectation is written with. Of the keys
// that say what is expected each has one; the others narrow it down.
func expectKey() *key {
	call := &key{kind: text, example: "stripe POST /v1/refunds"}
	return &key{kind: object, doc: "One thing that is expected of the agent.", keys: slices.Concat(countedKeys(call), orderKeys(call), stateKeys())}
}

// countedKeys say how often something happens.
func countedKeys(call *key) []key {
	return []key{
		{
			name: "never", kind: oneOrMany, some: true, of: call, example: "stripe DELETE *",
			doc: "Calls that are not made: operations as in call; or new and a collection, for records that are not made: new stripe.payouts.",
		},
		{
			name: "no_call_to", kind: oneOrMany, some: true, of: &key{kind: text, example: "sendgrid"},
			doc: "Whom nothing is sent to: services, hosts, or *.suffix; what passes unread, and what is refused, counts as well.",
		},
		{name: "at_most", kind: whole, example: "1", doc: "So many calls, or new records, and no more. A call and its retries are one."},
		{name: "at_least", kind: whole, least: 1, example: "1", doc: "So many calls, or new records, by the end."},
		{name: "exactly", kind: whole, example: "1", doc: "So many calls, or new records: no more, and no fewer by the end."},
		{name: "call", kind: oneOrMany, some: true, of: call, doc: "The calls that are counted: operations as rules name them."},
		{
			name: "new", kind: oneOrMany, some: true, of: &key{kind: text, example: "stripe.charges"},
			doc: "The collections whose new records are counted: those that the agent's calls made; not what was there, nor what others, timers and replays make.",
		},
		{
			name: "per", kind: text, example: "metadata.order_id",
			doc: "Count apart for each value of this path: through the new record, or, of calls, through request or result.",
		},
	}
}

// orderKeys say what comes before what, and how soon.
func orderKeys(call *key) []key {
	return []key{
		{name: "each", kind: oneOrMany, some: true, of: call, doc: "The calls that want something before them, needs or max_age; or that are to be answered in time, elapsed."},
		{
			name: "needs", kind: oneOrMany, some: true, of: &key{kind: text, example: "stripe GET /v1/charges/{charge}"},
			doc: "The calls one of which has to have succeeded before.",
		},
		{
			name: "where", kind: text, example: "earlier.path.charge == later.body.charge",
			doc: "What the two have to do with one another: earlier and later have path, query, body, identity and, unless it is enforced, result.",
		},
		{name: "within", kind: span, example: "10m", doc: "How long before, on the run's clock; by default at any time."},
		{name: "enforce", kind: flag, example: "true", otherwise: "false", doc: "true: a call out of order is refused, in the service's own words, and does nothing."},
		{
			name: "max_age", kind: span, example: "30s",
			doc: "How old, on the run's clock, the last read may be of each record that such a call names or changes.",
		},
		{
			name: "elapsed", kind: span, example: "2s",
			doc: "How long each such call may take at most, in real time, from when it came in until its answer has gone out.",
		},
	}
}

// stateKeys say what the world comes to, and what all of them are narrowed by.
func stateKeys() []key {
	return []key{
		{
			name: "eventually", kind: text, example: "any(world.stripe.refunds, .status == \"succeeded\")",
			doc: "A condition over world and calls that holds after some event, whatever becomes of it later.",
		},
		{name: "finally", kind: text, example: "sum(world.stripe.refunds, .amount) <= 20_000", doc: "A condition over world, and calls, that holds at the end."},
		{
			name: "only_changes", kind: list, of: &key{kind: text, example: "stripe.charges.amount_refunded"},
			doc: "All that the agent's calls may change: collections, and fields of records; []: nothing. What others, timers and webhooks do, and what services write down by themselves, is not the agent's.",
		},
		{
			name: "holds", kind: text, example: "none(calls, .status == 429 and .attempt > 3)",
			doc: "Any condition over calls, the list of all that was called, and world as it is at the end.",
		},
		{
			name: "always", kind: choice, choices: []string{trail.NothingReal}, example: trail.NothingReal,
			doc: "What holds all along. " + trail.NothingReal + ": no call that is not a read left for a real service. It passes only where the run is contained and nothing but calls to models passed unread.",
		},
		{
			name: "when", kind: text, example: "request.identity == \"stripe-support-bot\"",
			doc: "Only where this holds: over request, result and clock of a call, and record of a new record; of eventually, finally and holds, over world and calls.",
		},
		{name: "because", kind: text, example: "Two charges for one order are two complaints.", doc: "Why that is expected."},
		{name: "enabled", kind: flag, otherwise: "true", example: "false", doc: "false switches the expectation off, one that was extended too."},
	}
}
