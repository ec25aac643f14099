package gateway

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"parity/faults/run"
	"parity/faults/trail"
	"parity/gateway/admin"
	"parity/gateway/client"
	"parity/gateway/console"
	"parity/gateway/exchange"
	"parity/gateway/people"
	"parity/profiles/permissions"
)

// approvalOperations are those about approvals, drafts and what may be done.
func (s *Server) approvalOperations() map[string]admin.Operation {
	return map[string]admin.Operation{
		"listApprovals": s.listApprovals, "listRunApprovals": s.listRunApprovals, "getApproval": s.getApproval,
		"decideApproval": on(s, s.decideApproval), "listDrafts": s.listDrafts, "getDraft": s.getDraft,
		"listWaits": on(s, s.listWaits), "act": on(s, s.act), "overrideGate": on(s, s.overrideGate), "approveRule": on(s, s.approveRule), "getPermissions": s.getPermissions,
		"makeConsoleCode": s.makeConsoleCode, "openConsole": s.openConsole,
	}
}

// listApprovals gives the approvals of all runs that go on, or of one that is
// named: those there are, or as they come.
func (s *Server) listApprovals(ctx context.Context, call admin.Call) (admin.Answer, error) {
	if name, ok := call.Query["run"].(string); ok {
		if err := s.has(name); err != nil {
			return admin.Answer{}, err
		}
	}
	if strings.Contains(call.Header.Get("Accept"), "text/event-stream") {
		return admin.Answer{Events: s.followApprovals(ctx, call)}, nil
	}
	list, err := s.approvals(call)
	return admin.Answer{JSON: client.Approvals{Approvals: list}}, err
}

// lookAgain is how long a change of an approval may wait before it is told.
const lookAgain = 500 * time.Millisecond

// followApprovals gives approvals as they come, until nobody listens: all that there
// are, that these were all, and from then on what is new, has changed, or is gone.
func (s *Server) followApprovals(ctx context.Context, call admin.Call) iter.Seq2[admin.Event, error] {
	return func(yield func(admin.Event, error) bool) {
		known, n := map[client.Gone]string{}, 0
		for first := true; ; first = false {
			list, err := s.approvals(call)
			if err != nil {
				yield(admin.Event{}, err)
				return
			}
			told := changed(known, list)
			if first {
				told = append(told, admin.Event{Name: "listed", JSON: struct{}{}})
			}
			for _, e := range told {
				e.ID = strconv.Itoa(n)
				if n++; !yield(e, nil) {
					return
				}
			}
			again, stop := s.settings.Wall.After(lookAgain)
			select {
			case <-again:
			case <-ctx.Done():
				stop()
				return
			}
		}
	}
}

// changed are the events that tell what has become of approvals since they were
// known, which is brought up to date.
func changed(known map[client.Gone]string, list []client.Approval) (told []admin.Event) {
	there := map[client.Gone]bool{}
	for i := range list {
		key := client.Gone{Run: list[i].Run, ID: list[i].ID}
		there[key] = true
		said := list[i].State + " " + list[i].Approver + " " + list[i].Digest
		if was, ok := known[key]; !ok || was != said {
			told = append(told, admin.Event{Name: "approval", JSON: list[i]})
		}
		known[key] = said
	}
	for key := range known {
		if !there[key] {
			delete(known, key)
			told = append(told, admin.Event{Name: "gone", JSON: key})
		}
	}
	return told
}

// has is an error where there is no such run.
func (s *Server) has(run string) error {
	if _, ok := s.store.Run(run); !ok {
		return unknownRun(run)
	}
	return nil
}

