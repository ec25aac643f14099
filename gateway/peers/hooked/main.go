// Command hooked is goproxy with an answer from a hook: the proxy that Parity
// is built on, before anything is looked up, checked or kept.
//
//	hooked REPLY.json CERT.pem KEY.pem
//
//	GET http://api.stripe.com/v1/…   answered from the hook
//	CONNECT api.stripe.com:443       goproxy's own loop, with one leaf
//
// It prints its address and goes on until it is told to stop.
package main

import (
	"bytes"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"os"

	"github.com/elazarl/goproxy"
)

func main() {
	if err := serve(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "hooked:", err)
		os.Exit(1)
	}
}

func serve(args []string) error {
	if len(args) != 3 {
		return fmt.Errorf("usage: hooked REPLY.json CERT.pem KEY.pem")
	}
	content, err := os.ReadFile(args[0])
	if err != nil {
		return err
	}
	var replies []struct {
		Status int
		Header http.Header
		Body   []byte
	}
	if err := json.Unmarshal(content, &replies); err != nil || len(replies) == 0 {
		return fmt.Errorf("%s has no reply: %w", args[0], err)
	}
	leaf, err := tls.LoadX509KeyPair(args[1], args[2])
	if err != nil {
		return err
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Println(l.Addr())
	reply := replies[0]
	proxy := goproxy.NewProxyHttpServer()
	proxy.Logger = quiet{}
	action := &goproxy.ConnectAction{Action: goproxy.ConnectMitm, TLSConfig: func(string, *goproxy.ProxyCtx) (*tls.Config, error) {
		return &tls.Config{Certificates: []tls.Certificate{leaf}}, nil
	}}
	proxy.OnRequest().HandleConnect(goproxy.FuncHttpsHandler(func(host string, _ *goproxy.ProxyCtx) (*goproxy.ConnectAction, string) {
		return action, host
	}))
	proxy.OnRequest().DoFunc(func(r *http.Request, _ *goproxy.ProxyCtx) (*http.Request, *http.Response) {
		return r, &http.Response{
			Request: r, StatusCode: reply.Status, Status: http.StatusText(reply.Status), Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
			Header: maps.Clone(reply.Header), ContentLength: int64(len(reply.Body)), Body: io.NopCloser(bytes.NewReader(reply.Body)),
		}
	})
	return (&http.Server{Handler: proxy}).Serve(l)
}

type quiet struct{}

func (quiet) Printf(string, ...any) {}
