package gateway

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"slices"
	"time"

	"parity/fakes"
	"parity/fakes/clock"
	"parity/gateway/exchange"
	"parity/gateway/journal"
	"parity/gateway/kept"
	"parity/profiles"
	"parity/profiles/policy"
)

// Version is Parity's own.
const Version = kept.Version

// Settings say how a gateway is opened. Paths may be relative to the current
// folder.
type Settings struct {
	Root       string                        // where runs are kept; default .parity
	CA         string                        // where the CA is kept; default a folder of the user's own
	Profile    string                        // a file, or a name in the library, or layers of them (profiles.Layers); default baseline, or with Contracts profiles.Bare
	Contracts  []profiles.Added              // services besides those of the profile
	Stateless  bool                          // they keep nothing: each answer is a sample
	Only       []string                      // names of rules: all others are switched off
	Seed       *uint64                       // default: the profile's, else one drawn
	Agent      string                        // NAME@VERSION, for whose evidence a stage may ask
	Stage      int                           // how far agents may go, 1 to 5; default: the profile's
	Allow      []string                      // hosts that may be tunnelled, besides the profile's
	Egress     policy.EgressMode             // what becomes of hosts that nothing names; default: the profile's
	Data       string                        // address of the data port; default 127.0.0.1:0
	Control    string                        // address of the control port; default 127.0.0.1:0
	Public     string                        // HOST:PORT that agents reach the data port at, as CheckPublic gives it; default: see Server.reachable
	Token      string                        // of the control port; default one drawn
	Hosts      []string                      // names, besides loopback ones, by which the gateway may be called
	Resilient  bool                          // opens over a broken profile with its last good revision
	Shared     bool                          // many runs, in one store that outlives the gateway; else one, in a store of its own
	Series     string                        // begins the name of a store of its own for many runs, none of which serves clients that name none; "": see Shared
	Memory     bool                          // nothing of runs is kept on disk
	Durability journal.Durability            // what an answer promises about its record
	Keep       journal.Keep                  // the records of ended runs that are kept; default all
	MaxRuns    int                           // that go on at once; default 20,000
	MaxRecord  int64                         // bytes that the record of a run may have; default 1 GiB
	MaxStore   int64                         // bytes that all records together may have; default no bound
	Profiles   string                        // folder of the profiles that runs may ask for by name; default the current one
	Mappings   []Mapping                     // the profiles of runs, by their names
	Locked     string                        // a lock file that has to fit; "": none
	Script     *kept.Run                     // its record answers in the place of fakes; nil: they answer
	Unreal     bool                          // nothing leaves for real services, whatever the profile says
	Refuses    func(*profiles.Profile) error // refuses a profile before anything is opened; nil: none is
	MaxBody    int64                         // bytes; default 10 MiB
	MaxMemory  int64                         // bytes that the process may come to before runs sleep; default none
	Sleep      time.Duration                 // without a call, a run sleeps after so long; default never
	Checkpoint uint64                        // events since its last checkpoint from which on a run that falls asleep has another, and 8 times as many where it does not; default 128
	MaxHeld    int64                         // bytes held for requests under way, half of them for one client's; default 512 MiB
	MaxCalls   int                           // calls under way in one run; half of them for one client's address, whatever its runs; default 2048
	BodyTime   time.Duration                 // for the body of a request to any port; default 1 min
	WriteTime  time.Duration                 // for a client of any port to take 64 KiB of its answer; default 30 s
	HeapFloor  int64                         // bytes of garbage that gather at least before they are collected while the process is busy; it is the whole process's, as heap.Floor gives it; 0: as Go has it
	Checks     bool                          // what fakes answer is held against their contracts; what breaks one is a defect
	Quiet      time.Duration                 // a third of how long a saved profile must rest; default 100 ms
	Getenv     func(string) string
	Wall       clock.Wall
	Log        *slog.Logger
	Before     func(exchange.Step) // called as each step of an exchange begins, for tests
}

// Keep bounds the records of ended runs that a gateway keeps.
type Keep = journal.Keep

// DefaultKeep is what a gateway that stays up keeps of ended runs, unless it is
// told otherwise: were all kept, its disk would be full one day.
func DefaultKeep() Keep { return Keep{Age: 30 * 24 * time.Hour, Bytes: 10 << 30} }

