// Package heap says how much garbage a busy process lets gather before it is
// collected.
//
//	             ╱|  ╱|  ╱|             kept, and the floor
//	     ╱|     ╱  |╱  |╱  |
//	   ╱  |╱|╱|╱              \______    as Go would
//	start  busy                idle
//
// What a gateway keeps is small beside what its calls leave behind, so that Go
// would collect several times a second; and a gateway that is idle gives the
// memory back.
package heap

import (
	"context"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strconv"
	"strings"
	"time"

	"parity/fakes/clock"
)

// usual is the floor in bytes. The README has what another would bring.
const usual = 112 << 20

// busyCycle is how soon one collection follows another in a busy process.
const busyCycle = 10 * time.Second

// first is how many bytes there are before anything is collected at all. What a
// start makes it mostly keeps: going through it time and again, as Go would from
// 4 MiB on, takes as long as all the rest of a start.
const first = 24 << 20

// smallest is the heap that Go begins to collect at, at 100 %.
// Source: https://go.dev/doc/gc-guide#GOGC
const smallest = 4 << 20

// Floor is how much garbage may gather at least, in bytes: none where whoever
// starts it says how its memory is managed, and little on a machine, or in a
// container, that has little.
func Floor(getenv func(string) string) int64 {
	if getenv("GOGC") != "" || getenv("GOMEMLIMIT") != "" {
		return 0
	}
	return min(usual, Memory()/8)
}

// Memory is how many bytes the machine or the container has for this process, as
// far as the system says; more than there are where it does not.
func Memory() int64 { return memory(os.ReadFile) }

func memory(read func(string) ([]byte, error)) int64 {
	most := int64(1 << 62)
	for _, file := range []string{"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"} {
		text, err := read(file)
		if n, wrong := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64); err == nil && wrong == nil && n > 0 {
			most = min(most, n)
		}
	}
	text, _ := read("/proc/meminfo")
	if _, rest, ok := strings.Cut(string(text), "MemTotal:"); ok {
		if fields := strings.Fields(rest); len(fields) > 0 {
			if n, err := strconv.ParseInt(fields[0], 10, 53); err == nil && n > 0 {
				most = min(most, n<<10)
			}
		}
	}
	return most
}

// Keep has garbage collected from a floor on while collections follow fast on
// one another, and as Go would else, from the first collection on, which waits
// for a start to be over. It is for the whole process, and ends with ctx, after
// which all is as before. It begins when Keep returns, so that nothing is
// collected before; the function that Keep gives goes on with it, and is the
// caller's to run.
func Keep(ctx context.Context, wall clock.Wall, floor int64) (until func()) {
	base := gauge("/gc/gogc:percent")
	if base < 0 { // nothing is collected
		return func() {}
	}
	debug.SetGCPercent(int(max(base, 100*min(first, floor)/smallest)))
	cycles := make(chan struct{}, 1)
	watchCycles(ctx, cycles)
	return func() {
		defer debug.SetGCPercent(int(base))
		keep(ctx, wall, cycles, base, floor)
	}
}

func keep(ctx context.Context, wall clock.Wall, cycles <-chan struct{}, base, floor int64) {
	var idle <-chan time.Time
	stop := func() {}
	defer func() { stop() }()
	for last := (time.Time{}); ; {
		select {
		case <-ctx.Done():
			return
		case <-idle:
			idle = nil
			debug.SetGCPercent(int(base))
		case <-cycles:
			now := wall.Now()
			if now.Sub(last) < busyCycle {
				stop()
				idle, stop = wall.After(busyCycle)
				debug.SetGCPercent(int(percent(base, gauge("/gc/heap/live:bytes"), floor)))
			} else {
				debug.SetGCPercent(int(base))
			}
			last = now
		}
	}
}

// percent is how much garbage may come to what is live, in percent of that: as
// much as the floor, and never less than base.
func percent(base, live, floor int64) int64 {
	if live <= 0 {
		return base
	}
	return max(base, floor*100/live)
}

// watchCycles tells of each collection of garbage, until ctx ends.
func watchCycles(ctx context.Context, cycles chan<- struct{}) {
	type garbage struct{ _ *int }
	runtime.AddCleanup(&garbage{}, func(cycles chan<- struct{}) {
		if ctx.Err() != nil {
			return
		}
		select {
		case cycles <- struct{}{}:
		default:
		}
		watchCycles(ctx, cycles)
	}, cycles)
}

// gauge reads one of the runtime's own metrics; -1: it has no such one, or a
// percentage is off.
func gauge(name string) int64 {
	sample := []metrics.Sample{{Name: name}}
	metrics.Read(sample)
	if sample[0].Value.Kind() != metrics.KindUint64 {
		return -1
	}
	return int64(sample[0].Value.Uint64()) //nolint:gosec // a percentage that is off is all ones
}
