package gateway

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"

	"parity/fakes"
	"parity/fakes/cast"
	"parity/fakes/world"
	"parity/faults"
	"parity/faults/run"
	"parity/faults/trail"
	"parity/gateway/admin"
	"parity/gateway/approval"
	"parity/gateway/client"
	"parity/gateway/deliver"
	"parity/gateway/exchange"
	"parity/gateway/kept"
	"parity/gateway/notify"
	"parity/profiles/policy"
)

// approvals are those that a call asks for, oldest first: of one run, or of all
// that go on. A run in which somebody is asked does not sleep.
func (s *Server) approvals(call admin.Call) ([]client.Approval, error) {
	list, state := []client.Approval{}, cast.Text(call.Query["state"])
	of := func(name string, w *world.World) error {
		for _, a := range approval.All(w) {
			if state != "" && a.State() != state {
				continue
			}
			shown, err := s.approvalOf(name, a)
			if err != nil {
				return err
			}
			list = append(list, shown)
		}
		return nil
	}
	if name, ok := call.Query["run"].(string); ok {
		return list, s.within(name, of)
	}
	for _, l := range s.Gateway.awake() {
		w := l.World()
		if w == nil || w.Len(fakes.ApprovalsCollection) == 0 {
			continue
		}
		if err := of(l.ID, w); err != nil {
			return nil, err
		}
	}
	slices.SortStableFunc(list, func(a, b client.Approval) int { return a.Asked.Compare(b.Asked) })
	return list, nil
}

// within shows the newest world of a run, whether it goes on or has ended.
func (s *Server) within(name string, see func(string, *world.World) error) error {
	state, err := s.newest(name)
	if err != nil {
		return err
	}
	return see(name, state.World)
}

// newest is the newest state of a run.
func (s *Server) newest(name string) (run.State, error) {
	return s.stateOf(context.Background(), admin.Call{Path: map[string]string{"run": name}}, "run", "at")
}

// approvalOf is an approval as it is shown.
func (s *Server) approvalOf(name string, a approval.Approval) (client.Approval, error) {
	return kept.ShownApproval(name, a.Value(), s.events(name))
}

func (s *Server) listRunApprovals(_ context.Context, call admin.Call) (admin.Answer, error) {
	call.Query = map[string]any{"run": call.Path["run"], "state": call.Query["state"]}
	list, err := s.approvals(call)
	return admin.Answer{JSON: client.Approvals{Approvals: list}}, err
}

func (s *Server) getApproval(_ context.Context, call admin.Call) (admin.Answer, error) {
	var shown client.Approval
	err := s.within(call.Path["run"], func(name string, w *world.World) error {
		a, ok := approval.Get(w, call.Path["id"])
		if !ok {
			return unknownApproval(call)
		}
		var err error
		shown, err = s.approvalOf(name, a)
		return err
	})
	return admin.Answer{JSON: shown}, err
}

func unknownApproval(call admin.Call) error {
	name := call.Path["run"]
	return &admin.Problem{Status: http.StatusNotFound, Code: "unknown-approval", Detail: "run " + name + " has no approval " + call.Path["id"] + "; GET /v1/runs/" + name + "/approvals lists those there are"}
}

// decideApproval notes what somebody says to an approval, by an event.
func (s *Server) decideApproval(_ context.Context, l *liveRun, call admin.Call) (admin.Answer, error) {
	by, err := decider(call)
	if err != nil {
		return admin.Answer{}, err
	}
	in, err := decoded[client.Decision](call.Body)
	if err != nil {
		return admin.Answer{}, err
	}
	w := trail.Word{ID: call.Path["id"], Decision: in.Decision, By: trail.Speaker(by), Digest: in.Digest, Note: in.Note, To: in.To}
	set, _ := call.Body["set"].(map[string]any) // as it came: in.Set has its numbers rounded
	if len(set) > 0 {
		if w.Set, err = json.Marshal(set); err != nil {
			return admin.Answer{}, err
		}
	}
	a, err := s.say(l, w, set)
	if err != nil {
		return admin.Answer{}, wrongWord(call, err)
	}
	if a.Waits() { // for somebody else now
		s.notify(l, a.ID())
	}
	shown, err := s.approvalOf(l.ID, a)
	return admin.Answer{JSON: shown}, cmp.Or(err, s.known(l))
}

