package resolve

import (
	"context"
	"encoding/binary"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/dns/dnsmessage"
)

func question(name string, kind dnsmessage.Type, class dnsmessage.Class, more ...dnsmessage.Resource) []byte {
	m := dnsmessage.Message{
		Header:      dnsmessage.Header{ID: 7, RecursionDesired: true},
		Questions:   []dnsmessage.Question{{Name: dnsmessage.MustNewName(name), Type: kind, Class: class}},
		Additionals: more,
	}
	packed, err := m.Pack()
	if err != nil {
		panic(err)
	}
	return packed
}

// said is a reply in one line: its code, and what it has.
func said(t *testing.T, reply []byte) string {
	t.Helper()
	if reply == nil {
		return "none"
	}
	if len(reply) > 512 {
		t.Errorf("%d bytes, more than each client takes", len(reply))
	}
	var m dnsmessage.Message
	if err := m.Unpack(reply); err != nil {
		t.Fatalf("%x: %v", reply, err)
	}
	if !m.Response || m.ID != 7 || m.Truncated {
		t.Errorf("%+v", m.Header)
	}
	line := strings.TrimPrefix(m.RCode.String(), "RCode")
	for _, a := range m.Answers {
		switch b := a.Body.(type) {
		case *dnsmessage.AResource:
			line += " " + netip.AddrFrom4(b.A).String()
		case *dnsmessage.AAAAResource:
			line += " " + netip.AddrFrom16(b.AAAA).String()
		case *dnsmessage.PTRResource:
			line += " " + b.PTR.String()
		}
	}
	for _, a := range m.Additionals {
		line += fmt.Sprintf(" edns %d", a.Header.ExtendedRCode(m.RCode))
	}
	return line
}

