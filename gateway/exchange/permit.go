package exchange

import (
	"net/http"

	"parity/fakes/kit"
	"parity/faults/trail"
	"parity/profiles/policy"
)

// permit decides whether the call may be made at all. What no service of this
// gateway answers for may not: it would leave.
func (x *Exchange) permit() {
	if x.answered || x.served() {
		return
	}
	message := policy.Refusal(x.origin.Authority.Host, x.origin.Authority.Port)
	status := http.StatusForbidden
	if x.entry.Way == "base" {
		status = http.StatusNotFound
		message = "No service is at " + kit.Clip(x.path) + ". " + x.rev.Directions() + ", or set this address as HTTP_PROXY."
	}
	x.refuse(trail.Denied, status, "unknown-host", message)
}
