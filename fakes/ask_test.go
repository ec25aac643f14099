package fakes_test

import (
	"net/http"
	"testing"

	"parity/fakes"
	"parity/fakes/world"
)

// greedy writes, and then reads on and on.
type greedy struct {
	fakes.Fake
	turns int
	read  *int // how often it could
}

func (g greedy) Answer(c *fakes.Call) fakes.Reply {
	if _, err := c.Tx.Insert("greedy.things", "new", map[string]any{"id": "new"}); err != nil {
		panic(err)
	}
	for range g.turns {
		for range c.Tx.Newest("greedy.things", 0) {
			*g.read++
		}
	}
	return fakes.Reply{Status: http.StatusCreated}
}

func (g greedy) Render(t fakes.Problem) fakes.Reply {
	return fakes.Reply{Status: t.Status, Body: []byte(t.Kind)}
}

func ask(t *testing.T, turns int) (reply fakes.Reply, read, changes int) {
	t.Helper()
	w, err := world.New(world.Collection{Name: "greedy.things"})
	if err != nil {
		t.Fatal(err)
	}
	tx := w.Begin()
	if _, err := tx.Insert("greedy.things", "old", map[string]any{"id": "old"}); err != nil {
		t.Fatal(err)
	}
	s := fakes.Service{Name: "greedy", Fake: greedy{turns: turns, read: &read}}
	reply = s.Ask(&fakes.Call{Tx: tx})
	return reply, read, len(tx.Changes())
}

// A call whose loops grew with what it had made held its run for minutes.
func TestCallThatAsksForEndlessWorkEnds(t *testing.T) {
	t.Parallel()
	reply, read, changes := ask(t, 1<<40)
	if reply.Status != http.StatusGatewayTimeout || string(reply.Body) != string(fakes.Broken) || !reply.Overworked || reply.Fidelity != fakes.Example {
		t.Errorf("it is answered %d %s, %v", reply.Status, reply.Body, reply)
	}
	if changes != 1 {
		t.Errorf("%d changes are left; what was there before is 1", changes)
	}
	if read < fakes.MostWork/2 || read > fakes.MostWork {
		t.Errorf("it could read %d records; a step each is %d", read, fakes.MostWork)
	}
	if _, again, _ := ask(t, 1<<40); again != read {
		t.Errorf("it ended after %d records, and the next time after %d: a replay would not agree", read, again)
	}
}

func TestCallOfOrdinaryWorkIsUntouched(t *testing.T) {
	t.Parallel()
	reply, _, changes := ask(t, 1000)
	if reply.Status != http.StatusCreated || reply.Overworked || changes != 2 {
		t.Errorf("it is answered %d, with %d changes", reply.Status, changes)
	}
}

// A batch asks for several calls at once, which share what one may do.
func TestCallsOfOneTurnShareTheirWork(t *testing.T) {
	t.Parallel()
	w, err := world.New(world.Collection{Name: "greedy.things"})
	if err != nil {
		t.Fatal(err)
	}
	read, work := 0, fakes.WorkFor(nil)
	s := fakes.Service{Fake: greedy{turns: fakes.MostWork / 3, read: &read}}
	var statuses [4]int
	for i := range statuses {
		statuses[i] = s.Ask(&fakes.Call{Tx: w.Begin(), Work: work}).Status
	}
	if statuses != [4]int{201, 201, 504, 504} {
		t.Errorf("answered %v", statuses)
	}
}
