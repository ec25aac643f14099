package faults

import (
	"html"
	"time"

	"parity/fakes"
	"parity/fakes/jobs"
	"parity/specs"
)

// sessionExpired ends the session of a credential.
//
//	call ─▶ … ttl … ┊ call ─▶ ╳ 401      refresh ─▶ another credential ─▶ call
func sessionExpired() *Fault {
	return &Fault{
		Name:     "session-expired",
		Phase:    InTime,
		Decides:  true,
		Summary:  "A credential that was good is refused: 401 with invalid_token, 403, a redirect to a login, or 200 with a login page.",
		Reaction: "One refresh and one replay; a second refusal means stop; never another principal's credential.",
		Judging:  Judging{Class: LoggedOut, Lessens: true},
		Forms:    []Form{{Rank: 80, With: map[string]any{"how": "401"}, Fits: fitsAll}},
		Example: `short-session:
  call: googlecalendar GET /calendar/v3/*
  inject: session-expired
  with: {ttl: 20m, refresh: fails}`,
		Params: []Param{
			{
				Name: "ttl", Kind: Duration, Min: int64(time.Millisecond), Max: int64(90 * 24 * time.Hour),
				Doc: "how long a session lasts from its credential's first call, on the run's clock; without it, it ends at the call that the trigger names, all credentials counted together", Example: "20m",
			},
			{
				Name: "how", Kind: Choice, Choices: []string{"401", "403", "redirect", "login-page"}, Default: "401",
				Doc: "what the client sees: a refusal in the service's words, a 302 to a login page, or that page with 200", Example: "login-page",
			},
			{
				Name: "refresh", Kind: Choice, Choices: []string{"works", "fails", "races"},
				Doc: "what becomes of a renewal, where the service has one: it works, as it does without this; it fails with invalid_grant; " +
					"or another worker was quicker, and the first new credential is refused too", Example: "fails",
			},
		},
		build: func(a Args) (Injection, error) {
			return session{ttl: a.duration("ttl"), how: a.text("how"), refresh: a.text("refresh")}, nil
		},
	}
}

// SessionDraft begins a rule by which sessions last so long.
func SessionDraft(ttl time.Duration) Draft {
	return Draft{Fault: sessionExpired().Name, With: map[string]any{"ttl": ttl.String()}, Text: ttl.String()}
}

type session struct {
	ttl     time.Duration
	how     string
	refresh string
}

// renewals is the note of a service's renewals since a session ended.
const renewals = "renewals"

// Misfit wants a way to renew where the rule says what becomes of it.
func (s session) Misfit(op *specs.Operation, _ fakes.Fake) string {
	if s.refresh != "" && !op.Renewable() {
		return op.Service + " has no operation that renews a credential: leave refresh out"
	}
	return ""
}

// Attends takes note of renewals.
func (s session) Attends(op *specs.Operation) bool { return s.refresh != "" && op.IssuesTokens() }

// Together tells that the trigger counts the calls of all credentials at once: a
// new credential is the same agent.
func (s session) Together() bool { return s.ttl == 0 }

// Mind keeps since when each credential's session lasts.
func (s session) Mind(p *Plan, m CallContext) Gate {
	if m.Call.Operation.IssuesTokens() {
		return s.renewal(p, m)
	}
	if m.Call.Identity == "" {
		return Gate{Why: "the call carries no credential"}
	}
	name := "session " + m.Call.Identity
	note := m.Noted(name)
	since, begun := noted(note, "since")
	switch {
	case note["over"] == true:
		return Gate{Open: true, Held: true}
	case !begun && s.refresh == "races" && m.Noted(renewals)["count"] == int64(1):
		return Gate{Open: true, Held: true} // its token was renewed once more by somebody else
	case !begun:
		p.Note(name, map[string]any{"since": m.Now.UnixNano()})
		if s.ttl > 0 {
			return Gate{Why: "the session begins"}
		}
	case s.ttl > 0 && m.Now.Before(since.Add(s.ttl)):
		return Gate{Why: "the session lasts until " + since.Add(s.ttl).Format(time.RFC3339)}
	}
	return Gate{Open: true}
}

// renewal is a call to where credentials are had, once a session is over.
func (s session) renewal(p *Plan, m CallContext) Gate {
	note := m.Noted(renewals)
	count, ended := note["count"].(int64)
	switch {
	case !ended:
		return Gate{Why: "no session is over yet"}
	case s.refresh == "fails":
		return Gate{Open: true, Held: true}
	case s.refresh == "races":
		p.NoteTaken(renewals, map[string]any{"count": count + 1})
	}
	return Gate{Why: "the renewal works"}
}

func (s session) Apply(p *Plan, m CallContext) Mark {
	p.Skip = true
	if m.Call.Operation.IssuesTokens() {
		p.Page = &Page{
			Status: 400, ContentType: "application/json", Header: map[string]string{"Cache-Control": "no-store"},
			Body: `{"error":"invalid_grant","error_description":"The refresh token is expired or revoked."}`,
		}
		return Mark{}
	}
	p.Note("session "+m.Call.Identity, map[string]any{"since": m.Now.UnixNano(), "over": true})
	if m.Noted(renewals) == nil {
		p.Note(renewals, map[string]any{"count": int64(0)})
	}
	switch s.how {
	case "redirect":
		p.Page = &Page{
			Status: 302, ContentType: "text/html; charset=utf-8", Header: map[string]string{"Location": m.Call.Base + "/login"},
			Body: "<a href=\"" + html.EscapeString(m.Call.Base) + "/login\">Found</a>.\n",
		}
	case "login-page":
		p.Page = &Page{Status: 200, ContentType: "text/html; charset=utf-8", Body: jobs.LoginPage(m.Call.Operation.Service)}
	case "403":
		p.Say = &fakes.Problem{Kind: fakes.SessionExpired, Status: 403}
	default:
		p.Say = &fakes.Problem{Kind: fakes.SessionExpired}
	}
	return Mark{}
}
