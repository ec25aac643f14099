package profiles

import (
	"regexp"
	"sync"

	"parity/fakes/fixture"
)

var (
	collectionForm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z0-9-]{1,64}\.[a-z0-9_-]{1,64}$`) })
	fieldForm      = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}(\.[A-Za-z0-9_-]{1,64}){0,7}$`) })
)

// dataKey is the table of what is said of generated records. What is said of
// fields is keyed by field: metadata.order_id is one inside another.
func dataKey() key {
	pair := func(of key, example string) *key { return &key{kind: list, of: &of, example: example} }
	fields := func(name string, of *key, doc string) key {
		return key{name: name, kind: table, names: fieldForm, of: of, doc: doc}
	}
	count := key{kind: whole, most: fixture.MostRecords, example: "5"}
	return key{
		name: "data", kind: table, names: collectionForm, doc: "Records that are generated before the run begins, by collection: their shape before their number.",
		of: &key{kind: object, unit: true, doc: "How the records of one collection look.", keys: []key{
			{name: "count", kind: whole, least: 1, most: fixture.MostRecords, doc: "How many there are.", example: "40"},
			{name: "per", kind: text, doc: "Instead of a count: some for each record of this collection, which they point to.", example: "stripe.customers"},
			{name: "each", kind: list, of: &count, doc: "With per: the fewest and the most for each.", example: "[1, 5]"},
			{name: "created", kind: list, of: &key{kind: day, example: "2009-01-01"}, doc: "The first and the last day on which they were made; by default the year before the run.", example: "[2009-01-01, 2026-02-28]"},
			{name: "duplicates", kind: share, doc: "How many are like an earlier one, but for their id and when they were made.", example: "10%"},
			fields("missing", &key{kind: share, example: "8%"}, "By field, how many have none."),
			{name: "has", kind: list, of: &key{kind: text, example: "phone"}, doc: "Fields that are filled with what fits their name; customers, contacts and users have email and name.", example: "[phone, address, metadata.order_id]"},
			fields("texts", pair(count, "[0, 2000]"), "By field, the fewest and the most characters that it has."),
			{name: "unicode", kind: share, doc: "How many of the texts are not ASCII.", example: "20%"},
			fields("numbers", pair(key{kind: integer, example: "500"}, "[50, 500_000]"), "By field, the least and the most that it is."),
			fields("set", &key{kind: mix, some: true, of: &key{kind: argument, example: "usd"}, example: "{usd: 80%, eur: 20%}"}, "By field, what it is: one value, one of several, or several with the share of each."),
			fields("refer", &key{kind: text, example: "stripe.customers"}, "By field, the collection whose records it points to."),
			fields("parts", pair(key{kind: share, example: "60%"}, "[10%, 60%]"), "By field, a part of what the record that it refers to has there, all of them together no more than the whole: refunds in part."),
		}},
	}
}
