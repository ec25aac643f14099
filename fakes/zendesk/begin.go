package zendesk

import (
	"fmt"

	"parity/fakes"
	"parity/fakes/world"
)

// What an account has from the start: its owner, a group, a brand, the system's
// ticket fields, a form, some views and macros.
// Source: support.zendesk.com, "About the standard ticket fields", "About the
// standard views", "About the standard macros".
const (
	ownerID   = 360000000001
	groupID   = 360000000101
	brandID   = 360000000201
	formID    = 360000000301
	firstDay  = "2019-06-03T09:00:00Z"
	fieldsID  = 360000000400
	viewsID   = 360000000500
	macrosID  = 360000000600
	homeOfAll = "https://acme.zendesk.com"
)

// begin fills a new account.
func (f *Fake) begin(tx *world.Tx) error {
	c := &call{Call: &fakes.Call{Tx: tx, Contract: f.contract, Base: homeOfAll, Identity: fakes.Fixture}, fake: f}
	put := func(collection string, n int64, value map[string]any) error {
		value = with(value, map[string]any{"id": n, "created_at": firstDay, "updated_at": firstDay})
		if collection == triggerCategories {
			value["id"] = key(n)
		}
		if k, ok := f.kinds[collection]; ok {
			value["url"] = c.address(k.path, n)
		}
		if wrong := f.contract.CheckRecord(collection, value); len(wrong) > 0 {
			return fmt.Errorf("zendesk: %s %d of a new account breaks the contract at %q: %s", collection, n, wrong[0].Pointer, wrong[0].Message)
		}
		_, err := tx.Insert(full(collection), key(n), value)
		return err
	}
	owner := with(blankUser(c), map[string]any{
		"name": "Account Owner", "email": "owner@example.com", "role": "admin", "role_type": int64(4), "verified": true, "moderator": true, "restricted_agent": false,
		"ticket_restriction": nil, "default_group_id": int64(groupID), "report_csv": true, "url": c.address(api+users, ownerID),
	})
	steps := []func() error{
		func() error { return put(users, ownerID, owner) },
		func() error {
			return put(groups, groupID, with(f.kinds[groups].blank, map[string]any{"name": "Support", "default": true}))
		},
		func() error {
			return put(memberships, groupID+1, with(f.kinds[memberships].blank, map[string]any{"user_id": int64(ownerID), "group_id": int64(groupID), "default": true}))
		},
		func() error {
			return put(brands, brandID, with(f.kinds[brands].blank, map[string]any{"name": "Acme", "brand_url": homeOfAll, "subdomain": "acme", "has_help_center": true, "help_center_state": "enabled", "default": true, "ticket_form_ids": []any{int64(formID)}}))
		},
	}
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	if err := f.beginRules(c, put); err != nil {
		return err
	}
	return f.beginServices(put)
}

func (f *Fake) beginRules(c *call, put func(string, int64, map[string]any) error) error {
	fields := []any{}
	for i, one := range []struct{ kind, title string }{
		{"subject", "Subject"}, {"description", "Description"}, {"status", "Status"}, {"tickettype", "Type"}, {"priority", "Priority"}, {"group", "Group"}, {"assignee", "Assignee"},
	} {
		n := int64(fieldsID + i)
		fields = append(fields, n)
		value := with(f.kinds[ticketFields].blank, map[string]any{
			"type": one.kind, "title": one.title, "raw_title": one.title, "title_in_portal": one.title, "raw_title_in_portal": one.title, "position": int64(i + 1), "removable": false,
			"visible_in_portal": i < 2, "editable_in_portal": i < 2, "required_in_portal": i < 2,
		})
		f.kinds[ticketFields].trim(value)
		if err := put(ticketFields, n, value); err != nil {
			return err
		}
	}
	form := with(f.kinds[ticketForms].blank, map[string]any{"name": "Default Ticket Form", "raw_name": "Default Ticket Form", "display_name": "Default Ticket Form", "raw_display_name": "Default Ticket Form", "end_user_visible": true, "position": int64(1), "default": true, "ticket_field_ids": fields})
	if err := put(ticketForms, formID, form); err != nil {
		return err
	}
	for i, one := range standardViews() {
		value := with(f.kinds[views].blank, map[string]any{"title": one.title, "raw_title": one.title, "position": int64(i + 1), "conditions": map[string]any{"all": one.all, "any": []any{}}})
		c.sayView(value, map[string]any{"output": map[string]any{"columns": []any{"subject", "requester", "created", "priority", "assignee"}, "sort_by": one.sort, "sort_order": "desc"}})
		if err := put(views, int64(viewsID+i), value); err != nil {
			return err
		}
	}
	for i, one := range standardMacros() {
		value := with(f.kinds[macros].blank, map[string]any{"title": one.title, "raw_title": one.title, "position": int64(i + 1), "actions": one.actions})
		if err := put(macros, int64(macrosID+i), value); err != nil {
			return err
		}
	}
	return nil
}

type standardView struct {
	title, sort string
	all         []any
}

func condition(field, operator, value string) any {
	return map[string]any{"field": field, "operator": operator, "value": value}
}

func standardViews() []standardView {
	unsolved := condition("status", "less_than", "solved")
	return []standardView{
		{"Your unsolved tickets", "updated", []any{unsolved, condition("assignee_id", "is", "current_user")}},
		{"Unassigned tickets", "created", []any{unsolved, condition("assignee_id", "is", "")}},
		{"All unsolved tickets", "updated", []any{unsolved}},
		{"Recently updated tickets", "updated", []any{condition("updated_at", "less_than", "24"), condition("status", "less_than", "closed")}},
		{"Pending tickets", "updated", []any{condition("status", "is", "pending")}},
		{"Recently solved tickets", "updated", []any{condition("status", "is", "solved")}},
	}
}

type standardMacro struct {
	title   string
	actions []any
}

func standardMacros() []standardMacro {
	action := func(field string, value any) any { return map[string]any{"field": field, "value": value} }
	return []standardMacro{
		{"Downgrade and inform", []any{action("priority", "low"), action("comment_value", "We are busier than usual at the moment. Your request keeps its place, and we will come back to you.")}},
		{"Customer not responding", []any{action("status", "pending"), action("comment_value", "We tried to reach you about this request and had no answer. Please tell us whether you still need help.")}},
		{"Take it!", []any{action("status", "open"), action("assignee_id", "current_user")}},
	}
}
