package resolve

import (
	"net/netip"
	"strconv"
	"strings"

	"golang.org/x/net/dns/dnsmessage"
)

const (
	lasts      = 60   // seconds that a client may keep an answer
	mostUDP    = 1232 // bytes of a datagram, as is said in EDNS (https://www.dnsflagday.net/2020/)
	badVersion = dnsmessage.RCode(16)
)

// answer is the reply to a message; nil: none, since it is no question.
func (r *Resolver) answer(message []byte) []byte {
	var p dnsmessage.Parser
	head, err := p.Start(message)
	if err != nil || head.Response { // to answer an answer could go on for ever
		return nil
	}
	reply := dnsmessage.Header{ID: head.ID, Response: true, OpCode: head.OpCode, RecursionDesired: head.RecursionDesired, RecursionAvailable: true}
	if head.OpCode != 0 {
		reply.RCode = dnsmessage.RCodeNotImplemented
		return built(reply, nil, nil, nil)
	}
	asked, err := p.AllQuestions()
	if err != nil || len(asked) != 1 {
		reply.RCode = dnsmessage.RCodeFormatError
		return built(reply, nil, nil, nil)
	}
	options, err := edns(&p)
	if err != nil {
		reply.RCode = dnsmessage.RCodeFormatError
		return built(reply, &asked[0], nil, nil)
	}
	r.mu.Lock()
	r.counts.Questions++
	r.mu.Unlock()
	if options != nil && options.TTL>>16&0xff != 0 {
		return built(reply, &asked[0], nil, opt(badVersion))
	}
	var body dnsmessage.ResourceBody
	body, reply.RCode = r.resolved(asked[0])
	if options != nil {
		options = opt(reply.RCode)
	}
	return built(reply, &asked[0], body, options)
}

// edns reads what is behind the questions; the result is nil where that has no
// EDNS (RFC 6891).
func edns(p *dnsmessage.Parser) (found *dnsmessage.ResourceHeader, err error) {
	if err := p.SkipAllAnswers(); err != nil {
		return nil, err
	}
	if err := p.SkipAllAuthorities(); err != nil {
		return nil, err
	}
	for {
		h, err := p.AdditionalHeader()
		switch {
		case err == dnsmessage.ErrSectionDone: //nolint:errorlint // it is never wrapped
			return found, nil
		case err != nil:
			return nil, err
		case h.Type == dnsmessage.TypeOPT:
			found = &h
		}
		if err := p.SkipAdditional(); err != nil {
			return nil, err
		}
	}
}

func opt(code dnsmessage.RCode) *dnsmessage.ResourceHeader {
	var h dnsmessage.ResourceHeader
	_ = h.SetEDNS0(mostUDP, code, false) // no error with such values
	return &h
}

// resolved is what there is to say to a question; nil: a name that is there, and
// has nothing of the kind that is asked for.
func (r *Resolver) resolved(q dnsmessage.Question) (dnsmessage.ResourceBody, dnsmessage.RCode) {
	if q.Class != dnsmessage.ClassINET && q.Class != dnsmessage.ClassANY {
		return nil, dnsmessage.RCodeRefused
	}
	name := strings.ToLower(strings.TrimSuffix(q.Name.String(), "."))
	if name == "" {
		return nil, dnsmessage.RCodeSuccess
	}
	if at, ok := reversed(name); ok {
		return r.reverse(q.Type, at)
	}
	four := q.Type == dnsmessage.TypeA || q.Type == dnsmessage.TypeALL // of all that there is one kind suffices (RFC 8482)
	switch {
	case name == "localhost" || strings.HasSuffix(name, ".localhost"):
		if q.Type == dnsmessage.TypeAAAA {
			return &dnsmessage.AAAAResource{AAAA: netip.IPv6Loopback().As16()}, dnsmessage.RCodeSuccess
		}
		return loopback(four), dnsmessage.RCodeSuccess
	case name == r.o.Host:
		return loopback(four), dnsmessage.RCodeSuccess
	case !hostName(name), strings.HasSuffix(name, ".invalid") && !r.o.Known(name): // nobody has such a name (RFC 6761), but a service of tests
		return nil, dnsmessage.RCodeNameError
	case !four:
		return nil, dnsmessage.RCodeSuccess
	}
	at, ok := r.address(name)
	if !ok {
		return nil, dnsmessage.RCodeServerFailure
	}
	return &dnsmessage.AResource{A: at.As4()}, dnsmessage.RCodeSuccess
}

