package approval

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"parity/fakes"
	"parity/faults/trail"
)

// told makes what became of one approval: asked, and then what each word says, a
// minute apart.
func told(id, gate string, standsIn bool, by string, what ...string) (all []Entry) {
	at := time.Date(2026, 3, 2, 13, 0, 0, 0, time.UTC)
	for i, w := range append([]string{SaidAsked}, what...) {
		e := Entry{Run: "r-1", Event: uint64(i + 1), At: at.Add(time.Duration(i) * time.Minute), ID: id, Gate: gate, What: w, StandsIn: standsIn}
		if i > 0 && w != Lapsed {
			e.By = &trail.Speaker{Name: "ada", Kind: by}
		}
		all = append(all, e)
	}
	return all
}

func TestStandInsAreNotCountedAsPeople(t *testing.T) {
	t.Parallel()
	var history []Entry
	for _, one := range [][]Entry{
		told("apr_1", "refunds", true, trail.ByRehearsed, Approved, Used),
		told("apr_2", "refunds", false, trail.ByClaimed, Approved, Revoked),
		told("apr_3", "refunds", true, trail.ByPerson, Rejected), // a person was quicker than who stands in
		told("apr_4", "refunds", false, trail.ByClaimed, Escalated, Changed),
		told("apr_5", "refunds", true, "", Lapsed),
		told("apr_6", "mails", false, ""),
	} {
		history = append(history, one...)
	}
	want := []Stats{
		{Gate: "mails", Of: OfPeople, Asked: 1, Waiting: 1},
		{Gate: "refunds", Of: OfPeople, Asked: 3, Approved: 1, Rejected: 1, Changed: 1, Escalated: 1, Wait: 60, Unchanged: 1.0 / 3},
		{Gate: "refunds", Of: OfRehearsed, Asked: 2, Approved: 1, Lapsed: 1, Wait: 60, Unchanged: 1},
	}
	if diff := cmp.Diff(want, Count(history)); diff != "" {
		t.Error(diff)
	}
}

func TestAGateIsNamedThatIsAlwaysApproved(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name               string
		approved, rejected int
		by                 string
		always             bool
	}{
		{"50 of 50", 50, 0, trail.ByClaimed, true},
		{"too few", 49, 0, trail.ByClaimed, false},
		{"no more than 95 %", 95, 5, trail.ByClaimed, false},
		{"96 %", 96, 4, trail.ByClaimed, true},
		{"stand-ins", 60, 0, trail.ByRehearsed, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var history []Entry
			for i := range c.approved {
				history = append(history, told(fmt.Sprint("apr_y", i), "g", false, c.by, Approved)...)
			}
			for i := range c.rejected {
				history = append(history, told(fmt.Sprint("apr_n", i), "g", false, c.by, Rejected)...)
			}
			got := Count(history)
			if len(got) != 1 || got[0].Always != c.always {
				t.Errorf("%+v", got)
			}
		})
	}
}

func TestHistoryTellsAStateOnce(t *testing.T) {
	t.Parallel()
	change := func(before, after string) trail.Change {
		return trail.Change{Collection: fakes.ApprovalsCollection, ID: "apr_1", Before: []byte(before), After: []byte(after)}
	}
	events := []trail.Event{
		{Seq: 3, Kind: trail.Exchanged, Delta: []trail.Change{change("", `{"id":"apr_1","gate":"g","state":"pending","at":0,"approver":"desk","stands_in":true}`)}},
		{Seq: 4, Kind: trail.Worded, Word: &trail.Word{ID: "apr_1", Decision: SayEscalate, By: trail.Speaker{Name: "ada", Kind: trail.ByClaimed}, Note: "too large"}, Delta: []trail.Change{
			change(`{"id":"apr_1","gate":"g","state":"pending","at":0}`, `{"id":"apr_1","gate":"g","state":"escalated","at":0,"approver":"desk"}`),
			change(`{"id":"apr_1","gate":"g","state":"escalated","at":0}`, `{"id":"apr_1","gate":"g","state":"escalated","at":1,"approver":"lead"}`),
		}},
		{Seq: 5, Kind: trail.Exchanged, Delta: []trail.Change{change(`{"state":"escalated","at":1}`, `{"state":"escalated","at":1,"lapses":9}`)}},
		{Seq: 6, Kind: trail.Worded, Word: &trail.Word{Gate: "g", Decision: SaidOverride, By: trail.Speaker{Name: "bo"}, Note: "on fire", Max: 2}},
	}
	var got []string
	for i := range events {
		for _, e := range History("r-1", &events[i]) {
			by := ""
			if e.By != nil {
				by = e.By.Name
			}
			got = append(got, fmt.Sprint(e.Event, e.What, " ", e.ID, " ", e.Approver, " ", e.StandsIn, " ", by, " ", e.Note))
		}
	}
	want := []string{"3asked apr_1 desk true  ", "4escalated apr_1 lead false ada too large", "6override   false bo on fire"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
