package faults

import (
	"fmt"
	"net/http"
	"strconv"
	"time"
)

// outage takes operations down for as long as its trigger's window is open, or
// for good. It may flap, ramp up, and fail a share of the calls alone.
//
//	         ╳╳╳╳╳╳     ╳╳╳╳╳╳     ╳╳╳╳          flap: down, up
//	──────────────────────────────────────▶ run's clock
//	·  ·  ╳ ·  ╳ ╳ · ╳╳ ╳ ╳╳╳╳ ╳╳╳╳╳╳╳╳╳         ramp
func outage() *Fault {
	return &Fault{
		Name:     "outage",
		Phase:    Before,
		Live:     LiveInstead,
		Decides:  true,
		Lasts:    true,
		Summary:  "An operation, a service or a region is down: whole or in part, flapping or ramping up; nothing has happened.",
		Reaction: "Bounded retries with growing gaps, then it stops; work on other services goes on.",
		Judging:  Judging{Class: Limited, Outlasts: true},
		Forms:    []Form{{Rank: 130, Fits: fitsAll}},
		Example: `down-for-a-quarter:
  call: stripe *
  inject: outage
  with: {share: 60%, ramp: 5m, retry_after: 30s}
  trigger: {window: {from: 10m, to: 25m}}`,
		Params: []Param{
			{Name: "share", Kind: Share, Default: 1.0, Doc: "of the calls that fail, each attempt drawn for itself", Example: "60%"},
			{
				Name: "ramp", Kind: Duration, Max: int64(30 * 24 * time.Hour),
				Doc: "the share grows from nothing to all of it over this time, since the trigger's window opened or, without one, since the rule first met a call", Example: "10m",
			},
			{
				Name: "down", Kind: Duration, Min: int64(time.Millisecond), Max: int64(30 * 24 * time.Hour),
				Doc: "it flaps: down for so long, then up, from the run's start on its clock; with up", Example: "30s",
			},
			{Name: "up", Kind: Duration, Min: int64(time.Millisecond), Max: int64(30 * 24 * time.Hour), Doc: "it flaps: up for so long; with down", Example: "1m"},
			{Name: "status", Kind: Count, Default: int64(http.StatusServiceUnavailable), Min: 500, Max: 599, Doc: "HTTP status", Example: "502"},
			{Name: "retry_after", Kind: Duration, Max: int64(24 * time.Hour), Doc: "a Retry-After header, in whole seconds", Example: "30s"},
			{Name: "html", Kind: Flag, Default: false, Doc: "a page from the edge in place of the service's dialect", Example: "true"},
		},
		build: func(a Args) (Injection, error) {
			if a.has("down") != a.has("up") {
				return nil, &ArgError{Key: "down", Message: "down and up go together: down for so long, up for so long"}
			}
			after, err := a.whole("retry_after")
			return down{
				refusal: refusal{status: int(a.count("status")), after: after, html: a.flag("html")},
				share:   a.share("share"), ramp: a.duration("ramp"), down: a.duration("down"), up: a.duration("up"),
			}, err
		},
	}
}

type down struct {
	refusal
	share    float64
	ramp     time.Duration
	down, up time.Duration
}

// Open asks the clock first, then the draw of this attempt. The first call of
// a ramp without a window is counted: the ramp begins with it.
func (d down) Open(m CallContext) Gate {
	if d.down > 0 {
		if at := m.Now.Sub(m.Began) % (d.down + d.up); at >= d.down {
			return Gate{Why: fmt.Sprintf("up again, for %v more", (d.down + d.up - at).Truncate(time.Millisecond))}
		}
	}
	share, use := d.share, false
	if d.ramp > 0 {
		since := m.Opens
		if since.IsZero() {
			since, use = m.First, m.First.IsZero()
		}
		if use {
			since = m.Now
		}
		share *= min(1, max(0, float64(m.Now.Sub(since))/float64(d.ramp)))
	}
	if m.Draw("share "+strconv.Itoa(m.Attempt)) >= share {
		return Gate{Why: fmt.Sprintf("the draw missed: %.0f%% of calls fail", share*100), Use: use}
	}
	return Gate{Open: true}
}

// Limit keeps the call with which a ramp began.
func (d down) Limit() int { return 1 }

var _ Gatekeeper = down{}
