package gateway

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"strconv"
	"time"

	"parity/fakes/clock"
	"parity/faults/run"
	"parity/faults/trail"
	"parity/gateway/admin"
	"parity/gateway/client"
	"parity/gateway/journal"
	"parity/gateway/kept"
	"parity/gateway/report"
	"parity/specs/secret"
)

// operations are what the control plane does, by the operations of its
// contract.
func (s *Server) operations() map[string]admin.Operation {
	all := map[string]admin.Operation{
		"getGateway": s.getGateway, "listRuns": s.listRuns, "makeRuns": s.makeRuns, "getRun": on(s, s.getRun),
		"removeRun": s.removeRun, "endRun": on(s, s.endRun), "forkRun": s.forkRun, "resetRun": on(s, s.resetRun),
		"listSnapshots": on(s, s.listSnapshots), "takeSnapshot": on(s, s.takeSnapshot), "rollBack": on(s, s.rollBack),
		"getClock": on(s, s.getClock), "moveClock": on(s, s.moveClock), "getEvents": s.getEvents, "exportRun": s.exportRun,
		"getState": s.getState, "getStateHash": s.getStateHash, "diffState": s.diffState,
		"getReport": s.getReport, "claimOutcome": on(s, s.claimOutcome),
		"logProfile": s.logProfile, "rollBackProfile": s.rollBackProfile,
		"armRule": on(s, s.armRule), "listArmed": on(s, s.listArmed), "disarmRule": on(s, s.disarmRule), "disarmAll": s.disarmAll,
	}
	maps.Copy(all, s.approvalOperations())
	all["listCredentials"], all["changeCredentials"] = on(s, s.listCredentials), on(s, s.changeCredentials)
	for name, do := range all {
		all[name] = func(ctx context.Context, call admin.Call) (admin.Answer, error) {
			answer, err := do(ctx, call)
			return answer, fullRecord(err)
		}
	}
	return all
}

// fullRecord turns what a record that is full refuses into a problem, as the data
// port answers it: it is no defect, and says what to do. Other errors stay what
// they are.
func fullRecord(err error) error {
	if errors.Is(err, journal.ErrFull) {
		return &admin.Problem{Status: http.StatusServiceUnavailable, Code: "journal", Detail: err.Error()}
	}
	return err
}

// on is an operation on a run that goes on.
func on(s *Server, do func(context.Context, *liveRun, admin.Call) (admin.Answer, error)) admin.Operation {
	return func(ctx context.Context, call admin.Call) (admin.Answer, error) {
		name := call.Path["run"]
		p, ok := s.Gateway.slot(name)
		if !ok {
			if _, kept := s.store.Run(name); kept {
				return admin.Answer{}, &admin.Problem{Status: http.StatusConflict, Code: "run-ended", Detail: "run " + name + " has ended: its record can be read, and nothing more happens in it"}
			}
			return admin.Answer{}, unknownRun(name)
		}
		l, err := p.get()
		if err != nil {
			return admin.Answer{}, err
		}
		return do(ctx, l, call)
	}
}

func unknownRun(name string) error {
	return &admin.Problem{Status: http.StatusNotFound, Code: "unknown-run", Detail: "there is no run " + name + "; GET /v1/runs lists those there are"}
}

// asked turns a mistake of whoever asked into a problem.
func asked(err error) error {
	var usage *UsageError
	switch {
	case errors.Is(err, errTaken):
		return &admin.Problem{Status: http.StatusConflict, Code: "name-taken", Detail: err.Error()}
	case errors.As(err, &usage):
		return &admin.Problem{Status: http.StatusUnprocessableEntity, Code: "refused", Detail: err.Error()}
	}
	return err
}

// refused turns what a run does not do into a problem; other errors stay what
// they are.
func refused(err error, status int, code string) error {
	var r *run.RefusedError
	if errors.As(err, &r) {
		return &admin.Problem{Status: status, Code: code, Detail: err.Error()}
	}
	return err
}

func (s *Server) makeRuns(_ context.Context, call admin.Call) (admin.Answer, error) {
	in, o, err := planOf(call.Body)
	if err != nil {
		return admin.Answer{}, asked(err)
	}
	return s.several(in.Names, call.Host, func(name string) (*liveRun, error) {
		p := o
		p.name = name
		if p.source, err = s.sourceFor(name, in.Profile); err != nil {
			return nil, err
		}
		return s.create(p)
	})
}

