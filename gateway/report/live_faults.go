package report

import (
	"strings"

	"parity/faults/trail"
	"parity/specs/words"
)

// liveFaultRows say of each rule that is to strike where real services are called
// what came of it: they are told apart from all that struck fakes.
//
//	Live faults  slow-reads (latency), approved by ada (claimed): 2 calls struck: #12 stripe GET /v1/customers, which had left; …
//	             lose-it (error): it waited for a person at 3 calls: parity approvals rule r-1 lose-it --by NAME
func (r *Report) liveFaultRows() (rows []authorityRow) {
	for i := range r.LiveFaults {
		f := &r.LiveFaults[i]
		label := ""
		if i == 0 {
			label = "Live faults"
		}
		rows = append(rows, authorityRow{label, r.liveFault(f)})
	}
	return rows
}

func (r *Report) liveFault(f *trail.LiveFault) string {
	text := f.Rule + " (" + f.Fault + ")"
	var by []string
	for _, who := range f.Approved {
		by = append(by, who.Name+" ("+who.Kind+")")
	}
	if len(by) > 0 {
		text += ", approved by " + words.And(by)
	}
	var parts []string
	if n := len(f.Struck); n > 0 {
		var told []string
		for _, s := range f.Struck {
			one := "#" + number(s.Event) + " " + s.Call + ", in place of the service: nothing left"
			if s.Sent {
				one = "#" + number(s.Event) + " " + s.Call + ", on the way back"
			}
			if s.Did != "" {
				one += " (" + s.Did + ")"
			}
			told = append(told, one)
		}
		parts = append(parts, "it struck "+words.Count(n, "call")+": "+strings.Join(fewOfThem(told), "; "))
	}
	if f.Waited > 0 {
		parts = append(parts, "it waited for a person at "+words.Count(f.Waited, "call")+": parity approvals rule "+r.Run+" "+f.Rule+" --by NAME")
	}
	return text + ": " + strings.Join(parts, "; ")
}
