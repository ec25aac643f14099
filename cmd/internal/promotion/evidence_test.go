package promotion

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"parity/faults/trail"
	"parity/gateway/evidence"
	"parity/gateway/journal"
	"parity/gateway/kept"
	"parity/gateway/report"
	"parity/profiles"
)

func TestARunThatIsNoEvidenceIsNotKept(t *testing.T) {
	t.Parallel()
	for want, change := range map[string]func(k *kept.Run, rep *report.Report){
		"":                      func(*kept.Run, *report.Report) {},
		"is still going on":     func(k *kept.Run, _ *report.Report) { k.Outcome.Agent = nil },
		"lost a page":           func(k *kept.Run, _ *report.Report) { k.Damage = errors.New("it has lost a page") },
		"after event 7: killed": func(k *kept.Run, _ *report.Report) { k.Gaps = []journal.Gap{{After: 7, Why: "killed"}} },
		"no profile":            func(k *kept.Run, _ *report.Report) { k.Profile = nil },
		"no fault warp": func(k *kept.Run, _ *report.Report) {
			k.Profile, k.Unread = nil, errors.New("there is no fault warp")
		},
		"1 event of kinds":     func(k *kept.Run, _ *report.Report) { k.Events = append(k.Events, trail.Event{Kind: "quantum"}) },
		"made with --only":     func(k *kept.Run, _ *report.Report) { k.Meta["only"] = kept.NoRules },
		"rule by-hand was":     func(_ *kept.Run, rep *report.Report) { rep.Armed = []report.Armed{{Name: "by-hand"}} },
		"a fork":               func(k *kept.Run, _ *report.Report) { k.Info = journal.Info{Base: "trunk", BaseSeq: 7} },
		"from revision a to b": func(k *kept.Run, _ *report.Report) { k.Revisions = []report.Revision{{Hash: "a"}, {Hash: "b"}} },
	} {
		k := &kept.Run{ID: "r-1", Meta: map[string]string{}, Profile: &profiles.Profile{}, Revisions: []report.Revision{{Hash: "a"}}}
		k.Outcome.Agent = &report.Agent{}
		rep := report.Report{}
		change(k, &rep)
		err := k.Whole()
		if err == nil {
			err = alone(k, &rep)
		}
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("wanted %q: %v", want, err)
		}
	}
}

// What somebody writes into an entry is told of, names no other run, and paints
// on no terminal.
func TestHostileEntriesAreToldOf(t *testing.T) {
	t.Parallel()
	for want, change := range map[string]func(e *evidence.Entry){
		"entry 3 names no run":                                func(e *evidence.Entry) { e.Run = "../../elsewhere" },
		"entry 3 is of run last, and its report of run run-1": func(e *evidence.Entry) { e.Run = "last" },
		"entry 3 is of revision 00 of its profile":            func(e *evidence.Entry) { e.Revision = "00" },
	} {
		s := newStairs(t)
		r := good(1)
		r.Revisions = []report.Revision{{Hash: s.revision}}
		e := evidence.Entry{Kind: evidence.Run, Step: "writes", Agent: "bot\u009b2J@2", Profile: "billing", Revision: s.revision, Run: r.Run}
		change(&e)
		s.add(e, r)
		var said, listed bytes.Buffer
		if code, err := s.Verify(&said, ""); err != nil || code != report.Failed || !strings.Contains(said.String(), want) {
			t.Errorf("code %d, %v, wanted %q:\n%s", code, err, want, said.String())
		}
		if err := s.List(&listed); err != nil || strings.Contains(listed.String(), "\u009b") || !strings.Contains(listed.String(), "2J@2") {
			t.Errorf("%v: %q", err, listed.String())
		}
	}
}

func TestVerifySaysThatNothingHoldsTheNewestEntry(t *testing.T) {
	t.Parallel()
	s := newStairs(t)
	chain, err := s.store().Verify()
	if err != nil {
		t.Fatal(err)
	}
	for head, told := range map[string]bool{"": true, chain.Entries[1].Previous: true, chain.Head: false} {
		var said bytes.Buffer
		code, err := s.Verify(&said, head)
		if err != nil || code != 0 || strings.Contains(said.String(), "held by nothing") != told {
			t.Errorf("--head %s: code %d, %v:\n%s", head, code, err, said.String())
		}
	}
}
