package sendgrid

import (
	"maps"
	"net/http"
	"slices"
	"strings"

	"parity/fakes/cast"
	"parity/fakes/world"
)

// What a subuser was given is kept with it, under these fields.
const (
	givenDomain = "domain_id"
	givenLink   = "link_id"
)

// shownSubuser is a subuser as lists have it, without what it was given.
func shownSubuser(r *world.Record) map[string]any {
	return shape(r.Value(), "id", "username", "email", "disabled")
}

// give lets a subuser use a domain or a branded link.
func give(field string, status int) func(*call, *world.Record) (answer, *refusal) {
	return func(c *call, r *world.Record) (answer, *refusal) {
		subuser, known := c.get(subusers, cast.Text(c.Input.Body["username"]))
		if !known {
			return answer{}, invalid("username", "subuser does not exist")
		}
		value := maps.Clone(subuser.Value())
		value[field] = r.ID
		c.put(subusers, subuser.ID, value)
		return answer{status: status, value: r.Value()}, nil
	}
}

// given finds what the subuser of a query was given.
func given(field, collection string) handler {
	return func(c *call) (answer, *refusal) {
		if subuser, known := c.get(subusers, c.query("username")); known {
			if r, there := c.get(collection, cast.Text(subuser.Value()[field])); there {
				return ok(r.Value()), nil
			}
		}
		return answer{}, notFound()
	}
}

// takeBack takes it from the subuser.
func takeBack(field string) handler {
	return func(c *call) (answer, *refusal) {
		subuser, known := c.get(subusers, c.query("username"))
		if !known || subuser.Value()[field] == nil {
			return answer{}, notFound()
		}
		c.put(subusers, subuser.ID, without(subuser.Value(), field))
		return noContent, nil
	}
}

// The account has one IP address, which may be in pools.
func (c *call) address() map[string]any {
	in := []any{}
	for r := range c.Tx.Oldest(full(pools), 0) {
		if hasAny(cast.List(r.Value()["ips"]), outboundIP) {
			in = append(in, r.ID)
		}
	}
	return map[string]any{
		"ip": outboundIP, "subusers": []any{}, "rdns": "o1.ptr." + userName + ".example", "pools": in, "warmup": false, "start_date": nil, "whitelabeled": false, "assigned_at": nil,
	}
}

// listIPs lists the addresses that mails come from.
func listIPs(c *call) (answer, *refusal) { return ok([]any{c.address()}), nil }

func getIP(c *call) (answer, *refusal) {
	if c.Input.Path["ip_address"] != outboundIP {
		return answer{}, notFound()
	}
	return ok(c.address()), nil
}

func assignedIPs(c *call) (answer, *refusal) {
	one := c.address()
	return ok([]any{map[string]any{"ip": outboundIP, "pools": one["pools"], "warmup": false, "start_date": int64(0)}}), nil
}

func remainingIPs(*call) (answer, *refusal) {
	return ok(map[string]any{"results": []any{map[string]any{"remaining": int64(2), "period": "month", "price_per_ip": 20.0}}}), nil
}

// poolIP puts the address of the account into a pool.
func poolIP(c *call, r *world.Record) (answer, *refusal) {
	if c.Input.Body["ip"] != outboundIP {
		return answer{}, notFound()
	}
	value := maps.Clone(r.Value())
	value["ips"] = []any{outboundIP}
	c.put(pools, r.ID, value)
	return created(map[string]any{"ip": outboundIP, "pools": c.address()["pools"], "start_date": int64(0), "warmup": false}), nil
}

func unpoolIP(c *call, r *world.Record) (answer, *refusal) {
	ip := c.Input.Path["ip"]
	if !hasAny(cast.List(r.Value()["ips"]), ip) {
		return answer{}, notFound()
	}
	c.put(pools, r.ID, without(r.Value(), "ips"))
	return noContent, nil
}

func getPool(_ *call, r *world.Record) (answer, *refusal) {
	ips := cast.List(r.Value()["ips"])
	if ips == nil {
		ips = []any{}
	}
	return ok(map[string]any{"pool_name": r.Value()["name"], "ips": ips}), nil
}

func listPools(c *call) (answer, *refusal) {
	all := []any{}
	for r := range c.Tx.Oldest(full(pools), 0) {
		all = append(all, shape(r.Value(), "name"))
	}
	return ok(all), nil
}

func subuserIPs(c *call, r *world.Record) (answer, *refusal) {
	ips, sent := c.Input.Body["ips"].([]any)
	if !sent {
		return answer{}, invalid("ips", "missing required argument")
	}
	return ok(map[string]any{"ips": ips}), nil
}

// allowAddresses lets addresses call. Calls here have none, so all are let
// through whatever is listed.
func allowAddresses(c *call) (answer, *refusal) {
	all := []any{}
	for _, one := range cast.Objects(c.Input.Body["ips"]) {
		ip := cast.Text(one["ip"])
		if ip == "" {
			return answer{}, invalid("ips", "ip is required")
		}
		if !strings.Contains(ip, "/") {
			ip += "/32"
		}
		n := c.next(allowed, 1)
		id := cast.Plain(n)
		c.put(allowed, id, map[string]any{"id": n, "ip": ip, "created_at": c.Now.Unix(), "updated_at": c.Now.Unix()})
		all = append(all, map[string]any{"id": n, "ip": ip, "created_at": c.Now.Unix(), "updated_at": c.Now.Unix()})
	}
	if len(all) == 0 {
		return answer{}, invalid("ips", "missing required argument")
	}
	return created(map[string]any{"result": all}), nil
}

