package notion

import (
	"time"

	"parity/fakes"
	"parity/fakes/kit"
	"parity/fakes/world"
	"parity/specs"
)

// name is the service's name; it prefixes its collections in the world.
const name = "notion"

// The collections, as the contract names them.
const (
	users       = "users"
	pages       = "pages"
	blocks      = "blocks"
	databases   = "databases"
	dataSources = "data_sources"
	comments    = "comments"
	fileUploads = "file_uploads"
	asyncTasks  = "async_tasks"
	emojis      = "custom_emojis"
	views       = "views"
	viewQueries = "view_queries"
	endpoints   = "webhook_endpoints"
	workspaces  = "workspaces"
)

// searchLag is how long a write takes to show in search: "search indexing is
// not immediate". Source: developers.notion.com, Search optimizations and
// limitations.
const searchLag = 5 * time.Second

// indexCollection holds what searches saw before records were changed.
const indexCollection = name + ".index"

// Fake plays Notion. It keeps no state: all of it is in the call's world.
type Fake struct {
	contract *specs.Contract
	store    kit.Store
	handlers map[string]handler // by operation id
	tokens   kit.Tokens
	limits   kit.Limits
	index    kit.Index
}

var (
	_ fakes.Fake          = (*Fake)(nil)
	_ fakes.Dialect       = (*Fake)(nil)
	_ fakes.Identifier    = (*Fake)(nil)
	_ fakes.Importer      = (*Fake)(nil)
	_ fakes.Editor        = (*Fake)(nil)
	_ fakes.Copier        = (*Fake)(nil)
	_ fakes.WebhookSender = (*Fake)(nil)
	_ fakes.Timed         = (*Fake)(nil)
)

// New makes the service.
func New() (fakes.Service, error) { return kit.Build(name, newFake) }

func newFake(contract *specs.Contract) (fakes.Service, map[string]handler) {
	f := &Fake{
		contract: contract,
		store:    kit.Store{Service: name, Contract: contract},
		handlers: handlers(),
		tokens:   kit.Tokens{Collection: name + ".tokens"},
		limits:   kit.Limits{Collection: name + ".limits"},
		index:    kit.Index{Collection: indexCollection, Lag: searchLag},
	}
	return fakes.Service{Fake: f, Collections: collections(), Begin: f.begin}, f.handlers
}

// collections declares what the fake keeps, with the fields its lists filter.
func collections() []world.Collection {
	within := []string{"parent.page_id", "parent.block_id"}
	return []world.Collection{
		{Name: name + "." + users},
		{Name: name + "." + pages, Indexes: append([]string{"parent.data_source_id"}, within...)},
		{Name: name + "." + blocks, Indexes: within},
		{Name: name + "." + databases, Indexes: within},
		{Name: name + "." + dataSources, Indexes: []string{"parent.database_id"}},
		{Name: name + "." + comments, Indexes: append([]string{"discussion_id"}, within...)},
		{Name: name + "." + fileUploads},
		{Name: name + "." + asyncTasks},
		{Name: name + "." + emojis},
		{Name: name + "." + views, Indexes: []string{"parent.database_id", "data_source_id"}},
		{Name: name + "." + viewQueries},
		{Name: name + "." + endpoints},
		{Name: name + "." + workspaces},
		{Name: name + ".tokens"},
		{Name: name + ".limits", Hidden: true},
		kit.Index{Collection: indexCollection}.Declared(),
	}
}

