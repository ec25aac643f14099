package faults

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"time"

	"parity/fakes"
	"parity/fakes/world"
	"parity/specs"
	"parity/specs/body"
)

// staleRead answers reads as things were a while ago.
//
//	POST ─▶ 201 c_9      ┄┄┄ lag ┄┄┄
//	GET  ─▶ 404, or a list without c_9 │ ─▶ 200
func staleRead() *Fault {
	return &Fault{
		Name:     "stale-read",
		Phase:    InReply,
		Summary:  "A read that lags behind writes: a list or search without what was just made, old values, 404 right after a create.",
		Reaction: "A miss right after a create is no reason to create again: it waits and reads again.",
		Judging:  Judging{Class: Lagging, Lessens: true},
		Forms:    []Form{{Rank: 110, First: true, With: map[string]any{"lag": "90s"}, Fits: func(u Usage) bool { return u.AfterWrite }}},
		Example: `search-lags:
  call: stripe GET /v1/customers/search
  inject: stale-read
  with: {lag: 90s}
  because: Search that lags a create by 60 to 110 s has made agents create again.`,
		Params: []Param{
			{
				Name: "lag", Kind: Duration, Default: 90 * time.Second, Min: int64(time.Millisecond), Max: int64(7 * 24 * time.Hour),
				Doc: "how far behind reads are, on the run's clock; public searches lag a create by 60 to 110 s", Example: "2m",
			},
			{Name: "on", Kind: Choice, Choices: []string{"all", "list", "get"}, Default: "all", Doc: "which reads lag: lists and searches, reads of one record, or both", Example: "list"},
		},
		build: func(a Args) (Injection, error) { return laggard{lag: a.duration("lag"), on: a.text("on")}, nil },
	}
}

type laggard struct {
	lag time.Duration
	on  string
}

// Misfit wants reads of the kind that lags.
func (l laggard) Misfit(op *specs.Operation, _ fakes.Fake) string {
	switch {
	case op.Effect != specs.Read:
		return op.Name() + " is no read"
	case l.on == "list" && !op.Anatomy.List:
		return op.Name() + " gives no list"
	case l.on == "get" && op.Anatomy.List:
		return op.Name() + " gives a list, and no one record"
	}
	return ""
}

func (l laggard) Apply(p *Plan, m CallContext) Mark {
	op := m.Call.Operation
	p.AskAs(Ask{Ago: l.lag}, func(now, then fakes.Reply) Done {
		done, differs := older(op, now, then)
		if !differs {
			return Nothing(fmt.Sprintf("nothing that it shows is another than %v ago", l.lag))
		}
		return done
	})
	return Mark{}
}

// older says how an answer of a while ago is another than that of now.
func older(op *specs.Operation, now, then fakes.Reply) (Done, bool) {
	before, after := pageOf(op, then.Status, then.Header, then.Body), pageOf(op, now.Status, now.Header, now.Body)
	switch {
	case now.Status != then.Status:
		return Done{Did: fmt.Sprintf("answered %d, as a while ago; by now it is %d", then.Status, now.Status)}, true
	case bytes.Equal(now.Body, then.Body):
		return Done{}, false
	case now.Status/100 != 2:
		return Done{}, false // refusals tell of themselves: an id of the request, a time
	}
	done := Done{Did: "answered as things were a while ago"}
	if before != nil && after != nil {
		if done.Left = after.without(before); len(done.Left) > 0 {
			done.Did = "a list without " + ofItems(len(done.Left), len(after.items)) + " that it has by now"
		}
	}
	done.Planted = onlyIn(then.Body, now.Body)
	return done, true
}

// mostPlanted bounds how many old values are noted.
const mostPlanted = 50

// onlyIn lists the values that one body shows and another does not.
func onlyIn(one, other []byte) []string {
	shown := map[string]bool{}
	for value := range leavesOf(decoded(other)) {
		shown[value] = true
	}
	var only []string
	for _, value := range slices.Sorted(maps.Keys(leavesOf(decoded(one)))) {
		if len(value) > 2 && !shown[value] && len(only) < mostPlanted { // what is shorter means nothing by itself
			only = append(only, value)
		}
	}
	return only
}

func decoded(data []byte) any {
	value, _ := body.DecodeJSON(data)
	return value
}

// leavesOf collects the texts and numbers of a value.
func leavesOf(value any) map[string]bool {
	all := map[string]bool{}
	var walk func(any)
	walk = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			for _, inner := range v {
				walk(inner)
			}
		case []any:
			for _, inner := range v {
				walk(inner)
			}
		case string:
			all[v] = true
		case nil, bool:
		default:
			all[string(world.Encode(v))] = true
		}
	}
	walk(value)
	return all
}

var _ Requirer = laggard{}
