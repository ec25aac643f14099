package console

import (
	"encoding/json"
	"flag"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"parity/gateway/browser"
	"parity/gateway/client"
)

var shots = flag.String("shots", "", "a folder to keep pictures of the page in")

// page opens the page with a code, and waits until it has its list.
func page(t *testing.T, s *stub) *browser.Browser {
	t.Helper()
	b := browser.Start(t)
	goTo(b, s)
	t.Cleanup(func() {
		for _, said := range b.Errors {
			if !strings.Contains(said, "the server responded with a status of 4") { // a refusal is none of the page's
				t.Errorf("the console has an error: %s", said)
			}
		}
	})
	return b
}

func goTo(b *browser.Browser, s *stub) {
	b.Size(1360, 940)
	b.Open(s.URL + "/console/#code=good")
	b.Until(`location.origin === '` + s.URL + `' && document.querySelectorAll('[role=option]').length > 0`)
}

func is(t *testing.T, b *browser.Browser, expression string, want any) {
	t.Helper()
	if got := b.Eval(expression); got != want {
		t.Errorf("%s is %v, not %v", expression, got, want)
	}
}

// text is a selector of what is shown by one.
func text(selector string) string {
	return fmt.Sprintf(`document.querySelector(%q).textContent`, selector)
}

func decisionsAre(t *testing.T, s *stub, want ...string) {
	t.Helper()
	if diff := cmp.Diff(want, s.decisions()); diff != "" {
		t.Errorf("decisions (-want +got):\n%s", diff)
	}
}

// What waits comes first, oldest first; the page is what a person looks at, in light,
// dark and narrow.
func TestWhatWaitsIsShown(t *testing.T) {
	t.Parallel()
	s := newStub(t, decidedBy("apr_0", client.Rejected, "grace"), refund("apr_1", 4*time.Hour), message("apr_2"), decidedBy("apr_3", client.Used, "ada"), refund("apr_4", 2*time.Hour))
	b := page(t, s)
	is(t, b, `[...document.querySelectorAll('[role=option]')].map(o => o.dataset.key.split('/')[1]).join(' ')`, "apr_1 apr_2 apr_4 apr_0 apr_3")
	b.Until(`document.querySelector('.when').textContent !== ''`)
	is(t, b, `document.title`, "(3) Approvals · Parity")
	is(t, b, `location.hash`, "#/approvals")
	is(t, b, `document.cookie + JSON.stringify(localStorage) + JSON.stringify(sessionStorage)`, "{}{}")
	for _, says := range []string{
		"stripe-support-bot asks in run support-desk-7", "A refund cannot be taken back.", "charge", "ch_3NqKx2eZvKYlo2C1", "12000", "amount_refunded", "0 → 12000", "+stripe.refunds/(new)is made", "−stripe.disputes/dp_1is deleted",
		"2 webhooks are sent", "0 messages are sent", "no-settlement", "slack is down by the rule", "at version 3", "stripe POST /v1/refunds402", "second complaint", "4 that are null", "balance_transaction, description",
	} {
		if said := b.Eval(text(".chosen")).(string); !strings.Contains(said, says) {
			t.Errorf("it does not say %q: %s", says, said)
		}
	}
	b.Prefer("light")
	light := b.Eval(`getComputedStyle(document.body).backgroundColor`)
	b.Shoot(*shots, "light")
	b.Prefer("dark")
	if dark := b.Eval(`getComputedStyle(document.body).backgroundColor`); dark == light {
		t.Errorf("light and dark are both %v", light)
	}
	b.Shoot(*shots, "dark")
	b.Eval(`document.querySelector('.chosen').scrollTo(0, 700)`)
	b.Shoot(*shots, "dark-below")
	b.Prefer("light")
	b.Shoot(*shots, "light-below")
	b.Press("j", "j", "j")
	is(t, b, `document.querySelector('.decide').hidden`, true)
	b.Shoot(*shots, "decided")
	b.Size(390, 800)
	is(t, b, `document.documentElement.scrollWidth`, 390.0)
	b.Shoot(*shots, "narrow-decided")
	b.Eval(`document.querySelector('.back').click()`)
	b.Until(`!document.querySelector('.approvals').classList.contains('picked')`)
	b.Shoot(*shots, "narrow-list")
	b.Eval(`document.querySelector('[role=option]').click()`)
	is(t, b, `document.documentElement.scrollWidth`, 390.0)
	b.Shoot(*shots, "narrow")
}

