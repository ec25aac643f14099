package zendesk

// Collections of which little is known but their fields.
const (
	customRoles        = "custom_roles"
	targets            = "targets"
	recipientAddresses = "recipient_addresses"
	orgSubscriptions   = "organization_subscriptions"
	dynamicContent     = "dynamic_content_items"
	sharingAgreements  = "sharing_agreements"
	bookmarks          = "bookmarks"
	topics             = "topics"
	posts              = "posts"
	userSegments       = "user_segments"
	permissionGroups   = "permission_groups"
)

func rolesAndLevels() []kind {
	return []kind{
		{
			collection: customStatuses, one: "custom_status", path: api + customStatuses, names: "agent_label", raw: []string{"agent_label", "end_user_label", "description", "end_user_description"},
			takes: []string{"status_category", "agent_label", "end_user_label", "description", "end_user_description", "active"},
			blank: map[string]any{"status_category": "open", "agent_label": "", "end_user_label": nil, "description": nil, "end_user_description": nil, "active": true, "default": false},
		},
		{
			collection: customRoles, one: "custom_role", path: api + customRoles, names: "name", unique: "name", takes: []string{"name", "description"},
			blank: map[string]any{"name": "", "description": nil, "role_type": int64(0), "team_member_count": int64(0), "configuration": roleConfiguration()},
		},
		{
			collection: slaPolicies, one: "sla_policy", path: api + "slas/policies", names: "title", takes: []string{"title", "description", "position", "filter", "policy_metrics"},
			blank: map[string]any{"title": "", "description": nil, "position": int64(9999), "filter": map[string]any{"all": []any{}, "any": []any{}}, "policy_metrics": []any{}},
		},
	}
}

// roleConfiguration is what agents of a new custom role may do.
// Source: developer.zendesk.com/api-reference/ticketing/account-configuration/custom_roles.
func roleConfiguration() map[string]any {
	out := map[string]any{
		"end_user_profile_access": "readonly", "explore_access": "readonly", "forum_access": "readonly", "macro_access": "readonly", "report_access": "none",
		"ticket_access": "assigned-only", "ticket_comment_access": "none", "user_view_access": "none", "view_access": "readonly", "voice_dashboard_access": false, "end_user_list_access": "none", "custom_objects": map[string]any{},
	}
	for _, may := range []string{
		"chat_access", "light_agent", "manage_business_rules", "manage_dynamic_content", "manage_extensions_and_channels", "manage_facebook", "twitter_search_access", "moderate_forums", "organization_editing",
		"organization_notes_editing", "side_conversation_create", "ticket_deletion", "ticket_editing", "ticket_merge", "ticket_tag_editing", "view_deleted_tickets", "voice_access", "group_access",
		"manage_roles", "manage_team_members", "ticket_redaction", "assign_tickets_to_any_group", "forum_access_restricted_content",
	} {
		out[may] = false
	}
	return out
}

func channelsAndContent() []kind {
	return []kind{
		{
			collection: targets, one: "target", path: api + targets, names: "title", takes: []string{"type", "title", "active", "email", "subject", "target_url", "method", "username", "attribute", "content_type"},
			blank: map[string]any{"type": "", "title": "", "active": true},
		},
		{
			collection: recipientAddresses, one: "recipient_address", path: api + recipientAddresses, names: "email", unique: "email", takes: []string{"name", "email", "default", "brand_id"},
			blank: map[string]any{
				"name": nil, "email": "", "default": nil, "brand_id": int64(brandID), "cname_status": "unknown", "dns_results": "unknown", "domain_verification_code": nil,
				"domain_verification_status": "failed", "forwarding_status": "waiting", "spf_status": "failed",
			},
		},
		{
			collection: orgSubscriptions, one: "organization_subscription", path: api + orgSubscriptions, takes: []string{"user_id", "organization_id"},
			blank: map[string]any{"user_id": int64(0), "organization_id": int64(0)},
		},
		{
			collection: dynamicContent, one: "item", path: api + "dynamic_content/items", names: "name", unique: "name", takes: []string{"name", "default_locale_id"},
			blank: map[string]any{"name": "", "placeholder": "", "default_locale_id": int64(1), "outdated": false, "variants": []any{}},
		},
		{
			collection: topics, one: "topic", path: api + "help_center/community/topics", names: "name", takes: []string{"name", "description", "position", "manageable_by", "user_segment_id"},
			blank: map[string]any{"html_url": "", "name": "", "description": nil, "position": int64(0), "follower_count": int64(0), "community_id": int64(360000000801), "manageable_by": "staff", "user_segment_id": nil},
		},
		{
			collection: posts, one: "post", path: api + "community/posts", names: "title", takes: []string{"title", "details", "author_id", "topic_id", "status", "pinned", "featured", "closed", "content_tag_ids"},
			blank: map[string]any{
				"html_url": "", "title": "", "details": nil, "author_id": int64(ownerID), "topic_id": nil, "status": "none", "pinned": false, "featured": false, "closed": false, "non_author_editor_id": nil,
				"non_author_updated_at": nil, "content_tag_ids": []any{}, "vote_sum": int64(0), "vote_count": int64(0), "comment_count": int64(0), "follower_count": int64(0),
			},
		},
		{
			collection: userSegments, one: "user_segment", path: api + "help_center/user_segments", names: "name", takes: []string{"name", "user_type", "group_ids", "organization_ids", "tags", "or_tags", "added_user_ids"},
			blank: map[string]any{"name": "", "user_type": "signed_in_users", "group_ids": []any{}, "organization_ids": []any{}, "tags": []any{}, "or_tags": []any{}, "added_user_ids": []any{}, "built_in": false},
		},
		{
			collection: permissionGroups, one: "permission_group", path: api + "guide/permission_groups", names: "name", takes: []string{"name", "edit", "publish"},
			blank: map[string]any{"name": "", "edit": []any{}, "publish": []any{}, "built_in": false},
		},
	}
}

// moreHandlers answer for kinds of which each can be listed, shown, made, changed
// and deleted alike.
func moreHandlers() map[string]handler {
	h := map[string]handler{"ListSharingAgreements": listAll(sharingAgreements)}
	for _, one := range []struct{ collection, single, many, parameter, under string }{
		{customRoles, "CustomRole", "CustomRoles", "custom_role_id", ""},
		{targets, "Target", "Targets", "target_id", ""},
		{recipientAddresses, "RecipientAddress", "SupportAddresses", "recipient_address_id", ""},
		{orgSubscriptions, "OrganizationSubscription", "OrganizationSubscriptions", "organization_subscription_id", ""},
		{dynamicContent, "DynamicContent", "DynamicContents", "dynamic_content_item_id", "items"},
		{topics, "Topic", "Topics", "topic_id", ""},
		{posts, "Post", "Posts", "post_id", ""},
		{userSegments, "UserSegment", "UserSegments", "user_segment_id", ""},
		{permissionGroups, "PermissionGroup", "PermissionGroups", "permission_group_id", ""},
	} {
		h["List"+one.many] = listUnder(one.collection, one.under)
		h["Create"+one.single] = createPlain(one.collection)
		h["Show"+one.single] = showPlain(one.collection, one.parameter)
		h["Update"+one.single] = updatePlain(one.collection, one.parameter)
		h["Delete"+one.single] = deletePlain(one.collection, one.parameter)
	}
	delete(h, "UpdateOrganizationSubscription")
	return h
}

// listUnder lists a collection under a name of its own.
func listUnder(collection, under string) handler {
	return func(c *call) (answer, *refusal) { return c.list(listing{collection: collection, under: under}) }
}
