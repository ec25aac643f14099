package googlecalendar

import (
	"cmp"
	"slices"

	"parity/fakes/kit"
)

// firstSettings are the settings of a user who changed none.
// Source: developers.google.com/workspace/calendar/api/v3/reference/settings.
func firstSettings() map[string]string {
	return map[string]string{
		"autoAddHangouts": "true", "dateFieldOrder": "MDY", "defaultEventLength": "60", "format24HourTime": "false", "hideInvitations": "false",
		"hideWeekends": "false", "locale": "en", "remindOnRespondedEventsOnly": "false", "showDeclinedEvents": "true", "timezone": utc,
		"useKeyboardShortcuts": "true", "weekStart": "0",
	}
}

func settingOf(id, value string, stamp int64) map[string]any {
	return map[string]any{"kind": "calendar#setting", "etag": stampTag(stamp), "id": id, "value": value}
}

// shownSetting is a setting; the time zone is that of the primary calendar.
func (c *call) shownSetting(setting map[string]any) map[string]any {
	value := shown(setting)
	if setting["id"] == "timezone" {
		if calendar, ok := c.get(calendars, c.user()); ok {
			value["value"] = kit.Text(calendar, "timeZone")
		}
	}
	return value
}

func listSettings(c *call) (answer, *refusal) {
	_, syncs, refused := c.since(settings, c.user(), nil)
	if refused != nil {
		return answer{}, refused
	}
	skip, refused := c.skipped()
	if refused != nil {
		return answer{}, refused
	}
	var all []map[string]any
	for record := range c.Tx.Oldest(name+"."+settings, 0) {
		if !syncs {
			all = append(all, c.shownSetting(record.Value()))
		}
	}
	slices.SortFunc(all, func(a, b map[string]any) int { return cmp.Compare(kit.Text(a, "id"), kit.Text(b, "id")) })
	page, more := cut(all, skip, min(c.count("maxResults", 100), usualPage))
	value := map[string]any{"kind": "calendar#settings", "etag": listTag(c.user(), settings), "items": values(page)}
	if more {
		value["nextPageToken"] = c.pageToken(skip+len(page), "")
	} else {
		value["nextSyncToken"] = c.tokenAt(settings, c.user(), epoch().UnixMicro())
	}
	return many(value)
}

func getSetting(c *call) (answer, *refusal) {
	setting, ok := c.get(settings, c.Input.Path["setting"])
	if !ok {
		return answer{}, notFound()
	}
	return one(c.shownSetting(setting))
}
