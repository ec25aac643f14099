package gateway_test

import (
	"bytes"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parity/faults/trail"
	"parity/gateway/kept"
	"parity/gateway/report"
)

// A gateway is killed between the moment at which a write's reservation is on disk
// and the real service's reply. The next one finds it: nobody knows what came, the
// report says so, and the agent that makes the call again is not sent again.
func TestAWriteOfAKilledGatewayIsUnknown(t *testing.T) {
	t.Parallel()
	arrived, dead := make(chan struct{}), make(chan struct{})
	first := true
	r := realServices(t, quiet, "stripe", func(_ http.ResponseWriter, q *http.Request) bool {
		if q.Method == http.MethodPost && first {
			first = false
			close(arrived)
			<-dead
		}
		return false
	})
	made := must(t, r.direct(false, false), "POST", "http://"+r.Addr()+"/stripe/v1/customers", "name=Ada")
	path := "/v1/customers/" + fmt.Sprint(made["id"])
	before, root := r.writes(), t.TempDir()
	profile := emptied(r.lives(4, `g: {call: "stripe POST /v1/customers/{customer}", then: allow, because: It goes back., live: true}`))
	if err := os.WriteFile(filepath.Join(root, "profile.yaml"), []byte(profile), 0o600); err != nil {
		t.Fatal(err)
	}
	data, kill := doomed(t, root, "async")
	lost := make(chan error, 1)
	go func() {
		q, err := http.NewRequestWithContext(t.Context(), http.MethodPost, data+"/stripe"+path, strings.NewReader("name=Bea"))
		if err == nil {
			q.Header.Set("Content-Type", "application/x-www-form-urlencoded")
			q.Header.Set("Authorization", "Bearer sk_test_parityparity")
			var reply *http.Response
			if reply, err = new(http.Client).Do(q); err == nil {
				_ = reply.Body.Close()
			}
		}
		lost <- err
	}()
	<-arrived
	kill()
	if err := <-lost; err == nil {
		t.Error("a killed gateway has answered")
	}
	close(dead)
	waitFor(t, "the write at the real service", func() bool { return r.writes() == before+1 })

	h := openIn(t, root, profile, withRealKey, shared)
	id := h.Run.ID
	again, body := h.sends(t, "POST", path, "name=Bea")
	if again.Status != 403 || again.State != "pending" || !strings.Contains(body, "nobody knows what came of it") {
		t.Errorf("made again: %+v %s", again, body)
	}
	if n := r.writes() - before; n != 1 {
		t.Errorf("the real service saw %d writes", n)
	}
	h.events()
	k, err := kept.Read(h.root, id)
	if err != nil {
		t.Fatal(err)
	}
	var reserved, abandoned bool
	for _, e := range k.Events {
		if e.Kind == trail.Reserved && len(e.Exchange.Upstream) == 2 {
			u := e.Exchange.Upstream[1]
			reserved = u.Pending() && u.Pass == "gate g" && u.Host == strings.TrimPrefix(r.front.URL, "https://")
		}
		abandoned = abandoned || e.Kind == trail.Abandoned
	}
	rep := k.Report()
	var page bytes.Buffer
	if err := report.Markdown(&page, rep); err != nil || !reserved || !abandoned || rep.Upstream.Lost != 1 || !strings.Contains(page.String(), "of 1 write nobody knows what came (#") {
		t.Errorf("%v, reserved %v, abandoned %v, %+v\n%s", err, reserved, abandoned, rep.Upstream, page.String())
	}
	for _, v := range rep.Verdicts {
		if v.Result == trail.Passed {
			t.Errorf("%s passed, though nobody knows what was done", v.Subject)
		}
	}
	h.again(t)
}
