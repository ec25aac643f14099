// Package isolation has an agent run where nothing gets around the gateway:
//
//	a run of a gateway ─┐
//	Options ────────────┴▶ Enter ─▶ Inside: a containment whose sockets the gateway serves,
//	                                 and the environment of an agent in it
package isolation

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"parity/cmd/internal/connection"
	"parity/faults/run"
	"parity/gateway"
	"parity/gateway/capture"
	"parity/gateway/contain"
	"parity/profiles"
	"parity/specs/words"
)

// Options say how an agent is isolated.
type Options struct {
	Level  contain.Level // "": it is not
	Env    []string      // names of variables that it gets besides those that each gets
	Files  contain.Files // besides the system's, its home, and what it needs of Parity's
	Limits contain.Limits
	Ports  []int // that come in besides 80 and 443
}

// Under is how an agent is isolated under a profile: as far as the command line
// says, else as far as the profile does, and with what the profile names. Its error
// has everything that is not here as the profile says. Where the profile names no
// files to write to, an agent may write to the folder that it is started in, but for
// its home: what is begun at the next login is there.
func (o Options) Under(p *profiles.Profile, parent []string) (Options, error) {
	on := profiles.NotIsolated
	if p.Isolation != nil {
		on = p.Isolation.On
	}
	switch {
	case o.Level != "":
	case on == profiles.WholeIsolated:
		o.Level = contain.Whole
	case on == profiles.NetIsolated:
		o.Level = contain.Network
	default:
		return o, nil
	}
	here, err := os.Getwd()
	if err != nil {
		return o, err
	}
	home, _ := os.UserHomeDir() //nolint:errcheck // none said is none
	has, err := p.Isolation.Here(profiles.Machine{Dir: here, Home: home, Environ: parent})
	if err != nil {
		return o, &gateway.UsageError{Err: err}
	}
	o.Env, o.Ports = has.Env, has.Ports
	o.Files = contain.Files{Write: has.Write, Show: has.Show, Hide: has.Hide}
	o.Limits = contain.Limits(has.Limits)
	switch {
	case here == "/": // which is seen in any case
	case len(has.Write) == 0 && here != home:
		o.Files.Write = []string{here}
	default:
		o.Files.Show = append(o.Files.Show, here)
	}
	return o, nil
}

// ExitRefused is what a command ends with where the machine allows no isolation.
const ExitRefused = 2

// Possible says why an agent cannot be isolated here, before anything else is done.
func Possible(ctx context.Context, o Options) error {
	if o.Level == "" {
		return nil
	}
	box, err := contain.Open(ctx, contain.Options{Level: o.Level})
	if err != nil {
		return err
	}
	return box.Close()
}

// Inside is a containment for an agent in one run.
type Inside struct {
	box    *contain.Box
	folder string // of the files that its environment points to
	env    capture.Settings
	parent []string
	why    string

	options contain.Options // of the box
}

// A Beginning is what Enter needs that takes some time: it is begun while a gateway
// opens. A nil one begins when it is needed.
type Beginning = contain.Beginning

// Begin begins to isolate an agent, where that is asked for; nil where it is not.
func Begin(o Options) (*Beginning, error) {
	if o.Level == "" {
		return nil, nil
	}
	return contain.Begin()
}

// Enter opens a containment for a run, and has the gateway serve it. Nothing is
// left of it after an error, which is a *contain.Refused where this machine allows
// none. What was begun is used up in any case.
func Enter(ctx context.Context, begun *Beginning, srv *gateway.Server, r *run.Run, o Options, parent []string) (*Inside, error) {
	given, err := allowed(parent, o.Env)
	if err != nil {
		err = &gateway.UsageError{Err: err}
	}
	if err == nil && begun == nil {
		begun, err = contain.Begin()
	}
	if err != nil {
		if begun != nil {
			begun.Leave()
		}
		return nil, err
	}
	in := &Inside{parent: given}
	if err = in.prepare(srv, o); err != nil {
		begun.Leave()
	} else {
		in.box, err = begun.Open(ctx, in.options)
	}
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(in.folder))
	}
	if err := srv.ServeBox(r, in.box); err != nil {
		return nil, errors.Join(err, in.Close())
	}
	in.env = connection.InRun(in.env, srv, r, fmt.Sprintf("127.0.0.1:%d", contain.ProxyPort))
	in.env.ControlURL = fmt.Sprintf("http://127.0.0.1:%d", contain.ControlPort)
	return in, nil
}

// prepare writes the files that an agent inside needs, where they can be seen: the
// gateway's own folder is covered.
func (in *Inside) prepare(srv *gateway.Server, o Options) (err error) {
	s := srv.Settings()
	if in.folder, err = os.MkdirTemp("", "parity-inside-"); err != nil {
		return err
	}
	if in.folder, err = filepath.EvalSymlinks(in.folder); err != nil {
		return err
	}
	if in.env, err = connection.WriteFiles(in.folder, srv.CA.CertPEM(), s, s.CA); err != nil {
		return err
	}
	in.options, err = boxOptions(srv, in.env, in.folder, o)
	return err
}

// boxOptions adds what each agent needs, and what none is to see.
func boxOptions(srv *gateway.Server, env capture.Settings, folder string, o Options) (contain.Options, error) {
	s := srv.Settings()
	options := contain.Options{Level: o.Level, Ports: o.Ports, Files: o.Files, Limits: o.Limits}
	options.Files.Show = append(slices.Clone(o.Files.Show), folder)
	options.Files.Hide = slices.Clone(o.Files.Hide)
	for _, own := range []string{s.Root, s.CA} {
		if path, err := filepath.Abs(own); err == nil && exists(path) {
			options.Files.Hide = append(options.Files.Hide, path)
		}
	}
	var err error
	options.Files.Lay, err = trusted(env)
	return options, err
}

// Environ is the environment of an agent inside.
func (in *Inside) Environ() []string { return in.env.Environ(in.parent) }

// Notes are sentences for the person who starts the agent: what of the parent's
// environment it does not get.
func (in *Inside) Notes(parent []string) []string {
	notes := in.env.Notes(in.parent)
	if names := dropped(parent, in.Environ()); len(names) > 0 {
		notes = append(notes, "the agent does not get "+words.And(names)+" of this environment: what it needs is named in the profile, as isolation: {env: [NAME]}")
	}
	return notes
}

// Start starts an agent inside.
func (in *Inside) Start(ctx context.Context, c capture.Command) (capture.Process, error) {
	agent, err := in.box.Start(ctx, contain.Command{
		Args: c.Args, Env: c.Env, Dir: c.Dir, Apart: c.Apart, Stdin: c.Stdin, Stdout: c.Stdout, Stderr: c.Stderr, Grace: c.Grace,
	})
	if err != nil {
		return nil, err
	}
	return process{agent, in}, nil
}

// process is an agent inside.
type process struct {
	*contain.Agent
	in *Inside
}

// Wait waits for its end.
func (p process) Wait() (int, error) {
	end, err := p.Agent.Wait()
	p.in.why = end.Why
	return end.Code, err
}

// Why is "", or the limit that ended the agent.
func (in *Inside) Why() string { return in.why }

// Close ends all that is inside.
func (in *Inside) Close() error { return errors.Join(in.box.Close(), os.RemoveAll(in.folder)) }

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
