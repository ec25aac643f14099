// Package client talks to a gateway's control plane, as the command line does.
//
//	Client ──POST /v1/runs──▶ gateway          typed methods, one an operation
//	       ◀──{"runs":[…]}───
//	       ◀──event: exchange─  Events          as they come, taken up again
//
// What goes over the wire is in specs/parity/openapi.yaml; the types here are
// those of that contract, and the gateway answers with them.
package client

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"parity/fakes/clock"
)

// Options say where the control plane is.
type Options struct {
	URL   string       // http://HOST:PORT, or http://:TOKEN@HOST:PORT
	Token string       // wins over the URL's
	HTTP  *http.Client // default: one without a proxy, that follows no redirection
	Wall  clock.Wall   // waits between attempts of Events; default: clock.System
}

// Client is safe for concurrent use.
type Client struct {
	base  string
	token string
	http  *http.Client
	wall  clock.Wall
}

// New makes a Client. It connects to nothing yet. Its errors do not tell the
// token.
func New(o Options) (*Client, error) {
	base, token, err := place(o.URL)
	if err != nil {
		return nil, err
	}
	if o.Token != "" {
		token = o.Token
	}
	if strings.ContainsFunc(token, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return nil, fmt.Errorf("control token: it has a character that no header takes; copy it again, without blanks or line ends")
	}
	c := &Client{base: base, token: token, http: o.HTTP, wall: o.Wall}
	if c.http == nil {
		c.http = &http.Client{
			// Not through a proxy: the agent's is the gateway itself.
			Transport: &http.Transport{Proxy: nil, IdleConnTimeout: 30 * time.Second},
			// The control plane redirects nowhere: whatever does is something else, and
			// is not to be shown the token twice.
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		}
	}
	if c.wall == nil {
		c.wall = clock.System{}
	}
	return c, nil
}

// place reads a control URL.
func place(text string) (base, token string, err error) {
	u, err := url.Parse(text)
	switch {
	case err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "":
		return "", "", fmt.Errorf("control URL %q: write it as http://HOST:PORT, as `parity serve` prints it", withoutUser(text))
	case u.Path != "" && u.Path != "/" || u.RawQuery != "" || u.Fragment != "":
		return "", "", fmt.Errorf("control URL %q: leave out what is behind the port", withoutUser(text))
	case u.User != nil && u.User.Username() != "":
		return "", "", fmt.Errorf("control URL %q: a token is written with a colon in front, as http://:TOKEN@%s", withoutUser(text), u.Host)
	}
	token, _ = u.User.Password()
	return u.Scheme + "://" + u.Host, token, nil
}

// withoutUser takes what may be a token out of what is meant to be a URL.
func withoutUser(text string) string {
	at := strings.LastIndexByte(text, '@')
	if at < 0 {
		return text
	}
	scheme, _, ok := strings.Cut(text[:at], "://")
	if !ok {
		return text[at+1:]
	}
	return scheme + "://" + text[at+1:]
}

// URL is the control plane's address.
func (c *Client) URL() string { return c.base }

// Token is what the control plane asks for.
func (c *Client) Token() string { return c.token }

// Gateway tells of the gateway.
func (c *Client) Gateway(ctx context.Context) (g Gateway, err error) {
	return g, c.call(ctx, http.MethodGet, "/v1/gateway", nil, &g)
}

// Runs lists the runs in a state, oldest first: live (as "" is, too), ended or
// all.
func (c *Client) Runs(ctx context.Context, state string) ([]Run, error) {
	if state == "" {
		state = Live
	}
	var list Runs
	err := c.call(ctx, http.MethodGet, "/v1/runs?state="+url.QueryEscape(state), nil, &list)
	return list.Runs, err
}

// Make makes runs: all that are asked for, or none.
func (c *Client) Make(ctx context.Context, n NewRun) ([]Run, error) {
	var list Runs
	err := c.call(ctx, http.MethodPost, "/v1/runs", n, &list)
	return list.Runs, err
}

// Run tells of one run.
func (c *Client) Run(ctx context.Context, run string) (r Run, err error) {
	return r, c.call(ctx, http.MethodGet, path(run, ""), nil, &r)
}

// Remove takes a run out, its record too.
func (c *Client) Remove(ctx context.Context, run string) error {
	return c.call(ctx, http.MethodDelete, path(run, ""), nil, nil)
}

// End ends a run; its record stays. With end it keeps how the agent's process
// ended, too.
func (c *Client) End(ctx context.Context, run string, end *End) (r Run, err error) {
	var body any
	if end != nil {
		body = end
	}
	return r, c.call(ctx, http.MethodPost, path(run, "/end"), body, &r)
}

