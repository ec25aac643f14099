package gateway_test

import (
	"go/ast"
	"slices"
	"strings"
	"testing"
)

// waysOut are the folders that open connections or send requests, and to whom. What
// a profile binds is reached through gateway/live.Send and by nothing else: a row
// here says whom else somebody calls, and that is never such a service.
var waysOut = map[string]string{
	"gateway/live":             "the way out itself",
	"gateway":                  "hands notify a transport of gateway/live's dialer",
	"gateway/notify":           "tells an approver, at the address that an operator has set",
	"gateway/contain":          "what listens inside a containment that it has made",
	"gateway/deliver":          "webhooks, to the agent's own endpoint",
	"gateway/client":           "a command and its own gateway's control port",
	"gateway/ingress":          "gives goproxy a transport, which reaches nobody",
	"cmd/parity":               "the demo's agent, which calls its own gateway",
	"cmd/parity/shop":          "the demo's agent, which calls its own gateway",
	"cmd/internal/gatewaytest": "tests of commands, which call their own gateway",
	"cmd/internal/reports":     "a collector of traces, at the address that a user gives",
}

// opens are the names by which Go reaches somebody.
var opens = map[string][]string{
	"net":        {"Dial", "DialTimeout", "DialTCP", "DialUDP", "Dialer"},
	"crypto/tls": {"Dial", "DialWithDialer", "Dialer", "Client"},
	"net/http":   {"Client", "Transport", "DefaultClient", "DefaultTransport", "Get", "Head", "Post", "PostForm"},
}

// sole are functions that one place calls: who may make a pass, and who may make
// what sends.
var sole = []struct{ importPath, name, folder string }{
	{"parity/profiles/policy", "Mint", "gateway/exchange"},
	{"parity/gateway/live", "NewSender", "gateway"},
}

func checkWaysOut(s source) (found []complaint) {
	ast.Inspect(s.syntax, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		of, _ := sel.X.(*ast.Ident)
		for importPath, names := range opens {
			if of != nil && of.Name == s.nameOf(importPath) && slices.Contains(names, sel.Sel.Name) && waysOut[s.folder()] == "" {
				found = append(found, complain(s, sel.Pos(), "%s.%s: what a profile binds is reached through gateway/live.Send alone; if it is somebody else that is called, say whom in waysOut", of.Name, sel.Sel.Name))
			}
		}
		if sel.Sel.Name == "RoundTrip" && waysOut[s.folder()] == "" {
			found = append(found, complain(s, sel.Pos(), "RoundTrip: what a profile binds is reached through gateway/live.Send alone"))
		}
		for _, one := range sole {
			if of != nil && of.Name == s.nameOf(one.importPath) && sel.Sel.Name == one.name && s.folder() != one.folder {
				found = append(found, complain(s, sel.Pos(), "%s.%s is for %s alone: what it makes lets calls leave", of.Name, one.name, one.folder))
			}
		}
		return true
	})
	return found
}

func TestArchitectureOfWaysOut(t *testing.T) {
	t.Parallel()
	_, sources := house(t)
	used := map[string]bool{}
	for _, s := range sources {
		if s.foreign || s.isTest() {
			continue
		}
		for _, c := range checkWaysOut(s) {
			t.Error(c)
		}
		for importPath := range opens {
			used[s.folder()] = used[s.folder()] || s.nameOf(importPath) != ""
		}
	}
	for folder := range waysOut {
		if !used[folder] {
			t.Errorf("waysOut: %s calls nobody any more", folder)
		}
	}
}

func TestArchitectureFindsWaysOut(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{
		"import \"net/http\"\nvar _ = http.DefaultClient":                                                                   1,
		"import \"net\"\nfunc f() { net.Dial(\"tcp\", \"x\") }":                                                             1,
		"import \"crypto/tls\"\nfunc f() { tls.Client(nil, nil) }":                                                          1,
		"import h \"net/http\"\nfunc f() { var t h.Transport; t.RoundTrip(nil) }":                                           2,
		"import \"parity/profiles/policy\"\nfunc f() { policy.Mint(policy.Leave{}) }":                                       1,
		"import \"parity/gateway/live\"\nfunc f() { live.NewSender(nil, nil) }":                                             1,
		"import \"net/http\"\nfunc f(w http.ResponseWriter) { http.Error(w, \"\", 500); http.NewRequest(\"\", \"\", nil) }": 0,
	} {
		if got := checkWaysOut(parse(t, "fakes/spy/spy.go", "package spy\n"+text)); len(got) != want {
			t.Errorf("%s: %v", strings.TrimSpace(text), got)
		}
	}
}
