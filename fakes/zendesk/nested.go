package zendesk

import (
	"net/http"
	"slices"
	"strings"

	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

// nestedHandlers answer for what stands within a record: the options of a field,
// the variants of a text.
func nestedHandlers() map[string]handler {
	option := nested{ticketFields, "ticket_field_id", "custom_field_options", "ticket_field_option_id", "custom_field_option"}
	variant := nested{dynamicContent, "dynamic_content_item_id", "variants", "dynamic_content_variant_id", "variant"}
	return map[string]handler{
		"CountTicketFields":               func(c *call) (answer, *refusal) { return c.count(c.Tx.Len(full(ticketFields))) },
		"ListTicketFieldOptions":          option.list(),
		"ShowTicketFieldOption":           option.show(),
		"DeleteTicketFieldOption":         option.remove(),
		"CreateOrUpdateTicketFieldOption": option.set(sayOption),
		"ListDynamicContentVariants":      variant.list(),
		"ShowDynamicContentVariant":       variant.show(),
		"DeleteDynamicContentVariant":     variant.remove(),
		"CreateDynamicContentVariant":     variant.set(sayVariant),
		"UpdateDynamicContentVariant":     variant.set(sayVariant),
		"ShowManyTicketForms":             func(c *call) (answer, *refusal) { return c.several(ticketForms, nil) },
		"CloneTicketForm":                 on(ticketForms, "ticket_form_id", cloneForm),
	}
}

// A nested kind is of things that a list in a record holds.
type nested struct{ collection, parameter, field, one, under string }

func (n nested) items(r *world.Record) []any { return slices.Clone(cast.List(r.Value()[n.field])) }

// at finds the thing that the path names.
func (n nested) at(c *call, r *world.Record) int {
	want, named := whole(c.Input.Path[n.one])
	if !named {
		return -1
	}
	return slices.IndexFunc(n.items(r), func(one any) bool { return id(cast.Object(one), "id") == want })
}

func (n nested) list() handler {
	return on(n.collection, n.parameter, func(_ *call, r *world.Record) (answer, *refusal) {
		all := n.items(r)
		if all == nil {
			all = []any{}
		}
		return answer{value: map[string]any{n.field: all, "count": int64(len(all)), "next_page": nil, "previous_page": nil}}, nil
	})
}

func (n nested) show() handler {
	return on(n.collection, n.parameter, func(c *call, r *world.Record) (answer, *refusal) {
		at := n.at(c, r)
		if at < 0 {
			return answer{}, notFound()
		}
		return answer{value: map[string]any{n.under: n.items(r)[at]}}, nil
	})
}

func (n nested) remove() handler {
	return on(n.collection, n.parameter, func(c *call, r *world.Record) (answer, *refusal) {
		at := n.at(c, r)
		if at < 0 {
			return answer{}, notFound()
		}
		c.write(n.collection, id(r.Value(), "id"), r, with(r.Value(), map[string]any{n.field: slices.Delete(n.items(r), at, at+1), "updated_at": c.now()}))
		return answer{status: http.StatusNoContent}, nil
	})
}

// set makes a thing, or changes the one that the path or the body names.
func (n nested) set(say func(c *call, r *world.Record, value, said map[string]any) *refusal) handler {
	return on(n.collection, n.parameter, func(c *call, r *world.Record) (answer, *refusal) {
		said, items := c.part(n.under), n.items(r)
		at := n.at(c, r)
		if named := id(said, "id"); at < 0 && named != 0 && c.Input.Path[n.one] == "" {
			at = slices.IndexFunc(items, func(one any) bool { return id(cast.Object(one), "id") == named })
		}
		if at < 0 && c.Input.Path[n.one] != "" {
			return answer{}, notFound()
		}
		value, status := map[string]any{}, http.StatusCreated
		if at >= 0 {
			value, status = with(cast.Object(items[at]), nil), http.StatusOK
		} else {
			value["id"] = c.fresh(n.collection)
		}
		if refused := say(c, r, value, said); refused != nil {
			return answer{}, refused
		}
		if at >= 0 {
			items[at] = value
		} else {
			items = append(items, value)
		}
		c.write(n.collection, id(r.Value(), "id"), r, with(r.Value(), map[string]any{n.field: items, "updated_at": c.now()}))
		header := http.Header{}
		if at, ok := value["url"].(string); ok && status == http.StatusCreated {
			header = kit.Headers("Location", at)
		}
		return answer{status: status, value: map[string]any{n.under: value}, header: header}, nil
	})
}

// withIDs gives the options that a field comes with their ids.
func (c *call) withIDs(v any, of string) any {
	given, ok := v.([]any)
	if !ok {
		return v
	}
	out := make([]any, len(given))
	for i, one := range given {
		option, ok := one.(map[string]any)
		if out[i] = one; !ok {
			continue
		}
		option = with(map[string]any{"default": false, "raw_name": option["name"]}, option)
		if id(option, "id") == 0 {
			option["id"] = c.fresh(of)
		}
		out[i] = option
	}
	return out
}

func sayOption(c *call, r *world.Record, value, said map[string]any) *refusal {
	for _, field := range []string{"name", "value"} {
		if v, sent := said[field]; sent {
			value[field] = v
		}
		if cast.Text(value[field]) == "" {
			return invalid(blank(field))
		}
	}
	value["raw_name"] = value["name"]
	for _, one := range cast.List(r.Value()["custom_field_options"]) {
		if other := cast.Object(one); other["value"] == value["value"] && other["id"] != value["id"] {
			return invalid(fault{field: "value", description: "Value: " + kit.Clip(cast.Text(value["value"])) + " is already used as a tag in another option", code: "DuplicateValue"})
		}
	}
	if value["position"] == nil {
		value["position"], value["default"] = int64(len(cast.List(r.Value()["custom_field_options"]))), false
	}
	value["url"] = c.Base + api + "ticket_fields/" + r.ID + "/options/" + key(id(value, "id")) + ".json"
	return nil
}

func sayVariant(c *call, r *world.Record, value, said map[string]any) *refusal {
	return c.sayVariant(r.Value(), value, said)
}

func (c *call) sayVariant(item, value, said map[string]any) *refusal {
	if value["created_at"] == nil {
		value["created_at"], value["active"], value["default"], value["outdated"] = c.now(), true, false, false
	}
	for _, field := range []string{"content", "locale_id", "active", "default"} {
		if v, sent := said[field]; sent && v != nil {
			value[field] = v
		}
	}
	if cast.Text(value["content"]) == "" {
		return invalid(blank("content"))
	}
	if n, ok := whole(value["locale_id"]); ok && n > 0 {
		value["locale_id"] = n
	} else {
		return invalid(blank("locale_id"))
	}
	for _, one := range cast.List(item["variants"]) {
		if other := cast.Object(one); id(other, "locale_id") == id(value, "locale_id") && other["id"] != value["id"] {
			return invalid(fault{field: "locale_id", description: "Locale: has already been taken", code: "DuplicateValue"})
		}
	}
	value["updated_at"] = c.now()
	value["url"] = c.Base + api + "dynamic_content/items/" + key(id(item, "id")) + "/variants/" + key(id(value, "id")) + ".json"
	return nil
}

func cloneForm(c *call, r *world.Record) (answer, *refusal) {
	k := c.fake.kinds[ticketForms]
	said := map[string]any{}
	for _, field := range k.takes {
		said[field] = r.Value()[field]
	}
	said["default"], said["name"] = false, cast.Text(r.Value()["name"])+" (clone)"
	made, refused := c.createOf(k, said)
	if refused != nil {
		return answer{}, refused
	}
	return c.created("ticket_form", made)
}

// sayContent takes the variants that a new item comes with, and names what stands
// for it in texts.
func (c *call) sayContent(value, said map[string]any) {
	if value["placeholder"] == "" {
		value["placeholder"] = "{{dc." + strings.ReplaceAll(slug(strings.ToLower(cast.Text(value["name"]))), "-", "_") + "}}"
	}
	given := cast.List(said["variants"])
	if one, ok := said["content"].(string); ok && one != "" {
		given = []any{map[string]any{"content": one, "locale_id": value["default_locale_id"], "default": true}}
	}
	for _, one := range given {
		variant := map[string]any{"id": c.fresh(dynamicContent)}
		if c.sayVariant(value, variant, cast.Object(one)) == nil {
			value["variants"] = append(cast.List(value["variants"]), variant)
		}
	}
}
