package profiles

import (
	"regexp"
	"sync"

	"parity/faults"
	"parity/specs"
)

// kind is what a key's value is written as.
type kind string

const (
	object    kind = "object"    // a map with fixed keys
	table     kind = "table"     // a map from names to one kind of value
	arguments kind = "arguments" // a map that the fault judges
	argument  kind = "plain value"
	anything  kind = "value" // a plain value, or a list or a map of them
	list      kind = "list"
	oneOrMany kind = "one or many" // a text, or a list of them
	mix       kind = "mix"         // a plain value, a list of them, or the share of each
	name      kind = "name"
	text      kind = "text"
	whole     kind = "whole number"
	integer   kind = "whole number, or one below 0"
	number    kind = "number"
	share     kind = "share"
	span      kind = "duration"
	size      kind = "size"
	instant   kind = "time"
	day       kind = "day"
	flag      kind = "flag"
	choice    kind = "choice"
)

// key is one entry of the table that the reader and the schema share.
type key struct {
	name      string
	kind      kind
	doc       string
	example   string
	otherwise string                // what it is where it is not said
	keys      []key                 // of an object
	of        *key                  // of a table or a list
	choices   []string              // of a choice
	least     uint64                // of a whole number
	most      uint64                // of a whole number; 0: no bound
	must      bool                  // in each file
	full      bool                  // once all that is extended has been merged
	some      bool                  // a list with at least one element
	unit      bool                  // replaced as a whole by what extends it, not key by key
	adds      bool                  // a list: what extends it adds to it
	null      bool                  // null is a value of it
	names     func() *regexp.Regexp // of a table's keys; nil: nameForm
}

func (k *key) find(name string) *key {
	for i := range k.keys {
		if k.keys[i].name == name {
			return &k.keys[i]
		}
	}
	return nil
}

// nameForm is what names of profiles, services, rules and differences look
// like; they become parts of file names and of labels.
var nameForm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z0-9-]{1,64}$`) })

// document is the table of all keys.
func document() *key {
	return &key{kind: object, doc: "How far a rehearsal stands from production, and in which directions it is pushed.", keys: []key{
		{name: "profile", kind: name, must: true, doc: "The profile's name.", example: "rough-afternoon"},
		{name: "summary", kind: text, doc: "One sentence on what this rehearses.", example: "The card processor on a bad afternoon."},
		{
			name: "extends", kind: list, of: &key{kind: text, example: "baseline"},
			doc: "Profiles to build on: names of the library, or paths from this file. Later ones win over earlier ones, and this file over all, by key.",
		},
		{name: "seed", kind: whole, doc: "What every draw derives from; without it each run draws one.", example: "7", otherwise: "drawn for each run"},
		{
			name: "services", kind: table, doc: "The services that are played, by name.",
			of: serviceKey(),
		},
		{
			name: "world", kind: choice, choices: []string{friendly, empty}, example: empty, otherwise: friendly,
			doc: "What built-in services begin with where the profile names neither fixtures nor data: the friendly fixtures that ship with each, or nothing. Services that are read for real begin with nothing.",
		},
		clockKey(),
		policyKey(),
		isolationKey(),
		{name: "faults", kind: table, of: ruleKey(), doc: "The rules, by name. Those that alter a reply compose in file order; where two decide the outcome, the first wins."},
		{name: "differences", kind: table, of: differenceKey(), doc: "Known differences from production, by name."},
		{name: "divergences", kind: table, of: divergenceKey(), doc: "Cases in which a rehearsal passed and production failed, by name."},
		dataKey(),
		{
			name: "data_seed", kind: whole, example: "7", otherwise: "the run's seed",
			doc: "What data derives from, in place of the run's seed: runs of any seed then begin with one world, which they share.",
		},
		{name: "expect", kind: table, of: expectKey(), doc: "What is expected of the agent, by name."},
		intentsKey(),
		shadowKey(),
		saysKey(),
		secretsKey(),
		{name: "promotion", kind: table, of: stepKey(), doc: "What an agent has to show before it goes a step up, by the step's name."},
		{name: "identities", kind: table, of: identityKey(), doc: "Who calls, by names that reports use in place of digests."},
		{name: "people", kind: table, of: personKey(), doc: "Who stands in, by the clock, for people that services wait for, by name."},
		exportedKey(),
	}}
}

// effectForm is how the keys of effects look: operations.
var effectForm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[^ ]+ ?.*$`) })

func serviceKey() *key {
	effects := []string{string(specs.Read), string(specs.Reversible), string(specs.Irreversible)}
	return &key{kind: object, doc: "A service. One that is built in brings its contract, hosts and fake: {}. Any other has a contract.", keys: append([]key{
		{name: "contract", kind: text, doc: "An OpenAPI document, which becomes a stateful fake: its path from this file. It may refer to files of its own folder.", example: "contracts/acme-crm.yaml"},
		{name: "behaviour", kind: text, doc: "What the contract does not say of how the service behaves: a path from this file.", example: "contracts/acme-crm.behaviour.yaml"},
		{
			name: "beside", kind: text, example: "stripe",
			doc: "The built-in service for which it stands in: calls that the other does not model are answered by this one, on the other's hosts.",
		},
		{
			name: "hosts", kind: list, of: &key{kind: text, example: "crm.acme.internal"},
			doc: "The hosts that it answers on, each a name or *.suffix; by default those of its contract.", example: "[crm.acme.internal, \"*.crm.acme.internal\"]",
		},
		{
			name: "effects", kind: table, names: effectForm, of: &key{kind: choice, choices: effects, example: "reversible"},
			doc: "What operations do to the world, where that is not what the contract says, by operation: acme-crm POST /contacts/{id}/archive.",
		},
		classesKey(),
		{
			name: "undeclared", kind: choice, choices: []string{Ignored, Flagged, Refused}, example: Refused, otherwise: Ignored,
			doc: "What becomes of a call with query parameters or fields of the body that the contract does not name, where it does not refuse them itself: by default they are ignored; flagged ones are in the record.",
		},
		{
			name: "fixtures", kind: list, of: &key{kind: text, example: "billing-messy"},
			doc: "What is there before the run begins: names of fixtures that ship with the service, or paths from this file, of records or of a conversation with the real service (a mirror, a recording).",
		},
		freshKey(),
	}, modeKeys()...)}
}

