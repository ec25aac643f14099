package gateway_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"parity/gateway"
)

// A gateway is killed after a revision brought collections, and its contract is
// broken by the time that it comes back: the run goes on where it was, under
// the last good revision.
func TestKilledGatewayComesBackWithItsServices(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	file := filepath.Join(root, "profile.yaml")
	if err := os.WriteFile(file, []byte(ownProfile), 0o600); err != nil {
		t.Fatal(err)
	}
	putContract(t, file, "contacts")
	ready, said := filepath.Join(root, "ready"), filepath.Join(root, "said")
	log, err := os.Create(said)
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), killedRoot+"="+root, killedDurability+"=sync", killedAddress+"=127.0.0.1:0")
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = cmd.Process.Kill() }()
	data := ""
	waitFor(t, "a gateway", func() bool {
		text, err := os.ReadFile(ready)
		_, rest, found := strings.Cut(string(text), "data     ")
		data, _, _ = strings.Cut(rest, "\n")
		return err == nil && found
	})
	h := &harness{t: t, root: filepath.Join(root, ".parity"), file: file}
	c := h.single()
	mustMake(t, c, data+"/crm", "contacts")
	putContract(t, file, "contacts", "notes")
	waitFor(t, "the new revision", func() bool {
		text, err := os.ReadFile(said)
		return err == nil && strings.Contains(string(text), " in force; ")
	})
	mustMake(t, c, data+"/crm", "notes")
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	if err := os.WriteFile(filepath.Join(root, "crm/crm.yaml"), []byte("openapi: ["), 0o600); err != nil {
		t.Fatal(err)
	}
	next := h.reopen(func(s *gateway.Settings) { s.Resilient = true })
	if n := next.Run.World().Len("crm.notes"); n != 1 || next.Run.World().Len("crm.contacts") != 1 {
		t.Fatalf("it comes back with %d notes and %d contacts", n, next.Run.World().Len("crm.contacts"))
	}
	mustMake(t, c, "http://"+next.Addr()+"/crm", "notes")
	if next.Run.World().Len("crm.notes") != 2 {
		t.Error("it does not go on in that run")
	}
	run := next.Run.ID
	next.close()
	var out bytes.Buffer
	if code, err := replayRun(t.Context(), &out, h.root, run, ""); code != 0 || err != nil {
		t.Errorf("replay: %d, %v\n%s", code, err, out.String())
	}
}
