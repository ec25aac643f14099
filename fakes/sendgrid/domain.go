package sendgrid

import (
	"fmt"
	"maps"
	"strconv"
	"strings"

	"parity/fakes/cast"
	"parity/fakes/world"
)

const (
	firstDomain = 17320455
	userID      = 40115388 // of the one account of a run
	userName    = "parity"
)

func listDomains(c *call) (answer, *refusal) {
	limit, offset := c.count("limit", 50), c.count("offset", 0)
	all, n := []any{}, 0
	for r := range c.Tx.Oldest(full(domains), 0) {
		if !strings.Contains(cast.Text(r.Value()["domain"]), strings.ToLower(c.query("domain"))) {
			continue
		}
		if username := c.query("username"); username != "" && r.Value()["username"] != username {
			continue
		}
		if n >= offset && len(all) < limit {
			all = append(all, r.Value())
		}
		n++
	}
	return ok(all), nil
}

func createDomain(c *call) (answer, *refusal) {
	body := c.Input.Body
	domain := strings.ToLower(strings.TrimSpace(cast.Text(body["domain"])))
	if !isEmail("a@" + domain) {
		return answer{}, invalid("domain", "invalid domain")
	}
	subdomain := cast.Text(body["subdomain"])
	if subdomain == "" {
		subdomain = "em" + strconv.FormatInt(1000+int64(len(domain))*37%9000, 10)
	}
	taken := false
	for r := range c.fake.store.Find(c.Tx, domains, "domain", domain) {
		taken = taken || r.Value()["subdomain"] == subdomain
	}
	if taken {
		return answer{}, invalid("domain", "a domain with this subdomain already exists")
	}
	flag := func(name string, otherwise bool) bool {
		if set, sent := body[name].(bool); sent {
			return set
		}
		return otherwise
	}
	ips := cast.List(body["ips"])
	if ips == nil {
		ips = []any{}
	}
	id := c.next(domains, firstDomain)
	value := map[string]any{
		"id": id, "user_id": int64(userID), "subdomain": subdomain, "domain": domain, "username": userName, "ips": ips,
		"custom_spf": flag("custom_spf", false), "default": flag("default", false), "legacy": false,
		"automatic_security": flag("automatic_security", true), "valid": false, "dns": dns(subdomain, domain, false),
	}
	if c.laid(value, "valid", "legacy", "username"); value["valid"] == true {
		value["dns"] = dns(subdomain, domain, true)
	}
	record := c.put(domains, strconv.FormatInt(id, 10), value)
	return created(record.Value()), nil
}

// dns is what has to be entered for a domain.
func dns(subdomain, domain string, valid bool) map[string]any {
	entry := func(host, data string) map[string]any {
		return map[string]any{"valid": valid, "type": "cname", "host": host + "." + domain, "data": fmt.Sprintf(data, userID)}
	}
	return map[string]any{
		"mail_cname": entry(subdomain, "u%d.wl.sendgrid.net"),
		"dkim1":      entry("s1._domainkey", "s1.domainkey.u%d.wl.sendgrid.net"),
		"dkim2":      entry("s2._domainkey", "s2.domainkey.u%d.wl.sendgrid.net"),
	}
}

func getDomain(c *call, record *world.Record) (answer, *refusal) {
	return ok(record.Value()), nil
}

func deleteDomain(c *call, record *world.Record) (answer, *refusal) {
	c.fake.store.Delete(c.Tx, domains, record.ID)
	return noContent, nil
}

// validateDomain finds the records of a domain entered, always: there is no DNS
// here.
func validateDomain(c *call, record *world.Record) (answer, *refusal) {
	value := maps.Clone(record.Value())
	value["valid"], value["last_validation_attempt_at"] = true, c.Now.Unix()
	value["dns"] = dns(cast.Text(value["subdomain"]), cast.Text(value["domain"]), true)
	c.put(domains, record.ID, value)
	found := map[string]any{}
	for _, one := range []string{"mail_cname", "dkim1", "dkim2"} {
		found[one] = map[string]any{"valid": true, "reason": nil}
	}
	return ok(map[string]any{"id": value["id"], "valid": true, "validation_results": found}), nil
}

// updateDomain changes what may be changed of a domain.
func updateDomain(c *call, record *world.Record) (answer, *refusal) {
	value := maps.Clone(record.Value())
	for _, field := range []string{"default", "custom_spf"} {
		if set, sent := c.Input.Body[field].(bool); sent {
			value[field] = set
		}
	}
	return ok(c.put(domains, record.ID, value).Value()), nil
}

// defaultDomain is the domain that is used where none is named.
func defaultDomain(c *call) (answer, *refusal) {
	for r := range c.Tx.Oldest(full(domains), 0) {
		if v := r.Value(); v["default"] == true && (c.query("domain") == "" || v["domain"] == c.query("domain")) {
			return ok(v), nil
		}
	}
	return answer{}, notFound()
}
