package gateway

import (
	"context"
	"iter"
	"strconv"
	"strings"
	"time"

	"parity/gateway/admin"
	"parity/gateway/client"
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
