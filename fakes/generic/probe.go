package generic

import (
	"net/http"

	"parity/fakes"
	"parity/specs"
)

// headOf gives the plan of the GET that a HEAD asks about; nil where the
// contract has none, or the operation is no HEAD.
func (f *Fake) headOf(op *specs.Operation) func() *plan {
	if op.Method != http.MethodHead {
		return nil
	}
	for _, other := range f.contract.Operations {
		if other.Method == http.MethodGet && other.Path == op.Path {
			return f.plans[other.Source()]
		}
	}
	return nil
}

// probe answers a HEAD as the GET of its path would be: with its status, its
// headers, and the length of its body, which whoever sends it leaves out. Of two
// statuses of success the HEAD's own is taken, such as a 204 of what is there.
// Source: RFC 9110, section 9.3.2.
func (c *call) probe() fakes.Reply {
	own := c.plan
	c.plan = own.body()
	reply := c.answer()
	c.plan = own
	if reply.Status/100 != 2 {
		return reply
	}
	t := own.success(reply.Status)
	reply.Status = t.status
	if t.status == http.StatusNoContent {
		reply.Body, reply.Result = nil, nil
		reply.Header.Del("Content-Type")
	}
	return c.obliged(reply, t)
}
