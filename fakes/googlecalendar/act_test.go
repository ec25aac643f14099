package googlecalendar_test

import (
	"errors"
	"testing"

	"parity/fakes"
)

func TestGuestsOfElsewhereAnswerByAnAct(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	attended, _ := o.Service.Fake.(fakes.Attended)
	do := func(act, id string, with map[string]any) error {
		call := o.Later(o.Now)
		_, err := attended.Do(call, fakes.Deed{Act: act, Collection: "googlecalendar.events", ID: id, With: with})
		if err == nil {
			o.World = call.Tx.Commit()
		}
		return err
	}
	waits := func(id string) bool {
		_, ok := attended.Waits(o.Later(o.Now), "googlecalendar.events", id)
		return ok
	}
	id := o.as("ada").Must(200, o.JSON("POST", evs, with(meeting("Review", "2026-03-10"), object{"attendees": []any{object{"email": "bob@acme.example"}, object{"email": "out@side.example"}}}))).Text("id")
	before := o.Must(200, o.Send("GET", evs, "")).Text("nextSyncToken")
	if !waits(id) || !waits("kickoff00001") || waits(id+"@bob@acme.example") {
		t.Error("the organizer's event waits for its guests, and no copy does")
	}
	if err := do("accept", id, map[string]any{"guest": "nobody@side.example"}); !errors.Is(err, fakes.ErrAct) {
		t.Error(err)
	}
	if err := do("accept", id, map[string]any{"guest": "out@side.example", "comment": "by phone"}); err != nil {
		t.Fatal(err)
	}
	g := o.Must(200, o.event(id))
	if status(g, "out@side.example") != "accepted" || status(g, "bob@acme.example") != "needsAction" || g.Text("attendees.1.comment") != "by phone" {
		t.Error(g.Raw)
	}
	if changed := o.Must(200, o.Send("GET", evs+"?syncToken="+before, "")); changed.Len("items") != 1 {
		t.Errorf("a sync shows the answer: %s", changed.Raw)
	}
	if err := do("decline", id, nil); err != nil {
		t.Fatal(err)
	}
	if g := o.as("bob").Must(200, o.event(id)); status(g, "bob@acme.example") != "declined" {
		t.Errorf("the guest's own copy says so: %s", g.Raw)
	}
	if waits(id) {
		t.Error("all have answered")
	}
	if err := do("tentative", "weekly000001", map[string]any{"guest": "cyd@acme.example"}); err != nil {
		t.Fatal(err) // an event of a fixture that nobody has read yet
	}
}
