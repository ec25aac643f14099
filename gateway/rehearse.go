package gateway

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"parity/gateway/capture"
	"parity/gateway/ingress"
	"parity/gateway/policy"
	"parity/gateway/report"
)

// ErrDefect marks a fault of Parity's own.
var ErrDefect = errors.New("a defect of Parity")

// shutdownTime is how long calls under way have when the agent has ended.
const shutdownTime = 3 * time.Second

// Rehearsal is one agent's run from start to report.
type Rehearsal struct {
	Settings
	Command        []string // the agent
	Shown          []string // what the report calls it; default Command
	Exit           string   // what decides the exit code: agent or verdict
	Environ        []string // the parent's
	Flags          []string // of a command that would do the same again, but for profile, seed and rule
	Stdin          io.Reader
	Stdout, Stderr io.Writer // the agent's; the report goes to Stderr
	Colour         bool
}

// Rehearse opens a gateway, runs the agent inside it, and reports. The code is
// what the process is to end with; an error means that nothing was started.
func Rehearse(ctx context.Context, r Rehearsal) (code int, err error) {
	if r.Exit != "agent" && r.Exit != "verdict" {
		return 0, &UsageError{fmt.Errorf("--exit %q: say agent or verdict", r.Exit)}
	}
	if !slices.Contains(r.Allow, policy.ModelAPIs) {
		r.Allow = append([]string{policy.ModelAPIs}, r.Allow...)
	}
	// A signal to us is passed on to the agent, once; the gateway ends after it.
	opened := context.WithoutCancel(ctx)
	srv, err := Open(opened, r.Settings)
	if err != nil {
		return 0, err
	}
	for _, w := range srv.Gateway.Profile().Warnings {
		fmt.Fprintf(r.Stderr, "parity: warning: %v\n", w)
	}
	began := srv.settings.Wall.Now()
	code, startErr := srv.runAgent(opened, r)
	took := srv.settings.Wall.Now().Sub(began)
	done, cancel := context.WithTimeout(opened, shutdownTime)
	defer cancel()
	closeErr := srv.Close(done)
	if startErr != nil {
		fmt.Fprintf(r.Stderr, "parity: %v\n", startErr)
		return code, nil
	}
	if closeErr != nil && !errors.Is(closeErr, context.DeadlineExceeded) {
		srv.settings.Log.Warn("closing", "error", closeErr)
	}
	return conclude(srv, r, code, took)
}

// runAgent starts the agent with everything set so that it is captured.
func (s *Server) runAgent(ctx context.Context, r Rehearsal) (int, error) {
	env, err := s.environment()
	if err != nil {
		return 126, err
	}
	for _, note := range env.Notes(r.Environ) {
		fmt.Fprintf(r.Stderr, "parity: %s\n", note)
	}
	return capture.Start(ctx, capture.Command{
		Args: r.Command, Env: env.Environ(r.Environ), Stdin: r.Stdin, Stdout: r.Stdout, Stderr: r.Stderr,
	})
}

// environment writes the files that an agent's environment points to, beside
// the run, and gives the settings.
func (s *Server) environment() (capture.Settings, error) {
	dir, err := filepath.Abs(s.Dir())
	if err != nil {
		return capture.Settings{}, err
	}
	bundle := filepath.Join(dir, "ca-bundle.pem")
	f, err := os.Create(bundle)
	if err != nil {
		return capture.Settings{}, fmt.Errorf("certificate bundle: %w", err)
	}
	err = s.CA.Bundle(f, s.settings.Getenv)
	if errors.Is(err, ingress.ErrNoSystemRoots) {
		s.settings.Log.Warn("certificate bundle", "error", err)
		err = nil
	}
	if err := errors.Join(err, f.Close()); err != nil {
		return capture.Settings{}, err
	}
	extra := filepath.Join(dir, "ca-extra.pem")
	if err := os.WriteFile(extra, s.extraCerts(), 0o600); err != nil {
		return capture.Settings{}, fmt.Errorf("certificates for Node: %w", err)
	}
	preload, err := capture.WritePreload(dir)
	if err != nil {
		return capture.Settings{}, err
	}
	return capture.Settings{
		ProxyURL: "http://" + s.Run.ID + ":" + s.Run.Token + "@" + s.Addr(), TLSAddr: s.Addr(), PlainAddr: s.Addr(),
		BundlePath: bundle, CAPath: extra, PreloadPath: preload,
		ControlURL: "http://" + s.Control(), Run: s.Run.ID, Token: s.token,
	}, nil
}

// extraCerts is what Node is to trust besides its own roots: our certificate,
// and what it was told to trust already.
func (s *Server) extraCerts() []byte {
	certs := s.CA.CertPEM()
	name := s.settings.Getenv("NODE_EXTRA_CA_CERTS")
	if name == "" {
		return certs
	}
	more, err := os.ReadFile(name)
	if err != nil {
		s.settings.Log.Warn("NODE_EXTRA_CA_CERTS is left out", "error", err)
		return certs
	}
	return append(append(more, '\n'), certs...)
}

// conclude judges the run, prints the report, and gives the exit code.
func conclude(srv *Server, r Rehearsal, agentExit int, took time.Duration) (int, error) {
	kept, err := Read(srv.Dir())
	if err != nil {
		return 0, errors.Join(ErrDefect, err)
	}
	shown := r.Shown
	if shown == nil {
		shown = r.Command
	}
	kept.Outcome = outcome{
		Profile: r.Profile, Command: shown, Flags: r.Flags, Exit: r.Exit,
		Agent: &report.Agent{Started: true, Exit: agentExit, Took: took},
	}
	if err := kept.keep(srv.Dir()); err != nil {
		srv.settings.Log.Warn("what the agent ended with is not kept", "error", err)
	}
	rep := kept.Report()
	if err := report.Terminal(r.Stderr, rep, report.Options{Color: r.Colour}); err != nil {
		return 0, errors.Join(ErrDefect, err)
	}
	return rep.Exit, nil
}
