package gateway

import (
	"context"
	"iter"
	"net/http"
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

// approvals are those that a call asks for, oldest first.
func (s *Server) approvals(_ admin.Call) ([]client.Approval, error) {
	return []client.Approval{}, nil
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

func (s *Server) listRunApprovals(_ context.Context, call admin.Call) (admin.Answer, error) {
	return admin.Answer{JSON: client.Approvals{Approvals: []client.Approval{}}}, s.has(call.Path["run"])
}

func (s *Server) getApproval(_ context.Context, call admin.Call) (admin.Answer, error) {
	if err := s.has(call.Path["run"]); err != nil {
		return admin.Answer{}, err
	}
	return admin.Answer{}, unknownApproval(call)
}

func (s *Server) decideApproval(_ context.Context, _ *liveRun, call admin.Call) (admin.Answer, error) {
	return admin.Answer{}, unknownApproval(call)
}

func (s *Server) listDrafts(_ context.Context, call admin.Call) (admin.Answer, error) {
	return admin.Answer{JSON: client.Drafts{Drafts: []client.Draft{}}}, s.has(call.Path["run"])
}

func (s *Server) getDraft(_ context.Context, call admin.Call) (admin.Answer, error) {
	name := call.Path["run"]
	if err := s.has(name); err != nil {
		return admin.Answer{}, err
	}
	return admin.Answer{}, &admin.Problem{Status: http.StatusNotFound, Code: "unknown-draft", Detail: "run " + name + " has no draft " + call.Path["id"] + "; GET /v1/runs/" + name + "/drafts lists those there are"}
}

func (s *Server) overrideGate(_ context.Context, l *liveRun, call admin.Call) (admin.Answer, error) {
	if _, err := decider(call); err != nil {
		return admin.Answer{}, err
	}
	gate, _ := call.Body["gate"].(string)
	return admin.Answer{}, &admin.Problem{Status: http.StatusUnprocessableEntity, Code: "refused", Detail: "the policy of run " + l.ID + " has no gate " + gate + "; name one of those under policy.gates of its profile"}
}

func (s *Server) getPermissions(_ context.Context, call admin.Call) (admin.Answer, error) {
	info, ok := s.store.Run(call.Path["run"])
	if !ok {
		return admin.Answer{}, unknownRun(call.Path["run"])
	}
	return admin.Answer{JSON: client.Permissions{Run: info.Run, Profile: s.listed(info, call.Host).Profile, Stage: 5, Cells: []client.Permission{}}}, nil
}

// has is an error where there is no such run.
func (s *Server) has(run string) error {
	if _, ok := s.store.Run(run); !ok {
		return unknownRun(run)
	}
	return nil
}

func unknownApproval(call admin.Call) error {
	name := call.Path["run"]
	return &admin.Problem{Status: http.StatusNotFound, Code: "unknown-approval", Detail: "run " + name + " has no approval " + call.Path["id"] + "; GET /v1/runs/" + name + "/approvals lists those there are"}
}
