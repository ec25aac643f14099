package heap

import (
	"context"
	"errors"
	"runtime"
	"testing"
	"time"

	"parity/fakes/clock"
)

func TestPercent(t *testing.T) {
	t.Parallel()
	const mb = 1 << 20
	for _, test := range []struct{ base, live, floor, want int64 }{
		{100, 32 * mb, 128 * mb, 400},
		{100, 64 * mb, 128 * mb, 200},
		{100, 128 * mb, 128 * mb, 100},
		{100, 500 * mb, 128 * mb, 100}, // more than the floor is as Go has it
		{400, 64 * mb, 128 * mb, 400},
		{100, 0, 128 * mb, 100},
	} {
		if got := percent(test.base, test.live, test.floor); got != test.want {
			t.Errorf("%d %% of %d, at least %d: %d, want %d", test.base, test.live, test.floor, got, test.want)
		}
	}
}

func TestWhoSetsTheCollectorIsHeard(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"GOGC", "GOMEMLIMIT"} {
		if floor := Floor(func(asked string) string { return map[string]string{name: "50"}[asked] }); floor != 0 {
			t.Errorf("with %s the floor is %d", name, floor)
		}
	}
	if floor := Floor(func(string) string { return "" }); floor <= 0 || floor > usual {
		t.Errorf("the floor is %d", floor)
	}
}

func TestMemoryOfAContainer(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		files map[string]string
		want  int64
	}{
		"machine":            {map[string]string{"/proc/meminfo": "MemTotal:        2048 kB\nMemFree: 1 kB\n"}, 2 << 20},
		"container":          {map[string]string{"/proc/meminfo": "MemTotal:        2048 kB\n", "/sys/fs/cgroup/memory.max": "1048576\n"}, 1 << 20},
		"unbounded":          {map[string]string{"/proc/meminfo": "MemTotal:        2048 kB\n", "/sys/fs/cgroup/memory.max": "max\n"}, 2 << 20},
		"container, v1":      {map[string]string{"/sys/fs/cgroup/memory/memory.limit_in_bytes": "4096"}, 4096},
		"nobody says":        {nil, 1 << 62},
		"what is no number":  {map[string]string{"/proc/meminfo": "MemTotal: many kB"}, 1 << 62},
		"nothing behind it":  {map[string]string{"/proc/meminfo": "MemTotal:"}, 1 << 62},
		"no memory whatever": {map[string]string{"/sys/fs/cgroup/memory.max": "0"}, 1 << 62},
	} {
		got := memory(func(file string) ([]byte, error) {
			if text, ok := test.files[file]; ok {
				return []byte(text), nil
			}
			return nil, errors.New("none")
		})
		if got != test.want {
			t.Errorf("%s: %d, want %d", name, got, test.want)
		}
	}
}

// idling is a wall whose waits are over when the test says so.
type idling struct {
	clock.System
	over chan time.Time
}

func (w idling) After(time.Duration) (<-chan time.Time, func()) { return w.over, func() {} }

func (w idling) end() {
	select {
	case w.over <- time.Time{}:
	default: // nobody waits
	}
}

// It is not parallel: the percentage is the process's.
func TestABusyHeapHasAFloorThatAnIdleOneGivesBack(t *testing.T) {
	const name = "/gc/gogc:percent"
	base, wall := gauge(name), idling{over: make(chan time.Time)}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan struct{})
	goOn := Keep(ctx, wall, 1<<40)
	if now := gauge(name); now != 100*first/smallest {
		t.Errorf("when it returns, what is made first is collected as before, at %d %%", now)
	}
	go func() {
		defer close(ended)
		goOn()
	}()
	until := func(what string, again func(), holds func(int64) bool) {
		t.Helper()
		for range 5000 {
			again()
			if holds(gauge(name)) {
				return
			}
			time.Sleep(time.Millisecond)
		}
		t.Errorf("%s, it is %d %%", what, gauge(name))
	}
	const start = 100 * first / smallest
	until("before the first collection", func() {}, func(now int64) bool { return now == start })
	until("with one collection after the other", runtime.GC, func(now int64) bool { return now > start })
	until("once there was none for long", wall.end, func(now int64) bool { return now == base })
	until("with one collection after the other, again", runtime.GC, func(now int64) bool { return now > start })
	stop()
	<-ended
	if now := gauge(name); now != base {
		t.Errorf("at the end it is %d %%, and was %d %%", now, base)
	}
}
