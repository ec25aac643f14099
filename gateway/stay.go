package gateway

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"parity/gateway/capture"
	"parity/gateway/journal"
	"parity/specs/file"
)

// upFile names, beside the runs, the gateway that is up.
const upFile = "gateway.json"

// up is what commands need to know of a gateway.
type up struct {
	PID int `json:"pid"`
	// Token is the control token where the gateway has drawn it: it is worth
	// nothing once that is gone. One that somebody chose is not written down.
	Token    string           `json:"token,omitempty"`
	Settings capture.Settings `json:"settings"` // of an agent in the first run
}

// Stay keeps a gateway up until ctx ends. Its error is a *MissedError where a
// record was to answer and did not have each call.
func Stay(ctx context.Context, s Settings, readyFile string, out io.Writer) (err error) {
	s.Resilient, s.Shared = true, s.Script == nil
	s = s.withDefaults()
	began := s.Wall.Now()
	srv, err := Open(ctx, s)
	if err != nil {
		return err
	}
	defer func() {
		done, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownTime)
		defer cancel()
		srv.settings.Log.Info("ending; a second signal ends at once", "why", context.Cause(ctx), "connections", srv.ingress.Connections(), "patience", shutdownTime)
		told := srv.settings.Wall.Now()
		switch cerr := srv.Close(done); {
		case heldUp(cerr):
			err = errors.Join(err, fmt.Errorf("%w: %w", ErrDefect, cerr))
		case errors.Is(cerr, context.DeadlineExceeded):
			srv.settings.Log.Warn("replies were still going out when the gateway ended, and were cut; the record says which", "patience", shutdownTime)
		case cerr != nil:
			err = errors.Join(err, cerr)
		}
		srv.settings.Log.Info("ended", "took", srv.settings.Wall.Now().Sub(told))
		if err == nil {
			err = srv.missed.told()
		}
	}()
	leave, err := srv.announce(ctx)
	if err != nil {
		return err
	}
	defer leave()
	data := srv.reachable(nearby)
	ready := fmt.Sprintf("ready\ndata     http://%s\ncontrol  http://%s\nrun      %s\n", data, srv.controlAt(nearby), srv.Run.ID)
	for _, name := range srv.first.revision.Load().names() {
		ready += fmt.Sprintf("service  http://%s/%s\n", data, name)
	}
	if readyFile != "" {
		if err := writeWhole(readyFile, []byte(ready)); err != nil {
			return &UsageError{fmt.Errorf("--ready-file: %w", err)}
		}
		defer removeOwn(readyFile, []byte(ready))
	}
	if _, err := io.WriteString(out, ready); err != nil {
		return err
	}
	p := srv.first.profile()
	srv.settings.Log.Info("the gateway is up", "version", Version, "data", srv.Addr(), "control", srv.Control(), "profile", srv.first.path, "revision", p.Revision,
		"run", srv.Run.ID, "took", srv.settings.Wall.Now().Sub(began))
	<-ctx.Done()
	return nil
}

// announce writes down where this gateway is, for commands to find it. The place
// of another one that is up is left to that.
func (s *Server) announce(ctx context.Context) (leave func(), err error) {
	env, err := s.environment(s.Run, s.reachable(nearby))
	if err != nil {
		return nil, err
	}
	if other, err := readUp(s.settings.Root); err == nil && other.Settings.ControlURL != env.ControlURL && other.answers(ctx, s.settings.Token) {
		s.settings.Log.Warn("commands find the other gateway that is up under this folder, and not this one: name it by --gateway, or set PARITY_DIR to another folder",
			"other", other.Settings.ControlURL, "this", env.ControlURL)
		return func() {}, nil
	}
	return s.announceIn(s.settings.Root, env)
}

// announceIn writes down in a folder where this gateway is.
func (s *Server) announceIn(dir string, env capture.Settings) (leave func(), err error) {
	self := up{PID: os.Getpid(), Settings: env}
	if s.settings.Token == "" {
		self.Token = s.token
	}
	text, err := json.MarshalIndent(self, "", "  ")
	if err != nil {
		return nil, err
	}
	text = append(text, '\n')
	name := filepath.Join(dir, upFile)
	if err := writeWhole(name, text); err != nil {
		return nil, fmt.Errorf("the gateway's own settings: %w", err)
	}
	return func() { removeOwn(name, text) }, nil
}

// removeOwn removes a file unless another gateway has written its own there.
func removeOwn(name string, text []byte) {
	if now, err := file.Read(name, file.Most); err == nil && bytes.Equal(now, text) {
		_ = os.Remove(name) // it says where nobody is; the next gateway writes its own
	}
}

// writeWhole writes a file so that whoever sees it sees all of it.
func writeWhole(name string, content []byte) error {
	draft, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+"-*")
	if err != nil {
		return err
	}
	_, err = draft.Write(content)
	if err = errors.Join(err, draft.Close()); err == nil {
		err = os.Rename(draft.Name(), name)
	}
	if err != nil {
		_ = os.Remove(draft.Name()) // what went wrong is told
	}
	return err
}

// ParseDurability reads what an answer promises about its record.
func ParseDurability(s string) (journal.Durability, error) {
	switch s {
	case "async":
		return journal.Async, nil
	case "sync":
		return journal.Sync, nil
	}
	return 0, &UsageError{fmt.Errorf("--durability %q: say async or sync", s)}
}
