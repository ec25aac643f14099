package gateway_test

import (
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"parity/fakes/builtin"
	"parity/faults/trail"
	"parity/gateway"
	"parity/gateway/client"
	"parity/gateway/kept"
	"parity/profiles"
	"parity/profiles/permissions"
	"parity/specs"
)

const permitted = `
profile: permitted
seed: 7
world: friendly
services:
  slack: {classes: {slack POST /api/chat.delete: [{class: draft, when: request.body.channel == "C0DRAFT"}, {class: admin}]}}
  sendgrid: {}
clock: {mode: stepped}
identities:
  talker: {presents: {value: xoxb-1-2-talker}, may: {slack: irreversible, "*": read}, also: [slack POST /api/conversations.invite], never: [slack POST /api/files.delete]}
  looker: {presents: {value: xoxb-1-2-looker}, may: read}
  mailer: {presents: {value: SG.mailerMailerMailerMai.mailerMailerMailerMailerMailerMailerMailerM}, may: {sendgrid: admin, slack: draft}}
  tidier: {presents: {value: SG.tidierTidierTidierTid.tidierTidierTidierTidierTidierTidierTidierT}, may: {sendgrid: reversible}, never: [sendgrid DELETE *]}
policy:
  drafts: capture
  strangers: draft
  gates:
    general: {call: slack POST /api/chat.postMessage, when: request.body.channel == "C0GENERAL", then: refuse}
    messages: {call: [slack POST /api/chat.postMessage, slack POST /api/chat.update], then: approve}
    reactions: {call: slack POST /api/reactions.*, then: allow, because: A reaction comes off as easily as it goes on.}
    secrets: {call: sendgrid GET /v3/api_keys, then: refuse}
    templates: {call: sendgrid POST /v3/templates, then: draft}
    lists: {call: sendgrid PUT /v3/marketing/*, then: allow, because: Lists are kept elsewhere.}
  approvers: {desk: {decides: nothing}}
`

// tried is one call of the matrix, and what it is to come to.
type tried struct {
	op       *specs.Operation
	identity string
	key      string
	request  sample
	want     permissions.Outcome
	class    string
}

// permittedCalls are calls of all operations by an identity that may much, one
// that may little, and a stranger.
func permittedCalls(t *testing.T, p *profiles.Profile, stage int) (all []tried) {
	t.Helper()
	s := permissions.Subject{Profile: p, Stage: stage}
	callers := map[string][][2]string{
		"slack":    {{"talker", "xoxb-1-2-talker"}, {"looker", "xoxb-1-2-looker"}, {permissions.Strangers, "xoxb-1-2-stranger"}},
		"sendgrid": {{"mailer", "SG.mailerMailerMailerMai.mailerMailerMailerMailerMailerMailerMailerM"}, {"tidier", "SG.tidierTidierTidierTid.tidierTidierTidierTidierTidierTidierTidierT"}, {permissions.Strangers, "SG.nobodyNobodyNobodyNob.nobodyNobodyNobodyNobodyNobodyNobodyNobodyN"}},
	}
	made, skipped := 0, 0
	for _, op := range s.Operations() {
		request, ok := sampleOf(op)
		if !ok {
			skipped++
			continue
		}
		made++
		for _, caller := range callers[op.Service] {
			cell := s.Decide(caller[0], op, permissions.Call{Known: true, Input: specs.Input{Path: request.path, Query: request.query, Body: request.sent}})
			if len(cell.Outcomes) != 1 {
				t.Fatalf("%s of %s comes to %d things", op.Name(), caller[0], len(cell.Outcomes))
			}
			all = append(all, tried{op, caller[0], caller[1], request, cell.Last(), string(cell.Class)})
		}
	}
	t.Logf("%d operations are called, and %d left out, whose bodies are not made here", made, skipped)
	if made*5 < (made+skipped)*4 {
		t.Errorf("less than 4 of 5 operations are called")
	}
	return all
}

// decides holds what policy made of a call against the cell. What the contract or
// the service itself refuses never comes to a gate; then stage and grant have to
// let it pass, and it must not have been done.
func (a *tried) decides(t *testing.T, by string, p *trail.Policy, committed, violates bool) (whole bool) {
	t.Helper()
	switch {
	case p == nil:
		t.Errorf("%s: %s of %s: policy was not asked", by, a.op.Name(), a.identity)
	case p.Class != a.class:
		t.Errorf("%s: %s is %s, and in the matrix %s", by, a.op.Name(), p.Class, a.class)
	case p.Decision == a.want.Decision && p.Code == a.want.Code && p.By == a.want.By:
		return !violates
	case p.Decision == trail.PolicyAllowed && p.By == "" && !committed && a.want.Code != "not-granted" && a.want.Code != "over-stage":
	default:
		t.Errorf("%s: %s of %s: %s %s by %q; the matrix says %s %s by %q", by, a.op.Name(), a.identity, p.Decision, p.Code, p.By, a.want.Decision, a.want.Code, a.want.By)
	}
	return false
}

