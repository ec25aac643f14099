package report

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"parity/faults/trail"
	"parity/specs/words"
)

// proofRows say what reached real services, what shows that it was no more, and
// what that does not cover. Lines after the first have no label.
//
//	Real    412 reads of api.github.com; 0 writes of 9 tried (6 faked, 3 captured)
//	        proof: no Pass was minted; Send refused 0; journal and Send agree; contained (no way around)
//	        not in it: 31 connections to api.anthropic.com passed unread
func (r *Report) proofRows() []authorityRow {
	if r.Upstream == nil {
		return nil
	}
	rows := []authorityRow{{"Real", reached(r.Upstream)}, {"", "proof: " + r.shownBy()}}
	var unread []string
	for _, h := range r.unread() {
		unread = append(unread, words.Count(h.Calls, "connection")+" to "+h.Host)
	}
	if len(unread) > 0 {
		rows = append(rows, authorityRow{"", "not in it: " + strings.Join(fewOfThem(unread), ", ") + " passed unread"})
	}
	return append(rows, strangeRows(r.Upstream.Strange)...)
}

// reached says what left for real services.
func reached(p *trail.Proof) string {
	text := words.Count(p.Reads, "read")
	if len(p.Hosts) > 0 {
		text += " of " + words.And(p.Hosts)
	}
	text += fmt.Sprintf("; %s of %d tried", words.Count(p.Writes, "write"), p.Writes+p.Kept())
	var of []string
	for _, part := range []struct {
		n    int
		what string
	}{{p.Faked, "faked"}, {p.Captured, "captured"}, {p.Struck, "answered by a fault"}, {p.Refused, "refused"}, {p.Held, "held"}} {
		if part.n > 0 {
			of = append(of, strconv.Itoa(part.n)+" "+part.what)
		}
	}
	if len(of) > 0 {
		text += " (" + strings.Join(of, ", ") + ")"
	}
	if p.Failed > 0 {
		text += "; " + words.Count(p.Failed, "call") + " brought no reply"
	}
	unknown := p.Unknown
	for _, seq := range p.Doubtful {
		if slices.Contains(p.LostAt, seq) {
			unknown--
		}
	}
	if unknown > 0 {
		text += "; of " + words.Count(unknown, "call") + " nobody knows what came"
	}
	if p.Lost > 0 {
		at := make([]string, len(p.LostAt))
		for i, seq := range p.LostAt {
			at[i] = "#" + strconv.FormatUint(seq, 10)
		}
		text += "; of " + words.Count(p.Lost, "write") + " nobody knows what came (" + words.And(at) + "): look at the real service"
	}
	return text
}

// shownBy says what shows that no more reached them.
func (r *Report) shownBy() string {
	p := r.Upstream
	parts := []string{"no Pass was minted", fmt.Sprintf("Send refused %d", p.Barred), "journal and Send agree"}
	switch {
	case p.Passes == 1:
		parts[0] = "1 Pass was minted"
	case p.Passes > 1:
		parts[0] = strconv.Itoa(p.Passes) + " Passes were minted"
	}
	if !p.Agrees {
		parts[2] = "journal and Send do not agree"
	}
	switch c := r.Contained; {
	case c == nil:
	case c.Yes:
		parts = append(parts, "contained (no way around)")
	default:
		parts = append(parts, "not contained ("+c.Why+")")
	}
	return strings.Join(parts, "; ")
}

// unread are the hosts whose traffic nobody read.
func (r *Report) unread() []trail.HostCount {
	all := []trail.HostCount{}
	for _, h := range r.Outside {
		if h.Protocol == "" {
			all = append(all, h)
		}
	}
	return all
}

// upstreamWrites is how many writes left for real services.
func (r *Report) upstreamWrites() int {
	if r.Upstream == nil {
		return 0
	}
	return r.Upstream.Writes
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
