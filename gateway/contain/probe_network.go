package contain

import (
	"bufio"
	"context"
	"crypto/hmac"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"os"
	"strings"
	"time"

	"golang.org/x/net/dns/dnsmessage"
)

// Public hosts that answer whoever reaches them.
const (
	publicWeb   = "1.1.1.1:80"
	publicWebV6 = "[2606:4700:4700::1111]:80"
	metadata    = "169.254.169.254:80"
	publicPort  = "1.1.1.1:853" // one that no gateway takes
	publicTime  = "162.159.200.1:123"
	publicNames = "8.8.8.8:53"
)

// networkTries are those that go over the network.
func networkTries() []escape {
	web := func(address string) func(context.Context, *Probing) (bool, string) {
		return func(ctx context.Context, p *Probing) (bool, string) { return overTCP(ctx, p, address, true) }
	}
	return []escape{
		{name: "tcp-ipv4", do: web(publicWeb)},
		{name: "tcp-ipv6", do: web(publicWebV6)},
		{name: "tcp-metadata", do: web(metadata)},
		{name: "tcp-port", do: func(ctx context.Context, p *Probing) (bool, string) { return overTCP(ctx, p, publicPort, false) }},
		{name: "udp", do: overUDP},
		{name: "dns-udp", do: func(ctx context.Context, p *Probing) (bool, string) { return overDNS(ctx, p, "udp") }},
		{name: "dns-tcp", do: func(ctx context.Context, p *Probing) (bool, string) { return overDNS(ctx, p, "tcp") }},
	}
}

// overTCP connects, and asks whoever answers to show that it is this gateway.
func overTCP(ctx context.Context, p *Probing, address string, asks bool) (out bool, said string) {
	what := "tcp " + address
	conn, err := dialFor(ctx, "tcp", address)
	if err != nil {
		return false, what + ": " + failedIn(err)
	}
	defer conn.Close()
	if !asks {
		return true, what + ": connected"
	}
	if err := answered(conn, p, "Host: "+strings.TrimSuffix(address, ":80")); err != nil {
		return true, what + ": connected, and it is not this gateway that answers: " + failedIn(err)
	}
	return false, what + ": answered by this gateway"
}

var errUnsigned = errors.New("the answer is not signed with the run's token")

// answered asks at a connection, or a gateway's data port, for a signed answer.
func answered(conn net.Conn, p *Probing, headers string) error {
	_, err := fmt.Fprintf(conn, "GET %s HTTP/1.1\r\n%s\r\n%s: %s\r\nConnection: close\r\n\r\n", ProbePath, headers, ProbeHeader, p.Nonce)
	if err != nil {
		return err
	}
	reply, err := http.ReadResponse(bufio.NewReader(io.LimitReader(conn, 64<<10)), nil)
	if err != nil {
		return err
	}
	defer reply.Body.Close()
	text, err := io.ReadAll(reply.Body)
	if err != nil {
		return err
	}
	if reply.StatusCode != http.StatusOK || !hmac.Equal([]byte(strings.TrimSpace(string(text))), []byte(Sign(p.Token, p.Nonce))) {
		return errUnsigned
	}
	return nil
}

// Answers tells whether the gateway that has a run, whose token p has, answers at an
// address.
func Answers(ctx context.Context, address, run string, p Probing) error {
	ctx, end := context.WithTimeout(ctx, time.Duration(p.Wait)*time.Millisecond)
	defer end()
	conn, err := dialFor(ctx, "tcp", address)
	if err != nil {
		return errors.New(failedIn(err))
	}
	defer conn.Close()
	headers := "Host: " + address
	if run != "" {
		headers += "\r\nParity-Run: " + run
	}
	return answered(conn, &p, headers)
}

