package sdktest

import (
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/summerwind/h2spec/config"
	"github.com/summerwind/h2spec/generic"
	"github.com/summerwind/h2spec/hpack"
	"github.com/summerwind/h2spec/http2"
	"github.com/summerwind/h2spec/spec"
)

// h2cases are all cases of h2spec, by where they stand.
func h2cases() map[string]*spec.TestCase {
	all := map[string]*spec.TestCase{}
	var walk func(group *spec.TestGroup)
	walk = func(group *spec.TestGroup) {
		for i, one := range group.Tests {
			all[group.ID()+"/"+strconv.Itoa(i+1)] = one
		}
		for _, inner := range group.Groups {
			walk(inner)
		}
	}
	for _, root := range []*spec.TestGroup{generic.Spec(), http2.Spec(), hpack.Spec()} {
		walk(root)
	}
	return all
}

// h2spec tells which cases a server fails, with prior knowledge. One that fails
// and is not known to is tried twice more: on a busy machine an answer may be
// late.
func h2spec(t *testing.T, address string, known func(name string) bool) (failed []string, of int) {
	t.Helper()
	host, digits, err := net.SplitHostPort(address)
	if err != nil {
		t.Fatal(err)
	}
	port, _ := strconv.Atoi(digits)
	c := &config.Config{Host: host, Port: port, Path: "/", Timeout: 2 * time.Second, MaxHeaderLen: 4000}
	passes := func(one *spec.TestCase, times int) bool {
		for range times {
			conn, err := spec.Dial(c)
			if err != nil {
				continue
			}
			err = one.Run(c, conn)
			conn.Close()
			if err == nil || errors.Is(err, spec.ErrSkipped) {
				return true
			}
		}
		return false
	}
	cases := h2cases()
	names, mu, workers := make(chan string), sync.Mutex{}, sync.WaitGroup{}
	for range 8 {
		workers.Go(func() {
			for name := range names {
				one, times := cases[name], 3
				if name += " " + one.Desc; known(name) {
					times = 1
				}
				if !passes(one, times) {
					mu.Lock()
					failed = append(failed, name)
					mu.Unlock()
				}
			}
		})
	}
	for name := range cases {
		names <- name
	}
	close(names)
	workers.Wait()
	slices.Sort(failed)
	return failed, len(cases)
}

// The gateway speaks HTTP/2 as net/http does, which it is made of: h2spec finds
// nothing against it that it does not find against a bare net/http server.
func TestH2Spec(t *testing.T) {
	t.Parallel()
	bare := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(strings.Repeat("{}", 100)))
	}))
	bare.Config.ErrorLog = log.New(io.Discard, "", 0)
	bare.Config.Protocols = new(http.Protocols)
	bare.Config.Protocols.SetUnencryptedHTTP2(true)
	bare.Start()
	t.Cleanup(bare.Close)
	known, of := h2spec(t, bare.Listener.Addr().String(), func(string) bool { return true })
	at, err := url.Parse(serve(t).base)
	if err != nil {
		t.Fatal(err)
	}
	failed, _ := h2spec(t, at.Host, func(name string) bool { return slices.Contains(known, name) })
	t.Logf("of %d cases the gateway fails %d, net/http %d: %s", of, len(failed), len(known), strings.Join(known, "; "))
	for _, name := range failed {
		if !slices.Contains(known, name) {
			t.Errorf("fails, and net/http does not: %s", name)
		}
	}
}
