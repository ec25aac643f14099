package hubspot

import (
	"regexp"
	"strings"
	"sync"
)

// An objectType is one kind of CRM record. All kinds are played by one
// implementation; what is particular to one is here.
type objectType struct {
	name       string // plural, as paths have it
	singular   string
	upper      string // as errors have it
	id         string // objectTypeId
	defaults   []string
	created    string   // the property that holds when it was made
	modified   string   // the property that holds when it was changed
	pipeline   string   // the property that names the pipeline; "": none
	stage      string   // the property that names the stage
	required   []string // properties without which none is made
	searched   []string // properties that a search's query looks through
	collection string
	custom     bool
	defined    []*definition          // what HubSpot defines, in order
	properties map[string]*definition // the same by name; nil for a type of the account's own
}

// types are all kinds that there are, by each of their names.
type types struct {
	all    []*objectType
	byName map[string]*objectType
	other  *objectType // stands for a type that was not named
	ties   []tie       // how HubSpot lets records be associated
}

func newTypes() *types {
	t := &types{byName: map[string]*objectType{}, other: &objectType{name: "objects", upper: "OBJECT"}}
	engagement := []string{"hs_createdate", "hs_lastmodifieddate", "hs_object_id"}
	for _, o := range []*objectType{
		{
			name: "contacts", singular: "contact", id: "0-1", created: "createdate", modified: "lastmodifieddate",
			defaults: []string{"createdate", "email", "firstname", "hs_object_id", "lastmodifieddate", "lastname"},
			searched: []string{"firstname", "lastname", "email", "phone", "hs_additional_emails", "fax", "mobilephone", "company"},
		},
		{
			name: "companies", singular: "company", id: "0-2", created: "createdate", modified: "hs_lastmodifieddate",
			defaults: []string{"createdate", "domain", "hs_lastmodifieddate", "hs_object_id", "name"},
			searched: []string{"website", "phone", "name", "domain"},
		},
		{
			name: "deals", singular: "deal", id: "0-3", created: "createdate", modified: "hs_lastmodifieddate", pipeline: "pipeline", stage: "dealstage",
			defaults: []string{"amount", "closedate", "createdate", "dealname", "dealstage", "hs_lastmodifieddate", "hs_object_id", "pipeline"},
			searched: []string{"dealname", "pipeline", "dealstage", "description", "dealtype"},
		},
		{
			name: "tickets", singular: "ticket", id: "0-5", created: "createdate", modified: "hs_lastmodifieddate", pipeline: "hs_pipeline", stage: "hs_pipeline_stage",
			required: []string{"hs_pipeline_stage"},
			defaults: []string{"content", "createdate", "hs_lastmodifieddate", "hs_object_id", "hs_pipeline", "hs_pipeline_stage", "hs_ticket_category", "hs_ticket_priority", "subject"},
			searched: []string{"subject", "content", "hs_pipeline_stage", "hs_ticket_category", "hs_ticket_id"},
		},
		{name: "notes", singular: "note", id: "0-46", required: []string{"hs_timestamp"}, defaults: engagement, searched: []string{"hs_note_body"}},
		{name: "tasks", singular: "task", id: "0-27", required: []string{"hs_timestamp"}, defaults: engagement, searched: []string{"hs_task_body", "hs_task_subject"}},
		{name: "calls", singular: "call", id: "0-48", required: []string{"hs_timestamp"}, defaults: engagement, searched: []string{"hs_call_body", "hs_call_title"}},
		{name: "emails", singular: "email", id: "0-49", required: []string{"hs_timestamp"}, defaults: engagement, searched: []string{"hs_email_subject"}},
		{name: "meetings", singular: "meeting_event", id: "0-47", required: []string{"hs_timestamp"}, defaults: engagement, searched: []string{"hs_meeting_title", "hs_meeting_body"}},
		{
			name: "products", singular: "product", id: "0-7", created: "createdate", modified: "hs_lastmodifieddate",
			defaults: []string{"createdate", "description", "hs_lastmodifieddate", "hs_object_id", "name", "price"}, searched: []string{"name", "description", "price", "hs_sku"},
		},
		{
			name: "line_items", singular: "line_item", id: "0-8", created: "createdate", modified: "hs_lastmodifieddate",
			defaults: []string{"amount", "createdate", "hs_lastmodifieddate", "hs_object_id", "hs_product_id", "quantity"}, searched: []string{"name"},
		},
		{
			name: "quotes", singular: "quote", id: "0-14",
			defaults: []string{"hs_createdate", "hs_expiration_date", "hs_lastmodifieddate", "hs_object_id", "hs_public_url_key", "hs_status", "hs_title"}, searched: []string{"hs_title"},
		},
		{name: "users", singular: "user", id: "0-115", defaults: engagement, searched: []string{"hs_email", "hs_given_name", "hs_family_name"}},
	} {
		o.collection = o.name
		t.add(o)
	}
	t.ties = t.readTies()
	t.byName["meeting"], t.byName["MEETING"] = t.byName["meetings"], t.byName["meetings"]
	return t
}

