package faults

import (
	"slices"
	"testing"

	"parity/specs"
)

// Which part of a reply is several records: a record's own lists and maps are
// parts of it.
func TestWhatOfAReplyIsSeveralRecords(t *testing.T) {
	t.Parallel()
	loose := operationOf(t, "{type: object}")
	table := operationOf(t, "{type: object, properties: {id: {type: string}, users: {type: object, additionalProperties: {type: object}}}}")
	many := *loose
	many.Path = "/things/batch/read"
	ids := specs.Input{Body: map[string]any{"inputs": []any{map[string]any{"id": "1"}, map[string]any{"id": "2"}}}}
	for name, c := range map[string]struct {
		op   *specs.Operation
		in   specs.Input
		body string
		want []string
	}{
		"asked for by ids":           {loose, ids, `{"results":[{"id":"1"},{"id":"2"}],"errors":[{"id":"1"}]}`, []string{"1", "2"}},
		"asked for in one text":      {loose, specs.Input{Query: map[string]any{"ids": "7, 8"}}, `[{"id":7},{"id":8}]`, []string{"7", "8"}},
		"in an envelope":             {loose, ids, `{"data":{"found":[{"id":"1"}]},"lines":[{"id":"9"}]}`, []string{"1"}},
		"by other than their id":     {&many, specs.Input{Body: map[string]any{"inputs": []any{"a@x"}}}, `{"results":[{"id":"5","email":"b@x"}],"other":[{"id":"3"}]}`, []string{"5"}},
		"a record's lines":           {loose, specs.Input{}, `{"id":"o1","lines":[{"id":"l1"},{"id":"l2"}]}`, nil},
		"a map by id":                {table, specs.Input{}, `{"users":{"b":{"name":"x"},"a":{}}}`, []string{"a", "b"}},
		"a map in a record":          {table, specs.Input{}, `{"id":"t1","users":{"b":{},"a":{}}}`, nil},
		"a map, and nothing says so": {loose, specs.Input{}, `{"data":{"x":1},"meta":{"y":2}}`, nil},
		"a map of what was asked":    {loose, specs.Input{Query: map[string]any{"vid": []any{"1", "2"}}}, `{"1":{"x":[{"id":"1"}]},"2":{}}`, []string{"1", "2"}},
		"nothing":                    {loose, ids, `{}`, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := &Answer{Status: 200, Body: []byte(c.body), Call: Request{Operation: c.op, Input: c.in}}
			value, _ := a.JSON()
			var got []string
			if found := a.several(value); found != nil {
				got = found.ids
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("%v, want %v", got, c.want)
			}
		})
	}
}