// say has somebody decide in a run.
func (s *Server) say(l *liveRun, w trail.Word, set map[string]any) (a approval.Approval, err error) {
	rev := l.Revision()
	_, turned := l.DecideAside(s.settings.Wall.Now(), func(t *run.Turn) *trail.Event {
		said := approval.Said{Word: w, Set: normal(set), Rebind: rev.Rebind}
		if a, err = approval.Decide(t.Tx(), t.Now, cmp.Or(rev.Authority(l.Stage), policy.Staged()), said); err != nil {
			return nil
		}
		w.Gate = a.Gate()
		return &trail.Event{Kind: trail.Worded, Revision: rev.Profile.Revision, Word: &w}
	})
	return a, cmp.Or(err, turned)
}

// normal has the numbers of an object as a world keeps them.
func normal(set map[string]any) map[string]any {
	value, _ := world.Normalise(set).(map[string]any)
	return value
}

// wrongWord words why a decision is not taken.
func wrongWord(call admin.Call, err error) error {
	status, code := http.StatusUnprocessableEntity, "refused"
	switch {
	case errors.Is(err, approval.ErrUnknown):
		return unknownApproval(call)
	case errors.Is(err, approval.ErrMoved):
		status, code, err = http.StatusConflict, "approval-moved", errors.New("the call is not what was shown: look at it again, and decide with the digest that it has now")
	case errors.Is(err, approval.ErrDecided):
		status, code = http.StatusConflict, "approval-decided"
	case errors.Is(err, approval.ErrLapsed):
		status, code = http.StatusConflict, "approval-lapsed"
	case errors.Is(err, approval.ErrUnproved):
		status, code = http.StatusForbidden, "person-only"
	case errors.Is(err, approval.ErrStandsIn), errors.Is(err, approval.ErrNobody), errors.Is(err, approval.ErrWithout), errors.Is(err, approval.ErrUndecided):
	case errors.Is(err, run.ErrEnded):
		status, code = http.StatusConflict, "run-ended"
	default:
		return err
	}
	return &admin.Problem{Status: status, Code: code, Detail: "approval " + call.Path["id"] + ": " + err.Error()}
}

func (s *Server) listDrafts(_ context.Context, call admin.Call) (admin.Answer, error) {
	list := []client.Draft{}
	err := s.within(call.Path["run"], func(name string, w *world.World) error {
		for record := range w.Oldest(fakes.DraftsCollection, 0) {
			shown, err := s.draftOf(name, record)
			if err != nil {
				return err
			}
			list = append(list, shown)
		}
		return nil
	})
	return admin.Answer{JSON: client.Drafts{Drafts: list}}, err
}

func (s *Server) draftOf(name string, record *world.Record) (client.Draft, error) {
	return kept.ShownDraft(name, record.Value(), s.events(name))
}

func (s *Server) getDraft(_ context.Context, call admin.Call) (admin.Answer, error) {
	var shown client.Draft
	err := s.within(call.Path["run"], func(name string, w *world.World) error {
		record, ok := w.Get(fakes.DraftsCollection, call.Path["id"])
		if !ok {
			return &admin.Problem{Status: http.StatusNotFound, Code: "unknown-draft", Detail: "run " + name + " has no draft " + call.Path["id"] + "; GET /v1/runs/" + name + "/drafts lists those there are"}
		}
		var err error
		shown, err = s.draftOf(name, record)
		return err
	})
	return admin.Answer{JSON: shown}, err
}

// overrideGate lets calls of a run pass a gate for a while.
func (s *Server) overrideGate(_ context.Context, l *liveRun, call admin.Call) (admin.Answer, error) {
	by, err := decider(call)
	if err != nil {
		return admin.Answer{}, err
	}
	in, err := decoded[client.NewOverride](call.Body)
	if err != nil {
		return admin.Answer{}, err
	}
	long, err := span("for", in.For)
	if err != nil {
		return admin.Answer{}, asked(err)
	}
	rev := l.Revision()
	gate, err := overridable(l.ID, rev.Profile.Authority, in.Gate)
	if err != nil {
		return admin.Answer{}, asked(err)
	}
	if long == 0 {
		long = gate.Skip.Override
	}
	if long > gate.Skip.Override {
		return admin.Answer{}, asked(&UsageError{Err: fmt.Errorf("gate %s may be overridden for %s at most", gate.Name, gate.Skip.Override)})
	}
	w := trail.Word{Gate: gate.Name, Decision: "override", By: trail.Speaker(by), Note: in.Because, Max: in.Max}
	e, err := l.DecideAside(s.settings.Wall.Now(), func(t *run.Turn) *trail.Event {
		w.Until = trail.At(t.Now.Add(long))
		approval.Override(t.Tx(), w)
		return &trail.Event{Kind: trail.Worded, Revision: rev.Profile.Revision, Word: &w}
	})
	if err != nil {
		return admin.Answer{}, refused(err, http.StatusConflict, "run-ended")
	}
	return admin.Answer{Status: http.StatusCreated, JSON: client.Override{
		Run: l.ID, Gate: gate.Name, By: by, Because: in.Because, Until: w.Until.Time(), Max: in.Max, Event: e.Seq,
	}}, s.known(l)
}

