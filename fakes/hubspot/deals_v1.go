package hubspot

import (
	"net/http"
	"slices"
	"strings"

	"parity/fakes/cast"
	"parity/fakes/world"
)

func (c *call) deals() *objectType { return c.fake.types.byName["deals"] }

// showDealV1 writes a deal as v1 shows it: as v2 shows companies, with what it
// is associated with.
func (c *call) showDealV1(r *world.Record, names []string) map[string]any {
	shown := c.showV2(r, names)
	for _, field := range []string{"companyId", "additionalDomains", "mergeAudits"} {
		delete(shown, field)
	}
	shown["dealId"], shown["imports"] = whole(r.ID), []any{}
	if _, kept := shown["associations"]; !kept {
		ids := func(to *objectType) []any {
			all := []any{}
			for _, l := range c.links(c.deals(), r.ID, to) {
				all = append(all, whole(l.id))
			}
			return all
		}
		shown["associations"] = map[string]any{
			"associatedVids": ids(c.contacts()), "associatedCompanyIds": ids(c.companies()), "associatedDealIds": ids(c.deals()),
			"associatedTicketIds": ids(c.fake.types.byName["tickets"]),
		}
	}
	return shown
}

func (c *call) namedDeal() (*world.Record, *refusal) {
	r, there := c.find(c.deals(), c.Input.Path["dealId"])
	if !there {
		return nil, &refusal{status: http.StatusNotFound, message: "Deal does not exist"}
	}
	return r, nil
}

// oldValues holds properties against their definitions, and words flaws as old
// APIs do.
func (c *call) oldValues(o *objectType, before map[string]any) (map[string]string, *refusal) {
	set, flaws := c.check(o, givenV1(c.Input.Body["properties"]))
	if len(flaws) > 0 {
		return nil, flawedV1(flaws)
	}
	return set, c.staged(o, set, before)
}

func createDealV1(c *call) (answer, *refusal) {
	set, refused := c.oldValues(c.deals(), nil)
	if refused != nil {
		return answer{}, refused
	}
	wanted, _ := c.Input.Body["associations"].(map[string]any)
	r := c.make(c.deals(), set, apiSource)
	for field, to := range map[string]*objectType{"associatedVids": c.contacts(), "associatedCompanyIds": c.companies()} {
		for _, id := range cast.List(wanted[field]) {
			if c.alive(to, cast.Plain(id)) {
				c.put(association{from: c.deals(), fromID: r.ID, to: to, toID: cast.Plain(id)})
			}
		}
	}
	return ok(c.showDealV1(r, nil))
}

func getDealV1(c *call, r *world.Record) (answer, *refusal) {
	return ok(c.showDealV1(r, nil))
}

func updateDealV1(c *call, r *world.Record) (answer, *refusal) {
	set, refused := c.oldValues(c.deals(), cast.Object(r.Value()["properties"]))
	if refused != nil {
		return answer{}, refused
	}
	return ok(c.showDealV1(c.alter(c.deals(), r, set, apiSource), nil))
}

func archiveDealV1(c *call, r *world.Record) (answer, *refusal) {
	c.retire(c.deals(), r)
	return done()
}

// pageDealsV1 answers with a page of deals, by their ids.
func (c *call) pageDealsV1(all []*world.Record, listed string) (answer, *refusal) {
	names := append(c.words("properties"), c.words("propertiesWithHistory")...)
	if names == nil {
		names = []string{}
	}
	limit, after := c.count("limit", mostListsV1), c.number("offset")
	if _, sent := c.Input.Query["limit"]; !sent {
		limit = mostV1
	}
	shown, last, more := []any{}, after, false
	for _, r := range all {
		if whole(r.ID) <= after {
			continue
		}
		if more = len(shown) == limit; more {
			break
		}
		shown, last = append(shown, c.showDealV1(r, names)), whole(r.ID)
	}
	return ok(map[string]any{"deals": shown, "hasMore": more || c.wentOn(listed, cast.Plain(last)), "offset": last})
}

func listDealsV1(c *call) (answer, *refusal) {
	return c.pageDealsV1(c.present(c.deals(), "", 0), "v1/deals")
}

func recentDealsV1(c *call) (answer, *refusal) {
	field := map[bool]string{true: "createdAt", false: "updatedAt"}[strings.HasSuffix(c.Operation.Path, "/created")]
	return c.recent(c.present(c.deals(), field, c.number("since")), "v1/deals/recent", func(r *world.Record) map[string]any { return c.showDealV1(r, nil) })
}

// kindV1 is the type that a path of deals names.
func (c *call) kindV1() (*objectType, *refusal) {
	o, ok := c.typeNamed(strings.ToLower(c.Input.Path["kind"]))
	if !ok {
		return nil, gone()
	}
	return o, nil
}

func associatedDealsV1(c *call) (answer, *refusal) {
	o, refused := c.kindV1()
	if refused != nil {
		return answer{}, refused
	}
	var all []*world.Record
	for _, l := range c.links(o, c.Input.Path["objectId"], c.deals()) {
		if r, there := c.find(c.deals(), l.id); there {
			all = append(all, r)
		}
	}
	slices.SortStableFunc(all, func(a, b *world.Record) int { return int(whole(a.ID) - whole(b.ID)) })
	return c.pageDealsV1(all, "v1/deals/"+o.name+"/"+c.Input.Path["objectId"])
}

func linkDealV1(c *call, r *world.Record) (answer, *refusal) {
	o, refused := c.kindV1()
	if refused != nil {
		return answer{}, refused
	}
	for _, id := range c.words("id") {
		switch {
		case c.Operation.Method == http.MethodDelete:
			c.cut(c.deals(), r.ID, o, id)
		case c.alive(o, id):
			c.put(association{from: c.deals(), fromID: r.ID, to: o, toID: id})
		}
	}
	return done()
}