func (t *types) add(o *objectType) {
	if o.created == "" {
		o.created, o.modified = "hs_createdate", "hs_lastmodifieddate"
	}
	o.upper = strings.ToUpper(o.singular)
	o.defined, o.properties = defined(o), map[string]*definition{}
	for _, d := range o.defined {
		o.properties[d.name] = d
	}
	t.all = append(t.all, o)
	for _, name := range []string{o.name, o.singular, o.upper, o.id} {
		t.byName[name] = o
	}
}

// customType is how the types that an account makes itself are named: by
// their id, or by the account and their name.
var customType = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(2-[0-9]+|p[0-9]+_[A-Za-z0-9_]+|p_[A-Za-z0-9_]+)$`) })

// get gives the type of a name in a path: plural, singular or an id.
func (t *types) get(given string) (*objectType, bool) {
	if o, ok := t.byName[given]; ok {
		return o, true
	}
	if o, ok := t.byName[strings.ToLower(given)]; ok {
		return o, true
	}
	if customType().MatchString(given) {
		return &objectType{
			name: given, singular: given, upper: given, id: given, created: "hs_createdate", modified: "hs_lastmodifieddate",
			defaults: []string{"hs_createdate", "hs_lastmodifieddate", "hs_object_id"}, collection: "custom_objects", custom: true,
		}, true
	}
	return nil, false
}

// find gives the type of a name, or one that stands for a name that is none.
func (t *types) find(given string) *objectType {
	if o, ok := t.get(given); ok {
		return o
	}
	return t.other
}

// collections names the collections of all types.
func (t *types) collections() []string {
	all := make([]string, 0, len(t.all)+1)
	for _, o := range t.all {
		all = append(all, o.collection)
	}
	return append(all, "custom_objects")
}

// scope names what a token needs: crm.objects.contacts.read. Notes, tasks and
// their like go with contacts.
func (o *objectType) scope(what, verb string) string {
	name := o.name
	switch o.name {
	case "notes", "tasks", "calls", "emails", "meetings":
		name = "contacts"
	case "products":
		return "e-commerce"
	}
	if o.custom {
		name = "custom"
	}
	return "crm." + what + "." + name + "." + verb
}

// legacyScope is what stood for all that before scopes were granular.
func (o *objectType) legacyScope() string {
	switch o.name {
	case "contacts", "companies", "deals", "notes", "tasks", "calls", "meetings":
		return "contacts"
	case "tickets":
		return "tickets"
	case "line_items":
		return "e-commerce"
	}
	return ""
}

// objectType gives the type that a path parameter names.
func (c *call) objectType(parameter string) (*objectType, *refusal) {
	given := c.Input.Path[parameter]
	if o, ok := c.fake.types.get(given); ok {
		return o, nil
	}
	return nil, unknownType(given)
}
