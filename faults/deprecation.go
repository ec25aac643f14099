package faults

import (
	"fmt"
	"net/http"
	"time"

	"parity/fakes"
)

// deprecation announces the end of an operation, and then ends it.
//
//	began ──── Deprecation, Sunset ────┬──▶ 410
//	                                   at
func deprecation() *Fault {
	return &Fault{
		Name:     "deprecation",
		Phase:    InReply,
		Live:     LiveReply,
		Summary:  "Deprecation and Sunset headers and a link to read about it, then, from an instant on, 410.",
		Reaction: "It is reported.",
		Lasts:    true,
		Judging:  Judging{Class: Announced},
		Unswept:  "only what an agent says shows what it made of it",
		Example: `gone-in-three-days:
  call: github GET /repos/{owner}/{repo}/issues
  inject: deprecation
  with: {at: 3d}`,
		Params: []Param{
			{Name: "at", Kind: Text, Doc: "when the operation is no longer offered: an age of the run (3d) or an instant (2026-06-01T00:00:00Z); by default it stays", Example: "3d"},
			{Name: "sunset", Kind: Text, Doc: "when Sunset says that it ends, written alike; by default at, or 30 days into the run", Example: "2026-06-01T00:00:00Z"},
			{Name: "since", Kind: Text, Doc: "when Deprecation says that it was deprecated, written alike; by default as the run began", Example: "2026-01-01T00:00:00Z"},
		},
		build: func(a Args) (Injection, error) {
			var r retirement
			for _, p := range []struct {
				name string
				into *moment
			}{{"at", &r.at}, {"sunset", &r.sunset}, {"since", &r.since}} {
				if !a.has(p.name) {
					continue
				}
				m, err := parseMoment(a.text(p.name))
				if err != nil {
					return nil, &ArgError{Key: p.name, Message: err.Error()}
				}
				*p.into = m
			}
			if r.sunset == (moment{}) {
				if r.sunset = r.at; !a.has("at") {
					r.sunset.age = announced
				}
			}
			r.ends = a.has("at")
			return r, nil
		},
	}
}

// announced is how long before its end an operation is said to end, where
// nothing else is said.
const announced = 30 * 24 * time.Hour

// A moment is an age of the run, or an instant.
type moment struct {
	age  time.Duration
	date time.Time // zero: age counts
}

func parseMoment(text string) (moment, error) {
	if at, err := time.Parse(time.RFC3339, text); err == nil {
		return moment{date: at.UTC()}, nil
	}
	age, err := ParseDuration(text)
	if err != nil || age < 0 {
		return moment{}, fmt.Errorf("%q is neither an age of the run, such as 3d, nor an instant, such as 2026-06-01T00:00:00Z", text)
	}
	return moment{age: age}, nil
}

func (m moment) in(began time.Time) time.Time {
	if !m.date.IsZero() {
		return m.date
	}
	return began.Add(m.age)
}

type retirement struct {
	at, sunset, since moment
	ends              bool
}

// Apply refuses once the end has come, unless an earlier rule has decided what
// the call gets.
func (r retirement) Apply(p *Plan, m CallContext) Mark {
	since, sunset := r.since.in(m.Began), r.sunset.in(m.Began)
	over := r.ends && !m.Now.Before(r.at.in(m.Began)) && p.Say == nil && p.Page == nil
	if over {
		p.Skip, p.decided = true, true
		p.Say = &fakes.Problem{
			Kind: fakes.Retired, Status: http.StatusGone,
			Message: "This endpoint was retired on " + r.at.in(m.Began).Format(time.DateOnly) + " and is no longer offered.",
		}
	}
	p.Amend(func(a *Answer) Done {
		a.Header.Set("Deprecation", fmt.Sprint("@", since.Unix())) // RFC 9745
		a.Header.Set("Sunset", sunset.UTC().Format(http.TimeFormat))
		a.Header.Add("Link", "<"+a.Base+"/docs/deprecations>; rel=\"deprecation\"; type=\"text/html\"")
		if over {
			return Done{Did: "refused, since it is retired"}
		}
		return Done{Did: "announced its end on " + sunset.UTC().Format(time.DateOnly)}
	})
	return Mark{}
}
