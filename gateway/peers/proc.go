package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// tick is the unit of times in /proc/PID/stat: USER_HZ is 100 on every Linux.
const tick = 10 * time.Millisecond

// stat is what is read of /proc/PID/stat.
type stat struct {
	pid, parent int
	cpu         time.Duration // user and system, with that of children that were waited for
}

// parseStat reads a line of /proc/PID/stat. The name, in parentheses, may hold
// anything.
func parseStat(line string) (s stat, err error) {
	open, shut := strings.IndexByte(line, '('), strings.LastIndexByte(line, ')')
	if open < 0 || shut < open {
		return stat{}, fmt.Errorf("no name in %q", line)
	}
	if s.pid, err = strconv.Atoi(strings.TrimSpace(line[:open])); err != nil {
		return stat{}, err
	}
	fields := strings.Fields(line[shut+1:]) // from field 3, the state, on
	if len(fields) < 15 {
		return stat{}, fmt.Errorf("%d fields after the name in %q", len(fields), line)
	}
	if s.parent, err = strconv.Atoi(fields[1]); err != nil {
		return stat{}, err
	}
	for _, field := range fields[11:15] { // utime, stime, cutime, cstime
		ticks, err := strconv.ParseInt(field, 10, 64)
		if err != nil {
			return stat{}, err
		}
		s.cpu += time.Duration(ticks) * tick
	}
	return s, nil
}

// cpuOf is the processor time of a process and of all below it so far: that of
// their threads, to the nanosecond, where the kernel has it, or else in ticks.
func cpuOf(pid int) (time.Duration, error) {
	files, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		return 0, err
	}
	all := make(map[int]stat, len(files))
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			continue // it has ended meanwhile
		}
		if s, err := parseStat(string(content)); err == nil {
			all[s.pid] = s
		}
	}
	if _, ok := all[pid]; !ok {
		return 0, fmt.Errorf("no process %d in /proc", pid)
	}
	return sumBelow(all, pid, func(s stat) time.Duration {
		if precise, err := threadsOf(s.pid); err == nil {
			return precise
		}
		return s.cpu
	}), nil
}

func sumBelow(all map[int]stat, pid int, of func(stat) time.Duration) time.Duration {
	sum := of(all[pid])
	for _, s := range all {
		if s.parent == pid && s.pid != pid {
			sum += sumBelow(all, s.pid, of)
		}
	}
	return sum
}

// threadsOf is what the threads of a process have run. Those that have ended are
// missing, which servers in Go and Node keep.
func threadsOf(pid int) (sum time.Duration, err error) {
	files, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", pid))
	if err != nil || len(files) == 0 {
		return 0, fmt.Errorf("no threads of %d: %w", pid, errors.Join(err, os.ErrNotExist))
	}
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			return 0, err
		}
		ran, err := parseSchedstat(string(content))
		if err != nil {
			return 0, err
		}
		sum += ran
	}
	return sum, nil
}

// parseSchedstat reads how long a thread has run; how long it waited follows.
func parseSchedstat(line string) (time.Duration, error) {
	first, _, ok := strings.Cut(strings.TrimSpace(line), " ")
	if !ok {
		return 0, fmt.Errorf("not of a thread: %q", line)
	}
	ran, err := strconv.ParseInt(first, 10, 64)
	return time.Duration(ran), err
}

// residentOf is the resident memory of a process, in bytes.
func residentOf(pid int) (int64, error) {
	content, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, err
	}
	return parseResident(string(content))
}

func parseResident(status string) (int64, error) {
	for line := range strings.Lines(status) {
		if rest, ok := strings.CutPrefix(line, "VmRSS:"); ok {
			kilobytes, err := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(rest), " kB"), 10, 64)
			return kilobytes << 10, err
		}
	}
	return 0, fmt.Errorf("no VmRSS in a status of %d bytes", len(status))
}

// load is how many processes ran, or wanted to, in the last minute.
func load() string {
	content, err := os.ReadFile("/proc/loadavg")
	if first, _, ok := strings.Cut(string(content), " "); err == nil && ok {
		return first
	}
	return "an unknown number"
}
