package hubspot

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"parity/fakes/cast"
)

// begin gives a new record what HubSpot itself puts on it.
func (c *call) begin(o *objectType, held map[string]any, id, now string) {
	held["hs_object_id"] = id
	held["hs_object_source"], held["hs_object_source_label"], held["hs_object_source_id"] = "INTEGRATION", "INTEGRATION", c.settings.appID
	if held[o.created] == nil {
		held[o.created] = now
	}
	held[o.modified] = now
	switch o.name {
	case "contacts":
		first(held, map[string]string{
			"hs_all_contact_vids": id, "hs_is_contact": "true", "hs_is_unworked": "true", "hs_currently_enrolled_in_prospecting_agent": "false",
			"hs_membership_has_accessed_private_content": "0", "hs_registered_member": "0",
			"hs_pipeline": "contacts-lifecycle-pipeline", "lifecyclestage": "lead",
		})
		stage := "hs_lifecyclestage_" + cast.Text(held["lifecyclestage"]) + "_date"
		if _, known := o.properties[stage]; known {
			first(held, map[string]string{stage: now})
		}
	case "companies":
		first(held, map[string]string{"hs_pipeline": "companies-lifecycle-pipeline", "lifecyclestage": "lead"})
	case "deals":
		first(held, map[string]string{"hs_createdate": now, "hs_is_deal_split": "false", "pipeline": c.firstPipeline(o)})
	case "tickets":
		first(held, map[string]string{"hs_ticket_id": id, "hs_pipeline": c.firstPipeline(o), "hs_num_times_contacted": "0", "hs_is_visible_in_help_desk": "true"})
	case "tasks":
		first(held, map[string]string{
			"hs_task_status": "NOT_STARTED", "hs_task_priority": "NONE", "hs_task_type": "TODO", "hs_task_family": "SALES", "hs_task_for_object_type": "OWNER",
			"hs_task_is_all_day": "false", "hs_task_missed_due_date": "false", "hs_task_missed_due_date_count": "0", "hs_engagement_source": "INTEGRATION",
		})
	case "notes":
		first(held, map[string]string{"hs_engagement_source": "INTEGRATION"})
	case "meetings":
		if start := cast.Text(held["hs_meeting_start_time"]); start != "" {
			first(held, map[string]string{"hs_timestamp": start})
		}
	}
	if cast.Text(held["hubspot_owner_id"]) != "" {
		held["hubspot_owner_assigneddate"] = now
	}
}

// first sets properties that are not set yet.
func first(held map[string]any, values map[string]string) {
	for property, value := range values {
		if held[property] == nil {
			held[property] = value
		}
	}
}

// derive keeps what HubSpot calculates in step with what it is calculated from.
func (c *call) derive(o *objectType, held map[string]any) {
	switch o.name {
	case "contacts":
		follow(held, "hs_email_domain", afterAt(cast.Text(held["email"])))
		follow(held, "hs_searchable_calculated_phone_number", digitsOf(cast.Text(held["phone"])))
		follow(held, "hs_searchable_calculated_mobile_number", digitsOf(cast.Text(held["mobilephone"])))
	case "companies":
		// A company's website is where its domain is, until it is set otherwise.
		if domain := cast.Text(held["domain"]); domain != "" && cast.Text(held["website"]) == "" {
			held["website"] = domain
		} else if domain == "" && cast.Text(held["website"]) != "" {
			held["domain"] = hostOf(cast.Text(held["website"]))
		}
	case "deals":
		c.deriveDeal(o, held)
	case "notes", "tasks":
		body := cast.Text(held[map[string]string{"notes": "hs_note_body", "tasks": "hs_task_body"}[o.name]])
		preview(held, body)
		if o.name == "tasks" {
			c.deriveTask(held)
		}
	}
}

func follow(held map[string]any, property, value string) {
	if value == "" {
		delete(held, property)
		return
	}
	held[property] = value
}

func afterAt(email string) string {
	_, domain, _ := strings.Cut(email, "@")
	return domain
}

func digitsOf(phone string) string {
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, phone)
}

func hostOf(site string) string {
	_, rest, found := strings.Cut(site, "://")
	if !found {
		rest = site
	}
	rest, _, _ = strings.Cut(rest, "/")
	return strings.ToLower(strings.TrimPrefix(rest, "www."))
}

