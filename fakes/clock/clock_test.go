package clock_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"parity/fakes/clock"
)

func TestSleep(t *testing.T) {
	t.Parallel()
	gone := errors.New("the client has gone")
	for _, test := range []struct {
		name   string
		sleep  time.Duration
		cancel time.Duration // negative: before the sleep
		want   error
		took   time.Duration
	}{
		{"to its end", time.Hour, 2 * time.Hour, nil, time.Hour},
		{"cancelled", time.Hour, time.Minute, gone, time.Minute},
		{"cancelled before", time.Hour, -1, gone, 0},
		{"no time", 0, time.Minute, nil, 0},
		{"less than none", -time.Hour, time.Minute, nil, 0},
		{"no time, cancelled before", 0, -1, gone, 0},
	} {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithCancelCause(t.Context())
			defer cancel(nil)
			if test.cancel < 0 {
				cancel(gone)
			} else {
				stop := time.AfterFunc(test.cancel, func() { cancel(gone) })
				defer stop.Stop()
			}
			wall := clock.System{}
			began := wall.Now()
			if err := clock.Sleep(ctx, wall, test.sleep); !errors.Is(err, test.want) {
				t.Errorf("%s: error %v, want %v", test.name, err, test.want)
			}
			if took := wall.Now().Sub(began); took != test.took {
				t.Errorf("%s: took %v, want %v", test.name, took, test.took)
			}
		})
	}
}

func TestStoppedTimerStaysQuiet(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		done, stop := clock.System{}.After(time.Second)
		stop()
		stop()
		time.Sleep(time.Minute)
		select {
		case <-done:
			t.Error("a stopped timer fired")
		default:
		}
	})
}
