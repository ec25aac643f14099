package gateway

import (
	"cmp"
	"context"

	"parity/gateway/admin"
	"parity/gateway/client"
	"parity/profiles/permissions"
)

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
