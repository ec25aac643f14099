package hubspot

import (
	"maps"
	"strings"
	"time"

	"parity/fakes"
	"parity/fakes/kit"
	"parity/fakes/world"
	"parity/specs"
)

// name is the service's name; it prefixes its collections in the world.
const name = "hubspot"

// The collections beside those of the types of record, as the contract names
// them.
const (
	associations  = "associations"
	labels        = "association_labels"
	properties    = "properties"
	groups        = "property_groups"
	pipelines     = "pipelines"
	owners        = "owners"
	account       = "account"
	lists         = "lists"
	memberships   = "memberships"
	forms         = "forms"
	blogs         = "blogs"
	blogPosts     = "blog_posts"
	subscriptions = "webhook_subscriptions"
	schemas       = "schemas"
	customObjects = "custom_objects"
	folders       = "list_folders"
	people        = "account_users"
	roles         = "roles"
	teams         = "teams"
	imports       = "imports"
	exports       = "exports"
	linkLimits    = "association_limits"

	webhookSettings = "webhook_settings"
)

// Bookkeeping that no operation shows; of tokens, a fixture may declare some.
const (
	tokensCollection = name + ".tokens"
	limitsCollection = name + ".limits"
	indexCollection  = name + ".index"
	// beyond holds where lists went on, of which only a part was taken in.
	beyond = "beyond"
	// formerAddresses are those of contacts that were merged into others.
	formerAddresses = "addresses"
)

// lag is how long a write takes to show in search. HubSpot says "a few
// moments"; integrators report up to 30 s.
// Source: developers.hubspot.com/docs/api-reference/search/guide.
const lag = 30 * time.Second

// alias marks the operations that are there a second time, under the path of
// the release 2026-03.
const alias = "202603"

// again marks those that are there a second time under another path of old.
const again = "Again"

// Fake plays HubSpot. It keeps no state: all of it is in the call's world.
type Fake struct {
	store    kit.Store
	handlers map[string]handler // by operation id
	types    *types
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
	_ fakes.Inferrer      = (*Fake)(nil)
	_ fakes.WebhookSender = (*Fake)(nil)
	_ fakes.Timed         = (*Fake)(nil)
)

// New makes the service.
func New() (fakes.Service, error) { return kit.Build(name, newFake) }

func newFake(contract *specs.Contract) (fakes.Service, map[string]handler) {
	f := &Fake{
		store:  kit.Store{Service: name, Contract: contract},
		types:  newTypes(),
		tokens: kit.Tokens{Collection: tokensCollection},
		limits: kit.Limits{Collection: limitsCollection},
		index:  kit.Index{Collection: indexCollection, Lag: lag},
	}
	f.handlers = handlers()
	maps.Copy(f.handlers, segmentHandlers())
	maps.Copy(f.handlers, settingHandlers())
	maps.Copy(f.handlers, legacyHandlers())
	maps.Copy(f.handlers, pipelineV1Handlers())
	for _, operation := range contract.Operations {
		if plain, ok := strings.CutSuffix(operation.ID, alias); ok {
			f.handlers[operation.ID] = f.handlers[plain]
		}
		for _, mark := range []string{"Slash", again} {
			if plain, ok := strings.CutSuffix(operation.ID, mark); ok {
				f.handlers[operation.ID] = f.handlers[plain]
			}
		}
	}
	return fakes.Service{Fake: f, Collections: f.collections()}, f.handlers
}

