package fidelity

import (
	"net/http"
	"net/url"

	"parity/fakes"
	"parity/fakes/generic"
	"parity/specs"
	"parity/specs/oracle"
)

// Dispute is a request or a reply of which our judge of contracts and
// kin-openapi do not say the same: one of them has a defect, or the contract can
// be read in two ways.
type Dispute struct {
	Operation string `json:"operation"`
	Of        string `json:"of"`    // request, recorded reply, or reply
	Ours      string `json:"ours"`  // what is wrong with it; "": nothing
	Other     string `json:"other"` // the same, as kin-openapi sees it
	First     string `json:"first"` // where
	Times     int    `json:"times"`
}

// judged is one exchange as the judges take it.
type judged struct {
	*measuring
	of      *measured
	where   string
	second  *oracle.Document
	op      *specs.Operation
	request oracle.Request
}

// judge holds a recorded request, its reply and ours against the contract by both
// judges, and keeps where they differ. Of services that ship, tests ask that of
// the contracts.
func (m *measuring) judge(of *measured, e *Exchange, flattened bool, reply fakes.Reply, where string) {
	if _, own := e.Service.Fake.(*generic.Fake); !own {
		return
	}
	u, err := url.Parse(e.Request.URL)
	contract := e.Service.Contract
	second := m.second(contract)
	if err != nil || second == nil {
		return
	}
	header := http.Header{}
	for name, value := range e.Request.Header {
		header.Set(name, value)
	}
	body := []byte(e.Request.Text())
	match := contract.MatchCall(&specs.Call{Method: e.Request.Method, Path: u.EscapedPath(), Query: u.RawQuery, Header: header, Body: body})
	if match.Operation == nil {
		return
	}
	input, wrong := match.Operation.Read(specs.Request{Path: match.Path, Query: u.RawQuery, Header: header, Body: body})
	if contract.Expands() && (input.Query["expand"] != nil || input.Body["expand"] != nil) {
		return // which only our own judge knows of
	}
	j := judged{measuring: m, of: of, where: where, second: second, op: match.Operation, request: oracle.Request{
		Method: e.Request.Method, Path: match.Operation.Source().Path, Values: input.Path, Query: u.RawQuery, Header: header, Body: body, Value: input.Content(),
	}}
	j.compare("request", wrong, second.Request(j.request))
	if !flattened && e.Response.Body != "" {
		theirs := http.Header{}
		for name, value := range e.Response.Header {
			theirs.Set(name, value)
		}
		j.reply("recorded reply", e.Response.Status, theirs, []byte(e.Response.Body))
	}
	if reply.Status != 0 {
		j.reply("reply", reply.Status, reply.Header, reply.Body)
	}
}

func (j judged) reply(of string, status int, header http.Header, body []byte) {
	wrong := j.op.CheckReply(status, header.Get("Content-Type"), body)
	j.compare(of, wrong, j.second.Reply(j.request, oracle.Reply{Status: status, Header: header, Body: body}))
}

// compare keeps what the judges say where it differs. Of formats only some are
// known to the other one.
func (j judged) compare(of string, ours []specs.Violation, other oracle.Opinion) {
	if other.Verdict == oracle.Unjudged || (other.Verdict == oracle.Holds) == (len(ours) == 0) || len(ours) > 0 && ours[0].Rule == specs.RuleFormat {
		return
	}
	said := ""
	if len(ours) > 0 {
		said = ours[0].In + ours[0].Pointer + " " + ours[0].Message
	}
	for i := range j.of.disputes {
		if d := &j.of.disputes[i]; d.Of == of && d.Ours == brief(said) {
			d.Times++
			return
		}
	}
	j.of.disputes = append(j.of.disputes, Dispute{
		Operation: j.of.name, Of: of, Ours: brief(unsecret("", said)), Other: brief(unsecret("", other.Why)), First: j.where, Times: 1,
	})
}

// second gives a contract as kin-openapi has it; nil where it cannot be asked
// about it, of which contract lint says why.
func (m *measuring) second(contract *specs.Contract) *oracle.Document {
	d, asked := m.oracles[contract]
	if !asked {
		d, _ = oracle.Read(contract.API().Document)
		m.oracles[contract] = d
	}
	return d
}
