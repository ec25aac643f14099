package faults

import (
	"time"

	"parity/fakes"
)

// apiError refuses the call before anything has happened.
//
//	request ─▶ ╳ 503 in the service's dialect
func apiError() *Fault {
	return &Fault{
		Name:     "error",
		Phase:    Before,
		Live:     LiveInstead,
		Decides:  true,
		Summary:  "A 4xx or 5xx in the service's own words, or an HTML page from its edge; nothing has happened.",
		Reaction: "Bounded retries with growing gaps; the error is kept and reported.",
		Judging:  Judging{Class: Failing},
		Forms:    []Form{{Rank: 50, With: map[string]any{"status": int64(503)}, Tries: SDKTries, Fits: fitsAll}},
		Example: `errors-now-and-then:
  call: stripe *
  inject: error
  with: {status: 503, retry_after: 2s}
  trigger: {chance: 5%, tries: 3}`,
		Params: []Param{
			{Name: "status", Kind: Count, Default: int64(500), Min: 400, Max: 599, Doc: "HTTP status", Example: "503"},
			{Name: "code", Kind: Text, Doc: "the service's own error code, in place of its usual one", Example: "lock_timeout"},
			{Name: "message", Kind: Text, Doc: "the service's own text, in place of its usual one", Example: "Something went wrong."},
			{Name: "retry_after", Kind: Duration, Max: int64(24 * time.Hour), Doc: "a Retry-After header, in whole seconds", Example: "2s"},
			{Name: "html", Kind: Flag, Default: false, Doc: "a page from the edge in place of the service's dialect", Example: "true"},
		},
		build: func(a Args) (Injection, error) {
			after, err := a.whole("retry_after")
			return refusal{
				status: int(a.count("status")), code: a.text("code"), message: a.text("message"), after: after, html: a.flag("html"),
			}, err
		},
	}
}

type refusal struct {
	status        int
	code, message string
	after         time.Duration
	html          bool
}

func (r refusal) Apply(p *Plan, m CallContext) Mark {
	p.Skip = true
	say := &fakes.Problem{Kind: fakes.Broken, Status: r.status, Code: r.code, Message: r.message, RetryAfter: r.after}
	if r.html {
		p.Page = statusPage(r.status)
		if after := say.After(); after != "" {
			p.Page.Header = map[string]string{"Retry-After": after}
		}
	} else {
		p.Say = say
	}
	mark := Mark{Wait: r.after}
	if r.after > 0 {
		mark.Until = m.Now.Add(r.after)
	}
	return mark
}