func clockKey() key {
	return key{name: "clock", kind: object, unit: true, doc: "The run's clock. By default it starts now and moves with real time.", keys: []key{
		{name: "mode", kind: choice, choices: []string{"live", "stepped"}, doc: "live moves with real time; stepped moves a fixed step each exchange.", example: "stepped", otherwise: "live"},
		{name: "start", kind: instant, doc: "The run's first instant. A fixed start is a difference from production of its own.", example: "2026-03-02T13:00:00Z", otherwise: "now"},
		{name: "step", kind: span, doc: "How far each exchange moves a stepped clock.", example: "1s", otherwise: "1s"},
		{name: "speed", kind: number, doc: "Seconds of the run for each real second, of a live clock.", example: "60", otherwise: "1"},
	}}
}

func ruleKey() *key {
	return &key{kind: object, doc: "One way in which a service misbehaves: when it happens and to what.", keys: []key{
		{
			name: "call", kind: oneOrMany, full: true, some: true, of: &key{kind: text, example: "stripe POST /v1/refunds"},
			doc: "The operations: service METHOD /path as its documentation writes it, or service.OperationId; * stands for any run of characters. A path that no operation has names the calls that are made with it: hubspot POST /crm/v3/objects/contacts is about contacts alone.",
		},
		{name: "when", kind: text, doc: "A condition over request, result, run, world and clock.", example: "result.amount > 10_000"},
		{name: "inject", kind: choice, full: true, choices: faults.CatalogueNames(), doc: "The fault.", example: "ambiguous-success"},
		{name: "with", kind: arguments, unit: true, doc: "The fault's parameters.", example: "{reply: reset}"},
		triggerKey(),
		{name: "because", kind: text, doc: "The incident or figure that makes this rule real.", example: "Twin refunds 32 to 37 s apart after a client deadline of 30 s."},
		{name: "required", kind: flag, doc: "A run in which this never fired is invalid.", otherwise: "true for a rule with nth or first in the profile that was named", example: "true"},
		{name: "live", kind: flag, doc: "It strikes where a real service is called, too: an answer in place of the service, or, of reads, what comes back. From stage 4 on, with trigger.max and because, and once a person has approved it in the run (parity approvals rule).", otherwise: "false", example: "true"},
		{name: "enabled", kind: flag, doc: "false switches the rule off, one that was extended too.", otherwise: "true", example: "false"},
	}}
}

func triggerKey() key {
	return key{name: "trigger", kind: object, unit: true, doc: "Which of the intents that the rule meets are hit; without it, all. A call and its retries are one intent.", keys: []key{
		{name: "nth", kind: whole, least: 1, doc: "Only this one.", example: "2"},
		{name: "first", kind: whole, least: 1, doc: "The first so many.", example: "3"},
		{name: "every", kind: whole, least: 1, doc: "Each one whose number is a multiple.", example: "5"},
		{name: "skip", kind: whole, least: 1, doc: "None of the first so many; the others count from there.", example: "3"},
		{name: "chance", kind: share, doc: "A keyed draw: the same seed and calls give the same draws.", example: "30%"},
		{name: "max", kind: whole, least: 1, doc: "At most so many.", example: "2"},
		{name: "between", kind: list, of: &key{kind: text}, doc: "Two operations: only after a call to the first, until one to the second.", example: "[stripe POST /v1/refunds, stripe GET /v1/refunds]"},
		{name: "window", kind: object, doc: "Only in this part of the run, on its clock.", keys: []key{
			{name: "from", kind: span, doc: "From this age of the run.", example: "10m"},
			{name: "to", kind: span, doc: "Until this age of the run.", example: "25m"},
		}},
		{name: "tries", kind: whole, least: 1, most: 1000, doc: "How many attempts of an intent are hit: SDKs retry by themselves, and 1 may be swallowed by theirs.", example: "3", otherwise: "1"},
		{name: "per", kind: text, doc: "Count apart for each value of this path through request or result; by default for each identity.", otherwise: "each identity", example: "result.charge.customer"},
	}}
}

func differenceKey() *key {
	return &key{kind: object, doc: "A known difference from production, and what it stops a result from proving.", keys: []key{
		{name: "covers", kind: oneOrMany, full: true, some: true, of: &key{kind: text, example: "stripe *"}, doc: "The operations it is about."},
		{name: "production", kind: text, full: true, doc: "What the real service does.", example: "A payout settles after two business days."},
		{name: "here", kind: text, full: true, doc: "What happens in a rehearsal.", example: "A payout is paid at once."},
		{name: "so", kind: text, full: true, doc: "What a rehearsal therefore does not show.", example: "Nothing here shows that the agent waits for settlement."},
		{name: "weakens", kind: list, full: true, some: true, of: &key{kind: choice, choices: Aspects()}, doc: "What a result proves less about."},
		{name: "accepted", kind: object, unit: true, doc: "Who took it into account, and until when.", keys: []key{
			{name: "by", kind: text, doc: "A person or a team.", example: "billing-qa"},
			{name: "until", kind: day, doc: "The day it is looked at again.", example: "2027-03-01"},
		}},
	}}
}
