package stage

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"parity/fakes"
	"parity/fakes/cast"
	"parity/fakes/recording"
	"parity/specs"
)

// Asks gives what of a recorded request goes on the wire: recordings hold no
// credentials, so the stage's own stand for them, and a wrong one where the
// service refused it. header is pairs of name and value.
func Asks(e recording.Exchange, learned *recording.Alignment) (target string, header []string, err error) {
	u, err := url.Parse(learned.OursAt(e.Request.URL))
	if err != nil {
		return "", nil, err
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
	return target, header, nil
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
	return cast.Text(said.Error)
}

// Play sends a recorded request, at the instant of its reply, and gives ours. A
// fake that panics has no reply, and an error.
func (s *Stage) Play(e recording.Exchange, learned *recording.Alignment) (reply fakes.Reply, err error) {
	defer func() {
		if wrong := recover(); wrong != nil {
			err = fmt.Errorf("%s %s: %v", e.Request.Method, e.Request.URL, wrong)
		}
	}()
	if at := e.Response.At(); at.After(s.Now) {
		if err := s.Advance(at.Sub(s.Now)); err != nil {
			return fakes.Reply{}, err
		}
	}
	reply, asked, err := s.answer(e, learned)
	if asked != nil {
		s.World = asked.Tx.Commit()
	}
	return reply, err
}

// answer asks the fake what was asked of the real service. asked is the call, nil
// where it was refused before.
func (s *Stage) answer(e recording.Exchange, learned *recording.Alignment) (reply fakes.Reply, asked *fakes.Call, err error) {
	target, header, err := Asks(e, learned)
	if err != nil {
		return fakes.Reply{}, nil, err
	}
	sent := s.Headers(header)
	target = s.present(e, s.based(e, target), sent)
	call, trouble := s.Call(e.Request.Method, target, learned.Ours(e.Request.Text()), sent)
	if trouble != nil {
		reply, err = s.Render(*trouble)
		return reply, nil, err
	}
	return s.Service.Ask(call), call, nil
}

// Ask gives what the fake says to a recorded request, in the world as it is. A fake
// that panics has no reply, and an error.
func (s *Stage) Ask(e recording.Exchange) (reply fakes.Reply, err error) {
	defer func() {
		if wrong := recover(); wrong != nil {
			err = fmt.Errorf("%s %s: %v", e.Request.Method, e.Request.URL, wrong)
		}
	}()
	reply, _, err = s.answer(e, recording.NewAlignment())
	return reply, err
}

// Take has the world take in what a read shows, and gives the read as a call; nil
// where the contract has no such read, or the fake takes nothing in.
func (s *Stage) Take(e recording.Exchange) (read *fakes.Call, err error) {
	importer, ok := s.Service.Fake.(fakes.Importer)
	call := s.Seen(e)
	if !ok || call == nil || !reads(e, call) {
		return nil, nil
	}
	defer func() {
		if wrong := recover(); wrong != nil {
			err = fmt.Errorf("%s %s: %v", e.Request.Method, e.Request.URL, wrong)
		}
	}()
	importer.Import(call, e.Response.Status, []byte(e.Response.Body))
	s.World = call.Tx.Commit()
	return call, nil
}

// Import sets the world up: what reads show of records that the conversation
// does not make itself, and what else it takes for granted.
func (s *Stage) Import(c recording.Conversation, learned *recording.Alignment) {
	importer, ok := s.Service.Fake.(fakes.Importer)
	if !ok {
		return
	}
	made := c.Made(s.Reads)
	s.addressed(c, made)
	for _, e := range c.Exchanges {
		if at := e.Response.At(); !at.IsZero() {
			s.Now = at.Add(-time.Second)
			break
		}
	}
	for _, reads := range []bool{true, false} {
		for _, e := range c.Exchanges {
			if s.Reads(e) != reads {
				continue
			}
			body := recording.Without(e.Response.Body, made)
			if !reads {
				s.infer(e, made)
				if mentions(e.Request.URL+" "+e.Response.Body, made) {
					continue
				}
			}
			if body == "" && e.Response.Body != "" { // about what the conversation makes
				if reads {
					s.infer(e, made) // which may show what was there, such as a coupon that it uses
				}
				continue
			}
			if call := s.Seen(e); call != nil {
				importer.Import(call, e.Response.Status, []byte(body))
				s.World = call.Tx.Commit()
			}
			if reads && !mentions(body, made) { // nor what is made of such an id
				learned.Knew(body)
			}
		}
	}
}

// addressed adds ids that are made and have none of the usual names: those that
// paths name members by, and that the reply to a write was the first to tell.
func (s *Stage) addressed(c recording.Conversation, made map[string]bool) {
	members := map[string]bool{}
	for _, e := range c.Exchanges {
		if call := s.Seen(e); call != nil {
			if id := call.Input.Path[call.Operation.Anatomy.Member]; id != "" {
				for _, form := range recording.Forms(id) {
					members[form] = true
				}
			}
		}
	}
	var before strings.Builder
	for _, e := range c.Exchanges {
		before.WriteString(e.Request.URL + " " + e.Request.Text() + "\n")
		told := e.Response.Good() && !s.Reads(e)
		for id := range members {
			quoted := strings.Contains(e.Response.Body, `"`+id+`"`) || strings.Contains(e.Response.Body, `:`+id)
			if told && !made[id] && quoted && !strings.Contains(before.String(), id) {
				for _, form := range recording.Forms(id) {
					made[form] = true
				}
			}
		}
		before.WriteString(e.Response.Body + "\n")
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

// Reads tells whether an exchange only reads: a POST does where the contract
// says so, such as a search.
func (s *Stage) Reads(e recording.Exchange) bool {
	return reads(e, nil) || reads(e, s.Seen(e))
}

func reads(e recording.Exchange, call *fakes.Call) bool {
	if e.Request.Method == http.MethodGet || e.Request.Method == http.MethodHead {
		return true
	}
	return call != nil && call.Operation.Effect == specs.Read
}

// infer puts in what a write takes for granted.
func (s *Stage) infer(e recording.Exchange, made map[string]bool) {
	inferrer, ok := s.Service.Fake.(fakes.Inferrer)
	if !ok {
		return
	}
	if call := s.Seen(e); call != nil {
		inferrer.Infer(call, e.Response.Status, []byte(e.Response.Body), made)
		s.World = call.Tx.Commit()
	}
}

// based gives a target that was recorded without the base path of its contract, as
// clients whose base URL stands for that call it, with it.
func (s *Stage) based(e recording.Exchange, target string) string {
	path, query, asks := strings.Cut(target, "?")
	call := &specs.Call{Method: e.Request.Method, Path: path, Query: query, Body: []byte(e.Request.Text())}
	if path = s.Service.Contract.Whole(call); asks {
		return path + "?" + query
	}
	return path
}

// Seen is the call of a recorded request; nil where the contract does not have
// it.
func (s *Stage) Seen(e recording.Exchange) *fakes.Call {
	target, header, err := Asks(e, recording.NewAlignment())
	if err != nil {
		return nil
	}
	h, body := s.Headers(header), []byte(e.Request.Text())
	path, query, _ := strings.Cut(s.present(e, s.based(e, target), h), "?")
	m := s.Service.Contract.MatchCall(&specs.Call{Method: e.Request.Method, Path: path, Query: query, Header: h, Body: body})
	if m.Operation == nil {
		return nil
	}
	input, _ := m.Operation.Read(specs.Request{Path: m.Path, Query: query, Header: h, Body: body})
	call := s.Later(s.Now)
	call.Operation, call.Input, call.Header, call.Body, call.Base = m.Operation, input, h, body, s.Base
	if identity, refused := s.identify(fakes.Credentials{Header: h, Query: input.Query, Body: input.Body}); refused == nil {
		call.Identity = identity
	}
	return call
}
