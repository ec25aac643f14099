package zendesk

import (
	"maps"
	"time"

	"parity/fakes"
	"parity/fakes/kit"
	"parity/fakes/world"
	"parity/specs"
)

// name is the service's name; it prefixes its collections in the world.
const name = "zendesk"

// The collections, as the contract names them.
const (
	tickets       = "tickets"
	comments      = "comments"
	audits        = "audits"
	users         = "users"
	identities    = "identities"
	organizations = "organizations"
	groups        = "groups"
	memberships   = "group_memberships"
	belongings    = "organization_memberships"
	views         = "views"
	macros        = "macros"
	ticketFields  = "ticket_fields"
	ticketForms   = "ticket_forms"
	brands        = "brands"
	jobs          = "job_statuses"
	attachments   = "attachments"
	uploads       = "uploads"
	webhooks      = "webhooks"
	articles      = "articles"
	sections      = "sections"
	categories    = "categories"
	redirectRules = "redirect_rules"
	phoneNumbers  = "phone_numbers"
)

// Bookkeeping that no operation shows.
const (
	tokensCollection = name + ".tokens"
	keysCollection   = name + ".idempotency"
	limitsCollection = name + ".limits"
	indexCollection  = name + ".index"
	callers          = "callers"  // who an identity is
	counters         = "counters" // numbers that go up one by one
	work             = "work"     // what a job has to do
	contents         = "contents" // bytes of attachments, by their tokens
)

// Lags and lives, of the run's clock.
const (
	// searchLag is how long search takes to see a write: "a few minutes" on
	// ordinary days, less on good ones.
	// Source: support.zendesk.com, "Searching tickets".
	searchLag = time.Minute
	// keyLife is how long an idempotency key of a ticket creation is remembered.
	// Source: developer.zendesk.com/api-reference/ticketing/introduction/#idempotency.
	keyLife = 2 * time.Hour
)

// Fake plays Zendesk. It keeps no state: all of it is in the call's world.
type Fake struct {
	contract *specs.Contract
	handlers map[string]handler // by operation id
	kinds    map[string]kind    // by collection
	store    kit.Store
	index    kit.Index
	limits   kit.Limits
	tokens   kit.Tokens
	keys     kit.Keys
}

var (
	_ fakes.Fake          = (*Fake)(nil)
	_ fakes.Dialect       = (*Fake)(nil)
	_ fakes.Identifier    = (*Fake)(nil)
	_ fakes.Keyed         = (*Fake)(nil)
	_ fakes.Timed         = (*Fake)(nil)
	_ fakes.WebhookSender = (*Fake)(nil)
	_ fakes.Importer      = (*Fake)(nil)
	_ fakes.Editor        = (*Fake)(nil)
	_ fakes.Copier        = (*Fake)(nil)
	_ fakes.Deferrer      = (*Fake)(nil)
)

// New makes the service.
func New() (fakes.Service, error) { return kit.Build(name, newFake) }

func newFake(contract *specs.Contract) (fakes.Service, map[string]handler) {
	f := &Fake{
		contract: contract,
		handlers: map[string]handler{},
		kinds:    kinds(),
		store:    kit.Store{Service: name, Contract: contract},
		index:    kit.Index{Collection: indexCollection, Lag: searchLag},
		limits:   kit.Limits{Collection: limitsCollection},
		tokens:   kit.Tokens{Collection: tokensCollection},
		keys:     kit.Keys{Collection: keysCollection, Life: keyLife},
	}
	for _, some := range []map[string]handler{
		ticketHandlers(), userHandlers(), organizationHandlers(), plainHandlers(), ruleHandlers(), jobHandlers(),
		fileHandlers(), searchHandlers(), helpHandlers(), translationHandlers(), webhookHandlers(), requestHandlers(), exportHandlers(), metricHandlers(), activityHandlers(),
		customStatusHandlers(), identityHandlers(), userWriteHandlers(), membershipHandlers(), tagHandlers(), ruleManyHandlers(), satisfactionHandlers(),
		suspendedHandlers(), nestedHandlers(), accountHandlers(), moreHandlers(), triggerCategoryHandlers(),
	} {
		maps.Copy(f.handlers, some)
	}
	return fakes.Service{Fake: f, Collections: collections(), Begin: f.begin}, f.handlers
}

// collections declares what the fake keeps, with the fields its lists filter.
func collections() []world.Collection {
	all := []world.Collection{
		{Name: full(tickets), Indexes: []string{"requester_id", "assignee_id", "organization_id", "problem_id", "external_id", "status"}, Sorted: []string{"generated_timestamp"}},
		{Name: full(comments), Indexes: []string{"ticket_id"}},
		{Name: full(audits), Indexes: []string{"ticket_id"}, Ledger: true},
		{Name: full(users), Indexes: []string{"email", "role", "organization_id", "external_id"}},
		{Name: full(identities), Indexes: []string{"user_id", "value"}},
		{Name: full(organizations), Indexes: []string{"external_id", "name"}},
		{Name: full(memberships), Indexes: []string{"user_id", "group_id"}},
		{Name: full(belongings), Indexes: []string{"user_id", "organization_id"}},
		{Name: full(articles), Indexes: []string{"section_id"}},
		{Name: full(sections), Indexes: []string{"category_id"}},
		{Name: full(redirectRules), Indexes: []string{"redirect_from"}},
		{Name: full(ticketMetrics), Indexes: []string{"ticket_id"}, Ledger: true},
		{Name: full(metricEvents), Indexes: []string{"ticket_id"}, Ledger: true},
		{Name: full(activities), Indexes: []string{"user_id"}, Ledger: true},
		{Name: full(invocations), Indexes: []string{"webhook_id"}, Ledger: true},
		{Name: full(attempts), Indexes: []string{"invocation_id"}, Ledger: true},
		{Name: full(bookmarks), Indexes: []string{"user_id"}},
		{Name: full(clocks), Hidden: true},
		{Name: tokensCollection},
		{Name: keysCollection, Hidden: true},
		{Name: limitsCollection, Hidden: true},
		kit.Index{Collection: indexCollection}.Declared(),
		{Name: full(callers), Hidden: true},
		{Name: full(counters), Hidden: true},
		{Name: full(work), Hidden: true},
		{Name: full(contents), Hidden: true},
	}
	for _, one := range []string{
		groups, views, macros, ticketFields, ticketForms, brands, triggers, automations, "user_fields", "organization_fields",
		jobs, attachments, uploads, webhooks, categories, phoneNumbers, customStatuses, customRoles, slaPolicies, satisfactionRatings, suspendedTickets,
		targets, recipientAddresses, orgSubscriptions, dynamicContent, sharingAgreements, triggerCategories, locales, "account_settings", topics, posts, userSegments, permissionGroups,
	} {
		all = append(all, world.Collection{Name: full(one)})
	}
	return all
}

func full(collection string) string { return name + "." + collection }
