package faults

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"parity/fakes"
	"parity/faults/trail"
	"parity/specs"
)

// ambiguousSuccess makes the change and loses the answer.
//
//	request ─▶ act ─▶ commit ─▶ ╳ reply
func ambiguousSuccess() *Fault {
	return &Fault{
		Name:    "ambiguous-success",
		Phase:   After,
		Decides: true,
		Summary: "The change is made and the answer is lost.",
		Reaction: "No blind retry: the next call with this intent carries the same idempotency key, or follows a read; " +
			"where there is no way to look, stop and say unknown.",
		Judging: Judging{Class: Unanswered},
		Forms: []Form{
			{Rank: 10, With: map[string]any{"reply": "reset"}, Tries: SDKTries, Fits: func(u Usage) bool { return u.Effect == specs.Irreversible }},
			{Rank: 20, With: map[string]any{"reply": "reset"}, Tries: SDKTries, Fits: func(u Usage) bool { return u.Effect == specs.Reversible }},
		},
		Example: `lose-a-big-refund:
  call: stripe POST /v1/refunds
  when: result.amount > 10_000
  inject: ambiguous-success
  with: {reply: reset}
  trigger: {nth: 2, per: result.charge.customer, tries: 3}
  because: Twin refunds 32 to 37 s apart after a client deadline of 30 s.`,
		Params: []Param{
			{
				Name: "reply", Kind: Choice, Default: "reset",
				Choices: []string{"hang", "reset", "cut-headers", "cut-body", "500", "502", "504", "html"},
				Doc:     "what the client gets: nothing at all, a reset, half a head, half a body, or an error that does not say that it worked", Example: "reset",
			},
			{
				Name: "for", Kind: Duration, Default: 90 * time.Second, Min: int64(time.Millisecond), Max: int64(time.Hour),
				Doc: "how long a hang lasts; the connection is closed after it", Example: "90s",
			},
			{
				Name: "commits", Kind: Choice, Choices: []string{"every", "first", "last"}, Default: "every",
				Doc: "which of the attempts that are hit change the world; every: as the service itself would, which is what doubles a charge", Example: "first",
			},
		},
		build: func(a Args) (Injection, error) {
			return lost{reply: a.text("reply"), bound: a.duration("for"), commits: a.text("commits")}, nil
		},
	}
}

type lost struct {
	reply   string
	bound   time.Duration
	commits string
}

// AsksForResult: a call that the service refuses has no success to lose.
func (l lost) AsksForResult() {}

// Beside lets calls be that the service refuses.
func (l lost) Beside(m CallContext) Gate {
	if m.Status >= http.StatusBadRequest {
		return Gate{Why: fmt.Sprintf("the service answers %d: there is no success to lose", m.Status)}
	}
	return Gate{Open: true}
}

// Limit is none: no calls are counted.
func (l lost) Limit() int { return 0 }

func (l lost) Apply(p *Plan, m CallContext) Mark {
	p.NoCommit = !commitsNow(l.commits, m)
	switch l.reply {
	case "hang":
		p.Wire.NoHead, p.Wire.End, p.Wire.For = true, trail.Hang, l.bound
	case "reset":
		p.Wire.NoHead, p.Wire.End = true, trail.Reset
	case "cut-headers":
		p.Wire.HeadCut, p.Wire.End = true, trail.Close
	case "cut-body":
		p.Wire.Short, p.Wire.End = true, trail.Close
	case "500":
		p.Say = &fakes.Problem{Kind: fakes.Broken, Status: 500}
	case "502", "504", "html":
		p.Page = edgePage(l.reply)
	}
	return Mark{}
}

// edgePage is what a load balancer says when it has lost the service.
func edgePage(reply string) *Page {
	if reply == "504" {
		return statusPage(http.StatusGatewayTimeout)
	}
	return statusPage(http.StatusBadGateway)
}

// statusPage is a page of a server that says no more than a status.
func statusPage(status int) *Page {
	title := strings.TrimSpace(strconv.Itoa(status) + " " + http.StatusText(status))
	switch status {
	case http.StatusServiceUnavailable:
		title = "503 Service Temporarily Unavailable"
	case http.StatusGatewayTimeout:
		title = "504 Gateway Time-out"
	}
	return &Page{Status: status, ContentType: "text/html", Body: fmt.Sprintf(
		"<html>\r\n<head><title>%s</title></head>\r\n<body>\r\n<center><h1>%s</h1></center>\r\n</body>\r\n</html>\r\n", title, title)}
}
