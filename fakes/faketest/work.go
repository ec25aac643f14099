package faketest

import (
	"net/http"

	"parity/fakes"
	"parity/fakes/world"
)

// Steps counts what a call takes of the work that one may ask for. Nothing of it
// is written.
func (r *Rig) Steps(method, target, body string) int {
	r.T.Helper()
	call, trouble := r.Call(method, target, body, r.Headers([]string{"Content-Type", "application/json"}))
	if trouble != nil {
		r.T.Fatalf("%s %s: %+v", method, target, trouble)
	}
	call.Work = &world.Work{Left: fakes.MostWork}
	if reply := r.Service.Ask(call); reply.Status != http.StatusOK {
		r.T.Fatalf("%s %s: %d %s", method, target, reply.Status, reply.Body)
	}
	return fakes.MostWork - call.Work.Left
}
