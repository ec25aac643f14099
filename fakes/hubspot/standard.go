package hubspot

// crmTypes are the types at the heart of the CRM.
func crmTypes() []*objectType {
	return []*objectType{
		{
			name: "contacts", singular: "contact", id: "0-1", created: "createdate", modified: "lastmodifieddate",
			defaults: []string{"createdate", "email", "firstname", "hs_object_id", "lastmodifieddate", "lastname"},
			searched: []string{"firstname", "lastname", "email", "phone", "hs_additional_emails", "fax", "mobilephone", "company"},
		},
		{
			name: "companies", singular: "company", id: "0-2", created: "createdate", modified: "hs_lastmodifieddate",
			defaults: []string{"createdate", "domain", "hs_lastmodifieddate", "hs_object_id", "name"},
			searched: []string{"website", "phone", "name", "domain"},
		},
		{
			name: "deals", singular: "deal", id: "0-3", created: "createdate", modified: "hs_lastmodifieddate", pipeline: "pipeline", stage: "dealstage",
			defaults: []string{"amount", "closedate", "createdate", "dealname", "dealstage", "hs_lastmodifieddate", "hs_object_id", "pipeline"},
			searched: []string{"dealname", "pipeline", "dealstage", "description", "dealtype"},
		},
		{
			name: "tickets", singular: "ticket", id: "0-5", created: "createdate", modified: "hs_lastmodifieddate", pipeline: "hs_pipeline", stage: "hs_pipeline_stage",
			required: []string{"hs_pipeline_stage"},
			defaults: []string{"content", "createdate", "hs_lastmodifieddate", "hs_object_id", "hs_pipeline", "hs_pipeline_stage", "hs_ticket_category", "hs_ticket_priority", "subject"},
			searched: []string{"subject", "content", "hs_pipeline_stage", "hs_ticket_category", "hs_ticket_id"},
		},
		{name: "users", singular: "user", id: "0-115", defaults: shownByDefault(), searched: []string{"hs_email", "hs_given_name", "hs_family_name"}},
		{
			name: "leads", singular: "lead", id: "0-136", pipeline: "hs_pipeline", stage: "hs_pipeline_stage", required: []string{"hs_lead_name"},
			defaults: shownByDefault(), searched: []string{"hs_lead_name", "hs_lead_label", "hs_lead_type"},
		},
		{name: "feedback_submissions", singular: "feedback_submission", id: "0-19", defaults: shownByDefault(), searched: []string{"hs_submission_name", "hs_content"}},
		{name: "goal_targets", singular: "goal_target", id: "0-74", defaults: shownByDefault(), searched: []string{"hs_goal_name"}},
		{name: "appointments", singular: "appointment", id: "0-421", defaults: shownByDefault(), searched: []string{"hs_appointment_name"}},
		{name: "courses", singular: "course", id: "0-410", defaults: shownByDefault(), searched: []string{"hs_course_name", "hs_course_id"}},
		{name: "listings", singular: "listing", id: "0-420", defaults: shownByDefault(), searched: []string{"hs_name", "hs_address_1", "hs_city", "hs_zip"}},
		{name: "services", singular: "service", id: "0-162", defaults: shownByDefault(), searched: []string{"hs_name"}},
	}
}

// shownByDefault are the properties that most types show unless others are asked for.
func shownByDefault() []string {
	return []string{"hs_createdate", "hs_lastmodifieddate", "hs_object_id"}
}

// activityTypes are what is done with records: on a timeline, HubSpot calls them
// engagements.
func activityTypes() []*objectType {
	at := []string{"hs_timestamp"}
	return []*objectType{
		{name: "notes", singular: "note", id: "0-46", required: at, defaults: shownByDefault(), searched: []string{"hs_note_body"}},
		{name: "tasks", singular: "task", id: "0-27", required: at, defaults: shownByDefault(), searched: []string{"hs_task_body", "hs_task_subject"}},
		{name: "calls", singular: "call", id: "0-48", required: at, defaults: shownByDefault(), searched: []string{"hs_call_body", "hs_call_title"}},
		{name: "emails", singular: "email", id: "0-49", required: at, defaults: shownByDefault(), searched: []string{"hs_email_subject"}},
		{name: "meetings", singular: "meeting_event", id: "0-47", required: at, defaults: shownByDefault(), searched: []string{"hs_meeting_title", "hs_meeting_body"}},
		{name: "communications", singular: "communication", id: "0-18", required: at, defaults: shownByDefault(), searched: []string{"hs_communication_body"}},
		{name: "postal_mail", singular: "postal_mail", id: "0-116", required: at, defaults: shownByDefault(), searched: []string{"hs_postal_mail_body"}},
	}
}

// commerceTypes are what is offered and sold.
func commerceTypes() []*objectType {
	return []*objectType{
		{
			name: "products", singular: "product", id: "0-7", created: "createdate", modified: "hs_lastmodifieddate",
			defaults: []string{"createdate", "description", "hs_lastmodifieddate", "hs_object_id", "name", "price"}, searched: []string{"name", "description", "price", "hs_sku"},
		},
		{
			name: "line_items", singular: "line_item", id: "0-8", created: "createdate", modified: "hs_lastmodifieddate",
			defaults: []string{"amount", "createdate", "hs_lastmodifieddate", "hs_object_id", "hs_product_id", "quantity"}, searched: []string{"name"},
		},
		{
			name: "quotes", singular: "quote", id: "0-14",
			defaults: []string{"hs_createdate", "hs_expiration_date", "hs_lastmodifieddate", "hs_object_id", "hs_public_url_key", "hs_status", "hs_title"}, searched: []string{"hs_title"},
		},
		{
			name: "orders", singular: "order", id: "0-123", pipeline: "hs_pipeline", stage: "hs_pipeline_stage",
			defaults: shownByDefault(), searched: []string{"hs_order_name", "hs_external_order_id"},
		},
		{name: "carts", singular: "cart", id: "0-142", defaults: shownByDefault(), searched: []string{"hs_cart_name", "hs_external_cart_id"}},
		{name: "invoices", singular: "invoice", id: "0-53", defaults: shownByDefault(), searched: []string{"hs_title", "hs_number"}},
		{name: "commerce_payments", singular: "commerce_payment", id: "0-101", defaults: shownByDefault(), searched: []string{"hs_reference_number"}},
		{name: "subscriptions", singular: "subscription", id: "0-69", defaults: shownByDefault(), searched: []string{"hs_name"}},
		{name: "discounts", singular: "discount", id: "0-84", defaults: shownByDefault(), searched: []string{"hs_label"}},
		{name: "fees", singular: "fee", id: "0-85", defaults: shownByDefault(), searched: []string{"hs_label"}},
		{name: "taxes", singular: "tax", id: "0-86", defaults: shownByDefault(), searched: []string{"hs_label"}},
	}
}
