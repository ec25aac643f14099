package contain

import (
	"context"
	"errors"
	"net"
	"net/netip"
)

// DialContext connects to a server of the agent's, inside, by TCP: every address
// and every name there is this one machine. network is not looked at.
func (b *Box) DialContext(ctx context.Context, _, address string) (net.Conn, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	to := []string{address}
	if _, err := netip.ParseAddr(host); err != nil {
		to = []string{net.JoinHostPort("127.0.0.1", port), net.JoinHostPort("::1", port)}
	}
	id, came, err := b.ask(message{Do: doDial, To: to})
	if err != nil {
		return nil, err
	}
	defer b.leave(id, came)
	select {
	case m := <-came:
		defer closeAll(m.files)
		if m.Failed != nil {
			return nil, &net.OpError{Op: "dial", Net: "tcp", Err: m.Failed}
		}
		if len(m.files) != 1 {
			return nil, errors.New("dialled inside, and no connection came out")
		}
		return net.FileConn(m.files[0])
	case <-b.ended:
		return nil, b.gone(net.ErrClosed)
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
