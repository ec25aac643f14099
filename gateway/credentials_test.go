package gateway_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// Proxy credentials name the run, on CONNECT and on absolute-form requests
// alike; wrong ones are challenged, and no service hears of the call.
func TestProxyCredentialsNameTheRun(t *testing.T) {
	t.Parallel()
	h := open(t, quiet)
	for name, user := range map[string]*url.Userinfo{
		"right": url.UserPassword(h.Run.ID, h.Run.Token), "none": nil,
		"wrong token": url.UserPassword(h.Run.ID, "guess"), "no token": url.User(h.Run.ID), "wrong run": url.UserPassword("other", h.Run.Token),
	} {
		proxy := &url.URL{Scheme: "http", Host: h.Addr(), User: user}
		c := h.proxied(false)
		c.Transport.(*http.Transport).Proxy = http.ProxyURL(proxy)
		for _, scheme := range []string{"http", "https"} {
			before := h.Run.Seq()
			status, _, _, err := call(t, c, "GET", scheme+"://api.stripe.com/v1/charges", "")
			if name == "right" || name == "none" {
				if status != 200 || err != nil {
					t.Errorf("%s, %s: %d %v", name, scheme, status, err)
				}
				continue
			}
			challenged := status == http.StatusProxyAuthRequired || err != nil && strings.Contains(err.Error(), "with that token")
			if !challenged || h.Run.Seq() != before {
				t.Errorf("%s, %s: %d %v, %d events more", name, scheme, status, err, h.Run.Seq()-before)
			}
		}
	}
}
