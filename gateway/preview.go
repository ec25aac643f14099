package gateway

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	"parity/faults"
	"parity/faults/trail"
	"parity/gateway/client"
	"parity/specs"
	"parity/specs/body"
	"parity/specs/secret"
	"parity/specs/words"
)

// remembered is how many exchanges a new revision is held against.
const remembered = 50

// recent are the newest exchanges of the runs under a profile. They are put there
// by whoever answers them, without waiting for one another.
type recent struct {
	next atomic.Uint64
	ring [remembered]atomic.Pointer[met]
}

// met is an exchange, and the run that it is of.
type met struct {
	run   string
	event *trail.Event
}

func (r *recent) add(run string, e *trail.Event) {
	if e.Exchange == nil || e.Exchange.Operation == "" {
		return
	}
	n := r.next.Add(1) - 1
	r.ring[n%remembered].Store(&met{run, e})
}

// list gives them, oldest first.
func (r *recent) list() []met {
	var all []met
	n := r.next.Load()
	for i := range uint64(remembered) {
		if m := r.ring[(n+i)%remembered].Load(); m != nil {
			all = append(all, *m)
		}
	}
	return all
}

// preview tells which of these exchanges the rules of a revision would have met:
// those whose call and condition fit. Triggers are not asked: they go by what a
// run has counted.
func preview(rev *revision, exchanges []met) client.Foresight {
	f := client.Foresight{Of: len(exchanges), Rules: map[string]int{}}
	for _, m := range exchanges {
		x := m.event.Exchange
		service, ok := rev.catalogue.Service(x.Service)
		if !ok || !rev.bound[x.Service] {
			continue
		}
		match := service.Contract.Recall(x.Operation, x.Method, x.Path)
		if match.Operation == nil {
			continue
		}
		var rules []string
		judged := false
		for _, r := range rev.rules.Of(match.Operation, specs.Input{Path: match.Path}) {
			if yes, known := held(r, m, match); yes {
				rules = append(rules, r.Name)
				f.Rules[r.Name]++
				judged = judged || known
			}
		}
		if len(rules) > 0 {
			f.Met = append(f.Met, client.Met{Run: m.run, Event: m.event.Seq, Rules: rules})
			if !judged {
				f.ByCall++
			}
		}
	}
	return f
}

// held tells whether a rule's condition held for an exchange, as its record has
// it. Where the record does not say, as for what was in the world, the rule
// counts by its call alone: then known is false.
func held(r *faults.Rule, m met, match specs.Match) (yes, known bool) {
	x := m.event.Exchange
	switch {
	case r.When == nil:
		return true, true
	case r.When.Needs("world"), secret.Marked(string(x.Body) + x.Query + x.Path + string(x.ReplyBody)):
		return true, false
	}
	vars, err := recalledVars(m, match)
	if err == nil {
		yes, err = r.When.Bool(vars)
	}
	return yes || err != nil, err == nil
}

// recalledVars are what a condition may name, as far as a record has it.
func recalledVars(m met, match specs.Match) (map[string]any, error) {
	x := m.event.Exchange
	input, err := recorded(match, x)
	if err != nil {
		return nil, err
	}
	header, path := map[string]any{}, map[string]any{}
	for _, f := range x.Header {
		header[strings.ToLower(f.Name)] = f.Value
	}
	for name, value := range input.Path {
		path[name] = value
	}
	vars := map[string]any{
		"request": map[string]any{
			"method": x.Method, "path": path, "query": orEmpty(input.Query), "body": orEmpty(input.Body), "header": header,
			"host": x.Host, "attempt": int64(x.Intent.Attempt), "identity": m.event.Identity,
		},
		"run":   map[string]any{"id": m.run, "exchanges": int64(m.event.Seq) - 1}, //nolint:gosec // small
		"clock": map[string]any{"now": m.event.At.Time().Unix()},
	}
	said := x.FakeBody // what a fault has put something else in the place of
	if len(said) == 0 && x.Fidelity != trail.Injected {
		said = x.ReplyBody
	}
	if value, wrong := body.DecodeJSON(said); wrong == nil && len(said) > 0 {
		vars["result"] = value
	}
	return vars, nil
}

// previewText words what a revision would have met.
func previewText(f *client.Foresight) string {
	if f.Of == 0 {
		return "there is no exchange yet to hold it against"
	}
	said := fmt.Sprintf("would have met %d of the last %s", len(f.Met), words.Count(f.Of, "exchange"))
	if len(f.Met) == 0 {
		return said
	}
	const few = 5
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(f.Rules)) {
		parts = append(parts, name+" "+strconv.Itoa(f.Rules[name]))
	}
	if len(parts) > few {
		parts = append(parts[:few], words.Count(len(parts)-few, "other rule"))
	}
	said += " (" + strings.Join(parts, ", ") + ")"
	if f.ByCall > 0 {
		said += fmt.Sprintf(", %d of them by call: the record does not say whether its condition held", f.ByCall)
	}
	return said
}
