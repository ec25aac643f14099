package gateway_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"parity/faults/trail"
	"parity/gateway"
	"parity/gateway/kept"
	"parity/profiles"
)

// meeting is a profile of the library and what two clients make of it.
type meeting struct {
	profile string
	// more are lines of the profile that extends it: fixtures, and where a test
	// would wait for real, shorter waits.
	more string
	step string // of the clock; "" is 1s
	// together: the naive client makes calls at once; of others the next call says
	// that the one before it was over.
	together bool
	// play makes the calls of both clients: what sets them apart is hand.careful.
	play func(*hand)
	// failed are the verdicts that the naive client fails, by subject.
	failed []string
	// unseen are the rules that a client reacts to, or not, without that being
	// seen on the wire: they come out as not evaluated for one of the two.
	unseen []string
}

// TestLibraryIsMetByTwoClients has a naive and a careful client meet each fault
// family of the library: each rule fires for one of the two at least, the naive
// one is caught where it acts badly, and the careful one never is.
func TestLibraryIsMetByTwoClients(t *testing.T) {
	t.Parallel()
	for _, m := range meetings() {
		t.Run(m.profile, func(t *testing.T) {
			t.Parallel()
			naive, careful := m.met(t, false), m.met(t, true)
			for _, rule := range naive.rules {
				if naive.fired[rule]+careful.fired[rule] == 0 {
					t.Errorf("%s never fired: naive %v, careful %v", rule, naive.why[rule], careful.why[rule])
				}
			}
			for rule := range naive.fired {
				if !slices.Contains(naive.rules, rule) {
					t.Errorf("%s fired, and is no rule of the profile", rule)
				}
			}
			naive.fails(t, "naive", m.failed)
			careful.fails(t, "careful", nil)
			var unseen []string
			for _, rule := range naive.rules {
				if naive.result[rule] == trail.NotEvaluated || careful.result[rule] == trail.NotEvaluated {
					unseen = append(unseen, rule)
				}
			}
			if !slices.Equal(sorted(unseen), sorted(m.unseen)) {
				t.Errorf("not evaluated: %v, want %v\nnaive:\n%s\ncareful:\n%s", unseen, m.unseen, naive.told, careful.told)
			}
		})
	}
}

// A family of faults without a profile that two clients meet is a gap.
func TestEachFamilyOfTheLibraryIsMet(t *testing.T) {
	t.Parallel()
	var met []string
	for _, m := range meetings() {
		met = append(met, m.profile)
	}
	for _, name := range profiles.Library() {
		_, known := hosts[strings.TrimSuffix(name, "-bad-day")]
		service := known || name == "hubspot" || name == "notion" || strings.HasSuffix(name, "-bad-day")
		if !service && !slices.Contains(met, name) && !slices.Contains([]string{"baseline", "lost-charge", "messy-billing", "friendly", "slow-approvers", "least-privilege", "stages", "contained"}, name) {
			t.Errorf("nobody meets %s", name)
		}
	}
}

func sorted(names []string) []string {
	out := slices.Clone(names)
	slices.Sort(out)
	return out
}

// outcome is what a run under a profile came to.
type outcome struct {
	rules  []string
	fired  map[string]int
	why    map[string]string
	result map[string]trail.Result
	told   string
}

// fails compares the verdicts that failed.
func (o *outcome) fails(t *testing.T, who string, want []string) {
	t.Helper()
	var failed []string
	for subject, result := range o.result {
		if result == trail.Failed {
			failed = append(failed, subject)
		}
	}
	if !slices.Equal(sorted(failed), sorted(want)) {
		t.Errorf("the %s client fails %v, want %v\n%s", who, sorted(failed), sorted(want), o.told)
	}
}

// met lets one client meet the profile.
func (m meeting) met(t *testing.T, careful bool) *outcome {
	t.Helper()
	step := m.step
	if step == "" {
		step = "1s"
	}
	text := "profile: met\nextends: [" + m.profile + "]\nseed: 7\nclock: {mode: stepped, start: 2026-03-02T09:00:00Z, step: " + step + "}\n" + m.more
	h := open(t, text, func(s *gateway.Settings) { s.Token = controlToken })
	m.play(&hand{t: t, h: h, c: h.proxied(false), careful: careful, shut: map[string]bool{}})
	h.close()
	kept, err := kept.Read(h.root, h.Run.ID)
	if err != nil {
		t.Fatal(err)
	}
	goesOnFromCheckpoints(t, kept)
	o := &outcome{fired: map[string]int{}, why: map[string]string{}, result: map[string]trail.Result{}}
	if len(kept.Profile.Warnings) > 0 {
		t.Errorf("it warns: %v", kept.Profile.Warnings)
	}
	for _, r := range kept.Profile.Rules {
		o.rules = append(o.rules, r.Name)
	}
	for _, e := range kept.Events {
		if e.Exchange == nil {
			continue
		}
		for _, s := range e.Exchange.Strikes {
			if s.Fired {
				o.fired[s.Rule]++
			} else {
				o.why[s.Rule] = s.Why
			}
		}
	}
	if !m.together {
		inTurn(kept.Settlements)
	}
	if !careful {
		withoutPauses(kept.Settlements)
	}
	r := kept.Report()
	fitsSchema(t, r)
	for _, v := range r.Verdicts {
		o.result[v.Subject] = v.Result
		o.told += fmt.Sprintf("  %s: %s %v %s\n", v.Subject, v.Result, v.Lines, v.Why)
	}
	return o
}

