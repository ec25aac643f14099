package capture

import (
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"parity/fakes/clock"
)

// A Stray is a process of an agent that was started without the settings that have
// its calls captured.
type Stray struct {
	PID     int    `json:"pid"`
	Command string `json:"command"` // its program, and the file or the first word that it was given
}

// Watched looks at the processes of one agent while it runs: which were started
// without its settings, and which ports they listen on. It looks every so often:
// who comes and goes between two looks is not seen, and on systems other than Linux
// nobody is.
type Watched struct {
	settings Settings
	every    time.Duration

	mu     sync.Mutex
	agent  int
	known  map[numbered]bool // of the agent, alive at the last look; whether it lacked its settings then
	strays []Stray
	told   map[numbered]bool
	asked  time.Time // when ports were last looked for
	ports  map[int]bool
}

// numbered is one process, and no later one of the same number.
type numbered struct {
	pid   int
	began string // as /proc has it
}

const (
	look       = 300 * time.Millisecond
	freshPorts = 250 * time.Millisecond
	mostStrays = 20
	mostSeen   = 1024 // processes of one agent that are looked at
)

// NewWatched is for the agent that is started with the settings, as
// Command.Watched.
func NewWatched(s Settings) *Watched {
	return &Watched{settings: s, every: look, known: map[numbered]bool{}, told: map[numbered]bool{}}
}

// begin looks until the agent has ended, which done tells.
func (w *Watched) begin(pid int) (done func()) {
	if w == nil {
		return func() {}
	}
	w.mu.Lock()
	w.agent = pid
	w.mu.Unlock()
	stop, gone := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(gone)
		for w.look() {
			after, cancel := clock.System{}.After(w.every)
			select {
			case <-after:
			case <-stop:
				cancel()
				return
			}
		}
	}()
	return func() {
		close(stop)
		<-gone
		w.mu.Lock()
		w.agent = 0
		w.mu.Unlock()
	}
}

// look looks once; false: there is nothing to be seen on this system.
func (w *Watched) look() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	seen, ok := descendants(w.agent, w.known)
	if !ok {
		return false
	}
	next := make(map[numbered]bool, len(seen))
	for _, p := range seen {
		environ, readable := environOf(p.pid)
		lacks := readable && !w.settings.in(environ)
		next[p] = lacks
		// Twice, since one that is just being started has its parent's.
		if lacks && w.known[p] && !w.told[p] && len(w.strays) < mostStrays {
			w.told[p] = true
			w.strays = append(w.strays, Stray{PID: p.pid, Command: commandOf(p.pid)})
		}
	}
	w.known = next
	return true
}

// in tells whether an environment has what has calls captured.
func (s Settings) in(environ []string) bool {
	for _, entry := range environ {
		name, value, _ := strings.Cut(entry, "=")
		switch strings.ToUpper(name) {
		case "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY":
			if value == s.ProxyURL {
				return true
			}
		case "PARITY_TLS_ADDR":
			if value == s.TLSAddr {
				return true
			}
		}
	}
	return false
}

// Strays are the processes that were seen to lack the agent's settings.
func (w *Watched) Strays() []Stray {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.strays)
}

// Listens tells whether a process of the agent listens on a port of this machine
// now.
func (w *Watched) Listens(port int) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.agent == 0 {
		return false
	}
	if now := (clock.System{}).Now(); w.ports == nil || now.Sub(w.asked) > freshPorts {
		seen, _ := descendants(w.agent, w.known)
		w.asked, w.ports = now, listening(append(seen, inRun(w.settings.Run, seen)...))
	}
	return w.ports[port]
}

// called names a process by its program and what it was first given that is no
// flag: a script. Whatever else it was given may be a secret.
func called(args []string) string {
	if len(args) == 0 || args[0] == "" {
		return "?"
	}
	name := filepath.Base(args[0])
	if len(args) > 1 && args[1] != "" && !strings.HasPrefix(args[1], "-") && !strings.ContainsAny(args[1], "= \n") && len(args[1]) <= 80 {
		name += " " + args[1]
	}
	return name
}
