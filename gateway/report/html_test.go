package report

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"parity/fakes/world"
	"parity/faults/trail"
)

func htmlOf(t *testing.T, r Report, events []trail.Event, settled map[uint64]trail.Settlement, o HTMLOptions) string {
	t.Helper()
	var out bytes.Buffer
	if err := HTML(&out, r, events, settled, o); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// unpack reads a packed block back.
func unpack(t *testing.T, page, name string, into any) {
	t.Helper()
	_, rest, ok := strings.Cut(page, `id="packed-`+name+`">`)
	if !ok {
		t.Fatalf("no block %s", name)
	}
	text, _, _ := strings.Cut(rest, "<")
	zip, err := gzip.NewReader(base64.NewDecoder(base64.StdEncoding, strings.NewReader(text)))
	if err == nil {
		err = json.NewDecoder(zip).Decode(into)
	}
	if err != nil {
		t.Fatalf("block %s: %v", name, err)
	}
}

func TestPageSaysWhatFailedAndWhatIsNotProved(t *testing.T) {
	t.Parallel()
	r, events, settled := busy(30)
	r.Verdicts = append(r.Verdicts,
		trail.Verdict{Subject: "look-before", Kind: "expectation", Grades: "order", Result: trail.Failed, At: &trail.Place{File: "p.yaml", Line: 12, Column: 3}},
		trail.Verdict{Subject: "one-charge", Kind: "expectation", Grades: "state", Result: trail.NotEvaluated, Weakened: []string{"no-settlement"}},
		trail.Verdict{Subject: "idle-rule", Kind: "fault", Result: trail.NotExercised, Why: "no call was one that it is about"},
	)
	r.Differences[0].So = "nothing here shows that money arrives"
	r.Differences[0].Accepted = &trail.Acceptance{By: "Ada", Until: "2026-03-01", Standing: trail.Expired}
	r.Untouched = []string{"no-lag"}
	r.Surface = Surface{Tunnel: []string{"model-apis"}, Services: []ServiceSurface{
		{Service: "stripe", Allows: ByEffect{67, 34, 37}, Used: ByEffect{1, 0, 1}, Called: r.Operations}, {Service: "hubspot"},
	}}
	events = append(events, trail.Event{Seq: uint64(len(events) + 1), Kind: trail.Claimed, Claim: &trail.Claim{Status: "success", Note: "all paid"}})
	text := htmlOf(t, r, events, settled, HTMLOptions{Version: "9"})
	at := 0
	for _, want := range []string{
		"seed 7", "The agent did 2 things wrong", "<b>3</b> failed", "lose-a-big-refund", `<a class="ref" href="#e3">#3</a> charged, reply lost`,
		"keep the Idempotency-Key of the first attempt, or read the charge first"[1:], "Twin refunds", "POST /v1/charges", "look-before", "p.yaml:12:3", "one-charge", "no-settlement",
		"slow-everything", "Not exercised: 1", "idle-rule", "Not proved", "hubspot (never called)", "settlement", "Nothing here shows that money arrives (no-settlement)",
		"Acceptance of no-settlement, by Ada until 2026-03-01, which had passed", "the agent says: success; all paid",
		"Each fault beside its reaction", "Order: how it went about it", "look-before", "State: what it left behind", "one-charge", "Timeline",
		"Accepted by Ada until 2026-03-01: expired", "Not touched: 1", "no-lag", "1 of 67", "0 of 34", "<b>1</b> of 37",
		"GET /v1/charges/{charge}", "nothing of it used: 1 service", "hubspot", "model-apis", "api.anthropic.com", "parity run --profile rough-afternoon --seed 7 --only lose-a-big-refund -- my-agent", "Parity 9",
	} {
		i := strings.Index(text[at:], want)
		if i < 0 {
			t.Fatalf("there is no %q, or not in its place", want)
		}
		at += i
	}
	if strings.Contains(strings.ToLower(text[strings.Index(text, "<body>"):strings.Index(text, "packed-")]), "passed<") {
		t.Error("it says a flat passed")
	}
}

func TestPageOfEveryKindOfRun(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		alter func(*Report)
		want  string
	}{
		"handled":    {func(*Report) {}, "Nothing was found wrong in what was tried"},
		"invalid":    {silent, "This run is invalid"},
		"no traffic": {mute, "No traffic: this run shows nothing"},
		"ours":       {mixed, "Parity itself broke 1 call"},
		"cut short":  {func(r *Report) { mixed(r); r.Defects = nil }, "Nothing was found wrong, and some is undecided"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := sample()
			c.alter(&r)
			text := htmlOf(t, r, nil, nil, HTMLOptions{})
			if !strings.Contains(text, `<h1 id="headline">`+c.want+"<") {
				t.Errorf("its headline is not %q", c.want)
			}
			if strings.Contains(text, "4eC39HqLyjWDarjtT1zdp7dc") {
				t.Error("it shows a secret of the command line")
			}
		})
	}
}

