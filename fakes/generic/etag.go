package generic

import (
	"net/http"
	"strings"

	"parity/fakes"
)

// matches refuses a write to a member that has changed since the client read
// it, where the contract has If-Match.
func (c *call) matches(e *entry) *refusal {
	wanted := c.Header.Get("If-Match")
	if wanted == "" || !c.plan.role.IfMatch || names(wanted, e.version(), false) {
		return nil
	}
	return &refusal{status: http.StatusPreconditionFailed, code: "precondition_failed", res: c.plan.res, id: e.key}
}

// unchanged answers a read of what the client has already.
func (c *call) unchanged(e *entry) *fakes.Reply {
	known := c.Header.Get("If-None-Match")
	if known == "" || !(c.plan.role.ETag || c.plan.success().header("ETag")) || !names(known, e.version(), true) {
		return nil
	}
	reply := fakes.Reply{Status: http.StatusNotModified, Header: http.Header{"Etag": {`"` + e.version() + `"`}}}
	return &reply
}

// names tells whether a list of entity tags has a version among them. Weak ones
// count where only reading is at stake.
// Source: RFC 9110, 13.1.1 and 13.1.2.
func names(list, version string, weak bool) bool {
	for tag := range strings.SplitSeq(list, ",") {
		tag = strings.TrimSpace(tag)
		if weak {
			tag = strings.TrimPrefix(tag, "W/")
		}
		if tag == "*" || strings.Trim(tag, `"`) == version && !strings.HasPrefix(tag, "W/") {
			return true
		}
	}
	return false
}
