package gateway

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"parity/gateway/capture"
	"parity/gateway/client"
	"parity/gateway/ingress"
)

// PrintEnvironment prints the variables that capture an agent, for the gateway at
// a control URL, or where that is empty the one that is up under the settings'
// root; and for one of its runs where that is named. What the variables point to
// is written here.
func PrintEnvironment(ctx context.Context, w io.Writer, s Settings, url, run, format string) error {
	env, err := environmentOf(ctx, s.withDefaults(), url, run)
	if err != nil {
		return err
	}
	if err := env.Print(w, format); err != nil {
		return &UsageError{err}
	}
	return nil
}

func environmentOf(ctx context.Context, s Settings, url, run string) (capture.Settings, error) {
	if url != "" {
		return environmentElsewhere(ctx, s, url, run)
	}
	found, err := readUp(s.Root)
	if err != nil {
		return capture.Settings{}, err
	}
	c, err := found.alive(ctx, s.Token)
	if err != nil || run == "" {
		return found.Settings, err
	}
	r, err := liveRun(ctx, c, run)
	if err == nil {
		found.Settings.Run, found.Settings.Token, found.Settings.ProxyURL = r.ID, r.Token, r.URLs.Proxy
	}
	return found.Settings, err
}

func environmentElsewhere(ctx context.Context, s Settings, url, run string) (capture.Settings, error) {
	c, err := Connect(s.Root, url, s.Token)
	if err != nil {
		return capture.Settings{}, err
	}
	g, err := trusted(ctx, c)
	if err != nil {
		return capture.Settings{}, err
	}
	if run == "" {
		run = g.FirstRun
	}
	r, err := liveRun(ctx, c, run)
	if err == nil {
		err = s.root()
	}
	if err != nil {
		return capture.Settings{}, err
	}
	return environmentAt(c, g, r, s.Root, s)
}

// liveRun is a run that an agent can be in.
func liveRun(ctx context.Context, c *client.Client, run string) (client.Run, error) {
	r, err := c.Run(ctx, run)
	if err == nil && r.URLs == nil {
		err = fmt.Errorf("run %s has ended: make another with `parity runs new`", run)
	}
	if err != nil {
		return client.Run{}, &UsageError{err}
	}
	return r, nil
}

// trusted tells of a gateway elsewhere whose certificate agents here are to trust.
func trusted(ctx context.Context, c *client.Client) (client.Gateway, error) {
	g, err := c.Gateway(ctx)
	if err != nil {
		return g, &UsageError{err}
	}
	if err := ingress.CheckAuthority([]byte(g.CA)); err != nil {
		return g, &UsageError{fmt.Errorf("the gateway's certificate: %w", err)}
	}
	return g, nil
}

// environmentAt is the environment of an agent in a run of a gateway elsewhere.
// What it points to is written into a folder of dir.
func environmentAt(c *client.Client, g client.Gateway, run client.Run, dir string, s Settings) (capture.Settings, error) {
	env, err := surround(dir, []byte(g.CA), s)
	if err != nil {
		return env, err
	}
	data := run.URLs.Proxy[strings.LastIndexByte(run.URLs.Proxy, '@')+1:]
	env.ProxyURL, env.TLSAddr, env.PlainAddr = run.URLs.Proxy, data, data
	env.ControlURL, env.Run, env.Token = c.URL(), run.ID, run.Token
	return env, nil
}

// ErrNotReady is the error of Health: a gateway takes no traffic, and why.
var ErrNotReady = errors.New("not ready")

// Health asks whether the gateway at a control URL takes traffic, or where that is
// empty the one under root, and writes one line of what it says.
func Health(ctx context.Context, w io.Writer, root, url string) error {
	c, err := Connect(root, url, "")
	if err == nil {
		ctx, cancel := context.WithTimeout(ctx, answerTime)
		defer cancel()
		err = c.Ready(ctx)
	}
	if errors.Is(err, context.DeadlineExceeded) {
		err = fmt.Errorf("%s does not answer within %v", c.URL(), answerTime)
	}
	if err != nil {
		_, werr := fmt.Fprintf(w, "%v: %v\n", ErrNotReady, err)
		return errors.Join(ErrNotReady, werr)
	}
	_, err = fmt.Fprintf(w, "ready: %s\n", c.URL())
	return err
}
