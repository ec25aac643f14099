package fidelity

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"parity/faults"
)

// Pace is how fast an operation answered.
type Pace struct {
	Operation string        `json:"operation"`
	Replies   int           `json:"replies"`
	P50       time.Duration `json:"p50"` // in nanoseconds, as the others
	P95       time.Duration `json:"p95"`
	P99       time.Duration `json:"p99"`
}

// With is the pace as the fault latency takes it.
func (p Pace) With() string {
	return fmt.Sprintf("{p50: %s, p95: %s, p99: %s}", faults.ShowDuration(p.P50), faults.ShowDuration(p.P95), faults.ShowDuration(p.P99))
}

// Fit gives the pace of some replies.
func Fit(operation string, took []time.Duration) Pace {
	took = slices.Sorted(slices.Values(took))
	at := func(share float64) time.Duration {
		return max(took[min(len(took)-1, int(share*float64(len(took))))].Round(time.Millisecond), time.Millisecond)
	}
	return Pace{Operation: operation, Replies: len(took), P50: at(0.50), P95: at(0.95), P99: at(0.99)}
}

// noticed is how long a median wait is that an agent may notice: what a fake
// does not take is below.
const noticed = 50 * time.Millisecond

func (m *measuring) pace(o *measured, r *Result) {
	if len(o.took) == 0 {
		return
	}
	p := Fit(o.name, o.took)
	r.Paces = append(r.Paces, p)
	one := Score{Compared: 1}
	if p.P50 >= noticed {
		d := &Difference{
			Operation: o.name, What: timing, Property: timing, Times: len(o.took), Exchanges: len(o.took), First: "the median of its replies",
			Production: "takes " + faults.ShowDuration(p.P50) + " in the middle, and " + faults.ShowDuration(p.P95) + " in one of twenty replies", Here: "answers at once",
		}
		if m.declared(o, timing) == "" {
			one.Missed = 1
		}
		o.found[timing] = d
	}
	o.add(one)
}

// Limit is what a recording tells of how often an operation may be called.
type Limit struct {
	Operation  string            `json:"operation"`
	Refused    int               `json:"refused"`               // calls answered with 429
	RetryAfter []string          `json:"retry_after,omitempty"` // what they were told to wait
	Headers    map[string]string `json:"headers,omitempty"`     // what replies say of limits, the last time
}

func (o *measured) limits(r *Result) {
	l := Limit{Operation: o.name, Headers: map[string]string{}}
	for _, a := range o.answered {
		if a.status == http.StatusTooManyRequests {
			l.Refused++
			if after := a.header("retry-after"); after != "" && !slices.Contains(l.RetryAfter, after) {
				l.RetryAfter = append(l.RetryAfter, after)
			}
		}
		for _, name := range []string{"x-ratelimit-limit", "ratelimit-limit", "ratelimit-policy", "x-rate-limit", "x-hubspot-ratelimit-max", "x-ratelimit-limit-requests"} {
			if value := a.header(name); value != "" {
				l.Headers[name] = value
			}
		}
	}
	if l.Refused > 0 || len(l.Headers) > 0 {
		r.Limits = append(r.Limits, l)
	}
}

// Page is how long the lists of an operation were.
type Page struct {
	Operation string         `json:"operation"`
	Default   int            `json:"default,omitempty"` // without a size asked for, where there was more; 0: not seen
	Asked     map[string]int `json:"asked,omitempty"`   // the longest list, by what was asked for: limit=100
	Longest   int            `json:"longest"`
}

// pages measures lists that replies are, or have at their top.
func (o *measured) pages(r *Result) {
	p := Page{Operation: o.name, Asked: map[string]int{}}
	found := false
	if o.op == nil || !o.op.Anatomy.List {
		return
	}
	for _, a := range o.answered {
		n, more, ok := listed(a.body)
		if a.status/100 != 2 || !ok {
			continue
		}
		found = true
		p.Longest = max(p.Longest, n)
		asked := sizeAsked(a.asked)
		switch {
		case asked != "":
			p.Asked[asked] = max(p.Asked[asked], n)
		case more || strings.Contains(a.header("link"), `rel="next"`):
			p.Default = max(p.Default, n)
		}
	}
	if found {
		r.Pages = append(r.Pages, p)
	}
}

func sizeAsked(target string) string {
	u, err := url.Parse(target)
	if err != nil {
		return ""
	}
	for name, values := range u.Query() {
		switch strings.ToLower(strings.ReplaceAll(name, "_", "")) {
		case "limit", "perpage", "pagesize", "maxresults", "page[size]", "count", "size":
			if _, err := strconv.Atoi(values[0]); err == nil {
				return name + "=" + values[0]
			}
		}
	}
	return ""
}

// listed finds the list that a reply is about, and whether it says that there
// is more.
func listed(body string) (n int, more, ok bool) {
	var whole any
	if json.Unmarshal([]byte(body), &whole) != nil {
		return 0, false, false
	}
	if list, is := whole.([]any); is {
		return len(list), false, true
	}
	object, _ := whole.(map[string]any)
	lists := 0
	for _, name := range slices.Sorted(maps.Keys(object)) {
		lower := strings.ToLower(name)
		switch v := object[name].(type) {
		case []any:
			n, lists = len(v), lists+1
		case bool:
			more = more || v && strings.Contains(lower, "more")
		case string:
			more = more || v != "" && strings.HasPrefix(lower, "next")
		}
	}
	return n, more, lists == 1 // of several nobody knows which one it pages through
}
