package report

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"testing"

	"parity/faults/trail"
)

// What reached real services is said with its proof, and with what that leaves out,
// in the right number.
func TestTheProofInWords(t *testing.T) {
	t.Parallel()
	contained := &trail.Contained{Yes: true, Level: trail.ContainedWhole}
	for name, c := range map[string]struct {
		proof     trail.Proof
		contained *trail.Contained
		outside   []trail.HostCount
		want      []string
	}{
		"the example of the design": {
			trail.Proof{Reads: 412, Hosts: []string{"api.github.com"}, Agrees: true, Stayed: trail.Stayed{Faked: 6, Captured: 3}},
			contained,
			[]trail.HostCount{{Host: "api.anthropic.com", Calls: 31}, {Host: "10.0.0.1:53", Calls: 2, Protocol: "udp"}},
			[]string{
				"412 reads of api.github.com; 0 writes of 9 tried (6 faked, 3 captured)",
				"proof: no Pass was minted; Send refused 0; journal and Send agree; contained (no way around)",
				"not in it: 31 connections to api.anthropic.com passed unread",
			},
		},
		"one of each": {
			trail.Proof{Reads: 1, Writes: 1, Passes: 1, Barred: 1, Failed: 1, Unknown: 1, Hosts: []string{"a", "b"}, Stayed: trail.Stayed{Struck: 1, Refused: 1, Held: 1}},
			&trail.Contained{Why: trail.NotAskedFor},
			[]trail.HostCount{{Host: "x", Calls: 1}, {Host: "y", Calls: 2}},
			[]string{
				"1 read of a and b; 1 write of 4 tried (1 answered by a fault, 1 refused, 1 held); 1 call brought no reply; of 1 call nobody knows what came",
				"proof: 1 Pass was minted; Send refused 1; journal and Send do not agree; not contained (nothing was asked to contain the agent)",
				"not in it: 1 connection to x, 2 connections to y passed unread",
			},
		},
		"nothing but a pair of writes": {
			trail.Proof{Writes: 2, Passes: 2, Agrees: true},
			contained, nil,
			[]string{"0 reads; 2 writes of 2 tried", "proof: 2 Passes were minted; Send refused 0; journal and Send agree; contained (no way around)"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := Report{Judgement: trail.Judgement{Scope: trail.Scope{Upstream: &c.proof, Contained: c.contained, Outside: c.outside}}}
			rows := r.proofRows()
			for i, want := range c.want {
				if i >= len(rows) || rows[i].text != want || (rows[i].label == "Real") != (i == 0) {
					t.Errorf("%d: %+v, want %s", i, rows, want)
				}
			}
			if len(rows) != len(c.want) {
				t.Errorf("%d rows", len(rows))
			}
		})
	}
	if rows := (&Report{}).proofRows(); rows != nil {
		t.Errorf("of a run that reached nothing real: %+v", rows)
	}
}

// The proof, and how calls were answered, are in every form of a report.
func TestTheProofInEachForm(t *testing.T) {
	t.Parallel()
	r := sample()
	r.Upstream = &trail.Proof{Reads: 3, Hosts: []string{"api.github.com"}, Agrees: true, Stayed: trail.Stayed{Captured: 2}}
	r.Contained = &trail.Contained{Yes: true, Level: trail.ContainedWhole, Probes: 15}
	r.Operations[0].Fidelity = []trail.Fidelity{trail.Live, trail.Overlaid}
	r.Operations[1].Fidelity = []trail.Fidelity{trail.Drafted}
	r.Verdicts[0].Scope = trail.Basis{Operations: []string{"stripe GET /v1/charges"}, Fidelity: []trail.Fidelity{trail.Live, trail.Overlaid}}
	said := []string{"3 reads of api.github.com; 0 writes of 2 tried (2 captured)", "no Pass was minted; Send refused 0", "14 connections to api.anthropic.com passed unread"}
	for form, c := range map[string]struct {
		write func(io.Writer, Report) error
		more  []string
	}{
		"terminal": {func(w io.Writer, r Report) error { return Terminal(w, r, Options{Width: 200}) }, []string{"1 operation, live and overlaid", "stripe POST /v1/refunds (captured)"}},
		"markdown": {Markdown, []string{"live, overlaid", "captured"}},
		"html":     {func(w io.Writer, r Report) error { return HTML(w, r, nil, nil, HTMLOptions{}) }, []string{"live and overlaid", "(live, overlaid)", "(captured)"}},
		"junit":    {JUnit, []string{"parity.real", "Answered: live, overlaid", "(captured)"}},
		"sarif":    {SARIF, []string{`"real": [`, "(captured)"}},
		"json":     {JSON, []string{`"overlaid"`, `"captured"`}},
	} {
		t.Run(form, func(t *testing.T) {
			t.Parallel()
			var out bytes.Buffer
			if err := c.write(&out, r); err != nil {
				t.Fatal(err)
			}
			text := strings.NewReplacer("`", "", "&#8203;", "", "\u200b", "").Replace(strings.Join(strings.Fields(out.String()), " "))
			want := append([]string{}, c.more...)
			if form != "json" { // which has the numbers themselves
				want = append(want, said...)
			}
			for _, one := range want {
				if !strings.Contains(text, one) {
					t.Errorf("it does not say %q: %s", one, text)
				}
			}
		})
	}
	var doc struct {
		Upstream       map[string]any `json:"upstream"`
		UpstreamWrites *int           `json:"upstream_writes"`
		Unread         []struct {
			Host  string
			Calls int
		}
	}
	var out bytes.Buffer
	if err := JSON(&out, r); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(out.Bytes(), &doc); err != nil || doc.UpstreamWrites == nil || *doc.UpstreamWrites != 0 || len(doc.Unread) != 1 || doc.Unread[0].Calls != 14 {
		t.Errorf("%v %+v", err, doc)
	}
	for _, key := range []string{"reads", "writes", "refused_writes", "unknown", "hosts"} {
		if _, ok := doc.Upstream[key]; !ok {
			t.Errorf("upstream has no %s: %v", key, doc.Upstream)
		}
	}
}
