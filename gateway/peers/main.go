// Command peers measures the built binary of Parity from outside, with default
// settings, beside others that answer the same calls.
//
//	16 connections ──┬─ slice ─▶ bare net/http, the same bytes   ─┐
//	 (this process)  ├─ slice ─▶ parity serve                     ├─ a round; the
//	                 ├─ slice ─▶ goproxy, stripe-mock, Prism, …  ─┘  order moves on
//	                 └─ /proc/PID: processor time a call, memory
//
// Each server is a process of its own, started anew for each contest. Whatever
// else the machine does falls on all of them alike, so that ratios hold where
// times do not.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"syscall"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "peers:", err)
		os.Exit(1)
	}
}

type options struct {
	cases, peers   string
	slice          time.Duration
	rounds         int
	parity, before string
	client         string
}

func parse(args []string) (options, error) {
	var o options
	flags := flag.NewFlagSet("peers", flag.ContinueOnError)
	flags.StringVar(&o.cases, "case", "", "cases to run, by name, with commas between (default all)")
	flags.StringVar(&o.peers, "peer", "", "peers to run, by name, with commas between (default all)")
	flags.DurationVar(&o.slice, "slice", 500*time.Millisecond, "how long one peer is asked at a time")
	flags.IntVar(&o.rounds, "rounds", 10, "how many slices each peer has")
	flags.StringVar(&o.parity, "parity", "", "binary of Parity (default: it is built)")
	flags.StringVar(&o.before, "before", "", "another binary of Parity, measured beside it")
	flags.StringVar(&o.client, "client", netHTTP, "who asks: net/http, or raw, which costs a fifth of it")
	err := flags.Parse(args)
	if err == nil && o.client != netHTTP && o.client != raw {
		err = fmt.Errorf("no client %q: there are %s and %s", o.client, netHTTP, raw)
	}
	if err == nil && (o.rounds < 1 || o.slice <= 0 || flags.NArg() > 0) {
		err = fmt.Errorf("-rounds and -slice are above 0, and nothing follows the flags")
	}
	return o, err
}

func run(ctx context.Context, args []string, out io.Writer) error {
	o, err := parse(args)
	if err != nil {
		return err
	}
	b, cases, err := open(ctx, o)
	if err != nil {
		return err
	}
	defer os.RemoveAll(b.dir)
	for _, c := range contests() {
		if !slices.Contains(cases, c.name) {
			continue
		}
		if err := b.compare(ctx, out, c, o); err != nil {
			return err
		}
	}
	return nil
}

func open(ctx context.Context, o options) (*bench, []string, error) {
	var names []string
	for _, c := range contests() {
		names = append(names, c.name)
	}
	cases, err := chosen(o.cases, names)
	if err != nil {
		return nil, nil, err
	}
	b := &bench{client: o.client}
	if b.peers, err = chosen(o.peers, peerNames()); err != nil {
		return nil, nil, err
	}
	if b.here, err = os.Getwd(); err != nil {
		return nil, nil, err
	}
	if b.dir, err = os.MkdirTemp("", "peers-"); err != nil {
		return nil, nil, err
	}
	for from, to := range map[string]*string{o.parity: &b.parity, o.before: &b.before} {
		if from == "" {
			continue
		}
		if *to, err = filepath.Abs(from); err != nil {
			return nil, nil, err
		}
	}
	if b.certificate, err = newCertificate(b.dir); err != nil {
		return nil, nil, err
	}
	return b, cases, b.build(ctx)
}

// compare runs one contest and prints what came of it.
func (b *bench) compare(ctx context.Context, out io.Writer, c contest, o options) error {
	f, err := prepared(ctx, b, c)
	if err != nil {
		return err
	}
	defer f.stop()
	if err := f.run(ctx, o.rounds, o.slice); err != nil {
		return err
	}
	printContest(out, c, standings(f.lanes), f.leftOut)
	return nil
}
