package slack_test

import (
	"net/http"
	"net/url"
	"sync"
	"testing"

	"parity/fakes"
	"parity/fakes/faketest"
	"parity/fakes/slack"
	"parity/specs"
)

// What every world begins with.
const (
	general = "C0GENERAL01"
	bot     = "U0PARITYBOT"
	owner   = "U0OWNER0001"
	ahmed   = "U0PERSON002"
	mei     = "U0PERSON003"
)

// Tokens of the two kinds; nobody declared them, so they may do everything.
const (
	asBot  = "Bearer xoxb-1-rehearsal"
	asUser = "Bearer xoxp-1-rehearsal"
)

// rig is one workspace, in which a bot calls.
type rig struct{ *faketest.Rig }

func newService() (fakes.Service, error) { return slack.New() }

func newRig(t testing.TB) rig {
	t.Helper()
	service, err := slack.New()
	if err != nil {
		t.Fatal(err)
	}
	r := rig{faketest.New(t, service)}
	r.Header.Set("Authorization", asBot)
	return r
}

// vendor is Slack's own document, of 2021; nil where it is not at hand.
var vendor = sync.OnceValue(func() *specs.Contract { return faketest.VendorContract(quiet{}, "slack.json.gz") })

// quiet lets what is read once for all tests belong to none of them.
type quiet struct{ testing.TB }

func (quiet) Helper()             {}
func (quiet) Logf(string, ...any) {}

// mistaken are places where Slack's document is wrong about Slack.
var mistaken = map[string]bool{
	"chat.postMessage /message/thread_ts": true, // it is shown as it was sent
	"chat.update /message/blocks":         true, // it wants an object
	"conversations.history /messages":     true, // it wants one message at least
	"conversations.replies /messages":     true,
}

// hold compares a reply with Slack's own document: types, and fields that must
// be there. The document is older than many fields, so others are let pass.
func (r rig) hold(method string, g faketest.Got) {
	r.T.Helper()
	contract := vendor()
	if contract == nil {
		return
	}
	for _, verb := range []string{"POST", "GET"} {
		m := contract.MatchCall(&specs.Call{Method: verb, Path: "/api/" + method, Header: http.Header{}})
		if m.Operation == nil {
			continue
		}
		for _, wrong := range m.Operation.CheckReply(g.Status, g.Header.Get("Content-Type"), []byte(g.Raw)) {
			if wrong.Rule != specs.RuleUnknown && !mistaken[method+" "+wrong.Pointer] {
				r.T.Errorf("%s breaks Slack's own document at %q: %s\n%s", method, wrong.Pointer, wrong.Message, g.Raw)
			}
		}
	}
}

// try calls a method with arguments, given as pairs, as SDKs do.
func (r rig) try(method string, arguments ...string) faketest.Got {
	r.T.Helper()
	form := url.Values{}
	for i := 0; i+1 < len(arguments); i += 2 {
		form.Set(arguments[i], arguments[i+1])
	}
	return r.Form("POST", "/api/"+method, form.Encode())
}

// ok calls a method that has to succeed.
func (r rig) ok(method string, arguments ...string) faketest.Got {
	r.T.Helper()
	g := r.Must(200, r.try(method, arguments...))
	if g.At("ok") != true {
		r.T.Fatalf("%s %v: %s", method, arguments, g.Raw)
	}
	r.hold(method, g)
	return g
}

// refused calls a method that has to be refused with a code.
func (r rig) refused(code, method string, arguments ...string) faketest.Got {
	r.T.Helper()
	g := r.try(method, arguments...)
	if g.At("ok") != false || g.Text("error") != code {
		r.T.Errorf("%s %v: want %s, have %s", method, arguments, code, g.Raw)
	}
	return g
}

// by has somebody else call, in the same world.
func (r rig) by(authorization string, do func(rig)) {
	r.T.Helper()
	was := r.Header.Get("Authorization")
	r.Header.Set("Authorization", authorization)
	defer r.Header.Set("Authorization", was)
	do(r)
}

// channel makes a channel and gives its id.
func (r rig) channel(name string, more ...string) string {
	r.T.Helper()
	return r.ok("conversations.create", append([]string{"name", name}, more...)...).Text("channel.id")
}

// post posts a text and gives its ts.
func (r rig) post(channel, text string, more ...string) string {
	r.T.Helper()
	return r.ok("chat.postMessage", append([]string{"channel", channel, "text", text}, more...)...).Text("ts")
}
