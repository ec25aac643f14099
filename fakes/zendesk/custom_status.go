package zendesk

import (
	"parity/fakes/cast"
	"parity/fakes/world"
)

const customStatuses = "custom_statuses"

// categoryOf is the category that holds a status: a closed ticket keeps the one
// that it was solved in.
func categoryOf(status string) string {
	if status == "closed" {
		return "solved"
	}
	return status
}

// settleStatus gives a ticket the custom status of its status, unless it has one
// of that category.
// Source: developer.zendesk.com/api-reference/ticketing/tickets/custom_ticket_statuses.
func (e *edit) settleStatus() {
	category := categoryOf(cast.Text(e.value["status"]))
	if r, ok := e.c.find(customStatuses, id(e.value, "custom_status_id")); ok && r.Value()["status_category"] == category || category == "deleted" {
		return
	}
	for r := range e.c.Tx.Oldest(full(customStatuses), 0) {
		if r.Value()["status_category"] == category && r.Value()["default"] == true {
			e.value["custom_status_id"] = r.Value()["id"]
			return
		}
	}
}

// chooseStatus takes a custom status, and gives the status that it stands for.
func (e *edit) chooseStatus(said map[string]any) (string, *fault) {
	asked := cast.Text(said["status"])
	n := id(said, "custom_status_id")
	if n == 0 {
		return asked, nil
	}
	r, ok := e.c.find(customStatuses, n)
	if !ok || r.Value()["active"] != true {
		f := wrong("custom_status_id")
		return "", &f
	}
	e.value["custom_status_id"] = n
	return cast.Text(r.Value()["status_category"]), nil
}

func customStatusHandlers() map[string]handler {
	return map[string]handler{
		"ListCustomStatuses": func(c *call) (answer, *refusal) {
			want, active, byDefault := c.query("status_categories"), c.query("active"), c.query("default")
			return answer{value: map[string]any{customStatuses: c.shown(listing{show: c.show}, c.every(customStatuses, func(r *world.Record) bool {
				v := r.Value()
				return (want == "" || includes("", labels(want), []string{cast.Text(v["status_category"])})) &&
					(active == "" || v["active"] == flag(active, true)) && (byDefault == "" || v["default"] == flag(byDefault, true))
			}))}}, nil
		},
		"CreateCustomStatus": createPlain(customStatuses),
		"ShowCustomStatus":   showPlain(customStatuses, "custom_status_id"),
		"UpdateCustomStatus": on(customStatuses, "custom_status_id", updateCustomStatus),
	}
}

// updateCustomStatus changes all but the category, which stays as it was made, as
// recorded.
func updateCustomStatus(c *call, r *world.Record) (answer, *refusal) {
	said := with(c.part("custom_status"), nil)
	delete(said, "status_category")
	if r.Value()["default"] == true && said["active"] == false {
		return answer{}, invalid(fault{field: "active", description: "Active: a default status cannot be deactivated", code: "InvalidValue"})
	}
	changed, refused := c.updateOf(c.fake.kinds[customStatuses], r, said)
	if refused != nil {
		return answer{}, refused
	}
	return c.one("custom_status", changed)
}
