package zendesk

import (
	"slices"

	"parity/fakes/cast"
)

// status works out what a ticket's status becomes.
//
//	new ──assigned or answered──▶ open ◀──▶ pending, hold ──▶ solved ──▶ closed
//	                               ▲── the requester answers ──┘
//
// Nothing leads back to new, and nothing out of closed.
// Source: support.zendesk.com, "About the standard ticket statuses".
func (e *edit) status(asked string) *fault {
	was := ""
	if e.before != nil {
		was = cast.Text(e.before.Value()["status"])
	}
	is := was
	if asked != "" {
		if !slices.Contains(statuses[:len(statuses)-1], asked) {
			f := wrong("status")
			return &f
		}
		is = asked
	}
	if is == "" {
		is = "new"
	}
	assigned := e.value["assignee_id"] != nil
	switch {
	case is == "new" && (assigned || was != "" && was != "new"):
		is = "open"
	case is == "new" && e.before != nil && e.answered():
		is = "open"
	}
	if asked == "" && e.asked() && (was == "pending" || was == "solved" || was == "hold") {
		is = "open"
	}
	if is == "solved" && !assigned && !e.c.endUser() { // who solves it has it
		e.value["assignee_id"] = e.c.callerID()
		if e.value["group_id"] == nil {
			e.value["group_id"] = none(id(e.c.caller(), "default_group_id"))
		}
	}
	e.value["status"] = is
	return nil
}

// answered tells whether an agent says something in public in this edit.
func (e *edit) answered() bool {
	return e.comment != nil && e.comment["public"] == true && id(e.comment, "author_id") != id(e.value, "requester_id")
}

// asked tells whether the requester says something in this edit.
func (e *edit) asked() bool {
	return e.comment != nil && id(e.comment, "author_id") == id(e.value, "requester_id") && e.before != nil && !e.agent(id(e.comment, "author_id"))
}

func (e *edit) agent(n int64) bool {
	user, ok := e.c.find(users, n)
	return ok && cast.Text(user.Value()["role"]) != "end-user"
}

// closed refuses any change of a closed ticket, as recorded.
func closed() *refusal {
	return invalid(fault{field: "status", description: "Status: closed prevents ticket update"})
}
