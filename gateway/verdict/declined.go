package verdict

import (
	"net/http"

	"parity/faults/trail"
)

// declined lists what services refused without a fault and nobody did in the end,
// where the agent ended as if all went well: no rule is about it.
//
//	#17 POST events ▶ 400 by the service itself      exit 0
func (j *judge) declined() []trail.Declined {
	if end := j.in.Ending; end == nil || end.Exit != 0 {
		return nil
	}
	type kind struct {
		call   string
		status int
	}
	var all []trail.Declined
	at := map[kind]int{}
	const most = 64 // calls for which it is asked what followed them
	asked := 0
	for _, c := range j.calls {
		if c.line != 0 || c.x.Operation == "" || c.connection() || !refusedByItself(c) {
			continue
		}
		if asked++; asked > most {
			break
		}
		if j.wentWell(c) {
			continue
		}
		k := kind{c.name(), c.x.Status}
		if _, known := at[k]; !known {
			at[k] = len(all)
			all = append(all, trail.Declined{Call: k.call, Status: k.status, First: c.seq})
		}
		all[at[k]].Calls++
	}
	return all
}

// refusedByItself tells a call that a service did not take as it was sent: not one
// that asked for what is not there, or was sent under a condition, or too often, or
// without credentials; nor one that policy stopped.
func refusedByItself(c *call) bool {
	if !c.arrived() || c.x.Fidelity == trail.Injected || struckAtAll(c) || exists(c) || !c.letThrough() {
		return false
	}
	switch c.x.Status {
	case http.StatusBadRequest, http.StatusForbidden, http.StatusMethodNotAllowed, http.StatusNotAcceptable, http.StatusUnsupportedMediaType, http.StatusUnprocessableEntity:
		return true
	case http.StatusNotFound:
		return !c.reads() && c.x.Method != http.MethodDelete
	}
	return false
}