// collections declares what the fake keeps, with the fields it looks up.
func (f *Fake) collections() []world.Collection {
	var all []world.Collection
	for _, c := range f.types.collections() {
		all = append(all, world.Collection{Name: f.store.Full(c), Indexes: []string{"properties.email", "properties.domain", "type"}})
	}
	return append(all,
		world.Collection{Name: f.store.Full(associations), Indexes: []string{"from", "to"}},
		world.Collection{Name: f.store.Full(labels)},
		world.Collection{Name: f.store.Full(properties), Indexes: []string{"objectType"}},
		world.Collection{Name: f.store.Full(groups), Indexes: []string{"objectType"}},
		world.Collection{Name: f.store.Full(pipelines), Indexes: []string{"objectType"}},
		world.Collection{Name: f.store.Full(owners), Indexes: []string{"email"}},
		world.Collection{Name: f.store.Full(account)},
		world.Collection{Name: f.store.Full(lists)},
		world.Collection{Name: f.store.Full(memberships), Indexes: []string{"list", "vid"}},
		world.Collection{Name: f.store.Full(forms)},
		world.Collection{Name: f.store.Full(blogs)},
		world.Collection{Name: f.store.Full(blogPosts)},
		world.Collection{Name: f.store.Full(subscriptions)},
		world.Collection{Name: f.store.Full(schemas)},
		world.Collection{Name: f.store.Full(folders)},
		world.Collection{Name: f.store.Full(people)},
		world.Collection{Name: f.store.Full(roles)},
		world.Collection{Name: f.store.Full(teams)},
		world.Collection{Name: f.store.Full(imports)},
		world.Collection{Name: f.store.Full(exports)},
		world.Collection{Name: f.store.Full(linkLimits)},
		world.Collection{Name: f.store.Full(webhookSettings)},
		world.Collection{Name: f.store.Full(beyond), Hidden: true},
		world.Collection{Name: f.store.Full(formerAddresses), Hidden: true},
		world.Collection{Name: tokensCollection},
		world.Collection{Name: limitsCollection, Hidden: true},
		f.index.Declared(),
	)
}

// handlers maps each operation to what answers it; those that are there twice
// are added by New.
func handlers() map[string]handler {
	return map[string]handler{
		"ObjectsGetPage": onType(getPage), "ObjectsCreate": onType(createObject), "ObjectsGetById": onType(getObject),
		"ObjectsUpdate": onType(updateObject), "ObjectsArchive": onType(archiveObject), "ObjectsSearch": search,
		"ObjectsMerge": onType(mergeObjects), "ObjectsPurge": onType(purgeObject),
		"ObjectsBatchRead": onBatch(batchRead), "ObjectsBatchCreate": onBatch(batchCreate), "ObjectsBatchUpdate": batchUpdate,
		"ObjectsBatchUpsert": batchUpsert, "ObjectsBatchArchive": onBatch(batchArchive),

		"AssociationsGetPage": onEnds(listAssociations), "AssociationsCreate": onEnds(associate), "AssociationsArchive": onEnds(dissociate),
		"AssociationsCreateDefault": onEnds(associateDefault), "AssociationsBatchCreate": onPairs(mostPairs, batchAssociate),
		"AssociationsBatchRead": batchAssociations, "AssociationsBatchArchive": onPairs(mostPairs, batchDissociate),
		"AssociationsBatchLabelsArchive": onPairs(mostPairs, batchUnlabel), "AssociationsBatchAssociateDefault": onPairs(mostPairs, batchAssociateDefault),
		"AssociationLabelsGetAll": onEnds(listLabels), "AssociationLabelsCreate": onEnds(createLabel),
		"AssociationLabelsUpdate": updateLabel, "AssociationLabelsArchive": archiveLabel,
		"AssociationsV3GetAll": onEnds(listAssociationsV3), "AssociationsV3Create": onEnds(associateV3), "AssociationsV3Archive": onEnds(dissociateV3),
		"AssociationsV3BatchCreate": onPairs(mostInputs, batchAssociateV3), "AssociationsV3BatchRead": batchAssociationsV3,
		"AssociationsV3BatchArchive": onPairs(mostInputs, batchDissociateV3), "AssociationsV3Types": onEnds(listTypesV3),

		"PropertiesGetAll": onType(listProperties), "PropertiesCreate": onType(createProperty), "PropertiesGetByName": onType(getProperty),
		"PropertiesUpdate": onType(updateProperty), "PropertiesArchive": onType(archiveProperty), "PropertiesBatchRead": onBatch(batchReadProperties),
		"PropertiesBatchCreate": onBatch(batchCreateProperties), "PropertiesBatchArchive": onBatch(batchArchiveProperties),
		"PropertyGroupsGetAll": onType(listGroups), "PropertyGroupsCreate": onType(createGroup), "PropertyGroupsGetByName": onType(getGroup),

		"PipelinesGetAll": onType(listPipelines), "PipelinesCreate": onType(createPipeline), "PipelinesGetById": onPipeline(getPipeline),
		"PipelinesUpdate": onPipeline(updatePipeline), "PipelinesArchive": onPipeline(archivePipeline),
		"StagesGetAll": onPipeline(listStages), "StagesCreate": onPipeline(createStage), "StagesGetById": onPipeline(getStage),
		"StagesUpdate": updateStage, "StagesArchive": onType(archiveStage),

		"OwnersGetPage": listOwners, "OwnersGetById": getOwner,
		"TokensCreate": createToken, "AccountUsage": getUsage, "AccountUsagePrivateApps": getUsage, "AccountDetails": getDetails,
		"TokensInfo":    getTokenInfo,
		"SchemasGetAll": listSchemas, "SchemasCreate": createSchema, "SchemasGetById": getSchema,
		"SchemasUpdate": on((*call).namedSchema, updateSchema), "SchemasArchive": on((*call).namedSchema, archiveSchema),
		"SchemasCreateAssociation": on((*call).namedSchema, createSchemaTie), "SchemasArchiveAssociation": on((*call).namedSchema, archiveSchemaTie),
	}
}

