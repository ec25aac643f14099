package sendgrid

import (
	"fmt"
	"maps"
	"net/http"
	"strconv"
	"strings"

	"parity/fakes/cast"
	"parity/fakes/world"
)

// The kinds of records that a resource plays, as their collections are named.
const (
	alerts        = "alerts"
	designs       = "designs"
	links         = "branded_links"
	parseSettings = "parse_settings"
	senders       = "senders"
	subusers      = "subusers"
	pools         = "ip_pools"
	teammates     = "teammates"
	allowed       = "allowed_addresses"
)

func alertKind() *resource {
	return &resource{
		collection: alerts, parameter: "alert_id", key: "id", numbered: 48, required: []string{"type", "email_to"},
		usual: map[string]any{"type": "", "email_to": "", "frequency": "", "percentage": nil, "created_at": int64(0), "updated_at": int64(0)},
	}
}

func designKind() *resource {
	return &resource{
		collection: designs, parameter: "id", key: "id", required: []string{"html_content"}, within: "result",
		usual: map[string]any{
			"name": "My Design", "editor": "code", "generate_plain_content": true, "subject": "", "categories": []any{}, "html_content": "", "plain_content": "",
			"thumbnail_url": "", "created_at": "", "updated_at": "",
		},
	}
}

func linkKind() *resource {
	return &resource{
		collection: links, parameter: "id", key: "id", numbered: 2461501, required: []string{"domain"},
		usual: map[string]any{
			"domain": "", "subdomain": "", "default": false, "username": userName, "user_id": int64(userID), "valid": false, "legacy": false, "dns": map[string]any{},
		},
		begin: func(_ *call, value map[string]any) {
			if value["subdomain"] == "" {
				value["subdomain"] = "url" + strconv.Itoa(1000+len(cast.Text(value["domain"]))*37%9000)
			}
			value["dns"] = linkDNS(value, false)
		},
	}
}

// linkDNS is what has to be entered for links to be branded.
func linkDNS(value map[string]any, valid bool) map[string]any {
	domain := cast.Text(value["domain"])
	return map[string]any{
		"domain_cname": map[string]any{"valid": valid, "type": "cname", "host": cast.Text(value["subdomain"]) + "." + domain, "data": "sendgrid.net"},
		"owner_cname":  map[string]any{"valid": valid, "type": "cname", "host": fmt.Sprintf("%d.%s", userID, domain), "data": "sendgrid.net"},
	}
}

func validateLink(c *call, r *world.Record) (answer, *refusal) {
	value := maps.Clone(r.Value())
	value["valid"], value["dns"] = true, linkDNS(value, true)
	c.put(links, r.ID, value)
	fine := map[string]any{"valid": true, "reason": nil}
	return ok(map[string]any{"id": value["id"], "valid": true, "validation_results": map[string]any{"domain_cname": fine, "owner_cname": fine}}), nil
}

// defaultLink is the branded link that is used where none is named.
func defaultLink(c *call) (answer, *refusal) {
	var chosen any
	for r := range c.Tx.Oldest(full(links), 0) {
		if v := r.Value(); v["default"] == true && (c.query("domain") == "" || v["domain"] == c.query("domain")) {
			chosen = v
		}
	}
	if chosen == nil {
		return answer{}, notFound()
	}
	return ok(chosen), nil
}

func parseKind() *resource {
	return &resource{
		collection: parseSettings, parameter: "hostname", key: "hostname", given: true, required: []string{"hostname", "url"}, within: "result",
		usual: map[string]any{"url": "", "hostname": "", "spam_check": false, "send_raw": false},
	}
}

func senderKind() *resource {
	return &resource{
		collection: senders, parameter: "sender_id", key: "id", numbered: 5401121, required: []string{"nickname", "from", "address", "city", "country"}, within: "result",
		usual: map[string]any{
			"nickname": "", "from": map[string]any{}, "reply_to": map[string]any{}, "address": "", "address_2": "", "city": "", "state": "", "zip": "", "country": "",
			"verified": false, "locked": false, "created_at": int64(0), "updated_at": int64(0),
		},
		begin: func(c *call, value map[string]any) { // one on an authenticated domain is good at once
			value["verified"] = c.verified(strings.ToLower(cast.Text(cast.Object(value["from"])["email"])))
		},
	}
}

func poolKind() *resource {
	return &resource{
		collection: pools, parameter: "pool_name", key: "name", given: true, required: []string{"name"}, made: http.StatusOK,
		usual: map[string]any{"name": ""},
	}
}

func subuserKind() *resource {
	return &resource{
		collection: subusers, parameter: "subuser_name", key: "username", given: true, required: []string{"username", "email", "password", "ips"}, made: http.StatusOK,
		usual: map[string]any{"username": "", "email": "", "disabled": false},
		begin: func(c *call, value map[string]any) { value["id"] = c.next(subusers, userID+1) },
	}
}

