package fidelity

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"parity/fakes/chance"
	"parity/faults/trail"
	"parity/profiles"
	"parity/specs"
	"parity/specs/words"
)

var notOfNames = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[^a-z0-9]+`) })

// Slug makes a part of a name of an operation.
func Slug(op *specs.Operation) string {
	text := strings.Trim(notOfNames().ReplaceAllString(strings.ToLower(op.Service+" "+op.Method+" "+op.Bare()), "-"), "-")
	if len(text) > 40 {
		text = text[:32] + "-" + chance.Hash(op.Name())[:6]
	}
	return text
}

// propose writes, as YAML for a profile, what it does not declare yet: one
// difference for each operation and property, and how fast operations were. What
// no contract has cannot be named in a profile, and is left out.
func (m *measuring) propose(r *Result) string {
	var all []trail.Proposal
	rules := ""
	for _, d := range r.Undeclared() {
		o := m.operations[d.Operation]
		if o.op == nil {
			continue
		}
		if d.What == timing {
			p := Fit(o.name, o.took)
			rules += fmt.Sprintf("  %s-pace:\n    call: %q\n    inject: latency\n    with: %s\n    because: As fast as %s answered.\n",
				Slug(o.op), o.op.Name(), p.With(), words.Count(p.Replies, "recorded call"))
			continue
		}
		name := Slug(o.op) + "-" + d.Property
		i := slices.IndexFunc(all, func(p trail.Proposal) bool { return p.Name == name })
		if i < 0 {
			i = len(all)
			all = append(all, trail.Proposal{Name: name, Covers: []string{o.op.Name()}, So: "Nothing here shows that the agent copes with that.", Weakens: []string{d.Property}})
		}
		all[i].Production = told(all[i].Production, d.says(d.Production, true))
		all[i].Here = told(all[i].Here, d.says(d.Here, false))
	}
	for _, l := range r.Limits {
		rules += m.limit(l)
	}
	slices.SortFunc(all, func(a, b trail.Proposal) int { return strings.Compare(a.Name, b.Name) })
	text := profiles.Declare(all)
	if rules != "" {
		text += "faults:\n" + rules
	}
	return text
}

// limit is a rule that has an operation refuse as it was recorded to, switched
// off: a recording tells how long to wait, and not how many calls came before it.
func (m *measuring) limit(l Limit) string {
	o := m.operations[l.Operation]
	wait := 0
	for _, after := range l.RetryAfter {
		if seconds, err := strconv.Atoi(after); err == nil {
			wait = max(wait, seconds)
		}
	}
	if o.op == nil || wait == 0 || wait > 3600 || m.declared(o, "limits") != "" {
		return ""
	}
	return fmt.Sprintf("  %s-limit:\n    enabled: false    # set the limit to what the service allows, and remove this line\n    call: %q\n    inject: rate-limit\n"+
		"    with: {limit: 25, window: %ds, retry_after: %ds}\n    because: %s with 429, and told to wait %s.\n",
		Slug(o.op), o.op.Name(), wait, wait, words.Count(l.Refused, "recorded call")+" answered", words.Count(wait, "second"))
}

// told adds a part to a sentence, up to a length at which nobody reads on.
func told(sentence, part string) string {
	const most = 400
	switch {
	case sentence == "":
		return "It " + part + "."
	case strings.HasSuffix(sentence, "And more."):
		return sentence
	case len(sentence)+len(part) > most:
		return sentence + " And more."
	}
	return strings.TrimSuffix(sentence, ".") + "; it " + part + "."
}
