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
	for _, o := range append(crmTypes(), append(activityTypes(), commerceTypes()...)...) {
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

// standard gives a type that every account has, by its plural, its singular or
// its id.
func (t *types) standard(given string) (*objectType, bool) {
	if o, ok := t.byName[given]; ok {
		return o, true
	}
	o, ok := t.byName[strings.ReplaceAll(strings.ToLower(given), " ", "_")]
	return o, ok
}

// get gives a type that every account has, or one of the account's own of which
// nothing is known but its name.
func (t *types) get(given string) (*objectType, bool) {
	if o, ok := t.standard(given); ok {
		return o, true
	}
	if customType().MatchString(given) {
		return &objectType{
			name: given, singular: given, upper: given, id: given, created: "hs_createdate", modified: "hs_lastmodifieddate",
			defaults: []string{"hs_createdate", "hs_lastmodifieddate", "hs_object_id"}, collection: customObjects, custom: true,
		}, true
	}
	return nil, false
}

// many is how a record's associations call the type: "line items", and a type of
// the account's own by its full name.
func (o *objectType) many() string {
	if o.custom {
		return o.upper
	}
	return strings.ReplaceAll(o.name, "_", " ")
}

// collections names the collections of all types.
func (t *types) collections() []string {
	all := make([]string, 0, len(t.all)+1)
	for _, o := range t.all {
		all = append(all, o.collection)
	}
	return append(all, customObjects)
}

// scope names what a token needs: crm.objects.contacts.read. Notes, tasks and
// their like go with contacts.
func (o *objectType) scope(what, verb string) string {
	name := o.name
	switch o.name {
	case "notes", "tasks", "calls", "emails", "meetings", "communications", "postal_mail":
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
	case "contacts", "companies", "deals", "notes", "tasks", "calls", "meetings", "communications", "postal_mail":
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
	if o, ok := c.typeNamed(given); ok {
		return o, nil
	}
	return nil, unknownType(given)
}