// What an agent or a service sends is text, wherever it ends up.
func TestPageTakesTrafficForText(t *testing.T) {
	t.Parallel()
	const evil = "</script><script>alert(1)</script><!--<img src=x onerror=alert(1)>\u2028\u202e\x1b[2J'\"&"
	r, events, settled := busy(10)
	r.Command, r.Profile = []string{evil}, evil
	r.Verdicts[0].Subject, r.Verdicts[0].Lines, r.Verdicts[0].Mend, r.Verdicts[1].Why = evil, []string{"#3 " + evil}, evil, evil
	r.Differences[0].Name, r.Outside[0].Host, r.NeverCalled = evil, evil, []string{evil}
	x := *events[2].Exchange
	x.Path, x.Body, x.ReplyBody, x.Note, x.Service = "/"+evil, []byte(evil), []byte(`{"a":"`+evil), evil, evil
	x.Header = []trail.Field{{Name: "X-Evil", Value: evil}}
	events[2].Exchange, events[2].Identity = &x, evil
	text := htmlOf(t, r, events, settled, HTMLOptions{Version: "9"})
	if n := strings.Count(text, "<script"); n != 4 { // a part, the world, the rows, our own
		t.Errorf("there are %d scripts", n)
	}
	markup := text[strings.Index(text, "<body>"):strings.LastIndex(text, `<script type="module">`)]
	for _, bad := range []string{"<script>", "<!--", "<img", "\u202e", "\x1b"} {
		if strings.Contains(markup, bad) {
			t.Errorf("%q is in the page", bad)
		}
	}
	var frames []frameDoc
	unpack(t, text, "part-0", &frames)
	if got, want := frames[2].Request.Body.Text, strings.NewReplacer("\u202e", "\ufffd", "\x1b", "␛").Replace(evil); got != want {
		t.Errorf("a body is %q, want %q", got, want)
	}
}

// The page's own policy names its script and style, so that no other runs, and
// lets it fetch nothing.
func TestPageFetchesNothing(t *testing.T) {
	t.Parallel()
	text := htmlOf(t, sample(), nil, nil, HTMLOptions{})
	policy := regexp.MustCompile(`Content-Security-Policy" content="([^"]*)"`).FindStringSubmatch(text)
	if policy == nil {
		t.Fatal("no policy")
	}
	said := strings.NewReplacer("&#39;", "'", "&#43;", "+").Replace(policy[1])
	for _, between := range [][3]string{{"<style>", "</style>", "style-src"}, {`<script type="module">`, "</script>", "script-src"}} {
		_, rest, _ := strings.Cut(text, between[0])
		inner, _, _ := strings.Cut(rest, between[1])
		if !strings.Contains(said, between[2]+" '"+digest(inner)+"'") {
			t.Errorf("the policy %q does not name what is in %s", said, between[0])
		}
	}
	if !strings.HasPrefix(said, "default-src 'none';") || strings.Contains(said, "http") || strings.Contains(said, "unsafe") {
		t.Errorf("the policy is %q", said)
	}
	if found := regexp.MustCompile(`(?:src|href)="(?:https?:)?//[^"]*"|url\(`).FindString(text); found != "" {
		t.Errorf("it names %s", found)
	}
}

