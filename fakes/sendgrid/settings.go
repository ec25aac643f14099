package sendgrid

import (
	"maps"
	"slices"
	"strings"

	"parity/fakes/cast"
)

// usualSettings are the settings of an account that nobody has changed, by their
// place: a group of them, and the last part of the path.
var usualSettings = map[string]map[string]any{
	"mail_settings/address_whitelist":    {"enabled": false, "list": []any{}},
	"mail_settings/footer":               {"enabled": false, "html_content": "", "plain_content": ""},
	"mail_settings/forward_spam":         {"enabled": false, "email": ""},
	"mail_settings/template":             {"enabled": false, "html_content": "<% body %>"},
	"mail_settings/bounce_purge":         {"enabled": false, "soft_bounces": nil, "hard_bounces": nil},
	"mail_settings/forward_bounce":       {"enabled": false, "email": ""},
	"tracking_settings/click":            {"enabled": true, "enable_text": false},
	"tracking_settings/open":             {"enabled": true},
	"tracking_settings/google_analytics": {"enabled": false, "utm_source": "", "utm_medium": "", "utm_term": "", "utm_content": "", "utm_campaign": ""},
	"tracking_settings/subscription":     {"enabled": false, "html_content": "", "landing": "", "plain_content": "", "replace": "", "url": ""},
	"settings/enforced_tls":              {"require_tls": false, "require_valid_cert": false, "version": 1.1},
	"partner_settings/new_relic":         {"enabled": false, "license_key": "", "enable_subuser_statistics": false},
	"user/profile": {
		"address": "", "address2": "", "city": "", "company": "Parity", "country": "", "first_name": "", "last_name": "", "phone": "", "state": "",
		"website": "", "zip": "",
	},
	"user/account":  {"type": "paid", "reputation": 100.0},
	"user/email":    {"email": "owner@example.com"},
	"user/username": {"username": userName, "user_id": int64(userID)},
	"user/credits": {
		"remain": int64(100000), "total": int64(100000), "overage": int64(0), "used": int64(0), "last_reset": "2026-03-01", "next_reset": "2026-04-01",
		"reset_frequency": "monthly",
	},
}

// settingTitles are what lists of settings call them, in order.
var settingTitles = map[string][][3]string{
	"mail_settings": {
		{"address_whitelist", "Address Whitelist", "Address / domains that should never have email suppressed."},
		{"bounce_purge", "Bounce Purge", "Allows you to automatically purge bounce records from SendGrid after a specified number of days."},
		{"footer", "Footer", "Allows you to add a custom footer to outgoing email."},
		{"forward_bounce", "Forward Bounce", "Allows you to forward bounces to a specific email address."},
		{"forward_spam", "Forward Spam", "Allows for a copy of spam reports to be forwarded to an email address."},
		{"template", "Legacy Email Template", "Allows you to customize your outgoing HTML emails."},
	},
	"tracking_settings": {
		{"google_analytics", "Google Analytics", "Track your conversion rates and ROI with Google Analytics."},
		{"click", "Click Tracking", "Overwrites every link to track every click in emails."},
		{"open", "Open Tracking", "Appends an invisible image to HTML emails to track emails that have been opened."},
		{"subscription", "Subscription Tracking", "Adds unsubscribe links to the bottom of the text and HTML emails."},
	},
	"partner_settings": {{"new_relic", "New Relic", "Partner settings for New Relic."}},
}

// setting gives what is set at a place.
func (c *call) setting(place string) map[string]any {
	if record, changed := c.get(accountSettings, place); changed {
		return cast.Object(record.Value()["set"])
	}
	return usualSettings[place]
}

// settingPlace is the place that a path is about.
func (c *call) settingPlace() string {
	parts := strings.Split(strings.TrimPrefix(c.Operation.Path, "/v3/"), "/")
	return strings.Join(parts[len(parts)-2:], "/")
}

func getSetting(c *call) (answer, *refusal) { return ok(c.setting(c.settingPlace())), nil }

// changeSetting lays what was sent over a setting; fields that it has not are
// not taken.
func changeSetting(c *call) (answer, *refusal) {
	place := c.settingPlace()
	value := maps.Clone(c.setting(place))
	for field, v := range c.Input.Body {
		if _, has := value[field]; has {
			value[field] = v
		}
	}
	if email := cast.Text(value["email"]); email != "" && !isEmail(email) {
		return answer{}, invalid("email", "email address is invalid")
	}
	c.put(accountSettings, place, map[string]any{"id": place, "set": value})
	return ok(value), nil
}

// listSettings lists the settings of a group, and which are on.
func listSettings(c *call) (answer, *refusal) {
	group := strings.TrimPrefix(c.Operation.Path, "/v3/")
	all := []any{}
	for _, one := range settingTitles[group] {
		all = append(all, map[string]any{"name": one[0], "title": one[1], "description": one[2], "enabled": c.setting(group + "/" + one[0])["enabled"] == true})
	}
	limit, offset := c.count("limit", 500), c.count("offset", 0)
	end := min(max(offset, 0)+max(limit, 0), len(all))
	return ok(map[string]any{"result": slices.Clip(all[min(max(offset, 0), end):end])}), nil
}

// settingHandlers: how the account is set.
func settingHandlers() map[string]handler {
	all := map[string]handler{
		"GET_mail_settings": listSettings, "GET_tracking_settings": listSettings, "GET_partner_settings": listSettings,
		"GET_user-account": getSetting, "GET_user-credits": getSetting,
	}
	for place := range usualSettings {
		group, last, _ := strings.Cut(place, "/")
		id := group + "-" + last
		switch {
		case place == "user/account", place == "user/credits":
		case place == "user/email", place == "user/username":
			all["GET_"+id], all["PUT_"+id] = getSetting, changeSetting
		case group == "settings":
			all["GET_user-"+id], all["PATCH_user-"+id] = getSetting, changeSetting
		default:
			all["GET_"+id], all["PATCH_"+id] = getSetting, changeSetting
		}
	}
	return all
}
