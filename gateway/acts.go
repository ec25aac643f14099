package gateway

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"parity/faults/run"
	"parity/faults/trail"
	"parity/gateway/admin"
	"parity/gateway/client"
	"parity/gateway/exchange"
)

// listWaits lists what waits for a person in a run that goes on.
func (s *Server) listWaits(ctx context.Context, l *liveRun, _ admin.Call) (admin.Answer, error) {
	state := l.State()
	if err := s.settled(ctx, l, state.Seq); err != nil {
		return admin.Answer{}, err
	}
	list := []client.Wait{}
	for _, w := range l.Waits(state.World, l.Now()) {
		shown := client.Wait{
			Run: l.ID, Service: w.Service, Kind: w.Kind, Collection: w.Collection, ID: w.ID, Since: w.Since, Says: w.Says, URL: w.URL, Acts: []client.PossibleAct{},
		}
		for _, a := range w.Acts {
			shown.Acts = append(shown.Acts, client.PossibleAct{Name: a.Name, Does: a.Does, With: a.With})
		}
		list = append(list, shown)
	}
	return admin.Answer{JSON: client.Waits{Waits: list}}, nil
}

// act does in a service what waits for a person, by an event.
func (s *Server) act(_ context.Context, l *liveRun, call admin.Call) (admin.Answer, error) {
	by, err := decider(call)
	if err != nil {
		return admin.Answer{}, err
	}
	in, err := decoded[client.NewAct](call.Body)
	if err != nil {
		return admin.Answer{}, err
	}
	of, err := waitingFor(l, in)
	if err != nil {
		return admin.Answer{}, err
	}
	a := trail.Act{Service: of.Service, Collection: of.Collection, ID: of.ID, Name: in.Act, By: trail.Speaker(by)}
	if with, _ := call.Body["with"].(map[string]any); len(with) > 0 { // as it came: in.With has its numbers rounded
		if a.With, err = json.Marshal(with); err != nil {
			return admin.Answer{}, err
		}
	}
	var refused error
	e, err := l.DecideAside(s.settings.Wall.Now(), func(t *run.Turn) (done *trail.Event) {
		done, refused = l.Act(t, a)
		return done
	})
	switch {
	case errors.Is(err, run.ErrEnded):
		return admin.Answer{}, &admin.Problem{Status: http.StatusConflict, Code: "run-ended", Detail: "run " + l.ID + " has ended: nothing more happens in it"}
	case err != nil:
		return admin.Answer{}, err
	case errors.Is(refused, exchange.ErrNotWaiting):
		return admin.Answer{}, notWaiting(l.ID, in.ID)
	case refused != nil:
		return admin.Answer{}, &admin.Problem{Status: http.StatusUnprocessableEntity, Code: "refused", Detail: refused.Error()}
	}
	return admin.Answer{JSON: client.Acted{
		Run: l.ID, Service: a.Service, Collection: a.Collection, ID: a.ID, Act: a.Name, By: by, Did: e.Act.Did, Event: e.Seq,
	}}, s.known(l)
}

// waitingFor finds what waits by its id.
func waitingFor(l *liveRun, in client.NewAct) (found exchange.Wait, err error) {
	n := 0
	for _, w := range l.Waits(l.World(), l.Now()) {
		if w.ID == in.ID && (in.Collection == "" || w.Collection == in.Collection) {
			found, n = w, n+1
		}
	}
	switch n {
	case 0:
		return found, notWaiting(l.ID, in.ID)
	case 1:
		return found, nil
	}
	return found, &admin.Problem{Status: http.StatusUnprocessableEntity, Code: "refused", Detail: fmt.Sprintf("%d records that wait are called %s: say of which collection", n, in.ID)}
}

func notWaiting(run, id string) error {
	return &admin.Problem{Status: http.StatusConflict, Code: "not-waiting", Detail: "nothing called " + id + " waits for a person in run " + run + "; GET /v1/runs/" + run + "/acts lists what does"}
}
