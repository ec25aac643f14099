package gateway_test

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"parity/faults/trail"
	"parity/gateway"
	"parity/gateway/journal"
	"parity/gateway/kept"
	"parity/gateway/report"
	"parity/specs/file"
)

// The environment that makes this test binary be a gateway which stays up until
// it is killed.
const (
	killedRoot       = "GATEWAY_TEST_ROOT"
	killedDurability = "GATEWAY_TEST_DURABILITY"
	killedAddress    = "GATEWAY_TEST_ADDRESS"
)

// kills is how often a gateway is killed; PARITY_KILLS says otherwise.
func kills() int {
	if n, err := strconv.Atoi(os.Getenv("PARITY_KILLS")); err == nil {
		return n
	}
	if testing.Short() {
		return 5
	}
	return 25
}

// atAnyMoment tells of a round whose gateway is killed whether or not it has
// answered; in all others it has answered once at least, however slow the machine
// is.
func atAnyMoment(round int) bool { return round%5 == 0 }

func TestMain(m *testing.M) {
	if root := os.Getenv(killedRoot); root != "" {
		if err := stayUntilKilled(root); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
	os.Exit(m.Run())
}

func stayUntilKilled(root string) error {
	durability, err := gateway.ParseDurability(os.Getenv(killedDurability))
	if err != nil {
		return err
	}
	settings := gateway.Settings{
		Root: filepath.Join(root, ".parity"), CA: filepath.Join(root, "ca"), Profile: filepath.Join(root, "profile.yaml"), Token: controlToken,
		Data: os.Getenv(killedAddress), Durability: durability,
		Log: slog.New(slog.NewTextHandler(os.Stderr, nil)), Resilient: true, Shared: true,
	}
	withRealKey(&settings)
	srv, err := gateway.Open(context.Background(), settings)
	if err != nil {
		return err
	}
	data, control := srv.Nearby()
	ready := fmt.Sprintf("ready\ndata     http://%s\ncontrol  http://%s\nrun      %s\n", data, control, srv.Run.ID)
	if err := file.WriteWhole(filepath.Join(root, "ready"), []byte(ready)); err != nil {
		return err
	}
	select {}
}

// A gateway is killed again and again while four clients call it. In sync each
// record that was acknowledged is there; in async only a tail is lost; either
// way no id is given out twice, and the events have no gap.
func TestKilledGatewayKeepsItsPromise(t *testing.T) {
	t.Parallel()
	for _, durability := range []string{"sync", "async"} {
		t.Run(durability, func(t *testing.T) {
			t.Parallel()
			k := &killing{t: t, root: t.TempDir(), durability: durability, given: map[string]int{}}
			if err := os.WriteFile(filepath.Join(k.root, "profile.yaml"), []byte(quiet), 0o600); err != nil {
				t.Fatal(err)
			}
			for k.round = 1; k.round <= kills() && !t.Failed(); k.round++ {
				k.once()
			}
			k.check(uint64(kills()))
			t.Logf("%d ids given out in %d rounds, %d of them lost; 25 rounds without -short", len(k.given), kills(), k.lost)
		})
	}
}

type killing struct {
	t          *testing.T
	root       string
	durability string
	round      int
	lost       int

	mu    sync.Mutex
	given map[string]int // the round in which an id was acknowledged
}

// once starts a gateway, calls it, and kills it at some moment.
func (k *killing) once() {
	data, kill := doomed(k.t, k.root, k.durability)
	ctx, stop := context.WithCancel(k.t.Context())
	var clients sync.WaitGroup
	for n := range 4 {
		clients.Go(func() { k.call(ctx, data, n) })
	}
	moment := time.NewTimer(time.Duration(5+rand.IntN(60)) * time.Millisecond)
	<-moment.C
	if !atAnyMoment(k.round) {
		waitFor(k.t, "an answer", k.answered)
	}
	kill()
	stop()
	clients.Wait()
	if text, err := os.ReadFile(filepath.Join(k.root, "said")); err != nil || strings.Contains(string(text), "does not go on") {
		k.t.Errorf("round %d: %v: %s", k.round, err, text)
	}
}

// doomed starts a gateway in a process of its own, and gives its data port and what
// kills it.
func doomed(t *testing.T, root, durability string) (data string, kill func()) {
	t.Helper()
	ready := filepath.Join(root, "ready")
	_ = os.Remove(ready)
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), killedRoot+"="+root, killedDurability+"="+durability, killedAddress+"=127.0.0.1:0")
	said, err := os.Create(filepath.Join(root, "said"))
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stdout, cmd.Stderr = said, said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	kill = func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		_ = said.Close()
	}
	t.Cleanup(kill)
	waitFor(t, "a gateway, which says in "+said.Name()+" what it lacks", func() bool {
		text, err := os.ReadFile(ready)
		_, rest, found := strings.Cut(string(text), "data     ")
		data, _, _ = strings.Cut(rest, "\n")
		return err == nil && found
	})
	return data, kill
}