// approveRule lets a rule of a run's profile strike where real services are called,
// as long as the revision of now is in force.
func (s *Server) approveRule(_ context.Context, l *liveRun, call admin.Call) (admin.Answer, error) {
	by, err := decider(call)
	if err != nil {
		return admin.Answer{}, err
	}
	in, err := decoded[client.NewRuleApproval](call.Body)
	if err != nil {
		return admin.Answer{}, err
	}
	p := l.Revision().Profile
	if i := slices.IndexFunc(p.Rules, func(r *faults.Rule) bool { return r.Name == in.Rule }); i < 0 || !p.Rules[i].Live {
		return admin.Answer{}, asked(&UsageError{Err: fmt.Errorf("the profile of run %s has no rule %s that says live: true", l.ID, strconv.Quote(in.Rule))})
	}
	w := trail.Word{Rule: in.Rule, Decision: approval.SayApproveRule, By: trail.Speaker(by), Note: in.Because}
	e, err := l.DecideAside(s.settings.Wall.Now(), func(t *run.Turn) *trail.Event {
		approval.ApproveRule(t.Tx(), w, p.Revision)
		return &trail.Event{Kind: trail.Worded, Revision: p.Revision, Word: &w}
	})
	if err != nil {
		return admin.Answer{}, refused(err, http.StatusConflict, "run-ended")
	}
	return admin.Answer{Status: http.StatusCreated, JSON: client.RuleApproval{
		Run: l.ID, Rule: in.Rule, Revision: p.Revision, By: by, Because: in.Because, Event: e.Seq,
	}}, s.known(l)
}

// overridable finds a gate that calls may be let pass.
func overridable(run string, a *policy.Authority, name string) (*policy.Gate, error) {
	var g *policy.Gate
	if a != nil {
		g = a.Named(name)
	}
	switch {
	case g == nil:
		return nil, &UsageError{Err: fmt.Errorf("the policy of run %s has no gate %s; name one of those under policy.gates of its profile", run, strconv.Quote(name))}
	case g.Skip.Override == 0:
		return nil, &UsageError{Err: fmt.Errorf("gate %s may not be overridden: its profile does not say skip: {override: 15m}", strconv.Quote(name))}
	}
	return g, nil
}

// startNotifier has somebody tell those who are asked, until the gateway ends.
func (s *Server) startNotifier() *notify.Notifier {
	near := exchange.Local(s.Addr())
	dialer := s.Gateway.out.For(func(host string, _ int) bool { return near && deliver.Local(host) })
	n := notify.New(notify.Options{
		Transport: &http.Transport{DialContext: dialer.DialContext}, Count: func(o notify.Outcome) { s.metrics.Notified(string(o)) },
		Wall: s.settings.Wall, Log: s.settings.Log,
	})
	s.work.Go(func() { n.Run(s.lifetime) })
	return n
}

// notify tells whoever is asked for an approval that it waits for them, where the
// policy says how. Nothing waits for that.
func (s *Server) notify(l *liveRun, id string) {
	a, ok := approval.Get(l.World(), id)
	p := l.Revision().Authority(l.Stage)
	if !ok || p == nil || !a.Waits() {
		return
	}
	by := p.Approvers[cast.Text(a.Value()["approver"])]
	if by.Notify == nil {
		return
	}
	to := notify.Target{URL: s.settings.Getenv(by.Notify.Env), Secret: []byte(s.settings.Getenv(by.Notify.Secret)), Arguments: by.Notify.Arguments}
	if by.Notify.Form == string(notify.Blocks) {
		to.Form = notify.Blocks
	}
	if err := to.Check(); err != nil {
		s.settings.Log.Warn("somebody is asked for an approval, and cannot be told", "approver", by.Name, "variable", by.Notify.Env, "run", l.ID, "approval", id, "error", err)
		return
	}
	s.notifier().Tell(to, notify.Approval{
		ID: id, Run: l.ID, Gate: a.Gate(), Identity: a.Identity(), Operation: cast.Text(a.Value()["operation"]), State: a.State(), Live: a.Live(),
		Lapses: a.Instant("lapses"), URL: "http://" + s.control.Addr().String() + "/console/", Arguments: a.Value()["request"],
	})
}

func notices() []string {
	var all []string
	for _, o := range notify.Outcomes() {
		all = append(all, string(o))
	}
	return all
}
