package contain

import (
	"context"
	"io"
	"net"
	"net/http"
	"sync"
	"time"
)

// Namer answers questions for names until its connections are closed.
type Namer interface {
	ServePackets(net.PacketConn) error
	Serve(net.Listener) error
}

// Answer answers a containment that no gateway serves, as far as probes ask, until
// ctx ends or the containment is closed: web requests with what Sign gives, and
// names as names has them.
func Answer(ctx context.Context, b *Box, token string, names Namer) {
	web := &http.Server{ReadHeaderTimeout: time.Second, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, Sign(token, r.Header.Get(ProbeHeader))) // a prober that has gone needs none
	})}
	stop := context.AfterFunc(ctx, func() { web.Close() })
	defer stop()
	packets, stream := b.Names()
	var all sync.WaitGroup
	for _, l := range append(b.Captured(), b.Proxy(), b.Control()) {
		all.Go(func() { _ = web.Serve(l) }) // ends with the listener
	}
	all.Go(func() { _ = names.ServePackets(packets) }) // so does this
	all.Go(func() { _ = names.Serve(stream) })
	all.Wait()
}