// settingHandlers are those of who and what works with the account, and of
// what goes in and out of it in bulk.
func settingHandlers() map[string]handler {
	member, app, told, bulk := (*call).namedMember, (*call).settingsOf, (*call).namedSubscription, (*call).namedImport
	return map[string]handler{
		"UsersGetPage": listMembers, "UsersCreate": createMember, "UsersGetById": on(member, getMember), "UsersReplace": on(member, updateMember),
		"UsersArchive": on(member, deleteMember), "UsersGetRoles": listRoles, "UsersGetTeams": listTeams,
		"WebhookSettingsGet": on(app, getSettings), "WebhookSettingsPut": putSettings, "WebhookSettingsClear": on(app, clearSettings),
		"WebhookSubscriptionsGetAll": listSubscriptions, "WebhookSubscriptionsCreate": createSubscription,
		"WebhookSubscriptionsGet": on(told, getSubscription), "WebhookSubscriptionsUpdate": on(told, updateSubscription),
		"WebhookSubscriptionsArchive": on(told, deleteSubscription), "WebhookSubscriptionsBatchUpdate": batchUpdateSubscriptions,
		"ImportsGetPage": listImports, "ImportsCreate": createImport, "ImportsGetById": on(bulk, getImport),
		"ImportsCancel": on(bulk, cancelImport), "ImportsGetErrors": on(bulk, listImportErrors),
		"ExportsStart": startExport, "ExportsGetStatus": kit.WithTwo((*call).namedExport, getExportStatus), "ExportsGetById": kit.WithTwo((*call).namedExport, getExport),
		"AssociationLimitsGetAll": listAllLinkLimits, "AssociationLimitsGet": onEnds(listLinkLimits), "AssociationLimitsCreate": onEnds(setLinkLimits),
		"AssociationLimitsUpdate": onEnds(setLinkLimits), "AssociationLimitsPurge": onEnds(clearLinkLimits),
		"PropertyGroupsUpdate": onType(updateGroup), "PropertyGroupsArchive": onType(archiveGroup), "PipelinesReplace": onPipeline(replacePipeline),
		"TokensGetAccess": getAccessToken, "IntegrationsMe": getMe,
		"PropertiesV2GetAll": onType(func(c *call, _ *objectType) (answer, *refusal) { return listOldProperties(c) }),
		"PropertiesV2Get":    onType(func(c *call, _ *objectType) (answer, *refusal) { return getOldProperty(c) }),
	}
}