// Approving sends the digest of what was shown, and goes on to the next; a rejection
// has its note.
func TestDecidingByKeysAlone(t *testing.T) {
	t.Parallel()
	s := newStub(t, refund("apr_1", time.Hour), refund("apr_2", time.Hour), refund("apr_3", time.Hour), refund("apr_4", time.Hour))
	b := page(t, s)
	selected := `document.querySelector('[aria-selected=true]').dataset.key`
	b.Press("a")
	b.Shoot(*shots, "approve")
	b.Press("Enter")
	b.Until(`document.querySelector('.problem').textContent.includes('who you are')`) // nobody decides without a name
	is(t, b, `document.activeElement.id`, "acting")
	b.Type("ada")
	b.Press("Enter")
	b.Until(selected + ` === 'support-desk-7/apr_2'`)
	b.Until(`document.querySelector('#toast').textContent === 'Approved.'`)
	b.Press("r")
	is(t, b, `document.activeElement.id`, "note")
	b.Type("Looks like a double.")
	b.Shoot(*shots, "reject")
	b.Press("Escape")
	is(t, b, `document.querySelector('form.form')`, nil)
	b.Press("r")
	is(t, b, `document.activeElement.value`, "Looks like a double.") // what was typed is not lost
	b.Press("Enter")
	b.Until(selected + ` === 'support-desk-7/apr_3'`)
	b.Press("e")
	b.Eval(`document.getElementById('to').focus()`)
	b.Type("cfo")
	b.Press("Enter")
	b.Until(`document.querySelector('#toast').textContent === 'Escalated.'`)
	is(t, b, selected, "support-desk-7/apr_3") // it waits still
	b.Press("j")
	is(t, b, selected, "support-desk-7/apr_4")
	b.Press("?")
	is(t, b, `document.getElementById('help').open`, true)
	b.Shoot(*shots, "help")
	b.Press("a") // a key behind an open dialog decides nothing
	b.Press("Escape")
	is(t, b, `document.getElementById('help').open`, false)
	is(t, b, `document.querySelector('form.form')`, nil)
	b.Press("k", "k", "k")
	decisionsAre(t, s,
		`apr_1 {"decision":"approve","by":"ada","digest":"9f2c-apr_1"}`,
		`apr_2 {"decision":"reject","by":"ada","note":"Looks like a double."}`,
		`apr_3 {"decision":"escalate","by":"ada","to":"cfo"}`)
}

// A change sends the fields that were changed, with every digit.
func TestAChangeSendsWhatWasChanged(t *testing.T) {
	t.Parallel()
	a := refund("apr_1", time.Hour)
	a.Request.Body = map[string]any{"amount": json.Number("12000"), "account": json.Number("18446744073709551615"), "rate": json.Number("1.10"), "reason": "x"}
	s := newStub(t, a)
	s.proved = "ada"
	b := page(t, s)
	is(t, b, `document.querySelector('.tree').textContent.includes('18446744073709551615')`, true) // not ...552000
	is(t, b, `document.querySelector('.tree').textContent.includes('1.10')`, true)
	b.Press("c")
	is(t, b, `document.activeElement.id`, "set")
	b.Press("Enter")
	is(t, b, `document.querySelector('form.form') !== null`, true) // a line end, no decision
	b.Eval(`document.getElementById('note').focus()`)
	b.Press("Enter")
	b.Until(`document.querySelector('.problem').textContent.includes('Nothing is changed yet')`)
	b.Eval(`document.getElementById('set').value = '{"amount": 500, }'`)
	b.Press("Enter")
	b.Until(`document.querySelector('.problem').textContent.includes('no JSON')`)
	b.Eval(`document.getElementById('set').value = '{"amount": 500, "account": 18446744073709551614, "rate": 1.10}'`)
	b.Shoot(*shots, "change")
	b.Press("Enter")
	b.Until(`document.querySelector('#toast').textContent === 'Changed.'`)
	decisionsAre(t, s, `apr_1 {"decision":"change","digest":"9f2c-apr_1","set":{"amount":500,"account":18446744073709551614}}`)
	is(t, b, `document.querySelector('.answer').textContent.includes('18446744073709551614') || document.querySelector('.answer').textContent.includes('amount')`, true)
}

