package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
)

// errNotAsked is of a peer that there is nothing of: no binary to compare with.
var errNotAsked = errors.New("not asked for")

// peer starts one of the others and adds its lane.
func (f *field) peer(ctx context.Context, name string) error {
	switch name {
	case bare, viaProxy, viaTunnel:
		return f.bare(ctx, name)
	case goproxy:
		return f.goproxy(ctx)
	case before:
		if f.bench.before == "" {
			return errNotAsked
		}
		return f.parity(ctx, before, f.bench.before)
	case stripeMock, prism:
		return f.other(ctx, name)
	case hoverfly:
		return f.hoverfly(ctx)
	}
	return fmt.Errorf("no way to start %s", name)
}

// bare starts the bare server, once in a contest, which is asked in three ways.
func (f *field) bare(ctx context.Context, name string) error {
	p, addr, err := f.once(ctx, bare, f.bench.program("bare"), f.replies, f.bench.certificate.cert, f.bench.certificate.key)
	if err != nil {
		return err
	}
	to := target{addr: addr, way: direct, roots: f.bench.certificate.roots}
	switch name {
	case viaProxy:
		to.way = plain
	case viaTunnel:
		to.way = intercepted
	}
	return f.add(ctx, &lane{peer: name, server: p}, to, f.call)
}

func (f *field) goproxy(ctx context.Context) error {
	p, addr, err := f.once(ctx, goproxy, f.bench.program("hooked"), f.replies, f.bench.certificate.cert, f.bench.certificate.key)
	if err != nil {
		return err
	}
	return f.add(ctx, &lane{peer: goproxy, server: p}, target{addr: addr, way: f.contest.way, roots: f.bench.certificate.roots}, f.call)
}

// once starts a server of ours that prints its address, or gives the one that
// runs already.
func (f *field) once(ctx context.Context, name string, argv ...string) (*process, string, error) {
	var p *process
	for _, one := range f.running {
		if one.name == name {
			p = one
		}
	}
	if p == nil {
		var err error
		if p, err = start(ctx, f.dir, name, argv...); err != nil {
			return nil, "", err
		}
		f.running = append(f.running, p)
	}
	addr, err := p.printed(ctx)
	return p, addr, err
}

// other starts a server that answers from a contract: stripe-mock from its own,
// with its fixtures, and Prism with the contract's examples.
func (f *field) other(ctx context.Context, name string) error {
	contract := filepath.Join(f.bench.here, f.contest.contract)
	return f.listening(ctx, name, target{way: direct}, func(addr, _ string) ([]string, error) {
		return f.bench.others(ctx, name, addr, contract)
	})
}

// others is how stripe-mock or Prism is started. Prism's log of each call, which
// costs it as much again as the call, is switched off.
func (b *bench) others(ctx context.Context, name, addr, contract string) ([]string, error) {
	if name == stripeMock {
		binary, err := b.installed(ctx, name, stripeMockModule)
		return []string{binary, "-http-addr", addr}, err
	}
	binary, err := b.fromNPM(ctx, name)
	host, port, _ := net.SplitHostPort(addr)
	return []string{binary, "mock", "-v", "error", "-h", host, "-p", port, contract}, err
}

// hoverfly plays back what Parity answered, as a web server or as a proxy.
func (f *field) hoverfly(ctx context.Context) error {
	binary, err := f.bench.installed(ctx, hoverfly, hoverflyModule)
	if err != nil {
		return err
	}
	simulation, err := f.simulation()
	if err != nil {
		return err
	}
	return f.listening(ctx, hoverfly, target{way: f.contest.way, roots: f.bench.certificate.roots}, func(addr, second string) ([]string, error) {
		host, port, _ := net.SplitHostPort(addr)
		_, admin, _ := net.SplitHostPort(second)
		argv := []string{binary, "-listen-on-host", host, "-pp", port, "-ap", admin, "-import", simulation}
		switch f.contest.way {
		case direct:
			argv = append(argv, "-webserver")
		case intercepted:
			argv = append(argv, "-cert", f.bench.certificate.cert, "-key", f.bench.certificate.key)
		}
		return argv, nil
	})
}

// simulation writes what was recorded as Hoverfly reads it.
func (f *field) simulation() (string, error) {
	content, err := os.ReadFile(f.replies)
	if err != nil {
		return "", err
	}
	var replies []reply
	if err := json.Unmarshal(content, &replies); err != nil {
		return "", err
	}
	path, query, _ := strings.Cut(f.call.path, "?")
	exact := func(value string) any { return []any{map[string]string{"matcher": "exact", "value": value}} }
	asked := map[string]any{"method": exact(f.call.method), "path": exact(path)}
	if name, value, ok := strings.Cut(query, "="); ok {
		asked["query"] = map[string]any{name: exact(value)}
	}
	said := map[string]any{"status": replies[0].Status, "body": string(replies[0].Body), "encodedBody": false, "templated": false, "headers": replies[0].Header}
	content, err = json.Marshal(map[string]any{
		"data": map[string]any{"pairs": []any{map[string]any{"request": asked, "response": said}}, "globalActions": map[string]any{"delays": []any{}}},
		"meta": map[string]any{"schemaVersion": "v5.2"},
	})
	if err != nil {
		return "", err
	}
	file := filepath.Join(f.dir, "simulation.json")
	return file, os.WriteFile(file, content, 0o600)
}

// listening starts a server that has to be told where to listen, and adds its
// lane.
func (f *field) listening(ctx context.Context, name string, to target, argv func(addr, second string) ([]string, error)) error {
	addr, err := freeAddress()
	if err != nil {
		return err
	}
	second, err := freeAddress()
	if err != nil {
		return err
	}
	line, err := argv(addr, second)
	if err != nil {
		return err
	}
	p, err := start(ctx, f.dir, name, line...)
	if err != nil {
		return err
	}
	f.running = append(f.running, p)
	if err := p.listens(ctx, addr); err != nil {
		return err
	}
	to.addr = addr
	return f.add(ctx, &lane{peer: name, server: p}, to, f.call)
}
