package zendesk

import "slices"

// A kind is what records of one collection have in common.
type kind struct {
	collection string
	one        string         // what bodies wrap it in
	path       string         // where it is found
	blank      map[string]any // a new one, before anything is said of it
	takes      []string       // fields that a client may set
	names      string         // the field that may not be blank; "": none
	raw        []string       // fields that have a raw_ twin
	unique     string         // the field that no two may share
}

const api = "/api/v2/"

func rules(more map[string]any) map[string]any {
	return with(map[string]any{
		"title": "", "raw_title": "", "active": true, "default": false, "position": int64(9999),
	}, more)
}

func field(more map[string]any) map[string]any {
	return with(map[string]any{
		"type": "text", "title": "", "raw_title": "", "description": "", "raw_description": "", "position": int64(9999), "active": true,
		"regexp_for_validation": nil, "tag": nil, "custom_field_options": []any{},
	}, more)
}

// kinds lists the kinds whose records are made, changed and deleted alike.
func kinds() map[string]kind {
	byName := map[string]kind{}
	for _, k := range slices.Concat(people(), rulesOfTickets(), fieldsAndForms(), brandsAndGuide(), rolesAndLevels(), channelsAndContent()) {
		byName[k.collection] = k
	}
	return byName
}

func people() []kind {
	return []kind{
		{
			collection: organizations, one: "organization", path: api + organizations, names: "name", unique: "name",
			takes: []string{"name", "external_id", "domain_names", "details", "notes", "group_id", "tags", "organization_fields", "shared_tickets", "shared_comments"},
			blank: map[string]any{
				"name": "", "shared_tickets": false, "shared_comments": false, "external_id": nil, "domain_names": []any{},
				"details": nil, "notes": nil, "group_id": nil, "tags": []any{}, "organization_fields": map[string]any{},
			},
		},
		{
			collection: groups, one: "group", path: api + groups, names: "name", unique: "name",
			takes: []string{"name", "description", "is_public", "default"},
			blank: map[string]any{"is_public": true, "name": "", "description": "", "default": false, "deleted": false},
		},
		{
			collection: memberships, one: "group_membership", path: api + memberships, takes: []string{"user_id", "group_id", "default"},
			blank: map[string]any{"user_id": int64(0), "group_id": int64(0), "default": false},
		},
		{
			collection: belongings, one: "organization_membership", path: api + belongings, takes: []string{"user_id", "organization_id", "default", "view_tickets"},
			blank: map[string]any{"user_id": int64(0), "organization_id": int64(0), "default": nil, "organization_name": nil, "view_tickets": false},
		},
	}
}

func rulesOfTickets() []kind {
	return []kind{
		{
			collection: views, one: "view", path: api + views, names: "title", raw: []string{"title"},
			takes: []string{"title", "active", "description", "position", "restriction"},
			blank: rules(map[string]any{"description": nil, "execution": map[string]any{}, "conditions": map[string]any{"all": []any{}, "any": []any{}}, "restriction": nil, "sla_id": nil, "watchable": true}),
		},
		{
			collection: macros, one: "macro", path: api + macros, names: "title", raw: []string{"title"},
			takes: []string{"title", "active", "description", "position", "actions", "restriction"},
			blank: rules(map[string]any{"description": nil, "actions": []any{}, "restriction": nil, "attachments": []any{}}),
		},
		{
			collection: triggers, one: "trigger", path: api + triggers, names: "title", raw: []string{"title"},
			takes: []string{"title", "active", "description", "position", "actions", "conditions", "category_id"},
			blank: rules(map[string]any{"description": nil, "category_id": "1", "actions": []any{}, "conditions": map[string]any{"all": []any{}, "any": []any{}}}),
		},
		{
			collection: automations, one: "automation", path: api + automations, names: "title", raw: []string{"title"},
			takes: []string{"title", "active", "position", "actions", "conditions"},
			blank: rules(map[string]any{"actions": []any{}, "conditions": map[string]any{"all": []any{}, "any": []any{}}}),
		},
	}
}

func fieldsAndForms() []kind {
	return []kind{
		{
			collection: ticketFields, one: "ticket_field", path: api + ticketFields, names: "title", raw: []string{"title", "description", "title_in_portal"},
			takes: []string{
				"type", "title", "description", "position", "active", "required", "collapsed_for_agents", "regexp_for_validation", "title_in_portal",
				"visible_in_portal", "editable_in_portal", "required_in_portal", "tag", "agent_description", "custom_field_options",
			},
			blank: field(map[string]any{
				"required": false, "collapsed_for_agents": false, "title_in_portal": "", "raw_title_in_portal": "", "visible_in_portal": false,
				"editable_in_portal": false, "required_in_portal": false, "removable": true, "key": nil, "agent_description": nil, "system_field_options": []any{},
			}),
		},
		{
			collection: ticketForms, one: "ticket_form", path: api + ticketForms, names: "name", raw: []string{"name", "display_name"},
			takes: []string{"name", "display_name", "end_user_visible", "position", "ticket_field_ids", "active", "default", "in_all_brands", "restricted_brand_ids", "end_user_conditions", "agent_conditions"},
			blank: map[string]any{
				"name": "", "raw_name": "", "display_name": "", "raw_display_name": "", "end_user_visible": false, "position": int64(9999), "ticket_field_ids": []any{},
				"active": true, "default": false, "in_all_brands": true, "restricted_brand_ids": []any{}, "end_user_conditions": []any{}, "agent_conditions": []any{},
			},
		},
		{
			collection: "user_fields", one: "user_field", path: api + "user_fields", names: "title", raw: []string{"title", "description"}, unique: "key",
			takes: []string{"key", "type", "title", "description", "position", "active", "regexp_for_validation", "tag", "custom_field_options"},
			blank: field(map[string]any{"key": "", "system": false}),
		},
		{
			collection: "organization_fields", one: "organization_field", path: api + "organization_fields", names: "title", raw: []string{"title", "description"}, unique: "key",
			takes: []string{"key", "type", "title", "description", "position", "active", "regexp_for_validation", "tag", "custom_field_options"},
			blank: field(map[string]any{"key": "", "system": false}),
		},
	}
}

func brandsAndGuide() []kind {
	return []kind{
		{
			collection: brands, one: "brand", path: api + brands, names: "name", unique: "subdomain",
			takes: []string{"name", "subdomain", "brand_url", "host_mapping", "active", "default", "ticket_form_ids", "signature_template", "logo"},
			blank: map[string]any{
				"name": "", "brand_url": "", "subdomain": "", "host_mapping": nil, "has_help_center": false, "help_center_state": "disabled", "active": true,
				"default": false, "is_deleted": false, "logo": nil, "ticket_form_ids": []any{}, "signature_template": "{{agent.signature}}",
			},
		},
		{
			collection: sections, one: "section", path: api + "help_center/en-us/sections", names: "name",
			takes: []string{"name", "description", "position", "sorting", "category_id", "parent_section_id", "locale"},
			blank: map[string]any{
				"html_url": "", "category_id": int64(0), "position": int64(0), "sorting": "manual", "name": "", "description": "", "locale": "en-us",
				"source_locale": "en-us", "outdated": false, "parent_section_id": nil, "theme_template": "section_page",
			},
		},
		{
			collection: categories, one: "category", path: api + "help_center/en-us/categories", names: "name",
			takes: []string{"name", "description", "position", "locale"},
			blank: map[string]any{"html_url": "", "position": int64(0), "name": "", "description": "", "locale": "en-us", "source_locale": "en-us", "outdated": false},
		},
	}
}
