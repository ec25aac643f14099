package shadow_test

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"parity/fakes"
	"parity/fakes/builtin"
	"parity/faults"
	"parity/faults/trail"
	"parity/gateway/shadow"
	"parity/specs"
	"parity/specs/class"
)

var began = time.Date(2026, 3, 2, 13, 0, 0, 0, time.UTC)

func catalogue(t testing.TB) *fakes.Catalogue {
	t.Helper()
	c, err := builtin.Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// wrote is an act of the agent: "stripe POST /v1/refunds {…}".
func wrote(t testing.TB, c *fakes.Catalogue, event uint64, line string) shadow.Act {
	t.Helper()
	call, text, _ := strings.Cut(line, " {")
	service, rest, _ := strings.Cut(call, " ")
	method, path, _ := strings.Cut(rest, " ")
	s, _ := c.Service(service)
	m := s.Contract.Match(method, path)
	if m.Operation == nil {
		t.Fatalf("%s is no operation", call)
	}
	var content any
	if text != "" {
		content = "{" + text
	}
	return shadow.Act{
		Operation: m.Operation, Contract: s.Contract, Class: class.Of(m.Operation, m.Operation.Effect).Class,
		Input: shadow.Said(m.Operation, m.Path, "", content), At: began.Add(time.Duration(event) * time.Second), //nolint:gosec // few
		Agent: &trail.AgentAct{Event: event, Draft: fmt.Sprintf("drf_%d", event)},
	}
}

func options(c *fakes.Catalogue, acceptable ...string) shadow.Options {
	return shadow.Options{
		Run: "r", Catalogue: c, Acceptable: acceptable,
		Class: func(op *specs.Operation, _ specs.Input) class.Class { return class.Of(op, op.Effect).Class },
	}
}

// logged is a log, a line of which is "call {body}", a minute apart.
func logged(t testing.TB, lines ...string) []shadow.Line {
	t.Helper()
	var b strings.Builder
	for i, line := range lines {
		if !strings.HasPrefix(line, "{") {
			call, text, has := strings.Cut(line, " {")
			line = fmt.Sprintf(`{"at": %q, "call": %q, "by": "ada"`, began.Add(time.Duration(i)*time.Minute).Format(time.RFC3339), call)
			if has {
				line += `, "body": {` + text
			}
			line += "}"
		}
		b.WriteString(line + "\n")
	}
	all, err := shadow.Read([]byte(b.String()))
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// told is a finding in a line: kind, event or -, line or -, what is dangerous of it.
func told(c trail.Comparison) []string {
	var all []string
	for _, f := range c.Findings {
		if f.Kind == trail.Agree {
			continue
		}
		event, line := "-", "-"
		if f.Agent != nil {
			event = fmt.Sprintf("#%d", f.Agent.Event)
		}
		if f.Person != nil {
			line = fmt.Sprintf("L%d", f.Person.Line)
		}
		text := fmt.Sprintf("%s %s %s", f.Kind, event, line)
		for _, a := range f.Fields {
			text += fmt.Sprintf(" %s=%s", a.Field, a.Of)
		}
		all = append(all, text)
	}
	slices.Sort(all)
	return all
}

// Ten disagreements of four kinds that were planted in a day's work are sorted
// right, and none is invented.
func TestPlantedDisagreementsAreSorted(t *testing.T) {
	t.Parallel()
	c := catalogue(t)
	pairs := []struct{ agent, person string }{ // a line each; "": nobody did it
		{`stripe POST /v1/refunds {"charge": "ch_1", "amount": 500}`, `stripe POST /v1/refunds {"amount": "500", "charge": "ch_1"}`},
		{`github POST /repos/acme/shop/issues/7/labels {"labels": ["bug"]}`, `github POST /repos/acme/shop/issues/7/labels {"labels": ["bug"]}`},
		{`slack POST /api/chat.postMessage {"channel": "C1", "text": "Done."}`, `slack POST /api/chat.postMessage {"text": "Done.", "channel": "C1"}`},
		{`sendgrid POST /v3/mail/send {"personalizations": [{"to": [{"email": "a@x.example"}, {"email": "b@x.example"}]}], "from": {"email": "s@x.example"}, "subject": "Hi"}`, `sendgrid POST /v3/mail/send {"personalizations": [{"to": [{"email": "b@x.example"}, {"email": "a@x.example"}]}], "from": {"email": "s@x.example"}, "subject": "Hi"}`},
		// dangerous: another amount, another target, another recipient, and what nobody did
		{`stripe POST /v1/refunds {"charge": "ch_2", "amount": 900}`, `stripe POST /v1/refunds {"charge": "ch_2", "amount": 90}`},
		{`stripe POST /v1/refunds {"charge": "ch_3", "amount": 1234}`, `stripe POST /v1/refunds {"charge": "ch_4", "amount": 1234}`},
		{`slack POST /api/chat.postMessage {"channel": "C2", "text": "The books are closed."}`, `slack POST /api/chat.postMessage {"channel": "C3", "text": "The books are closed."}`},
		{`stripe POST /v1/payouts {"amount": 70, "currency": "usd"}`, ``},
		// acceptable
		{`stripe POST /v1/customers {"name": "Ada", "description": "VIP"}`, `stripe POST /v1/customers {"name": "Ada", "description": "very important"}`},
		{`stripe POST /v1/customers/cus_9 {"name": "Bo", "metadata": {"run": "r-7"}}`, `stripe POST /v1/customers/cus_9 {"name": "Bo"}`},
		// interesting: other fields, one alone, another operation
		{`github PATCH /repos/acme/shop/issues/8 {"state": "closed", "state_reason": "completed"}`, `github PATCH /repos/acme/shop/issues/8 {"state": "closed", "state_reason": "not_planned"}`},
		{`github POST /repos/acme/shop/issues {"title": "Broken lamp"}`, ``},
		{``, `stripe POST /v1/refunds {"charge": "ch_5", "amount": 10}`},
		{`googlecalendar PATCH /calendar/v3/calendars/c/events/e {"summary": "Lunch"}`, `googlecalendar PUT /calendar/v3/calendars/c/events/e {"summary": "Lunch", "start": {"date": "2026-03-04"}, "end": {"date": "2026-03-05"}}`},
	}
	var acts []shadow.Act
	var lines []string
	for i, p := range pairs {
		if p.agent != "" {
			acts = append(acts, wrote(t, c, uint64(i+1), p.agent)) //nolint:gosec // few
		}
		if p.person == "" {
			p.person = "github GET /repos/acme/shop" // keeps the numbers of lines equal
		}
		lines = append(lines, p.person)
	}
	got := shadow.Compare(acts, logged(t, lines...), options(c, "description", "metadata.*"))
	want := []string{
		"acceptable #10 L10 metadata.run=other", "acceptable #9 L9 description=other",
		"dangerous #5 L5 amount=amount", "dangerous #6 L6 charge=target", "dangerous #7 L7 channel=recipient", "dangerous #8 -",
		"interesting #11 L11 state_reason=other", "interesting #12 -", "interesting #14 L14", "interesting - L13",
	}
	if diff := cmp.Diff(want, told(got)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if got.Agree != 4 || got.Log.Reads != 2 || len(got.Left) != 0 {
		t.Errorf("%d agree, %d reads, %v left", got.Agree, got.Log.Reads, got.Left)
	}
}

// What two say in other words is the same; what says something else is not.
func TestSpellings(t *testing.T) {
	t.Parallel()
	c := catalogue(t)
	for _, row := range []struct{ name, agent, person, want string }{
		{"a number as text", `stripe POST /v1/refunds {"charge": "ch_1", "amount": 1000}`, `stripe POST /v1/refunds {"charge": "ch_1", "amount": "1000"}`, ""},
		{"a decimal where the contract has whole numbers", `stripe POST /v1/refunds {"charge": "ch_1", "amount": 1000}`, `stripe POST /v1/refunds {"charge": "ch_1", "amount": "1000.00"}`, "dangerous"},
		{"a form", `stripe POST /v1/refunds {"charge": "ch_1", "metadata": {"a": "b c"}}`, `{"at": "2026-03-02T09:00:00Z", "call": "stripe POST /v1/refunds", "body": "metadata[a]=b+c&charge=ch_1"}`, ""},
		{"a form's names in JSON", `stripe POST /v1/refunds {"charge": "ch_1", "metadata": {"a": "b"}}`, `stripe POST /v1/refunds {"charge": "ch_1", "metadata[a]": "b"}`, ""},
		{"JSON in a text", `github POST /repos/a/b/issues {"title": "x"}`, `{"at": "2026-03-02T09:00:00Z", "call": "github POST /repos/a/b/issues", "body": "{\"title\": \"x\"}"}`, ""},
		{"a whole URL", `github POST /repos/a/b/issues {"title": "x"}`, `github POST https://api.github.com/repos/a/b/issues {"title": "x"}`, ""},
		{"a path that is escaped", `github DELETE /repos/a/b/labels/good%20first%2Fissue`, `{"at": "2026-03-02T09:00:00Z", "call": "github DELETE", "path": "/repos/a/b/labels/good first%2fissue"}`, ""},
		{"parameters by name", `github POST /repos/a/b/issues/7/comments {"body": "x"}`, `{"at": "2026-03-02T09:00:00Z", "call": "github POST /repos/{owner}/{repo}/issues/{issue_number}/comments", "path": {"owner": "a", "repo": "b", "issue_number": 7}, "body": {"body": "x"}}`, ""},
		{"a default that one says", `stripe POST /v1/payouts {"amount": 5, "currency": "usd"}`, `stripe POST /v1/payouts {"amount": 5, "currency": "usd", "method": "standard"}`, "default"},
		{"an amount that one leaves out", `stripe POST /v1/refunds {"charge": "ch_1"}`, `stripe POST /v1/refunds {"charge": "ch_1", "amount": 5}`, "dangerous"},
		{"a key of the try", `stripe POST /v1/refunds {"charge": "ch_1"}`, `stripe POST /v1/refunds {"charge": "ch_1", "idempotency_key": "x"}`, ""},
		{"nothing but the record, and another one", `github DELETE /repos/a/b/issues/comments/1`, `github DELETE /repos/a/b/issues/comments/2`, "dangerous"},
		{"ends of lines", `github POST /repos/a/b/issues {"title": "x", "body": "a\nb"}`, `github POST /repos/a/b/issues {"title": "x", "body": "a\r\nb"}`, ""},
		{"a list in another order", `github POST /repos/a/b/issues/7/labels {"labels": ["x", "y"]}`, `github POST /repos/a/b/issues/7/labels {"labels": ["y", "x"]}`, "interesting"},
		{"the name of who is mailed", `sendgrid POST /v3/mail/send {"personalizations": [{"to": [{"email": "A@x.example", "name": "A"}]}]}`, `sendgrid POST /v3/mail/send {"personalizations": [{"to": [{"email": "a@x.example", "name": "Ada"}]}]}`, "interesting"},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			got := shadow.Compare([]shadow.Act{wrote(t, c, 1, row.agent)}, logged(t, row.person), options(c))
			if row.want == "default" { // as far as the contract has one
				row.want = ""
				op := wrote(t, c, 1, row.agent).Operation
				taken, _ := op.Source().Body()
				if v := taken.Content[0].Schema.Target().View().Get("method"); v == nil || v.Target().View().Default == nil {
					row.want = "interesting"
				}
			}
			kinds := told(got)
			if row.want == "" && len(kinds) > 0 || row.want != "" && (len(kinds) != 1 || !strings.HasPrefix(kinds[0], row.want)) {
				t.Errorf("got %q, want %q; left %v", kinds, row.want, got.Left)
			}
		})
	}
}

// Several acts of one kind, doubles, order, and what the run made itself.
func TestActsOfOneRecord(t *testing.T) {
	t.Parallel()
	c := catalogue(t)
	refund := func(amount int) string {
		return fmt.Sprintf(`stripe POST /v1/refunds {"charge": "ch_1", "amount": %d}`, amount)
	}
	comment := func(n int, text string) string {
		return fmt.Sprintf(`github POST /repos/a/b/issues/%d/comments {"body": %q}`, n, text)
	}
	closes := `github PATCH /repos/a/b/issues/7 {"state": "closed"}`
	for _, row := range []struct {
		name          string
		agent, person []string
		want          []string
	}{
		{"the agent twice, what cannot be undone", []string{refund(5), refund(5)}, []string{refund(5)}, []string{"dangerous #2 -"}},
		{"a person twice", []string{refund(5)}, []string{refund(5), refund(5)}, []string{"interesting - L2"}},
		{"the agent twice, what can be undone", []string{closes, closes}, []string{closes}, []string{"interesting #2 -"}},
		{"several of one record, in whatever order", []string{refund(3), refund(4), refund(5)}, []string{refund(3), refund(4), refund(6)}, []string{"dangerous #3 L3 amount=amount"}},
		{"another order on one record", []string{comment(7, "Done."), closes}, []string{closes, comment(7, "Done.")}, []string{"interesting #1 L2"}},
		{"another order on two records", []string{comment(7, "a"), comment(8, "b")}, []string{comment(8, "b"), comment(7, "a")}, nil},
		{"two things that have nothing in common", []string{comment(7, "a"), comment(9, "x")}, []string{comment(8, "b"), comment(10, "y")}, []string{"dangerous #1 -", "dangerous #2 -", "interesting - L1", "interesting - L2"}},
		{"replaced in place of changed", []string{`zendesk PUT /api/v2/tickets/5 {"ticket": {"status": "solved"}}`}, []string{`zendesk PUT /api/v2/tickets/5 {"ticket": {"status": "open"}}`}, []string{"interesting #1 L1 ticket.status=other"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			var acts []shadow.Act
			for i, line := range row.agent {
				acts = append(acts, wrote(t, c, uint64(i+1), line)) //nolint:gosec // few
			}
			if diff := cmp.Diff(row.want, told(shadow.Compare(acts, logged(t, row.person...), options(c)))); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// An id that the run's own capture gave out is nothing that a log could have: it
// stands for the one that people have in its place, and always for the same.
func TestIDsThatTheRunMadeStandForThoseOfTheLog(t *testing.T) {
	t.Parallel()
	c := catalogue(t)
	acts := []shadow.Act{
		wrote(t, c, 1, `github POST /repos/a/b/issues {"title": "x"}`),
		wrote(t, c, 2, `github POST /repos/a/b/issues/41/comments {"body": "one"}`),
		wrote(t, c, 3, `github PATCH /repos/a/b/issues/41 {"state": "closed"}`),
	}
	acts[0].Made = shadow.Made([]byte(`{"id": 900, "number": 41, "title": "x", "user": {"id": 3}}`), acts[0].Input)
	log := logged(t, `github POST /repos/a/b/issues {"title": "x"}`, `github POST /repos/a/b/issues/1093/comments {"body": "one"}`, `github PATCH /repos/a/b/issues/1093 {"state": "closed"}`)
	if got := shadow.Compare(acts, log, options(c)); got.Agree != 3 {
		t.Errorf("%v", told(got))
	}
	log[2].Call = "github PATCH /repos/a/b/issues/5"
	if got := told(shadow.Compare(acts, log, options(c))); len(got) != 1 || !strings.HasPrefix(got[0], "dangerous ") {
		t.Errorf("closing another issue than the one that was commented on: %v", got)
	}
}

// What the profile says of intents counts: what it ignores is not compared, and what
// it names pairs.
func TestIntentsPair(t *testing.T) {
	t.Parallel()
	c := catalogue(t)
	acts := []shadow.Act{
		wrote(t, c, 1, `stripe POST /v1/customers {"name": "A", "phone": "+15550001", "metadata": {"order": "1", "run": "x"}}`),
		wrote(t, c, 2, `stripe POST /v1/customers {"name": "B", "phone": "+15550002", "metadata": {"order": "2", "run": "x"}}`),
	}
	log := logged(t, `stripe POST /v1/customers {"name": "B", "phone": "+15550001", "metadata": {"order": "1"}}`, `stripe POST /v1/customers {"name": "B", "phone": "+15550002", "metadata": {"order": "2"}}`)
	o := options(c)
	o.Meaning = func(*specs.Operation) *faults.Meaning { return &faults.Meaning{Ignoring: []string{"metadata.run"}} }
	if diff := cmp.Diff([]string{"interesting #1 L1 name=other"}, told(shadow.Compare(acts, log, o))); diff != "" {
		t.Errorf("ignoring: -want +got:\n%s", diff)
	}
	o.Meaning = func(*specs.Operation) *faults.Meaning { return &faults.Meaning{By: []string{"metadata.order"}} }
	if diff := cmp.Diff([]string{"interesting #1 L1 name=other metadata.run=other", "interesting #2 L2 metadata.run=other"}, sortedFields(told(shadow.Compare(acts, log, o)))); diff != "" {
		t.Errorf("by: -want +got:\n%s", diff)
	}
}

func sortedFields(all []string) []string {
	for i, text := range all {
		all[i] = strings.Replace(text, "metadata.run=other name=other", "name=other metadata.run=other", 1)
	}
	return all
}

// A line that matches no operation is listed with why, and pairs with nothing.
func TestLinesThatAreNoActAreListed(t *testing.T) {
	t.Parallel()
	c := catalogue(t)
	got := shadow.Compare(nil, logged(t,
		`github POST /nothing/here`, `linear POST /issues`, `refund ch_1`, `POST https://nowhere.example/x`,
		`github POST /repos/{owner}/{repo}/issues`, `github PATCH /repos/a/b/pulls/{n}`,
		`{"at": "2026-03-02T09:00:00Z", "call": "github PATCH /repos/{owner}/{repo}/issues/{issue_number}", "path": "/repos/a/b/pulls/7"}`,
	), options(c))
	if len(got.Findings) != 0 || len(got.Left) != 7 {
		t.Errorf("%d findings, left %v", len(got.Findings), got.Left)
	}
}

// All that is wrong with a log is said at once, each with its line.
func TestAMalformedLogIsRefusedWhole(t *testing.T) {
	t.Parallel()
	_, err := shadow.Read([]byte("\xef\xbb\xbf{\"at\": \"2026-03-02T09:00:00Z\", \"call\": \"x\"}\r\n\nnope\n{\"at\": 5, \"call\": \"\"}\n[]\n{\"at\": \"2026-03-02\", \"call\": \"a\", \"path\": 3, \"who\": 1}\n{\"at\": \"2026-03-02T09:00:00Z\", \"call\": \"a\", \"body\": {\"a\": 1, \"a\": 2}}"))
	for _, want := range []string{"line 3: ", "line 4: at is no text; call is missing", "line 5: it is no JSON object", `line 6: "who" is no key`, "at is no instant", "path is neither", "line 7: it is given twice"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v does not say %q", err, want)
		}
	}
	if err != nil && strings.Contains(err.Error(), "line 1:") {
		t.Errorf("line 1 is right: %v", err)
	}
}

// drawn are writes whose fields are drawn, and what a change of each would be.
func drawn(t *rapid.T, n int) (call string, body map[string]any) {
	amount, id := rapid.Int64Range(1, 1<<40).Draw(t, "amount"), rapid.StringMatching(`[a-z0-9]{4,8}`).Draw(t, "id")
	text := fmt.Sprintf("%d %s", n, rapid.StringMatching(`[A-Za-z é"\\&=+%{}]{1,20}`).Draw(t, "text"))
	switch rapid.IntRange(0, 4).Draw(t, "of") {
	case 0:
		return "stripe POST /v1/refunds", map[string]any{"charge": "ch_" + id, "amount": amount, "metadata": map[string]any{"note": text}}
	case 1:
		return "stripe POST /v1/payouts", map[string]any{"currency": "usd", "amount": amount, "description": text}
	case 2:
		return "github POST /repos/acme/shop/issues/" + fmt.Sprint(amount%90+1) + "/comments", map[string]any{"body": text}
	case 3:
		return "slack POST /api/chat.postMessage", map[string]any{"channel": "C" + strings.ToUpper(id), "text": text}
	}
	return "github PUT /repos/acme/shop/contents/" + id + "/a%20" + fmt.Sprint(n) + ".md", map[string]any{"message": text, "content": "aGk=", "branch": "main"}
}

// written writes an act as a person's log might have it.
func written(t *rapid.T, call string, body map[string]any, at time.Time) string {
	line := map[string]any{"at": at.In(time.FixedZone("", 3600)).Format(time.RFC3339), "call": call, "by": "ada"}
	service, rest, _ := strings.Cut(call, " ")
	if method, path, _ := strings.Cut(rest, " "); rapid.Bool().Draw(t, "apart") {
		line["call"], line["path"] = service+" "+method, path
	}
	said := map[string]any{}
	for name, value := range body {
		if n, ok := value.(int64); ok && rapid.Bool().Draw(t, "as text") {
			value = fmt.Sprint(n)
		}
		said[name] = value
	}
	line["body"] = said
	if service == "stripe" && rapid.Bool().Draw(t, "form") {
		form := url.Values{}
		for name, value := range said {
			if inner, ok := value.(map[string]any); ok {
				for k, v := range inner {
					form.Set(name+"["+k+"]", fmt.Sprint(v))
				}
				continue
			}
			form.Set(name, fmt.Sprint(value))
		}
		line["body"] = form.Encode()
	}
	text, _ := json.Marshal(line)
	return string(text)
}

// The agent's own writes, turned into a log, agree wholly, however they are written;
// without one of the lines, or with one altered, there is one finding, of its kind.
func TestOwnWritesAgreeAndOneChangeIsOneFinding(t *testing.T) {
	t.Parallel()
	c := catalogue(t)
	rapid.Check(t, func(rt *rapid.T) {
		n := rapid.IntRange(1, 8).Draw(rt, "n")
		var acts []shadow.Act
		var lines []string
		var calls []string
		var bodies []map[string]any
		for i := range n {
			call, body := drawn(rt, i)
			text, _ := json.Marshal(body)
			acts = append(acts, wrote(t, c, uint64(i+1), call+" "+string(text))) //nolint:gosec // few
			calls, bodies = append(calls, call), append(bodies, body)
			lines = append(lines, written(rt, call, body, began.Add(time.Duration(i)*time.Minute)))
		}
		if got := shadow.Compare(acts, logged(t, lines...), options(c)); got.Agree != n || len(got.Findings) != n || len(got.Left) > 0 {
			rt.Fatalf("%d of %d agree: %v, left %v\n%s", got.Agree, n, told(got), got.Left, strings.Join(lines, "\n"))
		}
		at := rapid.IntRange(0, n-1).Draw(rt, "at")
		grave := acts[at].Class == class.Irreversible || acts[at].Class == class.Admin
		alone := "interesting"
		if grave {
			alone = "dangerous"
		}
		without := slices.Delete(slices.Clone(lines), at, at+1)
		if len(without) > 0 {
			one := told(shadow.Compare(acts, logged(t, without...), options(c)))
			if len(one) != 1 || one[0] != fmt.Sprintf("%s #%d -", alone, at+1) {
				rt.Fatalf("without line %d: %v", at+1, one)
			}
		}
		field, want := "body", "interesting"
		for name, kind := range map[string]string{"amount": "dangerous", "channel": "dangerous", "message": "interesting"} {
			if _, ok := bodies[at][name]; ok {
				field, want = name, kind
			}
		}
		body := map[string]any{}
		for name, value := range bodies[at] {
			body[name] = value
		}
		body[field] = map[bool]any{true: int64(1 << 41), false: "other"}[field == "amount"]
		altered := slices.Clone(lines)
		altered[at] = written(rt, calls[at], body, began.Add(time.Duration(at)*time.Minute))
		one := told(shadow.Compare(acts, logged(t, altered...), options(c)))
		if len(one) != 1 || !strings.HasPrefix(one[0], fmt.Sprintf("%s #%d L%d %s=", want, at+1, at+1, field)) {
			rt.Fatalf("with line %d altered in %s: %v", at+1, field, one)
		}
	})
}

// No log breaks its reader, and what is read compares.
func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"at": "2026-03-02T09:00:00Z", "call": "stripe POST /v1/refunds", "body": "a[b]=c&amount=1"}`))
	f.Add([]byte(`{"at": "2026-03-02T09:00:00Z", "call": "github PATCH /repos/{owner}/{repo}/issues/{issue_number}", "path": {"owner": "a"}}`))
	f.Add([]byte(`{"at": "2026-03-02T09:00:00Z", "call": "github POST", "path": "repos/%zz/é?x=%", "body": [1, {"a": null}]}`))
	c := catalogue(f)
	f.Fuzz(func(_ *testing.T, log []byte) {
		if lines, err := shadow.Read(log); err == nil {
			shadow.Compare(nil, lines, options(c))
		}
	})
}
