package gateway

import (
	"io"
	"log/slog"
	"os"
	"path/filepath"

	"parity/fakes"
	"parity/fakes/clock"
	"parity/gateway/journal"
	"parity/profiles"
)

// Version is Parity's own.
const Version = "0.1.0"

// Settings say how a gateway is opened. Paths may be relative to the current
// folder.
type Settings struct {
	Root       string             // where runs are kept; default .parity
	CA         string             // where the CA is kept; default a folder of the user's own
	Profile    string             // a file, or a name in the library; default baseline
	Only       []string           // names of rules: all others are switched off
	Seed       *uint64            // default: the profile's, else one drawn
	Allow      []string           // hosts that may be tunnelled, besides the profile's
	Data       string             // address of the data port; default 127.0.0.1:0
	Control    string             // address of the control port; default 127.0.0.1:0
	Token      string             // of the control port; default one drawn
	Resilient  bool               // opens over a broken profile with its last good revision
	Durability journal.Durability // what an answer promises about its record
	MaxBody    int64              // bytes; default 10 MiB
	Getenv     func(string) string
	Wall       clock.Wall
	Log        *slog.Logger
	Before     func(Step) // called as each step of an exchange begins, for tests
}

func (s Settings) withDefaults() Settings {
	if s.Root == "" {
		s.Root = ".parity"
	}
	if s.Getenv == nil {
		s.Getenv = os.Getenv
	}
	if s.CA == "" {
		s.CA = CAFolder(s.Getenv)
	}
	if s.Profile == "" {
		s.Profile = "baseline"
	}
	if s.Data == "" {
		s.Data = "127.0.0.1:0"
	}
	if s.Control == "" {
		s.Control = "127.0.0.1:0"
	}
	if s.Wall == nil {
		s.Wall = clock.System{}
	}
	if s.Log == nil {
		s.Log = slog.New(slog.NewTextHandler(io.Discard, nil))
	}
	return s
}

// CAFolder is where this user's CA is kept: PARITY_HOME, else a folder in the
// user's configuration.
func CAFolder(getenv func(string) string) string {
	if home := getenv("PARITY_HOME"); home != "" {
		return filepath.Join(home, "ca")
	}
	if config, err := os.UserConfigDir(); err == nil {
		return filepath.Join(config, "parity", "ca")
	}
	return filepath.Join(".parity", "ca")
}

func (s Settings) profileOptions(catalogue *fakes.Catalogue) profiles.Options {
	return profiles.Options{Catalogue: catalogue, Wall: s.Wall, Log: s.Log}
}

// putAside keeps a profile for a restart over a broken one.
func (s Settings) putAside(p *profiles.Profile, o profiles.Options) {
	if err := profiles.Keep(s.lastGood(), s.Profile, p, o); err != nil {
		s.Log.Warn("the profile is not put aside for a restart", "error", err)
	}
}

func (s Settings) lastGood() string { return filepath.Join(s.Root, "last-good") }

func (s Settings) runs() string { return filepath.Join(s.Root, "runs") }