// Four places say what a call may do: the gateway that answers it, parity why,
// parity perms, and replay. One that drifts apart is a hole, or a lie.
func TestAGatewayWhyPermsAndReplayDecideAlike(t *testing.T) {
	t.Parallel()
	for stage := 1; stage <= 5; stage++ {
		t.Run("stage", func(t *testing.T) {
			t.Parallel()
			decideAlike(t, stage)
		})
	}
}

func decideAlike(t *testing.T, stage int) {
	t.Helper()
	h := open(t, permitted, func(s *gateway.Settings) { s.Stage, s.Token = stage, controlToken })
	ships, err := builtin.Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	p, err := profiles.Load(h.file, profiles.Options{Catalogue: ships})
	if err != nil {
		t.Fatal(err)
	}
	calls, c := permittedCalls(t, p, stage), h.proxied(false)
	for i := range calls {
		send(t, c, &calls[i])
	}
	told, err := h.control().Permissions(t.Context(), h.Run.ID)
	if err != nil {
		t.Fatal(err)
	}
	toldAlike(t, told, permissions.Of(permissions.Subject{Profile: p, Stage: stage}), stage)
	events, _ := h.events()
	at, whole := 0, map[string]bool{}
	for i := range events {
		if e := &events[i]; e.Kind == trail.Exchanged {
			if calls[at].decides(t, "the gateway", e.Exchange.Policy, e.Exchange.Committed, len(e.Exchange.Violations) > 0) {
				whole[calls[at].op.Name()] = true
			}
			at++
		}
	}
	if at != len(calls) {
		t.Fatalf("%d exchanges of %d calls", at, len(calls))
	}
	t.Logf("stage %d: %d calls; of %d operations a call came to what the matrix says, gates and all", stage, len(calls), len(whole))
	if len(whole)*5 < len(calls)/3*4 {
		t.Errorf("%d of %d operations were decided whole", len(whole), len(calls)/3)
	}
	for i := stage; i < len(calls); i += 97 {
		whyAlike(t, h, &calls[i])
	}
	k, err := kept.Read(h.root, h.Run.ID)
	if err != nil {
		t.Fatal(err)
	}
	if came, err := k.Replay(t.Context(), ""); err != nil || came.At != 0 {
		t.Errorf("replay departs at %d: %+v %v", came.At, came.Differences, err)
	}
}

func hostOf(service string) string {
	return "https://" + map[string]string{"slack": "slack.com", "sendgrid": "api.sendgrid.com"}[service]
}

func send(t *testing.T, c *http.Client, a *tried) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), a.op.Method, hostOf(a.op.Service)+a.request.target, strings.NewReader(a.request.body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+a.key)
	if a.request.kind != "" {
		r.Header.Set("Content-Type", a.request.kind)
	}
	reply, err := c.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	if err := reply.Body.Close(); err != nil {
		t.Fatal(err)
	}
}

// toldAlike holds what the control port tells of a run against the cells.
func toldAlike(t *testing.T, told client.Permissions, cells []permissions.Cell, stage int) {
	t.Helper()
	n := 0
	for i := range cells {
		for _, o := range cells[i].Outcomes {
			if n >= len(told.Cells) {
				t.Fatalf("%d cells are told", n)
			}
			want := client.Permission{Identity: cells[i].Identity, Operation: cells[i].Operation, Class: string(cells[i].Class), Decision: string(o.Decision), Code: o.Code, By: o.By, When: o.When}
			if told.Cells[n] != want {
				t.Fatalf("told %+v; want %+v", told.Cells[n], want)
			}
			n++
		}
	}
	if n != len(told.Cells) || told.Stage != stage || told.More != 0 || filepath.Base(told.Profile) != "profile.yaml" {
		t.Errorf("%d of %d cells at stage %d of %s, and %d more", n, len(told.Cells), told.Stage, told.Profile, told.More)
	}
}

func whyAlike(t *testing.T, h *harness, a *tried) {
	t.Helper()
	asking := kept.Asking{
		Root: h.root, Run: h.Run.ID, Call: a.op.Method + " " + hostOf(a.op.Service) + a.request.target, Body: []byte(a.request.body),
		Header: []string{"Authorization: Bearer " + a.key},
	}
	if a.request.kind != "" {
		asking.Header = append(asking.Header, "Content-Type: "+a.request.kind)
	}
	told, err := kept.Why(t.Context(), asking)
	if err != nil {
		t.Fatal(err)
	}
	a.decides(t, "why", told.Permit, strings.Contains(told.Reply, "has changed"), len(told.Violations) > 0)
}
