// Package deliver sends webhooks: one request to an endpoint that the agent
// registered, and what came of it.
//
//	a delivery that is due ──▶ may it go there? ──no──▶ not reached, and why
//	                              │ yes
//	                              ▼
//	                        one POST, no redirects ──▶ status, or why there is none
//
// It keeps nothing: when an attempt is made, and whether there is another, is
// for the run and its fakes.
package deliver

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// Options are what a Sender needs.
type Options struct {
	// Dial opens connections; it has the last word on addresses.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
	// Allow tells whether policy lets out to a host that is not this machine,
	// and if not, what would. Far asks it of this machine, too.
	Allow func(host string, port int) (ok bool, refusal string)
	Far   bool
	// Own tells whether a port of this machine is the gateway's: a webhook that
	// comes in there again could go round for ever.
	Own     func(port int) bool
	Timeout time.Duration // of an attempt; default 10 s, as most services have it
}

// mostRead bounds what is read of an endpoint's answer: nothing is made of it.
const mostRead = 64 << 10

// A Sender makes attempts. It is safe for concurrent use.
type Sender struct {
	o      Options
	client *http.Client
}

// New makes a Sender.
func New(o Options) *Sender {
	if o.Timeout <= 0 {
		o.Timeout = 10 * time.Second
	}
	return &Sender{o: o, client: &http.Client{
		Transport:     &http.Transport{DialContext: o.Dial, DisableKeepAlives: true, TLSHandshakeTimeout: o.Timeout},
		Timeout:       o.Timeout,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// Send makes one attempt. Its error says why there is no status.
func (s *Sender) Send(ctx context.Context, method, target string, header http.Header, body []byte) (status int, err error) {
	status, _, err = s.Ask(ctx, method, target, header, body)
	return status, err
}

// Ask makes one attempt, and gives what the endpoint answered: no more than its
// first 64 KiB.
func (s *Sender) Ask(ctx context.Context, method, target string, header http.Header, body []byte) (status int, answer []byte, err error) {
	if method == "" {
		method = http.MethodPost
	}
	u, err := url.Parse(target)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return 0, nil, fmt.Errorf("%q is no address of an endpoint: it wants http:// or https:// and a host", target)
	}
	if err := s.allowed(u); err != nil {
		return 0, nil, err
	}
	request, err := http.NewRequestWithContext(ctx, method, target, bytes.NewReader(body))
	if err != nil {
		return 0, nil, fmt.Errorf("webhook: %w", err)
	}
	request.Header = header
	response, err := s.client.Do(request)
	if err != nil {
		var failed *url.Error
		if errors.As(err, &failed) {
			if failed.Timeout() {
				return 0, nil, fmt.Errorf("no answer within %v", s.o.Timeout)
			}
			err = failed.Err // without the address, which may hold a secret
		}
		return 0, nil, err
	}
	defer response.Body.Close()
	answer, _ = io.ReadAll(io.LimitReader(response.Body, mostRead)) // what is cut off says as much as it does
	return response.StatusCode, answer, nil
}

func (s *Sender) allowed(u *url.URL) error {
	if Local(u.Hostname()) {
		if s.o.Own != nil && s.o.Own(port(u)) {
			return errors.New("the endpoint is this gateway itself")
		}
		if !s.o.Far {
			return nil
		}
	}
	if s.o.Allow == nil {
		return nil
	}
	if ok, refusal := s.o.Allow(strings.ToLower(u.Hostname()), port(u)); !ok {
		return errors.New(refusal)
	}
	return nil
}

func port(u *url.URL) int {
	if n, err := strconv.Atoi(u.Port()); err == nil {
		return n
	}
	if u.Scheme == "http" {
		return 80
	}
	return 443
}

// Local tells whether a host is this machine by its name: an endpoint there
// needs no leave but that it was registered.
func Local(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	at, err := netip.ParseAddr(host)
	return err == nil && at.Unmap().IsLoopback()
}
