package gateway

import (
	"net"

	"parity/faults/run"
	"parity/gateway/ingress"
)

// ServeRun has the connections at a listener belong to a run, until the listener
// or the gateway is closed.
func (s *Server) ServeRun(l net.Listener, r *run.Run) {
	s.work.Go(func() { s.served("port of a containment", s.ingress.ServeRun(l, r.ID, r.Token)) })
}

// ServeControl is the control port at another listener.
func (s *Server) ServeControl(l net.Listener) {
	s.work.Go(func() {
		s.served("control port of a containment", s.admin.Serve(ingress.Paced(l, maxControl(descriptors()), s.settings.WriteTime, s.settings.Wall, s.shed)))
	})
}
