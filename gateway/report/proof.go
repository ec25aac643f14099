package report

import (
	"fmt"
	"strconv"
	"strings"

	"parity/faults/trail"
	"parity/specs/words"
)

// proofRows say what reached real services, and what shows that it was no more.
//
//	Real    412 reads of api.github.com; 0 writes of 9 tried (6 faked, 3 captured)
//	Proof   no Pass was minted; Send refused 0; journal and Send agree
//	Unread  31 connections to api.anthropic.com passed unread
func (r *Report) proofRows() []authorityRow {
	p := r.Upstream
	if p == nil {
		return nil
	}
	text := words.Count(p.Reads, "read")
	if len(p.Hosts) > 0 {
		text += " of " + words.And(p.Hosts)
	}
	text += fmt.Sprintf("; %s of %d tried", words.Count(p.Writes, "write"), p.Writes+p.Faked+p.Captured+p.Refused)
	var of []string
	for _, part := range []struct {
		n    int
		what string
	}{{p.Faked, "faked"}, {p.Captured, "captured"}, {p.Refused, "refused"}} {
		if part.n > 0 {
			of = append(of, strconv.Itoa(part.n)+" "+part.what)
		}
	}
	if len(of) > 0 {
		text += " (" + strings.Join(of, ", ") + ")"
	}
	if p.Unknown > 0 {
		text += "; of " + words.Count(p.Unknown, "call") + " nobody knows what came"
	}
	if p.Lost > 0 {
		at := make([]string, len(p.LostAt))
		for i, seq := range p.LostAt {
			at[i] = "#" + strconv.FormatUint(seq, 10)
		}
		text += "; of " + words.Count(p.Lost, "write") + " nobody knows what came (" + words.And(at) + "): look at the real service"
	}
	passes, agree := "no Pass was minted", "journal and Send agree"
	if p.Passes > 0 {
		passes = words.Count(p.Passes, "Pass") + " minted"
	}
	if !p.Agrees {
		agree = "journal and Send do not agree"
	}
	rows := []authorityRow{{"Real", text}, {"Proof", fmt.Sprintf("%s; Send refused %d; %s", passes, p.Barred, agree)}}
	var unread []string
	for _, h := range r.Outside {
		if h.Protocol == "" {
			unread = append(unread, words.Count(h.Calls, "connection")+" to "+h.Host)
		}
	}
	if len(unread) > 0 {
		rows = append(rows, authorityRow{"Unread", strings.Join(fewOfThem(unread), ", ") + " passed unread"})
	}
	return append(rows, strangeRows(p.Strange)...)
}

// strangeRows say which replies of real services broke their contracts, the first
// of each host with what was wrong in it.
//
//	Strange  3 replies of api.acme.com are not as its contract says: #4 body/id is required
func strangeRows(all []trail.Strange) (rows []authorityRow) {
	count, first := map[string]int{}, map[string]trail.Strange{}
	var hosts []string
	for _, s := range all {
		if count[s.Host]++; count[s.Host] == 1 {
			hosts, first[s.Host] = append(hosts, s.Host), s
		}
	}
	for _, host := range hosts {
		what, one := words.Count(count[host], "reply")+" of "+host+" are", first[host]
		if count[host] == 1 {
			what = "1 reply of " + host + " is"
		}
		rows = append(rows, authorityRow{"Strange", fmt.Sprintf("%s not as its contract says: #%d %s", what, one.Seq, one.What)})
	}
	return rows
}
