package gateway

import (
	"context"
	"iter"
	"net/http"
	"strings"

	"parity/gateway/admin"
	"parity/gateway/client"
)

// approvalOperations are those about approvals, drafts and what may be done.
func (s *Server) approvalOperations() map[string]admin.Operation {
	return map[string]admin.Operation{
		"listApprovals": s.listApprovals, "listRunApprovals": s.listRunApprovals, "getApproval": s.getApproval,
		"decideApproval": on(s, s.decideApproval), "listDrafts": s.listDrafts, "getDraft": s.getDraft,
		"overrideGate": on(s, s.overrideGate), "getPermissions": s.getPermissions,
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
		return admin.Answer{Events: s.followApprovals(ctx)}, nil
	}
	return admin.Answer{JSON: client.Approvals{Approvals: []client.Approval{}}}, nil
}

// followApprovals gives approvals as they come, until nobody listens.
func (s *Server) followApprovals(ctx context.Context) iter.Seq2[admin.Event, error] {
	return func(yield func(admin.Event, error) bool) {
		if !yield(admin.Event{ID: "0", Name: "listed", JSON: struct{}{}}, nil) {
			return
		}
		<-ctx.Done()
	}
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
