package report

import (
	"bytes"
	"encoding/xml"
	"io"
	"strings"
	"testing"
	"time"

	"parity/faults/trail"
)

// What may be missing of a record is said before anything else, in each format,
// and none of them is green.
func TestWhatIsMissingIsSaidFirst(t *testing.T) {
	t.Parallel()
	r := sample()
	r.Missing, r.Valid, r.Began = []string{"after event 17: it was killed"}, false, time.Unix(1, 0)
	for i := range r.Verdicts {
		r.Verdicts[i].Result, r.Verdicts[i].Reaction = trail.NotEvaluated, ""
	}
	for name, c := range map[string]struct {
		write  func(w io.Writer) error
		before string // what comes after it at the earliest
	}{
		"text":     {func(w io.Writer) error { return Terminal(w, r, Options{Width: 200}) }, "run 7f3a"},
		"markdown": {func(w io.Writer) error { return Markdown(w, r) }, "no-settlement"},
		"json":     {func(w io.Writer) error { return JSON(w, r) }, `"run"`},
		"junit":    {func(w io.Writer) error { return JUnit(w, r) }, "parity.run"},
		"sarif":    {func(w io.Writer) error { return SARIF(w, r) }, "Known difference"},
		"html":     {func(w io.Writer) error { return HTML(w, r, nil, nil, HTMLOptions{}) }, "no-settlement"},
		"otlp":     {func(w io.Writer) error { return OTLP(w, r, nil, nil) }, "parity.command"},
		"har":      {func(w io.Writer) error { return HAR(w, "1", r.Missing, nil, nil) }, `"creator"`},
		"trace":    {func(w io.Writer) error { return Trace(w, nil, nil, TraceOptions{Missing: r.Missing}) }, "What follows"},
		"trace, json": {func(w io.Writer) error {
			return Trace(w, []trail.Event{{Seq: 1, Kind: trail.Started}}, nil, TraceOptions{JSON: true, Missing: r.Missing})
		}, `"seq"`},
	} {
		var out bytes.Buffer
		if err := c.write(&out); err != nil {
			t.Fatal(name, err)
		}
		said := strings.ToLower(out.String())
		at, next := strings.Index(said, "after event 17: it was killed"), strings.Index(said, strings.ToLower(c.before))
		if at < 0 || next < at {
			t.Errorf("%s says it at %d, and %s at %d:\n%s", name, at, c.before, next, out.String())
		}
	}
	if got := proved(&r); !strings.HasPrefix(got, "nothing") {
		t.Errorf("proved: %s", got)
	}
	if came, _ := r.Came(); came != RunInvalid {
		t.Errorf("it came to %s", came)
	}
	if code := ExitCode(r.Judgement, 0, true, ByAgent); code != Unsound {
		t.Errorf("exit %d", code)
	}
	var suites junitSuites
	var out bytes.Buffer
	if err := JUnit(&out, r); err != nil {
		t.Fatal(err)
	}
	if err := xml.Unmarshal(out.Bytes(), &suites); err != nil || suites.Errors != 1 || suites.Suites[0].Cases[0].Error == nil {
		t.Errorf("%+v, %v", suites, err)
	}
}
