package gateway_test

import (
	"errors"
	"io"
	"strings"
	"syscall"
)

// wireSights are about how bodies are sent, and whether connections come about.
func wireSights() []sight {
	whole := func(p *probe) string {
		g := p.create()
		return unless(g.err == nil && g.status == p.kind.made && g.json != nil, "%d %v %s", g.status, g.err, g.body)
	}
	broken := func(p *probe) string {
		g := p.create()
		return all(p.closed(g), unless(g.json == nil, "it is whole"))
	}
	return []sight{
		{fault: "slow-body", with: "{rate: 32KB, chunk: 64B}", at: "create", commits: true, play: whole},
		{fault: "slow-body", with: "{rate: 32KB, chunk: 64B, encoding: as-asked, framing: chunked}", at: "create", commits: true, play: whole},
		{fault: "truncated-body", with: "{at: 80%, framing: chunked}", at: "create", commits: true, play: broken},
		{fault: "truncated-body", with: "{at: 80%, encoding: as-asked}", at: "create", commits: true, play: broken},
		{fault: "truncated-body", with: "{at: 80%, encoding: as-asked, framing: chunked, length: right}", at: "create", commits: true, play: func(p *probe) string {
			g := p.create() // by its own client, which has asked for gzip and reads it
			return unless(errors.Is(g.err, io.ErrUnexpectedEOF) && g.status == p.kind.made, "%d %v", g.status, g.err)
		}},
		{fault: "connect-refused", with: "{how: refuse}", play: func(p *probe) string {
			before := p.count()
			g := p.create()
			// On HTTP/2 the client's writer may be the one that hears of the reset.
			reset := errors.Is(g.err, syscall.ECONNRESET) || p.way.name == "base-h2" && g.err != nil && strings.Contains(g.err.Error(), "EOF")
			return all(unless(reset, "no RST: %v", g.err), unless(p.count() == before, "%d records, want %d", p.count(), before))
		}},
	}
}
