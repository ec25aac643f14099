package gateway_test

import (
	"bytes"
	"crypto/tls"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/elazarl/goproxy"

	"parity/gateway"
	"parity/gateway/ingress"
)

// BenchmarkExchange compares Parity with a bare net/http server, and with a
// bare goproxy that answers from a hook, all in one process and one run:
// rounds are interleaved, so that whatever else the machine does falls on all
// of them alike. Read the ratios to the bare server, not the times.
//
// What is measured is throughput with 16 connections, the clients' own work
// included, since they share the machine.
func BenchmarkExchange(b *testing.B) {
	const connections = 16
	f := newField(b)
	for _, kind := range f.kinds() {
		b.Run(kind.name, func(b *testing.B) {
			took := make([]time.Duration, len(kind.rivals))
			allocs := make([]uint64, len(kind.rivals))
			const rounds = 10
			per := max(b.N/rounds, connections*4)
			for _, r := range kind.rivals { // warm, connections open
				f.drive(b, r, connections, connections*8)
			}
			b.ResetTimer()
			for range rounds {
				for i, r := range kind.rivals {
					before := mallocs()
					began := time.Now()
					f.drive(b, r, connections, per)
					took[i] += time.Since(began)
					allocs[i] += mallocs() - before
				}
			}
			b.StopTimer()
			b.ReportMetric(0, "ns/op")
			for i, r := range kind.rivals {
				if i > 0 {
					b.ReportMetric(float64(took[0])/float64(took[i]), r.name+":ratio")
				}
				b.ReportMetric(float64(allocs[i])/float64(rounds*per), r.name+":allocs")
			}
		})
	}
}

func mallocs() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.Mallocs
}

// rival is one server to be driven.
type rival struct {
	name   string
	client *http.Client
	target string
	method string
	form   string
}

type kind struct {
	name   string
	rivals []rival
}

// field is all the servers.
type field struct {
	b      *testing.B
	srv    *gateway.Server
	bare   string
	record []byte
	list   []byte
	id     string
}

func newField(b *testing.B) *field {
	f := &field{b: b, srv: benchServer(b, b.TempDir())}
	b.Cleanup(func() { closeServer(b, f.srv) })
	direct := &http.Client{}
	for range 40 {
		f.record = fetch(b, direct, request(b, "POST", "http://"+f.srv.Addr()+"/stripe/v1/customers", "email=a@example.com&name=Ada"))
	}
	_, rest, _ := bytes.Cut(f.record, []byte(`"id":"`))
	id, _, _ := bytes.Cut(rest, []byte(`"`))
	f.id = string(id)
	f.list = fetch(b, direct, request(b, "GET", "http://"+f.srv.Addr()+"/stripe/v1/customers?limit=20", ""))
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	server := &http.Server{Handler: f.answers()}
	go func() { _ = server.Serve(l) }()
	b.Cleanup(func() { _ = server.Close() })
	f.bare = l.Addr().String()
	return f
}

// answers is what the bare servers do: read the body, write the same bytes.
func (f *field) answers() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		body := f.record
		if r.URL.RawQuery != "" {
			body = f.list
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(body)
	})
}

func (f *field) kinds() []kind {
	get, post, list := "/v1/customers/"+f.id, "/v1/payment_intents", "/v1/customers?limit=20"
	const form = "amount=4900&currency=usd&payment_method_types[0]=card&metadata[order_id]=6735"
	base := "http://" + f.srv.Addr() + "/stripe"
	proxied, intercepted := f.through(f.srv.Addr(), f.srv.CA), f.through(f.srv.Addr(), f.srv.CA)
	plainGoproxy, tlsGoproxy := f.goproxy()
	return []kind{
		{"get", []rival{
			{"bare", pooled(nil), "http://" + f.bare + get, "GET", ""},
			{"parity-base", pooled(nil), base + get, "GET", ""},
			{"parity-proxy", proxied, "http://api.stripe.com" + get, "GET", ""},
			{"goproxy-plain", plainGoproxy, "http://api.stripe.com" + get, "GET", ""},
			{"parity-intercepted", intercepted, "https://api.stripe.com" + get, "GET", ""},
			{"goproxy-intercepted", tlsGoproxy, "https://api.stripe.com" + get, "GET", ""},
		}},
		{"post", []rival{
			{"bare", pooled(nil), "http://" + f.bare + post, "POST", form},
			{"parity-base", pooled(nil), base + post, "POST", form},
			{"parity-intercepted", intercepted, "https://api.stripe.com" + post, "POST", form},
		}},
		{"list20", []rival{
			{"bare", pooled(nil), "http://" + f.bare + list, "GET", ""},
			{"parity-base", pooled(nil), base + list, "GET", ""},
			{"parity-intercepted", intercepted, "https://api.stripe.com" + list, "GET", ""},
		}},
	}
}