// What has moved since it was shown is not decided: it is shown anew, and says so.
func TestWhatHasMovedIsShownAnew(t *testing.T) {
	t.Parallel()
	s := newStub(t, refund("apr_1", time.Hour))
	s.proved = "ada"
	b := page(t, s)
	s.refusal = "approval-moved"
	b.Press("a", "Enter")
	b.Until(`document.querySelector('.moved') !== null`)
	b.Until(`document.querySelector('#toast').textContent.includes('Nothing was decided')`)
	b.Shoot(*shots, "moved")
	b.Press("a")
	// It moves again, under the hand.
	s.change(func() { s.list[0].Digest = "third"; s.list[0].Request.Body = map[string]any{"amount": 99} })
	b.Until(`document.querySelector('form.form') === null && document.querySelector('.tree').textContent.includes('99')`)
	b.Press("Enter") // what was asked before it moved is not asked any more
	b.Press("a", "Enter")
	b.Until(`document.querySelector('#toast').textContent === 'Approved.'`)
	decisionsAre(t, s, `apr_1 {"decision":"approve","digest":"9f2c-apr_1"}`, `apr_1 {"decision":"approve","digest":"third"}`)
	s.refusal = "approval-decided"
	b.Press("v", "Enter")
	b.Until(`document.querySelector('#toast').textContent.includes('the gateway says approval-decided')`)
}

// New ones come by themselves, by the stream or, where there is none, by looking.
func TestNewOnesComeByThemselves(t *testing.T) {
	t.Parallel()
	for _, streams := range []bool{true, false} {
		s := newStub(t, refund("apr_1", time.Hour))
		s.streams = streams
		b := page(t, s)
		b.Until(fmt.Sprintf(`document.getElementById('link').classList.contains('%s')`, map[bool]string{true: "live", false: "polling"}[streams]))
		b.Press("j")
		s.change(func() { s.list = append(s.list, message("apr_2")) })
		b.Until(`document.querySelectorAll('.item:not(.quiet)').length === 2`)
		is(t, b, `document.querySelector('[aria-selected=true]').dataset.key`, "support-desk-7/apr_1")
		s.change(func() { s.list[0].State = client.Lapsed })
		b.Until(`document.querySelectorAll('.item.quiet').length === 1 && document.querySelector('.decide').hidden`)
		b.Until(`document.title === '(1) Approvals · Parity'`)
	}
}

// A code that was used, a reload, and a token that is good no longer lead to the
// door, which says what to do.
func TestWithoutATokenThereIsADoor(t *testing.T) {
	t.Parallel()
	s := newStub(t, refund("apr_1", time.Hour))
	b := browser.Start(t)
	b.Open(s.URL + "/console/")
	b.Until(`document.querySelector('.door') !== null`)
	b.Shoot(*shots, "door")
	is(t, b, `document.querySelector('.door').textContent.includes('parity console')`, true)
	b.Open(s.URL + "/console/#code=used")
	b.Until(`document.querySelector('.door').textContent.includes('was used')`)
	is(t, b, `location.hash`, "")
	b.Eval(`location.hash = '#code=good'`)
	b.Until(`document.querySelectorAll('[role=option]').length === 1`)
	b.Eval(`location.reload()`)
	b.Until(`document.querySelector('.door') !== null`)
}