// answered tells whether an id was acknowledged in this round.
func (k *killing) answered() bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, round := range k.given {
		if round == k.round {
			return true
		}
	}
	return false
}

// call makes customers until nobody answers.
func (k *killing) call(ctx context.Context, data string, client int) {
	c := &http.Client{Transport: &http.Transport{}, Timeout: time.Minute}
	defer c.CloseIdleConnections()
	for i := 0; ctx.Err() == nil; i++ {
		form := url.Values{"name": {fmt.Sprintf("%d of client %d", i, client)}}
		r, err := http.NewRequestWithContext(ctx, "POST", data+"/stripe/v1/customers", strings.NewReader(form.Encode()))
		if err != nil {
			return
		}
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.Header.Set("Authorization", "Bearer sk_test_x")
		reply, err := c.Do(r)
		if err != nil {
			return
		}
		body, err := io.ReadAll(reply.Body)
		_ = reply.Body.Close()
		if err != nil || reply.StatusCode != http.StatusOK {
			return
		}
		_, rest, _ := strings.Cut(string(body), `"id":"`)
		id, _, _ := strings.Cut(rest, `"`)
		k.mu.Lock()
		if before, twice := k.given[id]; twice {
			k.t.Errorf("%s was given out in round %d and again in round %d", id, before, k.round)
		}
		k.given[id] = k.round
		k.mu.Unlock()
	}
}

// check holds what is kept against what was acknowledged.
func (k *killing) check(epochs uint64) {
	last, err := journal.Last(filepath.Join(k.root, ".parity", "runs"))
	if err != nil {
		k.t.Fatal(err)
	}
	kept, err := kept.Read(filepath.Join(k.root, ".parity"), last)
	if err != nil || kept.Damage != nil {
		k.t.Fatal(err, kept.Damage)
	}
	k.evidence(kept)
	there := map[string]bool{}
	resumed := uint64(1)
	for i, e := range kept.Events {
		if e.Seq != uint64(i)+1 {
			k.t.Fatalf("event %d is number %d", e.Seq, i+1)
		}
		if e.Kind == trail.Resumed {
			if e.Epoch.Number <= resumed || e.Epoch.Clean {
				k.t.Errorf("epoch %+v after %d", e.Epoch, resumed)
			}
			resumed = e.Epoch.Number
		}
		for _, c := range e.Delta {
			there[c.ID] = true
		}
	}
	for id, round := range k.given {
		if there[id] {
			continue
		}
		k.lost++
		if k.durability == "sync" {
			k.t.Errorf("%s was acknowledged in round %d and is not kept", id, round)
		}
	}
	if _, err := kept.At(0); err != nil {
		k.t.Errorf("the record does not fold: %v", err)
	}
	// In async the beginning of an epoch may be lost too, but not all of them.
	least := epochs - 1
	if k.durability == "async" {
		least = epochs / 2
	}
	if answered := kills() - kills()/5; len(k.given) < answered || resumed < least {
		k.t.Errorf("%d ids were given out and the last epoch is %d, want at least %d and %d", len(k.given), resumed, answered, least)
	}
}

// evidence holds what is said of the run against what may be lost of it: its last
// gateway was killed, so that something is missing at least of what came after
// that; nothing is said to have held, and it is no evidence.
func (k *killing) evidence(kept *kept.Run) {
	rep := kept.Report()
	if lossy := k.durability == "async"; len(rep.Missing) != 1 && !lossy || len(rep.Missing) == 0 || rep.Valid {
		k.t.Errorf("missing %q, valid %v", rep.Missing, rep.Valid)
	}
	for _, v := range rep.Verdicts {
		if v.Result == trail.Passed {
			k.t.Errorf("%s passed, though some of the record may be missing", v.Subject)
		}
	}
	if rep.Exit == report.Nothing {
		k.t.Error("the report is green")
	}
	if err := kept.Whole(); err == nil || !strings.Contains(err.Error(), "missing") {
		k.t.Errorf("it would be kept as evidence: %v", err)
	}
}
