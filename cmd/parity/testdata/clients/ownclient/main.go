// Command ownclient makes one call with net/http: through the proxy that the
// environment names, or by a dialer of its own that knows none.
//
//	ownclient proxy|own NAME
package main

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"time"
)

func main() {
	transport := &http.Transport{Proxy: http.ProxyFromEnvironment}
	if os.Args[1] == "own" {
		transport = &http.Transport{DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			return (&net.Dialer{Timeout: 15 * time.Second}).DialContext(ctx, network, address)
		}}
	}
	r, err := http.NewRequest(http.MethodGet, "https://api.shop.invalid/things/"+os.Args[2], nil)
	if err != nil {
		panic(err)
	}
	reply, err := (&http.Client{Transport: transport}).Do(r)
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Println(reply.StatusCode)
}
