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
//	a record  {"customer": {…}, "lines": […]} ─▶ {"customer": null, "lines": […]}
//	a list    {"data": [1 2 3 4]}             ─▶ {"data": [1 3 4]}
//	a batch   {"1": {…}, "2": {…}, "3": {…}}  ─▶ {"1": {…}, "3": {…}}
func partialResult() *Fault {
	return &Fault{
		Name:     "partial-result",
		Phase:    InReply,
		Live:     LiveReply,
		Summary:  "A success with part missing: items that a failed shard would have given, or null where a branch should be; said, or not.",
		Reaction: "The missing part is not treated as absent: it is asked for again, or the outcome is called partial.",
		Judging:  Judging{Class: ShortAnswer, Lessens: true, Hollow: true, Untold: unflagged},
		Forms:    []Form{{Rank: 160, First: true, With: map[string]any{"parts": "30%", "marker": "own"}, Fits: fitsReads}},
		Example: `a-shard-is-down:
  call: stripe GET /v1/charges/search
  inject: partial-result
  with: {parts: 30%, marker: none}
  trigger: {nth: 1}
  because: Searches answer without the shards that failed, and few clients look for the flag that says so.`,
		Params: []Param{
			{Name: "parts", Kind: Portion, Default: 0.3, Doc: "how much is missing: of a list, of a batch of records that were asked for by their ids, or of a map of records by id, some from anywhere in it; of a record, fields that hold objects or lists, or else others; one at least", Example: "30%"},
			{Name: "fields", Kind: Names, Doc: "which fields of a record, or of each item, are null, by dotted path; instead of parts", Example: "[customer, lines.data]"},
			{
				Name: "marker", Kind: Choice, Choices: []string{"none", "own", "flag"}, Default: "none",
				Doc: "none: nothing says so; own: the contract's own word for it (incomplete_results, partial …), or status 207 of a batch or 206 where the contract has it, with numErrors and errors if it names them, and nothing where it has none; flag: the same, or else partial: true", Example: "own",
			},
		},
		build: func(a Args) (Injection, error) {
			return holes{parts: a.portion("parts"), fields: a.names("fields"), marker: a.text("marker")}, nil
		},
	}
}

type holes struct {
	parts  portion
	fields []string
	marker string
}

// Misfit wants a read.
func (h holes) Misfit(op *specs.Operation, _ fakes.Fake) string {
	if op.Effect != specs.Read {
		return op.Name() + " is no read: what it changed is not left out"
	}
	return ""
}

func (h holes) Apply(p *Plan, _ CallContext) Mark {
	p.Amend(h.amend)
	return Mark{}
}

func (h holes) amend(a *Answer) Done {
	value, ok := a.JSON()
	if !ok || !a.Succeeded() {
		return Nothing("the reply is no success with a JSON body")
	}
	several := a.several(value)
	if several != nil {
		value = several.value
	}
	var done Done
	switch {
	case len(h.fields) > 0:
		done = h.blank(several, value)
	case several != nil:
		value, done = h.thin(a, several)
	default:
		done = h.prune(a, value)
	}
	if done.Not != "" {
		return done
	}
	if a.Put(value); h.marker != "none" {
		done.Did += h.flag(a, value, done.Left)
	}
	return done
}

// blank makes null of the fields that are named: of each of several records, or
// else of the whole.
func (h holes) blank(several *several, value any) Done {
	n := 0
	if several != nil {
		n = h.nulls(several.items)
	}
	if n == 0 {
		n = h.nulls([]any{value})
	}
	if n == 0 {
		return Nothing("the reply has nothing in " + strings.Join(h.fields, ", "))
	}
	return Done{Did: "left " + strings.Join(h.fields, ", ") + " null"}
}

// nulls counts the fields that it makes null.
func (h holes) nulls(records []any) int {
	n := 0
	for _, record := range records {
		for _, name := range h.fields {
			pointer := "/" + strings.ReplaceAll(name, ".", "/")
			if was, there := specs.ValueAt(record, pointer); there && was != nil {
				putAt(record, pointer, nil)
				n++
			}
		}
	}
	return n
}

// thin takes some of several records out, from anywhere among them.
func (h holes) thin(a *Answer, several *several) (any, Done) {
	all := len(several.items)
	if all == 0 {
		return nil, Nothing("the page is empty")
	}
	gone := map[int]bool{}
	for _, i := range shuffled(all, a)[:h.parts.of(all)] {
		gone[i] = true
	}
	var done Done
	for i, id := range several.ids {
		if gone[i] && id != "" {
			done.Left = append(done.Left, id)
		}
	}
	done.Did = "left out " + ofItems(len(gone), all)
	return several.without(gone), done
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

// flag says that something is missing, and tells how it says so; "": it does not.
func (h holes) flag(a *Answer, value any, left []string) string {
	record, _ := value.(map[string]any)
	for _, name := range []string{"incomplete_results", "is_partial", "partial", "incomplete", "timed_out"} {
		_, there := record[name].(bool)
		if declared, _ := a.Call.Operation.Promises(specs.InResult, name); there || record != nil && declared {
			record[name] = true
			a.Put(record)
			return ", and says " + name
		}
	}
	if slices.Contains(a.Call.Operation.Statuses(), "207") && len(left) > 0 {
		a.Status = http.StatusMultiStatus
		reportErrors(a, record, left)
		return ", and says 207"
	}
	own := h.marker == "own"
	if slices.Contains(a.Call.Operation.Statuses(), "206") || record == nil && !own {
		a.Status = http.StatusPartialContent
		return ", and says 206"
	}
	if own {
		return "" // the service has no word for it, so that it would say nothing
	}
	record["partial"] = true
	a.Put(record)
	return ", and says partial"
}

// reportErrors says of a batch what is missing, where its contract has a word
// for it.
func reportErrors(a *Answer, record map[string]any, left []string) {
	errors := map[string]any{"status": "error", "message": "Some records could not be read; try again.", "context": map[string]any{"ids": left}}
	for name, value := range map[string]any{"numErrors": int64(1), "errors": []any{errors}} {
		declared, _ := a.Call.Operation.Promises(specs.InResult, name)
		if _, there := record[name]; there || !declared || record == nil {
			continue
		}
		if record[name] = value; !a.allows(record) {
			delete(record, name)
		}
	}
	if record != nil {
		a.Put(record)
	}
}

var _ Requirer = holes{}

// unflagged tells an answer that says nothing of what it lacks.
func unflagged(did string) bool {
	return !strings.Contains(did, "and says") && !strings.Contains(did, "null")
}
