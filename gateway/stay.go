package gateway

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"parity/gateway/capture"
	"parity/gateway/journal"
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

// Stay keeps a gateway up until ctx ends.
func Stay(ctx context.Context, s Settings, readyFile string, out io.Writer) (err error) {
	s.Resilient, s.Shared = true, s.Script == nil
	srv, err := Open(ctx, s)
	if err != nil {
		return err
	}
	defer func() {
		done, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownTime)
		defer cancel()
		if cerr := srv.Close(done); cerr != nil && !errors.Is(cerr, context.DeadlineExceeded) {
			err = errors.Join(err, cerr)
		}
	}()
	env, err := srv.environment(srv.Run, srv.Addr())
	if err != nil {
		return err
	}
	named := filepath.Join(srv.settings.Root, upFile)
	self := up{PID: os.Getpid(), Settings: env}
	if srv.settings.Token == "" {
		self.Token = srv.token
	}
	text, err := json.MarshalIndent(self, "", "  ")
	if err != nil {
		return err
	}
	if err := writeWhole(named, append(text, '\n')); err != nil {
		return fmt.Errorf("the gateway's own settings: %w", err)
	}
	defer removeOwn(named, text)
	ready := fmt.Sprintf("ready\ndata     http://%s\ncontrol  http://%s\nrun      %s\n", srv.Addr(), srv.Control(), srv.Run.ID)
	for _, name := range srv.first.revision.Load().names() {
		ready += fmt.Sprintf("service  http://%s/%s\n", srv.Addr(), name)
	}
	if readyFile != "" {
		if err := writeWhole(readyFile, []byte(ready)); err != nil {
			return &UsageError{fmt.Errorf("--ready-file: %w", err)}
		}
		defer os.Remove(readyFile)
	}
	if _, err := io.WriteString(out, ready); err != nil {
		return err
	}
	<-ctx.Done()
	return nil
}

// removeOwn removes a file unless another gateway has written its own there.
func removeOwn(name string, text []byte) {
	if now, err := os.ReadFile(name); err == nil && string(now) == string(text)+"\n" {
		_ = os.Remove(name) // it says where nobody is; the next gateway writes its own
	}
}

// writeWhole writes a file so that whoever sees it sees all of it.
func writeWhole(name string, content []byte) error {
	draft := name + ".new"
	if err := os.WriteFile(draft, content, 0o600); err != nil {
		return err
	}
	return os.Rename(draft, name)
}

// PrintEnvironment prints the variables that capture an agent, for the gateway
// that is up under root, and for one of its runs where that is named.
func PrintEnvironment(ctx context.Context, w io.Writer, root, token, run, format string) error {
	found, err := readUp(root)
	if err != nil {
		return err
	}
	c, err := found.alive(ctx, token)
	if err != nil {
		return err
	}
	if run != "" {
		r, err := c.Run(ctx, run)
		if err != nil {
			return &UsageError{err}
		}
		found.Settings.Run, found.Settings.Token, found.Settings.ProxyURL = r.ID, r.Token, r.URLs.Proxy
	}
	if err := found.Settings.Print(w, format); err != nil {
		return &UsageError{err}
	}
	return nil
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
