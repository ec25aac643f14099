package gateway_test

import (
	"database/sql"
	"net/http"
	"path/filepath"
	"testing"

	"parity/gateway"
	"parity/gateway/client"
	"parity/gateway/journal"
)

// fullDisk has the disk of a gateway's store take no event, until it is to have
// room again.
func fullDisk(t *testing.T, h *harness) (room func()) {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+filepath.Join(h.root, "serve", journal.FileName)+"?_pragma=busy_timeout(5000)")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	run := func(query string) {
		if _, err := db.ExecContext(t.Context(), query); err != nil {
			t.Fatal(err)
		}
	}
	run(`CREATE TRIGGER full BEFORE INSERT ON blocks BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END`)
	return func() { run(`DROP TRIGGER full`) }
}

// A control call was told that it had failed, and what it had asked for was done
// once the disk had room again.
func TestAControlCallThatFailsOnAFullDiskHasNoEffect(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		do   func(k *client.Client) error
		done func(k *client.Client) (bool, error)
	}{
		"a run is made": {
			func(k *client.Client) error { return second(k.Make(t.Context(), client.NewRun{Names: []string{"b"}})) },
			func(k *client.Client) (bool, error) {
				runs, err := k.Runs(t.Context(), "all")
				return len(runs) == 3, err
			},
		},
		"a rule is armed": {
			func(k *client.Client) error {
				return second(k.Arm(t.Context(), "a", client.NewArmed{Call: []string{"stripe GET /v1/charges"}, Inject: "error", With: map[string]any{"status": 503}}))
			},
			func(k *client.Client) (bool, error) {
				rules, err := k.Armed(t.Context(), "a")
				return len(rules) == 1, err
			},
		},
		"a snapshot is taken": {
			func(k *client.Client) error { return second(k.TakeSnapshot(t.Context(), "a", "here")) },
			func(k *client.Client) (bool, error) {
				all, err := k.Snapshots(t.Context(), "a")
				return len(all) == 1, err
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := open(t, quiet, shared, func(s *gateway.Settings) { s.Durability = journal.Sync })
			h.make(client.NewRun{Names: []string{"a"}})
			k := h.control()
			room := fullDisk(t, h)
			told := make(chan error, 1)
			go func() { told <- c.do(k) }()
			var err error
			answered := false
			for !answered {
				select {
				case err = <-told:
					answered = true
					continue
				default:
				}
				reply, rerr := http.Get("http://" + h.Control() + "/readyz")
				if rerr != nil {
					t.Fatal(rerr)
				}
				reply.Body.Close()
				if reply.StatusCode == http.StatusServiceUnavailable {
					break
				}
			}
			room()
			if !answered {
				err = <-told
			}
			done, derr := c.done(k)
			if derr != nil {
				t.Fatal(derr)
			}
			if told := err == nil; told != done {
				t.Errorf("it was done: %v; and it was told: %v", done, err)
			}
		})
	}
}