// handlers maps each operation to what answers it.
func handlers() map[string]handler {
	return map[string]handler{
		"get-users": paged(listUsers), "get-self": getSelf, "get-user": getUser,
		"post-search": search,

		"retrieve-a-block": kit.With((*call).pathBlock, getBlock), "update-a-block": updateBlock, "delete-a-block": kit.With((*call).pathBlock, deleteBlock),
		"get-block-children": paged(listChildren), "patch-block-children": appendChildren,

		"post-page": createPage, "retrieve-a-page": kit.With((*call).pathPage, getPage), "patch-page": updatePage, "move-page": movePage,
		"retrieve-a-page-property": paged(getProperty),
		"retrieve-page-markdown":   kit.With((*call).pathPage, getMarkdown), "update-page-markdown": updateMarkdown,

		"retrieve-a-comment": paged(listComments), "create-a-comment": createComment, "get-comment": kit.With((*call).pathComment, getComment),
		"update-a-comment": updateComment, "delete-a-comment": kit.With((*call).pathComment, deleteComment),

		"get-databases": listDatabases, "create-a-database": createDatabase, "retrieve-a-database": kit.With((*call).pathDatabase, getDatabase),
		"update-a-database": updateDatabase, "post-database-query": queryDatabase,

		"create-a-data-source": createDataSource, "retrieve-a-data-source": kit.With((*call).pathSource, getDataSource),
		"update-a-data-source": updateDataSource, "query-data-source": kit.With((*call).pathSource, queryDataSource),
		"list-data-source-templates": paged(listTemplates),

		"list-file-uploads": paged(listUploads), "create-a-file-upload": createUpload, "retrieve-a-file-upload": kit.With((*call).pathUpload, getUpload),
		"send-a-file-upload": kit.With((*call).pathUpload, sendUpload), "complete-a-file-upload": kit.With((*call).pathUpload, completeUpload),
		"list-custom-emojis": paged(listEmojis), "retrieve-an-async-task": kit.With((*call).pathTask, getTask), readFileID: nil, // which is no JSON

		"list-views": paged(listViews), "create-a-view": createView, "retrieve-a-view": kit.With((*call).pathView, getView), "update-a-view": updateView,
		"delete-a-view": kit.With((*call).pathView, deleteView), "create-a-view-query": createViewQuery, "get-view-query-results": paged(getViewQuery),
		"delete-view-query": kit.With((*call).pathViewQuery, deleteViewQuery),

		"create-a-token": createToken, "introspect-token": introspectToken, "revoke-token": revokeToken,
	}
}

// What a world begins with: one workspace, its bot and a person, and one page
// that the person shared with the integration.
const (
	spaceID    = "6f9b0c1e-52d7-4c3a-9e1b-8a4d2f7c0b35"
	botID      = "1c7f3a92-4e0d-4b86-a5f1-93d2c8e7064b"
	personID   = "b85d2e47-9a13-4f6c-8d20-5e71f3a90c68"
	rootPageID = "2a4c9d10-7b3e-8051-bf26-c01d5e8f9a73"
	linksNow   = "https://app.notion.com/p/"
	beginning  = "2025-01-06T09:00:00.000Z"
)

func (f *Fake) begin(tx *world.Tx) error {
	by := map[string]any{"object": "user", "id": personID}
	f.store.Create(tx, workspaces, "workspace", map[string]any{
		"id": "workspace", "workspace_id": spaceID, "workspace_name": "Rehearsal", "bot_id": botID,
		"integration_id": botID, "integration_name": "Rehearsal bot", "links": linksNow,
	})
	f.store.Create(tx, users, personID, map[string]any{
		"object": "user", "id": personID, "name": "Robin Doe", "avatar_url": nil, "type": "person",
		"person": map[string]any{"email": "robin@example.com"},
	})
	f.store.Create(tx, users, botID, map[string]any{
		"object": "user", "id": botID, "name": "Rehearsal bot", "avatar_url": nil, "type": "bot",
		"bot": map[string]any{
			"owner":          map[string]any{"type": "workspace", "workspace": true},
			"workspace_name": "Rehearsal", "workspace_id": spaceID,
			"workspace_limits": map[string]any{"max_file_upload_size_in_bytes": int64(5242880)},
		},
	})
	f.store.Create(tx, pages, rootPageID, map[string]any{
		"object": "page", "id": rootPageID, "created_time": beginning, "last_edited_time": beginning,
		"created_by": by, "last_edited_by": by, "cover": nil, "icon": nil,
		"parent":   map[string]any{"type": "workspace", "workspace": true},
		"in_trash": false, "is_archived": false, "is_locked": false, "public_url": nil,
		"properties": map[string]any{"title": map[string]any{"id": "title", "type": "title", "title": []any{plain("Rehearsal")}}},
	})
	return nil
}
