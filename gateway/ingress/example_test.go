package ingress_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"

	"parity/gateway/ingress"
)

func ExampleServer() {
	dir, err := os.MkdirTemp("", "parity-ca-")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	ca, err := ingress.OpenCA(ingress.CAOptions{Dir: dir})
	if err != nil {
		panic(err)
	}
	server, err := ingress.New(ingress.Options{
		CA: ca,
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			origin, _ := ingress.FromContext(r.Context())
			fmt.Fprintf(w, "%s, meant for %s, in run %s", origin.Way, origin.Authority, origin.RunName)
		}),
		Decide: func(_ context.Context, a ingress.Approach) ingress.Verdict {
			if a.Authority.Host == "api.stripe.com" {
				return ingress.Verdict{Action: ingress.Intercept}
			}
			return ingress.Verdict{Message: a.Authority.Host + " is not allowed"}
		},
	})
	if err != nil {
		panic(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	go server.Serve(listener)
	defer server.Shutdown(context.Background())

	proxy := &url.URL{Scheme: "http", Host: listener.Addr().String(), User: url.UserPassword("run-1", "token")}
	client := &http.Client{Transport: &http.Transport{Proxy: http.ProxyURL(proxy)}}
	defer client.CloseIdleConnections()
	resp, err := client.Get("http://api.stripe.com/v1/charges")
	if err != nil {
		panic(err)
	}
	defer resp.Body.Close()
	text, _ := io.ReadAll(resp.Body)
	fmt.Println(string(text))
	// Output: proxy, meant for api.stripe.com:80, in run run-1
}