// drive sends n requests over a number of connections.
func (f *field) drive(b *testing.B, r rival, connections, n int) {
	var all sync.WaitGroup
	for range connections {
		all.Go(func() {
			for range n / connections {
				reply, err := r.client.Do(request(b, r.method, r.target, r.form))
				if err != nil {
					b.Error(err)
					return
				}
				if _, err := io.Copy(io.Discard, reply.Body); err != nil || reply.StatusCode != http.StatusOK {
					b.Error(r.name, reply.StatusCode, err)
				}
				_ = reply.Body.Close()
			}
		})
	}
	all.Wait()
}

func request(b *testing.B, method, target, form string) *http.Request {
	var body io.Reader
	if form != "" {
		body = strings.NewReader(form)
	}
	r, err := http.NewRequestWithContext(b.Context(), method, target, body)
	if err != nil {
		b.Fatal(err)
	}
	r.Header["Authorization"] = []string{"Bearer sk_test_4eC39HqLyjWDarjtT1zdp7dc"}
	if form != "" {
		r.Header["Content-Type"] = []string{"application/x-www-form-urlencoded"}
	}
	return r
}

func fetch(b *testing.B, c *http.Client, r *http.Request) []byte {
	reply, err := c.Do(r)
	if err != nil {
		b.Fatal(err)
	}
	defer reply.Body.Close()
	body, err := io.ReadAll(reply.Body)
	if err != nil || reply.StatusCode != http.StatusOK {
		b.Fatal(reply.StatusCode, err, string(body))
	}
	return body
}

func pooled(transport *http.Transport) *http.Client {
	if transport == nil {
		transport = &http.Transport{}
	}
	transport.MaxIdleConnsPerHost, transport.DisableCompression = 64, true
	return &http.Client{Transport: transport}
}

// through is a client of a proxy that signs with ca.
func (f *field) through(addr string, ca *ingress.CA) *http.Client {
	h := &harness{Server: f.srv}
	_ = ca
	return pooled(&http.Transport{
		Proxy: http.ProxyURL(&url.URL{Scheme: "http", Host: addr}), TLSClientConfig: &tls.Config{RootCAs: h.roots()}, Protocols: protocols(false),
	})
}

// goproxy is a bare goproxy that answers from a hook, plain and intercepted
// with its own loop and a cached leaf.
func (f *field) goproxy() (plain, intercepted *http.Client) {
	proxy := goproxy.NewProxyHttpServer()
	proxy.Logger = quietLogger{}
	leaf, err := f.srv.CA.Leaf("api.stripe.com")
	if err != nil {
		f.b.Fatal(err)
	}
	action := &goproxy.ConnectAction{Action: goproxy.ConnectMitm, TLSConfig: func(string, *goproxy.ProxyCtx) (*tls.Config, error) {
		return &tls.Config{Certificates: []tls.Certificate{*leaf}}, nil
	}}
	proxy.OnRequest().HandleConnect(goproxy.FuncHttpsHandler(func(host string, _ *goproxy.ProxyCtx) (*goproxy.ConnectAction, string) {
		return action, host
	}))
	proxy.OnRequest().DoFunc(func(r *http.Request, _ *goproxy.ProxyCtx) (*http.Request, *http.Response) {
		reply := goproxy.NewResponse(r, "application/json", http.StatusOK, string(f.record))
		reply.ContentLength = int64(len(f.record))
		return r, reply
	})
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		f.b.Fatal(err)
	}
	server := &http.Server{Handler: proxy}
	go func() { _ = server.Serve(l) }()
	f.b.Cleanup(func() { _ = server.Close() })
	return f.through(l.Addr().String(), f.srv.CA), f.through(l.Addr().String(), f.srv.CA)
}

type quietLogger struct{}

func (quietLogger) Printf(string, ...any) {}

// benchServer is Parity with its shipped defaults: validation, state, journal
// on disk, and one rule that does not match.
func benchServer(b *testing.B, dir string) *gateway.Server {
	file := filepath.Join(dir, "profile.yaml")
	profile := "profile: bench\nservices:\n  stripe: {}\nfaults:\n  elsewhere:\n    call: stripe POST /v1/refunds\n    inject: error\n"
	if err := os.WriteFile(file, []byte(profile), 0o600); err != nil {
		b.Fatal(err)
	}
	srv, err := gateway.Open(b.Context(), gateway.Settings{
		Root: filepath.Join(dir, ".parity"), CA: filepath.Join(dir, "ca"), Profile: file,
		Getenv: func(string) string { return "" }, Log: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		b.Fatal(err)
	}
	return srv
}

func closeServer(b *testing.B, srv *gateway.Server) {
	if err := srv.Close(b.Context()); err != nil && b.Context().Err() == nil {
		b.Log(fmt.Errorf("close: %w", err))
	}
}
