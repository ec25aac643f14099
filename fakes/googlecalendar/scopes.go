package googlecalendar

import "strings"

// scopeRoot begins the full name of each scope.
const scopeRoot = "https://www.googleapis.com/auth/"

// scopesOf lists, of each operation that needs a token, the scopes that allow
// it: any of them does. None at all means that any token will do.
// Source: the discovery document of Calendar v3.
func scopesOf() map[string][]string {
	const (
		whole  = "calendar "
		reads  = "calendar calendar.readonly "
		app    = "calendar.app.created "
		change = whole + app + "calendar.events calendar.events.owned"
		look   = reads + app + "calendar.events calendar.events.freebusy calendar.events.owned calendar.events.owned.readonly calendar.events.public.readonly calendar.events.readonly"
		list   = whole + app + "calendar.calendarlist"
		cal    = whole + app + "calendar.calendars"
		share  = whole + "calendar.acls"
		shared = share + " calendar.acls.readonly"
		set    = reads + "calendar.settings calendar.settings.readonly"
		stops  = look + " calendar.acls calendar.acls.readonly calendar.calendarlist calendar.calendarlist.readonly calendar.settings calendar.settings.readonly"
	)
	table := map[string]string{
		"calendar.events.list": look, "calendar.events.get": look, "calendar.events.instances": look, "calendar.events.watch": look,
		"calendar.events.insert": change, "calendar.events.import": change, "calendar.events.quickAdd": change, "calendar.events.update": change,
		"calendar.events.patch": change, "calendar.events.delete": change, "calendar.events.move": whole + "calendar.events calendar.events.owned",
		"calendar.calendars.insert": cal, "calendar.calendars.update": cal, "calendar.calendars.patch": cal, "calendar.calendars.delete": cal,
		"calendar.calendars.get": cal + " calendar.readonly calendar.calendars.readonly", "calendar.calendars.clear": whole + "calendar.calendars",
		"calendar.acl.list": shared, "calendar.acl.get": shared + " calendar.readonly", "calendar.acl.watch": shared,
		"calendar.acl.insert": share, "calendar.acl.update": share, "calendar.acl.patch": share, "calendar.acl.delete": share,
		"calendar.calendarList.list": reads + "calendar.calendarlist calendar.calendarlist.readonly", "calendar.calendarList.get": list + " calendar.readonly calendar.calendarlist.readonly",
		"calendar.calendarList.watch": reads + "calendar.calendarlist calendar.calendarlist.readonly", "calendar.calendarList.insert": whole + "calendar.calendarlist",
		"calendar.calendarList.update": list, "calendar.calendarList.patch": list, "calendar.calendarList.delete": list,
		"calendar.settings.list": set, "calendar.settings.get": set, "calendar.settings.watch": set,
		"calendar.colors.get":     reads + app + "calendar.calendarlist calendar.calendarlist.readonly calendar.events.freebusy calendar.events.owned calendar.events.owned.readonly calendar.events.public.readonly",
		"calendar.freebusy.query": reads + "calendar.events.freebusy calendar.freebusy",
		"calendar.channels.stop":  stops,
		"calendar.batch":          "", "calendar.batch.global": "",
	}
	scopes := make(map[string][]string, len(table))
	for id, names := range table {
		scopes[id] = strings.Fields(names)
	}
	return scopes
}
