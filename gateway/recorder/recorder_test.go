package recorder_test

import (
	"errors"
	"os"
	"testing"

	"parity/fakes/clock"
	"parity/fakes/recording"
	"parity/gateway/recorder"
)

// What was taken is read again, in order, also by a gateway that goes on; a file
// that was cut is not written to.
func TestWhatIsTakenIsRead(t *testing.T) {
	t.Parallel()
	dir := t.TempDir() + "/new"
	for i, status := range []int{200, 404, 500} {
		x := recording.Exchange{Request: recording.Request{Method: "GET", URL: "https://desk.example/v1/tickets"}, Response: recording.Response{Status: status, Body: `{"a":"]}"}`}}
		if err := recorder.New("r-1", clock.System{}).Take(dir, "desk", "desk.example", x); err != nil {
			t.Fatal(err)
		}
		c, err := recorder.Read(dir, "desk", "r-1")
		if err != nil || len(c.Exchanges) != i+1 || c.Exchanges[i].Response.Status != status || c.Exchanges[i].Response.Body != `{"a":"]}"}` || c.Service != "desk" {
			t.Errorf("%+v %v", c, err)
		}
	}
	file := recorder.File(dir, "desk", "r-1")
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", info.Mode(), err)
	}
	if err := os.Truncate(file, 100); err != nil {
		t.Fatal(err)
	}
	if err := recorder.New("r-1", clock.System{}).Take(dir, "desk", "desk.example", recording.Exchange{}); err == nil || errors.Is(err, os.ErrNotExist) {
		t.Errorf("a file that was cut: %v", err)
	}
}
