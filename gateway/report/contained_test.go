package report

import (
	"bytes"
	"strings"
	"testing"

	"parity/faults/trail"
)

// Whether anything can have gone around the gateway is said in every form, in one
// sentence.
func TestContainedIsSaidInEachForm(t *testing.T) {
	t.Parallel()
	out := []trail.Escape{{Probe: "abstract-socket", Said: "within reach: @docker"}}
	for name, c := range map[string]struct {
		is   *trail.Contained
		want string
		page bool // it is on pages, too
	}{
		"yes":               {&trail.Contained{Yes: true, Level: trail.ContainedWhole, Probes: 15}, "yes (network, files, processes), 15 probes", true},
		"with attempts":     {&trail.Contained{Yes: true, Level: trail.ContainedNetwork, Probes: 13, Attempts: []string{"tcp 10.1.2.3:5432"}}, "yes (network), 13 probes; 1 attempt: tcp 10.1.2.3:5432", true},
		"one got out":       {&trail.Contained{Level: trail.ContainedWhole, Probes: 15, Out: out, Why: trail.GotOut}, "no: 1 of 15 probes got out: abstract-socket (within reach: @docker)", true},
		"hosts are let out": {&trail.Contained{Level: trail.ContainedWhole, Probes: 15, Why: trail.LetOut}, "no: " + trail.LetOut, true},
		"nobody asked":      {&trail.Contained{Why: trail.NotAskedFor}, "no: run it with --isolate", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := Report{Run: "r", Ended: true, Judgement: trail.Judgement{Valid: true, Scope: trail.Scope{Exchanges: 1, Contained: c.is}}}
			var terminal, markdown, page bytes.Buffer
			if err := HTML(&page, r, nil, nil, HTMLOptions{}); err != nil {
				t.Fatal(err)
			}
			if err := Terminal(&terminal, r, Options{}); err != nil {
				t.Fatal(err)
			}
			if err := Markdown(&markdown, r); err != nil {
				t.Fatal(err)
			}
			flat := func(b *bytes.Buffer) string {
				return strings.NewReplacer("`", "", "&#8203;", "").Replace(strings.Join(strings.Fields(b.String()), " "))
			}
			if said := flat(&terminal); !strings.Contains(said, "Contained "+c.want) {
				t.Errorf("the terminal does not say %q: %s", c.want, said)
			}
			if said := flat(&markdown); strings.Contains(said, c.want) != c.page {
				t.Errorf("Markdown says %q: %v: %s", c.want, !c.page, said)
			}
			if strings.Contains(page.String(), "Contained: "+c.want) != c.page {
				t.Errorf("the page says %q: %v", c.want, !c.page)
			}
		})
	}
}
