package gateway

import (
	"context"
	"net/http"
	"path/filepath"

	"parity/gateway/admin"
	"parity/gateway/client"
	"parity/gateway/console"
	"parity/gateway/people"
)

// operators is the file of the persons who have a token.
func (s *Server) operators() string { return filepath.Join(s.settings.Root, people.FileName) }

// person gives the person, or the console, that a token belongs to. A console that a
// person has opened is closed when that person's token is removed.
func (s *Server) person(token string) (admin.Caller, bool) {
	if by, ok := s.sessions.Holder(token); ok {
		if by.Proof != "" {
			digest, still := people.Still(s.operators(), by.Name)
			ok = still && digest == by.Proof
		}
		return admin.Caller{Name: by.Name, Proved: by.Proof != "", Console: true}, ok
	}
	who, ok, err := people.Who(s.operators(), token)
	if err != nil {
		s.settings.Log.Error("nobody is let in by a token of their own", "error", err)
		return admin.Caller{}, false
	}
	return admin.Caller{Name: who.Name, Proved: true}, ok
}

// makeConsoleCode gives a code that opens the console once.
func (s *Server) makeConsoleCode(_ context.Context, call admin.Call) (admin.Answer, error) {
	if call.By.Console { // or a console would last for ever
		return admin.Answer{}, &admin.Problem{Status: http.StatusForbidden, Code: "operator-only", Detail: "a console opens no other: `parity console` does, with the control token (PARITY_CONTROL_TOKEN) or a person's own"}
	}
	said, _ := call.Body["by"].(string)
	by := console.Holder{Name: said}
	if call.By.Proved {
		by.Name = call.By.Name
		by.Proof, _ = people.Still(s.operators(), by.Name)
	}
	code, until := s.sessions.Code(by)
	return admin.Answer{Status: http.StatusCreated, JSON: client.ConsoleCode{Code: code, Until: until}}, nil
}

// openConsole changes a code for a token.
func (s *Server) openConsole(_ context.Context, call admin.Call) (admin.Answer, error) {
	code, _ := call.Body["code"].(string)
	token, until, by, ok := s.sessions.Open(code)
	if !ok {
		return admin.Answer{}, &admin.Problem{Status: http.StatusForbidden, Code: "unknown-code", Detail: "this code was used, or is more than a minute old; `parity console` gives another"}
	}
	return admin.Answer{Status: http.StatusCreated, JSON: client.ConsoleToken{Token: token, Until: until, Name: by.Name, Proved: by.Proof != ""}}, nil
}

// decider is who says something to what waits: whose token it is, or else who the
// body says.
func decider(call admin.Call) (client.By, error) {
	if call.By.Proved {
		return client.By{Name: call.By.Name, Kind: client.ByPerson}, nil
	}
	name, _ := call.Body["by"].(string)
	if name == "" {
		name = call.By.Name
	}
	if name == "" {
		return client.By{}, &admin.Problem{Status: http.StatusUnprocessableEntity, Code: "nameless", Detail: "say who decides: a name under by, or the token of a person (`parity token new --operator NAME`)"}
	}
	return client.By{Name: name, Kind: client.ByClaimed}, nil
}

// unkeyed takes out of a run what lets its holder act in it, where whoever asks may
// only read.
func unkeyed(call admin.Call, r client.Run) client.Run {
	if call.By.Kind == admin.Person {
		r.Token, r.URLs = "", nil
	}
	return r
}
