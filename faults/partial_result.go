package faults

import (
	"net/http"
	"slices"
	"sort"
	"strconv"
	"strings"

	"parity/fakes"
	"parity/specs"
)

// partialResult leaves parts out of a reply that looks whole.
//
//	{"customer": {…}, "lines": [1 2 3 4]}  ─▶  {"customer": null, "lines": [1 3]}
func partialResult() *Fault {
	return &Fault{
		Name:     "partial-result",
		Phase:    InReply,
		Summary:  "A success with part missing: items that a failed shard would have given, or null where a branch should be; said, or not.",
		Reaction: "The missing part is not treated as absent: it is asked for again, or the outcome is called partial.",
		Example: `a-shard-is-down:
  call: stripe GET /v1/charges/search
  inject: partial-result
  with: {parts: 30%, marker: none}
  trigger: {nth: 1}
  because: Searches answer without the shards that failed, and few clients look for the flag that says so.`,
		Params: []Param{
			{Name: "parts", Kind: Portion, Default: 0.3, Doc: "how much is missing: of a list, items from anywhere in it; of a record, fields that hold objects or lists, or else others; one at least", Example: "30%"},
			{Name: "fields", Kind: Names, Doc: "which fields of a record, or of each item, are null, by dotted path; instead of parts", Example: "[customer, lines.data]"},
			{Name: "marker", Kind: Choice, Choices: []string{"none", "flag"}, Default: "none",
				Doc: "none: nothing says so; flag: the contract's own word for it (incomplete_results, partial …), or status 206 where the contract has it, or else partial: true", Example: "flag"},
		},
		build: func(a Args) (Injection, error) {
			return holes{parts: a.portion("parts"), fields: a.names("fields"), flags: a.text("marker") == "flag"}, nil
		},
	}
}

type holes struct {
	parts  portion
	fields []string
	flags  bool
}

// Misfit wants a read.
func (h holes) Misfit(op *specs.Operation, _ fakes.Fake) string {
	if op.Effect != specs.Read {
		return op.Name() + " is no read: what it changed is not left out"
	}
	return ""
}

func (h holes) Strike(p *Plan, _ Meeting) Mark {
	p.Amend(h.amend)
	return Mark{}
}

func (h holes) amend(a *Answer) Done {
	value, ok := a.JSON()
	if !ok || !a.Succeeded() {
		return Nothing("the reply is no success with a JSON body")
	}
	list := a.page()
	if list != nil {
		value = list.value
	}
	var done Done
	switch {
	case len(h.fields) > 0:
		done = h.blank(list, value)
	case list != nil:
		value, done = h.thin(a, list)
	default:
		done = h.prune(a, value)
	}
	if done.Not != "" {
		return done
	}
	if a.Put(value); h.flags {
		done.Did += h.flag(a, value)
	}
	return done
}

// blank makes null of the fields that are named.
func (h holes) blank(list *page, value any) Done {
	records := []any{value}
	if list != nil {
		records = list.items
	}
	n := 0
	for _, record := range records {
		for _, name := range h.fields {
			pointer := "/" + strings.ReplaceAll(name, ".", "/")
			if was, there := valueAt(record, pointer); there && was != nil {
				putAt(record, pointer, nil)
				n++
			}
		}
	}
	if n == 0 {
		return Nothing("the reply has nothing in " + strings.Join(h.fields, ", "))
	}
	return Done{Did: "left " + strings.Join(h.fields, ", ") + " null"}
}

// thin takes items out of a list, from anywhere in it.
func (h holes) thin(a *Answer, list *page) (any, Done) {
	all := len(list.items)
	if all == 0 {
		return nil, Nothing("the page is empty")
	}
	ids := list.ids()
	order := shuffled(all, a)
	gone := map[int]bool{}
	done := Done{}
	for _, i := range order[:h.parts.of(all)] {
		gone[i] = true
	}
	kept := make([]any, 0, all)
	for i, item := range list.items {
		if !gone[i] {
			kept = append(kept, item)
		} else if ids[i] != "" {
			done.Left = append(done.Left, ids[i])
		}
	}
	done.Did = "left out " + ofItems(len(gone), all)
	return putAt(list.value, list.anatomy.Items, kept), done
}

// prune makes null of branches of a record.
func (h holes) prune(a *Answer, value any) Done {
	record, _ := value.(map[string]any)
	var branches, leaves []string
	for name, inner := range record {
		switch v := inner.(type) {
		case nil:
		case map[string]any:
			branches = append(branches, name)
		case []any:
			branches = append(branches, name)
		default:
			if id := idText(v); name != "id" && name != "object" && name != "ok" && id != "" {
				leaves = append(leaves, name)
			}
		}
	}
	if len(branches) == 0 {
		branches = leaves
	}
	if len(branches) == 0 {
		return Nothing("the reply has no part that could be missing")
	}
	sort.Strings(branches)
	var gone []string
	for _, i := range shuffled(len(branches), a)[:h.parts.of(len(branches))] {
		record[branches[i]] = nil
		gone = append(gone, branches[i])
	}
	sort.Strings(gone)
	return Done{Did: "left " + strings.Join(gone, ", ") + " null"}
}

// shuffled puts the numbers below n in an order that is drawn.
func shuffled(n int, a *Answer) []int {
	order := make([]int, n)
	for i := range order {
		at := int(a.Draw("part/"+strconv.Itoa(i)) * float64(i+1))
		order[i], order[at] = order[at], i
	}
	return order
}

// flag says that something is missing, and tells how it says so.
func (h holes) flag(a *Answer, value any) string {
	record, _ := value.(map[string]any)
	for _, name := range []string{"incomplete_results", "is_partial", "partial", "incomplete", "timed_out"} {
		_, there := record[name].(bool)
		if declared, _ := a.Call.Operation.Promises(specs.InResult, name); there || record != nil && declared {
			record[name] = true
			a.Put(record)
			return ", and says " + name
		}
	}
	if slices.Contains(a.Call.Operation.Statuses(), "206") || record == nil {
		a.Status = http.StatusPartialContent
		return ", and says 206"
	}
	record["partial"] = true
	a.Put(record)
	return ", and says partial"
}

var _ Fitted = holes{}
