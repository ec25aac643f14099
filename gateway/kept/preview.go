package kept

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"parity/gateway/client"
	"parity/gateway/exchange"
	"parity/specs"
	"parity/specs/words"
)

// Preview tells which of these exchanges the rules of a revision would have met:
// those whose call and condition fit. Triggers are not asked: they go by what a
// run has counted.
func Preview(rev *exchange.Revision, exchanges []exchange.Met) client.Foresight {
	f := client.Foresight{Of: len(exchanges), Rules: map[string]int{}}
	for _, m := range exchanges {
		x := m.Event.Exchange
		service, ok := rev.Catalogue.Service(x.Service)
		if !ok || !rev.Bound[x.Service] {
			continue
		}
		match := service.Contract.Recall(x.Operation, x.Method, x.Path)
		if match.Operation == nil {
			continue
		}
		var rules []string
		judged := false
		for _, r := range rev.Rules.Of(match.Operation, specs.Input{Path: match.Path}) {
			if yes, known := m.Holds(r, match); yes {
				rules = append(rules, r.Name)
				f.Rules[r.Name]++
				judged = judged || known
			}
		}
		if len(rules) > 0 {
			f.Met = append(f.Met, client.Met{Run: m.Run, Event: m.Event.Seq, Rules: rules})
			if !judged {
				f.ByCall++
			}
		}
	}
	return f
}

// PreviewText words what a revision would have met.
func PreviewText(f *client.Foresight) string {
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