// getPermissions gives what each identity of a run may do: of one that goes on
// under the revision that is in force, of one that has ended under its last.
func (s *Server) getPermissions(_ context.Context, call admin.Call) (admin.Answer, error) {
	name := call.Path["run"]
	info, ok := s.store.Run(name)
	if !ok {
		return admin.Answer{}, unknownRun(name)
	}
	told := client.Permissions{Run: info.Run, Profile: s.listed(info, call.Host).Profile, Cells: []client.Permission{}}
	of, err := s.subject(call)
	if err != nil {
		return admin.Answer{}, err
	}
	told.Stage = of.InForce()
	cells := permissions.Of(of)
	for i := range cells {
		for _, o := range cells[i].Outcomes {
			if len(told.Cells) >= client.MostPermissions {
				told.More++
				continue
			}
			told.Cells = append(told.Cells, client.Permission{
				Identity: cells[i].Identity, Operation: cells[i].Operation, Class: string(cells[i].Class),
				Decision: string(o.Decision), Code: o.Code, By: o.By, When: o.When,
			})
		}
	}
	return admin.Answer{JSON: told}, nil
}

// subject is what a run's calls are decided under.
func (s *Server) subject(call admin.Call) (permissions.Subject, error) {
	if p, ok := s.Gateway.slot(call.Path["run"]); ok {
		if l := p.live.Load(); l != nil {
			return permissions.Subject{Profile: l.Revision().Profile, Stage: cmp.Or(l.Stage, permissions.NoStage)}, nil
		}
	}
	k, err := s.read(call, "run")
	if err != nil {
		return permissions.Subject{}, err
	}
	if k.Unread != nil {
		return permissions.Subject{}, k.Unread
	}
	return permissions.Subject{Profile: k.Profile, Stage: cmp.Or(k.Stage(), permissions.NoStage)}, nil
}

// operators is the file of the persons who have a token.
func (s *Server) operators() string { return filepath.Join(s.settings.Root, people.FileName) }

// person gives the person, or the console, that a token belongs to. A console that a
// person has opened is closed when that person's token is removed.
func (s *Server) person(token string) (admin.Caller, bool) {
	if by, ok := s.sessions.Holder(token); ok {
		if by.Proof != "" {
			digest, still := people.Still(s.operators(), by.Name)
			ok = still && digest == by.Proof
		}
		return admin.Caller{Name: by.Name, Proved: by.Proof != "", Console: true}, ok
	}
	who, ok, err := people.Who(s.operators(), token)
	if err != nil {
		s.settings.Log.Error("nobody is let in by a token of their own", "error", err)
		return admin.Caller{}, false
	}
	return admin.Caller{Name: who.Name, Proved: true}, ok
}

// makeConsoleCode gives a code that opens the console once.
func (s *Server) makeConsoleCode(_ context.Context, call admin.Call) (admin.Answer, error) {
	if call.By.Console { // or a console would last for ever
		return admin.Answer{}, &admin.Problem{Status: http.StatusForbidden, Code: "operator-only", Detail: "a console opens no other: `parity console` does, with the control token (PARITY_CONTROL_TOKEN) or a person's own"}
	}
	said, _ := call.Body["by"].(string)
	by := console.Holder{Name: said}
	if call.By.Proved {
		by.Name = call.By.Name
		by.Proof, _ = people.Still(s.operators(), by.Name)
	}
	code, until := s.sessions.Code(by)
	return admin.Answer{Status: http.StatusCreated, JSON: client.ConsoleCode{Code: code, Until: until}}, nil
}

// openConsole changes a code for a token.
func (s *Server) openConsole(_ context.Context, call admin.Call) (admin.Answer, error) {
	code, _ := call.Body["code"].(string)
	token, until, by, ok := s.sessions.Open(code)
	if !ok {
		return admin.Answer{}, &admin.Problem{Status: http.StatusForbidden, Code: "unknown-code", Detail: "this code was used, or is more than a minute old; `parity console` gives another"}
	}
	return admin.Answer{Status: http.StatusCreated, JSON: client.ConsoleToken{Token: token, Until: until, Name: by.Name, Proved: by.Proof != ""}}, nil
}

// decider is who says something to what waits: whose token it is, or else who the
// body says.
func decider(call admin.Call) (client.By, error) {
	if call.By.Proved {
		return client.By{Name: call.By.Name, Kind: client.ByPerson}, nil
	}
	name, _ := call.Body["by"].(string)
	if name == "" {
		name = call.By.Name
	}
	if name == "" {
		return client.By{}, &admin.Problem{Status: http.StatusUnprocessableEntity, Code: "nameless", Detail: "say who decides: a name under by, or the token of a person (`parity token new --operator NAME`)"}
	}
	return client.By{Name: name, Kind: client.ByClaimed}, nil
}

