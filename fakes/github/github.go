package github

import (
	"time"

	"parity/fakes"
	"parity/fakes/kit"
	"parity/fakes/world"
	"parity/specs"
)

// name is the service's name; it prefixes its collections in the world.
const name = "github"

// The collections, as the contract names them.
const (
	users          = "users"
	members        = "members"
	repositories   = "repositories"
	collaborators  = "collaborators"
	invitations    = "invitations"
	labels         = "labels"
	milestones     = "milestones"
	issues         = "issues"
	issueComments  = "issue_comments"
	issueEvents    = "issue_events"
	reviews        = "reviews"
	reviewComments = "review_comments"
	refs           = "refs"
	seeds          = "seeds"
	statuses       = "statuses"
	checkRuns      = "check_runs"
	checkSuites    = "check_suites"
	releases       = "releases"
	releaseAssets  = "release_assets"
	hooks          = "hooks"
	hookDeliveries = "hook_deliveries"
	secrets        = "secrets"
	notifications  = "notifications"
	projects       = "projects"
	projectColumns = "project_columns"
	projectCards   = "project_cards"
	reactions      = "reactions"
	apps           = "apps"

	commitComments     = "commit_comments"
	stars              = "stars"
	deployKeys         = "deploy_keys"
	deployments        = "deployments"
	deploymentStatuses = "deployment_statuses"

	workflowsKept = "workflows"
	workflowRuns  = "workflow_runs"
	workflowJobs  = "workflow_jobs"
	gists         = "gists"
	gistComments  = "gist_comments"
	userKeys      = "user_keys"
	gpgKeys       = "gpg_keys"
)

// Bookkeeping that no operation shows.
const (
	tokensCollection  = name + ".tokens"
	objectsCollection = name + ".objects" // blobs, trees, commits and tags
	viewersCollection = name + ".viewers" // identities whose login is known
	movedCollection   = name + ".moved"   // former names of repositories
	countsCollection  = name + ".counts"  // the last number of issues, milestones and projects
	limitsCollection  = name + ".limits"
	indexCollection   = name + ".index"
	statsCollection   = name + ".stats" // statistics that are being worked out
)

// indexLag is how long a search does not show what was written. GitHub
// promises nothing; seconds to a minute are usual.
const indexLag = 10 * time.Second

// Fake plays GitHub. It keeps no state: all of it is in the call's world.
type Fake struct {
	contract *specs.Contract
	handlers map[string]handler // by operation id
	docs     map[string]string  // where GitHub documents an operation, by operation id
	store    kit.Store
	tokens   kit.Tokens
	limits   kit.Limits
	index    kit.Index
}

var (
	_ fakes.Fake          = (*Fake)(nil)
	_ fakes.Dialect       = (*Fake)(nil)
	_ fakes.Identifier    = (*Fake)(nil)
	_ fakes.Timed         = (*Fake)(nil)
	_ fakes.Importer      = (*Fake)(nil)
	_ fakes.Editor        = (*Fake)(nil)
	_ fakes.Copier        = (*Fake)(nil)
	_ fakes.Deferrer      = (*Fake)(nil)
	_ fakes.Inferrer      = (*Fake)(nil)
	_ fakes.WebhookSender = (*Fake)(nil)
	_ fakes.Signer        = (*Fake)(nil)
)

// New makes the service.
func New() (fakes.Service, error) { return kit.Build(name, newFake) }

func newFake(contract *specs.Contract) (fakes.Service, map[string]handler) {
	f := &Fake{
		contract: contract,
		handlers: handlers(),
		docs:     map[string]string{},
		store:    kit.Store{Service: name, Contract: contract},
		tokens:   kit.Tokens{Collection: tokensCollection},
		limits:   kit.Limits{Collection: limitsCollection},
		index:    kit.Index{Collection: indexCollection, Lag: indexLag},
	}
	for _, operation := range contract.Operations {
		id := base(operation.ID)
		if answers, known := f.handlers[id]; known {
			f.handlers[operation.ID] = answers
		}
		if at := operation.Source().Node.Get("externalDocs"); at != nil {
			f.docs[id] = at.Get("url").Text()
		}
	}
	return fakes.Service{Fake: f, Collections: collections(), Begin: f.begin}, f.handlers
}

// collections declares what the fake keeps, with the fields its lists filter.
func collections() []world.Collection {
	byRepo := []string{"repo"}
	all := []world.Collection{
		{Name: full(users)},
		{Name: full(members), Indexes: []string{"org", "login"}},
		{Name: full(repositories), Indexes: []string{"slug", "owner", "rid", "parent"}},
		{Name: full(collaborators), Indexes: []string{"repo", "login"}},
		{Name: full(invitations), Indexes: []string{"repo", "invitee"}},
		{Name: full(issues), Indexes: []string{"repo", "pull.head.ref", "pull.base.ref"}},
		{Name: full(issueComments), Indexes: []string{"repo", "number"}},
		{Name: full(issueEvents), Indexes: []string{"repo", "number"}, Ledger: true},
		{Name: full(reviews), Indexes: []string{"number"}},
		{Name: full(reviewComments), Indexes: []string{"repo", "number"}},
		{Name: full(statuses), Indexes: []string{"sha"}},
		{Name: full(checkRuns), Indexes: []string{"head_sha"}},
		{Name: full(checkSuites), Indexes: []string{"head_sha"}},
		{Name: full(releaseAssets), Indexes: []string{"release"}},
		{Name: full(hookDeliveries), Indexes: []string{"hook"}},
		{Name: full(notifications), Indexes: []string{"login"}},
		{Name: full(projectColumns), Indexes: []string{"project"}},
		{Name: full(projectCards), Indexes: []string{"column"}},
		{Name: full(reactions), Indexes: []string{"subject"}},
		{Name: full(stars), Indexes: []string{"repo", "login"}},
		{Name: full(deploymentStatuses), Indexes: []string{"deployment"}},
		{Name: full(apps)},
		{Name: full(workflowRuns), Indexes: []string{"repo", "head_sha"}},
		{Name: full(workflowJobs), Indexes: []string{"repo", "run"}},
		{Name: full(gists), Indexes: []string{"owner", "fork_of"}},
		{Name: full(gistComments), Indexes: []string{"gist"}},
		{Name: full(userKeys), Indexes: []string{"owner"}},
		{Name: full(gpgKeys), Indexes: []string{"owner"}},
		{Name: tokensCollection},
	}
	for _, kept := range []string{labels, milestones, refs, seeds, releases, hooks, secrets, projects, commitComments, deployKeys, deployments, workflowsKept} {
		all = append(all, world.Collection{Name: full(kept), Indexes: byRepo})
	}
	for _, hidden := range []string{objectsCollection, viewersCollection, movedCollection, countsCollection, limitsCollection, statsCollection} {
		all = append(all, world.Collection{Name: hidden, Hidden: true})
	}
	return append(all, kit.Index{Collection: indexCollection}.Declared())
}

func full(collection string) string { return name + "." + collection }
