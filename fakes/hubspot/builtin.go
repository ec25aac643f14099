package hubspot

// builtins are the properties of one type each: name, label, type and marks.
var builtins = map[string]string{
	"contacts": `
email|Email|string
firstname|First Name|string
lastname|Last Name|string
phone|Phone Number|phone
mobilephone|Mobile Phone Number|phone
fax|Fax Number|phone
company|Company Name|string
jobtitle|Job Title|string
website|Website URL|string
address|Street Address|string
city|City|string
state|State/Region|string
zip|Postal Code|string
country|Country/Region|string
salutation|Salutation|string
message|Message|textarea
industry|Industry|string
annualrevenue|Annual Revenue|string
numemployees|Number of Employees|enumeration: 1-5, 5-25, 25-50, 50-100, 100-500, 500-1000, 1000+
lifecyclestage|Lifecycle Stage|enumeration: subscriber, lead, marketingqualifiedlead, salesqualifiedlead, opportunity, customer, evangelist, other
hs_lead_status|Lead Status|enumeration: NEW, OPEN, IN_PROGRESS, OPEN_DEAL, UNQUALIFIED, ATTEMPTED_TO_CONTACT, CONNECTED, BAD_TIMING
hs_language|Preferred language|enumeration external
hs_timezone|Time Zone|enumeration external
hs_persona|Persona|enumeration external
hs_buying_role|Buying Role|enumeration multiple: BLOCKER, BUDGET_HOLDER, CHAMPION, DECISION_MAKER, END_USER, EXECUTIVE_SPONSOR, INFLUENCER, LEGAL_AND_COMPLIANCE, OTHER
hs_legal_basis|Legal basis for processing contact's data|enumeration multiple external
hs_marketable_status|Marketing contact status|enumeration ro external
hs_marketable_until_renewal|Marketing contact until next update|enumeration ro external
hs_additional_emails|Additional email addresses|enumeration ro external multiple
hs_all_contact_vids|All vids for a contact|enumeration ro external multiple
hs_calculated_merged_vids|Merged vids with timestamps of a contact|enumeration ro external multiple
hs_email_domain|Email Domain|string ro
hs_email_optout|Unsubscribed from all email|enumeration: true, false
hs_is_contact|Is a contact|bool ro
hs_is_unworked|Contact unworked|bool ro
hs_currently_enrolled_in_prospecting_agent|Currently enrolled in Prospecting Agent|bool ro
hs_lifecyclestage_subscriber_date|Became a Subscriber Date|datetime
hs_lifecyclestage_lead_date|Became a Lead Date|datetime
hs_lifecyclestage_marketingqualifiedlead_date|Became a Marketing Qualified Lead Date|datetime
hs_lifecyclestage_salesqualifiedlead_date|Became a Sales Qualified Lead Date|datetime
hs_lifecyclestage_opportunity_date|Became an Opportunity Date|datetime
hs_lifecyclestage_customer_date|Became a Customer Date|datetime
hs_lifecyclestage_evangelist_date|Became an Evangelist Date|datetime
hs_lifecyclestage_other_date|Became an Other Lifecycle Date|datetime
hs_membership_has_accessed_private_content|Has accessed private content|number ro
hs_registered_member|Registered member|number ro
hs_pipeline|Pipeline|enumeration ro external
hs_searchable_calculated_phone_number|Calculated phone number without country code|string ro
hs_searchable_calculated_mobile_number|Calculated mobile number without country code|string ro
hs_calculated_phone_number|Calculated phone number with country code|string ro
hs_full_name_or_email|Full name or email|string ro
hs_linkedin_url|LinkedIn URL|string
hs_content_membership_status|Status|enumeration external
hs_latest_source|Latest Traffic Source|enumeration ro external
hs_analytics_source|Original Traffic Source|enumeration external
hs_analytics_source_data_1|Original Traffic Source Drill-Down 1|string ro
hs_analytics_source_data_2|Original Traffic Source Drill-Down 2|string ro
hs_analytics_num_page_views|Number of Pageviews|number ro
hs_analytics_num_visits|Number of Sessions|number ro
hs_analytics_num_event_completions|Number of event completions|number ro
hs_analytics_average_page_views|Average Pageviews|number ro
hs_analytics_revenue|Event Revenue|number ro
hs_analytics_first_url|First Page Seen|string ro
hs_analytics_last_url|Last Page Seen|string ro
hs_analytics_first_referrer|First Referring Site|string ro
hs_analytics_last_referrer|Last Referring Site|string ro
hs_analytics_first_timestamp|Time First Seen|datetime ro
hs_analytics_first_visit_timestamp|Time of First Session|datetime ro
hs_analytics_last_timestamp|Time Last Seen|datetime ro
hs_predictivecontactscore_v2|Likelihood to close|number ro
hs_predictivescoringtier|Contact priority|enumeration ro external
hubspotscore|HubSpot Score|number ro
hs_sales_email_last_replied|Recent Sales Email Replied Date|datetime ro
hs_email_last_open_date|Last marketing email open date|datetime ro
hs_email_last_click_date|Last marketing email click date|datetime ro
associatedcompanyid|Primary Associated Company ID|number
closedate|Close Date|datetime
createdate|Create Date|datetime
lastmodifieddate|Last Modified Date|datetime ro
days_to_close|Days To Close|number ro
first_conversion_date|First Conversion Date|datetime ro
first_conversion_event_name|First Conversion|string ro
recent_conversion_date|Recent Conversion Date|datetime ro
recent_conversion_event_name|Recent Conversion|string ro
num_conversion_events|Number of Form Submissions|number ro
num_unique_conversion_events|Number of Unique Forms Submitted|number ro
num_associated_deals|Number of Associated Deals|number ro
num_contacted_notes|Number of times contacted|number ro
num_notes|Number of Sales Activities|number ro
notes_last_contacted|Last Contacted|datetime ro
notes_last_updated|Last Activity Date|datetime ro
notes_next_activity_date|Next Activity Date|datetime ro
recent_deal_amount|Recent Deal Amount|number ro
recent_deal_close_date|Recent Deal Close Date|datetime ro
total_revenue|Total Revenue|number ro
twitterhandle|Twitter Username|string
gender|Gender|string
date_of_birth|Date of birth|string
degree|Degree|string
field_of_study|Field of study|string
school|School|string
seniority|Seniority|string
start_date|Start date|string
graduation_date|Graduation date|string
job_function|Job function|string
marital_status|Marital Status|string
military_status|Military status|string
relationship_status|Relationship Status|string
work_email|Work email|string
company_size|Company size|string
followercount|Follower Count|number
linkedinbio|LinkedIn Bio|string
linkedinconnections|LinkedIn Connections|number
kloutscoregeneral|Klout Score|number
twitterbio|Twitter Bio|string
twitterprofilephoto|Twitter Profile Photo|string
photo|Photo|string
ip_city|IP City|string ro
ip_country|IP Country|string ro
ip_state|IP State/Region|string ro
`,
	"companies": `
name|Company name|string
domain|Company Domain Name|string
website|Website URL|string
phone|Phone Number|phone
address|Street Address|string
address2|Street Address 2|string
city|City|string
state|State/Region|string
zip|Postal Code|string
country|Country/Region|string
timezone|Time Zone|string
description|Description|textarea
about_us|About Us|textarea
industry|Industry|enumeration: ACCOUNTING, AUTOMOTIVE, BANKING, BIOTECHNOLOGY, COMPUTER_HARDWARE, COMPUTER_SOFTWARE, CONSTRUCTION, CONSUMER_GOODS, DESIGN, EDUCATION_MANAGEMENT, ENTERTAINMENT, FINANCIAL_SERVICES, FOOD_BEVERAGES, HEALTH_WELLNESS_AND_FITNESS, HIGHER_EDUCATION, HOSPITAL_HEALTH_CARE, HOSPITALITY, HUMAN_RESOURCES, INFORMATION_TECHNOLOGY_AND_SERVICES, INSURANCE, INTERNET, LAW_PRACTICE, LEGAL_SERVICES, LOGISTICS_AND_SUPPLY_CHAIN, MANAGEMENT_CONSULTING, MARKETING_AND_ADVERTISING, MEDICAL_DEVICES, NON_PROFIT_ORGANIZATION_MANAGEMENT, OIL_ENERGY, PHARMACEUTICALS, REAL_ESTATE, RESEARCH, RESTAURANTS, RETAIL, STAFFING_AND_RECRUITING, TELECOMMUNICATIONS, TRANSPORTATION_TRUCKING_RAILROAD, UTILITIES, WHOLESALE
numberofemployees|Number of Employees|number
annualrevenue|Annual Revenue|number
founded_year|Year Founded|string
is_public|Is Public|bool
type|Type|enumeration: PROSPECT, PARTNER, RESELLER, VENDOR, OTHER
lifecyclestage|Lifecycle Stage|enumeration: subscriber, lead, marketingqualifiedlead, salesqualifiedlead, opportunity, customer, evangelist, other
hs_lead_status|Lead Status|enumeration: NEW, OPEN, IN_PROGRESS, OPEN_DEAL, UNQUALIFIED, ATTEMPTED_TO_CONTACT, CONNECTED, BAD_TIMING
hs_ideal_customer_profile|Ideal Customer Profile Tier|enumeration: tier_1, tier_2, tier_3
hs_pipeline|Pipeline|enumeration ro external
hs_parent_company_id|Parent Company|number ro
hs_num_child_companies|Number of child companies|number ro
hs_num_open_deals|Number of open deals|number ro
hs_num_contacts_with_buying_roles|Number of contacts with a buying role|number ro
hs_num_decision_makers|Number of decision makers|number ro
hs_additional_domains|Additional Domains|enumeration ro external multiple
hs_target_account|Target Account|enumeration external
hs_is_target_account|Target Account|bool
hs_analytics_source|Original Traffic Source|enumeration external
createdate|Create Date|datetime
closedate|Close Date|datetime
days_to_close|Days to Close|number ro
num_associated_contacts|Number of Associated Contacts|number ro
num_associated_deals|Number of Associated Deals|number ro
num_contacted_notes|Number of times contacted|number ro
num_notes|Number of Sales Activities|number ro
notes_last_contacted|Last Contacted|datetime ro
notes_last_updated|Last Activity Date|datetime ro
notes_next_activity_date|Next Activity Date|datetime ro
recent_deal_amount|Recent Deal Amount|number ro
recent_deal_close_date|Recent Deal Close Date|datetime ro
first_contact_createdate|First Contact Create Date|datetime ro
total_money_raised|Total Money Raised|string
total_revenue|Total Revenue|number ro
twitterhandle|Twitter Handle|string
twitterbio|Twitter Bio|string
twitterfollowers|Twitter Followers|number
facebook_company_page|Facebook Company Page|string
facebookfans|Facebook Fans|number
googleplus_page|Google Plus Page|string
linkedin_company_page|LinkedIn Company Page|string
linkedinbio|LinkedIn Bio|string
web_technologies|Web Technologies|enumeration external multiple
`,
	"deals": `
dealname|Deal Name|string
dealstage|Deal Stage|enumeration external
pipeline|Pipeline|enumeration external
amount|Amount|number
amount_in_home_currency|Amount in company currency|number ro
closedate|Close Date|datetime
createdate|Create Date|datetime
dealtype|Deal Type|enumeration: newbusiness, existingbusiness
description|Deal Description|textarea
closed_lost_reason|Closed Lost Reason|textarea
closed_won_reason|Closed Won Reason|textarea
deal_currency_code|Currency|enumeration external
days_to_close|Days to close|number ro
hs_priority|Priority|enumeration: low, medium, high
hs_next_step|Next step|string
hs_forecast_amount|Forecast amount|number
hs_forecast_probability|Forecast probability|number
hs_manual_forecast_category|Forecast category|enumeration: OMIT, PIPELINE, BEST_CASE, COMMIT, CLOSED
hs_acv|Annual contract value|number
hs_arr|Annual recurring revenue|number
hs_mrr|Monthly recurring revenue|number
hs_tcv|Total contract value|number
hs_closed_amount|Closed Deal Amount|number ro
hs_closed_amount_in_home_currency|Closed Deal Amount In Home Currency|number ro
hs_closed_won_count|Closed Won Count|number ro
hs_closed_won_date|Closed Won Date|datetime ro
hs_days_to_close_raw|Days to close (Without rounding)|number ro
hs_deal_stage_probability|Deal probability|number
hs_deal_stage_probability_shadow|Deal stage probability shadow|number ro
hs_is_closed|Is Deal Closed?|bool ro
hs_is_closed_count|Is closed (numeric)|number ro
hs_is_closed_lost|Is Closed Lost|bool ro
hs_is_closed_won|Is Closed Won|bool ro
hs_is_deal_split|Is Deal Split|bool ro
hs_is_open_count|Is open (numeric)|number ro
hs_projected_amount|Projected Deal Amount|number ro
hs_projected_amount_in_home_currency|Projected Deal Amount in Home Currency|number ro
hs_num_of_associated_line_items|Number of associated line items|number ro
num_associated_contacts|Number of Associated Contacts|number ro
num_contacted_notes|Number of times contacted|number ro
num_notes|Number of Sales Activities|number ro
notes_last_contacted|Last Contacted|datetime ro
notes_last_updated|Last Activity Date|datetime ro
notes_next_activity_date|Next Activity Date|datetime ro
`,
	"tickets": `
subject|Ticket name|string
content|Ticket description|textarea
hs_pipeline|Pipeline|enumeration external
hs_pipeline_stage|Ticket status|enumeration external
hs_ticket_priority|Priority|enumeration: LOW, MEDIUM, HIGH, URGENT
hs_ticket_category|Category|enumeration multiple: PRODUCT_ISSUE, BILLING_ISSUE, FEATURE_REQUEST, GENERAL_INQUIRY
hs_ticket_id|Ticket ID|number ro
hs_resolution|Resolution|enumeration: ISSUE_FIXED, FEATURE_REQUEST_TRACKED, WONT_DO, NOT_REPRODUCIBLE, DUPLICATE
hs_num_times_contacted|Number of times contacted|number ro
hs_last_message_received_at|Last message received date|datetime ro
hs_is_visible_in_help_desk|Visible in help desk|bool ro
hs_in_helpdesk|Is in help desk|bool ro
source_type|Source|enumeration: CHAT, EMAIL, FORM, PHONE
created_by|Created by|number ro
createdate|Create date|datetime
closed_date|Close date|datetime
first_agent_reply_date|First agent email response date|datetime
last_reply_date|Last customer reply date|datetime
time_to_close|Time to close|number
time_to_first_agent_reply|Time to first agent email reply|number
num_notes|Number of Sales Activities|number ro
notes_last_contacted|Last Contacted|datetime ro
notes_last_updated|Last activity date|datetime ro
notes_next_activity_date|Next activity date|datetime ro
`,
	"notes": `
hs_note_body|Note body|textarea
hs_timestamp|Activity date|datetime
hs_attachment_ids|Attached file IDs|enumeration external multiple
hs_body_preview|Body preview|string ro
hs_body_preview_html|HTML Body Preview|string ro
hs_body_preview_is_truncated|Body Preview Truncated|bool ro
hs_engagement_source|Engagement Source|enumeration external
hs_activity_type|Activity type|enumeration external
`,
	"tasks": `
hs_task_subject|Task Title|string
hs_task_body|Task Notes|textarea
hs_task_status|Task Status|enumeration: NOT_STARTED, IN_PROGRESS, WAITING, COMPLETED, DEFERRED
hs_task_priority|Priority|enumeration: NONE, LOW, MEDIUM, HIGH
hs_task_type|Task Type|enumeration: TODO, EMAIL, CALL, LINKED_IN, LINKED_IN_CONNECT, LINKED_IN_MESSAGE, MEETING
hs_timestamp|Due date|datetime
hs_task_reminders|Reminders|string
hs_task_completion_date|Completed at|datetime
hs_task_completion_count|Count of completed tasks|number ro
hs_task_family|Task family|enumeration: SALES, CSI
hs_task_for_object_type|For object type|enumeration external
hs_task_is_all_day|All day|bool
hs_task_is_completed|Is completed (numeric)|number ro
hs_task_is_overdue|Is overdue|bool ro
hs_task_is_past_due_date|Is past due date|bool ro
hs_task_missed_due_date|Missed due date|bool ro
hs_task_missed_due_date_count|Count of missed due date tasks|number ro
hs_queue_membership_ids|Queue|enumeration external multiple
hs_body_preview|Body preview|string ro
hs_body_preview_html|HTML Body Preview|string ro
hs_body_preview_is_truncated|Body Preview Truncated|bool ro
hs_engagement_source|Engagement Source|enumeration external
`,
	"calls": `
hs_call_title|Call title|string
hs_call_body|Call notes|textarea
hs_call_direction|Call direction|enumeration: INBOUND, OUTBOUND
hs_call_disposition|Call outcome|enumeration external
hs_call_duration|Call duration|number
hs_call_from_number|From number|string
hs_call_to_number|To number|string
hs_call_recording_url|Recording URL|string
hs_call_status|Call status|enumeration: BUSY, CALLING_CRM_USER, CANCELED, COMPLETED, CONNECTING, FAILED, IN_PROGRESS, MISSED, NO_ANSWER, QUEUED, RINGING
hs_call_callee_object_id|Callee object ID|number
hs_timestamp|Activity date|datetime
hs_activity_type|Call and meeting type|enumeration external
`,
	"emails": `
hs_email_subject|Email subject|string
hs_email_text|Text body|textarea
hs_email_html|Email HTML|textarea
hs_email_direction|Email direction|enumeration: EMAIL, INCOMING_EMAIL, FORWARDED_EMAIL
hs_email_status|Email send status|enumeration: BOUNCED, FAILED, SCHEDULED, SENDING, SENT
hs_email_headers|Email headers|string
hs_email_from_email|Email from address|string ro
hs_email_to_email|Email to address|string ro
hs_timestamp|Activity date|datetime
hs_attachment_ids|Attached file IDs|enumeration external multiple
`,
	"meetings": `
hs_meeting_title|Meeting name|string
hs_meeting_body|Meeting description|textarea
hs_internal_meeting_notes|Internal meeting notes|textarea
hs_meeting_external_url|External URL|string
hs_meeting_location|Meeting location|string
hs_meeting_start_time|Meeting start time|datetime
hs_meeting_end_time|Meeting end time|datetime
hs_meeting_outcome|Meeting outcome|enumeration: SCHEDULED, COMPLETED, RESCHEDULED, NO_SHOW, CANCELED
hs_timestamp|Activity date|datetime
hs_activity_type|Call and meeting type|enumeration external
`,
	"products": `
name|Name|string
description|Product description|textarea
price|Unit price|number
hs_sku|SKU|string
hs_cost_of_goods_sold|Unit cost|number
hs_recurring_billing_period|Term|string
hs_url|URL|string
hs_images|Image URL|string
recurringbillingfrequency|Billing frequency|enumeration external
tax|Tax|number
createdate|Create Date|datetime
`,
	"line_items": `
name|Name|string
description|Description|textarea
price|Unit price|number
quantity|Quantity|number
amount|Net price|number ro
discount|Unit discount|number
hs_discount_percentage|Discount percentage|number
hs_product_id|Product ID|number
hs_sku|SKU|string
hs_line_item_currency_code|Currency|enumeration external
recurringbillingfrequency|Billing frequency|enumeration external
createdate|Create Date|datetime
`,
	"quotes": `
hs_title|Quote name|string
hs_expiration_date|Expiration date|datetime
hs_status|Quote status|enumeration: DRAFT, APPROVAL_NOT_NEEDED, PENDING_APPROVAL, APPROVED, REJECTED
hs_public_url_key|Public URL key|string ro
hs_language|Language|enumeration external
`,
	"users": `
hs_email|Email|string
hs_given_name|First name|string
hs_family_name|Last name|string
hs_job_title|Job title|string
hs_internal_user_id|User ID|number ro
hs_availability_status|Availability|enumeration: available, away
hs_deactivated|Deactivated|bool ro
`,
}
