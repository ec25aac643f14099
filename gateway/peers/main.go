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
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
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
	starts         int
	exchanges      int
	parity, before string
	client         string
	write          bool
	soak           time.Duration
	soakCalls      int
	keep           bool
}

func parse(args []string) (options, error) {
	var o options
	flags := flag.NewFlagSet("peers", flag.ContinueOnError)
	flags.StringVar(&o.cases, "case", "", "cases to run, by name, with commas between (default all)")
	flags.StringVar(&o.peers, "peer", "", "peers to run, by name, with commas between (default all)")
	flags.DurationVar(&o.slice, "slice", 500*time.Millisecond, "how long one peer is asked at a time")
	flags.IntVar(&o.rounds, "rounds", 10, "how many slices each peer has")
	flags.IntVar(&o.starts, "starts", 20, "how often each is started, in the case cold")
	flags.IntVar(&o.exchanges, "exchanges", 20_000, "how many payment intents are posted, in the case memory")
	flags.StringVar(&o.client, "client", netHTTP, "who asks: net/http, or raw, which costs a fifth of it")
	flags.StringVar(&o.parity, "parity", "", "binary of Parity (default: it is built)")
	flags.StringVar(&o.before, "before", "", "another binary of Parity, measured beside it")
	flags.BoolVar(&o.write, "write", false, "write the figures of all cases into README.md")
	flags.DurationVar(&o.soak, "soak", 0, "instead of all that: mixed calls to Parity alone, for so long")
	flags.IntVar(&o.soakCalls, "soak-calls", 0, "the same, for so many calls")
	flags.BoolVar(&o.keep, "keep", false, "leave the folder that Parity was soaked in, and say where it is")
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	return o, o.check(flags.NArg())
}

func (o options) check(left int) error {
	switch {
	case left > 0:
		return errors.New("nothing follows the flags")
	case o.rounds < 1 || o.starts < 1 || o.exchanges < 10 || o.slice <= 0:
		return errors.New("-rounds, -starts and -slice are above 0, and -exchanges is at least 10")
	case o.client != netHTTP && o.client != raw:
		return fmt.Errorf("no client %q: there are %s and %s", o.client, netHTTP, raw)
	case o.write && (o.cases != "" || o.peers != ""):
		return errors.New("-write wants all cases and all peers: the page has all or nothing")
	}
	return nil
}

func run(ctx context.Context, args []string, out io.Writer) error {
	o, err := parse(args)
	if err != nil {
		return err
	}
	b, err := open(ctx, o)
	if err != nil {
		return err
	}
	defer b.close()
	if o.soak > 0 || o.soakCalls > 0 {
		return b.soak(ctx, out, o)
	}
	f, err := b.measured(ctx, out, o)
	if err == nil {
		err = f.failed()
	}
	if err != nil || !o.write {
		return err
	}
	return write(filepath.Join(b.here, "README.md"), f.markdown())
}

// caseNames are the contests, and what is measured besides.
func caseNames() []string {
	var names []string
	for _, c := range contests() {
		names = append(names, c.name)
	}
	return append(names, "cold", "memory", "paced")
}

func (b *bench) measured(ctx context.Context, out io.Writer, o options) (figures, error) {
	f := figures{about: o.about(time.Now(), b.load), leftOut: b.leftOut}
	fmt.Fprintln(out, f.about)
	for _, c := range contests() {
		if !slices.Contains(b.cases, c.name) {
			continue
		}
		all, err := b.compare(ctx, c, o)
		if err != nil {
			return f, err
		}
		f.contests = append(f.contests, placed{c, all})
		printContest(out, c, all)
	}
	if slices.Contains(b.cases, "cold") {
		all, err := b.starts(ctx, o.starts)
		if err != nil {
			return f, err
		}
		f.starts = beginnings(all)
		printStarts(out, f.starts, o.starts)
	}
	var err error
	if slices.Contains(b.cases, "memory") {
		if f.memory, err = b.memory(ctx, o.exchanges); err != nil {
			return f, err
		}
		printMemory(out, f.memory, o.exchanges)
	}
	if slices.Contains(b.cases, "paced") {
		if f.delays, err = b.paced(ctx, o.rounds); err != nil {
			return f, err
		}
		printDelays(out, f.delays)
	}
	printLeftOut(out, b.leftOut)
	return f, nil
}

// about says under which conditions the figures were made.
func (o options) about(now time.Time, load string) string {
	return fmt.Sprintf("%d cores with a load of %s before it began, %s, %s; %d connections of a %s client, %d rounds of %s.",
		runtime.NumCPU(), load, runtime.Version(), now.Format(time.DateOnly), connections, o.client, o.rounds, o.slice)
}

// compare runs one contest.
func (b *bench) compare(ctx context.Context, c contest, o options) ([]standing, error) {
	f, err := prepared(ctx, b, c)
	if err != nil {
		return nil, err
	}
	defer f.stop()
	if err := f.run(ctx, o.rounds, o.slice); err != nil {
		return nil, err
	}
	return standings(f.lanes), nil
}