func TestAnswers(t *testing.T) {
	t.Parallel()
	r := New(Options{Host: "Sandbox", Known: func(name string) bool { return name == "api.shop.invalid" }})
	shop, _ := r.address("api.shop.invalid")
	at, _ := r.address("api.stripe.com")
	b := at.As4()
	back := fmt.Sprintf("%d.%d.%d.%d.in-addr.arpa.", b[3], b[2], b[1], b[0])
	const in = dnsmessage.ClassINET
	edns := dnsmessage.Resource{Header: *opt(0), Body: &dnsmessage.OPTResource{Options: []dnsmessage.Option{{Code: 10, Data: []byte("a cookie")}}}}
	later := edns
	later.Header.TTL = 1 << 16
	of := func(name string, kind dnsmessage.Type) []byte { return question(name, kind, in) }
	two := question("api.stripe.com.", dnsmessage.TypeA, in)
	two[5] = 2
	two = append(two, two[12:]...)
	answered := question("api.stripe.com.", dnsmessage.TypeA, in)
	answered[2] |= 0x80
	update := question("api.stripe.com.", dnsmessage.TypeA, in)
	update[2] |= 5 << 3
	for _, c := range []struct {
		name, want string
		message    []byte
	}{
		{"a name", "Success " + at.String(), of("api.stripe.com.", dnsmessage.TypeA)},
		{"another case", "Success " + at.String(), of("API.Stripe.Com.", dnsmessage.TypeA)},
		{"all of it", "Success " + at.String(), of("api.stripe.com.", dnsmessage.TypeALL)},
		{"EDNS", "Success " + at.String() + " edns 0", question("api.stripe.com.", dnsmessage.TypeA, in, edns)},
		{"a version of EDNS to come", "Success edns 16", question("api.stripe.com.", dnsmessage.TypeA, in, later)},
		{"IPv6", "Success", of("api.stripe.com.", dnsmessage.TypeAAAA)},
		{"HTTPS", "Success", of("api.stripe.com.", 65)},
		{"SRV", "Success", of("_x._tcp.example.com.", dnsmessage.TypeSRV)},
		{"MX", "Success", of("example.com.", dnsmessage.TypeMX)},
		{"TXT", "Success", of("example.com.", dnsmessage.TypeTXT)},
		{"the root", "Success", of(".", dnsmessage.TypeNS)},
		{"localhost", "Success 127.0.0.1", of("localhost.", dnsmessage.TypeA)},
		{"below localhost, IPv6", "Success ::1", of("a.LOCALHOST.", dnsmessage.TypeAAAA)},
		{"localhost, else", "Success", of("localhost.", dnsmessage.TypeMX)},
		{"its own machine", "Success 127.0.0.1", of("sandbox.", dnsmessage.TypeA)},
		{"its own machine, IPv6", "Success", of("sandbox.", dnsmessage.TypeAAAA)},
		{"backwards", "Success api.stripe.com.", of(back, dnsmessage.TypePTR)},
		{"backwards, loopback", "Success localhost.", of("1.0.0.127.in-addr.arpa.", dnsmessage.TypePTR)},
		{"backwards, IPv6 loopback", "Success localhost.", of("1."+strings.Repeat("0.", 31)+"ip6.arpa.", dnsmessage.TypePTR)},
		{"backwards, an address of nobody", "NameError", of("8.8.8.8.in-addr.arpa.", dnsmessage.TypePTR)},
		{"backwards, no address", "NameError", of("x.in-addr.arpa.", dnsmessage.TypePTR)},
		{"backwards, half of one", "NameError", of("1.0.ip6.arpa.", dnsmessage.TypePTR)},
		{"an address as a name", "NameError", of("10.1.2.3.", dnsmessage.TypeA)},
		{"what no host is called", "NameError", of("a b.example.", dnsmessage.TypeA)},
		{"a service of tests", "Success " + shop.String(), of("api.shop.invalid.", dnsmessage.TypeA)},
		{"what nobody is called", "NameError", of("x.invalid.", dnsmessage.TypeA)},
		{"another class", "Refused", question("version.bind.", dnsmessage.TypeTXT, dnsmessage.ClassCHAOS)},
		{"two questions", "FormatError", two},
		{"no question", "FormatError", []byte("\x00\x07\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00")},
		{"cut in its question", "FormatError", of("api.stripe.com.", dnsmessage.TypeA)[:20]},
		{"cut in EDNS", "FormatError", question("api.stripe.com.", dnsmessage.TypeA, in, edns)[:45]},
		{"an update", "NotImplemented", update},
		{"an answer", "none", answered},
		{"no message", "none", []byte("hello")},
		{"nothing", "none", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := said(t, r.answer(c.message)); got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
	if name, ok := r.Name(netip.AddrFrom16(at.As16())); name != "api.stripe.com" || !ok {
		t.Errorf("%s is %q", at, name)
	}
	for _, none := range []string{"198.17.255.255", "198.20.0.0", "198.18.0.0", "8.8.8.8", "::1"} {
		if name, ok := r.Name(netip.MustParseAddr(none)); ok {
			t.Errorf("%s is %q", none, name)
		}
	}
}

// Two names never share an address, however many there are; those that are too
// many get none, and the ones that the run needs are not among them.
func TestEachNameHasItsOwnAddress(t *testing.T) {
	t.Parallel()
	r := New(Options{Most: 4000, Known: func(name string) bool { return strings.HasSuffix(name, ".stripe.com") }})
	seen := map[netip.Addr]bool{}
	for n := range 5000 {
		at, ok := r.address(fmt.Sprintf("h%d.example", n))
		if ok != (n < 3500) || seen[at] && ok {
			t.Fatalf("name %d is at %s: %v", n, at, ok)
		}
		if name, _ := r.Name(at); ok && name != fmt.Sprintf("h%d.example", n) {
			t.Fatalf("name %d: %s is %q", n, at, name)
		}
		seen[at] = true
	}
	first, _ := r.address("h0.example")
	late, ok := r.address("api.stripe.com")
	if !ok || seen[late] || !seen[first] {
		t.Errorf("a service that is asked for late is at %s: %v", late, ok)
	}
	if got := said(t, r.answer(question("h4999.example.", dnsmessage.TypeA, dnsmessage.ClassINET))); got != "ServerFailure" {
		t.Errorf("one too many: %s", got)
	}
	if c := r.Counts(); c.Names != 3501 || c.Strange != 3500 || c.Refused != 1501 || c.Questions != 1 {
		t.Errorf("%+v", c)
	}
	if again, _ := New(Options{}).address("h0.example"); again != first {
		t.Errorf("the next run has it at %s, this one at %s", again, first)
	}
}

// Go's own resolver is answered by UDP and by TCP; a connection that says nonsense
// or too much is closed, and none is left.
func TestServesBothTransports(t *testing.T) {
	t.Parallel()
	r := New(Options{})
	packets, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	stream, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 2)
	go func() { ended <- r.ServePackets(packets) }()
	go func() { ended <- r.Serve(stream) }()
	var got []string
	for _, network := range []string{"udp", "tcp"} {
		client := &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
			at := packets.LocalAddr().String()
			if network == "tcp" {
				at = stream.Addr().String()
			}
			return new(net.Dialer).DialContext(ctx, network, at)
		}}
		hosts, err := client.LookupHost(t.Context(), "api.stripe.com.")
		if err != nil || len(hosts) != 1 {
			t.Fatalf("%s: %v, %v", network, hosts, err)
		}
		names, err := client.LookupAddr(t.Context(), hosts[0])
		if err != nil || !slices.Equal(names, []string{"api.stripe.com."}) {
			t.Errorf("%s: %s is %v, %v", network, hosts[0], names, err)
		}
		got = append(got, hosts[0])
	}
	if got[0] != got[1] {
		t.Errorf("two addresses: %v", got)
	}
	for _, bad := range [][]byte{{0xff, 0xff, 1}, {0, 5, 'h', 'e', 'l', 'l', 'o'}} {
		c, err := net.Dial("tcp", stream.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		_, _ = c.Write(bad)
		_ = c.SetReadDeadline(time.Now().Add(time.Minute))
		if n, err := c.Read(make([]byte, 10)); n != 0 || err == nil {
			t.Errorf("%x: %d bytes, %v", bad, n, err)
		}
		_ = c.Close()
	}
	c, err := net.Dial("tcp", stream.Addr().String()) // two at once, the second one in pieces
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	one := question("a.example.", dnsmessage.TypeA, dnsmessage.ClassINET)
	both := slices.Concat(binary.BigEndian.AppendUint16(nil, uint16(len(one))), one, binary.BigEndian.AppendUint16(nil, uint16(len(one))), one)
	_, _ = c.Write(both[:len(both)-5])
	_, _ = c.Write(both[len(both)-5:])
	for range 2 {
		reply := make([]byte, 2+len(one)+16)
		if n, err := c.Read(reply); err != nil || n != len(reply) {
			t.Errorf("%d bytes, %v", n, err)
		}
	}
	r.Close()
	for range 2 {
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
	if err := r.ServePackets(packets); err != nil {
		t.Logf("after Close: %v", err)
	}
}

func FuzzAnswer(f *testing.F) {
	for _, name := range []string{"api.stripe.com.", "1.0.0.127.in-addr.arpa.", "localhost.", "."} {
		f.Add(question(name, dnsmessage.TypeA, dnsmessage.ClassINET, dnsmessage.Resource{Header: *opt(0), Body: &dnsmessage.OPTResource{}}))
	}
	r := New(Options{Host: "x", Most: 16})
	f.Fuzz(func(t *testing.T, message []byte) {
		reply := r.answer(message)
		if reply == nil {
			return
		}
		var m dnsmessage.Message
		if err := m.Unpack(reply); err != nil || len(reply) > 1024 {
			t.Fatalf("%x, of %d bytes, is answered with %x: %v", message, len(message), reply, err)
		}
		if again := r.answer(reply); again != nil {
			t.Fatalf("an answer is answered: %x", again)
		}
	})
}
