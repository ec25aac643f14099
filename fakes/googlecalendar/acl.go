package googlecalendar

import (
	"maps"
	"net/http"

	"parity/fakes/cast"
	"parity/fakes/kit"
)

// ruleOf is a rule of who may see a calendar.
func ruleOf(calendar, role string, scope map[string]any, stamp int64) map[string]any {
	return map[string]any{
		"kind": "calendar#aclRule", "etag": stampTag(stamp), "id": ruleID(scope), "role": role, "scope": scope, "calendar": calendar, "stamp": stamp,
	}
}

func ruleID(scope map[string]any) string {
	if kind := kit.Text(scope, "type"); kind != "default" {
		return kind + ":" + kit.Text(scope, "value")
	}
	return "default"
}

// shownRule is a rule as a reply has it. One of a fixture has its place in the
// world for an id.
func shownRule(rule map[string]any) map[string]any {
	out := shown(rule, "calendar", "stamp")
	out["kind"], out["id"] = "calendar#aclRule", ruleID(cast.Object(rule["scope"]))
	if out["etag"] == nil {
		out["etag"] = stampTag(epoch().UnixMicro())
	}
	return out
}

func listRules(c *call, calendar map[string]any) (answer, *refusal) {
	id := kit.Text(calendar, "id")
	stamp, syncs, refused := c.since(rules+":"+id, id, nil)
	if refused != nil {
		return answer{}, refused
	}
	skip, refused := c.skipped()
	if refused != nil {
		return answer{}, refused
	}
	var all []map[string]any
	newest := int64(0)
	for record := range c.Tx.Oldest(name+"."+rules, 0) {
		if kit.Text(record.Value(), "calendar") != id {
			continue
		}
		changed, _ := record.Value()["stamp"].(int64)
		newest = max(newest, changed)
		if syncs && changed <= stamp || kit.Text(record.Value(), "role") == "none" && !syncs && !c.flag("showDeleted") {
			continue
		}
		all = append(all, shownRule(record.Value()))
	}
	page, more := cut(all, skip, min(c.count("maxResults", 100), usualPage))
	value := map[string]any{"kind": "calendar#acl", "etag": listTag(id, stampTag(newest)), "items": values(page)}
	if more {
		value["nextPageToken"] = c.pageToken(skip+len(page), "")
	} else {
		value["nextSyncToken"] = c.tokenAt(rules+":"+id, id, newest)
	}
	return many(value)
}

// rule finds a rule of a calendar that the user owns.
func (c *call) rule() (calendar, rule map[string]any, refused *refusal) {
	calendar, refused = c.reachable("owner")
	if refused != nil {
		return nil, nil, refused
	}
	rule, ok := c.get(rules, kit.Text(calendar, "id")+"/"+c.Input.Path["ruleId"])
	if !ok || rule["role"] == "none" {
		return nil, nil, notFound()
	}
	return calendar, rule, nil
}

func getRule(c *call, _, rule map[string]any) (answer, *refusal) {
	return one(shownRule(rule))
}

func insertRule(c *call, calendar map[string]any) (answer, *refusal) {
	role, scope, refused := c.sharing(nil)
	if refused != nil {
		return answer{}, refused
	}
	return one(shownRule(c.share(kit.Text(calendar, "id"), role, scope)))
}

// sharing reads the role and the scope of a rule.
func (c *call) sharing(old map[string]any) (string, map[string]any, *refusal) {
	role := kit.Text(c.Input.Body, "role")
	if role == "" {
		role = kit.Text(old, "role")
	}
	switch role {
	case "":
		return "", nil, missing("Missing role.")
	case "none", "freeBusyReader", "reader", "writer", "owner", "writerWithoutPrivateAccess":
	default:
		return "", nil, invalid("Invalid role.")
	}
	scope, _ := c.Input.Body["scope"].(map[string]any)
	if old != nil {
		scope, _ = old["scope"].(map[string]any)
	}
	kind, value := kit.Text(scope, "type"), kit.Text(scope, "value")
	switch kind {
	case "":
		return "", nil, missing("Missing scope.")
	case "default":
		return role, map[string]any{"type": kind}, nil
	case "user", "group", "domain":
		if value == "" {
			return "", nil, missing("Missing scope value.")
		}
		return role, map[string]any{"type": kind, "value": value}, nil
	}
	return "", nil, invalid("Invalid scope type.")
}

// share writes a rule; whom it names may be told by mail, as Google does unless
// it is asked not to.
func (c *call) share(calendar, role string, scope map[string]any) map[string]any {
	stamp := max(c.Now.UnixMicro(), c.newest(rules)+1)
	value := ruleOf(calendar, role, scope, stamp)
	key := calendar + "/" + ruleID(scope)
	old, _ := c.get(rules, key)
	if quiet, said := c.Input.Query["sendNotifications"].(bool); (!said || quiet) && role != "none" && kit.Text(old, "role") != role && kit.Text(scope, "type") != "default" {
		c.mail("sharing", key, []string{kit.Text(scope, "value")}, "A calendar was shared as "+role, map[string]any{"calendar": calendar, "role": role, "scope": scope})
	}
	rule := c.put(rules, key, value).Value()
	c.notify("/calendars/" + calendar + "/acl")
	return rule
}

func updateRule(c *call) (answer, *refusal) {
	calendar, rule, refused := c.rule()
	if refused == nil {
		refused = c.matched(kit.Text(rule, "etag"))
	}
	if refused != nil {
		return answer{}, refused
	}
	if c.Operation.Method == http.MethodPut && kit.Text(c.Input.Body, "role") == "" {
		return answer{}, missing("Missing role.")
	}
	role, scope, refused := c.sharing(rule)
	if refused != nil {
		return answer{}, refused
	}
	if c.Input.Path["ruleId"] == "user:"+c.user() && role != "owner" {
		return answer{}, refused403("cannotChangeOwnAcl", "Cannot change your own access level.")
	}
	return one(shownRule(c.share(kit.Text(calendar, "id"), role, scope)))
}

func deleteRule(c *call, calendar, rule map[string]any) (answer, *refusal) {
	if c.Input.Path["ruleId"] == "user:"+c.user() {
		return answer{}, refused403("cannotChangeOwnAcl", "Cannot change your own access level.")
	}
	value := maps.Clone(rule)
	stamp := max(c.Now.UnixMicro(), c.newest(rules)+1)
	value["role"], value["stamp"], value["etag"] = "none", stamp, stampTag(stamp)
	id := kit.Text(calendar, "id")
	c.put(rules, id+"/"+c.Input.Path["ruleId"], value)
	c.notify("/calendars/" + id + "/acl")
	return done()
}
