package gateway

import (
	"cmp"
	"context"
	"iter"
	"strconv"
	"strings"
	"time"

	"parity/gateway/admin"
	"parity/gateway/client"
	"parity/profiles/permissions"
)

// approvalOperations are those about approvals, drafts and what may be done.
func (s *Server) approvalOperations() map[string]admin.Operation {
	return map[string]admin.Operation{
		"listApprovals": s.listApprovals, "listRunApprovals": s.listRunApprovals, "getApproval": s.getApproval,
		"decideApproval": on(s, s.decideApproval), "listDrafts": s.listDrafts, "getDraft": s.getDraft,
		"overrideGate": on(s, s.overrideGate), "getPermissions": s.getPermissions,
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
