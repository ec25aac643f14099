package gateway

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"parity/fakes/clock"
	"parity/gateway/capture"
	"parity/gateway/client"
)

// Elsewhere is where a rehearsal's gateway is, when it is a shared one, and what
// its run there is to be.
type Elsewhere struct {
	URL  string // control URL
	Name string // of the run; "": the gateway chooses
	TTL  string // the run ends after so long, whatever becomes of the agent
	Keep bool   // the run goes on when the agent has ended
}

// RehearseElsewhere runs an agent in a run of its own on a gateway that is up,
// and reports. The code is what the process is to end with; an error means that
// nothing was started.
func RehearseElsewhere(ctx context.Context, r Rehearsal, at Elsewhere) (code int, err error) {
	if err := prepare(r.Reports); err != nil {
		return 0, err
	}
	profile := r.Profile
	r.Settings = r.withDefaults()
	r.Profile = profile // unnamed, it is the gateway's to choose
	c, err := Connect(r.Root, at.URL, r.Token)
	if err != nil {
		return 0, err
	}
	g, err := trusted(ctx, c)
	if err != nil {
		return 0, err
	}
	run, err := newElsewhere(ctx, c, r, at)
	if err != nil {
		return 0, err
	}
	dir, err := os.MkdirTemp("", "parity-"+run.ID+"-")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	env, err := environmentAt(c, g, run, dir, r.Settings)
	if err != nil {
		return 0, err
	}
	return r.elsewhere(context.WithoutCancel(ctx), c, run, env, at)
}

// newElsewhere makes the run.
func newElsewhere(ctx context.Context, c *client.Client, r Rehearsal, at Elsewhere) (client.Run, error) {
	n := client.NewRun{TTL: at.TTL, Profile: r.Profile}
	if at.Name != "" {
		n.Names = []string{at.Name}
	}
	if r.Seed != nil {
		n.Seed = fmt.Sprint(*r.Seed)
	}
	made, err := c.Make(ctx, n)
	if err != nil {
		return client.Run{}, &UsageError{err}
	}
	return made[0], nil
}

// elsewhere runs the agent and has the gateway judge its run.
func (r Rehearsal) elsewhere(ctx context.Context, c *client.Client, run client.Run, env capture.Settings, at Elsewhere) (int, error) {
	for _, note := range env.Notes(r.Environ) {
		fmt.Fprintf(r.Stderr, "parity: %s\n", note)
	}
	began := clock.System{}.Now()
	code, startErr := capture.Start(ctx, capture.Command{
		Args: r.Command, Env: env.Environ(r.Environ), Stdin: r.Stdin, Stdout: r.Stdout, Stderr: r.Stderr,
	})
	if startErr != nil {
		fmt.Fprintf(r.Stderr, "parity: %v\n", startErr)
		return code, c.Remove(ctx, run.ID)
	}
	if !at.Keep {
		took := clock.System{}.Now().Sub(began)
		if _, err := c.End(ctx, run.ID, &client.End{
			Command: r.Command, Flags: append([]string{"--gateway", c.URL()}, r.Flags...), Exit: code, Decides: r.Exit, Took: took.String(),
		}); err != nil {
			return 0, errors.Join(ErrDefect, err)
		}
	}
	fmt.Fprintln(r.Stderr)
	if err := c.Report(ctx, r.Stderr, run.ID, "text"); err != nil {
		return 0, errors.Join(ErrDefect, err)
	}
	var judged bytes.Buffer
	if err := c.Report(ctx, &judged, run.ID, "json"); err != nil {
		return 0, errors.Join(ErrDefect, err)
	}
	var rep struct {
		Exit int `json:"exit"`
	}
	if err := json.Unmarshal(judged.Bytes(), &rep); err != nil {
		return 0, errors.Join(ErrDefect, err)
	}
	writeReports(ctx, r.Stderr, r.Reports, r.Getenv(collectorHeaders), func(w io.Writer, f format) error { return c.Report(ctx, w, run.ID, f.name) })
	return rep.Exit, nil
}