// Fork makes runs that go on from another's state.
func (c *Client) Fork(ctx context.Context, run string, f Fork) ([]Run, error) {
	var list Runs
	err := c.call(ctx, http.MethodPost, path(run, "/fork"), f, &list)
	return list.Runs, err
}

// Reset sets a run back to its start.
func (c *Client) Reset(ctx context.Context, run string) (r Run, err error) {
	return r, c.call(ctx, http.MethodPost, path(run, "/reset"), nil, &r)
}

// Snapshots lists a run's snapshots.
func (c *Client) Snapshots(ctx context.Context, run string) ([]Snapshot, error) {
	var list Snapshots
	err := c.call(ctx, http.MethodGet, path(run, "/snapshots"), nil, &list)
	return list.Snapshots, err
}

// TakeSnapshot gives a run's state a name.
func (c *Client) TakeSnapshot(ctx context.Context, run, name string) (s Snapshot, err error) {
	return s, c.call(ctx, http.MethodPost, path(run, "/snapshots"), map[string]string{"name": name}, &s)
}

// RollBack sets a run back to a snapshot.
func (c *Client) RollBack(ctx context.Context, run, snapshot string) (r Run, err error) {
	return r, c.call(ctx, http.MethodPost, path(run, "/rollback"), map[string]string{"snapshot": snapshot}, &r)
}

// Clock tells of a run's clock.
func (c *Client) Clock(ctx context.Context, run string) (k Clock, err error) {
	return k, c.call(ctx, http.MethodGet, path(run, "/clock"), nil, &k)
}

// MoveClock changes a run's clock; what comes due on the way happens first.
func (c *Client) MoveClock(ctx context.Context, run string, m Move) (k Clock, err error) {
	return k, c.call(ctx, http.MethodPost, path(run, "/clock"), m, &k)
}

// Hash digests a run's state after event at; 0 is its newest.
func (c *Client) Hash(ctx context.Context, run string, at uint64) (h Hash, err error) {
	return h, c.call(ctx, http.MethodGet, path(run, "/state/hash")+asked("at", at), nil, &h)
}

// State writes a run's world after event at; 0 is its newest.
func (c *Client) State(ctx context.Context, w io.Writer, run string, at uint64) error {
	return c.copy(ctx, w, path(run, "/state")+asked("at", at))
}

// Diff compares the worlds of two runs, record by record, each after an event;
// 0 is its newest.
func (c *Client) Diff(ctx context.Context, run string, at uint64, with string, withAt uint64) (d Diff, err error) {
	q := url.Values{"with": {with}}
	for name, n := range map[string]uint64{"at": at, "with_at": withAt} {
		if n > 0 {
			q.Set(name, strconv.FormatUint(n, 10))
		}
	}
	return d, c.call(ctx, http.MethodGet, path(run, "/state/diff?"+q.Encode()), nil, &d)
}

// Lines writes the events that a run has from one on, one a line; at most so
// many, where limit is above 0.
func (c *Client) Lines(ctx context.Context, w io.Writer, run string, from uint64, limit int) error {
	q := url.Values{"from": {strconv.FormatUint(from, 10)}}
	if limit > 0 {
		q.Set("limit", strconv.Itoa(limit))
	}
	return c.copy(ctx, w, path(run, "/events?"+q.Encode()))
}

// Report writes what the run proves, as text or json.
func (c *Client) Report(ctx context.Context, w io.Writer, run, format string) error {
	return c.copy(ctx, w, path(run, "/report?format="+url.QueryEscape(format)))
}

// Export writes a run's record, as jsonl or har.
func (c *Client) Export(ctx context.Context, w io.Writer, run, format string) error {
	return c.copy(ctx, w, path(run, "/export?format="+url.QueryEscape(format)))
}

// Claim posts what came of the agent's work.
func (c *Client) Claim(ctx context.Context, run string, o Outcome) error {
	return c.call(ctx, http.MethodPost, path(run, "/outcome"), o, nil)
}

// Arm puts a rule in force in one run.
func (c *Client) Arm(ctx context.Context, run string, n NewArmed) (a Armed, err error) {
	return a, c.call(ctx, http.MethodPost, path(run, "/armed"), n, &a)
}

// Armed lists the rules that are armed in a run.
func (c *Client) Armed(ctx context.Context, run string) ([]Armed, error) {
	var list ArmedRules
	err := c.call(ctx, http.MethodGet, path(run, "/armed"), nil, &list)
	return list.Armed, err
}

// Disarm takes a rule out of force that was armed.
func (c *Client) Disarm(ctx context.Context, run, rule string) error {
	return c.call(ctx, http.MethodDelete, path(run, "/armed/"+url.PathEscape(rule)), nil, nil)
}

// DisarmAll takes all of them out of force, in every run of the gateway.
func (c *Client) DisarmAll(ctx context.Context) (d Disarmed, err error) {
	return d, c.call(ctx, http.MethodDelete, "/v1/armed", nil, &d)
}

