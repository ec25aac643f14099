package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"
)

// soakSlice is how often a soak says how it stands.
const soakSlice = 30 * time.Second

// chargedForm makes an intent that is paid at once, so that it can be refunded.
const chargedForm = intentForm + "&payment_method=pm_card_visa&confirm=true"

// soak makes mixed calls to one gateway with default settings until either bound
// is reached, and says how rate, memory and store develop.
func (b *bench) soak(ctx context.Context, out io.Writer, o options) error {
	g, err := startGateway(ctx, b.dir, parity, b.parity, "")
	if err != nil {
		return err
	}
	defer func() {
		g.stop()
		if b.kept = o.keep; o.keep {
			fmt.Fprintf(out, "what Parity wrote is in %s\n", g.dir)
		}
	}()
	if o.soak > 0 {
		bounded, cancel := context.WithTimeout(ctx, o.soak)
		defer cancel()
		ctx = bounded
	}
	w := newSoaking(o.client, g.target(), o.soakCalls)
	var all sync.WaitGroup
	for _, one := range w.crowd {
		all.Go(func() { w.work(ctx, one) })
	}
	done := make(chan struct{})
	go func() {
		all.Wait()
		close(done)
	}()
	err = w.watch(out, g.process, done, soakSlice)
	<-done
	w.crowd.close()
	return errors.Join(err, w.verdict(out))
}

// soaking is what all workers of a soak share.
type soaking struct {
	crowd crowd
	to    target
	left  atomic.Int64

	sync.Mutex
	tally
	gone bool // the gateway answers nobody any more
}

func newSoaking(client string, to target, calls int) *soaking {
	w := &soaking{crowd: newCrowd(client, to), to: to}
	if w.left.Store(int64(calls)); calls == 0 {
		w.left.Store(1 << 62)
	}
	return w
}

// work makes the calls of one connection in turn, each about what the ones
// before it made.
func (w *soaking) work(ctx context.Context, one client) {
	var customer, intent string
	for turn := 0; ctx.Err() == nil; turn++ {
		var c call
		switch turn % 6 {
		case 0:
			c = call{"POST", "/v1/customers", customerForm}
		case 1:
			c = call{method: "GET", path: "/v1/customers/" + customer}
		case 2:
			c = call{"POST", "/v1/payment_intents", chargedForm}
		case 3:
			c = call{method: "GET", path: "/v1/payment_intents/" + intent}
		case 4:
			c = call{method: "GET", path: "/v1/customers?limit=10"}
		case 5:
			c = call{"POST", "/v1/refunds", "payment_intent=" + intent}
		}
		if w.left.Add(-1) < 0 {
			return
		}
		body, ok := w.ask(ctx, one, c)
		if !ok {
			return
		}
		switch turn % 6 {
		case 0:
			customer = idIn(body)
		case 2:
			intent = idIn(body)
		}
	}
}

// ask makes one call and counts it. A call that the end of the soak cut off is
// no failure, and nothing can be asked of a gateway that has failed a thousand
// times without an answer.
func (w *soaking) ask(ctx context.Context, one client, c call) (body []byte, ok bool) {
	var kept bytes.Buffer
	status, size, err := one.exchange(ctx, w.to.request(c), &kept)
	w.Lock()
	defer w.Unlock()
	if ctx.Err() != nil && err != nil {
		return nil, false
	}
	w.calls, w.bytes = w.calls+1, w.bytes+size
	switch {
	case err != nil:
		w.fail(fmt.Sprintf("call %d, %s %s: %v", w.calls, c.method, c.path, err))
		w.gone = w.failed >= 1000
	case status/100 != 2:
		w.fail(fmt.Sprintf("call %d, %s %s: status %d: %.300s", w.calls, c.method, c.path, status, kept.Bytes()))
	}
	return kept.Bytes(), !w.gone
}

// idIn is the id that a record begins with.
func idIn(body []byte) string {
	_, rest, _ := bytes.Cut(body, []byte(`"id":"`))
	id, _, _ := bytes.Cut(rest, []byte(`"`))
	return string(id)
}

func (w *soaking) now() tally {
	w.Lock()
	defer w.Unlock()
	return w.tally
}

// watch prints a line each slice until the work is done.
func (w *soaking) watch(out io.Writer, p *process, done <-chan struct{}, slice time.Duration) error {
	fmt.Fprintf(out, "%8s %10s %8s %12s %12s %10s %8s\n", "after", "calls", "rate", "CPU a call", "resident MB", "store MB", "not 2xx")
	began, ticks := time.Now(), time.NewTicker(slice)
	defer ticks.Stop()
	var first, firstCPU float64
	last, lastCPU, since := tally{}, time.Duration(0), began
	for over := false; !over; {
		select {
		case <-done:
			over = true
		case <-p.done:
			return fmt.Errorf("the gateway has ended: %s", p.said())
		case <-ticks.C:
		}
		cpu, err := cpuOf(p.pid())
		if err != nil {
			return err
		}
		resident, err := residentOf(p.pid())
		if err != nil {
			return err
		}
		stored, err := sizeBelow(p.dir)
		if err != nil {
			return err
		}
		now, took := w.now(), time.Since(since)
		calls := float64(now.calls - last.calls)
		if calls == 0 || over && took < slice/10 {
			continue // too little to say something of
		}
		rate, each := calls/took.Seconds(), float64(cpu-lastCPU)/calls
		if first == 0 {
			first, firstCPU = rate, each
		}
		fmt.Fprintf(out, "%8s %10d %8.2f %12.2f %12.0f %10.0f %8d\n", time.Since(began).Round(time.Second), now.calls,
			rate/first, each/firstCPU, float64(resident)/(1<<20), float64(stored)/(1<<20), now.failed)
		last, lastCPU, since = now, cpu, time.Now()
	}
	return nil
}

func (w *soaking) verdict(out io.Writer) error {
	sum := w.now()
	fmt.Fprintf(out, "%d calls, %d not 2xx\n", sum.calls, sum.failed)
	if sum.failed > 0 {
		return fmt.Errorf("%d calls failed, the first: %s", sum.failed, sum.first)
	}
	return nil
}
