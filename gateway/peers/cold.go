package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// A starter is something that is started and measured until it has answered its
// first call, or has ended.
type starter struct {
	peer, title string
	argv        []string
	// up waits until it is there and gives the target; nil: it ends by itself.
	up    func(context.Context, *process) (target, error)
	first call // a list of a service
	code  int  // how it ends by itself
}

// A cold is what starts of one kind came to.
type cold struct {
	starter
	took, cpu []float64 // seconds, a start each
	resident  []float64 // MB, when the first answer was there
}

// starts begins each starter in turn, n times, and ends it when it has answered.
func (b *bench) starts(ctx context.Context, n int) ([]*cold, error) {
	kinds, err := b.starters(ctx)
	if err != nil {
		return nil, err
	}
	// Once unmeasured: the certificate authority is made, files are cached.
	for i := range n + 1 {
		for j := range kinds {
			k := kinds[(i+j)%len(kinds)]
			took, cpu, resident, err := b.startOnce(ctx, k.starter)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", k.title, err)
			}
			if i > 0 {
				k.took, k.cpu = append(k.took, took.Seconds()), append(k.cpu, cpu.Seconds())
				k.resident = append(k.resident, float64(resident)/(1<<20))
			}
		}
	}
	return kinds, nil
}

func (b *bench) startOnce(ctx context.Context, s starter) (took, cpu time.Duration, resident int64, err error) {
	began := time.Now()
	p, err := start(ctx, b.dir, s.peer, s.argv...)
	if err != nil {
		return 0, 0, 0, err
	}
	defer os.RemoveAll(p.dir)
	if s.up == nil {
		select {
		case <-p.done:
		case <-time.After(patience):
			p.kill()
			return 0, 0, 0, fmt.Errorf("it has not ended after %s: %s", patience, p.said())
		}
		if p.cmd.ProcessState.ExitCode() != s.code {
			return 0, 0, 0, fmt.Errorf("%s: %s", p.cmd.ProcessState, p.said())
		}
		return time.Since(began), p.used(), 0, nil
	}
	// Killed, so that what it does at its end is not counted.
	defer p.kill()
	to, err := s.up(ctx, p)
	if err != nil {
		return 0, 0, 0, err
	}
	status, _, err := (&rawClient{target: to}).exchange(ctx, to.request(s.first), nil)
	took = time.Since(began)
	if err != nil || status/100 != 2 {
		return 0, 0, 0, fmt.Errorf("the first call: status %d, %w", status, err)
	}
	resident, err = residentOf(p.pid())
	p.kill()
	return took, p.used(), resident, err
}

// starters are all that were chosen and can be had.
func (b *bench) starters(ctx context.Context) ([]*cold, error) {
	charges, books := call{method: "GET", path: "/v1/charges"}, call{method: "GET", path: "/books"}
	replies := filepath.Join(b.dir, "first.json")
	said := fmt.Sprintf(`[{"Call": "GET %s", "Status": 200, "Body": "e30="}]`, charges.path)
	if err := os.WriteFile(replies, []byte(said), 0o600); err != nil {
		return nil, err
	}
	all := []*cold{{starter: starter{peer: bare, title: "bare server", argv: []string{b.program("bare"), replies}, up: printedAddress, first: charges}}}
	for _, one := range [][2]string{{parity, b.parity}, {before, b.before}} {
		if name, binary := one[0], one[1]; binary != "" {
			serve := []string{binary, "serve", "--ready-file", "ready"}
			contract := append(slices.Clone(serve), "--contract", filepath.Join(b.here, shelf))
			for _, s := range []starter{
				{title: name + " serve", argv: serve, up: readyGateway("stripe"), first: charges},
				{title: name + " serve --contract", argv: contract, up: readyGateway("shelf"), first: books},
				{title: name + " --version", argv: []string{binary, "--version"}},
				// A run without traffic proves nothing, and says so by its code.
				{title: name + " run -- true", argv: []string{binary, "run", "--", "true"}, code: 125},
			} {
				s.peer = name
				all = append(all, &cold{starter: s})
			}
		}
	}
	addr, err := freeAddress()
	if err != nil {
		return nil, err
	}
	for _, name := range []string{stripeMock, prism} {
		if !slices.Contains(b.peers, name) {
			continue
		}
		argv, err := b.others(ctx, name, addr, filepath.Join(b.here, shelf))
		if err != nil {
			b.leftOut[name] = err
			continue
		}
		first := charges
		if name == prism {
			first = books
		}
		all = append(all, &cold{starter: starter{peer: name, title: name, argv: argv, up: listeningAt(addr), first: first}})
	}
	return slices.DeleteFunc(all, func(c *cold) bool { return !slices.Contains(b.peers, c.peer) }), nil
}

func printedAddress(ctx context.Context, p *process) (target, error) {
	addr, err := p.printed(ctx)
	return target{addr: addr, way: direct}, err
}

func listeningAt(addr string) func(context.Context, *process) (target, error) {
	return func(ctx context.Context, p *process) (target, error) {
		return target{addr: addr, way: direct}, p.listens(ctx, addr)
	}
}

func readyGateway(service string) func(context.Context, *process) (target, error) {
	return func(ctx context.Context, p *process) (target, error) {
		g := &gateway{process: p, service: service}
		err := g.ready(ctx)
		return g.target(), err
	}
}

// A beginning is what starts of one kind came to, beside the first of them.
type beginning struct {
	Title        string
	Ratio, CPU   float64
	seconds, cpu float64 // the medians
	Resident     float64 // MB; 0 of what ended by itself
}

func beginnings(all []*cold) []beginning {
	var list []beginning
	for _, c := range all {
		b := beginning{Title: c.title, seconds: quantile(c.took, 0.5), cpu: quantile(c.cpu, 0.5), Resident: quantile(c.resident, 0.5)}
		b.Ratio, b.CPU = b.seconds/quantile(all[0].took, 0.5), b.cpu/quantile(all[0].cpu, 0.5)
		list = append(list, b)
	}
	return list
}
