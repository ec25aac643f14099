package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// bench is what all contests share.
type bench struct {
	here           string // the folder of this module
	dir            string // removed at the end
	parity, before string // binaries
	cases, peers   []string
	client         string           // net/http, or raw
	leftOut        map[string]error // peers that cannot be had
	kept           bool             // dir stays
	load           string           // of the machine, before anything was built
	certificate    *certificate
}

// Where peers in Go come from. Hoverfly's version is whatever the proxy for
// modules has: not each of them has it.
const (
	stripeMockModule = "github.com/stripe/stripe-mock@v0.203.0"
	hoverflyModule   = "github.com/SpectoLabs/hoverfly/core/cmd/hoverfly@latest"
)

func open(ctx context.Context, o options) (b *bench, err error) {
	b = &bench{client: o.client, load: load(), leftOut: map[string]error{}}
	if b.cases, err = chosen(o.cases, caseNames()); err != nil {
		return nil, err
	}
	if b.peers, err = chosen(o.peers, peerNames()); err != nil {
		return nil, err
	}
	if b.here, err = os.Getwd(); err != nil {
		return nil, err
	}
	for _, one := range []struct {
		from string
		to   *string
	}{{o.parity, &b.parity}, {o.before, &b.before}} {
		if one.from == "" {
			continue
		}
		if *one.to, err = filepath.Abs(one.from); err != nil {
			return nil, err
		}
	}
	if b.dir, err = os.MkdirTemp("", "peers-"); err != nil {
		return nil, err
	}
	if b.certificate, err = newCertificate(b.dir); err == nil {
		err = b.build(ctx)
	}
	if err != nil {
		b.close()
		return nil, err
	}
	return b, nil
}

func (b *bench) close() {
	if !b.kept {
		_ = os.RemoveAll(b.dir)
	}
}

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

// installed gives a program of others: the one on the path, or else one that is
// built into the user's cache the first time.
func (b *bench) installed(ctx context.Context, name, module string) (string, error) {
	if found, err := exec.LookPath(name); err == nil {
		return found, nil
	}
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
		return "", fmt.Errorf("go install %s: %w: %.200s", module, err, strings.TrimSpace(string(out)))
	}
	return binary, nil
}

// fromNPM gives a program of package.json, which is installed the first time.
func (b *bench) fromNPM(ctx context.Context, name string) (string, error) {
	binary := filepath.Join(b.here, "node_modules", ".bin", name)
	if _, err := os.Stat(binary); err == nil {
		return binary, nil
	}
	cmd := exec.CommandContext(ctx, "npm", "ci", "--no-audit", "--no-fund")
	cmd.Dir = b.here
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("npm ci: %w: %.200s", err, strings.TrimSpace(string(out)))
	}
	return binary, nil
}