func TestPageHoldsEveryEvent(t *testing.T) {
	t.Parallel()
	r, events, settled := busy(450)
	text := htmlOf(t, r, events, settled, HTMLOptions{})
	var rows rowsDoc
	unpack(t, text, "rows", &rows)
	if len(rows.Rows) != len(events) || rows.Total != len(events) || rows.Left != 0 {
		t.Fatalf("%d rows of %d, %d left out, of %d events", len(rows.Rows), rows.Total, rows.Left, len(events))
	}
	var frames []frameDoc
	for from := 0; from < len(events); from += perPart {
		var part []frameDoc
		unpack(t, text, fmt.Sprint("part-", from/perPart), &part)
		frames = append(frames, part...)
	}
	for i := range events {
		if rows.Rows[i][0] != float64(events[i].Seq) {
			t.Fatalf("row %d is event %v, want %d", i, rows.Rows[i][0], events[i].Seq)
		}
		if x := events[i].Exchange; x != nil && frames[i].Request.Body != nil && frames[i].Request.Body.Text != string(x.Body) {
			t.Fatalf("frame %d has the body %s, want %s", i, frames[i].Request.Body.Text, x.Body)
		}
	}
	if diff := cmp.Diff([]any{3.0, 2474.0, 1.0, 1.0, "POST /v1/charges", 0.0, "committed, reply lost (reset), lose-a-big-refund (ambiguous-success)", 31.0, 2.0, 1.0, []any{1.0}}, rows.Rows[2]); diff != "" {
		t.Errorf("row 3 (-want +got):\n%s", diff)
	}
	want := []string{"Reply lost (reset)", "The client saw no reply at all", "0 bytes of body went out in 3ms"}
	if diff := cmp.Diff(want, frames[2].Wire); diff != "" {
		t.Errorf("frame 3 (-want +got):\n%s", diff)
	}
}

func TestPageBoundsBodiesAndMasksThem(t *testing.T) {
	t.Parallel()
	p := &packer{tracer: &tracer{page: newPage(Options{})}}
	for _, c := range []struct {
		name, in, want string
		cut            bool
	}{
		{"short", `{"a":1}`, `{"a":1}`, false},
		{"secret", `{"client_secret":"hush0"}`, `{"client_secret":"***"}`, false},
		{"long", strings.Repeat("a", 10_000), strings.Repeat("a", 4096), true},
		{"a letter at the bound", strings.Repeat("a", 4095) + strings.Repeat("é", 9), strings.Repeat("a", 4095), true},
		{"a secret at the bound", strings.Repeat(" ", 4090) + "sk_test_" + strings.Repeat("x", 100), strings.Repeat(" ", 4090) + "sk_tes", true},
		{"bytes", "a\xff\x00b\x7f", "a\ufffd␀b␡", false},
	} {
		got := p.body([]byte(c.in))
		if got.Text != c.want || got.Cut != c.cut || got.Size != len(c.in) {
			t.Errorf("%s: %d bytes, cut %v, %q", c.name, got.Size, got.Cut, got.Text)
		}
	}
}

// A page that would be too large leaves out frames, not those that matter, and
// says how many.
func TestPageIsBounded(t *testing.T) {
	t.Parallel()
	const n, bound = 600, 1 << 20
	dice := rand.New(rand.NewPCG(1, 2))
	noise := make([]byte, 16*shownBody) // twice what gzip looks back
	for i := range noise {
		noise[i] = byte(33 + dice.IntN(90))
	}
	b := &builder{settled: map[uint64]trail.Settlement{}}
	for i := range n {
		x := b.exchange(i, "GET", "/v1/charges", "read")
		x.ReplyBody = noise[i%16*shownBody:][:shownBody]
		b.add(trail.Event{Kind: trail.Exchanged, Exchange: x})
	}
	var out bytes.Buffer
	p := &packer{tracer: &tracer{page: newPage(Options{})}, out: bufio.NewWriter(&out), bound: bound}
	p.choose([]trail.Verdict{{Evidence: []uint64{n}}}, b.events)
	if err := p.pack(); err != nil {
		t.Fatal(err)
	}
	p.out.Flush()
	var rows rowsDoc
	unpack(t, out.String(), "rows", &rows)
	if out.Len() > bound+perPart*2*shownBody || rows.Left != 400-1 {
		t.Errorf("%d bytes, %d frames left out", out.Len(), rows.Left)
	}
	var last []*frameDoc
	unpack(t, out.String(), fmt.Sprint("part-", (n-1)/perPart), &last)
	if last[len(last)-1] == nil || last[0] != nil {
		t.Error("the last frame is evidence, and the first of its part is not")
	}
}