// overUDP asks for the time, which costs a host one datagram each way.
func overUDP(ctx context.Context, _ *Probing) (out bool, said string) {
	what := "udp " + publicTime
	conn, err := dialFor(ctx, "udp", publicTime)
	if err != nil {
		return false, what + ": " + failedIn(err)
	}
	defer conn.Close()
	const request, length = 0x23, 48 // version 4, of a client
	packet := make([]byte, length)
	packet[0] = request
	if _, err := conn.Write(packet); err != nil {
		return false, what + ": " + failedIn(err)
	}
	if _, err := conn.Read(packet); err != nil {
		return false, what + ": " + failedIn(err)
	}
	return true, what + ": answered"
}

// byGateway are the addresses that a gateway gives for names, and nobody else.
func byGateway() netip.Prefix { return netip.MustParsePrefix("198.18.0.0/15") }

// overDNS asks a foreign resolver for a name.
func overDNS(ctx context.Context, p *Probing, network string) (out bool, said string) {
	what := "dns over " + network + " to " + publicNames
	query, err := question(p.Nonce)
	if err != nil {
		return false, what + ": not tried: " + err.Error()
	}
	conn, err := dialFor(ctx, network, publicNames)
	if err != nil {
		return false, what + ": " + failedIn(err)
	}
	defer conn.Close()
	answer, err := exchangeDNS(conn, query, network == "tcp")
	if err != nil {
		return false, what + ": " + failedIn(err)
	}
	var m dnsmessage.Message
	if err := m.Unpack(answer); err != nil {
		return true, what + ": answered, with what is no DNS"
	}
	for _, a := range m.Answers {
		if b, ok := a.Body.(*dnsmessage.AResource); ok && byGateway().Contains(netip.AddrFrom4(b.A)) {
			return false, what + ": answered by this gateway"
		}
	}
	return true, what + ": answered by somebody else"
}

// question asks for the address of a name that nobody has.
func question(nonce string) ([]byte, error) {
	name, err := dnsmessage.NewName("probe-" + strings.ToLower(nonce) + ".example.com.")
	if err != nil {
		return nil, err
	}
	m := dnsmessage.Message{
		Header:    dnsmessage.Header{ID: 0x5072, RecursionDesired: true},
		Questions: []dnsmessage.Question{{Name: name, Type: dnsmessage.TypeA, Class: dnsmessage.ClassINET}},
	}
	return m.Pack()
}

func exchangeDNS(conn net.Conn, query []byte, framed bool) ([]byte, error) {
	if framed {
		query = append(binary.BigEndian.AppendUint16(nil, uint16(len(query))), query...)
	}
	if _, err := conn.Write(query); err != nil {
		return nil, err
	}
	answer := make([]byte, 4<<10)
	if !framed {
		n, err := conn.Read(answer)
		return answer[:n], err
	}
	if _, err := io.ReadFull(conn, answer[:2]); err != nil {
		return nil, err
	}
	length := int(binary.BigEndian.Uint16(answer))
	if length > len(answer) {
		return answer[:2], nil
	}
	_, err := io.ReadFull(conn, answer[:length])
	return answer[:length], err
}

// dialFor connects, for as long as the try may take.
func dialFor(ctx context.Context, network, address string) (net.Conn, error) {
	var d net.Dialer
	conn, err := d.DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	if until, ok := ctx.Deadline(); ok {
		if err := conn.SetDeadline(until); err != nil {
			conn.Close()
			return nil, err
		}
	}
	return conn, nil
}

// failedIn words why a try came to nothing.
func failedIn(err error) string {
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, os.ErrDeadlineExceeded) {
		return "nothing answered"
	}
	text := err.Error()
	if at := strings.LastIndex(text, ": "); at >= 0 {
		text = text[at+2:]
	}
	return text
}

// marker is an address that nobody has and nobody dials.
func marker() string {
	const first, ports = 20000, 40000
	return fmt.Sprintf("192.0.2.1:%d", first+os.Getpid()%ports)
}

// end tells whoever watches what is refused that no more of it is a probe's.
func (p *Probing) end(ctx context.Context) {
	if p.Last == "" {
		return
	}
	ctx, end := context.WithTimeout(ctx, time.Duration(p.Wait)*time.Millisecond)
	defer end()
	if conn, err := dialFor(ctx, "tcp", p.Last); err == nil {
		conn.Close()
	}
}
