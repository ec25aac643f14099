package approvals

import (
	"cmp"
	"fmt"
	"io"
	"net/http"
	"strings"

	"parity/cmd/internal/output"
	"parity/gateway/kept"
	"parity/profiles/policy"
)

// PrintRehearsed writes what a call would do.
func PrintRehearsed(w io.Writer, r *kept.Rehearsed, s Show) error {
	if s.Form == "json" {
		return output.JSON(w, r)
	}
	p := &page{all: s.All}
	p.named("Call", cmp.Or(r.Operation, "no service's"))
	p.named("By", r.Identity)
	run := "a fresh run"
	if r.Run != "" {
		run = "the next call of " + r.Run
	}
	p.named("In", run+", under "+r.Profile+" (revision "+r.Revision+")")
	p.policy(r)
	p.named("Answer", strings.TrimSpace(fmt.Sprintf("%d %s", r.Status, http.StatusText(r.Status))))
	p.named("Refused", r.Refused)
	if r.Predicted == nil {
		p.line(0, "")
		p.line(0, "Nothing would be done")
	} else {
		p.prediction(r.Predicted)
	}
	_, err := io.WriteString(w, p.text.String())
	return err
}

// policy writes what sort of act the call is, and what policy says of it.
func (p *page) policy(r *kept.Rehearsed) {
	said := r.Policy
	if said == nil {
		return
	}
	p.named("Class", strings.TrimSuffix(said.Class+": "+said.Carried, ": "))
	if name := policy.StageName(said.Stage); name != "" {
		p.named("Stage", fmt.Sprintf("%d, %s", said.Stage, name))
	}
	p.named("Grant", said.Grant)
	decision := string(said.Decision)
	if said.Code != "" {
		decision += " (" + said.Code + ")"
	}
	if said.By != "" {
		decision += ", by " + said.By
	}
	if said.Skipped != "" {
		decision += "; its gate is skipped by " + said.Skipped
	}
	p.named("Decision", decision)
}