func createSubuser(c *call) (answer, *refusal) {
	a, refused := subuserKind().create(c)
	if refused != nil {
		return a, refused
	}
	value := cast.Object(a.value)
	return ok(map[string]any{
		"username": value["username"], "user_id": value["id"], "email": value["email"], "credit_allocation": map[string]any{"type": "unlimited"},
	}), nil
}

// listSubusers lists subusers, or the one of a name.
func listSubusers(c *call) (answer, *refusal) {
	limit, offset := c.count("limit", 500), max(c.count("offset", 0), 0)
	found, n := []any{}, 0
	for r := range c.Tx.Oldest(full(subusers), 0) {
		if wanted := c.query("username"); wanted != "" && wanted != r.ID {
			continue
		}
		if n >= offset && len(found) < limit {
			found = append(found, shownSubuser(r))
		}
		n++
	}
	return ok(found), nil
}

// disableSubuser turns a subuser off or on.
func disableSubuser(c *call, r *world.Record) (answer, *refusal) {
	value := maps.Clone(r.Value())
	value["disabled"] = c.Input.Body["disabled"] == true
	c.put(subusers, r.ID, value)
	return noContent, nil
}

func subuserReputations(c *call) (answer, *refusal) {
	all := []any{}
	for r := range c.Tx.Oldest(full(subusers), 0) {
		all = append(all, map[string]any{"username": r.ID, "reputation": 100.0})
	}
	return ok(all), nil
}

// teammates are invited by mail; nobody here takes an invitation.
func teammateKind() *resource {
	return &resource{
		collection: teammates, parameter: "token", key: "token", required: []string{"email"}, within: "result",
		usual: map[string]any{"email": "", "scopes": []any{}, "is_admin": false},
		begin: func(c *call, value map[string]any) { value["expiration_date"] = c.Now.AddDate(0, 0, 7).Unix() },
	}
}

func listTeammates(c *call) (answer, *refusal) {
	owner := c.setting("user/profile")
	one := map[string]any{"username": userName, "email": c.setting("user/email")["email"], "user_type": "owner", "is_admin": true, "address2": owner["address2"]}
	for _, field := range []string{"first_name", "last_name", "phone", "website", "address", "city", "state", "zip", "country"} {
		one[field] = owner[field]
	}
	return ok(map[string]any{"result": []any{one}}), nil
}

// resourceHandlers: records with nothing else to them, and what little there is.
func resourceHandlers() map[string]handler {
	all := map[string]handler{}
	for _, some := range []map[string]handler{
		alertKind().handlers("GET_alerts", "POST_alerts", "GET_alerts-alert_id", "PATCH_alerts-alert_id", "DELETE_alerts-alert_id"),
		designKind().handlers("LIST-designs", "POST-design", "GET-design", "PUT-design", "DELETE-design"),
		linkKind().handlers("GET_whitelabel-links", "POST_whitelabel-links", "GET_whitelabel-links-id", "PATCH_whitelabel-links-id", "DELETE_whitelabel-links-id"),
		parseKind().handlers(
			"GET_user-webhooks-parse-settings", "POST_user-webhooks-parse-settings", "GET_user-webhooks-parse-settings-hostname",
			"PATCH_user-webhooks-parse-settings-hostname", "DELETE_user-webhooks-parse-settings-hostname",
		),
		senderKind().handlers("GET_v3-senders", "POST_senders", "GET_v3-senders-sender_id", "PATCH_v3-senders-sender_id", "DELETE_v3-senders-sender_id"),
		poolKind().handlers("GET_ips-pools", "POST_ips-pools", "GET_ips-pools-pool_name", "PUT_ips-pools-pool_name", "DELETE_ips-pools-pool_name"),
	} {
		maps.Copy(all, some)
	}
	mates := teammateKind()
	all["GET_v3-teammates"], all["POST_v3-teammates"], all["GET_v3-teammates-pending"] = listTeammates, mates.create, mates.list
	all["DELETE_v3-teammates-pending-token"] = on(teammates, "token", notFound, mates.remove)
	maps.Copy(all, assignHandlers())
	all["POST_whitelabel-links-id-validate"] = on(links, "id", notFound, validateLink)
	all["GET_whitelabel-links-default"] = defaultLink
	all["GET_subusers"], all["POST_subusers"], all["GET_subusers-reputations"] = listSubusers, createSubuser, subuserReputations
	all["PATCH_subusers-subuser_name"] = on(subusers, "subuser_name", notFound, disableSubuser)
	all["DELETE_subusers-subuser_name"] = on(subusers, "subuser_name", notFound, subuserKind().remove)
	all["PATCH_whitelabel-domains-domain_id"] = on(domains, "domain_id", notFound, updateDomain)
	all["GET_whitelabel-domains-default"] = defaultDomain
	return all
}
