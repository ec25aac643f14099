package gateway

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"iter"
	"net/http"
	"strconv"

	"parity/faults/run"
	"parity/faults/trail"
	"parity/gateway/admin"
	"parity/gateway/client"
	"parity/gateway/report"
)

// stateOf is a run's state after the event that a request names, or its newest.
func (s *Server) stateOf(ctx context.Context, call admin.Call, key, at string) (run.State, error) {
	name := runIn(call, key)
	seq, _ := call.Query[at].(int64)
	if p, ok := s.Gateway.slot(name); ok {
		l, err := p.get()
		if err == nil {
			err = l.Wake()
		}
		if err != nil {
			return run.State{}, err
		}
		state := l.State()
		if seq > 0 {
			state, err = l.At(uint64(seq))
		}
		if err == nil {
			err = s.settled(ctx, l, state.Seq)
		}
		return state, refused(err, http.StatusNotFound, "unknown-event")
	}
	k, err := s.read(call, key)
	if err != nil {
		return run.State{}, err
	}
	state, err := k.At(uint64(seq))
	return state, asked(err)
}

func (s *Server) getState(ctx context.Context, call admin.Call) (admin.Answer, error) {
	state, err := s.stateOf(ctx, call, "run", "at")
	if err != nil {
		return admin.Answer{}, err
	}
	return admin.Answer{ContentType: "application/json", Stream: func(w io.Writer) error { return report.State(w, state.World, false) }}, nil
}

func (s *Server) getStateHash(ctx context.Context, call admin.Call) (admin.Answer, error) {
	state, err := s.stateOf(ctx, call, "run", "at")
	if err != nil {
		return admin.Answer{}, err
	}
	return admin.Answer{JSON: client.Hash{Event: state.Seq, World: state.World.Hash(), Tallies: state.Counted()}}, nil
}

func (s *Server) diffState(ctx context.Context, call admin.Call) (admin.Answer, error) {
	a, err := s.stateOf(ctx, call, "run", "at")
	if err != nil {
		return admin.Answer{}, err
	}
	b, err := s.stateOf(ctx, call, "with", "with_at")
	if err != nil {
		return admin.Answer{}, err
	}
	return admin.Answer{ContentType: "application/json", Stream: func(w io.Writer) error {
		_, err := report.StateDiff(w, a.World, b.World, report.StateOptions{Names: [2]string{runIn(call, "run"), runIn(call, "with")}, JSON: true})
		return err
	}}, nil
}

// exportRun gives a run's whole record.
func (s *Server) exportRun(_ context.Context, call admin.Call) (admin.Answer, error) {
	k, err := s.read(call, "run")
	if err != nil {
		return admin.Answer{}, err
	}
	of := k.Subject()
	if format, _ := call.Query["format"].(string); format == "har" {
		return admin.Answer{ContentType: "application/json", Stream: of.HAR}, nil
	}
	return admin.Answer{ContentType: "application/jsonl", Stream: of.Lines}, nil
}

// getEvents gives a run's events from one on: those there are, or as they come.
func (s *Server) getEvents(ctx context.Context, call admin.Call) (admin.Answer, error) {
	name := call.Path["run"]
	if _, ok := s.store.Run(name); !ok {
		return admin.Answer{}, unknownRun(name)
	}
	from, _ := call.Query["from"].(int64)
	if last, err := strconv.ParseUint(call.Header.Get("Last-Event-Id"), 10, 63); err == nil {
		from = int64(last) + 1
	}
	if call.Live() {
		return admin.Answer{Events: s.follow(ctx, name, uint64(max(from, 1)))}, nil
	}
	limit, _ := call.Query["limit"].(int64)
	return admin.Answer{ContentType: "application/jsonl", Stream: func(w io.Writer) error {
		n := int64(0)
		for e, err := range s.events(name)(uint64(from)) {
			if err != nil {
				return err
			}
			if err := report.Line(w, &e, nil); err != nil {
				return err
			}
			if n++; n == limit {
				return nil
			}
		}
		return nil
	}}, nil
}

// follow gives a run's events as they come, until it ends or nobody listens.
func (s *Server) follow(ctx context.Context, name string, from uint64) iter.Seq2[admin.Event, error] {
	return func(yield func(admin.Event, error) bool) {
		for {
			p, goesOn := s.Gateway.slot(name) // asked first: what comes before its end is read below
			for e, err := range s.events(name)(from) {
				shown, err := told(&e, err)
				if !yield(shown, err) || err != nil {
					return
				}
				from = e.Seq + 1
			}
			if !goesOn {
				return
			}
			l, err := p.get()
			if err != nil {
				yield(admin.Event{}, err)
				return
			}
			select {
			case <-l.Changed(from - 1):
			case <-ctx.Done():
				return
			}
		}
	}
}

// told is an event as those who follow a run get it: as an export has it.
func told(e *trail.Event, err error) (admin.Event, error) {
	var line bytes.Buffer
	if err == nil {
		err = report.Line(&line, e, nil)
	}
	return admin.Event{ID: strconv.FormatUint(e.Seq, 10), Name: string(e.Kind), JSON: json.RawMessage(line.Bytes())}, err
}
