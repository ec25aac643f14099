package zendesk

import (
	"slices"
	"strings"

	"parity/fakes/cast"
	"parity/fakes/world"
)

func ruleHandlers() map[string]handler {
	return map[string]handler{
		"ListActiveViews":        listActive(views),
		"ListCompactViews":       listActive(views),
		"ListTicketsFromView":    on(views, "view_id", listViewTickets),
		"ExecuteView":            on(views, "view_id", executeView),
		"GetViewCount":           on(views, "view_id", countView),
		"GetViewCounts":          countViews,
		"ListActiveMacros":       listActive(macros),
		"ShowChangesToTicket":    on(macros, "macro_id", applyMacro),
		"ShowTicketAfterChanges": onTicket(applyMacroToTicket),
	}
}

// columns are the titles of what views show.
var columns = map[string]string{
	"score": "Score", "subject": "Subject", "requester": "Requester", "created": "Requested", "type": "Type", "priority": "Priority", "group": "Group",
	"assignee": "Assignee", "updated": "Updated", "status": "Status", "solved": "Solved", "nice_id": "ID", "organization": "Organization",
}

// sayView takes a view's conditions and output.
func (c *call) sayView(value, said map[string]any) {
	sayConditions(value, said, "conditions")
	output, _ := said["output"].(map[string]any)
	execution, _ := value["execution"].(map[string]any)
	if output == nil && len(execution) > 0 {
		return
	}
	shown := list(output["columns"])
	if len(shown) == 0 {
		shown = []string{"subject", "requester", "created", "updated", "group", "assignee"} // recorded
	}
	cols := make([]any, len(shown))
	for i, one := range shown {
		cols[i] = map[string]any{"id": one, "title": columnTitle(one)}
	}
	execution = map[string]any{"columns": cols, "fields": cols, "custom_fields": []any{}}
	for _, what := range []string{"group", "sort"} {
		by, order := cast.Text(output[what+"_by"]), orDefault(cast.Text(output[what+"_order"]), "desc")
		execution[what+"_by"], execution[what+"_order"], execution[what] = none(by), order, nil
		if by != "" {
			execution[what] = map[string]any{"id": by, "title": columnTitle(by), "order": order}
		}
	}
	value["execution"] = execution
}

func columnTitle(column string) string { return orDefault(columns[column], titleOf(column)) }

func orDefault(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}

// inView gives the tickets that a view's conditions hold, in its order.
func (c *call) inView(view *world.Record) []*world.Record {
	conditions, _ := view.Value()["conditions"].(map[string]any)
	some := c.every(tickets, func(r *world.Record) bool { return living(r) && c.holds(conditions, matter{ticket: r.Value()}) })
	execution, _ := view.Value()["execution"].(map[string]any)
	field := sortable(cast.Text(execution["sort_by"]))
	if field == "" {
		field = "created_at"
	}
	slices.SortStableFunc(some, func(a, b *world.Record) int {
		n := compare(field, a.Value()[field], b.Value()[field])
		if cast.Text(execution["sort_order"]) != "asc" {
			return -n
		}
		return n
	})
	return some
}

func listViewTickets(c *call, view *world.Record) (answer, *refusal) {
	return c.ticketsOf(c.inView(view))
}

func executeView(c *call, view *world.Record) (answer, *refusal) {
	cols, _ := cast.Object(view.Value()["execution"])["columns"].([]any)
	found, refused := c.list(listing{collection: tickets, some: c.inView(view), narrowed: true, under: "rows", show: func(r *world.Record) map[string]any {
		row := map[string]any{"ticket": map[string]any{
			"id": r.Value()["id"], "subject": r.Value()["subject"], "description": r.Value()["description"], "status": r.Value()["status"], "type": r.Value()["type"],
			"priority": r.Value()["priority"], "url": c.rebase(cast.Text(r.Value()["url"])), "last_comment": nil,
		}, "ticket_id": r.Value()["id"], "fields": []any{}, "custom_fields": []any{}}
		for _, col := range cols {
			name := cast.Text(cast.Object(col)["id"])
			field := orDefault(sortable(name), name)
			row[field] = r.Value()[field]
			if field != name && !strings.HasSuffix(field, "_id") {
				row[name] = r.Value()[field]
			}
		}
		return row
	}})
	if refused != nil {
		return answer{}, refused
	}
	found.value["columns"] = cols
	found.value["view"] = map[string]any{"id": view.Value()["id"], "url": c.rebase(cast.Text(view.Value()["url"]))}
	return found, nil
}