// unkeyed takes out of a run what lets its holder act in it, where whoever asks may
// only read.
func unkeyed(call admin.Call, r client.Run) client.Run {
	if call.By.Kind == admin.Person {
		r.Token, r.URLs = "", nil
	}
	return r
}

// listWaits lists what waits for a person in a run that goes on.
func (s *Server) listWaits(ctx context.Context, l *liveRun, _ admin.Call) (admin.Answer, error) {
	state := l.State()
	if err := s.settled(ctx, l, state.Seq); err != nil {
		return admin.Answer{}, err
	}
	list := []client.Wait{}
	for _, w := range l.Waits(state.World, l.Now()) {
		shown := client.Wait{
			Run: l.ID, Service: w.Service, Kind: w.Kind, Collection: w.Collection, ID: w.ID, Since: w.Since, Says: w.Says, URL: w.URL, Acts: []client.PossibleAct{},
		}
		for _, a := range w.Acts {
			shown.Acts = append(shown.Acts, client.PossibleAct{Name: a.Name, Does: a.Does, With: a.With})
		}
		list = append(list, shown)
	}
	return admin.Answer{JSON: client.Waits{Waits: list}}, nil
}

// act does in a service what waits for a person, by an event.
func (s *Server) act(_ context.Context, l *liveRun, call admin.Call) (admin.Answer, error) {
	by, err := decider(call)
	if err != nil {
		return admin.Answer{}, err
	}
	in, err := decoded[client.NewAct](call.Body)
	if err != nil {
		return admin.Answer{}, err
	}
	of, err := waitingFor(l, in)
	if err != nil {
		return admin.Answer{}, err
	}
	a := trail.Act{Service: of.Service, Collection: of.Collection, ID: of.ID, Name: in.Act, By: trail.Speaker(by)}
	if with, _ := call.Body["with"].(map[string]any); len(with) > 0 { // as it came: in.With has its numbers rounded
		if a.With, err = json.Marshal(with); err != nil {
			return admin.Answer{}, err
		}
	}
	var refused error
	e, err := l.DecideAside(s.settings.Wall.Now(), func(t *run.Turn) (done *trail.Event) {
		done, refused = l.Act(t, a)
		return done
	})
	switch {
	case errors.Is(err, run.ErrEnded):
		return admin.Answer{}, &admin.Problem{Status: http.StatusConflict, Code: "run-ended", Detail: "run " + l.ID + " has ended: nothing more happens in it"}
	case err != nil:
		return admin.Answer{}, err
	case errors.Is(refused, exchange.ErrNotWaiting):
		return admin.Answer{}, notWaiting(l.ID, in.ID)
	case refused != nil:
		return admin.Answer{}, &admin.Problem{Status: http.StatusUnprocessableEntity, Code: "refused", Detail: refused.Error()}
	}
	return admin.Answer{JSON: client.Acted{
		Run: l.ID, Service: a.Service, Collection: a.Collection, ID: a.ID, Act: a.Name, By: by, Did: e.Act.Did, Event: e.Seq,
	}}, s.known(l)
}

// waitingFor finds what waits by its id.
func waitingFor(l *liveRun, in client.NewAct) (found exchange.Wait, err error) {
	n := 0
	for _, w := range l.Waits(l.World(), l.Now()) {
		if w.ID == in.ID && (in.Collection == "" || w.Collection == in.Collection) {
			found, n = w, n+1
		}
	}
	switch n {
	case 0:
		return found, notWaiting(l.ID, in.ID)
	case 1:
		return found, nil
	}
	return found, &admin.Problem{Status: http.StatusUnprocessableEntity, Code: "refused", Detail: fmt.Sprintf("%d records that wait are called %s: say of which collection", n, in.ID)}
}

func notWaiting(run, id string) error {
	return &admin.Problem{Status: http.StatusConflict, Code: "not-waiting", Detail: "nothing called " + id + " waits for a person in run " + run + "; GET /v1/runs/" + run + "/acts lists what does"}
}
