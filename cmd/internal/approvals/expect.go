package approvals

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"parity/gateway/client"
	"parity/gateway/report"
)

// ReadExpected reads what a call is expected to do: the diff of a prediction, or
// what `parity rehearse -o json` prints.
func ReadExpected(text []byte) ([]client.Change, error) {
	var list []client.Change
	if exactly(text, &list) == nil {
		return list, nil
	}
	var whole struct {
		Diff      *[]client.Change `json:"diff"`
		Predicted *struct {
			Diff []client.Change `json:"diff"`
		} `json:"predicted"`
	}
	err := exactly(text, &whole)
	switch {
	case err != nil:
		return nil, fmt.Errorf("it is no list of changes, as `parity rehearse -o json` has under predicted.diff: %w", err)
	case whole.Diff != nil:
		return *whole.Diff, nil
	case whole.Predicted != nil:
		return whole.Predicted.Diff, nil
	}
	return nil, errors.New("it has no changes: write the list that `parity rehearse -o json` has under predicted.diff")
}

// exactly reads JSON with each digit of its numbers.
func exactly(text []byte, into any) error {
	exact := json.NewDecoder(bytes.NewReader(text))
	exact.UseNumber()
	return exact.Decode(into)
}

// Unexpected says in what a prediction is not what is expected, a line for each
// record and field; none: it is that. Ids of new records do not matter, nor what
// is left out of a record that is new or gone.
func Unexpected(want, is []client.Change) (lines []string) {
	want, is = nameless(want), nameless(is)
	for i := range is {
		c := &is[i]
		at := nearest(want, c)
		if at < 0 {
			lines = append(lines, fmt.Sprintf("%s %s is not expected", sign(c.Op), c.Record))
			continue
		}
		lines = append(lines, unlike(&want[at], c)...)
		want = slices.Delete(want, at, at+1)
	}
	for i := range want {
		lines = append(lines, fmt.Sprintf("%s %s is expected and would not be", sign(want[i].Op), want[i].Record))
	}
	return lines
}

// nearest is the place of the expectation that is of the same record, or of a new
// one of its sort: the one that differs least; -1: there is none.
func nearest(want []client.Change, c *client.Change) int {
	found, least := -1, 0
	for i := range want {
		if want[i].Op != c.Op || want[i].Record != c.Record {
			continue
		}
		if n := len(unlike(&want[i], c)); found < 0 || n < least {
			found, least = i, n
		}
	}
	return found
}

// unlike says in which fields a change of one record is not as expected.
func unlike(want, is *client.Change) (lines []string) {
	wanted, found, all := fieldsOf(want), fieldsOf(is), is.Op == "update"
	names := slices.Collect(maps.Keys(wanted))
	if all {
		for name := range found {
			if _, there := wanted[name]; !there {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	for _, name := range names {
		if a, b := wanted[name], found[name]; !same(a, b) {
			lines = append(lines, fmt.Sprintf("%s %s: %s is %s, and %s is expected", sign(is.Op), is.Record, name, shown(name, b, all), shown(name, a, all)))
		}
	}
	return lines
}

// shown is the value of a field, or what it was and is.
func shown(name string, v any, pair bool) string {
	both, ok := v.([2]any)
	switch {
	case v == nil && pair:
		return "unchanged"
	case ok:
		return report.Value(name, both[0]) + " → " + report.Value(name, both[1])
	}
	return report.Value(name, v)
}

func fieldsOf(c *client.Change) map[string]any {
	switch c.Op {
	case "create":
		return c.After
	case "delete":
		return c.Before
	}
	fields := make(map[string]any, len(c.Fields))
	for name, pair := range c.Fields {
		fields[name] = pair
	}
	return fields
}

func sign(op string) string {
	switch op {
	case "create":
		return "+"
	case "delete":
		return "-"
	}
	return "~"
}

// nameless has no ids of new records in it: each is known by its collection and
// its place.
func nameless(list []client.Change) []client.Change {
	ids := []string{}
	count := map[string]int{}
	for _, c := range list {
		if id, ok := c.After["id"].(string); ok && c.Op == "create" && id != "" {
			count[c.Record]++
			ids = append(ids, id, fmt.Sprint(c.Record, " ", count[c.Record]))
		}
	}
	named := strings.NewReplacer(ids...)
	out := make([]client.Change, len(list))
	for i, c := range list {
		c.After, _ = without(named, c.After).(map[string]any)
		c.Before, _ = without(named, c.Before).(map[string]any)
		fields := make(map[string][2]any, len(c.Fields))
		for name, pair := range c.Fields {
			fields[name] = [2]any{without(named, pair[0]), without(named, pair[1])}
		}
		c.Fields = fields
		out[i] = c
	}
	return out
}

func without(named *strings.Replacer, v any) any {
	switch v := v.(type) {
	case string:
		return named.Replace(v)
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = without(named, v[i])
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(v))
		for name, value := range v {
			out[name] = without(named, value)
		}
		return out
	}
	return v
}
