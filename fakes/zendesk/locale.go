package zendesk

import (
	"net/http"

	"parity/fakes/world"
)

const locales = "locales"

// languages are those of an account: their numbers, tags and names.
// Source: developer.zendesk.com/api-reference/ticketing/account-configuration/locales.
var languages = []struct {
	id        int64
	tag, name string
}{{1, "en-US", "English"}, {2, "es", "Español"}, {8, "de", "Deutsch"}, {16, "fr", "Français"}, {19, "pt-br", "Português (Brasil)"}, {67, "ja", "日本語"}}

// beginLocales puts in the languages of an account.
func beginLocales(put func(string, int64, map[string]any) error) error {
	for i, l := range languages {
		err := put(locales, l.id, map[string]any{
			"url": homeOfAll + api + "locales/" + l.tag + ".json", "locale": l.tag, "name": l.name, "native_name": l.name, "presentation_name": l.name, "rtl": false, "default": i == 0,
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func accountHandlers() map[string]handler {
	all := listAll(locales)
	return map[string]handler{
		"ListLocales": all, "ListLocalesForAgent": all, "ListAvailablePublicLocales": all,
		"ShowCurrentLocale": func(c *call) (answer, *refusal) { return c.localeOf(id(c.caller(), "locale_id")) },
		"ShowLocaleById": func(c *call) (answer, *refusal) {
			n, _ := whole(c.Input.Path["locale_id"])
			return c.localeOf(n)
		},
		"ShowAccountSettings": showSettings,
		"ListBookmarks": func(c *call) (answer, *refusal) {
			return c.list(listing{collection: bookmarks, some: c.those(bookmarks, "user_id", key(c.callerID()), nil), narrowed: true, show: c.bookmark})
		},
		"CreateBookmark": createBookmark,
		"DeleteBookmark": on(bookmarks, "bookmark_id", func(c *call, r *world.Record) (answer, *refusal) {
			c.fake.store.Delete(c.Tx, bookmarks, r.ID)
			return answer{status: http.StatusNoContent}, nil
		}),
	}
}

func (c *call) localeOf(n int64) (answer, *refusal) {
	if r, ok := c.find(locales, n); ok {
		return c.one("locale", r)
	}
	return answer{}, notFound()
}

func createBookmark(c *call) (answer, *refusal) {
	ticket, ok := c.find(tickets, id(c.part("bookmark"), "ticket_id"))
	if !ok || !living(ticket) {
		return answer{}, notFound()
	}
	status := http.StatusOK // recorded: one that is there is shown
	var r *world.Record
	for _, one := range c.those(bookmarks, "user_id", key(c.callerID()), func(r *world.Record) bool { return id(r.Value(), "ticket_id") == id(ticket.Value(), "id") }) {
		r = one
	}
	if r == nil {
		n := c.fresh(bookmarks)
		r = c.fake.store.Create(c.Tx, bookmarks, key(n), map[string]any{"id": n, "url": c.address(api+bookmarks, n), "ticket_id": ticket.Value()["id"], "user_id": c.callerID(), "created_at": c.now()})
		status = http.StatusCreated
	}
	return answer{status: status, value: map[string]any{"bookmark": c.bookmark(r)}}, nil
}

// bookmark is one with its ticket in it.
func (c *call) bookmark(r *world.Record) map[string]any {
	out := c.show(r)
	delete(out, "ticket_id")
	delete(out, "user_id")
	out["ticket"] = map[string]any{}
	if ticket, ok := c.find(tickets, id(r.Value(), "ticket_id")); ok {
		out["ticket"] = c.show(ticket)
	}
	return out
}

// showSettings tells what of the account's settings is modelled.
func showSettings(*call) (answer, *refusal) {
	return answer{value: map[string]any{"settings": map[string]any{
		"active_features": map[string]any{"business_hours": false, "custom_ticket_statuses": true, "customer_satisfaction": true, "csat_reason_code": false, "satisfaction_prediction": false, "side_conversations": false, "sla_policies": true},
		"api":             map[string]any{"accepted_api_agreement": true, "api_password_access": "true", "api_token_access": "true"},
		"branding":        map[string]any{"header_color": "78A300", "page_background_color": "333333", "tab_background_color": "7FA239", "text_color": "FFFFFF"},
		"limits":          map[string]any{"attachment_size": int64(mostUploaded)},
		"localization":    map[string]any{"locale_ids": []any{int64(1)}},
		"lotus":           map[string]any{"prefer_lotus": true},
		"tickets":         map[string]any{"agent_ticket_deletion": true, "comments_public_by_default": true, "custom_statuses_enabled": true, "list_newest_comments_first": true, "private_attachments": false, "tagging": true},
		"users":           map[string]any{"end_user_phone_number_validation": false, "have_gravatars_enabled": true, "organization_tags": false, "tagging": false, "time_zone_selection": true},
	}}}, nil
}
