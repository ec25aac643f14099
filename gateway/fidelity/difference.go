package fidelity

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"parity/fakes/recording"
	"parity/faults"
	"parity/profiles"
	"parity/specs"
)

// Difference is one way in which an operation answers here otherwise than was
// recorded.
type Difference struct {
	Operation   string `json:"operation"`
	What        string `json:"what"`               // status, header, missing, extra, type, value, size, order, text or timing
	Where       string `json:"where,omitempty"`    // a JSON pointer in which * is any item, or the name of a header
	Property    string `json:"property"`           // what it weakens, as profiles call it
	Production  string `json:"production"`         // what was recorded, the first time
	Here        string `json:"here"`               // what a fake answered then
	Times       int    `json:"times"`              // that it was met
	Exchanges   int    `json:"exchanges"`          // in which it was met
	First       string `json:"first"`              // where
	Declared    string `json:"declared,omitempty"` // the difference or rule of the profile that covers it; "": none
	NotModelled bool   `json:"not_modelled,omitempty"`
}

// timing is what a Difference is about where a service took its time.
const timing = "timing"

// Says tells of the difference in a sentence's part: what production does, or
// what happens here.
func (d *Difference) says(value string, there bool) string {
	at := d.Where
	if at == "" {
		at = "the body"
	}
	switch d.What {
	case recording.Status:
		return "answers " + value
	case recording.Header:
		if value == "" {
			return "has no header " + at
		}
		return "has the header " + at + ": " + value
	case recording.Missing, recording.Extra:
		if there == (d.What == recording.Missing) {
			return "has " + at + ", such as " + value
		}
		return "has no " + at
	case recording.Type:
		return "has " + value + " at " + at
	case recording.Size:
		return "lists " + value + " at " + at
	case recording.Order:
		if there {
			return "lists " + at + " in the order " + value
		}
		return "lists " + at + " in another order"
	case timing:
		return value
	}
	return "has " + strconv.Quote(value) + " at " + at
}

var limiting = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?i)rate-?limit|retry-after`) })

// property is what a miss weakens.
func property(m recording.Miss) string {
	switch m.What {
	case recording.Status:
		both := m.Want + " " + m.Have
		switch {
		case strings.Contains(both, "429"):
			return "limits"
		case strings.Contains(both, "401"), strings.Contains(both, "403"):
			return "auth"
		}
		return "effects"
	case recording.Header:
		switch {
		case limiting().MatchString(m.Where):
			return "limits"
		case m.Where == "www-authenticate":
			return "auth"
		}
	case recording.Size:
		return "volume"
	}
	return "content"
}

// measurable are the properties about which a recording can tell.
func measurable() []string {
	return []string{"effects", "content", "volume", "timing", "limits", "auth"}
}

// declared names what in the profile covers a difference of an operation.
func (m *measuring) declared(o *measured, property string) string {
	if m.Profile == nil {
		return ""
	}
	for _, d := range m.Profile.Differences {
		if slices.Contains(d.Weakens, property) && covers(d, o) {
			return d.Name
		}
	}
	for _, rule := range m.Profile.Rules {
		if o.op != nil && rule.Fault.Declares == property && slices.ContainsFunc(rule.Calls, o.matches) {
			return rule.Name
		}
	}
	return ""
}

func covers(d profiles.Difference, o *measured) bool { return slices.ContainsFunc(d.Covers, o.matches) }

func (o *measured) matches(p faults.Pattern) bool {
	if o.op != nil {
		return p.Match(o.op)
	}
	service, rest, _ := strings.Cut(o.name, " ")
	method, path, _ := strings.Cut(rest, " ")
	return p.Match(&specs.Operation{Service: service, Method: method, Path: path})
}

// stale lists the differences that are declared for operations which were
// recorded, and of which the recordings show none. Where a difference weakens
// what no recording tells of, such as settlement, nothing can be said.
func (m *measuring) stale(r *Result) (names []string) {
	if m.Profile == nil {
		return nil
	}
	for _, d := range m.Profile.Differences {
		tells := !slices.ContainsFunc(d.Weakens, func(p string) bool { return !slices.Contains(measurable(), p) })
		called := false
		for _, o := range m.operations {
			called = called || covers(d, o)
		}
		met := slices.ContainsFunc(r.Differences, func(f Difference) bool {
			return slices.Contains(d.Weakens, f.Property) && covers(d, m.operations[f.Operation])
		})
		if tells && called && !met {
			names = append(names, d.Name)
		}
	}
	return names
}

// Sentence tells of the difference in one line.
func (d *Difference) Sentence() string {
	return fmt.Sprintf("production %s; here it %s", d.says(d.Production, true), d.says(d.Here, false))
}
