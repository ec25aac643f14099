package gateway_test

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"

	"parity/fakes"
)

// sights are the lines of the table.
func sights() []sight {
	return slices.Concat(lostSights(), downSights(), replySights(), wireSights(), driftSights(), pageSights(), worldSights())
}

// none and one tell whether a call left the world as it was, or with one record
// more.
func none(p *probe, before int) string {
	return unless(p.count() == before, "%d records, want %d", p.count(), before)
}

func one(p *probe, before int) string { return none(p, before+1) }

// lost is a create that happens, and whose answer is seen so.
func lost(seen func(*probe, got) string) func(*probe) string {
	return func(p *probe) string {
		before := p.count()
		g := p.create()
		return all(seen(p, g), one(p, before))
	}
}

// refused is a create that is answered with a status, and does not happen.
func refused(want int, more func(*probe, got) string) func(*probe) string {
	return func(p *probe) string {
		before := p.count()
		g := p.create()
		wrong := all(unless(g.err == nil && g.status == want, "%d %v, want %d", g.status, g.err, want), none(p, before))
		if wrong == "" && more != nil {
			wrong = more(p, g)
		}
		return wrong
	}
}

// lostSights lose the answer, or refuse the call.
func lostSights() []sight {
	return []sight{
		{fault: "ambiguous-success", with: "{reply: reset}", at: "create", commits: true, play: lost((*probe).reset)},
		{fault: "ambiguous-success", with: "{reply: hang, for: 10ms}", at: "create", commits: true, play: lost((*probe).closed)},
		{fault: "ambiguous-success", with: "{reply: cut-headers}", at: "create", commits: true, play: lost(func(p *probe, g got) string {
			if p.way.major == 2 {
				return p.closed(g) // a head is one frame
			}
			return unless(g.err != nil && strings.Contains(g.err.Error(), "malformed MIME header"), "%v", g.err)
		})},
		{fault: "ambiguous-success", with: "{reply: cut-body}", at: "create", commits: true, play: lost((*probe).closed)},
		{fault: "ambiguous-success", with: "{reply: 502}", at: "create", commits: true, play: lost(func(_ *probe, g got) string {
			return unless(g.status == 502 && strings.Contains(string(g.body), "<html>"), "%d %s", g.status, g.body)
		})},
		{fault: "timeout", with: "{for: 10ms}", at: "create", play: func(p *probe) string {
			before := p.count()
			return all(p.closed(p.create()), none(p, before))
		}},
		{fault: "error", with: "{status: 503, retry_after: 2s}", at: "create", play: refused(503, func(p *probe, g got) string {
			return unless(g.header.Get("Retry-After") == "2" && g.json != nil, "Retry-After %q, %s", g.header.Get("Retry-After"), g.body)
		})},
		{fault: "error", with: "{status: 502, html: true}", at: "create", play: refused(502, func(p *probe, g got) string {
			return unless(strings.Contains(string(g.body), "<html>"), "%s", g.body)
		})},
		{fault: "rate-limit", with: "{limit: 1, window: 1h}", at: "create", play: func(p *probe) string {
			p.made()
			return refused(429, func(p *probe, g got) string {
				return unless(g.header.Get("Retry-After") == "2", "Retry-After %q", g.header.Get("Retry-After"))
			})(p)
		}},
	}
}

// replySights alter what is sent.
func replySights() []sight {
	return []sight{
		{fault: "latency", with: "{fixed: 1ms}", at: "create", commits: true, play: func(p *probe) string {
			g := p.create()
			return unless(g.err == nil && g.status == p.kind.made, "%d %v", g.status, g.err)
		}},
		{fault: "stream-cut", with: "{after: 2}", at: "stream", only: "feed: it streams no events", play: func(p *probe) string {
			g := p.do("GET", "/stream", nil)
			return all(p.closed(g), unless(strings.Count(string(g.body), "data:") == 2, "%q", g.body))
		}},
		{fault: "stream-cut", with: "{after: 2, how: error-event}", at: "stream", only: "feed: it streams no events", play: func(p *probe) string {
			g := p.do("GET", "/stream", nil)
			return unless(g.err == nil && strings.Contains(string(g.body), "event: error"), "%v %q", g.err, g.body)
		}},
		{fault: "truncated-body", with: "{at: 10B}", at: "create", commits: true, play: func(p *probe) string {
			g := p.create()
			return all(p.closed(g), unless(len(g.body) == 10, "%d bytes", len(g.body)))
		}},
		{fault: "truncated-body", with: "{at: 10B, length: right}", at: "create", commits: true, play: func(p *probe) string {
			g := p.create()
			return unless(g.err == nil && len(g.body) == 10 && g.json == nil, "%v, %d bytes", g.err, len(g.body))
		}},
	}
}

// downSights are of what is down, used up, or elsewhere.
func downSights() []sight {
	return []sight{
		{fault: "outage", at: "create", play: refused(503, nil)},
		{fault: "cascade", with: "{from: \"READ\"}", at: "create", more: "down: {call: \"READ\", inject: error}", play: func(p *probe) string {
			p.read("x")
			return refused(503, nil)(p)
		}},
		{fault: "quota", with: "{limit: 1}", at: "create", play: func(p *probe) string {
			p.made()
			return refused(429, func(p *probe, g got) string {
				return unless(g.header.Get("Retry-After") != "", "no Retry-After")
			})(p)
		}},
		{fault: "redirect", at: "create", play: refused(http.StatusTemporaryRedirect, func(p *probe, g got) string {
			return unless(!strings.HasPrefix(g.header.Get("Location"), p.base), "Location %q", g.header.Get("Location"))
		})},
		{fault: "webhook-disorder", with: "{how: late}", at: "create", commits: true, only: "stripe: it sends no webhooks", play: func(p *probe) string {
			endpoint := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
			p.t.Cleanup(endpoint.Close)
			p.id(p.do("POST", "/v1/webhook_endpoints", map[string]string{"url": endpoint.URL, "enabled_events[0]": "customer.created"}))
			before := p.Run.World().Len(fakes.DeliveriesCollection)
			p.made()
			waits := p.Run.World().Len(fakes.DeliveriesCollection)
			return unless(waits > before, "%d webhooks wait", waits)
		}},
	}
}
