package faketest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"parity/fakes"
	"parity/fakes/recording"
	"parity/specs"
)

// Frozen names the recorded exchanges that a fake does not meet, each with the
// reason: "file.json#3" is the third exchange of a conversation.
type Frozen map[string]string

// Recorded plays the recorded conversations of a folder, each in a world of its
// own that is set up with what its first reads show, and compares every reply.
// A miss that is not frozen fails the test, and so does a frozen one that is
// met. set, where there is one, prepares each rig (its credentials).
func Recorded(t *testing.T, service fakes.Service, folder string, set func(*Rig), frozen Frozen) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(shared(t, "recordings"), folder, "*.json"))
	if err != nil || len(files) == 0 {
		t.Skipf("no recorded conversations here; set PARITY_SHARED to the folder that has recordings/%s", folder)
	}
	met, all := 0, 0
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		c, err := recording.Read(data)
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		r := New(t, service)
		if set != nil {
			set(r)
		}
		good := r.play(filepath.Base(file), c, frozen)
		t.Logf("%3d of %3d  %s", good, len(c.Exchanges), filepath.Base(file))
		met, all = met+good, all+len(c.Exchanges)
	}
	t.Logf("%s: %d of %d exchanges as recorded (%.1f %%)", folder, met, all, 100*float64(met)/float64(all))
}

func (r *Rig) play(file string, c recording.Conversation, frozen Frozen) (met int) {
	r.T.Helper()
	learned := recording.NewAlignment()
	r.absorb(c, learned)
	for i, e := range c.Exchanges {
		if at := e.Response.At(); at.After(r.Now) {
			r.Wait(at.Sub(r.Now))
		}
		key := fmt.Sprintf("%s#%d", file, i+1)
		g := r.try(e, learned)
		misses := learned.Compare(e, g.Status, g.Header, []byte(g.Raw))
		why, known := frozen[key]
		switch {
		case len(misses) == 0 && known:
			r.T.Errorf("%s is met, and need not be frozen any more (%s)", key, why)
			met++
		case len(misses) == 0:
			met++
		case !known:
			r.T.Errorf("%s: %s %s: %d misses", key, e.Request.Method, e.Request.URL, len(misses))
			for _, miss := range misses[:min(len(misses), 8)] {
				r.T.Logf("    %s", miss)
			}
		}
	}
	return met
}

// try sends a recorded request. A fake that panics has no reply: its status is 0.
func (r *Rig) try(e recording.Exchange, learned *recording.Alignment) (g Got) {
	defer func() {
		if wrong := recover(); wrong != nil {
			r.T.Errorf("%s %s: %v", e.Request.Method, e.Request.URL, wrong)
		}
	}()
	target, header := r.recorded(e, learned)
	return r.Send(e.Request.Method, target, learned.Ours(e.Request.Text()), header...)
}

// recorded gives what of a recorded request goes on the wire: recordings hold
// no credentials, so the rig's own stand for them, and a wrong one where the
// service refused it.
func (r *Rig) recorded(e recording.Exchange, learned *recording.Alignment) (target string, header []string) {
	u, err := url.Parse(learned.OursAt(e.Request.URL))
	if err != nil {
		r.T.Fatal(err)
	}
	target = u.EscapedPath()
	if u.RawQuery != "" {
		target += "?" + u.RawQuery
	}
	// A service that tells a wrong token from none says which it was.
	shown := e.Response.Says("www-authenticate", "invalid_token")
	for name, value := range e.Request.Header {
		if strings.EqualFold(name, "authorization") {
			shown = true
			continue
		}
		header = append(header, name, learned.Ours(value))
	}
	switch code := refusal(e.Response.Body); {
	case code == "not_authed", code == "" && e.Response.Status == http.StatusUnauthorized && !shown:
		header = append(header, "Authorization", "")
	case code == "invalid_auth", e.Response.Status == http.StatusUnauthorized:
		header = append(header, "Authorization", "Bearer wrong")
	}
	return target, header
}

// refusal gives the code of a service that refuses with a status of success;
// "" where it does not.
func refusal(body string) string {
	var said struct {
		OK    *bool `json:"ok"`
		Error any   `json:"error"`
	}
	if json.Unmarshal([]byte(body), &said) != nil || said.OK == nil || *said.OK {
		return ""
	}
	code, _ := said.Error.(string)
	return code
}

// absorb sets the world up: what reads show of records that the conversation
// does not make itself, and what else it takes for granted.
func (r *Rig) absorb(c recording.Conversation, learned *recording.Alignment) {
	r.T.Helper()
	absorber, ok := r.Service.Fake.(fakes.Absorber)
	if !ok {
		return
	}
	made := c.Made(r.reads)
	for _, e := range c.Exchanges {
		if at := e.Response.At(); !at.IsZero() {
			r.Now = at.Add(-time.Second)
			break
		}
	}
	for _, reads := range []bool{true, false} {
		for _, e := range c.Exchanges {
			if r.reads(e) != reads {
				continue
			}
			body := recording.Without(e.Response.Body, made)
			if !reads {
				r.presume(e, made)
				if mentions(e.Request.URL+" "+e.Response.Body, made) {
					continue
				}
			}
			if body == "" && e.Response.Body != "" { // about what the conversation makes
				if reads {
					r.presume(e, made) // which may show what was there, such as a coupon that it uses
				}
				continue
			}
			if call := r.seen(e); call != nil {
				absorber.Absorb(call, e.Response.Status, []byte(body))
				r.World = call.Tx.Commit()
			}
			if reads && !mentions(body, made) { // nor what is made of such an id
				learned.Knew(body)
			}
		}
	}
}

// mentions tells whether a text names one of some ids.
func mentions(text string, ids map[string]bool) bool {
	for id := range ids {
		if len(id) > 3 && strings.Contains(text, id) {
			return true
		}
	}
	return false
}

// reads tells whether an exchange only reads: a POST does where the contract
// says so, such as a search.
func (r *Rig) reads(e recording.Exchange) bool {
	if e.Request.Method == http.MethodGet || e.Request.Method == http.MethodHead {
		return true
	}
	call := r.seen(e)
	return call != nil && call.Operation.Effect == specs.Read
}

// presume puts in what a write takes for granted.
func (r *Rig) presume(e recording.Exchange, made map[string]bool) {
	r.T.Helper()
	presumer, ok := r.Service.Fake.(fakes.Presumer)
	if !ok {
		return
	}
	if call := r.seen(e); call != nil {
		presumer.Presume(call, e.Response.Status, []byte(e.Response.Body), made)
		r.World = call.Tx.Commit()
	}
}

// seen is the call of a recorded request; nil where the contract does not have
// it.
func (r *Rig) seen(e recording.Exchange) *fakes.Call {
	target, header := r.recorded(e, recording.NewAlignment())
	path, query, _ := strings.Cut(target, "?")
	h, body := r.headers(header), []byte(e.Request.Text())
	m := r.Service.Contract.MatchCall(&specs.Call{Method: e.Request.Method, Path: path, Query: query, Header: h, Body: body})
	if m.Operation == nil {
		return nil
	}
	input, _ := m.Operation.Read(specs.Request{Path: m.Path, Query: query, Header: h, Body: body})
	call := r.later(r.Now)
	call.Operation, call.Input, call.Header, call.Body, call.Base = m.Operation, input, h, body, r.Base
	if identity, refused := r.identify(fakes.Presented{Header: h, Query: input.Query, Body: input.Body}); refused == nil {
		call.Identity = identity
	}
	return call
}
