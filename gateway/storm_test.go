package gateway_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"parity/faults/trail"
	"parity/gateway"
)

// stormVariable says how long the storm takes, such as 60s. Unless it is set, the
// storm is over once a client has met stormTurns changes of the revision.
const (
	stormVariable = "PARITY_STORM"
	stormTurns    = 8
)

// stormy is a revision whose two rules mark each answer: by its status and text,
// and by how late it is.
func stormy(letter string, status int, late time.Duration) []byte {
	return fmt.Appendf(nil, `%s
faults:
  %s-late: {call: stripe GET /v1/charges, inject: latency, with: {fixed: %v}}
  %s-down: {call: stripe GET /v1/charges, inject: error, with: {status: %d, message: revision %s}}
`, emptied(quiet), letter, late, letter, status, letter)
}

// While clients call as fast as they can, a thousand saves a second come in of
// two revisions in turn. Every call is answered and kept, once, and each under
// one revision: both marks and the event say the same one.
func TestReloadStorm(t *testing.T) {
	lasts, turns := time.Minute, stormTurns
	if text := os.Getenv(stormVariable); text != "" {
		var err error
		if lasts, err = time.ParseDuration(text); err != nil {
			t.Fatalf("%s: %v", stormVariable, err)
		}
		turns = math.MaxInt
	}
	h := open(t, string(stormy("a", 503, time.Millisecond)), shared, func(s *gateway.Settings) {
		s.Quiet, s.Log = 2*time.Millisecond, slog.New(slog.DiscardHandler)
	})
	ctx, cancel := context.WithTimeout(t.Context(), lasts)
	defer cancel()
	var sent, saves atomic.Int64
	var answers sync.Map // by number of the call: the letter that its answer has
	var all sync.WaitGroup
	all.Go(func() { saves.Store(saveInTurn(ctx, t, h.file)) })
	for client := range 8 {
		all.Go(func() {
			c, last, met := h.direct(false, false), "", 0
			for ctx.Err() == nil {
				n := strconv.FormatInt(sent.Add(1), 10)
				status, body, _, err := call(t, c, http.MethodGet, "http://"+h.Addr()+"/stripe/v1/charges", "", "X-Agent-Call", n)
				if err != nil {
					t.Errorf("call %s: %v", n, err)
				}
				wrong, _ := body["error"].(map[string]any)
				letter, _ := strings.CutPrefix(fmt.Sprint(wrong["message"]), "revision ")
				if letters := map[int]string{503: "a", 502: "b"}; letters[status] != letter {
					t.Errorf("call %s: %d with %q", n, status, letter)
				}
				answers.Store(n, letter)
				if letter != last {
					last, met = letter, met+1
				}
				if client == 0 && met > turns {
					cancel()
				}
			}
		})
	}
	all.Wait()
	checkStorm(t, h, sent.Load(), saves.Load(), &answers)
}

// saveInTurn saves one revision and the other until ctx ends, a thousand times a
// second or as often as this machine can.
func saveInTurn(ctx context.Context, t *testing.T, file string) (saves int64) {
	contents := [2][]byte{stormy("a", 503, time.Millisecond), stormy("b", 502, 2*time.Millisecond)}
	draft := filepath.Join(filepath.Dir(file), "draft")
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for began := time.Now(); ctx.Err() == nil; <-tick.C {
		for due := int64(time.Since(began) / time.Millisecond); saves < due && ctx.Err() == nil; saves++ {
			if err := errors.Join(os.WriteFile(draft, contents[saves%2], 0o600), os.Rename(draft, file)); err != nil {
				t.Error(err)
			}
		}
	}
	return saves
}

func checkStorm(t *testing.T, h *harness, sent, saves int64, answers *sync.Map) {
	t.Helper()
	k := mustKept(t, h, h.Run.ID)
	letters := map[string]string{} // by revision
	seen := map[string]bool{}
	revised := 0
	for i := range k.Events {
		e := &k.Events[i]
		if e.Kind == trail.Revised {
			revised++
		}
		x := e.Exchange
		if x == nil {
			continue
		}
		n := ""
		for _, f := range x.Header {
			if f.Name == "X-Agent-Call" {
				n = f.Value
			}
		}
		if seen[n] {
			t.Errorf("call %s is there twice", n)
		}
		seen[n] = true
		told, _ := answers.Load(n)
		letter, _ := told.(string)
		if known := letters[e.Revision]; known != "" && known != letter {
			t.Fatalf("#%d is under revision %s, which is %s, and was answered as %s", e.Seq, e.Revision, known, letter)
		}
		letters[e.Revision] = letter
		late := map[string]time.Duration{"a": time.Millisecond, "b": 2 * time.Millisecond}[letter]
		if len(x.Strikes) != 2 || x.Strikes[0].Rule != letter+"-late" || x.Strikes[1].Rule != letter+"-down" || x.Wire.Delay != late {
			t.Fatalf("#%d has marks of two revisions: answered as %s, late by %v, rules %+v", e.Seq, letter, x.Wire.Delay, x.Strikes)
		}
	}
	if int64(len(seen)) != sent || seen[""] || len(letters) != 2 {
		t.Errorf("%d calls were sent, %d are kept, under %v", sent, len(seen), letters)
	}
	if revised < stormTurns {
		t.Errorf("the revision changed %d times: that is no storm", revised)
	}
	t.Logf("%d calls sent, %d kept, none twice, none mixed; %d saves, %d changes of revision", sent, len(seen), saves, revised)
}
