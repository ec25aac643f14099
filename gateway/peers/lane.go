package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// The peers, as they are named on the command line and in tables.
const (
	bare       = "bare"
	viaProxy   = "bare-proxy"  // the same server, asked as a proxy is
	viaTunnel  = "bare-tunnel" // the same server behind a hijacked CONNECT
	goproxy    = "goproxy"
	parity     = "parity"
	before     = "before" // another binary of Parity
	hoverfly   = "hoverfly"
	stripeMock = "stripe-mock"
	prism      = "prism"
)

func peerNames() []string {
	return []string{bare, viaProxy, viaTunnel, goproxy, parity, before, hoverfly, stripeMock, prism}
}

// A lane is one peer in one contest: the server, its connections, the request.
type lane struct {
	peer    string
	server  *process
	gateway *gateway // of Parity
	crowd   crowd
	request request
	status  int

	rounds []round
	heap   heap // what was allocated in all rounds
}

// A round is one slice of one lane.
type round struct {
	tally
	cpu time.Duration
}

// A field is all that was started for one contest.
type field struct {
	contest contest
	lanes   []*lane
	running []*process
	call    call   // as prepared in Parity
	replies string // the file of what Parity answered, and others are to
	dir     string
	bench   *bench
}

// prepared starts those peers of a contest that were chosen. What cannot be had
// is left out, and kept in b.leftOut; bare and Parity have to be there.
func prepared(ctx context.Context, b *bench, c contest) (*field, error) {
	f := &field{contest: c, bench: b}
	var err error
	if f.dir, err = os.MkdirTemp(b.dir, c.name+"-"); err != nil {
		return nil, err
	}
	// Parity first: the others say what it said.
	if err := f.parity(ctx, parity, b.parity); err != nil {
		f.stop()
		return nil, err
	}
	for _, peer := range c.peers {
		if peer == parity || !slices.Contains(b.peers, peer) {
			continue
		}
		err := f.peer(ctx, peer)
		if errors.Is(err, errNotAsked) {
			continue
		}
		if err != nil && (peer == bare || ctx.Err() != nil) {
			f.stop()
			return nil, err
		}
		if err != nil {
			b.leftOut[peer] = err
		}
	}
	slices.SortStableFunc(f.lanes, func(a, b *lane) int {
		return slices.Index(c.peers, a.peer) - slices.Index(c.peers, b.peer)
	})
	return f, nil
}

func (f *field) stop() {
	for _, l := range f.lanes {
		l.crowd.close()
	}
	for _, p := range f.running {
		p.stop()
	}
}

// parity starts a binary of Parity, prepares its world and adds its lane. Its
// reply is what the others are given.
func (f *field) parity(ctx context.Context, name, binary string) error {
	contract := f.contest.contract
	if contract != "" {
		contract = filepath.Join(f.bench.here, contract)
	}
	g, err := startGateway(ctx, f.dir, name, binary, contract)
	if err != nil {
		return err
	}
	f.running = append(f.running, g.process)
	c, err := f.contest.prepare(ctx, g)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if name == parity {
		if err := f.record(ctx, g, c); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	to := g.target()
	if to.way = f.contest.way; to.way == intercepted {
		if to.roots, err = rootsOf(f.dir); err != nil {
			return err
		}
	}
	return f.add(ctx, &lane{peer: name, server: g.process, gateway: g}, to, c)
}

// record keeps what Parity answers, for those who are to say the same.
func (f *field) record(ctx context.Context, g *gateway, c call) error {
	got, err := g.ask(ctx, c)
	if err != nil {
		return err
	}
	content, err := json.Marshal([]reply{got})
	if err != nil {
		return err
	}
	f.call, f.replies = c, filepath.Join(f.dir, "replies.json")
	return os.WriteFile(f.replies, content, 0o600)
}

// add takes a lane in whose first reply is a good one.
func (f *field) add(ctx context.Context, l *lane, to target, c call) error {
	l.crowd, l.request = newCrowd(f.bench.client, to), to.request(c)
	status, _, err := l.crowd[0].exchange(ctx, l.request, nil)
	if err == nil && status/100 != 2 {
		err = fmt.Errorf("answers with status %d", status)
	}
	if err != nil {
		return fmt.Errorf("%s, %s: %w", l.peer, f.contest.name, err)
	}
	l.status = status
	if !slices.Contains(f.bench.peers, l.peer) {
		return nil // it was needed, and is not to be measured
	}
	f.lanes = append(f.lanes, l)
	return nil
}

// run measures the lanes in turn, round after round. The order changes with
// each, so that none always comes after the same other.
func (f *field) run(ctx context.Context, rounds int, slice time.Duration) error {
	for _, l := range f.lanes {
		l.crowd.drive(ctx, l.request, l.status, slice/2, 0)
	}
	for i := range rounds {
		for j := range f.lanes {
			l := f.lanes[(i+j)%len(f.lanes)]
			if err := l.measure(ctx, slice); err != nil {
				return fmt.Errorf("%s, %s: %w", l.peer, f.contest.name, err)
			}
		}
	}
	return ctx.Err()
}

func (l *lane) measure(ctx context.Context, slice time.Duration) error {
	heapBefore, err := l.heapNow(ctx)
	if err != nil {
		return err
	}
	cpu, err := cpuOf(l.server.pid())
	if err != nil {
		return err
	}
	r := round{tally: l.crowd.drive(ctx, l.request, l.status, slice, 0)}
	after, err := cpuOf(l.server.pid())
	if err != nil {
		return err
	}
	r.cpu = after - cpu
	heapAfter, err := l.heapNow(ctx)
	if err != nil {
		return err
	}
	l.heap.bytes += heapAfter.bytes - heapBefore.bytes
	l.heap.objects += heapAfter.objects - heapBefore.objects
	l.rounds = append(l.rounds, r)
	return nil
}

func (l *lane) heapNow(ctx context.Context) (heap, error) {
	if l.gateway == nil {
		return heap{}, nil
	}
	return l.gateway.heap(ctx)
}