// Mapping says which profile runs are under whose names match a pattern.
type Mapping struct{ Pattern, Profile string }

// WithDefaults are the settings with what they leave out.
func (s Settings) WithDefaults() Settings {
	s.Root = kept.Folder(s.Root)
	if s.Getenv == nil {
		s.Getenv = os.Getenv
	}
	if s.CA == "" {
		s.CA = CAFolder(s.Getenv)
	}
	if s.Profile == "" && len(s.Contracts) > 0 {
		s.Profile = profiles.Bare
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
	if s.Profiles == "" {
		s.Profiles = "."
	}
	if s.MaxRuns == 0 {
		s.MaxRuns = 20_000
	}
	if s.MaxStore == 0 && s.Memory {
		s.MaxStore = journal.DefaultMemory
	}
	if s.Checkpoint == 0 {
		s.Checkpoint = leastEvents
	}
	if s.MaxHeld == 0 {
		s.MaxHeld = 512 << 20
	}
	if s.BodyTime == 0 {
		s.BodyTime = time.Minute
	}
	if s.WriteTime == 0 {
		s.WriteTime = 30 * time.Second
	}
	if host, _, err := net.SplitHostPort(s.Public); err == nil {
		s.Hosts = append(slices.Clone(s.Hosts), host)
	}
	if s.Wall == nil {
		s.Wall = clock.System{}
	}
	if s.Log == nil {
		s.Log = slog.New(slog.DiscardHandler)
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

// ProfileOptions are for reading the profile that the settings name.
func (s Settings) ProfileOptions(catalogue *fakes.Catalogue, shelf *profiles.Shelf) profiles.Options {
	return s.profileOptions(s.Profile, kept.Shelves{Catalogue: catalogue, Shelf: shelf})
}

// profileOptions are for reading the profile with that name.
func (s Settings) profileOptions(name string, ships kept.Shelves) profiles.Options {
	o := profiles.Options{Catalogue: ships.Catalogue, Shelf: ships.Shelf, Wall: s.Wall, Log: s.Log, Quiet: s.Quiet}
	if name == s.Profile {
		o.Added, o.Stateless = s.Contracts, s.Stateless
	} else if within, err := filepath.Rel(s.Profiles, name); s.Profiles != "" && err == nil && filepath.IsLocal(within) {
		o.Within = s.Profiles
	}
	return o
}

// putAside keeps a profile for a restart over a broken one.
func (s Settings) putAside(path string, p *profiles.Profile, o profiles.Options) {
	if err := profiles.Keep(s.lastGood(), path, p, o); err != nil {
		s.Log.Warn("the profile is not put aside for a restart", "error", err)
	}
}

func (s Settings) lastGood() string { return filepath.Join(s.Root, "last-good") }

// history is where the revisions of profiles are kept that were in force.
func (s Settings) history() profiles.History {
	return profiles.History{Folder: filepath.Join(s.Root, "revisions")}
}

// RunsFolder is where runs have stores of their own, and where the last one is named.
func (s Settings) RunsFolder() string { return kept.RunsFolder(s.Root) }

// SharedFolder is the store of the gateway that stays up.
func (s Settings) SharedFolder() string { return kept.SharedFolder(s.Root) }

// MakeRoot makes the folder that everything is kept in, where it is not there.
// What is in it is for no repository; in a folder that somebody else has made
// that is theirs to say.
func (s Settings) MakeRoot() error {
	err := os.MkdirAll(filepath.Dir(s.Root), 0o700)
	if err == nil {
		err = os.Mkdir(s.Root, 0o700)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(s.Root, ".gitignore"), []byte("*\n"), 0o600)
	}
	if err == nil || errors.Is(err, fs.ErrExist) {
		return nil
	}
	return &UsageError{Err: fmt.Errorf("the folder in which runs are kept cannot be made: %w; set PARITY_DIR to one that you may write to", err)}
}

// ParseDurability reads what an answer promises about its record.
func ParseDurability(s string) (journal.Durability, error) {
	switch s {
	case "async":
		return journal.Async, nil
	case "sync":
		return journal.Sync, nil
	}
	return 0, &UsageError{Err: fmt.Errorf("--durability %q: say async or sync", s)}
}
