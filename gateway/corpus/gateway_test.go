package corpus

import (
	"context"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"parity/gateway"
	"parity/profiles"
	"parity/specs"
	"parity/specs/openapi"
)

// served is the stage on which Parity answers: a gateway for each document,
// which names it as the contract of one service. It is called by its base URL.
type served struct {
	ca     string
	client *http.Client
}

func gatewayStage(t *testing.T) stage {
	return served{ca: filepath.Join(t.TempDir(), "ca"), client: newClient()}
}

// service is what the document's service is called.
const service = "subject"

type servedSubject struct {
	served
	server *gateway.Server
	root   string
	url    string
}

// open also has the whole document checked, as `parity contract lint` does:
// what that finds are the diagnostics.
func (s served) open(file string) (subject, map[string]int, error) {
	codes, err := lint(file)
	if err != nil {
		return nil, codes, err
	}
	root, err := os.MkdirTemp("", "corpus")
	if err != nil {
		return nil, codes, err
	}
	seed := uint64(7)
	server, err := gateway.Open(context.Background(), gateway.Settings{
		Root: root, CA: s.ca, Memory: true, Seed: &seed,
		Contracts: []profiles.Added{{Service: service, Contract: file}}, Getenv: func(string) string { return "" },
	})
	if err != nil {
		_ = os.RemoveAll(root) // the error that matters is the other one
		return nil, codes, err
	}
	return &servedSubject{served: s, server: server, root: root, url: "http://" + server.Addr() + "/" + service}, codes, nil
}

func lint(file string) (map[string]int, error) {
	codes := map[string]int{}
	contract, diagnostics, err := specs.Load(os.DirFS(filepath.Dir(file)), filepath.Base(file), service)
	if err != nil {
		return codes, err
	}
	for _, d := range append(diagnostics, contract.Check()...) {
		codes[d.Code]++
	}
	if info, err := os.Stat(file); err == nil && info.Size() > large {
		runtime.GC() // it would stand beside what the gateway makes of the document
	}
	return codes, nil
}

func (s *servedSubject) close() {
	s.client.CloseIdleConnections()
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	_ = s.server.Close(ctx) // nothing of it is kept
	_ = os.RemoveAll(s.root)
}

func (s *servedSubject) base(op *openapi.Operation) string {
	if len(op.Servers) == 0 {
		return s.url
	}
	return s.url + op.Servers[0].Fill(op.Servers[0].Base)
}

func (s *servedSubject) do(r *http.Request) (*http.Response, error) { return s.client.Do(r) }
