package main

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"
)

// perSecond is how often calls are made that are paced: often enough for a
// percentile, and far below what any of the servers can do.
const perSecond = 500

// pacedSlice is how long one server is asked at a time: a thousand calls.
const pacedSlice = 2 * time.Second

// A delay is what one server takes when it is not busy, beside the yardstick.
type delay struct {
	Peer, Case       string
	p50, p99         float64 // milliseconds
	Ratio50, Ratio99 float64
}

// paced makes calls at a fixed rate, whatever the answers take, and says what a
// server adds to the bare one. Percentiles are those of the median slice: one in
// which the machine did something else does not decide.
func (b *bench) paced(ctx context.Context, rounds int) ([]delay, error) {
	var all []delay
	for _, c := range contests() {
		if c.name != "get" && c.name != "post" {
			continue
		}
		some, err := b.pacedContest(ctx, c, rounds, pacedSlice)
		if err != nil {
			return nil, err
		}
		all = append(all, some...)
	}
	return all, nil
}

func (b *bench) pacedContest(ctx context.Context, c contest, rounds int, slice time.Duration) ([]delay, error) {
	f, err := prepared(ctx, b, c)
	if err != nil {
		return nil, err
	}
	defer f.stop()
	p50, p99 := make([][]float64, len(f.lanes)), make([][]float64, len(f.lanes))
	for i := range rounds + 1 { // the first warms up
		for j := range f.lanes {
			at := (i + j) % len(f.lanes)
			l := f.lanes[at]
			some, err := l.crowd.pace(ctx, l.request, l.status, slice)
			if err != nil {
				return nil, fmt.Errorf("%s, paced %s: %w", l.peer, c.name, err)
			}
			if i > 0 {
				p50[at], p99[at] = append(p50[at], quantile(some, 0.5)), append(p99[at], quantile(some, 0.99))
			}
		}
	}
	var all []delay
	for i, l := range f.lanes {
		d := delay{Peer: l.peer, Case: c.name, p50: quantile(p50[i], 0.5), p99: quantile(p99[i], 0.5)}
		d.Ratio50, d.Ratio99 = d.p50/quantile(p50[0], 0.5), d.p99/quantile(p99[0], 0.5)
		all = append(all, d)
	}
	return all, nil
}

// pace gives what each call took, in milliseconds, from when it was due: a call
// that had to wait for the one before it has waited too.
func (c crowd) pace(ctx context.Context, r request, status int, d time.Duration) ([]float64, error) {
	var (
		all   sync.WaitGroup
		waits = make([][]float64, len(c))
		errs  = make([]error, len(c))
		began = time.Now()
	)
	for i, one := range c {
		all.Go(func() {
			for n := i; errs[i] == nil && ctx.Err() == nil; n += len(c) {
				after := time.Duration(n) * time.Second / perSecond
				if after >= d {
					return
				}
				time.Sleep(time.Until(began.Add(after)))
				got, _, err := one.exchange(ctx, r, nil)
				if err == nil && got != status {
					err = fmt.Errorf("status %d instead of %d", got, status)
				}
				errs[i] = err
				waits[i] = append(waits[i], time.Since(began.Add(after)).Seconds()*1000)
			}
		})
	}
	all.Wait()
	for _, err := range append(errs, ctx.Err()) {
		if err != nil {
			return nil, err
		}
	}
	return slices.Concat(waits...), nil
}
