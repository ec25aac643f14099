package contain

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"parity/fakes/clock"
	say "parity/specs/words"
)

// Probe tries to get out from inside, in a process that is as the agent is: with
// its environment and in its folder. What is seen of it is no attempt of the
// agent's, which is not started before it is done.
func (b *Box) Probe(ctx context.Context, c Command, p Probing) (found []Probe, err error) {
	ask, err := json.Marshal(p)
	if err != nil {
		return nil, err
	}
	last, err := netip.ParseAddrPort(p.Last)
	if err != nil {
		return nil, err
	}
	seen := b.attempts.passOver(last)
	defer b.attempts.passOver(netip.AddrPort{})
	answer, err := b.Ask(ctx, c, ask)
	if err != nil {
		return nil, err
	}
	late, stop := b.attempts.wall.After(waitInside)
	defer stop()
	select {
	case <-seen:
	case <-late:
	}
	return found, json.Unmarshal(answer, &found)
}

// probe answers what Box.Ask was given. It runs in a process of this binary that
// was started where, and as, the agent is: confined, with its environment and in
// its folder.
func probe(ask []byte) (answer []byte, err error) {
	var p Probing
	if err := json.Unmarshal(ask, &p); err != nil {
		return nil, err
	}
	return json.Marshal(tried(context.Background(), p))
}

// systemTries are those that are Linux's own.
func systemTries() []escape {
	return []escape{
		{name: "vsock", do: overVsock},
		{name: "abstract-socket", do: func(_ context.Context, p *Probing) (bool, string) {
			return reached(p.Abstract, "abstract socket", "@")
		}},
		{name: "file-socket", do: func(_ context.Context, p *Probing) (bool, string) {
			return reached(p.Sockets, "socket of a file", "")
		}},
		{name: "signals", do: signals},
		{name: "gateway-memory", do: memory},
	}
}

// overVsock connects to the host of a virtual machine, whose sockets know no
// namespaces.
func overVsock(ctx context.Context, _ *Probing) (out bool, said string) {
	const what, port = "vsock to the host", 1024
	s, err := unix.Socket(unix.AF_VSOCK, unix.SOCK_STREAM|unix.SOCK_CLOEXEC|unix.SOCK_NONBLOCK, 0)
	if err != nil {
		return false, what + ": no such socket can be made: " + err.Error()
	}
	defer unix.Close(s)
	err = unix.Connect(s, &unix.SockaddrVM{CID: unix.VMADDR_CID_HOST, Port: port})
	if errors.Is(err, unix.EINPROGRESS) {
		until, _ := ctx.Deadline()
		fds := []unix.PollFd{{Fd: int32(s), Events: unix.POLLOUT}}
		if _, err = unix.Poll(fds, int(until.Sub(clock.System{}.Now()).Milliseconds())); err == nil {
			var code int
			if code, err = unix.GetsockoptInt(s, unix.SOL_SOCKET, unix.SO_ERROR); err == nil && code != 0 {
				err = unix.Errno(code)
			}
		}
	}
	for _, none := range []error{unix.ENODEV, unix.ENETUNREACH, unix.EADDRNOTAVAIL, unix.EPERM, unix.EACCES, unix.EOPNOTSUPP} {
		if errors.Is(err, none) {
			return false, what + ": " + err.Error()
		}
	}
	if err != nil {
		return true, what + ": it answers: " + err.Error()
	}
	return true, what + ": connected"
}

// reached connects to sockets of this machine.
func reached(names []string, kind, mark string) (out bool, said string) {
	var found []string
	for _, name := range names {
		if connects(mark + name) {
			found = append(found, mark+name)
		}
	}
	if len(found) > 0 {
		return true, "within reach: " + few(found)
	}
	return false, "no way to any of " + say.Count(len(names), kind) + " outside"
}

// connects tells whether somebody is bound to a socket, of whatever type. One whose
// queue is full is there, too.
func connects(name string) bool {
	for _, kind := range []int{unix.SOCK_STREAM, unix.SOCK_DGRAM, unix.SOCK_SEQPACKET} {
		s, err := unix.Socket(unix.AF_UNIX, kind|unix.SOCK_CLOEXEC|unix.SOCK_NONBLOCK, 0)
		if err != nil {
			continue
		}
		err = unix.Connect(s, &unix.SockaddrUnix{Name: name})
		unix.Close(s)
		if err == nil || errors.Is(err, unix.EAGAIN) || errors.Is(err, unix.EPERM) {
			return true
		}
	}
	return false
}

// signals asks whether processes outside could be sent one.
func signals(_ context.Context, p *Probing) (out bool, said string) {
	var found []string
	for _, one := range p.Processes {
		if one.Began != "" && unix.Kill(one.ID, 0) == nil && one.Began == began(one.ID) {
			found = append(found, one.words())
		}
	}
	if len(found) > 0 {
		return true, "signals reach " + few(found)
	}
	return false, "no signal reaches a process outside"
}

func (p Process) words() string { return p.What + " (" + strconv.Itoa(p.ID) + ")" }