// deriveDeal calculates amounts and what a deal's stage says of it.
func (c *call) deriveDeal(o *objectType, held map[string]any) {
	probability, closed := c.probability(o, cast.Text(held["pipeline"]), cast.Text(held["dealstage"]))
	won := closed && probability >= 1
	set := func(property string, is bool) { held[property] = strconv.FormatBool(is) }
	set("hs_is_closed", closed)
	set("hs_is_closed_won", won)
	set("hs_is_closed_lost", closed && !won)
	count := func(property string, is bool) { held[property] = map[bool]string{true: "1", false: "0"}[is] }
	count("hs_is_closed_count", closed)
	count("hs_closed_won_count", won)
	count("hs_is_open_count", !closed)
	if cast.Text(held["dealstage"]) != "" {
		held["hs_deal_stage_probability"], held["hs_deal_stage_probability_shadow"] = exact(probability), exact(probability)
	}
	amount := cast.Text(held["amount"])
	follow(held, "amount_in_home_currency", amount)
	follow(held, "hs_forecast_amount", amount)
	closedAmount := "0"
	if won && amount != "" {
		closedAmount = amount
	}
	held["hs_closed_amount"], held["hs_closed_amount_in_home_currency"] = closedAmount, closedAmount
	projected := ""
	if n, err := strconv.ParseFloat(amount, 64); err == nil && cast.Text(held["dealstage"]) != "" {
		projected = exact(n * probability)
	}
	follow(held, "hs_projected_amount", projected)
	follow(held, "hs_projected_amount_in_home_currency", projected)
	follow(held, "days_to_close", daysBetween(cast.Text(held["createdate"]), cast.Text(held["closedate"])))
}

// exact writes a float as the decimal that it is, as HubSpot does:
// 0.90000000000000002220446049250313080847263336181640625.
func exact(n float64) string {
	s := strconv.FormatFloat(n, 'f', 60, 64)
	return strings.TrimSuffix(strings.TrimRight(s, "0"), ".")
}

func daysBetween(from, to string) string {
	a, err := time.Parse(time.RFC3339Nano, from)
	b, err2 := time.Parse(time.RFC3339Nano, to)
	if err != nil || err2 != nil {
		return ""
	}
	return strconv.Itoa(int(math.Max(0, math.Floor(b.Sub(a).Hours()/24))))
}

// mostPreview is how much of a body its preview shows.
const mostPreview = 200

func preview(held map[string]any, body string) {
	if body == "" {
		for _, property := range []string{"hs_body_preview", "hs_body_preview_html", "hs_body_preview_is_truncated"} {
			delete(held, property)
		}
		return
	}
	plain := []rune(strings.TrimSpace(untagged(body)))
	held["hs_body_preview_is_truncated"] = strconv.FormatBool(len(plain) > mostPreview)
	held["hs_body_preview"] = string(plain[:min(len(plain), mostPreview)])
	held["hs_body_preview_html"] = "<html>\n <head></head>\n <body>\n  " + body + "\n </body>\n</html>"
}

// untagged leaves out what is between < and >.
func untagged(html string) string {
	var b strings.Builder
	inside := false
	for _, r := range html {
		switch {
		case r == '<':
			inside = true
		case r == '>' && inside:
			inside = false
		case !inside:
			b.WriteRune(r)
		}
	}
	return b.String()
}

func (c *call) deriveTask(held map[string]any) {
	completed := cast.Text(held["hs_task_status"]) == "COMPLETED"
	n := map[bool]string{true: "1", false: "0"}[completed]
	held["hs_task_is_completed"], held["hs_task_completion_count"] = n, n
	if completed {
		first(held, map[string]string{"hs_task_completion_date": c.now()})
	} else {
		delete(held, "hs_task_completion_date")
	}
	due, err := time.Parse(time.RFC3339Nano, cast.Text(held["hs_timestamp"]))
	late := err == nil && !completed && due.Before(c.Now)
	held["hs_task_is_overdue"], held["hs_task_is_past_due_date"] = strconv.FormatBool(late), strconv.FormatBool(late)
}

// written are the properties that the answer to a write shows: those that were
// sent, and what HubSpot itself keeps.
func (c *call) written(o *objectType, held map[string]any, sent map[string]string) map[string]any {
	shown := make(map[string]any, len(held))
	for property, value := range held {
		if _, was := sent[property]; was || standing(o, property) {
			shown[property] = value
		}
	}
	for property, value := range sent {
		if _, has := held[property]; !has && value == "" {
			shown[property] = ""
		}
	}
	return shown
}

// standing tells whether a property is HubSpot's own and shown by every write.
func standing(o *objectType, property string) bool {
	if slices.Contains([]string{o.created, o.modified, o.pipeline, o.stage, "lifecyclestage", "hs_pipeline"}, property) {
		return true
	}
	if o.properties == nil { // a type of the account's own
		return strings.HasPrefix(property, "hs_")
	}
	d := o.properties[property]
	if strings.HasPrefix(property, "hs_lifecyclestage_") {
		return true
	}
	return d != nil && d.readOnly && strings.HasPrefix(property, "hs_")
}
