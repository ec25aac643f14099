package zendesk

// Numbers of what rules an account has from the start.
const (
	triggersID    = 360000000610
	automationsID = 360000000630
	statusesID    = 360000000640
	rolesID       = 360000000650
)

type standardTrigger struct {
	title   string
	active  bool
	all     []any
	actions []any
}

func mailing(field, to, subject, body string) []any {
	return []any{map[string]any{"field": field, "value": []any{to, subject, body + "\n\n{{ticket.comments_formatted}}"}}}
}

// standardTriggers send the mail of an account. Those to agents are there, and
// not in use.
// Source: support.zendesk.com, "About the standard ticket triggers".
func standardTriggers() []standardTrigger {
	const subject = "[{{ticket.account}}] Re: {{ticket.title}}"
	changed := func(field, operator string) any {
		return map[string]any{"field": field, "operator": operator, "value": nil}
	}
	visible := condition("comment_is_public", "is", "requester_can_see_comment")
	created := condition("update_type", "is", "Create")
	staff, customer := condition("role", "is_not", "end_user"), condition("role", "is", "end_user")
	return []standardTrigger{
		{"Notify requester and CCs of received request", true, []any{created, condition("status", "is_not", "solved"), visible, customer}, mailing("notification_user", "requester_and_ccs", "[Request received] {{ticket.title}}", "We received your request ({{ticket.id}}).")},
		{"Notify requester of new proactive ticket", true, []any{created, visible, staff}, mailing("notification_user", "requester_and_ccs", "{{ticket.title}}", "A request ({{ticket.id}}) was opened for you.")},
		{"Notify requester and CCs of comment update", true, []any{condition("update_type", "is", "Change"), visible}, mailing("notification_user", "requester_and_ccs", subject, "Your request ({{ticket.id}}) was updated.")},
		{"Notify assignee of comment update", false, []any{condition("comment_is_public", "is", "not_relevant"), condition("assignee_id", "is_not", "current_user"), condition("assignee_id", "is_not", "requester_id"), changed("assignee_id", "not_changed"), condition("status", "not_value_previous", "solved")}, mailing("notification_user", "assignee_id", subject, "This ticket (#{{ticket.id}}) was updated.")},
		{"Notify assignee of assignment", false, []any{changed("assignee_id", "changed"), condition("assignee_id", "is_not", "current_user")}, mailing("notification_user", "assignee_id", "[{{ticket.account}}] Assignment: {{ticket.title}}", "This ticket (#{{ticket.id}}) was assigned to you.")},
		{"Notify assignee of reopened ticket", false, []any{condition("assignee_id", "is_not", "current_user"), condition("status", "value_previous", "solved"), condition("status", "is_not", "closed")}, mailing("notification_user", "assignee_id", subject, "This ticket (#{{ticket.id}}) was reopened.")},
		{"Notify group of assignment", false, []any{changed("group_id", "changed"), condition("group_id", "is_not", ""), condition("assignee_id", "is", "")}, mailing("notification_group", "group_id", "[{{ticket.account}}] \"{{ticket.group.name}}\" assignment: {{ticket.title}}", "This ticket (#{{ticket.id}}) was assigned to your group.")},
		{"Notify all agents of received request", false, []any{created, condition("group_id", "is", "")}, mailing("notification_user", "all_agents", "[{{ticket.account}}] {{ticket.title}}", "A ticket (#{{ticket.id}}) by {{ticket.requester.name}} came in.")},
	}
}

// beginServices puts in what acts on tickets by itself, and what they may be.
func (f *Fake) beginServices(put func(string, int64, map[string]any) error) error {
	if err := put(triggerCategories, 1, map[string]any{"name": "Initial category", "position": int64(1)}); err != nil {
		return err
	}
	for i, one := range standardTriggers() {
		value := with(f.kinds[triggers].blank, map[string]any{
			"title": one.title, "raw_title": one.title, "active": one.active, "default": true, "position": int64(i + 1), "actions": one.actions, "conditions": map[string]any{"all": one.all, "any": []any{}},
		})
		if err := put(triggers, int64(triggersID+i), value); err != nil {
			return err
		}
	}
	if err := beginLocales(put); err != nil {
		return err
	}
	closing := "Close ticket 4 days after status is set to solved"
	err := put(automations, automationsID, with(f.kinds[automations].blank, map[string]any{
		"title": closing, "raw_title": closing, "default": true, "position": int64(1), "actions": []any{map[string]any{"field": "status", "value": "closed"}},
		"conditions": map[string]any{"all": []any{condition("status", "is", "solved"), condition("SOLVED", "greater_than", "96")}, "any": []any{}},
	}))
	if err != nil {
		return err
	}
	for i, one := range []struct{ category, agents, others string }{
		{"new", "New", "Open"}, {"open", "Open", "Open"}, {"pending", "Pending", "Awaiting your reply"}, {"hold", "On-hold", "Open"}, {"solved", "Solved", "Solved"},
	} {
		value := map[string]any{"status_category": one.category, "active": true, "default": true}
		for field, said := range map[string]any{"agent_label": one.agents, "end_user_label": one.others, "description": nil, "end_user_description": nil} {
			value[field], value["raw_"+field] = said, said
		}
		if err := put(customStatuses, int64(statusesID+i), value); err != nil {
			return err
		}
	}
	for i, one := range []struct{ name, says string }{{"Staff", "Can edit tickets within their groups"}, {"Team lead", "Can edit all tickets and help center content"}, {"Advisor", "Can manage business rules"}} {
		may := with(roleConfiguration(), map[string]any{"ticket_access": "within-groups", "ticket_comment_access": "public", "ticket_editing": true, "ticket_tag_editing": true})
		if err := put(customRoles, int64(rolesID+i), with(f.kinds[customRoles].blank, map[string]any{"name": one.name, "description": one.says, "configuration": may})); err != nil {
			return err
		}
	}
	return nil
}
