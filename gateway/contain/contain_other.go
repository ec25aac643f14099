//go:build !linux

package contain

import (
	"context"
	"errors"
	"net"
	"os"
)

// Stage does nothing here.
func Stage() {}

// A Box is a containment that is open. There is none here.
type Box struct{}

// An Agent is one that was started inside.
type Agent struct{}

// A Beginning is a containment that was begun. There is none here.
type Beginning struct{}

// Leave does nothing.
func (*Beginning) Leave() {}

// Open refuses.
func (*Beginning) Open(ctx context.Context, o Options) (*Box, error) { return Open(ctx, o) }

// Open refuses.
func Open(context.Context, Options) (*Box, error) {
	_, err := Begin()
	return nil, err
}

// Begin refuses.
func Begin() (*Beginning, error) {
	return nil, &Refused{
		Cause: "isolation is not possible here: this system has nothing like Linux's namespaces for programs of a user",
		Mend:  "Run agent and gateway as two containers on an internal network: docker-compose.yml in Parity's repository has such a pair.",
	}
}

var errNone = errors.New("no containment here")

// Proxy has no connections.
func (*Box) Proxy() net.Listener { return nil }

// Control has no connections.
func (*Box) Control() net.Listener { return nil }

// Captured has no connections.
func (*Box) Captured() []net.Listener { return nil }

// Names has no questions.
func (*Box) Names() (net.PacketConn, net.Listener) { return nil, nil }

// Attempts has none.
func (*Box) Attempts() <-chan Attempt { return nil }

// DialContext reaches nobody.
func (*Box) DialContext(context.Context, string, string) (net.Conn, error) { return nil, errNone }

// Run starts nothing.
func (*Box) Run(context.Context, Command) (Ending, error) { return Ending{}, errNone }

// Start starts nothing.
func (*Box) Start(context.Context, Command) (*Agent, error) { return nil, errNone }

// Ask has nobody to ask.
func (*Box) Ask(context.Context, Command, []byte) ([]byte, error) { return nil, errNone }

// Probe has nobody to ask.
func (*Box) Probe(context.Context, Command, Probing) ([]Probe, error) { return nil, errNone }

// Close does nothing.
func (*Box) Close() error { return nil }

// Signal reaches nobody.
func (*Agent) Signal(os.Signal) error { return errNone }

// Kill reaches nobody.
func (*Agent) Kill() error { return errNone }

// Wait waits for nobody.
func (*Agent) Wait() (Ending, error) { return Ending{}, errNone }
