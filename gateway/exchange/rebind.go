package exchange

import (
	"maps"
	"strings"

	"parity/fakes/cast"
	"parity/faults"
	"parity/gateway/approval"
	"parity/specs"
)

// Rebind gives the binding of the call that an approval is of, with fields of its
// body set otherwise: what somebody approves as they have changed it.
func (r *Revision) Rebind(a approval.Approval, set map[string]any) string {
	service, _, _ := strings.Cut(cast.Text(a.Value()["operation"]), " ")
	s, ok := r.Catalogue.Service(service)
	if !ok {
		return ""
	}
	op, ok := s.Contract.Operation(cast.Text(a.Value()["operation"]))
	if !ok {
		return ""
	}
	request := cast.Object(a.Value()["request"])
	in := specs.Input{Path: map[string]string{}, Query: cast.Object(request["query"]), Body: map[string]any{}}
	for name, value := range cast.Object(request["path"]) {
		in.Path[name] = cast.Plain(value)
	}
	maps.Copy(in.Body, cast.Object(request["body"]))
	maps.Copy(in.Body, set)
	return faults.Binding(actingFor(a.Identity(), cast.Text(request["account"])), op, in, nil)
}
