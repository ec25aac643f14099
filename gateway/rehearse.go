package gateway

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"parity/faults/run"
	"parity/gateway/capture"
	"parity/gateway/journal"
	"parity/gateway/report"
	"parity/profiles/policy"
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
	Stdout, Stderr io.Writer  // the agent's; the report goes to Stderr
	Look                      // at the report in a terminal
	Arm            []Arming   // rules that are in force beside those of the profile
	Reports        []ReportTo // that are written at the end

	twin  *report.Twin    // that it goes beside; nil: none
	until <-chan struct{} // when it is closed, the agent is ended, which runs apart; nil: it ends by itself
	calm  bool            // it is the twin: what it writes is kept, and not shown
}

// Rehearse opens a gateway, runs the agent inside it, and reports. The code is
// what the process is to end with; an error means that nothing was started.
func Rehearse(ctx context.Context, r Rehearsal) (code int, err error) {
	_, code, err = RehearseNamed(ctx, r)
	return code, err
}

// RehearseNamed is Rehearse, and gives the run's name too; "" where the agent
// could not be started.
func RehearseNamed(ctx context.Context, r Rehearsal) (run string, code int, err error) {
	if err := r.check(); err != nil {
		return "", 0, err
	}
	srv, code, err := r.run(ctx)
	if err != nil || srv == nil {
		return "", code, err
	}
	code, err = conclude(context.WithoutCancel(ctx), srv, r)
	return srv.Run.ID, code, err
}

// check refuses what cannot be done before anything is.
func (r *Rehearsal) check() error {
	if r.Exit != "agent" && r.Exit != "verdict" {
		return &UsageError{fmt.Errorf("--exit %q: say agent or verdict", r.Exit)}
	}
	return prepare(r.Reports)
}

// run opens a gateway and runs the agent inside it. The gateway is closed by
// then; it is nil where the agent could not be started, which is said, and of
// which nothing is kept.
func (r Rehearsal) run(ctx context.Context) (srv *Server, code int, err error) {
	r.allowModels()
	// A signal to us is passed on to the agent, once; the gateway ends after it.
	opened := context.WithoutCancel(ctx)
	if srv, err = Open(opened, r.Settings); err != nil {
		return nil, 0, err
	}
	if !r.calm { // the run beside it says the same
		srv.warn(r.Stderr)
	}
	if err := srv.arm(opened, r.Arm); err != nil {
		return nil, 0, errors.Join(err, srv.Close(opened), srv.forget(srv.Run.ID))
	}
	env, err := srv.environment(srv.Run, srv.reachable(nearby))
	leave := func() {}
	if err == nil { // commands that name the run find its gateway while it goes on
		leave, err = srv.announceIn(srv.dir, env)
	}
	if err != nil {
		return nil, 0, errors.Join(err, srv.Close(opened), srv.forget(srv.Run.ID))
	}
	defer leave()
	var said tail
	began := srv.settings.Wall.Now()
	code, startErr := srv.runAgent(opened, r, env, &said)
	if startErr == nil {
		agent := report.Agent{Started: true, Exit: code, Took: srv.settings.Wall.Now().Sub(began)}
		came := outcome{Twin: r.twin}
		if srv.asksOutput() {
			came.Said = lastLines(said.masked())
		}
		srv.keepOutcome(srv.Run.ID, r.as(came, agent))
	}
	done, cancel := context.WithTimeout(opened, shutdownTime)
	defer cancel()
	closeErr := srv.Close(done)
	if startErr != nil {
		fmt.Fprintf(r.Stderr, "parity: %v\n", startErr)
		return nil, code, srv.forget(srv.Run.ID)
	}
	if closeErr != nil && (heldUp(closeErr) || !errors.Is(closeErr, context.DeadlineExceeded)) {
		srv.settings.Log.Warn("closing", "error", closeErr)
	}
	if r.calm {
		err = srv.keepSaid(srv.Run.ID, said.masked())
	}
	return srv, code, err
}

// allowModels lets the agent reach its model, which nothing here plays.
func (s *Settings) allowModels() {
	if !slices.Contains(s.Allow, policy.ModelAPIs) {
		s.Allow = append([]string{policy.ModelAPIs}, s.Allow...)
	}
}

// warn says what lint warns of in the profile that the gateway was opened with.
func (s *Server) warn(w io.Writer) {
	for _, warning := range s.first.profile().Warnings {
		fmt.Fprintf(w, "parity: %v\n", warning)
	}
}

// forget removes the store in which nothing was started, so that nobody takes
// its run for the last one.
func (s *Server) forget(run string) error {
	if err := journal.UnsetLast(s.settings.runs(), run); err != nil {
		return err
	}
	return os.RemoveAll(s.dir)
}

// runAgent starts the agent with everything set so that it is captured.
func (s *Server) runAgent(ctx context.Context, r Rehearsal, env capture.Settings, said *tail) (int, error) {
	agent := capture.Command{Args: r.Command, Env: env.Environ(r.Environ), Stdin: r.Stdin, Stdout: r.Stdout, Stderr: r.Stderr}
	if r.until != nil {
		var end context.CancelCauseFunc
		ctx, end = context.WithCancelCause(ctx)
		defer end(nil)
		go func() {
			select {
			case <-r.until:
				end(errors.New("a file was saved"))
			case <-ctx.Done():
			}
		}()
		agent.Apart, agent.Stdin = true, nil
	}
	if r.calm {
		agent.Stdout, agent.Stderr = said, said
		return capture.Start(ctx, agent)
	}
	for _, note := range env.Notes(r.Environ) {
		fmt.Fprintf(r.Stderr, "parity: %s\n", note)
	}
	if s.asksOutput() { // else the agent has the terminal itself
		agent.Stdout, agent.Stderr = said.beside(r.Stdout, r.Stderr)
	}
	return capture.Start(ctx, agent)
}

// environment writes the files that an agent's environment points to, and gives
// the settings.
func (s *Server) environment(r *run.Run, data string) (capture.Settings, error) {
	e, err := surround(s.settings.Root, s.CA.CertPEM(), s.settings)
	return s.around(e, r, data), err
}

// around is the environment of an agent in a run that answers at a data port.
func (s *Server) around(e capture.Settings, r *run.Run, data string) capture.Settings {
	e.ProxyURL = "http://" + r.ID + ":" + r.Token + "@" + data
	e.TLSAddr, e.PlainAddr, e.ControlURL = data, data, "http://"+s.controlAt(nearby)
	e.Run, e.Token = r.ID, r.Token
	return e
}

// conclude judges the run, prints the report, writes those that were asked for,
// and gives the exit code.
func conclude(ctx context.Context, srv *Server, r Rehearsal) (int, error) {
	rep, err := concluded(ctx, srv, r)
	return rep.Exit, err
}

// concluded is conclude, and gives the report.
func concluded(ctx context.Context, srv *Server, r Rehearsal) (report.Report, error) {
	kept, err := Read(srv.settings.Root, srv.Run.ID)
	if err != nil {
		return report.Report{}, errors.Join(ErrDefect, err)
	}
	rep := kept.Report()
	fmt.Fprintln(r.Stderr) // the agent's own last line is not part of it
	if err := report.Terminal(r.Stderr, rep, r.Look.options()); err != nil {
		return report.Report{}, errors.Join(ErrDefect, err)
	}
	writeReports(ctx, r.Stderr, r.Reports, srv.settings.Getenv(collectorHeaders), kept.reportIn(func() report.Report { return rep }))
	return rep, nil
}
