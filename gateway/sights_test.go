package gateway_test

import (
	"strings"
)

// sights are the lines of the table.
func sights() []sight {
	return append(lostSights(), replySights()...)
}

// lostSights lose the answer, or refuse the call.
func lostSights() []sight {
	none := func(p *probe, before int) string {
		return unless(p.count() == before, "%d records, want %d", p.count(), before)
	}
	one := func(p *probe, before int) string {
		return unless(p.count() == before+1, "%d records, want %d", p.count(), before+1)
	}
	lost := func(seen func(*probe, got) string) func(*probe) string {
		return func(p *probe) string {
			before := p.count()
			g := p.create()
			return all(seen(p, g), one(p, before))
		}
	}
	status := func(want int, more func(*probe, got) string) func(*probe) string {
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
		{fault: "error", with: "{status: 503, retry_after: 2s}", at: "create", play: status(503, func(p *probe, g got) string {
			return unless(g.header.Get("Retry-After") == "2" && g.json != nil, "Retry-After %q, %s", g.header.Get("Retry-After"), g.body)
		})},
		{fault: "error", with: "{status: 502, html: true}", at: "create", play: status(502, func(p *probe, g got) string {
			return unless(strings.Contains(string(g.body), "<html>"), "%s", g.body)
		})},
		{fault: "rate-limit", with: "{limit: 1, window: 1h}", at: "create", play: func(p *probe) string {
			p.made()
			return status(429, func(p *probe, g got) string {
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