// What agents send comes as text, whatever it is, and breaks nothing.
func TestHostileTextsDoNothing(t *testing.T) {
	t.Parallel()
	evil := map[string]string{
		"markup": `<img src=x onerror="window.owned=1"><script>window.owned=1</script>`, "link": `javascript:window.owned=1`, "turned": "\u202egpj.exe\u2066 \u200bcut",
		"null": "a\x00b\x1b[31m", "word": strings.Repeat("w", 10_000), "huge": strings.Repeat("<b>&amp;</b>", 9000), "quotes": `"'` + "`" + `${window.owned=1}</textarea></title>`, "wide": strings.Repeat("𝔘﷽", 300),
	}
	whole := t // whose servers are there until the browser is gone
	b := page(t, newStub(t, refund("apr_1", time.Hour)))
	for name, text := range evil {
		t.Run(name, func(t *testing.T) {
			goTo(b, newStub(whole, hostile(text), refund("apr_9", time.Hour)))
			for _, width := range []int{1360, 390} {
				b.Size(width, 800)
				b.Eval(`document.querySelector('[role=option]').click()`)
				is(t, b, `document.documentElement.scrollWidth`, float64(width))
				is(t, b, `[...document.querySelectorAll('.chosen, .listbox, .decide')].filter(e => e.clientWidth > 0 && e.scrollWidth > e.clientWidth).map(e => e.className + ': ' + [...e.querySelectorAll('*')].filter(c => c.getBoundingClientRect().right > e.getBoundingClientRect().right + 1).map(c => c.tagName + '.' + c.className).slice(0, 5)).join()`, "")
			}
			b.Size(1360, 800)
			b.Shoot(*shots, "hostile-"+name)
			b.Press("c")
			is(t, b, `document.querySelector('#set') !== null`, true)
			b.Press("Escape")
			b.Eval(`document.querySelectorAll('button.rest').forEach(b => b.click())`)
			is(t, b, `document.documentElement.scrollWidth`, 1360.0)
			is(t, b, `window.owned`, nil)
			is(t, b, `document.querySelectorAll('main img, main script, main iframe, main [src], main a:not(.back)').length`, 0.0)
			is(t, b, `/[\u202e\u2066\u200b\u0000\u001b]/.test(document.body.textContent)`, false)
			if nodes := b.Eval(`document.querySelectorAll('*').length`).(float64); nodes > 4000 {
				t.Errorf("the page has %.0f elements", nodes)
			}
			b.Press("j")
			is(t, b, `document.querySelector('.chosen').textContent.includes('A refund cannot be taken back.')`, true)
		})
	}
}

// hostile is an approval with a text in each of its fields.
func hostile(text string) client.Approval {
	a := refund("apr_1", time.Hour)
	a.Gate, a.Because, a.Identity, a.Operation, a.Class, a.Intent, a.Approver, a.Digest, a.Note = text, text, text, text, text, text, text, text, text
	a.By = &client.By{Name: text, Kind: text}
	a.Set = map[string]any{text: text}
	a.Bound = []client.Bound{{Record: text}}
	a.Before = []client.Earlier{{Call: text}, {Call: "stripe POST " + text}}
	a.Request = client.AskedRequest{Path: map[string]any{text: text, "__proto__": map[string]any{"x": text}}, Query: map[string]any{text: []any{text, nil, true}}, Body: map[string]any{text: map[string]any{text: text}}}
	p := a.Predicted
	p.Fidelity, p.Differences, p.Signals, p.Body = text, []string{text}, []client.Signal{{Kind: text, Text: text}}, text
	p.Diff = []client.Change{{Record: text, Op: text, Fields: map[string][2]any{text: {text, text}}}, {Record: text, Op: "create", After: map[string]any{text: text}}}
	return a
}

// A hundred thousand arguments, ten thousand of them that wait: the page stays quick.
func TestManyStayQuick(t *testing.T) {
	t.Parallel()
	large := refund("apr_0", time.Hour)
	lines := make([]any, 20_000)
	for i := range lines {
		lines[i] = map[string]any{"sku": fmt.Sprint("sku-", i), "amount": i}
	}
	large.Request.Body = map[string]any{"lines": lines}
	list := []client.Approval{large}
	for i := range 2000 {
		list = append(list, refund(fmt.Sprint("apr_", i+1), time.Hour))
	}
	s := newStub(t, list...)
	s.streams = false
	b := page(t, s)
	if nodes := b.Eval(`document.querySelectorAll('*').length`).(float64); nodes > 4000 {
		t.Errorf("the page has %.0f elements: what is out of sight need not be there", nodes)
	}
	took := b.Eval(`(() => { const at = performance.now(); for (let i = 0; i < 20; i++) document.dispatchEvent(new KeyboardEvent('keydown', {key: 'j', bubbles: true})); return (performance.now() - at) / 20 })()`)
	t.Logf("a step among %d takes %.1f ms", len(list), took)
	b.Press(strings.Split(strings.Repeat("j", 40), "")...)
	is(t, b, `document.querySelector('[aria-selected=true]') !== null`, true)
	b.Shoot(*shots, "many")
}
