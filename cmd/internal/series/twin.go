package series

import (
	"slices"

	"parity/cmd/internal/rehearsal"
	"parity/gateway/kept"
	"parity/gateway/report"
)

// pair is a rehearsal with its twin, which goes without rules. The twin is begun
// first, so that the other can wait for it.
type pair struct {
	ended chan struct{} // closed when the twin is known
	twin  report.Twin
}

// twins gives the twin of a job, and the job beside it. They have to be done in
// that order by one call of Run.
func twins(job Job) (calm, beside Job) {
	p := &pair{ended: make(chan struct{})}
	calm, beside = job, job
	calm.Only, calm.Arm, calm.pair, calm.calm = []string{kept.NoRules}, nil, p, true
	beside.pair, beside.Flags = p, slices.Concat(job.Flags, []string{rehearsal.TwinFlag})
	return calm, beside
}

// alike are runs of a series that differ in their rules alone.
type alike struct {
	profile string // as their job names it
	seed    uint64
}

// settle tells the rehearsal beside a twin how that went.
func (s *Series) settle(d *Done) {
	if d.Job.pair == nil || !d.Job.calm {
		return
	}
	if d.Err == nil && d.Run != "" && d.Cut == "" {
		s.mu.Lock()
		of := alike{d.Job.Profile, d.Report.Seed}
		s.calm[of] = append(s.calm[of], d.Run)
		s.mu.Unlock()
	}
	t := &d.Job.pair.twin
	t.Run = d.Run
	switch came, why := d.Report.Came(); {
	case d.Err != nil:
		t.Why = d.Err.Error()
	case d.Cut != "":
		t.Why = "it was ended: " + string(d.Cut)
	default:
		t.Passed, t.Why = came == report.RunPassed, why
	}
	close(d.Job.pair.ended)
}

// besides are the runs without faults that a job's run is judged beside: its twin,
// and those that are alike and have ended by now. How the agent does without
// faults may differ from run to run, so that one of them does not show it all.
func (s *Series) besides(seed uint64, job *Job) (*report.Twin, []string) {
	t := job.twin()
	if t == nil {
		return nil, job.beside
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	others := s.calm[alike{job.Profile, seed}]
	return t, slices.Clone(others[:min(len(others), kept.MostCalm)])
}

// twin waits for how the twin of a job went; nil: it has none.
func (j *Job) twin() *report.Twin {
	if j.pair == nil || j.calm {
		return nil
	}
	<-j.pair.ended
	return &j.pair.twin
}
