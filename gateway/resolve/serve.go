package resolve

import (
	"encoding/binary"
	"errors"
	"io"
	"net"
	"time"
)

// What clients may cost.
const (
	mostConns = 64               // open at once
	mostAsked = 4 << 10          // bytes of a question
	patience  = 10 * time.Second // for the next question on a connection
)

// ServePackets answers datagrams until the connection is closed, here or by Close,
// after either of which it returns nil. An answer goes to the address that ReadFrom
// gave: that it comes from the one that was asked is the connection's to see to.
func (r *Resolver) ServePackets(c net.PacketConn) error {
	if !r.keep(c) {
		return c.Close()
	}
	defer r.drop(c)
	buf := make([]byte, mostAsked)
	for {
		n, from, err := c.ReadFrom(buf)
		switch {
		case errors.Is(err, net.ErrClosed) || err != nil && r.ended():
			return nil
		case err != nil && passing(err):
			r.pause()
			continue
		case err != nil && from == nil:
			return err
		}
		if reply := r.answer(buf[:n]); reply != nil {
			_, _ = c.WriteTo(reply, from) // whoever does not get it asks again
		}
	}
}

// passing tells errors that are about one packet, or pass.
func passing(err error) bool {
	var e interface{ Temporary() bool }
	return errors.As(err, &e) && e.Temporary()
}

// Serve answers connections until the listener is closed, here or by Close, after
// either of which it returns nil.
func (r *Resolver) Serve(l net.Listener) error {
	if !r.keep(l) {
		return l.Close()
	}
	defer r.drop(l)
	for {
		c, err := l.Accept()
		switch {
		case errors.Is(err, net.ErrClosed) || err != nil && r.ended():
			return nil
		case err != nil && passing(err):
			r.pause()
			continue
		case err != nil:
			return err
		}
		select {
		case r.places <- struct{}{}:
		default:
			_ = c.Close()
			continue
		}
		if !r.keep(c) {
			_ = c.Close()
			<-r.places
			return nil
		}
		go func() {
			defer func() { <-r.places }()
			defer r.drop(c)
			r.converse(c)
		}()
	}
}

// converse answers what comes on a connection, each message behind its length
// (RFC 7766).
func (r *Resolver) converse(c net.Conn) {
	for {
		_ = c.SetDeadline(r.o.Wall.Now().Add(patience))
		var length [2]byte
		if _, err := io.ReadFull(c, length[:]); err != nil {
			return
		}
		n := binary.BigEndian.Uint16(length[:])
		if n > mostAsked {
			return
		}
		message := make([]byte, n)
		if _, err := io.ReadFull(c, message); err != nil {
			return
		}
		reply := r.answer(message)
		if reply == nil {
			return
		}
		if _, err := c.Write(append(binary.BigEndian.AppendUint16(nil, uint16(len(reply))), reply...)); err != nil { //nolint:gosec // a reply is short
			return
		}
	}
}
