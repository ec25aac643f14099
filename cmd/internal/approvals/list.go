package approvals

import (
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"parity/cmd/internal/output"
	"parity/gateway/approval"
	"parity/gateway/client"
	"parity/gateway/report"
	"parity/specs/words"
)

// PrintList writes approvals, one a line, or for programs.
func PrintList(w io.Writer, list []client.Approval, form string) error {
	if form == "json" {
		return output.JSON(w, client.Approvals{Approvals: list})
	}
	if len(list) == 0 {
		_, err := fmt.Fprintln(w, "no approvals")
		return err
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "ID\tSTATE\tASKED\tOF\tGATE\tRUN\tCALL")
	for i := range list {
		a := &list[i]
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", a.ID, a.State, a.Asked.Format(time.TimeOnly), asked(a.Approver), a.Gate, a.Run, really(a)+report.Plain(a.Operation))
	}
	return table.Flush()
}

// really marks a call that leaves for its real service.
func really(a *client.Approval) string {
	if a.Live {
		return "REAL "
	}
	return ""
}

// asked is who is asked.
func asked(approver string) string {
	if approver == "" {
		return "nobody"
	}
	return approver
}

// PrintDrafts writes captured writes, one a line, or for programs.
func PrintDrafts(w io.Writer, list []client.Draft, form string) error {
	if form == "json" {
		return output.JSON(w, client.Drafts{Drafts: list})
	}
	if len(list) == 0 {
		_, err := fmt.Fprintln(w, "no drafts")
		return err
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "ID\tAT\tBY\tOF\tCALL\tWOULD TOUCH")
	for i := range list {
		d := &list[i]
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\n", d.ID, d.At.Format(time.TimeOnly), d.By, d.Identity, report.Plain(d.Operation), words.Count(len(d.Predicted.Diff), "record"))
	}
	return table.Flush()
}

// PrintLog writes what became of approvals, oldest first, or for programs.
func PrintLog(w io.Writer, log []approval.Entry, form string) error {
	if form == "json" {
		if log == nil {
			log = []approval.Entry{}
		}
		return output.JSON(w, map[string][]approval.Entry{"log": log})
	}
	if len(log) == 0 {
		_, err := fmt.Fprintln(w, "nobody was asked")
		return err
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for i := range log {
		e := &log[i]
		about := e.ID
		if about == "" {
			about = "gate " + e.Gate
		}
		fmt.Fprintf(table, "#%d\t%s\t%s\t%s\t%s\n", e.Event, e.At.Format(time.TimeOnly), about, e.What, report.Plain(wording(e)))
	}
	return table.Flush()
}

// wording says who said it, and what.
func wording(e *approval.Entry) string {
	text := ""
	switch {
	case e.What == approval.SaidAsked:
		return asked(e.Approver) + ", by gate " + e.Gate + ": " + e.Operation + " of " + e.Identity
	case e.What == approval.Used:
		return "by " + e.Identity
	case e.By != nil:
		text = "by " + e.By.Name + " (" + e.By.Kind + ")"
	}
	if e.What == approval.Escalated {
		text += ", to " + asked(e.Approver)
	}
	if len(e.Set) > 0 {
		text += ", with " + report.Value("set", e.Set)
	}
	if e.Note != "" {
		text += ": " + e.Note
	}
	if e.What == approval.SaidOverride {
		text += "; until " + e.Until.Format(time.TimeOnly)
		if e.Max > 0 {
			text += ", " + words.Count(e.Max, "call") + " at most"
		}
	}
	return text
}

// PrintStats writes what came of what gates asked, or for programs.
func PrintStats(w io.Writer, stats []approval.Stats, form string) error {
	if form == "json" {
		return output.JSON(w, map[string][]approval.Stats{"gates": stats})
	}
	if len(stats) == 0 {
		_, err := fmt.Fprintln(w, "nobody was asked")
		return err
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "GATE\tDECIDED BY\tASKED\tYES\tNO\tCHANGED\tESCALATED\tLAPSED\tWAIT\tYES, OF ALL")
	for i := range stats {
		s := &stats[i]
		wait, share := "-", "-"
		if s.Decided() > 0 {
			wait, share = time.Duration(s.Wait*float64(time.Second)).Round(time.Second).String(), fmt.Sprintf("%.0f%%", 100*s.Unchanged)
		}
		fmt.Fprintf(table, "%s\t%s\t%d\t%d\t%d\t%d\t%d\t%d\t%s\t%s\n", s.Gate, s.Of, s.Asked, s.Approved, s.Rejected, s.Changed, s.Escalated, s.Lapsed, wait, share)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	for i := range stats {
		if s := &stats[i]; s.Always {
			if _, err := fmt.Fprintf(w, "\nGate %s is always approved: %d of %d as they were asked for. It costs a look\nand stops nothing: narrow its `when`, or let it pass what is harmless.\n", s.Gate, s.Approved, s.Decided()); err != nil {
				return err
			}
		}
	}
	return nil
}

// PrintOverride writes what lets calls pass a gate for a while.
func PrintOverride(w io.Writer, o client.Override, form string) error {
	if form == "json" {
		return output.JSON(w, o)
	}
	most := "every call"
	if o.Max > 0 {
		most = words.Count(o.Max, "call") + " at most"
	}
	_, err := fmt.Fprintf(w, "Gate %s of run %s asks nobody until %s (%s), by %s (%s): %s\n",
		o.Gate, o.Run, o.Until.Format(time.DateTime), most, report.Plain(o.By.Name), o.By.Kind, report.Plain(o.Because))
	return err
}

// PrintRule writes that a rule may strike where real services are called.
func PrintRule(w io.Writer, a client.RuleApproval, form string) error {
	if form == "json" {
		return output.JSON(w, a)
	}
	because := ""
	if a.Because != "" {
		because = ": " + report.Plain(a.Because)
	}
	_, err := fmt.Fprintf(w, "Rule %s of run %s strikes where real services are called, under revision %s, by %s (%s)%s\n",
		report.Plain(a.Rule), a.Run, a.Revision, report.Plain(a.By.Name), a.By.Kind, because)
	return err
}