// segmentHandlers are those of the lists of v3.
func segmentHandlers() map[string]handler {
	named, byHand, folder := (*call).namedSegment, (*call).manualSegment, (*call).namedFolder
	return map[string]handler{
		"ListsV3Create": createSegment, "ListsV3GetMany": getSegments, "ListsV3Search": searchSegments, "ListsV3Get": on(named, getSegment),
		"ListsV3GetByName": getSegmentByName, "ListsV3Archive": on(named, deleteSegment), "ListsV3Restore": restoreSegment,
		"ListsV3Rename": on(named, renameSegment), "ListsV3Refilter": on(named, refilterSegment), "ListsV3Map": mapSegment,
		"ListsV3GetMembers": on(named, listSegmentMembers), "ListsV3GetMembersByJoin": on(named, listSegmentMembers),
		"ListsV3Add": on(byHand, addSegmentMembers), "ListsV3Remove": on(byHand, removeSegmentMembers), "ListsV3Swap": on(byHand, swapSegmentMembers),
		"ListsV3Empty": on(byHand, emptySegment), "ListsV3AddFrom": on(byHand, addSegmentMembersFrom), "ListsV3GetOfRecord": listSegmentsOf,
		"ListFoldersGet": getFolders, "ListFoldersCreate": createFolder, "ListFoldersArchive": on(folder, deleteFolder),
		"ListFoldersRename": on(folder, renameFolder), "ListFoldersMove": on(folder, moveFolder), "ListFoldersMoveList": moveSegment,
	}
}

// pipelineV1Handlers are those of pipelines before v3, in both of their APIs.
func pipelineV1Handlers() map[string]handler {
	all := map[string]handler{}
	for _, api := range []string{"DealPipelinesV1", "CrmPipelinesV1"} {
		all[api+"GetAll"] = on((*call).pipelineTypeV1, listPipelinesV1)
		all[api+"Create"] = on((*call).pipelineTypeV1, createPipelineV1)
		all[api+"Get"] = kit.WithTwo((*call).namedPipelineV1, getPipelineV1)
		all[api+"Update"] = kit.WithTwo((*call).namedPipelineV1, updatePipelineV1)
		all[api+"Archive"] = kit.WithTwo((*call).namedPipelineV1, archivePipelineV1)
	}
	return all
}

