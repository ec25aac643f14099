package slack

import (
	"time"

	"parity/fakes"
	"parity/fakes/kit"
	"parity/fakes/world"
	"parity/specs"
)

// name is the service's name; it prefixes its collections in the world.
const name = "slack"

// The collections, as the contract names them.
const (
	workspaces = "workspaces"
	users      = "users"
	bots       = "bots"
	channels   = "channels"
	members    = "members"
	messages   = "messages"
	ephemerals = "ephemerals"
	scheduled  = "scheduled"
	files      = "files"
	uploads    = "uploads"
	pins       = "pins"
	bookmarks  = "bookmarks"
	views      = "views"
	emoji      = "emoji"
	triggers   = "triggers"
	hooks      = "webhooks"
	endpoints  = "webhook_endpoints"
	commands   = "commands"
	shortcuts  = "shortcuts"
	responses  = "responses" // addresses that answer interactions
	sockets    = "sockets"   // addresses of Socket Mode
)

// Bookkeeping that no operation shows.
const (
	tokensCollection   = name + ".tokens"
	limitsCollection   = name + ".limits"
	indexCollection    = name + ".index"
	tipsCollection     = name + ".tips"     // the last ts of each channel
	presenceCollection = name + ".presence" // who said to be away
	pagesCollection    = name + ".pages"    // where pages of the real service ended
	appCollection      = name + ".app"      // the app that calls, one record
)

// searchLag is how long a message takes to be found by search.messages. Slack
// promises nothing; seconds are common.
const searchLag = 10 * time.Second

// Fake plays Slack. It keeps no state: all of it is in the call's world.
type Fake struct {
	kit.Store
	methods  map[string]method // by name, such as chat.postMessage
	handlers map[string]handler
	tokens   kit.Tokens
	limits   kit.Limits
	index    kit.Index
}

var (
	_ fakes.Fake            = (*Fake)(nil)
	_ fakes.Dialect         = (*Fake)(nil)
	_ fakes.Identifier      = (*Fake)(nil)
	_ fakes.CredentialKinds = (*Fake)(nil)
	_ fakes.Timed           = (*Fake)(nil)
	_ fakes.WebhookSender   = (*Fake)(nil)
	_ fakes.Importer        = (*Fake)(nil)
	_ fakes.Editor          = (*Fake)(nil)
	_ fakes.Attended        = (*Fake)(nil)
	_ fakes.Heeder          = (*Fake)(nil)
	_ fakes.Socketed        = (*Fake)(nil)
	_ fakes.Copier          = (*Fake)(nil)
	_ fakes.Inferrer        = (*Fake)(nil)
)

// New makes the service.
func New() (fakes.Service, error) { return kit.Build(name, newFake) }

func newFake(contract *specs.Contract) (fakes.Service, map[string]handler) {
	f := &Fake{
		Store:    kit.Store{Service: name, Contract: contract},
		methods:  methods(),
		handlers: map[string]handler{},
		tokens:   kit.Tokens{Collection: tokensCollection},
		limits:   kit.Limits{Collection: limitsCollection},
		index:    kit.Index{Collection: indexCollection, Lag: searchLag},
	}
	for _, m := range f.methods {
		f.handlers[m.operation()] = m.answer
		f.handlers[m.operation()+"_get"] = m.answer
	}
	for operation, h := range otherHandlers() {
		f.handlers[operation] = h
	}
	return fakes.Service{Fake: f, Collections: collections(), Begin: f.begin}, f.handlers
}

// otherHandlers answer what is no method of the Web API.
func otherHandlers() map[string]handler {
	h := map[string]handler{
		"files_send": receiveFile, "files_send_put": receiveFile,
		"files_read": readFile, "files_download": readFile,
		"incoming_webhook": incomingWebhook, "socket_link": openSocket,
		"respond_actions": respond, "respond_commands": respond, "respond_app": respond,
	}
	for _, family := range []string{"channels", "groups", "im", "mpim"} {
		h[family+"_retired"], h[family+"_retired_get"] = retired, retired
	}
	return h
}

// collections declares what the fake keeps, with the fields its lists filter.
func collections() []world.Collection {
	c := func(short string, indexes ...string) world.Collection {
		return world.Collection{Name: name + "." + short, Indexes: indexes}
	}
	return []world.Collection{
		c(workspaces), c(users, "profile.email", "name"), c(bots, "user_id"),
		c(channels, "name", "parties"), c(members, "channel", "user"),
		c(messages, "timeline", "thread"), c(ephemerals, "user"),
		c(scheduled, "channel_id"), c(files), c(uploads, "ticket"), c(pins, "channel"),
		c(bookmarks, "channel_id"), c(views, "external_id"), c(emoji), c(triggers), c(hooks), c(endpoints), c(commands), c(shortcuts), c(responses), c(sockets),
		{Name: tokensCollection},
		{Name: limitsCollection, Hidden: true},
		kit.Index{Collection: indexCollection}.Declared(),
		{Name: tipsCollection, Hidden: true},
		{Name: presenceCollection, Hidden: true},
		{Name: pagesCollection, Hidden: true},
		{Name: appCollection, Hidden: true},
	}
}
