package zendesk

import (
	"strings"

	"parity/fakes/cast"
	"parity/fakes/world"
)

func organizationHandlers() map[string]handler {
	return map[string]handler{
		"ListOrganizations":          listAll(organizations),
		"CreateOrganization":         createPlain(organizations),
		"ShowOrganization":           showPlain(organizations, "organization_id"),
		"UpdateOrganization":         updatePlain(organizations, "organization_id"),
		"DeleteOrganization":         deletePlain(organizations, "organization_id"),
		"SearchOrganizations":        searchOrganizations,
		"AutocompleteOrganizations":  autocompleteOrganizations,
		"ShowManyOrganizations":      func(c *call) (answer, *refusal) { return c.several(organizations, nil) },
		"CountOrganizations":         func(c *call) (answer, *refusal) { return c.count(c.Tx.Len(full(organizations))) },
		"CreateManyOrganizations":    createMany(organizations),
		"UpdateManyOrganizations":    updateMany(organizations),
		"BulkDeleteOrganizations":    destroyMany(organizations),
		"CreateOrUpdateOrganization": createOrUpdateOrganization,
		"OrganizationRelated":        on(organizations, "organization_id", relatedToOrganization),
	}
}

func searchOrganizations(c *call) (answer, *refusal) {
	external, named := c.query("external_id"), c.query("name")
	return c.list(listing{collection: organizations, narrowed: true, some: c.every(organizations, func(r *world.Record) bool {
		return external != "" && cast.Text(r.Value()["external_id"]) == external || named != "" && strings.EqualFold(cast.Text(r.Value()["name"]), named)
	})})
}

// autocompleteOrganizations looks into the search index: what was just made is
// not there yet, as recorded.
func autocompleteOrganizations(c *call) (answer, *refusal) {
	begin := strings.ToLower(c.query("name"))
	if len(begin) < 2 {
		return answer{}, invalidAttribute("name", "at least 2 characters long", "api/v2/organizations/autocomplete")
	}
	return c.list(listing{collection: organizations, narrowed: true, some: c.every(organizations, func(r *world.Record) bool {
		shown := c.fake.index.See(c.Tx, organizations+"/"+r.ID, r.Value(), c.Now)
		return shown != nil && strings.HasPrefix(strings.ToLower(cast.Text(shown["name"])), begin)
	})})
}

func createOrUpdateOrganization(c *call) (answer, *refusal) {
	said := c.part("organization")
	k := c.fake.kinds[organizations]
	for _, by := range []string{"id", "external_id"} {
		want := cast.Plain(said[by])
		if want == "" {
			continue
		}
		for r := range c.Tx.Find(full(organizations), by, want, 0) {
			changed, refused := c.updateOf(k, r, said)
			if refused != nil {
				return answer{}, refused
			}
			return c.one("organization", changed)
		}
	}
	return createPlain(organizations)(c)
}

func relatedToOrganization(c *call, r *world.Record) (answer, *refusal) {
	return answer{value: map[string]any{"organization_related": map[string]any{
		"tickets_count": int64(len(c.those(tickets, "organization_id", r.ID, living))), "users_count": int64(len(c.those(users, "organization_id", r.ID, active))),
	}}}, nil
}
