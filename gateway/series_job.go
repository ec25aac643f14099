package gateway

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"parity/fakes/clock"
	"parity/gateway/capture"
	"parity/gateway/journal"
	"parity/gateway/report"
)

// rehearse does one job: a run is made, the agent runs in it to its end, and the
// run is judged.
func (s *Series) rehearse(ctx context.Context, name string, d *Done) {
	l, err := s.begin(name, d.Job)
	if err != nil {
		d.Err = err
		return
	}
	d.Run = name
	var said tail
	wall := s.srv.settings.Wall
	began := wall.Now()
	limited := ctx
	if d.Job.Limit > 0 {
		var cancel context.CancelFunc
		limited, cancel = context.WithTimeout(ctx, d.Job.Limit)
		defer cancel()
	}
	code, err := capture.Start(limited, capture.Command{
		Args: s.o.Command, Env: s.srv.around(s.env, l.Run, l.port.Addr().String()).Environ(s.o.Environ), Stdout: &said, Stderr: &said, Apart: true,
	})
	if err != nil {
		d.Run, d.Err = "", &StartError{Code: code, Err: err}
		d.Left = stopped(ctx) // it came just before the start
		if d.Left != "" {
			d.Err = nil
		}
		_ = s.srv.remove(name) // it is empty
		return
	}
	d.Code, d.Took, d.Cut = code, wall.Now().Sub(began), stopped(ctx)
	if d.Cut == "" && limited.Err() != nil {
		d.Cut = TooLong
	}
	d.Said = said.masked()
	d.Err = s.conclude(l, d)
}

// begin makes the run of a job, at a port of its own: a client that can name no
// run, such as a JVM, has one all the same.
func (s *Series) begin(name string, job Job) (*tenant, error) {
	of, err := s.source(job)
	if err != nil {
		return nil, err
	}
	seed := s.seedOf(job, of)
	l, err := s.srv.make(plan{name: name, source: of, seed: &seed, port: true, locked: true})
	if err != nil {
		return nil, err
	}
	if err := l.arm(context.Background(), job.Arm); err != nil {
		return nil, errors.Join(err, s.srv.remove(name))
	}
	return l, nil
}

// seedOf is the seed of a job: its own, else the series' own, which one that its
// profile names comes before.
func (s *Series) seedOf(job Job, of *source) uint64 {
	switch {
	case job.Seed != nil:
		return *job.Seed
	case s.o.Seed == nil && of.profile().Seed != nil:
		return *of.profile().Seed
	}
	return s.seed
}

// source is the profile of a job, with the rules that the job has on.
func (s *Series) source(job Job) (*source, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	of := s.srv.first
	if job.Profile != "" && job.Profile != of.path {
		var err error
		if of, err = s.srv.opened(job.Profile); err != nil {
			return nil, err
		}
	}
	if job.Only == nil {
		return of, nil
	}
	key := of.path + "\n" + strings.Join(job.Only, "\n")
	if known := s.under[key]; known != nil {
		return known, nil
	}
	p, err := only(of.profile(), job.Only)
	if err != nil {
		return nil, &UsageError{err}
	}
	rev, err := s.srv.Gateway.compile(p)
	if err != nil {
		return nil, &UsageError{err}
	}
	some := &source{path: of.path, only: job.Only}
	some.revision.Store(rev)
	s.under[key] = some
	return some, nil
}

// conclude ends a job's run once its calls have ended, keeps how the agent was
// started and how it ended, and judges it.
func (s *Series) conclude(l *tenant, d *Done) error {
	ctx, cancel := context.WithTimeout(context.Background(), shutdownTime)
	defer cancel()
	l.stop() // calls that wait to do their work wait no longer: the agent is gone
	for l.calls.Load() > 0 && clock.Sleep(ctx, s.srv.settings.Wall, time.Millisecond) == nil {
	}
	r := s.o.Rehearsal
	if d.Job.Profile != "" {
		r.Profile = d.Job.Profile
	}
	r.Flags = slices.Concat(d.Job.Flags, r.Flags)
	if d.Job.calm {
		r.Flags = calmly(r.Flags)
	}
	agent := report.Agent{Started: true, Exit: d.Code, Took: d.Took}
	came := outcome{Cut: d.Cut}
	if l.source.profile().Says.Output {
		came.Said = lastLines(d.Said)
	}
	came.Twin, came.Calm = s.besides(l, &d.Job)
	s.srv.keepOutcome(l.ID, r.as(came, agent))
	err := errors.Join(s.srv.end(l), s.srv.store.Flush(context.Background()))
	if err == nil {
		err = s.srv.keepSaid(l.ID, d.Said)
	}
	if err == nil {
		err = s.last()
	}
	if err != nil {
		return errors.Join(ErrDefect, err)
	}
	kept, err := s.srv.Kept(l.ID)
	if err != nil {
		return errors.Join(ErrDefect, err)
	}
	d.Report = kept.Report()
	return nil
}

// last makes the series the last one, as soon as one of its runs has ended.
func (s *Series) last() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.named {
		return nil
	}
	s.named = true
	return journal.SetLast(s.srv.settings.runs(), s.Name)
}
