// Package jobs plays the addresses that Parity itself adds to a service: where
// work is that was accepted to be done later, and the page that a session that is
// over is sent to.
//
//	write ─▶ 202, Location: /operations/op_… ─▶ GET ─▶ pending … succeeded
//
// It stands beside the service: what the service's own contract has is the
// service's.
package jobs

import (
	"embed"
	"fmt"
	"html"
	"net/http"
	"strings"
	"time"

	"parity/fakes"
	"parity/fakes/kit"
	"parity/fakes/world"
	"parity/specs"
)

//go:embed openapi.yaml
var contract embed.FS

// Prefix begins the ids of jobs, and Path the addresses at which they are.
const (
	Prefix = "op_"
	Path   = "/operations/"
)

// Serves tells whether a path may be one of those that are added.
func Serves(path string) bool {
	return strings.HasPrefix(path, Path) || path == "/login"
}

// Beside gives what answers beside a service.
func Beside(s fakes.Service) (fakes.Service, error) {
	c, _, err := specs.Load(contract, "openapi.yaml", s.Name)
	if err != nil {
		return fakes.Service{}, fmt.Errorf("operations of %s: %w", s.Name, err)
	}
	return fakes.Service{Name: s.Name, Contract: c, Fake: fake{s.Fake}}, nil
}

type fake struct{ of fakes.Fake }

// Answer says how far a job is.
func (f fake) Answer(c *fakes.Call) fakes.Reply {
	if c.Operation.ID == "parity.login" {
		return fakes.Reply{Status: http.StatusOK, Header: http.Header{"Content-Type": {"text/html; charset=utf-8"}}, Body: []byte(LoginPage(c.Operation.Service)), Fidelity: fakes.Generic}
	}
	work, ok := kit.WorkOf(c.Tx, c.Operation.Service, c.Input.Path["operation"], c.Now)
	if !ok {
		return f.Render(fakes.Problem{Kind: fakes.NoOperation, Method: c.Operation.Method, Path: Path + kit.Clip(c.Input.Path["operation"]), Header: c.Header})
	}
	value, header := Show(work)
	return fakes.Reply{Status: http.StatusOK, Header: header, Body: world.Encode(value), Result: value, Fidelity: fakes.Generic}
}

// Show is a job as its client sees it.
func Show(w fakes.Work) (map[string]any, http.Header) {
	header := http.Header{"Content-Type": {"application/json"}}
	kit.AskAgain(header, w)
	value := map[string]any{"id": w.ID, "status": string(w.State), "created_at": w.Accepted.Format(time.RFC3339)}
	switch w.State {
	case fakes.WorkSucceeded:
		if w.Result != nil {
			value["result"] = w.Result
		}
	case fakes.WorkFailed:
		value["error"] = map[string]any{"code": "operation_failed", "message": "The operation could not be completed; nothing has changed."}
	default:
		return value, header
	}
	value["completed_at"] = w.Due.Format(time.RFC3339)
	return value, header
}

// LoginPage is what a browser would be shown.
func LoginPage(service string) string {
	name := html.EscapeString(service)
	return "<!DOCTYPE html>\n<html>\n<head><title>Sign in to " + name + "</title></head>\n<body>\n<h1>Sign in</h1>\n" +
		"<p>Your session has expired. Please sign in again.</p>\n" +
		"<form method=\"post\" action=\"/login\"><input name=\"email\" type=\"email\"><input name=\"password\" type=\"password\"><button>Sign in</button></form>\n</body>\n</html>\n"
}

// Identify is the service's. Who is to log in has no credential yet.
func (f fake) Identify(p fakes.Credentials) (string, *fakes.Problem) {
	if i, ok := f.of.(fakes.Identifier); ok {
		credential, _ := i.Identify(p)
		return credential, nil
	}
	return "", nil
}

// KindOf is the service's.
func (f fake) KindOf(credential string) string {
	if k, ok := f.of.(fakes.CredentialKinds); ok {
		return k.KindOf(credential)
	}
	return ""
}

// Word is the service's.
func (f fake) Render(t fakes.Problem) fakes.Reply {
	if d, ok := f.of.(fakes.Dialect); ok {
		return d.Render(t)
	}
	status := http.StatusNotFound
	if t.Status != 0 {
		status = t.Status
	}
	value := map[string]any{"status": int64(status), "title": http.StatusText(status)}
	return fakes.Reply{Status: status, Header: http.Header{"Content-Type": {"application/problem+json"}}, Body: world.Encode(value), Result: value}
}
