package gateway

import (
	"slices"

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
	calm.Only, calm.Arm, calm.pair, calm.calm = []string{NoRules}, nil, p, true
	calm.Flags = []string{"--only", NoRules}
	beside.pair, beside.Flags = p, slices.Concat(job.Flags, []string{"--twin"})
	return calm, beside
}

// settle tells the rehearsal beside a twin how that went.
func (d *Done) settle() {
	if d.Job.pair == nil || !d.Job.calm {
		return
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

// twin waits for how the twin of a job went; nil: it has none.
func (j *Job) twin() *report.Twin {
	if j.pair == nil || j.calm {
		return nil
	}
	<-j.pair.ended
	return &j.pair.twin
}