// legacyHandlers are those of the APIs before v3.
func legacyHandlers() map[string]handler {
	return map[string]handler{
		"ContactsV1Create": createContactV1, "ContactsV1Upsert": upsertContactV1, "ContactsV1Batch": batchContactsV1,
		"ContactsV1Archive": on((*call).namedV1, archiveContactV1), "ContactsV1Get": on((*call).namedV1, getContactV1),
		"ContactsV1Update":     on((*call).namedV1, updateContactV1),
		"ContactsV1GetByEmail": on((*call).namedV1, getContactV1), "ContactsV1UpdateByEmail": on((*call).namedV1, updateContactV1),
		"ContactsV1GetMany": getContactsV1, "ContactsV1GetManyByEmail": getContactsV1,
		"ContactsV1Merge": on((*call).namedV1, mergeContactsV1), "ContactsV1Search": searchContactsV1,
		"ContactsV1GetAll": listContactsV1, "ContactsV1GetRecent": recentContactsV1, "ContactsV1GetUpdated": recentContactsV1,

		"ListsV1GetAll": listListsV1, "ListsV1GetStatic": listListsV1, "ListsV1GetDynamic": listListsV1,
		"ListsV1GetMany": getListsV1, "ListsV1Get": on((*call).namedList, getListV1), "ListsV1Create": createListV1,
		"ListsV1Update": on((*call).namedList, updateListV1), "ListsV1Archive": on((*call).namedList, archiveListV1),
		"ListsV1Refresh":     on((*call).namedList, refreshListV1),
		"ListsV1GetContacts": on((*call).namedList, listMembersV1), "ListsV1GetRecentContacts": on((*call).namedList, listMembersV1),
		"ListsV1Add": on((*call).staticList, addMembersV1), "ListsV1Remove": on((*call).staticList, removeMembersV1),

		"CompaniesV2Create": createCompanyV2, "CompaniesV2Get": on((*call).namedCompany, getCompanyV2),
		"CompaniesV2Update":  on((*call).namedCompany, updateCompanyV2),
		"CompaniesV2Archive": on((*call).namedCompany, archiveCompanyV2), "CompaniesV2GetAll": listCompaniesV2,
		"CompaniesV2GetRecentCreated": recentCompaniesV2, "CompaniesV2GetRecentModified": recentCompaniesV2,
		"CompaniesV2ByDomain": companiesByDomainV2, "CompaniesV2GetByDomain": companiesByDomainV2,
		"CompaniesV2GetContacts": on((*call).namedCompany, companyContactsV2), "CompaniesV2GetVids": on((*call).namedCompany, companyContactsV2),
		"CompaniesV2AddContact":    on((*call).companyAndContact, addCompanyContactV2),
		"CompaniesV2RemoveContact": on((*call).companyAndContact, removeCompanyContactV2),
		"CompaniesV1BatchUpdate":   batchCompaniesV1,

		"FormsV1Get": on((*call).namedForm, getFormV1), "FormsV1Archive": on((*call).namedForm, archiveForm), "FormsV2GetAll": listForms, "FormsV2Create": createForm,
		"FormsV2Get": on((*call).namedForm, getForm), "FormsV2Update": on((*call).namedForm, updateForm),
		"FormsV2Archive": on((*call).namedForm, archiveForm), "FormsV2GetFields": on((*call).namedForm, getFormFields),
		"FormsV1GetAll": listForms, "FormsV1Create": createForm, "FormsV1GetFields": on((*call).namedForm, getFormFields),
		"FormsV1Update": on((*call).namedForm, updateForm), "FormsV2GetField": on((*call).namedForm, getFormFields),
		"BlogsV2GetAll": listBlogs, "BlogsV2Get": getBlog, "BlogPostsV2GetAll": listPosts, "BlogPostsV2Get": getPost,

		"ContactsV1GetByUtk": on((*call).namedV1, getContactV1), "ContactsV1GetManyByUtk": getContactsV1,
		"DealsV1Create": createDealV1, "DealsV1Get": on((*call).namedDeal, getDealV1), "DealsV1Update": on((*call).namedDeal, updateDealV1),
		"DealsV1Archive": on((*call).namedDeal, archiveDealV1),
		"DealsV1GetAll":  listDealsV1, "DealsV1GetRecentCreated": recentDealsV1, "DealsV1GetRecentModified": recentDealsV1,
		"DealsV1GetAssociated": associatedDealsV1, "DealsV1GetAssociatedPaged": associatedDealsV1,
		"DealsV1Associate": on((*call).namedDeal, linkDealV1), "DealsV1Dissociate": on((*call).namedDeal, linkDealV1),
		"EngagementsV1Create": createEngagement, "EngagementsV1Get": on((*call).namedEngagement, getEngagement),
		"EngagementsV1Update": on((*call).namedEngagement, updateEngagement), "EngagementsV1Archive": on((*call).namedEngagement, archiveEngagement),
		"EngagementsV1GetAll": listEngagements, "EngagementsV1GetRecent": recentEngagements, "EngagementsV1GetAssociated": associatedEngagements,
		"AssociationsV1GetAll": listAssociationsV1, "AssociationsV1Create": changeAssociationsV1, "AssociationsV1Archive": changeAssociationsV1,
		"AssociationsV1BatchCreate": changeAssociationsV1, "AssociationsV1BatchArchive": changeAssociationsV1,
		"OwnersV2GetAll": listOwnersV2, "OwnersV2Get": getOwnerV2, "PropertiesContactsV1GetAll": listOldProperties,

		"PropertiesContactsV2GetAll": listOldProperties, "PropertiesContactsV2Create": createOldProperty, "PropertiesContactsV2Get": getOldProperty,
		"PropertiesContactsV2Update": updateOldProperty, "PropertiesContactsV2Archive": archiveOldProperty, "PropertyGroupsContactsV2GetAll": listOldGroups,
		"PropertiesCompaniesV2GetAll": listOldProperties, "PropertiesCompaniesV2Create": createOldProperty, "PropertiesCompaniesV2Get": getOldProperty,
		"PropertiesCompaniesV2Update": updateOldProperty, "PropertiesCompaniesV2Archive": archiveOldProperty, "PropertyGroupsCompaniesV2GetAll": listOldGroups,
		"PropertiesDealsV1GetAll": listOldProperties, "PropertiesDealsV1Create": createOldProperty, "PropertiesDealsV1Get": getOldProperty,
		"PropertiesDealsV1Update": updateOldProperty, "PropertiesDealsV1Archive": archiveOldProperty, "PropertyGroupsDealsV1GetAll": listOldGroups,
	}
}
