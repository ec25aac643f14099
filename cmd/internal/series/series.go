// Package series is many rehearsals of one agent in one gateway, and what they
// come to:
//
//	RunTrials  each profile, seed and repetition ─▶ jobs ┐          ┌▶ Done ─▶ report.Numbers
//	Sweep      once without faults ─▶ cells ──────▶ jobs ┴▶ Series ─┴▶ Done ─▶ report.Sweep
//	                                                         │ N agents at once, each in a run
//	                                                         └ of its own, at a port of its own
//
// A rehearsal alone is cmd/internal/rehearsal.
package series

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"strconv"
	"sync"
	"time"

	"parity/cmd/internal/connection"
	"parity/cmd/internal/rehearsal"
	"parity/fakes/clock"
	"parity/gateway"
	"parity/gateway/capture"
	"parity/gateway/kept"
	"parity/gateway/report"
)

// A Job is one rehearsal of a series.
type Job struct {
	Name    string           // what the series calls it
	Profile string           // a file, or a name in the library; "": the series' own
	Seed    *uint64          // nil: the series' own
	Only    []string         // names of rules: all others are switched off; nil: as the series has it
	Arm     []gateway.Arming // rules that are in force beside those of the profile
	Flags   []string         // of a command that would do the job alone, besides those of the series
	Limit   time.Duration    // the agent is ended after so long; 0: it is not

	pair   *pair    // nil: it has no twin
	calm   bool     // it is the twin
	beside []string // runs without faults that it is judged beside, as well as twins
}

// A Done is what came of a job.
type Done struct {
	Job    Job
	Left   Stop          // why it was not begun; "": it was
	Cut    Stop          // why the agent was ended before its own end; "": it was not
	Run    string        // as `parity report` and `parity trace` find it
	Code   int           // what the agent ended with
	Took   time.Duration // from the agent's start to its end
	Last   time.Duration // from its start to the end of its last call, where it did nothing for long before it was ended; 0: it did
	Report report.Report
	Said   string // the last of what the agent wrote, to stdout and stderr
	Err    error  // why there is no report though the agent ran; a defect
}

// Stop is why a series did not do something.
type Stop string

// The reasons.
const (
	OverBudget  Stop = "the time budget was over"
	Interrupted Stop = "the series was interrupted"
	TooLong     Stop = "it went on for too long"
	Enough      Stop = "enough was known"
)

// Progress is how far a series is.
type Progress struct {
	Of, Done, Running int
	Newest            *Done         // nil: one has begun
	Spent, Budget     time.Duration // no budget: 0
}

// Options say how the jobs of a series are done.
type Options struct {
	rehearsal.Plan               // how each agent is started; its Stdin, Stdout and Stderr are the series' own
	Kind           string        // begins the names of its runs: sweep, repeat
	Parallel       int           // jobs at once; default one for each processor, and at least 2
	Budget         time.Duration // of real time, from Open on; 0: none
	// Enough, where set, is told of each job that is done, one at a time. After it
	// has said so, no other is begun.
	Enough   func(Done) bool
	Progress func(Progress) // where set, called one at a time
}

// Series does many rehearsals of one agent in one gateway:
//
//	jobs ─▶ one at a time from the front ─▶ N agents at once ─▶ Done, in the jobs' order
//	                                        each in a run of its own, at a port of its own
//
// Runs share nothing, but the agents share what every process of one user
// shares: the folder that they are started in, their files, their ports.
type Series struct {
	Name string // of its store; its runs are NAME-1, NAME-2 …

	o     Options
	srv   *gateway.Server
	wall  clock.Wall
	env   capture.Settings
	seed  uint64
	until time.Time

	mu      sync.Mutex // of what follows, and of whoever is told
	made    int        // names of runs
	named   bool       // it is the last
	kept    int        // runs in which an agent ran
	running int
	done    int
	left    Stop
	failed  error
	under   map[string]*gateway.Conditions // by profile and rules
	calm    map[alike][]string             // runs without faults that came to their end
}

// StartError says that the agent could not be started.
type StartError struct {
	Code int // as shells have it: 126 or 127
	Err  error
}

func (e *StartError) Error() string { return e.Err.Error() }
func (e *StartError) Unwrap() error { return e.Err }

// unstarted tells of an agent that could not be started: that is no error of ours,
// and the code says it.
func unstarted(stderr io.Writer, code int, err error) (int, error) {
	var start *StartError
	if !errors.As(err, &start) {
		return code, err
	}
	fmt.Fprintf(stderr, "parity: %v\n", start)
	return start.Code, nil
}

