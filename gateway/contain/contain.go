// Package contain runs an agent where nothing gets around the gateway: in Linux
// namespaces of its own, in which every address is local and leads here.
//
//	             outside                 │  inside: user, network, mount, PID, IPC and UTS namespaces
//	                                     │
//	gateway ◀─ Proxy, Control ───────────┼─ 127.0.0.1:3128 and :3129
//	        ◀─ Captured ─────────────────┼─ TCP 80, 443 and named ports, at any address
//	        ◀─ Names ────────────────────┼─ UDP and TCP 53, at any address
//	        ◀─ Attempts ─────────────────┼─ what was tried besides
//	        ── DialContext ──────────────┼▶ the agent's own servers
//	parity run ── Run, Probe, Close ─────┼▶ PID 1 ──▶ the agent
//
// The first process inside opens the listeners there and hands them out over a
// socket pair: a socket belongs to the namespace that it was made in, whoever has
// it. No privilege is needed, and no helper program.
package contain

import (
	"io"
	"net/netip"
	"time"
)

// Level says how much is contained.
type Level string

// The levels.
const (
	Network Level = "network" // the network alone: files and processes are as they are
	Whole   Level = "whole"   // files, processes and limits too
)

// Ports that are the gateway's inside, at 127.0.0.1, the same in every run.
const (
	ProxyPort   = 3128
	ControlPort = 3129
)

// Options are what a containment is made of. The zero value of all but Level is
// good.
type Options struct {
	Level  Level // default Whole
	Ports  []int // TCP ports that come in besides 80 and 443
	Files  Files
	Limits Limits
}

// Files are what the agent sees of the machine's files. Paths are absolute and
// clean. System folders are read-only, /tmp, /run, /var/tmp and /dev/shm private,
// and folders that are known to hold secrets covered, without being named.
type Files struct {
	Write []string          // folders and files that may be written to
	Show  []string          // that are seen besides, read-only
	Hide  []string          // that are covered besides
	Lay   map[string]string // a file that is seen in another's place, such as the bundle over the system's own: the place, the file
}

// Limits bound what the agent takes of the machine. 0: as the machine has it.
type Limits struct {
	Memory    int64 // bytes
	FileSize  int64 // bytes, of each file
	Processes int
	OpenFiles int
	Time      time.Duration
}

// Command is an agent to run inside.
type Command struct {
	Args []string
	Env  []string // all of it
	Dir  string   // default: this process's

	// Apart leaves the terminal to this process.
	Apart bool

	// Terminals, pipes and devices are handed over as they are; of files and sockets,
	// and of any other kind, a pipe has what is in them. nil is the null device.
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Grace          time.Duration // between SIGTERM and SIGKILL once the context has ended; default 5 s
}

// Ending is how an agent ended.
type Ending struct {
	Code int    // as a shell would say it
	Why  string // "" or the limit that ended it, in words
}

// Attempt is a try to get out that did not come in: a connection to another port, a
// datagram. Where there are very many, port 0 stands for several, and
// no address for several.
type Attempt struct {
	Protocol string // tcp, udp, icmp, or what the packet says
	To       netip.AddrPort
	At       time.Time
	Times    int // how often, of those that are told at once
	// Answered tells that it was not refused: a server of the agent's own, which
	// listens at every address, has taken the connection.
	Answered bool
}

// Probe is one try of the gateway's own to get out, and what came of it.
type Probe struct {
	Name string `json:"name"` // such as tcp-ipv4, dns-udp, abstract-socket
	Out  bool   `json:"out"`  // it got out
	Said string `json:"said"` // what was tried and what came of it, in words
}

// Refused is the error of a machine that does not allow what is asked for. Nothing
// was started.
type Refused struct {
	Cause string // what the machine said, at which step
	Mend  string // what whoever runs it can do
}

func (r *Refused) Error() string { return r.Cause + "\n" + r.Mend }
