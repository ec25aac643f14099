package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
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
	case stripeMock:
		return f.stripeMock(ctx)
	}
	return fmt.Errorf("%s is not there", name)
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

// stripeMock answers from Stripe's contract and its fixtures, and keeps nothing.
func (f *field) stripeMock(ctx context.Context) error {
	binary, err := f.bench.installed(ctx, stripeMock, stripeMockModule)
	if err != nil {
		return err
	}
	addr, err := freeAddress()
	if err != nil {
		return err
	}
	p, err := start(ctx, f.dir, stripeMock, binary, "-http-addr", addr)
	if err != nil {
		return err
	}
	f.running = append(f.running, p)
	if err := p.listens(ctx, addr); err != nil {
		return err
	}
	return f.add(ctx, &lane{peer: stripeMock, server: p}, target{addr: addr, way: direct}, f.call)
}

// bench is what all contests share.
type bench struct {
	here           string // the folder of this module
	dir            string // removed at the end
	parity, before string // binaries
	peers          []string
	client         string // net/http, or raw
	certificate    *certificate
}

const stripeMockModule = "github.com/stripe/stripe-mock@v0.203.0"

func (b *bench) program(name string) string { return filepath.Join(b.dir, "bin", name) }

// build makes what is ours: the bare server, goproxy with a hook and, where no
// binary was named, Parity.
func (b *bench) build(ctx context.Context) error {
	builds := map[string]string{"bare": b.here, "hooked": b.here}
	if b.parity == "" {
		b.parity = b.program("parity")
		builds["cmd/parity"] = filepath.Join(b.here, "..", "..")
	}
	for name, dir := range builds {
		cmd := exec.CommandContext(ctx, "go", "build", "-o", b.program(filepath.Base(name)), "./"+name)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("go build ./%s: %w: %s", name, err, out)
		}
	}
	return nil
}

// installed gives a program of others, which is built into the user's cache the
// first time.
func (b *bench) installed(ctx context.Context, name, module string) (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	folder := filepath.Join(cache, "parity-peers", filepath.Base(module))
	binary := filepath.Join(folder, name)
	if _, err := os.Stat(binary); err == nil {
		return binary, nil
	}
	cmd := exec.CommandContext(ctx, "go", "install", module)
	cmd.Env = append(os.Environ(), "GOBIN="+folder)
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("go install %s: %w: %.200s", module, err, out)
	}
	return binary, nil
}
