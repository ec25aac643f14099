package rehearsal

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"parity/cmd/internal/connection"
	"parity/cmd/internal/reports"
	"parity/fakes/clock"
	"parity/gateway/capture"
	"parity/gateway/client"
	"parity/gateway/report"
)

// Remote is where a rehearsal's gateway is, when it is a shared one, and what
// its run there is to be.
type Remote struct {
	URL  string // control URL
	Name string // of the run; "": the gateway chooses
	TTL  string // the run ends after so long, whatever becomes of the agent
	Keep bool   // the run goes on when the agent has ended
}

// RunRemote runs an agent in a run of its own on a gateway that is up,
// and reports. The code is what the process is to end with; an error means that
// nothing was started.
func RunRemote(ctx context.Context, p Plan, at Remote) (code int, err error) {
	if err := reports.Prepare(p.Reports); err != nil {
		return 0, err
	}
	profile := p.Profile
	p.Settings = p.WithDefaults()
	p.Profile = profile // unnamed, it is the gateway's to choose
	c, err := connection.Connect(p.Root, at.URL, p.Token)
	if err != nil {
		return 0, err
	}
	g, err := connection.Trusted(ctx, c)
	if err != nil {
		return 0, err
	}
	run, err := newRemote(ctx, c, p, at)
	if err != nil {
		return 0, err
	}
	dir, err := os.MkdirTemp("", "parity-"+run.ID+"-")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	env, err := connection.Remote(ctx, c, g, run, dir, p.Settings)
	if err != nil {
		return 0, err
	}
	return p.remote(context.WithoutCancel(ctx), c, run, env, at)
}

// newRemote makes the run.
func newRemote(ctx context.Context, c *client.Client, p Plan, at Remote) (client.Run, error) {
	n := client.NewRun{TTL: at.TTL, Profile: p.Profile, Stage: p.Stage, Agent: p.Agent}
	if at.Name != "" {
		n.Names = []string{at.Name}
	}
	if p.Seed != nil {
		n.Seed = fmt.Sprint(*p.Seed)
	}
	made, err := c.Make(ctx, n)
	if err != nil {
		return client.Run{}, err
	}
	return made[0], nil
}

// remote runs the agent and has the gateway judge its run.
func (p Plan) remote(ctx context.Context, c *client.Client, run client.Run, env capture.Settings, at Remote) (int, error) {
	for _, note := range env.Notes(p.Environ) {
		fmt.Fprintf(p.Stderr, "parity: %s\n", note)
	}
	began := clock.System{}.Now()
	code, startErr := capture.Start(ctx, capture.Command{
		Args: p.Command, Env: env.Environ(p.Environ), Stdin: p.Stdin, Stdout: p.Stdout, Stderr: p.Stderr,
	})
	if startErr != nil {
		fmt.Fprintf(p.Stderr, "parity: %v\n", startErr)
		return code, c.Remove(ctx, run.ID)
	}
	if !at.Keep {
		took := clock.System{}.Now().Sub(began)
		if _, err := c.End(ctx, run.ID, &client.End{
			Command: p.Command, Flags: append([]string{"--gateway", c.URL()}, p.Flags...), Exit: code, Decides: p.Exit, Took: took.String(),
		}); err != nil {
			return 0, errors.Join(ErrDefect, err)
		}
	}
	fmt.Fprintln(p.Stderr)
	if err := c.Report(ctx, p.Stderr, run.ID, "text"); err != nil {
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
	reports.WriteAll(ctx, p.Stderr, p.Reports, p.Getenv(reports.CollectorHeaders), func(w io.Writer, f report.Format) error { return c.Report(ctx, w, run.ID, f.Name) })
	return rep.Exit, nil
}
