package googlecalendar

import (
	"maps"
	"time"
	_ "time/tzdata" // Where a machine has no zones of its own.

	"parity/fakes"
	"parity/fakes/kit"
	"parity/fakes/world"
	"parity/specs"
)

// name is the service's name; it prefixes its collections in the world.
const name = "googlecalendar"

// The collections, as the contract names them.
const (
	events    = "events"
	calendars = "calendars"
	entries   = "calendar_list"
	rules     = "acl"
	settings  = "settings"
	channels  = "channels"
	accounts  = "account"
	tokens    = "tokens"
)

// Fake plays Google Calendar. It keeps no state: all of it is in the call's
// world.
type Fake struct {
	contract *specs.Contract
	store    kit.Store
	tokens   kit.Tokens
	handlers map[string]handler  // by operation id
	scopes   map[string][]string // of each operation that needs a token
	zones    map[string]*time.Location
}

var (
	_ fakes.Fake          = (*Fake)(nil)
	_ fakes.Dialect       = (*Fake)(nil)
	_ fakes.Identifier    = (*Fake)(nil)
	_ fakes.Importer      = (*Fake)(nil)
	_ fakes.Editor        = (*Fake)(nil)
	_ fakes.Attended      = (*Fake)(nil)
	_ fakes.Copier        = (*Fake)(nil)
	_ fakes.Inferrer      = (*Fake)(nil)
	_ fakes.WebhookSender = (*Fake)(nil)
)

// New makes the service.
func New() (fakes.Service, error) { return kit.Build(name, newFake) }

func newFake(contract *specs.Contract) (fakes.Service, map[string]handler) {
	f := &Fake{
		contract: contract,
		store:    kit.Store{Service: name, Contract: contract},
		tokens:   kit.Tokens{Collection: name + "." + tokens},
		handlers: handlers(),
		scopes:   scopesOf(),
		zones:    usualZones(),
	}
	return fakes.Service{Fake: f, Collections: collections(), Begin: f.begin}, f.handlers
}

// collections declares what the fake keeps, with the fields its lists look up.
func collections() []world.Collection {
	full := func(collection string) string { return name + "." + collection }
	return []world.Collection{
		{Name: full(events), Indexes: []string{"calendar", "calendarId", "long", "series", "uid"}, Sorted: []string{"from", "stamp"}},
		{Name: full(calendars)},
		{Name: full(entries)},
		{Name: full(rules), Indexes: []string{"calendar"}},
		{Name: full(settings)},
		{Name: full(channels), Indexes: []string{"watches"}},
		{Name: full(accounts), Indexes: []string{"email"}},
		{Name: full(tokens), Indexes: []string{"grant"}},
	}
}

// handlers maps each operation to what answers it.
func handlers() map[string]handler {
	all := methods()
	maps.Copy(all, entrance())
	return all
}

// methods maps those of the calendar.
func methods() map[string]handler {
	return map[string]handler{
		"calendar.events.list":      kit.With((*call).listing, listEvents),
		"calendar.events.insert":    on("writer", insertEvent),
		"calendar.events.import":    on("writer", importEvent),
		"calendar.events.quickAdd":  on("writer", quickAdd),
		"calendar.events.watch":     watch(false),
		"calendar.events.get":       on("freeBusyReader", getEvent),
		"calendar.events.update":    updateEvent,
		"calendar.events.patch":     patchEvent,
		"calendar.events.delete":    on("writer", deleteEvent),
		"calendar.events.move":      on("writer", moveEvent),
		"calendar.events.instances": on("freeBusyReader", listInstances),

		"calendar.calendars.insert": insertCalendar,
		"calendar.calendars.get":    on("reader", getCalendar),
		"calendar.calendars.update": updateCalendar,
		"calendar.calendars.patch":  updateCalendar,
		"calendar.calendars.delete": deleteCalendar,
		"calendar.calendars.clear":  on("owner", clearCalendar),

		"calendar.acl.list":   on("owner", listRules),
		"calendar.acl.insert": on("owner", insertRule),
		"calendar.acl.watch":  watch(false),
		"calendar.acl.get":    kit.WithTwo((*call).rule, getRule),
		"calendar.acl.update": updateRule,
		"calendar.acl.patch":  updateRule,
		"calendar.acl.delete": kit.WithTwo((*call).rule, deleteRule),

		"calendar.calendarList.list":   listEntries,
		"calendar.calendarList.insert": insertEntry,
		"calendar.calendarList.watch":  watch(true),
		"calendar.calendarList.get":    onEntry(getEntry),
		"calendar.calendarList.update": updateEntry,
		"calendar.calendarList.patch":  updateEntry,
		"calendar.calendarList.delete": onEntry(deleteEntry),

		"calendar.settings.list":  listSettings,
		"calendar.settings.watch": watch(true),
		"calendar.settings.get":   getSetting,
		"calendar.colors.get":     getColors,
		"calendar.freebusy.query": freeBusy,
		"calendar.channels.stop":  stopChannel,
	}
}

// entrance maps what is no method of the calendar's: how to get in, what there
// is, and several calls in one.
func entrance() map[string]handler {
	return map[string]handler{
		"calendar.batch":         batch,
		"calendar.batch.global":  batch,
		"discovery.apis.getRest": discover,
		"discovery.getRest":      discover,

		"oauth2.token":         grantToken,
		"oauth2.v4.token":      grantToken,
		"oauth2.legacy.token":  grantToken,
		"oauth2.revoke":        revokeToken,
		"oauth2.legacy.revoke": revokeToken,
		"oauth2.tokeninfo":     tellToken,
		"oauth2.v3.tokeninfo":  tellToken,
		"oauth2.v1.tokeninfo":  tellToken,
		"oauth2.certs":         certificates,
	}
}