// memory tries to read the gateway's environment and memory.
func memory(_ context.Context, p *Probing) (out bool, said string) {
	var found []string
	for _, one := range p.Processes {
		if one.Began != "" && one.Began != began(one.ID) {
			continue // out of sight
		}
		for _, file := range []string{"environ", "mem"} {
			if f, err := os.Open(fmt.Sprintf("/proc/%d/%s", one.ID, file)); err == nil {
				f.Close()
				found = append(found, file+" of "+one.words())
			}
		}
	}
	if len(found) > 0 {
		return true, "can be read: " + few(found)
	}
	return false, "neither environment nor memory of the gateway can be read"
}

// began says which process of a number this is: the instant of its start, in ticks
// of the kernel; "" where there is none.
func began(id int) string {
	fields, err := statOf(id)
	if err != nil {
		return ""
	}
	return fields[statBegan]
}

// beyond tells whether a folder is the one outside, and none that the agent has to
// itself.
func beyond(f Folder) bool {
	var is unix.Stat_t
	if err := unix.Stat(f.Path, &is); err != nil {
		return false
	}
	if f.Device != 0 {
		return uint64(is.Dev) == f.Device //nolint:unconvert // of another type elsewhere
	}
	var system unix.Statfs_t
	if err := unix.Statfs(f.Path, &system); err != nil {
		return false
	}
	switch int64(system.Type) { //nolint:unconvert // of another type elsewhere
	case unix.OVERLAYFS_SUPER_MAGIC, unix.TMPFS_MAGIC:
		return false // a container's own
	}
	return true
}

// folders are those that are tried, as they are here.
func folders(known bool) (all []Folder) {
	for _, path := range foldersTried() {
		var is unix.Stat_t
		if err := unix.Stat(path, &is); err != nil || is.Mode&unix.S_IFMT != unix.S_IFDIR {
			continue
		}
		f := Folder{Path: path}
		if known {
			f.Device = uint64(is.Dev) //nolint:unconvert // of another type elsewhere
		}
		all = append(all, f)
	}
	return all
}

// list lists what is here, outside of a containment.
func (p *Probing) list() {
	p.Sockets, p.Secrets, p.Folders = outsideSockets("/proc"), secrets(homes()), folders(true)
	p.Abstract = abstract("/proc/net/unix", nil)
	for id, what := range map[int]string{os.Getpid(): "the gateway", os.Getppid(): "who started it"} {
		p.Processes = append(p.Processes, Process{ID: id, Began: began(id), What: what})
	}
	if p.Level != Network {
		p.Processes = append(p.Processes, Process{ID: 1, What: "the first process inside"})
	}
}

// abstract are the abstract sockets of a list as of /proc/net/unix that programs are
// bound to, but those whose inodes are known.
func abstract(list string, known map[string]bool) (names []string) {
	text, err := os.ReadFile(list)
	if err != nil {
		return nil
	}
	for inode, name := range unixNames(string(text)) {
		if one, is := strings.CutPrefix(name, "@"); is && !known[inode] && !slices.Contains(names, one) {
			names = append(names, one)
		}
	}
	return names
}

// listHere lists what is in sight and seems not to be this container's own.
func (p *Probing) listHere() {
	p.Secrets, p.Folders = secrets(homes()), folders(false)
	p.Abstract = abstract("/proc/self/net/unix", openHere())
	p.Sockets = foreignSockets()
	const most = 64
	if text, err := os.ReadFile("/proc/2/comm"); err == nil && strings.TrimSpace(string(text)) == "kthreadd" {
		processes, _ := filepath.Glob("/proc/[0-9]*") //nolint:errcheck // the pattern is right
		for _, path := range processes {
			id, err := strconv.Atoi(filepath.Base(path))
			if err != nil || id == os.Getpid() || len(p.Processes) == most || unix.Kill(id, 0) != nil {
				continue
			}
			name, _ := os.ReadFile(path + "/comm") //nolint:errcheck // it has ended since
			p.Processes = append(p.Processes, Process{ID: id, Began: began(id), What: strings.TrimSpace(string(name))})
		}
	}
}

// openHere are the inodes of sockets that processes in sight have open.
func openHere() map[string]bool {
	known := map[string]bool{}
	open, _ := filepath.Glob("/proc/[0-9]*/fd/*") //nolint:errcheck // the pattern is right
	for _, fd := range open {
		if inode, is := socketAt(fd); is {
			known[inode] = true
		}
	}
	return known
}

// foreignSockets are sockets of files, where such mostly are, that nobody in this
// network is bound to: they were handed in, as a container engine's is.
func foreignSockets() (paths []string) {
	own := map[string]bool{}
	if text, err := os.ReadFile("/proc/self/net/unix"); err == nil {
		absolute, _ := boundNames(string(text))
		for _, path := range absolute {
			own[resolved(path)] = true
		}
	}
	const most, depth = 4096, 4
	looked := 0
	var look func(folder string, deep int)
	look = func(folder string, deep int) {
		entries, err := os.ReadDir(folder)
		if err != nil {
			return
		}
		for _, e := range entries {
			path := filepath.Join(folder, e.Name())
			if looked++; looked > most {
				return
			}
			switch {
			case e.IsDir() && deep < depth:
				look(path, deep+1)
			case e.Type() == os.ModeSocket && !own[resolved(path)]:
				paths = append(paths, path)
			}
		}
	}
	for _, folder := range []string{"/run", "/tmp", "/var/tmp", "/mnt", "/srv"} {
		look(folder, 0)
	}
	return paths
}
