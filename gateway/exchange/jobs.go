package exchange

import (
	"net/http"
	"time"

	"parity/fakes"
	"parity/fakes/jobs"
	"parity/fakes/kit"
	"parity/fakes/world"
	"parity/faults"
	"parity/faults/run"
	"parity/faults/trail"
	"parity/specs"
)

// added is what answers, beside a service, at addresses that Parity adds to it.
type added struct {
	service fakes.Service
	known   map[*specs.Operation]*known
}

// addTo makes what answers beside a service.
func (l *Line) addTo(s fakes.Service) *added {
	beside, err := jobs.Beside(s)
	if err != nil {
		panic(err) // its contract ships
	}
	a := &added{service: beside, known: map[*specs.Operation]*known{}}
	for _, op := range beside.Contract.Operations {
		name := op.Method + " " + op.Path
		a.known[op] = &known{name: name, full: op.Name(), effect: string(specs.Read), metrics: l.metrics.Operation(s.Name, "")}
	}
	return a
}

// addressed finds the operation that Parity has added to the service.
func (x *Exchange) addressed(m specs.Match) specs.Match {
	adds, ok := x.rev.added[x.service.Name]
	if !ok {
		return m
	}
	a := adds()
	its := a.service.Contract.MatchCall(x.asked())
	if its.Operation == nil {
		return m
	}
	x.found(a.service, x.base)
	x.known = a.known[its.Operation]
	return its
}

// accept answers that the call's work is done later: what the fake did is taken
// back, and kept until then.
func (x *Exchange) accept(t *run.Turn) {
	job := x.plan.Job
	if x.within.of != nil {
		x.notLater(job)
		return
	}
	if job == nil || x.plan.Skip || x.reply.Status/100 != 2 {
		return // what the service refuses it refuses at once
	}
	changes := t.Tx().Changes()
	t.Discard()
	id := x.mint(t, "job")(jobs.Prefix, 16)
	due := t.Now.Add(job.Wait)
	value := map[string]any{
		"kind": kit.WorkKind, "service": x.service.Name, "rule": job.Rule, "operation": x.known.name, "ends": job.Ends,
		"accepted": t.Now.UnixNano(), "due": due.UnixNano(), "retry_after": int64(job.RetryAfter / time.Second), "state": "pending",
	}
	if x.reply.Result != nil {
		value["result"] = x.reply.Result
	}
	reply, id := x.deferred(t, kit.WorkIn(id, value, t.Now))
	value["id"] = id
	if job.Ends == "succeeds" || job.Ends == "twice" {
		value["changes"] = listed(changes, x.rev.hidden)
		if err := kit.Schedule(t.Tx(), fakes.Timer{Service: x.service.Name, Kind: fakes.JobTimer, Subject: id, Due: due}); err != nil {
			x.line.log.Error("job not scheduled", "run", x.run.ID, "error", err)
		}
	}
	if _, err := t.Tx().Insert(fakes.JobsCollection, id, value); err != nil {
		x.line.log.Error("job not kept", "run", x.run.ID, "error", err)
	}
	x.accepted = true
	x.entry.FakeStatus, x.entry.FakeBody = x.reply.Status, x.reply.Body
	x.reply = reply
	for i := range x.entry.Strikes {
		if s := &x.entry.Strikes[i]; s.Rule == job.Rule && s.Fired && s.Did == "" {
			s.Did = "accepted as " + id
		}
	}
}

// notLater notes that a part of a batch is not accepted for later: the whole is
// answered once.
func (x *Exchange) notLater(job *faults.Job) {
	for i := range x.entry.Strikes {
		if s := &x.entry.Strikes[i]; job != nil && s.Rule == job.Rule && s.Fired {
			s.Fired, s.Why = false, "a part of a batch is answered with the rest of it"
		}
	}
}

// deferred is the answer that accepts work, and the id by which it is asked for:
// in the service's own form, where it has one.
func (x *Exchange) deferred(t *run.Turn, w fakes.Work) (fakes.Reply, string) {
	if d, ok := x.service.Fake.(fakes.Deferrer); ok {
		if reply, id, ok := d.Defer(x.call(t), w, x.reply); ok {
			reply.Header = reply.Header.Clone()
			if reply.Header == nil {
				reply.Header = http.Header{}
			}
			kit.AskAgain(reply.Header, w)
			return reply, id
		}
	}
	shown, header := jobs.Show(w)
	header.Set("Location", x.base+jobs.Path+w.ID)
	body := world.Encode(shown)
	if x.reply.Status == http.StatusAccepted && len(x.reply.Body) > 0 { // the contract's own 202
		body = x.reply.Body
		header.Set("Content-Type", x.reply.Header.Get("Content-Type"))
	}
	return fakes.Reply{Status: http.StatusAccepted, Header: header, Body: body}, w.ID
}

// listed keeps changes as a record can have them.
func listed(changes []trail.Change, hidden map[string]bool) []any {
	list := make([]any, 0, len(changes))
	for _, c := range changes {
		list = append(list, map[string]any{
			"op": string(c.Op), "hidden": hidden[c.Collection], "collection": c.Collection, "record": c.ID, "after": string(c.After), "before": string(c.Before),
		})
	}
	return list
}