func loopback(asked bool) dnsmessage.ResourceBody {
	if !asked {
		return nil
	}
	return &dnsmessage.AResource{A: [4]byte{127, 0, 0, 1}}
}

// reverse is the name of an address.
func (r *Resolver) reverse(kind dnsmessage.Type, at netip.Addr) (dnsmessage.ResourceBody, dnsmessage.RCode) {
	name, known := r.Name(at)
	if at.IsLoopback() {
		name, known = "localhost", true
	}
	if !known {
		return nil, dnsmessage.RCodeNameError
	}
	ptr, err := dnsmessage.NewName(name + ".")
	if err != nil || kind != dnsmessage.TypePTR && kind != dnsmessage.TypeALL {
		return nil, dnsmessage.RCodeSuccess
	}
	return &dnsmessage.PTRResource{PTR: ptr}, dnsmessage.RCodeSuccess
}

// reversed is the address that a name of in-addr.arpa or ip6.arpa is for; the
// zero one where it is for none. False: the name is in neither.
func reversed(name string) (at netip.Addr, ok bool) {
	if rest, ok := strings.CutSuffix("."+name, ".in-addr.arpa"); ok {
		labels := strings.Split(strings.TrimPrefix(rest, "."), ".")
		backwards(labels)
		at, _ = netip.ParseAddr(strings.Join(labels, "."))
		return at, true
	}
	rest, ok := strings.CutSuffix("."+name, ".ip6.arpa")
	if !ok {
		return netip.Addr{}, false
	}
	labels := strings.Split(strings.TrimPrefix(rest, "."), ".")
	var b [16]byte
	if len(labels) != 2*len(b) {
		return netip.Addr{}, true
	}
	backwards(labels)
	for i, label := range labels {
		n, err := strconv.ParseUint(label, 16, 4)
		if err != nil || len(label) != 1 {
			return netip.Addr{}, true
		}
		b[i/2] = b[i/2]<<4 | byte(n)
	}
	return netip.AddrFrom16(b), true
}

func backwards(labels []string) {
	for i, j := 0, len(labels)-1; i < j; i, j = i+1, j-1 {
		labels[i], labels[j] = labels[j], labels[i]
	}
}

// hostName tells whether a host can have a name: letters, digits, '-' and '_', and
// not what could be read as an IPv4 address.
func hostName(name string) bool {
	last := name[strings.LastIndexByte(name, '.')+1:]
	if strings.Trim(last, "0123456789") == "" || strings.HasPrefix(last, "0x") {
		return false
	}
	for label := range strings.SplitSeq(name, ".") {
		if label == "" || label[0] == '-' || label[len(label)-1] == '-' {
			return false
		}
		for _, c := range []byte(label) {
			if !('a' <= c && c <= 'z' || '0' <= c && c <= '9' || c == '-' || c == '_') {
				return false
			}
		}
	}
	return true
}

// built packs a reply, with the question that it is for, one record and EDNS, as
// far as they are there. None is longer than what any client takes by UDP.
func built(h dnsmessage.Header, q *dnsmessage.Question, body dnsmessage.ResourceBody, options *dnsmessage.ResourceHeader) []byte {
	h.RCode &= 0xf // the rest of it is in EDNS
	m := dnsmessage.Message{Header: h}
	if q != nil {
		m.Questions = []dnsmessage.Question{*q}
		if body != nil {
			m.Answers = []dnsmessage.Resource{{Header: dnsmessage.ResourceHeader{Name: q.Name, Class: dnsmessage.ClassINET, TTL: lasts}, Body: body}}
		}
	}
	if options != nil {
		m.Additionals = []dnsmessage.Resource{{Header: *options, Body: &dnsmessage.OPTResource{}}}
	}
	packed, err := m.Pack()
	if err != nil {
		return nil
	}
	return packed
}