// forkRun makes runs that go on from a state of a run, which may have ended.
func (s *Server) forkRun(_ context.Context, call admin.Call) (admin.Answer, error) {
	name := call.Path["run"]
	at, _ := call.Body["at"].(int64)
	of, err := s.trunk(name, uint64(max(at, 0))) //nolint:gosec // not negative
	if err != nil {
		return admin.Answer{}, asked(err)
	}
	in, o, err := planOf(call.Body)
	if err != nil {
		return admin.Answer{}, asked(err)
	}
	if in.Profile != "" {
		if o.source, err = s.source(in.Profile); err != nil {
			return admin.Answer{}, asked(err)
		}
	}
	return s.several(in.Names, call.Host, func(name string) (*liveRun, error) {
		p := o
		p.name = name
		return s.fork(of, p)
	})
}

// several makes all the runs that are asked for, or none.
func (s *Server) several(names []string, host string, one func(name string) (*liveRun, error)) (admin.Answer, error) {
	if len(names) == 0 {
		names = []string{""}
	}
	var made []*liveRun
	for _, name := range names {
		l, err := one(name)
		if err != nil {
			for _, l := range made {
				err = errors.Join(err, s.remove(l.ID))
			}
			return admin.Answer{}, asked(err)
		}
		made = append(made, l)
	}
	s.store.Hurry() // whoever reads the store finds them
	list := make([]client.Run, len(made))
	for i, l := range made {
		if err := s.known(l); err != nil {
			return admin.Answer{}, err
		}
		list[i] = s.shown(l, host)
	}
	return admin.Answer{Status: http.StatusCreated, JSON: client.Runs{Runs: list}}, nil
}

// decoded is the body of a call as the client has it; the contract has found it
// valid.
func decoded[T any](body map[string]any) (in T, err error) {
	text, err := json.Marshal(body)
	if err == nil {
		err = json.Unmarshal(text, &in)
	}
	return in, err
}

// planOf reads what a run is to be; a fork has a part of it. A seed may be written
// as a number, too.
func planOf(body map[string]any) (in client.NewRun, p plan, err error) {
	if seed, ok := body["seed"].(int64); ok {
		body = maps.Clone(body)
		body["seed"] = strconv.FormatInt(seed, 10)
	}
	if in, err = decoded[client.NewRun](body); err != nil {
		return in, p, err
	}
	if in.Seed != "" {
		n, err := strconv.ParseUint(in.Seed, 10, 64)
		if err != nil {
			return in, p, &UsageError{Err: fmt.Errorf("seed %q is not a whole number from 0 on", in.Seed)}
		}
		p.seed = &n
	}
	if p.ttl, err = span("ttl", in.TTL); err != nil {
		return in, p, err
	}
	if p.idle, err = span("idle", in.Idle); err != nil {
		return in, p, err
	}
	p.port, p.locked, p.stage, p.agent = in.Port, in.Locked, in.Stage, in.Agent
	if in.Clock != nil {
		p.frozen = in.Clock.Frozen
		p.clock, err = clockOf(in.Clock)
	}
	return in, p, err
}

// span reads a duration above 0; "": none.
func span(key, text string) (time.Duration, error) {
	if text == "" {
		return 0, nil
	}
	d, err := time.ParseDuration(text)
	if err != nil || d <= 0 {
		return 0, &UsageError{Err: fmt.Errorf("%s %q: write a duration above 0, such as 1h or 90s", key, text)}
	}
	return d, nil
}

func clockOf(in *client.NewClock) (*clock.Options, error) {
	o := clock.Options{Mode: clock.Mode(in.Mode), Speed: in.Speed}
	var err error
	if in.Start != "" {
		if o.Start, err = instant("clock.start", in.Start); err != nil {
			return nil, err
		}
	}
	o.Step, err = span("step", in.Step)
	return &o, err
}

func (s *Server) getRun(ctx context.Context, l *liveRun, call admin.Call) (admin.Answer, error) {
	shown := s.shown(l, call.Host)
	return admin.Answer{JSON: unkeyed(call, shown)}, s.settled(ctx, l, shown.Events)
}

func (s *Server) endRun(_ context.Context, l *liveRun, call admin.Call) (admin.Answer, error) {
	shown := s.shown(l, call.Host)
	shown.Token, shown.URLs = "", nil
	err := keepEnd(l, call.Body)
	if err == nil {
		err = s.end(l)
	}
	if err != nil {
		return admin.Answer{}, err
	}
	shown.State = client.Ended
	return admin.Answer{JSON: shown}, s.becomes(s.store.Certain, s.store.Flush)
}

