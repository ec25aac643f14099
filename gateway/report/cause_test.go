package report

import (
	"bytes"
	"strings"
	"testing"

	"parity/faults/trail"
)

// charged is a run in which a rule, what is always judged and an expectation found
// one double charge, and a rule another thing.
func charged() Report {
	r := sample()
	const head = "charged 3 times: 147.00 USD"
	lines := []string{"#2 charged, reply lost   #3 sent again without a key: 2 charges, 98.00 USD", "#2 charged, reply lost   #4 sent again without a key: 3 charges, 147.00 USD"}
	r.Verdicts = []trail.Verdict{
		{Subject: "lose", Kind: "fault", Result: trail.Failed, Reaction: trail.Mishandled, Headline: head, Lines: lines[:1], Mend: "send a key", Evidence: []uint64{2, 3}},
		{Subject: "cut-lists", Kind: "fault", Result: trail.Failed, Reaction: trail.Mishandled, Headline: "took 4 of 12 for the whole list", Lines: []string{"#9 left out 8 of 12 items"}, Evidence: []uint64{3, 9}},
		{Subject: "one-charge", Kind: "expectation", Grades: "state", Result: trail.Failed, Headline: head, Lines: []string{"#2 #3 #4: 3 charges"}, Mend: "send a key", Evidence: []uint64{2, 3, 4}, At: &trail.Place{File: "p.yaml", Line: 12, Column: 3}},
		{Subject: trail.OneEffect, Kind: "always", Result: trail.Failed, Headline: head, Lines: lines[1:], Mend: "send a key", Evidence: []uint64{2, 3, 4}},
	}
	r.Exit = 1
	return r
}

// One double charge was told as several failures, under names of rules.
func TestOneCauseIsToldOnce(t *testing.T) {
	t.Parallel()
	r := charged()
	var text, page, web, machine bytes.Buffer
	for _, err := range []error{
		Terminal(&text, r, Options{Width: 200}), Markdown(&page, r), HTML(&web, r, nil, nil, HTMLOptions{}), JUnit(&machine, r),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for format, c := range map[string]struct {
		text, once string
		blocks     int
		found      string
	}{
		"terminal": {text.String(), "FAILED  ", 2, "  by lose, one-charge (p.yaml:12), always: one effect per intent\n"},
		"markdown": {page.String(), "| **failed** |", 2, "| **failed** | **Charged 3 times: 147.00 USD**<br>"},
		"html":     {web.String(), `<article class="card bad"`, 2, "<h3>Charged 3 times: 147.00 USD</h3>"},
		"junit":    {machine.String(), "<failure ", 4, `message="charged 3 times: 147.00 USD"`},
	} {
		if n := strings.Count(c.text, c.once); n != c.blocks || !strings.Contains(c.text, c.found) {
			t.Errorf("%s: %d blocks, want %d, and %q in\n%s", format, n, c.blocks, c.found, c.text[:min(len(c.text), 4000)])
		}
	}
	if came, why := r.Came(); came != RunFailed || why != "charged 3 times: 147.00 USD; took 4 of 12 for the whole list" {
		t.Errorf("%s: %s", came, why)
	}
}
