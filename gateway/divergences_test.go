package gateway_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"time"

	"parity/gateway/kept"
	"parity/gateway/report"
)

func TestAnOpenDivergenceIsToldOf(t *testing.T) {
	t.Parallel()
	day := time.Now().UTC().Format(time.DateOnly)
	h := open(t, quiet+`
divergences:
  paid-twice: {run: gone, date: `+day+`, production: Refunded twice.}
  once-more: {run: gone, date: `+day+`, production: Refunded twice.}
  paid-late: {run: gone, date: `+day+`, production: Refunded late., closed: `+day+`}
`)
	must(t, h.single(), "GET", "http://"+h.Addr()+"/stripe/v1/customers", "")
	if n := h.metric(`parity_divergences{month="` + day[:7] + `"}`); n != "2" {
		t.Errorf("the metric is %q", n)
	}
	h.close()
	kept, err := kept.Read(h.root, h.Run.ID)
	if err != nil {
		t.Fatal(err)
	}
	var json, markdown, text bytes.Buffer
	rep := kept.Report()
	if err := errors.Join(report.JSON(&json, rep), report.Markdown(&markdown, rep), report.Terminal(&text, rep, report.Options{})); err != nil {
		t.Fatal(err)
	}
	for told, says := range map[string]string{
		json.String(): `"divergences": [`, text.String(): "what failed in production on",
		markdown.String(): "what failed in production on " + day + " though rehearsal gone had passed: Refunded twice",
	} {
		if !strings.Contains(told, says) || strings.Contains(told, "Refunded late") {
			t.Errorf("wanted %q in\n%s", says, told)
		}
	}
}