// ProfileLog lists the revisions of a profile that were in force, oldest first,
// and the saves that were not; "" is the gateway's own.
func (c *Client) ProfileLog(ctx context.Context, profile string) ([]Record, error) {
	var list Records
	q := ""
	if profile != "" {
		q = "?profile=" + url.QueryEscape(profile)
	}
	err := c.call(ctx, http.MethodGet, "/v1/profiles/log"+q, nil, &list)
	return list.Records, err
}

// RollBackProfile puts an earlier revision of a profile in force, until its file
// is saved again; "" is the gateway's own profile, and the revision before.
func (c *Client) RollBackProfile(ctx context.Context, profile, revision string) (s State, err error) {
	body := map[string]string{}
	for name, value := range map[string]string{"profile": profile, "revision": revision} {
		if value != "" {
			body[name] = value
		}
	}
	return s, c.call(ctx, http.MethodPost, "/v1/profiles/rollback", body, &s)
}

// Approvals lists the approvals in a state, "" being all, oldest first: of one
// run, or of every run that goes on where run is "".
func (c *Client) Approvals(ctx context.Context, run, state string) ([]Approval, error) {
	var list Approvals
	where, q := "/v1/approvals", ""
	if run != "" {
		where = path(run, "/approvals")
	}
	if state != "" {
		q = "?state=" + url.QueryEscape(state)
	}
	err := c.call(ctx, http.MethodGet, where+q, nil, &list)
	return list.Approvals, err
}

// Approval tells of one approval.
func (c *Client) Approval(ctx context.Context, run, id string) (a Approval, err error) {
	return a, c.call(ctx, http.MethodGet, path(run, "/approvals/"+url.PathEscape(id)), nil, &a)
}

// Decide says something to what an approval asks, and gives what became of it.
func (c *Client) Decide(ctx context.Context, run, id string, d Decision) (a Approval, err error) {
	return a, c.call(ctx, http.MethodPost, path(run, "/approvals/"+url.PathEscape(id)+"/decision"), d, &a)
}

// Drafts lists the writes of a run that were captured.
func (c *Client) Drafts(ctx context.Context, run string) ([]Draft, error) {
	var list Drafts
	err := c.call(ctx, http.MethodGet, path(run, "/drafts"), nil, &list)
	return list.Drafts, err
}

// Draft tells of one of them.
func (c *Client) Draft(ctx context.Context, run, id string) (d Draft, err error) {
	return d, c.call(ctx, http.MethodGet, path(run, "/drafts/"+url.PathEscape(id)), nil, &d)
}

// Waits lists what waits for a person in a run's services.
func (c *Client) Waits(ctx context.Context, run string) ([]Wait, error) {
	var list Waits
	err := c.call(ctx, http.MethodGet, path(run, "/acts"), nil, &list)
	return list.Waits, err
}

// Act does in a service what waits for a person.
func (c *Client) Act(ctx context.Context, run string, n NewAct) (a Acted, err error) {
	return a, c.call(ctx, http.MethodPost, path(run, "/acts"), n, &a)
}

// ApproveRule lets a rule of a run's profile strike where real services are called.
func (c *Client) ApproveRule(ctx context.Context, run string, n NewRuleApproval) (a RuleApproval, err error) {
	return a, c.call(ctx, http.MethodPost, path(run, "/approved-rules"), n, &a)
}

// Override lets calls of a run pass a gate for a while.
func (c *Client) Override(ctx context.Context, run string, n NewOverride) (o Override, err error) {
	return o, c.call(ctx, http.MethodPost, path(run, "/overrides"), n, &o)
}

// Permissions tells what each identity of a run may do.
func (c *Client) Permissions(ctx context.Context, run string) (p Permissions, err error) {
	return p, c.call(ctx, http.MethodGet, path(run, "/permissions"), nil, &p)
}

// ConsoleCode makes a code that opens the console once, for somebody who is called
// by that name; "" where nobody said.
func (c *Client) ConsoleCode(ctx context.Context, by string) (code ConsoleCode, err error) {
	body := map[string]string{}
	if by != "" {
		body["by"] = by
	}
	return code, c.call(ctx, http.MethodPost, "/v1/console/codes", body, &code)
}

// OpenConsole changes a code for a token, as the console does.
func (c *Client) OpenConsole(ctx context.Context, code string) (t ConsoleToken, err error) {
	return t, c.call(ctx, http.MethodPost, "/v1/console/tokens", map[string]string{"code": code}, &t)
}

func path(run, rest string) string { return "/v1/runs/" + url.PathEscape(run) + rest }

func asked(name string, n uint64) string {
	if n == 0 {
		return ""
	}
	return "?" + name + "=" + strconv.FormatUint(n, 10)
}
