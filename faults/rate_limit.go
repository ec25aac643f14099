package faults

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"parity/fakes"
)

// rateLimit refuses calls beyond a limit, and says when to come back. Once it
// has refused, its bucket stays shut until then.
//
//	│▮▮▮▮▮│▮▮ ✕ ✕ ✕ …wait… │▮▮
//	 window     429          open again
func rateLimit() *Fault {
	return &Fault{
		Name:     "rate-limit",
		Phase:    Before,
		Live:     LiveInstead,
		Decides:  true,
		Summary:  "A refusal in the service's way (429, or what it uses), with when to come back.",
		Reaction: "No call in the same bucket before the wait is over; a wait beyond the budget means stop.",
		Judging:  Judging{Class: Limited},
		Forms:    []Form{{Rank: 30, With: map[string]any{"retry_after": "2s"}, Fits: fitsAll}},
		Example: `burst:
  call: stripe POST *
  inject: rate-limit
  with: {limit: 25, window: 1s, retry_after: 2s, as: date}`,
		Params: []Param{
			{Name: "limit", Kind: Count, Min: 1, Max: mostCalls, Doc: "calls allowed in a window; without it the trigger alone decides", Example: "25"},
			{
				Name: "window", Kind: Duration, Default: time.Second, Min: int64(time.Millisecond), Max: int64(24 * time.Hour),
				Doc: "length of the sliding window, on the run's clock", Example: "1m",
			},
			{
				Name: "retry_after", Kind: Duration, Default: 2 * time.Second, Min: int64(time.Second), Max: int64(24 * time.Hour),
				Doc: "what the client is told to wait, in whole seconds", Example: "30s",
			},
			{
				Name: "as", Kind: Choice, Choices: []string{"seconds", "date", "unsaid"}, Default: "seconds",
				Doc: "how Retry-After is written; unsaid leaves it out", Example: "date",
			},
			{Name: "cost", Kind: Count, Default: int64(1), Min: 1, Max: mostCalls, Doc: "what a call of this rule takes off the limit, in points", Example: "5"},
			{
				Name: "headers", Kind: Choice, Choices: []string{"service", "x-ratelimit", "ratelimit", "none"}, Default: "service",
				Doc: "what tells how much is left, with a limit: service, the numbers in the headers that the service sends anyway; x-ratelimit, X-RateLimit-* (reset as a Unix time); " +
					"ratelimit, RateLimit-* (reset in seconds); none leaves them as they are", Example: "x-ratelimit",
			},
			{
				Name: "style", Kind: Choice, Choices: []string{"service", "primary", "secondary"}, Default: "service",
				Doc: "primary: the quota of a window is used up, and the headers say so; secondary: too much at once, refused with quota left; service: what the service's dialect says first", Example: "primary",
			},
			{Name: "status", Kind: Count, Min: 200, Max: 599, Doc: "HTTP status in place of the service's own: a 403, or a 200 with an error inside", Example: "200"},
		},
		build: func(a Args) (Injection, error) {
			l := limit{
				limit: int(a.count("limit")), window: a.duration("window"), after: a.duration("retry_after"), as: a.text("as"),
				cost: int(a.count("cost")), headers: a.text("headers"), style: a.text("style"), status: int(a.count("status")),
			}
			if l.limit > 0 && l.cost > l.limit {
				return nil, &ArgError{Key: "cost", Message: fmt.Sprintf("a call that takes %d off a limit of %d never passes", l.cost, l.limit)}
			}
			if l.limit == 0 && (l.headers == "x-ratelimit" || l.headers == "ratelimit") {
				return nil, &ArgError{Key: "headers", Message: "they tell what is left of a limit, and there is none"}
			}
			_, err := a.whole("retry_after")
			return l, err
		},
	}
}

type limit struct {
	limit   int
	window  time.Duration
	after   time.Duration
	as      string
	cost    int
	headers string
	style   string
	status  int
}

// Open keeps the bucket shut while an earlier refusal holds, and otherwise
// asks whether the window is full.
func (l limit) Open(m CallContext) Gate {
	if l.limit == 0 || m.Until.After(m.Now) {
		return Gate{Open: true}
	}
	used := l.used(m)
	if used+l.cost <= l.limit {
		why := fmt.Sprintf("%d of %d calls in the window", used, l.limit)
		if l.cost > 1 {
			why = fmt.Sprintf("%d of %d points in the window", used, l.limit)
		}
		return Gate{Why: why, Use: true}
	}
	return Gate{Open: true}
}

