package generic

import (
	"net/http"

	"parity/fakes"
	"parity/fakes/kit"
)

// matches refuses a write to a member that has changed since the client read
// it, where the contract has If-Match.
func (c *call) matches(e *entry) *refusal {
	wanted := c.Header.Get("If-Match")
	if wanted == "" || !c.plan.role.IfMatch || kit.Matches(wanted, e.version(), false) {
		return nil
	}
	return &refusal{status: http.StatusPreconditionFailed, code: "precondition_failed", res: c.plan.res, id: e.key}
}

// unchanged answers a read of what the client has already.
func (c *call) unchanged(e *entry) *fakes.Reply {
	known := c.Header.Get("If-None-Match")
	if known == "" || !(c.plan.role.ETag || c.plan.success().header("ETag")) || !kit.Matches(known, e.version(), true) {
		return nil
	}
	reply := fakes.Reply{Status: http.StatusNotModified, Header: http.Header{"Etag": {`"` + e.version() + `"`}}}
	return &reply
}
