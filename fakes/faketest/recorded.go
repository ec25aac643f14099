package faketest

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"parity/fakes"
	"parity/fakes/recording"
	"parity/fakes/stage"
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
	r.Import(c, learned)
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
	r.T.Helper()
	target, header, err := stage.Asks(e, learned)
	if err != nil {
		r.T.Fatal(err)
	}
	defer func() {
		if wrong := recover(); wrong != nil {
			r.T.Errorf("%s %s: %v", e.Request.Method, e.Request.URL, wrong)
		}
	}()
	return r.Send(e.Request.Method, target, learned.Ours(e.Request.Text()), header...)
}
