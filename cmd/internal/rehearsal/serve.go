package rehearsal

import (
	"context"
	"errors"
	"fmt"
	"io"

	"parity/cmd/internal/connection"
	"parity/gateway"
	"parity/specs/file"
)

// Serve keeps a gateway up until ctx ends. Its error is a *kept.MissedError
// where a record was to answer and did not have each call.
func Serve(ctx context.Context, s gateway.Settings, readyFile string, out io.Writer) (err error) {
	s.Resilient, s.Shared = true, s.Script == nil
	s = s.WithDefaults()
	began := s.Wall.Now()
	srv, err := gateway.Open(ctx, s)
	if err != nil {
		return err
	}
	defer func() {
		done, cancel := context.WithTimeout(context.WithoutCancel(ctx), ShutdownTime)
		defer cancel()
		s.Log.Info("ending; a second signal ends at once", "why", context.Cause(ctx), "connections", srv.Connections(), "patience", ShutdownTime)
		told := s.Wall.Now()
		switch cerr := srv.Close(done); {
		case gateway.HeldUp(cerr):
			err = errors.Join(err, fmt.Errorf("%w: %w", ErrDefect, cerr))
		case errors.Is(cerr, context.DeadlineExceeded):
			s.Log.Warn("replies were still going out when the gateway ended, and were cut; the record says which", "patience", ShutdownTime)
		case cerr != nil:
			err = errors.Join(err, cerr)
		}
		s.Log.Info("ended", "took", s.Wall.Now().Sub(told))
		if err == nil {
			err = srv.Missed()
		}
	}()
	env, err := connection.InFirstRun(srv)
	if err != nil {
		return err
	}
	leave, err := connection.Announce(ctx, srv, env)
	if err != nil {
		return err
	}
	defer leave()
	data, control := srv.Nearby()
	ready := fmt.Sprintf("ready\ndata     http://%s\ncontrol  http://%s\nrun      %s\n", data, control, srv.Run.ID)
	for _, name := range srv.Services() {
		ready += fmt.Sprintf("service  http://%s/%s\n", data, name)
	}
	if readyFile != "" {
		if err := file.WriteWhole(readyFile, []byte(ready)); err != nil {
			return fmt.Errorf("--ready-file: %w", err)
		}
		defer connection.RemoveOwn(readyFile, []byte(ready))
	}
	if _, err := io.WriteString(out, ready); err != nil {
		return err
	}
	p := srv.Profile()
	s.Log.Info("the gateway is up", "version", gateway.Version, "data", srv.Addr(), "control", srv.Control(), "profile", s.Profile, "revision", p.Revision,
		"run", srv.Run.ID, "took", s.Wall.Now().Sub(began))
	<-ctx.Done()
	return nil
}
