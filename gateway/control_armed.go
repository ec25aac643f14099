package gateway

import (
	"context"
	"errors"
	"maps"
	"net/http"
	"time"

	"parity/faults/run"
	"parity/faults/trail"
	"parity/gateway/admin"
	"parity/gateway/client"
	"parity/profiles"
)

// nameless is what a rule is called in what is said of it, as long as it has no
// name.
const nameless = "injected"

// armRule puts a rule in force in one run.
func (s *Server) armRule(_ context.Context, l *liveRun, call admin.Call) (admin.Answer, error) {
	parts := maps.Clone(call.Body)
	name, _ := parts["name"].(string)
	text, _ := parts["ttl"].(string)
	ttl, err := span("ttl", text)
	if err != nil {
		return admin.Answer{}, asked(err)
	}
	delete(parts, "name")
	delete(parts, "ttl")
	armed, warnings, err := l.armed(name, parts, ttl)
	if err != nil {
		return admin.Answer{}, refused(asked(err), http.StatusConflict, "armed")
	}
	if err := s.known(l); err != nil {
		return admin.Answer{}, err
	}
	told := armedOf(&armed)
	for _, w := range warnings {
		w.File = armed.Name
		told.Warnings = append(told.Warnings, w.Error())
	}
	return admin.Answer{Status: http.StatusCreated, JSON: told}, nil
}

// armed puts a rule in force in the run. It is a *UsageError where the rule is
// wrong.
func (l *liveRun) armed(name string, parts map[string]any, ttl time.Duration) (run.Armed, profiles.Problems, error) {
	p := l.Revision().Profile
	shown := name
	if shown == "" {
		shown = nameless
	}
	made, err := p.Arm(shown, parts)
	if err != nil {
		return run.Armed{}, nil, &UsageError{Err: err}
	}
	taken := func(name string) bool {
		for _, r := range p.Rules {
			if r.Name == name {
				return true
			}
		}
		return false
	}
	armed, err := l.Arm(trail.Arming{
		Name: name, Text: made.Text, Fault: made.Fault, Calls: made.Calls, Because: made.Rule.Because, Required: made.Rule.Required,
	}, ttl, taken)
	return armed, made.Warnings, err
}

// Arming is a rule that is armed as a run begins: its parts are those of a rule
// in a profile, by key.
type Arming struct {
	Name  string
	Parts map[string]any
}

// Arm puts rules in force in the run of clients that name none.
func (s *Server) Arm(ctx context.Context, rules []Arming) error {
	p, ok := s.Gateway.slot(s.Run.ID)
	if !ok || len(rules) == 0 {
		return nil
	}
	return p.live.Load().arm(ctx, rules)
}

// arm puts rules in force as the run begins.
func (l *liveRun) arm(ctx context.Context, rules []Arming) error {
	for _, r := range rules {
		if _, _, err := l.armed(r.Name, r.Parts, 0); err != nil {
			return err
		}
	}
	return l.Covered(ctx, l.Seq())
}

func armedOf(a *run.Armed) client.Armed {
	told := client.Armed{Name: a.Name, Event: a.Seq, Inject: a.Fault, Call: a.Calls, Text: a.Text}
	if a.Until != 0 {
		told.Until = a.Until.Time()
	}
	return told
}

// listArmed tells which rules are armed in a run and still in force.
func (s *Server) listArmed(ctx context.Context, l *liveRun, _ admin.Call) (admin.Answer, error) {
	if err := l.Wake(); err != nil {
		return admin.Answer{}, err
	}
	state := l.State()
	now := state.Clock.Now(s.settings.Wall.Now())
	list := client.ArmedRules{Armed: []client.Armed{}}
	for i := range state.Armed {
		if !state.Armed[i].Over(now) {
			list.Armed = append(list.Armed, armedOf(&state.Armed[i]))
		}
	}
	return admin.Answer{JSON: list}, s.settled(ctx, l, state.Seq)
}

func (s *Server) disarmRule(_ context.Context, l *liveRun, call admin.Call) (admin.Answer, error) {
	if err := l.Disarm(call.Path["rule"]); err != nil {
		return admin.Answer{}, refused(err, http.StatusNotFound, "unknown-rule")
	}
	return admin.Answer{Status: http.StatusNoContent}, s.known(l)
}

// disarmAll takes every armed rule of every run out of force, of those that
// nobody has asked for yet too.
func (s *Server) disarmAll(_ context.Context, _ admin.Call) (admin.Answer, error) {
	told := client.Disarmed{Runs: map[string][]string{}}
	var failed error
	for _, p := range s.Gateway.all() {
		l, err := p.get()
		var names []string
		if err == nil {
			names, err = l.DisarmAll()
		}
		if len(names) > 0 {
			told.Runs[l.ID] = names
			err = errors.Join(err, s.known(l))
		}
		if !errors.Is(err, run.ErrEnded) {
			failed = errors.Join(failed, err)
		}
	}
	return admin.Answer{JSON: told}, failed
}
