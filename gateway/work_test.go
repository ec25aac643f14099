package gateway_test

import (
	"fmt"
	"go/ast"
	"net/http"
	"strings"
	"testing"

	"parity/fakes"
)

// Work is bounded where a fake is asked, and there alone: whoever asks one
// otherwise lets a call hold its run without end.
func TestFakesAreAskedThroughTheirService(t *testing.T) {
	t.Parallel()
	_, all := house(t)
	for _, s := range all {
		if s.foreign || s.isTest() || s.path == "fakes/ask.go" || strings.HasPrefix(s.path, "fakes/googlecalendar/") { // its batch asks itself, within one call
			continue
		}
		ast.Inspect(s.syntax, func(n ast.Node) bool {
			asked, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			method, ok := asked.Fun.(*ast.SelectorExpr)
			if !ok || method.Sel.Name != "Answer" {
				return true
			}
			if of, ok := method.X.(*ast.SelectorExpr); ok && of.Sel.Name == "Fake" {
				t.Errorf("%s:%d asks a fake itself; ask by Service.Ask, which bounds its work", s.path, s.line(n.Pos()))
			}
			return true
		})
	}
}

// A call that asks for more work than one may is answered as a timeout in the
// service's words, and its record says why.
func TestOverworkedCallIsAnsweredAndRecorded(t *testing.T) {
	t.Parallel()
	h := open(t, strings.Replace(quiet, "stripe", "googlecalendar", 1))
	c := h.direct(false, false)
	rules := make([]string, 2000)
	for i := range rules {
		rules[i] = fmt.Sprintf("RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30;INTERVAL=%d", i+1)
	}
	r := requestOf(t, http.MethodPost, "http://"+h.Addr()+"/googlecalendar/calendar/v3/calendars/primary/events", "Bearer ya29.rehearsal", map[string]any{
		"start": map[string]any{"dateTime": "2026-03-02T09:00:00Z", "timeZone": "UTC"}, "end": map[string]any{"dateTime": "2026-03-02T10:00:00Z", "timeZone": "UTC"}, "recurrence": rules,
	})
	reply, err := c.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	_ = reply.Body.Close()
	if reply.StatusCode != http.StatusGatewayTimeout {
		t.Errorf("it is answered %d", reply.StatusCode)
	}
	events, _ := h.events()
	last := events[len(events)-1]
	if last.Exchange == nil || last.Exchange.Note != fakes.Overwork || last.Exchange.Committed || len(last.Delta) > 0 {
		t.Errorf("the record has %+v, with %d changes", last.Exchange, len(last.Delta))
	}
}