func (l limit) used(m CallContext) int { return l.cost * m.Uses(m.Now.Add(-l.window)) }

// Limit is what Open compares the calls in its window with: more of them than
// that, and it does not matter how many.
func (l limit) Limit() int { return l.limit / l.cost }

// HoldsForAll: a bucket is shut for every call of it.
func (l limit) HoldsForAll() {}

// Pass tells a call that passes how many more may.
func (l limit) Pass(p *Plan, m CallContext) {
	if l.headers == "none" {
		return
	}
	reset := m.Now.Add(l.window)
	if oldest := m.First.Add(l.window); oldest.After(m.Now) {
		reset = oldest
	}
	left := l.limit - l.used(m) - l.cost
	p.Amend(func(a *Answer) Done {
		l.count(a, left, reset)
		return Nothing("the call passes")
	})
}

func (l limit) Apply(p *Plan, m CallContext) Mark {
	until := m.Until
	if !until.After(m.Now) {
		until = m.Now.Add(l.after)
	}
	p.Skip = true
	p.Say = &fakes.Problem{Kind: fakes.RateLimited, Status: l.status}
	if l.style == "primary" {
		p.Say.Kind = fakes.OverQuota
	}
	wait := tell(p.Say, l.as, m.Now, until)
	if l.headers != "none" && l.style != "secondary" {
		p.Amend(func(a *Answer) Done {
			if l.style == "primary" || l.headers != "service" || !leaves(a.Header) {
				l.count(a, 0, until)
			}
			return Done{}
		})
	}
	return Mark{Wait: wait, Until: until}
}

// leaves tells whether headers say that there are calls left.
func leaves(header http.Header) bool {
	for name, values := range header {
		if limitPart(name) == "remaining" && len(values) > 0 && values[0] != "0" {
			return true
		}
	}
	return false
}

// count writes what is left into a reply's headers.
func (l limit) count(a *Answer, left int, reset time.Time) {
	ahead := strconv.Itoa(int((reset.Sub(a.Now) + time.Second - 1) / time.Second))
	switch l.headers {
	case "x-ratelimit":
		a.Header.Set("X-Ratelimit-Limit", strconv.Itoa(l.limit))
		a.Header.Set("X-Ratelimit-Remaining", strconv.Itoa(left))
		a.Header.Set("X-Ratelimit-Reset", strconv.FormatInt(reset.Unix(), 10))
		return
	case "ratelimit":
		a.Header.Set("Ratelimit-Limit", strconv.Itoa(l.limit))
		a.Header.Set("Ratelimit-Remaining", strconv.Itoa(left))
		a.Header.Set("Ratelimit-Reset", ahead)
		return
	}
	for name, values := range a.Header {
		if len(values) != 1 {
			continue
		}
		switch what := limitPart(name); {
		case l.limit == 0 && (what == "limit" || what == "used" || what == "interval"): // how many there were is the service's to say
		case what == "limit":
			values[0] = strconv.Itoa(l.limit)
		case what == "remaining":
			values[0] = strconv.Itoa(left)
		case what == "used":
			values[0] = strconv.Itoa(l.limit - left)
		case what == "reset":
			values[0] = ahead
		case what == "reset at":
			values[0] = strconv.FormatInt(reset.Unix(), 10)
		case what == "interval":
			values[0] = strconv.FormatInt(l.window.Milliseconds(), 10)
		}
	}
}

// told says what a header tells of a limit: "" where it tells something else,
// or of a limit for a day.
func limitPart(header string) string {
	name := strings.ReplaceAll(strings.ToLower(header), "rate-limit", "ratelimit")
	before, what, ok := strings.Cut(name, "ratelimit")
	if !ok || before != "" && before != "x-" && before != "x-hubspot-" {
		return ""
	}
	switch what = strings.TrimPrefix(what, "-"); what {
	case "limit", "max", "":
		return "limit"
	case "reset":
		if before == "" {
			return what
		}
		return "reset at"
	case "remaining", "used":
		return what
	case "interval-milliseconds":
		return "interval"
	}
	return ""
}

var (
	_ HoldsForAll = limit{}
	_ Annotator   = limit{}
)