func TestPageComparesTheWorldWithItsStart(t *testing.T) {
	t.Parallel()
	change := func(op world.Op, id, before, after string) trail.Change {
		c := trail.Change{Op: op, Collection: "crm.contacts", ID: id}
		if before != "" {
			c.Before = []byte(before)
		}
		if after != "" {
			c.After = []byte(after)
		}
		return c
	}
	call := &trail.Exchange{Service: "crm"}
	events := []trail.Event{
		{Seq: 1, Kind: trail.Exchanged, Exchange: call, Identity: "a", Delta: []trail.Change{change(world.Update, "1", `{"n":1,"m":1,"k":1}`, `{"n":2,"m":1,"k":2}`)}},
		{Seq: 2, Kind: trail.WorldEdited, Edit: &trail.Edit{Rule: "colleague"}, Delta: []trail.Change{change(world.Update, "1", `{"n":2,"m":1,"k":2}`, `{"n":2,"m":5,"k":1}`)}},
		{Seq: 3, Kind: trail.Exchanged, Exchange: call, Delta: []trail.Change{change(world.Create, "2", "", `{"password":"hush0"}`), change(world.Create, "3", "", "{}")}},
		{Seq: 4, Kind: trail.Exchanged, Exchange: call, Delta: []trail.Change{change(world.Delete, "3", "{}", ""), change(world.Delete, "4", `{"x":1}`, "")}},
		{Seq: 5, Kind: trail.Exchanged, Exchange: call, Delta: []trail.Change{change(world.Update, "5", `{"x":1}`, `{"x":2}`), {Op: world.Create, Collection: "crm.ledger", ID: "1", After: []byte("{}")}}},
		{Seq: 6, Kind: trail.Exchanged, Exchange: call, Delta: []trail.Change{change(world.Update, "5", `{"x":2}`, `{"x":1}`)}},
		{Seq: 7, Kind: trail.Exchanged, Exchange: call, Delta: []trail.Change{change(world.Create, "6", "", "{}")}},
		{Seq: 8, Kind: trail.RolledBack, Snapshot: &trail.Snapshot{Name: "before", Seq: 6}},
	}
	p := &packer{tracer: &tracer{page: newPage(Options{})}, all: events, hidden: map[string]bool{"crm.ledger": true}}
	want := worldDoc{Hidden: 1, Collections: []collectionDoc{{
		Name: "crm.contacts", Created: 1, Updated: 1, Deleted: 1, Passed: 1,
		Records: []recordDoc{
			{
				ID: "1", Op: "updated", Wrote: 2, By: []byDoc{{1, "the agent, as a"}, {2, "somebody else, by rule colleague"}},
				Fields: []fieldDoc{{"/m", "1", "5", 2}, {"/n", "1", "2", 1}},
			},
			{ID: "2", Op: "created", Wrote: 1, By: []byDoc{{3, "the agent"}}, Fields: []fieldDoc{}, Record: &bodyDoc{Text: `{"password":"***"}`, Size: 20}},
			{ID: "3", Op: "came and went", Wrote: 2, By: []byDoc{{3, "the agent"}, {4, "the agent"}}, Fields: []fieldDoc{}, Record: &bodyDoc{Text: "{}", Size: 2}},
			{ID: "4", Op: "deleted", Wrote: 1, By: []byDoc{{4, "the agent"}}, Fields: []fieldDoc{}, Record: &bodyDoc{Text: `{"x":1}`, Size: 7}},
		},
	}}}
	if diff := cmp.Diff(want, p.changes()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	p.all = append(p.all, trail.Event{Seq: 9, Kind: trail.SetBack})
	if got := p.changes(); len(got.Collections) > 0 {
		t.Errorf("after a reset the world has changed: %+v", got)
	}
	p.forks = []uint64{6} // a reset of a fork goes back to where it began: the page showed the world empty
	if diff := cmp.Diff(want, p.changes()); diff != "" {
		t.Errorf("a fork that was reset (-want +got):\n%s", diff)
	}
}
