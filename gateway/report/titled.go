package report

import (
	"encoding/json"
	"slices"
	"strings"

	"parity/faults"
	"parity/specs/words"
)

// titleOf is what people would call a record: its subject, summary, title, name or
// text, and its amount; "": it has none of these. A table of the names that APIs
// have for it, not of any one service.
func titleOf(record []byte) string {
	v, err := decoded(record)
	if err != nil || len(record) > mostWhole {
		return ""
	}
	value, ok := v.(map[string]any)
	if !ok {
		return ""
	}
	inner, _ := value["properties"].(map[string]any)
	title := ""
	for _, name := range []string{"summary", "subject", "title", "dealname", "name", "text", "description", "email"} {
		for _, from := range []map[string]any{value, inner} {
			if s, ok := from[name].(string); ok && title == "" {
				title = strings.Join(strings.Fields(s), " ")
			}
		}
	}
	parts := []string{title, amountOf(value)}
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), ", ")
}

// amountOf is the money of a record, which is in minor units where it has a
// currency beside it.
func amountOf(value map[string]any) string {
	number, _ := value["amount"].(json.Number)
	currency, _ := value["currency"].(string)
	minor, err := number.Int64()
	if err != nil {
		return ""
	}
	return words.Money(minor, currency)
}

// title is it as a page shows it.
func (p *packer) title(record []byte) string {
	const most = 80
	return cut(p.plain(titleOf(record)), most)
}

// twinned are the records that one intent made more than once, by whichever
// attempt, or that one call made twice where a fault had it do so: those made
// later, with the first. What one call makes of several records is matched by its
// place among those.
func twinned(all []*history) map[*history]string {
	type key struct {
		service, identity, intent, collection string
		nth                                   int
	}
	first, twins := map[key]string{}, map[*history]string{}
	nth := map[uint64]map[string]int{}
	for _, h := range all {
		made := h.steps[0]
		x := made.e.Exchange
		if h.op() != "created" || x == nil || x.Intent.ID == "" {
			continue
		}
		if nth[made.e.Seq] == nil {
			nth[made.e.Seq] = map[string]int{}
		}
		k := key{x.Service, made.e.Identity, x.Intent.ID, h.collection, nth[made.e.Seq][h.collection]}
		if faults.Struck(x, faults.DoneTwice) { // by a fault
			k.nth = 0
		}
		nth[made.e.Seq][h.collection]++
		if id, ok := first[k]; ok {
			twins[h] = id
		} else {
			first[k] = h.id
		}
	}
	return twins
}
