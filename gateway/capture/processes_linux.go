package capture

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// descendants gives a process and those below it, and those known before that are
// alive, whose parents may have left them. It reads files of these alone, and not
// of the whole machine. It is not ok where the kernel does not list children.
func descendants(root int, known map[numbered]bool) (all []numbered, ok bool) {
	if root <= 0 {
		return nil, false
	}
	if _, err := os.Stat(filepath.Join(proc(root), "task", strconv.Itoa(root), "children")); errors.Is(err, fs.ErrNotExist) {
		if _, err := os.Stat(proc(root)); err == nil {
			return nil, false
		}
	}
	seen := map[int]bool{}
	ask := []int{root}
	for p := range known {
		if began, alive := startOf(p.pid); alive && began == p.began {
			ask = append(ask, p.pid)
		}
	}
	for len(ask) > 0 && len(all) < mostSeen {
		pid := ask[0]
		ask = ask[1:]
		if seen[pid] {
			continue
		}
		seen[pid] = true
		began, alive := startOf(pid)
		if !alive {
			continue
		}
		all = append(all, numbered{pid, began})
		lists, _ := filepath.Glob(filepath.Join(proc(pid), "task", "*", "children"))
		for _, list := range lists {
			text, _ := os.ReadFile(list)
			for _, word := range strings.Fields(string(text)) {
				if child, err := strconv.Atoi(word); err == nil {
					ask = append(ask, child)
				}
			}
		}
	}
	return all, true
}

func proc(pid int) string { return "/proc/" + strconv.Itoa(pid) }

// startOf gives when a process began, in ticks since the machine did; it is not
// alive if it only waits for its parent to hear of its end.
func startOf(pid int) (began string, alive bool) {
	text, err := os.ReadFile(proc(pid) + "/stat")
	if err != nil {
		return "", false
	}
	// The name, in brackets, may have blanks and brackets of its own.
	fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
	if len(fields) < 20 || fields[0] == "Z" || fields[0] == "X" {
		return "", false
	}
	return fields[19], true
}

// environOf is the environment that a process was started with. It is not readable
// where the process is another user's, or has ended.
func environOf(pid int) ([]string, bool) {
	text, err := os.ReadFile(proc(pid) + "/environ")
	if err != nil {
		return nil, false
	}
	if _, alive := startOf(pid); !alive { // it reads as empty then
		return nil, false
	}
	return strings.Split(string(text), "\x00"), true
}

func commandOf(pid int) string {
	text, err := os.ReadFile(proc(pid) + "/cmdline")
	if err != nil {
		return "?"
	}
	return called(strings.Split(strings.TrimSuffix(string(text), "\x00"), "\x00"))
}

// inRun are the processes of this machine that say that they belong to a run:
// those that have left their parents.
func inRun(run string, but []numbered) []numbered {
	skip := map[int]bool{os.Getpid(): true}
	for _, p := range but {
		skip[p.pid] = true
	}
	folders, _ := os.ReadDir("/proc")
	var all []numbered
	for _, folder := range folders {
		pid, err := strconv.Atoi(folder.Name())
		if err != nil || skip[pid] {
			continue
		}
		text, err := os.ReadFile(proc(pid) + "/environ")
		if err != nil || !bytes.Contains(append([]byte{0}, append(text, 0)...), []byte("\x00PARITY_RUN="+run+"\x00")) {
			continue
		}
		if began, alive := startOf(pid); alive {
			all = append(all, numbered{pid, began})
		}
	}
	return all
}

// listening gives the TCP ports that processes listen on.
func listening(all []numbered) map[int]bool {
	of := map[string]int{} // by what the link to the socket says
	for _, file := range []string{"/proc/net/tcp", "/proc/net/tcp6"} {
		text, _ := os.ReadFile(file)
		for line := range strings.Lines(string(text)) {
			f := strings.Fields(line)
			if len(f) < 10 || f[3] != "0A" {
				continue
			}
			_, digits, _ := strings.Cut(f[1], ":")
			if port, err := strconv.ParseUint(digits, 16, 16); err == nil {
				of["socket:["+f[9]+"]"] = int(port)
			}
		}
	}
	ports := map[int]bool{}
	for _, p := range all {
		files, _ := os.ReadDir(proc(p.pid) + "/fd")
		for _, f := range files {
			if to, err := os.Readlink(proc(p.pid) + "/fd/" + f.Name()); err == nil && of[to] != 0 {
				ports[of[to]] = true
			}
		}
	}
	return ports
}