func (c *call) viewCount(view *world.Record) map[string]any {
	n := int64(len(c.inView(view)))
	return map[string]any{
		"url": c.Base + api + "views/" + view.ID + "/count.json", "view_id": view.Value()["id"], "value": n, "pretty": key(n), "fresh": true, "active": view.Value()["active"],
	}
}

func countView(c *call, view *world.Record) (answer, *refusal) {
	return answer{value: map[string]any{"view_count": c.viewCount(view)}}, nil
}

func countViews(c *call) (answer, *refusal) {
	counts := []any{}
	for _, n := range ids(c.query("ids")) {
		if view, ok := c.find(views, n); ok {
			counts = append(counts, c.viewCount(view))
		}
	}
	return answer{value: map[string]any{"view_counts": counts}}, nil
}

// macroChanges is what a macro would make of a ticket.
func (c *call) macroChanges(macro *world.Record, ticket map[string]any) (changes map[string]any, comment map[string]any) {
	changes = map[string]any{}
	for _, one := range cast.List(macro.Value()["actions"]) {
		action, _ := one.(map[string]any)
		field, v := cast.Text(action["field"]), action["value"]
		switch {
		case field == "comment_value" || field == "comment_value_html":
			said := cast.Plain(v)
			if parts := list(v); len(parts) > 0 {
				said = parts[len(parts)-1]
			}
			comment = with(map[string]any{"public": true}, comment)
			comment["body"], comment["html_body"] = bare(said), paragraphs(said)
			comment["scoped_body"] = []any{[]any{"channel:all", said}}
		case field == "comment_mode_is_public":
			comment = with(someComment(comment), map[string]any{"public": flag(v, true)})
		case field == "set_tags":
			changes["tags"] = cast.Anys(labels(v))
		case field == "current_tags":
			changes["tags"] = cast.Anys(labels(cast.Anys(append(list(ticket["tags"]), labels(v)...))))
		case field == "remove_tags":
			changes["tags"] = cast.Anys(without(list(ticket["tags"]), labels(v)))
		case v == "current_user":
			changes[field] = c.callerID()
		case v == "current_groups":
			changes[field] = c.caller()["default_group_id"]
		case strings.HasPrefix(field, "custom_fields_"):
			fields, _ := changes["custom_fields"].([]any)
			n, _ := whole(strings.TrimPrefix(field, "custom_fields_"))
			changes["custom_fields"] = append(fields, map[string]any{"id": n, "value": v})
		case strings.HasSuffix(field, "_id"):
			n, _ := whole(v)
			changes[field] = none(n)
		default:
			changes[field] = v
		}
	}
	return changes, comment
}

func someComment(comment map[string]any) map[string]any {
	if comment == nil {
		return map[string]any{"body": "", "html_body": "", "scoped_body": []any{}}
	}
	return comment
}

func applyMacro(c *call, macro *world.Record) (answer, *refusal) {
	changes, comment := c.macroChanges(macro, nil)
	if comment != nil {
		changes["comment"] = comment
	}
	return answer{value: map[string]any{"result": map[string]any{"ticket": changes}}}, nil
}

func applyMacroToTicket(c *call, r *world.Record) (answer, *refusal) {
	macro, refused := c.member(macros, "macro_id")
	if refused != nil {
		return answer{}, refused
	}
	changes, comment := c.macroChanges(macro, r.Value())
	result := map[string]any{"ticket": with(c.show(r), changes)}
	if comment != nil {
		result["ticket"].(map[string]any)["comment"] = comment
	}
	return answer{value: map[string]any{"result": result}}, nil
}
