package series

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"parity/cmd/internal/connection"
	"parity/cmd/internal/isolation"
	"parity/cmd/internal/rehearsal"
	"parity/gateway"
	"parity/gateway/capture"
	"parity/gateway/journal"
	"parity/gateway/kept"
	"parity/gateway/report"
	"parity/profiles"
)

// rehearse does one job: a run is made, the agent runs in it to its end, and the
// run is judged.
func (s *Series) rehearse(ctx context.Context, name string, d *Done) {
	r, err := s.begin(name, d.Job)
	if err != nil {
		d.Err = err
		return
	}
	d.Run = name
	var said rehearsal.Tail
	wall := s.wall
	began := wall.Now()
	limited := ctx
	if d.Job.Limit > 0 {
		var cancel context.CancelFunc
		limited, cancel = context.WithTimeout(ctx, d.Job.Limit)
		defer cancel()
	}
	code, err := s.run(limited, r, d, &said)
	if err != nil {
		d.Run, d.Err = "", &StartError{Code: code, Err: err}
		d.Left = stopped(ctx) // it came just before the start
		if d.Left != "" {
			d.Err = nil
		}
		_ = r.Remove() // it is empty
		return
	}
	d.Code, d.Took = code, wall.Now().Sub(began)
	if cut := stopped(ctx); cut != "" {
		d.Cut = cut
	}
	if d.Cut == "" && limited.Err() != nil {
		d.Cut = TooLong
	}
	d.Said = said.Masked()
	d.Err = s.conclude(r, d, began)
}

// run runs the agent of a job to its end, isolated where that is asked for.
func (s *Series) run(ctx context.Context, r *gateway.AgentRun, d *Done, said *rehearsal.Tail) (int, error) {
	agent := capture.Command{Args: s.o.Command, Stdout: said, Stderr: said, Apart: true}
	isolate, err := s.o.Isolate.Under(r.Profile(), s.o.Environ)
	if err != nil {
		return isolation.ExitRefused, err
	}
	if isolate.Level == "" {
		agent.Env = connection.InRun(s.env, s.srv, r.Run, r.Addr).Environ(s.o.Environ)
		return capture.Start(ctx, agent)
	}
	in, err := isolation.Enter(ctx, nil, s.srv, r.Run, isolate, s.o.Environ)
	if err != nil {
		return isolation.ExitRefused, err
	}
	agent.Inside, agent.Env = in, in.Environ()
	if err := in.Probe(ctx, s.srv, r.Run, isolate); err != nil {
		return isolation.ExitRefused, errors.Join(err, in.Close())
	}
	code, err := capture.Start(ctx, agent)
	d.Cut = Stop(in.Why())
	return code, errors.Join(err, in.Close())
}

// begin makes the run of a job.
func (s *Series) begin(name string, job Job) (*gateway.AgentRun, error) {
	under, err := s.conditions(job)
	if err != nil {
		return nil, err
	}
	return s.srv.BeginRun(name, under, s.seedOf(job, under.Profile()), job.Arm)
}

// unattended refuses a profile in which a person is asked: nobody sits beside many
// runs, and each would wait until it lapses.
func unattended(p *profiles.Profile) error {
	if p.Authority == nil {
		return nil
	}
	for _, name := range p.Authority.Order {
		if p.Authority.Approvers[name].Person {
			return &gateway.UsageError{Err: fmt.Errorf("approver %s of %s is a person, and nobody sits beside many runs: lay a profile with a stand-in over it, such as policy: {approvers: {%s: {person: false, decides: approve}}}", name, p.Name, name)}
		}
	}
	return nil
}

// seedOf is the seed of a job: its own, else the series' own, which one that its
// profile names comes before.
func (s *Series) seedOf(job Job, p *profiles.Profile) uint64 {
	switch {
	case job.Seed != nil:
		return *job.Seed
	case s.o.Seed == nil && p.Seed != nil:
		return *p.Seed
	}
	return s.seed
}

// conditions are the profile of a job, with the rules that the job has on.
func (s *Series) conditions(job Job) (*gateway.Conditions, error) {
	if job.Only == nil {
		return s.srv.Conditions(job.Profile, nil)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	key := job.Profile + "\n" + strings.Join(job.Only, "\n")
	if known := s.under[key]; known != nil {
		return known, nil
	}
	some, err := s.srv.Conditions(job.Profile, job.Only)
	if err == nil {
		s.under[key] = some
	}
	return some, err
}

// conclude ends a job's run once its calls have ended, keeps how the agent was
// started and how it ended, and judges it.
func (s *Series) conclude(r *gateway.AgentRun, d *Done, began time.Time) error {
	ctx, cancel := context.WithTimeout(context.Background(), rehearsal.ShutdownTime)
	defer cancel()
	r.Settle(ctx)
	p := s.o.Plan
	if d.Job.Profile != "" {
		p.Profile = d.Job.Profile
	}
	p.Flags = slices.Concat(d.Job.Flags, p.Flags)
	if d.Job.calm {
		p.Flags = rehearsal.WithoutRules(p.Flags)
	}
	agent := report.Agent{Started: true, Exit: d.Code, Took: d.Took}
	came := kept.Outcome{Cut: string(d.Cut)}
	if r.ReadsOutput() {
		came.Said = rehearsal.LastLines(d.Said)
	}
	came.Twin, came.Calm = s.besides(uint64(r.Seed), &d.Job)
	err := r.End(p.Outcome(came, agent))
	if err == nil {
		err = rehearsal.KeepOutput(s.srv, r.ID, d.Said)
	}
	if err == nil {
		err = s.last()
	}
	if err != nil {
		return errors.Join(rehearsal.ErrDefect, err)
	}
	kept, err := s.srv.Kept(r.ID)
	if err != nil {
		return errors.Join(rehearsal.ErrDefect, err)
	}
	d.Report = kept.Report()
	if d.Cut == TooLong {
		d.Last = lastCall(kept, began, d.Took, d.Job.Limit/2)
	}
	return nil
}

// lastCall gives how long after its start an agent's last call was over, where it
// then did nothing for as long as idle, though nobody had told it to wait: a
// process that has done its work may linger, as Node does while a connection is
// open whose reply it has not read. 0: it was still at it when it was ended.
func lastCall(k *kept.Run, began time.Time, took, idle time.Duration) time.Duration {
	var last, waits time.Duration
	for i := range k.Events {
		settled, ok := k.Settlements[k.Events[i].Seq]
		if !ok || k.Events[i].Exchange == nil {
			continue
		}
		over := settled.Wall.Time().Sub(began)
		last = max(last, over)
		for _, s := range k.Events[i].Exchange.Strikes {
			if s.Fired {
				waits = max(waits, over+s.Wait)
			}
		}
	}
	if took-last < idle || waits > took {
		return 0
	}
	return last
}

// last makes the series the last one, as soon as one of its runs has ended.
func (s *Series) last() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.named {
		return nil
	}
	s.named = true
	return journal.SetLast(s.srv.Settings().RunsFolder(), s.Name)
}
