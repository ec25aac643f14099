package gateway_test

import (
	"errors"
	"net/http"
	"testing"
	"time"

	"parity/gateway"
	"parity/gateway/client"
	"parity/gateway/journal"
)

// Whoever looked at a run was shown what a crash could still take back: the call
// that had done it waited for the disk, the look did not.
func TestNothingIsShownThatACrashCouldTakeBack(t *testing.T) {
	t.Parallel()
	h := open(t, quiet, shared, func(s *gateway.Settings) { s.Durability = journal.Sync })
	h.make(client.NewRun{Names: []string{"a"}})
	k := h.control()
	room := fullDisk(t, h)
	answered := make(chan int, 1)
	go func() {
		status, _, _, _ := call(t, h.direct(false, false), "POST", "http://"+h.Addr()+"/run/a/stripe/v1/customers", "name=Ada")
		answered <- status
	}()
	waitFor(t, "the disk to be found full", func() bool {
		reply, err := http.Get("http://" + h.Control() + "/readyz")
		if err != nil {
			t.Fatal(err)
		}
		reply.Body.Close()
		return reply.StatusCode == http.StatusServiceUnavailable
	})
	for what, look := range map[string]func() error{
		"its state":     func() error { _, err := k.Hash(t.Context(), "a", 0); return err },
		"the run":       func() error { _, err := k.Run(t.Context(), "a"); return err },
		"its clock":     func() error { _, err := k.Clock(t.Context(), "a"); return err },
		"its snapshots": func() error { _, err := k.Snapshots(t.Context(), "a"); return err },
		"its rules":     func() error { _, err := k.Armed(t.Context(), "a"); return err },
	} {
		if err := look(); !refusedBy(err, "journal") {
			t.Errorf("%s is shown: %v", what, err)
		}
	}
	select {
	case status := <-answered:
		t.Errorf("the call was answered with %d", status)
	default:
	}
	room()
	if status := <-answered; status != http.StatusOK {
		t.Errorf("with room: %d", status)
	}
	if hash, err := k.Hash(t.Context(), "a", 0); err != nil || hash.Event != 2 {
		t.Errorf("with room: event %d, %v", hash.Event, err)
	}
}

func refusedBy(err error, code string) bool {
	var refused *client.Error
	return errors.As(err, &refused) && refused.Code == code
}

// A webhook told an endpoint of what was not kept yet.
func TestAWebhookWaitsForWhatItTellsOf(t *testing.T) {
	t.Parallel()
	e := newEndpoint(t)
	h := open(t, quiet, shared, func(s *gateway.Settings) { s.Durability = journal.Sync })
	c, base := h.direct(false, false), "http://"+h.Addr()+"/stripe/v1/"
	must(t, c, "POST", base+"webhook_endpoints", "url="+e.URL+"&enabled_events[]=customer.created")
	room := fullDisk(t, h)
	answered := make(chan int, 1)
	go func() {
		status, _, _, _ := call(t, h.direct(false, false), "POST", base+"customers", "name=Ada")
		answered <- status
	}()
	waitFor(t, "the call's event", func() bool { return h.Run.Seq() >= 3 })
	time.Sleep(50 * time.Millisecond) // in which it was sent before
	if seen := e.count(); seen != 0 {
		t.Errorf("%d webhooks tell of what is not kept", seen)
	}
	room()
	if status := <-answered; status != http.StatusOK {
		t.Errorf("with room: %d", status)
	}
	waitFor(t, "the webhook", func() bool { return e.count() == 1 })
}

func (e *endpoint) count() int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return len(e.got)
}
