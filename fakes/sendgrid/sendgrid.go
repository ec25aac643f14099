package sendgrid

import (
	"fmt"
	"time"

	"parity/fakes"
	"parity/fakes/kit"
	"parity/fakes/world"
	"parity/specs"
)

// name is the service's name; it prefixes its collections in the world.
const name = "sendgrid"

// The collections, as the contract names them.
const (
	batches           = "batches"
	scheduledSends    = "scheduled_sends"
	bounces           = "bounces"
	blocks            = "blocks"
	spamReports       = "spam_reports"
	invalidEmails     = "invalid_emails"
	unsubscribes      = "unsubscribes"
	mailboxes         = "mailboxes"
	asmGroups         = "asm_groups"
	groupSuppressions = "group_suppressions"
	templates         = "templates"
	templateVersions  = "template_versions"
	messages          = "messages"
	verifiedSenders   = "verified_senders"
	domains           = "domains"
	contacts          = "contacts"
	contactJobs       = "contact_jobs"
	lists             = "lists"
	webhooks          = "webhook_endpoints"
	stats             = "stats"
	apiKeys           = "api_keys"
	categories        = "categories"
	accountSettings   = "settings"
	fields            = "field_definitions"
	segments          = "segments"
	exports           = "contact_exports"
	singleSends       = "singlesends"
)

// Bookkeeping that no operation shows.
const (
	tokensCollection    = name + ".tokens"
	limitsCollection    = name + ".limits"
	sequencesCollection = name + ".sequences"
	waitingCollection   = name + ".waiting"       // mails that are scheduled
	tokensOfSenders     = name + ".verifications" // what verifies a sender
	workCollection      = name + ".work"          // what jobs are to do
	keysCollection      = name + ".webhook_keys"
	eventsCollection    = name + ".events"         // what webhooks have yet to be told
	actsCollection      = name + ".acts"           // what people will do with mails
	categoryStats       = name + ".category_stats" // by day and category
)

// The lags of what can be searched, in the run's time. SendGrid gives no
// figures; it says that both are not immediate.
const (
	activityLag = 30 * time.Second
	searchLag   = 10 * time.Second
)

var (
	activity = kit.Index{Collection: name + ".activity_index", Lag: activityLag}
	search   = kit.Index{Collection: name + ".contact_index", Lag: searchLag}
	tokens   = kit.Tokens{Collection: tokensCollection}
	limits   = kit.Limits{Collection: limitsCollection}
)

// Fake plays SendGrid. It keeps no state: all of it is in the call's world.
type Fake struct {
	contract *specs.Contract
	store    kit.Store
	handlers map[string]handler // by operation id
}

var (
	_ fakes.Fake          = (*Fake)(nil)
	_ fakes.Dialect       = (*Fake)(nil)
	_ fakes.Identifier    = (*Fake)(nil)
	_ fakes.Timed         = (*Fake)(nil)
	_ fakes.WebhookSender = (*Fake)(nil)
	_ fakes.Importer      = (*Fake)(nil)
	_ fakes.Editor        = (*Fake)(nil)
	_ fakes.Copier        = (*Fake)(nil)
	_ fakes.Deferrer      = (*Fake)(nil)
)

// New makes the service.
func New() (fakes.Service, error) {
	for id := range handlers() {
		if _, ok := scopes[id]; !ok {
			return fakes.Service{}, fmt.Errorf("sendgrid: nothing says which scope %s wants; add it to scopes", id)
		}
	}
	return kit.Build(name, newFake)
}

func newFake(contract *specs.Contract) (fakes.Service, map[string]handler) {
	f := &Fake{contract: contract, store: kit.Store{Service: name, Contract: contract}, handlers: handlers()}
	return fakes.Service{Fake: f, Collections: collections()}, f.handlers
}

// collections declares what the fake keeps, with the fields its lists filter.
func collections() []world.Collection {
	all := []world.Collection{
		{Name: full(groupSuppressions), Indexes: []string{"group_id", "email"}},
		{Name: full(templates), Indexes: []string{"generation"}},
		{Name: full(templateVersions), Indexes: []string{"template_id"}},
		{Name: full(verifiedSenders), Indexes: []string{"from_email"}},
		{Name: full(domains), Indexes: []string{"domain"}},
		{Name: full(contacts), Indexes: []string{"email"}},
		{Name: tokensCollection},
		{Name: waitingCollection, Indexes: []string{"batch_id"}, Hidden: true},
		{Name: eventsCollection, Indexes: []string{"endpoint"}, Hidden: true},
	}
	for _, c := range []string{
		batches, scheduledSends, bounces, blocks, spamReports, invalidEmails, unsubscribes, mailboxes,
		asmGroups, messages, contactJobs, lists, webhooks, stats, apiKeys, categories, accountSettings, fields, segments, exports, singleSends,
		alerts, designs, links, parseSettings, senders, subusers, pools, teammates, allowed,
	} {
		all = append(all, world.Collection{Name: full(c)})
	}
	for _, c := range []string{limitsCollection, sequencesCollection, tokensOfSenders, workCollection, keysCollection, actsCollection, categoryStats} {
		all = append(all, world.Collection{Name: c, Hidden: true})
	}
	return append(all, activity.Declared(), search.Declared())
}

func full(collection string) string { return name + "." + collection }