// Open opens the gateway of a series. An error means that nothing was
// started.
func Open(ctx context.Context, o Options) (*Series, error) {
	rehearsal.AllowModels(&o.Settings)
	if o.Parallel == 0 {
		o.Parallel = max(2, runtime.NumCPU())
	}
	if o.Parallel < 0 || o.Budget < 0 {
		return nil, errors.New("--parallel is how many agents run at once, at least 1, and --budget how long it may take: 0 for as long as it takes")
	}
	began := o.WithDefaults().Wall.Now()
	o.Settings.Series = o.Kind
	srv, err := gateway.Open(context.WithoutCancel(ctx), o.Settings)
	if err != nil {
		return nil, err
	}
	s := &Series{
		Name: filepath.Base(srv.Dir()), o: o, srv: srv, wall: srv.Settings().Wall, seed: kept.DrawnSeed(),
		under: map[string]*gateway.Conditions{}, calm: map[alike][]string{},
	}
	if o.Seed != nil {
		s.seed = *o.Seed
	}
	if o.Budget > 0 {
		s.until = began.Add(o.Budget)
	}
	for _, note := range s.env.Notes(o.Environ) {
		fmt.Fprintf(o.Stderr, "parity: %s\n", note)
	}
	rehearsal.Warn(o.Stderr, srv)
	if s.env, err = connection.WriteFiles(srv.Settings().Root, srv.CA.CertPEM(), srv.Settings(), srv.Settings().CA); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// Close ends the gateway, and removes the store of a series in which nothing was
// started.
func (s *Series) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), rehearsal.ShutdownTime)
	defer cancel()
	err := s.srv.Close(ctx)
	if errors.Is(err, context.DeadlineExceeded) && !gateway.HeldUp(err) {
		err = nil // somebody held a connection open
	}
	if s.kept == 0 {
		return errors.Join(err, s.srv.Discard())
	}
	return err
}

// Run does jobs, as many at once as there may be, and gives what came of each,
// in their order. It may be called again. When ctx or the budget ends, agents
// that run are ended, and no other is started. The error says why no agent can
// be started (a *StartError), or is of a job's profile.
func (s *Series) Run(ctx context.Context, jobs []Job) ([]Done, error) {
	if !s.until.IsZero() {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, s.until.Sub(s.wall.Now()))
		defer cancel()
	}
	all := make([]Done, len(jobs))
	for i := range jobs {
		under, err := s.conditions(jobs[i]) // before any agent is started
		if err == nil {
			err = unattended(under.Profile())
		}
		if err != nil {
			return nil, err
		}
		all[i].Job = jobs[i]
	}
	s.left, s.done = "", 0
	var work sync.WaitGroup
	next := 0
	for range min(s.o.Parallel, len(jobs)) {
		work.Go(func() {
			for {
				i, name := s.take(ctx, &next, all)
				if name == "" {
					return
				}
				s.rehearse(ctx, name, &all[i])
				s.settle(&all[i])
				s.finished(&all[i], len(all))
			}
		})
	}
	work.Wait()
	return all, s.failed
}

// take gives the next job that is to be done, and the name of its run; "": no
// more are.
func (s *Series) take(ctx context.Context, next *int, all []Done) (int, string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.left == "" {
		s.left = stopped(ctx)
	}
	i := *next
	if i == len(all) {
		return 0, ""
	}
	if s.left != "" || s.failed != nil {
		for ; *next < len(all); *next++ {
			all[*next].Left = s.left
		}
		return 0, ""
	}
	*next++
	s.made++
	s.running++
	s.tell(nil, len(all))
	return i, s.Name + "-" + strconv.Itoa(s.made)
}

// stopped says why a context has ended; "": it has not.
func stopped(ctx context.Context) Stop {
	switch {
	case ctx.Err() == nil:
		return ""
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return OverBudget
	}
	return Interrupted
}

func (s *Series) finished(d *Done, of int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.running--
	s.done++
	if d.Run != "" {
		s.kept++
	}
	var start *StartError
	if errors.As(d.Err, &start) && s.failed == nil {
		s.failed = start
	}
	if s.left == "" && s.o.Enough != nil && d.Err == nil && s.o.Enough(*d) {
		s.left = Enough
	}
	s.tell(d, of)
}

func (s *Series) tell(d *Done, of int) {
	if s.o.Progress == nil {
		return
	}
	p := Progress{Of: of, Done: s.done, Running: s.running, Newest: d, Budget: s.o.Budget}
	if !s.until.IsZero() {
		p.Spent = s.o.Budget - s.until.Sub(s.wall.Now())
	}
	s.o.Progress(p)
}
