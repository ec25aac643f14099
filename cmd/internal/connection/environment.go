package connection

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"parity/gateway"
	"parity/gateway/capture"
	"parity/gateway/client"
	"parity/gateway/ingress"
)

// PrintEnvironment prints the variables that capture an agent, for the gateway at
// a control URL, or where that is empty the one that is up under the settings'
// root; and for one of its runs where that is named. What the variables point to
// is written here.
func PrintEnvironment(ctx context.Context, w io.Writer, s gateway.Settings, url, run, format string) error {
	env, err := environmentOf(ctx, s.WithDefaults(), url, run)
	if err != nil {
		return err
	}
	return env.Print(w, format)
}

func environmentOf(ctx context.Context, s gateway.Settings, url, run string) (capture.Settings, error) {
	if url != "" {
		return environmentAt(ctx, s, url, run)
	}
	found, err := readUp(s.Root)
	if err != nil {
		return capture.Settings{}, err
	}
	c, err := found.alive(ctx, s.Token)
	if err == nil && run != "" {
		var r client.Run
		if r, err = runningRun(ctx, c, run); err == nil {
			found.Settings.Run, found.Settings.Token, found.Settings.ProxyURL = r.ID, r.Token, r.URLs.Proxy
		}
	}
	if err != nil {
		return found.Settings, err
	}
	found.Settings.Minted, err = mintedFor(ctx, c, found.Settings.Run)
	var refused *client.Error
	if errors.As(err, &refused) && refused.Code == "run-ended" && run == "" {
		err = nil // clients that name no run are in another by now
	}
	return found.Settings, err
}

func environmentAt(ctx context.Context, s gateway.Settings, url, run string) (capture.Settings, error) {
	c, err := Connect(s.Root, url, s.Token)
	if err != nil {
		return capture.Settings{}, err
	}
	g, err := Trusted(ctx, c)
	if err != nil {
		return capture.Settings{}, err
	}
	if run == "" {
		run = g.FirstRun
	}
	r, err := runningRun(ctx, c, run)
	if err == nil {
		err = s.MakeRoot()
	}
	if err != nil {
		return capture.Settings{}, err
	}
	return Remote(ctx, c, g, r, s.Root, s)
}

// mintedFor are the credentials that were made for a run, by the variable that is to
// have them.
func mintedFor(ctx context.Context, c *client.Client, run string) (map[string]string, error) {
	all, err := c.Credentials(ctx, run, true)
	given := map[string]string{}
	for _, one := range all {
		if one.Variable != "" {
			given[one.Variable] = one.Value
		}
	}
	return given, err
}

// runningRun is a run that an agent can be in.
func runningRun(ctx context.Context, c *client.Client, run string) (client.Run, error) {
	r, err := c.Run(ctx, run)
	if err == nil && r.URLs == nil {
		err = fmt.Errorf("run %s has ended: make another with `parity runs new`", run)
	}
	if err != nil {
		return client.Run{}, err
	}
	return r, nil
}

// Trusted tells of a remote gateway whose certificate agents here are to trust.
func Trusted(ctx context.Context, c *client.Client) (client.Gateway, error) {
	g, err := c.Gateway(ctx)
	if err != nil {
		return g, err
	}
	if err := ingress.CheckAuthority([]byte(g.CA)); err != nil {
		return g, fmt.Errorf("the gateway's certificate: %w", err)
	}
	return g, nil
}

// Remote is the environment of an agent in a run of a remote gateway.
// What it points to is written into a folder of dir.
func Remote(ctx context.Context, c *client.Client, g client.Gateway, run client.Run, dir string, s gateway.Settings) (capture.Settings, error) {
	env, err := WriteFiles(dir, []byte(g.CA), s, "")
	if err != nil {
		return env, err
	}
	data := run.URLs.Proxy[strings.LastIndexByte(run.URLs.Proxy, '@')+1:]
	env.ProxyURL, env.TLSAddr, env.PlainAddr = run.URLs.Proxy, data, data
	env.ControlURL, env.Run, env.Token = c.URL(), run.ID, run.Token
	env.Minted, err = mintedFor(ctx, c, run.ID)
	return env, err
}