func forbidAddresses(c *call) (answer, *refusal) {
	ids := cast.List(c.Input.Body["ids"])
	var gone []string
	for r := range c.Tx.Oldest(full(allowed), 0) {
		if slices.ContainsFunc(ids, func(id any) bool { return cast.Plain(id) == r.ID }) {
			gone = append(gone, r.ID)
		}
	}
	for _, id := range gone {
		c.fake.store.Delete(c.Tx, allowed, id)
	}
	return noContent, nil
}

// judge says what is thought of an address: what a fixture says becomes of mails
// to it is known beforehand.
func judge(c *call) (answer, *refusal) {
	email := cast.Text(c.Input.Body["email"])
	if email == "" {
		return answer{}, invalid("email", "email is required")
	}
	local, host, _ := strings.Cut(email, "@")
	good := isEmail(email)
	verdict, score := "Valid", 0.97
	switch outcome := c.mailbox(email)["outcome"]; {
	case !good || outcome == "invalid" || strings.HasSuffix(host, ".invalid"):
		verdict, score = "Invalid", 0.0
	case outcome == "bounce":
		verdict, score = "Risky", 0.4
	}
	_, bounced := c.get(bounces, strings.ToLower(email))
	result := map[string]any{
		"email": email, "verdict": verdict, "score": score, "local": local, "host": host, "ip_address": "192.0.2.10",
		"checks": map[string]any{
			"domain":     map[string]any{"has_valid_address_syntax": good, "has_mx_or_a_record": verdict != "Invalid", "is_suspected_disposable_address": false},
			"local_part": map[string]any{"is_suspected_role_address": slices.Contains([]string{"admin", "info", "support", "sales", "help"}, local)},
			"additional": map[string]any{"has_known_bounces": bounced, "has_suspected_bounces": verdict == "Risky"},
		},
	}
	if source := cast.Text(c.Input.Body["source"]); source != "" {
		result["source"] = source
	}
	return ok(map[string]any{"result": result}), nil
}

func done(*call, *world.Record) (answer, *refusal) { return noContent, nil }

// getTeammate reads a teammate: there is the owner alone.
func getTeammate(c *call) (answer, *refusal) {
	if c.Input.Path["username"] != userName {
		return answer{}, notFound()
	}
	a, refused := listTeammates(c)
	one := maps.Clone(cast.Objects(cast.Object(a.value)["result"])[0])
	one["scopes"] = anys(allScopes)
	return ok(one), refused
}

func duplicateDesign(c *call, r *world.Record) (answer, *refusal) {
	value := maps.Clone(r.Value())
	value["name"] = "Duplicate: " + cast.Text(value["name"])
	for _, field := range []string{"name", "editor"} {
		if v, sent := c.Input.Body[field].(string); sent && v != "" {
			value[field] = v
		}
	}
	id := c.uuid()
	value["id"], value["created_at"], value["updated_at"] = id, iso(c.Now), iso(c.Now)
	return created(c.put(designs, id, value).Value()), nil
}

// listOldSegments lists segments as the first version does.
func listOldSegments(c *call) (answer, *refusal) {
	a, refused := listSegments(c)
	return ok(map[string]any{"results": cast.Object(a.value)["segments"]}), refused
}

// assignHandlers: who has which domain, link and address.
func assignHandlers() map[string]handler {
	allows := &resource{collection: allowed, parameter: "rule_id", key: "id", numbered: 1, within: "result"}
	return map[string]handler{
		"POST_whitelabel-domains-domain_id-subuser":     on(domains, "domain_id", notFound, give(givenDomain, http.StatusCreated)),
		"GET_whitelabel-domains-subuser":                given(givenDomain, domains),
		"DELETE_whitelabel-domains-subuser":             takeBack(givenDomain),
		"POST_whitelabel-links-link_id-subuser":         on(links, "link_id", notFound, give(givenLink, http.StatusOK)),
		"GET_whitelabel-links-subuser":                  given(givenLink, links),
		"DELETE_whitelabel-links-subuser":               takeBack(givenLink),
		"GET_ips":                                       listIPs,
		"GET_ips-assigned":                              assignedIPs,
		"GET_ips-remaining":                             remainingIPs,
		"GET_ips-ip_address":                            getIP,
		"GET_ips-pools":                                 listPools,
		"GET_ips-pools-pool_name":                       on(pools, "pool_name", notFound, getPool),
		"POST_ips-pools-pool_name-ips":                  on(pools, "pool_name", notFound, poolIP),
		"DELETE_ips-pools-pool_name-ips-ip":             on(pools, "pool_name", notFound, unpoolIP),
		"PUT_subusers-subuser_name-ips":                 on(subusers, "subuser_name", notFound, subuserIPs),
		"POST_access_settings-whitelist":                allowAddresses,
		"GET_access_settings-whitelist":                 allows.list,
		"DELETE_access_settings-whitelist":              forbidAddresses,
		"GET_access_settings-whitelist-rule_id":         on(allowed, "rule_id", notFound, allows.get),
		"DELETE_access_settings-whitelist-rule_id":      on(allowed, "rule_id", notFound, allows.remove),
		"POST_validations-email":                        judge,
		"POST_v3-senders-sender_id-resend_verification": on(senders, "sender_id", notFound, done),
		"POST_v3-teammates-pending-token-resend":        on(teammates, "token", notFound, teammateKind().get),
		"GET_v3-teammates-username":                     getTeammate,
		"POST-design-dup":                               on(designs, "id", notFound, duplicateDesign),
		"POST_marketing-segments":                       createSegment,
		"GET_marketing-segments":                        listOldSegments,
		"GET_marketing-segments-segment_id":             on(segments, "segment_id", noSegment, getSegment),
		"PATCH_marketing-segments-segment_id":           on(segments, "segment_id", noSegment, updateSegment),
		"DELETE_marketing-segments-segment_id":          on(segments, "segment_id", noSegment, deleteSegment),
	}
}
