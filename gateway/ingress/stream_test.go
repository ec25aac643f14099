package ingress_test

import (
	"bytes"
	"io"
	"net"
	"net/http"
	"testing"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"

	"parity/gateway/ingress"
)

// streams begins HTTP/2 with prior knowledge.
func (p *port) streams() (net.Conn, *http2.Framer) {
	p.t.Helper()
	c := p.raw()
	if _, err := io.WriteString(c, http2.ClientPreface); err != nil {
		p.t.Fatal(err)
	}
	f := http2.NewFramer(c, c)
	f.ReadMetaHeaders = hpack.NewDecoder(4096, nil)
	if err := f.WriteSettings(); err != nil {
		p.t.Fatal(err)
	}
	return c, f
}

func block(fields ...string) []byte {
	var b bytes.Buffer
	e := hpack.NewEncoder(&b)
	for i := 0; i < len(fields); i += 2 {
		_ = e.WriteField(hpack.HeaderField{Name: fields[i], Value: fields[i+1]})
	}
	return b.Bytes()
}

func TestStreamsThatCouldBeReadInTwoWaysAreRefused(t *testing.T) {
	t.Parallel()
	p := open(t, setup{})
	for _, test := range []struct {
		name, method, want string
		more               []string
	}{
		{"nothing odd", "POST", "200", nil},
		{"the same host", "POST", "200", []string{"host", "api.stripe.com"}},
		{"another host", "POST", "400", []string{"host", "api.github.com"}},
		{"two hosts", "POST", "400", []string{"host", "api.stripe.com", "host", "api.stripe.com"}},
		{"a length", "POST", "200", []string{"content-length", "0"}},
		{"two lengths", "POST", "400", []string{"content-length", "0", "content-length", "0"}},
		{"a length without a body", "POST", "400", []string{"content-length", "5"}},
		{"a length that is no number", "POST", "400", []string{"content-length", "+0"}},
		{"a space in the method", "GET /x", "400", nil},
		{"a control character in the method", "GE\tT", "400", nil},
	} {
		c, f := p.streams()
		fields := append([]string{":method", test.method, ":scheme", "http", ":authority", "api.stripe.com", ":path", "/v1/x"}, test.more...)
		if err := f.WriteHeaders(http2.HeadersFrameParam{StreamID: 1, BlockFragment: block(fields...), EndHeaders: true, EndStream: true}); err != nil {
			t.Fatal(err)
		}
		got := ""
		for got == "" {
			frame, err := f.ReadFrame()
			if err != nil {
				t.Fatal(test.name, err)
			}
			switch frame := frame.(type) {
			case *http2.MetaHeadersFrame:
				got = frame.PseudoValue("status")
			case *http2.RSTStreamFrame, *http2.GoAwayFrame:
				got = frame.Header().Type.String()
			}
		}
		if got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
		_ = c.Close()
	}
}

// A client that does nothing but take back what it asks for loses its
// connection; one that does it now and then keeps it.
func TestResetFloodCostsItsConnection(t *testing.T) {
	t.Parallel()
	shed := &sheds{}
	held := make(chan struct{})
	handler := func(_ http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/held" {
			<-r.Context().Done()
			held <- struct{}{}
		}
	}
	p := open(t, setup{handler: handler, change: func(o *ingress.Options) { o.Shed = shed.add }})
	_, f := p.streams()
	ask := func(id uint32, path string) error {
		return f.WriteHeaders(http2.HeadersFrameParam{
			StreamID: id, EndHeaders: true, EndStream: true,
			BlockFragment: block(":method", "GET", ":scheme", "http", ":authority", "api.stripe.com", ":path", path),
		})
	}
	id := uint32(1)
	for range 20 { // a client whose time is over
		if err := ask(id, "/held"); err != nil {
			t.Fatal(err)
		}
		if err := f.WriteRSTStream(id, http2.ErrCodeCancel); err != nil {
			t.Fatal(err)
		}
		id += 2
	}
	if err := ask(id, "/"); err != nil {
		t.Fatal(err)
	}
	for {
		frame, err := f.ReadFrame()
		if err != nil {
			t.Fatal("20 resets cost the connection:", err)
		}
		if h, ok := frame.(*http2.MetaHeadersFrame); ok && h.StreamID == id {
			break
		}
	}
	go func() { // until the connection is closed
		for range held { //nolint:revive // those that began before they were taken back
		}
	}()
	defer close(held)
	go func() {
		for id += 2; ask(id, "/") == nil && f.WriteRSTStream(id, http2.ErrCodeCancel) == nil; id += 2 {
		}
	}()
	for {
		if _, err := f.ReadFrame(); err != nil {
			break
		}
	}
	if shed.count(ingress.ShedResets) != 1 {
		t.Errorf("shed %v", shed.what)
	}
}