// withoutPauses brings calls that came one after another to within a
// millisecond: the naive client pauses for nothing, so what lies between its
// calls is what this machine took, and no test rests on that.
func withoutPauses(settled map[uint64]trail.Settlement) {
	const next = trail.Instant(time.Millisecond)
	var pauses, last trail.Instant
	for _, seq := range begun(settled) {
		s := settled[seq]
		if gap := s.Began - pauses - last; last > 0 && gap > next {
			pauses += gap - next
		}
		s.Began, s.Wall = s.Began-pauses, s.Wall-pauses
		last = max(last, s.Wall)
		settled[seq] = s
	}
}

// inTurn ends each call of a client that makes one after another before its next
// begins: on a busy machine a call is noted as over well after its client went on,
// and the two looked like calls of two workers.
func inTurn(settled map[uint64]trail.Settlement) {
	order := begun(settled)
	for i, seq := range order[:max(0, len(order)-1)] {
		s := settled[seq]
		s.Wall = min(s.Wall, settled[order[i+1]].Began)
		settled[seq] = s
	}
}

// begun are the calls in the order in which they began.
func begun(settled map[uint64]trail.Settlement) []uint64 {
	return slices.SortedFunc(maps.Keys(settled), func(a, b uint64) int {
		return cmp.Compare(settled[a].Began, settled[b].Began)
	})
}

// hand is a scripted client of all services, naive or careful.
type hand struct {
	t       *testing.T
	h       *harness
	c       *http.Client
	careful bool
	n       int
	tokens  map[string]string // of services, in place of the usual ones
	shut    map[string]bool   // services that said to stay away
}

// heard is what came back.
type heard struct {
	status int
	header http.Header
	body   []byte
	json   map[string]any
	err    error
}

// fine tells whether an answer can be taken for a success.
func (r heard) fine() bool {
	if r.err != nil || r.status/100 != 2 {
		return false
	}
	if len(r.body) > 0 && !json.Valid(r.body) {
		return false
	}
	return r.json == nil || r.json["ok"] != false
}

func (r heard) at(path string) string { return at(r.json, path) }

// says makes a call; a body that is text is a form.
func (a *hand) says(method, service, path string, body any, header ...string) heard {
	a.t.Helper()
	host, token := hosts[service], map[string]string{
		"stripe": stripeKey, "zendesk": zendeskKey, "sendgrid": mailKey, "googlecalendar": mine, "slack": bot, "github": developer,
		"hubspot": "Bearer pat-na1-week", "notion": "Bearer ntn_week",
	}[service]
	if host == "" {
		host = map[string]string{"hubspot": "api.hubapi.com", "notion": "api.notion.com"}[service]
	}
	if own := a.tokens[service]; own != "" {
		token = own
	}
	r := requestOf(a.t, method, "https://"+host+path, token, body)
	r.Header.Set("User-Agent", "hand/1")
	if service == "notion" {
		r.Header.Set("Notion-Version", "2022-06-28")
	}
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	if host := r.Header.Get("Host"); host != "" {
		r.URL.Host, r.Host = host, host
		r.Header.Del("Host")
	}
	return a.sends(r)
}

func (a *hand) sends(r *http.Request) heard {
	client := *a.c
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	reply, err := client.Do(r)
	if err != nil {
		return heard{err: err}
	}
	defer reply.Body.Close()
	out := heard{status: reply.StatusCode, header: reply.Header}
	out.body, out.err = io.ReadAll(reply.Body)
	_ = json.Unmarshal(out.body, &out.json) // what is no object has none
	return out
}

// needs is a call that has to succeed.
func (a *hand) needs(method, service, path string, body any, header ...string) heard {
	a.t.Helper()
	r := a.says(method, service, path, body, header...)
	if !r.fine() {
		a.t.Fatalf("%s %s%s: %d %.300s %v, want a success", method, service, path, r.status, r.body, r.err)
	}
	return r
}

// Limits of patience. The naive client never pauses.
const (
	naiveTries   = 12
	carefulTries = 4
	pause        = 60 * time.Millisecond
)

// insists makes a call until it is answered. The naive client sends at once, with a
// new key each time; the careful one pauses, keeps its key, gives up early, and leaves a service
// that tells it to wait.
func (a *hand) insists(method, service, path string, body any) heard {
	a.t.Helper()
	a.n++
	if a.careful && a.shut[service] {
		return heard{}
	}
	tries := naiveTries
	if a.careful {
		tries = carefulTries
	}
	var r heard
	for try := range tries {
		key := fmt.Sprintf("order-%d", a.n)
		if !a.careful {
			key += fmt.Sprint("-", try)
		}
		var header []string
		if method != "GET" && service == "stripe" {
			header = []string{"Idempotency-Key", key}
		}
		if r = a.says(method, service, path, body, header...); r.fine() {
			return r
		}
		if !a.careful {
			continue
		}
		if r.header.Get("Retry-After") != "" {
			a.shut[service] = true // it has no time to wait
			break
		}
		time.Sleep(pause)
	}
	return r
}
