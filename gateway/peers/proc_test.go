package main

import (
	"os"
	"testing"
	"time"
)

func TestStatOfAProcessWithAnyName(t *testing.T) {
	t.Parallel()
	const rest = " S 41 42 42 0 -1 4194560 1 2 3 4 120 30 7 3 20 0 9 0 100 1 2\n"
	for _, name := range []string{"(parity)", "(a b)", "(a) S 1 (b)"} {
		got, err := parseStat("42 " + name + rest)
		want := stat{pid: 42, parent: 41, cpu: 1600 * time.Millisecond}
		if err != nil || got != want {
			t.Errorf("%s: got %+v, %v; want %+v", name, got, err, want)
		}
	}
	for _, line := range []string{"", "42 parity S 1", "42 (parity) S 1 2", "x (parity)" + rest, "42 (parity) S 41 42 42 0 -1 4194560 1 2 3 4 x 30 7 3 20 0 9\n"} {
		if _, err := parseStat(line); err == nil {
			t.Errorf("%q: no error", line)
		}
	}
}

func TestProcessorTimeCountsWhatIsBelow(t *testing.T) {
	t.Parallel()
	all := map[int]stat{
		1: {pid: 1, cpu: 1}, 2: {pid: 2, parent: 1, cpu: 10}, 3: {pid: 3, parent: 2, cpu: 100}, 4: {pid: 4, cpu: 1000},
	}
	if got := sumBelow(all, 1, func(s stat) time.Duration { return s.cpu }); got != 111 {
		t.Errorf("got %d", got)
	}
	if _, err := cpuOf(os.Getpid()); err != nil {
		t.Error(err)
	}
	if _, err := cpuOf(1 << 30); err == nil {
		t.Error("a process that is not there has processor time")
	}
}

func TestThreadsAreCountedToTheNanosecond(t *testing.T) {
	t.Parallel()
	if got, err := parseSchedstat("1234567 99 3\n"); err != nil || got != 1234567 {
		t.Errorf("got %d, %v", got, err)
	}
	for _, line := range []string{"", "1234567\n", "x 99 3\n"} {
		if _, err := parseSchedstat(line); err == nil {
			t.Errorf("%q: no error", line)
		}
	}
	if _, err := threadsOf(1 << 30); err == nil {
		t.Error("a process that is not there has threads")
	}
}

func TestResidentMemory(t *testing.T) {
	t.Parallel()
	if got, err := parseResident("Name:\tparity\nVmRSS:\t   74752 kB\nVmData:\t 1 kB\n"); err != nil || got != 73<<20 {
		t.Errorf("got %d, %v", got, err)
	}
	if _, err := parseResident("Name:\tparity\n"); err == nil {
		t.Error("no VmRSS, and no error")
	}
	if got, err := residentOf(os.Getpid()); err != nil || got < 1<<20 {
		t.Errorf("of this process: %d, %v", got, err)
	}
}
