package contain

import (
	"context"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"net/http"
	"sync"
	"time"

	"golang.org/x/net/dns/dnsmessage"

	"parity/fakes/clock"
)

// Answer answers a containment that no gateway serves, as far as probes ask, until
// ctx ends or the containment is closed: web requests with what Sign gives, and
// each name with an address that only a gateway gives.
func Answer(ctx context.Context, b *Box, token string) {
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
	all.Go(func() { answerPackets(packets) })
	all.Go(func() { answerStream(stream) })
	all.Wait()
}

func answerPackets(conn net.PacketConn) {
	buf := make([]byte, 4<<10)
	for {
		n, from, err := conn.ReadFrom(buf)
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if answer, aerr := given(buf[:n]); err == nil && aerr == nil {
			_, _ = conn.WriteTo(answer, from) // who asked may be gone
		}
	}
}

func answerStream(l net.Listener) {
	for {
		conn, err := l.Accept()
		if err != nil {
			return
		}
		go func() {
			defer conn.Close()
			_ = conn.SetDeadline(clock.System{}.Now().Add(waitInside)) // a read says so
			head := make([]byte, 2)
			if _, err := io.ReadFull(conn, head); err != nil {
				return
			}
			query := make([]byte, binary.BigEndian.Uint16(head))
			if _, err := io.ReadFull(conn, query); err != nil {
				return
			}
			if answer, err := given(query); err == nil {
				_, _ = conn.Write(append(binary.BigEndian.AppendUint16(nil, uint16(len(answer))), answer...)) // it may be gone
			}
		}()
	}
}

// given answers a question with an address that only a gateway gives.
func given(query []byte) ([]byte, error) {
	var m dnsmessage.Message
	if err := m.Unpack(query); err != nil {
		return nil, err
	}
	m.Response, m.Additionals = true, nil
	for _, q := range m.Questions {
		m.Answers = append(m.Answers, dnsmessage.Resource{
			Header: dnsmessage.ResourceHeader{Name: q.Name, Type: q.Type, Class: q.Class},
			Body:   &dnsmessage.AResource{A: byGateway().Addr().As4()},
		})
	}
	return m.Pack()
}
