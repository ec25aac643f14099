package hubspot

// builtinsMore are the properties of types that builtins leaves out.
var builtinsMore = map[string]string{
	"communications": `
hs_communication_channel_type|Channel Type|enumeration: WHATS_APP, LINKEDIN_MESSAGE, SMS
hs_communication_logged_from|Logged From|enumeration: CRM
hs_communication_body|Communication Body|textarea
hs_timestamp|Activity date|datetime
hs_attachment_ids|Attached file IDs|enumeration external multiple
hs_body_preview|Body preview|string ro
`,
	"postal_mail": `
hs_postal_mail_body|Body|textarea
hs_timestamp|Activity date|datetime
hs_attachment_ids|Attached file IDs|enumeration external multiple
hs_body_preview|Body preview|string ro
`,
	"leads": `
hs_lead_name|Lead name|string
hs_lead_type|Lead type|enumeration: NEW_BUSINESS, RE_ENGAGING, RE_ATTEMPTING, UPSELL, REFERRAL
hs_lead_label|Lead label|enumeration: WARM, HOT, COLD
hs_lead_source|Lead source|enumeration external
hs_pipeline|Pipeline|enumeration external
hs_pipeline_stage|Pipeline stage|enumeration external
`,
	"feedback_submissions": `
hs_submission_name|Submission name|string
hs_content|Response|textarea
hs_survey_type|Survey type|enumeration external
hs_survey_name|Survey name|string
hs_response_group|Response group|enumeration external
hs_value|Rating|number
hs_submission_timestamp|Date submitted|datetime
`,
	"goal_targets": `
hs_goal_name|Goal name|string
hs_target_amount|Target amount|number
hs_start_datetime|Start date|datetime
hs_end_datetime|End date|datetime
hs_created_by_user_id|Created by|number ro
`,
	"appointments": `
hs_appointment_name|Appointment name|string
hs_appointment_start|Start|datetime
hs_appointment_end|End|datetime
hs_appointment_status|Status|enumeration external
`,
	"courses": `
hs_course_id|Course ID|string
hs_course_name|Course name|string
hs_enrollment_capacity|Enrollment capacity|number
`,
	"listings": `
hs_name|Name|string
hs_price|Price|number
hs_address_1|Address|string
hs_city|City|string
hs_zip|Postal code|string
hs_bedrooms|Bedrooms|number
hs_bathrooms|Bathrooms|number
hs_listing_type|Type|enumeration external
`,
	"services": `
hs_name|Name|string
hs_category|Category|enumeration external
hs_pipeline|Pipeline|enumeration external
hs_pipeline_stage|Pipeline stage|enumeration external
hs_start_date|Start date|datetime
hs_target_end_date|Target end date|datetime
`,
	"orders": `
hs_order_name|Order name|string
hs_currency_code|Currency|enumeration external
hs_external_order_id|External order ID|string
hs_external_order_status|External order status|string
hs_fulfillment_status|Fulfillment status|string
hs_total_price|Total price|number
hs_source_store|Source store|string
hs_shipping_address_city|Shipping city|string
hs_shipping_address_street|Shipping street|string
hs_pipeline|Pipeline|enumeration external
hs_pipeline_stage|Pipeline stage|enumeration external
`,
	"carts": `
hs_cart_name|Cart name|string
hs_cart_url|Cart URL|string
hs_currency_code|Currency|enumeration external
hs_external_cart_id|External cart ID|string
hs_external_status|External status|string
hs_source_store|Source store|string
hs_total_price|Total price|number
`,
	"invoices": `
hs_title|Title|string
hs_number|Number|string
hs_currency|Currency|enumeration external
hs_invoice_date|Invoice date|datetime
hs_due_date|Due date|datetime
hs_invoice_status|Status|enumeration: draft, open, paid, voided
hs_amount_billed|Amount billed|number
hs_balance_due|Balance due|number
`,
	"commerce_payments": `
hs_initial_amount|Gross amount|number
hs_currency_code|Currency|enumeration external
hs_latest_status|Status|enumeration external
hs_reference_number|Reference number|string
hs_customer_email|Customer email|string
hs_initiated_date|Payment date|datetime
`,
	"subscriptions": `
hs_name|Name|string
hs_status|Status|enumeration external
hs_currency_code|Currency|enumeration external
hs_recurring_billing_start_date|Start date|datetime
hs_next_payment_due_date|Next payment due date|datetime
`,
	"discounts": `
hs_label|Label|string
hs_type|Type|enumeration: PERCENT, FIXED
hs_value|Value|number
hs_duration|Duration|enumeration external
hs_sort_order|Sort order|number
`,
	"fees": `
hs_label|Label|string
hs_type|Type|enumeration: PERCENT, FIXED
hs_value|Value|number
`,
	"taxes": `
hs_label|Label|string
hs_type|Type|enumeration: PERCENT, FIXED
hs_value|Value|number
`,
}
