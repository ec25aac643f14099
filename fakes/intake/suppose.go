package intake

import (
	"net/http"
	"time"

	"parity/fakes"
	"parity/fakes/recording"
	"parity/fakes/stage"
	"parity/fakes/world"
	"parity/specs"
)

// Suppose has a record be there of which nothing is known but its id, as if the real
// service had shown no more than that. The world is as it was where no read of the
// contract names one by its id alone.
func Suppose(w *world.World, service fakes.Service, collection, id string, at time.Time) *world.World {
	for _, op := range service.Contract.Operations {
		a := op.Anatomy
		if op.Method != http.MethodGet || op.Effect != specs.Read || a.Collection != collection || a.List || a.Member == "" {
			continue
		}
		s := stage.New(service, w, seed)
		s.Now = at
		introduce(s)
		e := recording.Exchange{
			Request:  recording.Request{Method: op.Method, URL: s.Base + fakes.PathTo(op, map[string]string{a.Member: id})},
			Response: recording.Response{Status: http.StatusOK, Body: "{}"},
		}
		call, err := s.Take(e)
		if err != nil || call == nil || len(call.Input.Path) != 1 {
			continue
		}
		if _, there := s.World.Get(service.Name+"."+collection, id); there {
			return s.World
		}
	}
	return w
}