// keepEnd keeps how the agent's process ended, where that is told.
func keepEnd(l *liveRun, body map[string]any) error {
	if _, told := body["exit"]; !told {
		return nil
	}
	in, err := decoded[client.End](body)
	if err != nil {
		return err
	}
	o := kept.Outcome{
		Profile: l.terms.Profile, Command: in.Command, Flags: in.Flags, Exit: cmp.Or(in.Decides, "agent"),
		Agent: &report.Agent{Started: true, Exit: in.Exit},
	}
	if took, err := span("took", in.Took); err == nil {
		o.Agent.Took = took
	}
	said, err := o.Meta()
	if err != nil {
		return err
	}
	return l.writer.SetMeta(said)
}

func (s *Server) removeRun(_ context.Context, call admin.Call) (admin.Answer, error) {
	name := call.Path["run"]
	if _, ok := s.store.Run(name); !ok {
		return admin.Answer{}, unknownRun(name)
	}
	return admin.Answer{Status: http.StatusNoContent}, s.remove(name)
}

func (s *Server) resetRun(_ context.Context, l *liveRun, call admin.Call) (admin.Answer, error) {
	if err := l.Reset(); err != nil {
		return admin.Answer{}, err
	}
	return admin.Answer{JSON: s.shown(l, call.Host)}, s.known(l)
}

func (s *Server) listSnapshots(ctx context.Context, l *liveRun, _ admin.Call) (admin.Answer, error) {
	if err := l.Wake(); err != nil {
		return admin.Answer{}, err
	}
	state := l.State()
	list := []client.Snapshot{}
	for _, kept := range state.Snapshots() {
		list = append(list, client.Snapshot{Name: kept.Name, Event: kept.Seq})
	}
	return admin.Answer{JSON: client.Snapshots{Snapshots: list}}, s.settled(ctx, l, state.Seq)
}

func (s *Server) takeSnapshot(_ context.Context, l *liveRun, call admin.Call) (admin.Answer, error) {
	name, _ := call.Body["name"].(string)
	kept, err := l.TakeSnapshot(name)
	if err != nil {
		return admin.Answer{}, refused(err, http.StatusConflict, "snapshot")
	}
	return admin.Answer{Status: http.StatusCreated, JSON: client.Snapshot{Name: kept.Name, Event: kept.Seq}}, s.known(l)
}

func (s *Server) rollBack(_ context.Context, l *liveRun, call admin.Call) (admin.Answer, error) {
	name, _ := call.Body["snapshot"].(string)
	if err := l.RollBack(name); err != nil {
		return admin.Answer{}, refused(err, http.StatusNotFound, "unknown-snapshot")
	}
	return admin.Answer{JSON: s.shown(l, call.Host)}, s.known(l)
}

// claimOutcome records what the agent, or who runs it, says that came of it.
func (s *Server) claimOutcome(_ context.Context, l *liveRun, call admin.Call) (admin.Answer, error) {
	in, err := decoded[client.Outcome](call.Body)
	if err != nil {
		return admin.Answer{}, err
	}
	c := &trail.Claim{Status: in.Status, Note: in.Note}
	for _, one := range in.Claims {
		c.Claims = append(c.Claims, trail.Statement(one))
	}
	*c = secret.Within(*c, report.Masked)
	if err := l.Append(&trail.Event{Kind: trail.Claimed, Claim: c}); err != nil {
		return admin.Answer{}, err
	}
	return admin.Answer{Status: http.StatusNoContent}, s.known(l) // an agent learns nothing of its run here, such as its seed
}

// runIn is the run that a request names: in its path where the key is "run",
// else in its query.
func runIn(call admin.Call, key string) string {
	if key == "run" {
		return call.Path[key]
	}
	name, _ := call.Query[key].(string)
	return name
}

// read gives a run as its record has it by now, ended or going on.
func (s *Server) read(call admin.Call, key string) (*kept.Run, error) {
	name := runIn(call, key)
	if _, ok := s.store.Run(name); !ok {
		return nil, unknownRun(name)
	}
	return s.Kept(name)
}

func (s *Server) getReport(_ context.Context, call admin.Call) (admin.Answer, error) {
	k, err := s.read(call, "run")
	if err != nil {
		return admin.Answer{}, err
	}
	name, _ := call.Query["format"].(string)
	f, err := report.FormatNamed(cmp.Or(name, "json"))
	if err != nil {
		return admin.Answer{}, asked(&UsageError{Err: err})
	}
	return admin.Answer{ContentType: f.Media, Stream: func(w io.Writer) error { return f.Write(w, k.Subject(), report.Options{}) }}, nil
}
