package hubspot

import (
	"strings"

	"parity/fakes/cast"
)

// A definition is what is known of a property. Those that HubSpot defines are
// here; those that an account makes are records.
type definition struct {
	name, label, kind, field, group, description string
	options                                      []option
	calculated, unique, hidden, external, stored bool
	readOnly                                     bool
	multiple                                     bool // an enumeration whose value may be several, with ; between
	value                                        map[string]any
}

type option struct{ value, label string }

// common are properties of every type.
const common = `
hs_object_id|Record ID|number ro
hs_createdate|Object create date/time|datetime ro
hs_lastmodifieddate|Object last modified date/time|datetime ro
hs_object_source|Record source ID|string ro
hs_object_source_id|Record source detail|string ro
hs_object_source_label|Record source|enumeration ro external
hs_object_source_detail_1|Record source detail 1|string ro
hs_object_source_detail_2|Record source detail 2|string ro
hs_object_source_detail_3|Record source detail 3|string ro
hs_object_source_user_id|Record source user ID|number ro
hs_created_by_user_id|Created by user ID|number ro
hs_updated_by_user_id|Updated by user ID|number ro
hs_merged_object_ids|Merged record IDs|enumeration ro external multiple
hs_unique_creation_key|Unique creation key|string ro
hs_all_owner_ids|All owner IDs|enumeration ro external multiple
hs_all_team_ids|All team IDs|enumeration ro external multiple
hs_all_accessible_team_ids|All teams|enumeration ro external multiple
hs_user_ids_of_all_owners|User IDs of all owners|enumeration ro external multiple
hs_all_assigned_business_unit_ids|Business units|enumeration external multiple
hs_read_only|Read only object|bool ro
hs_shared_team_ids|Shared teams|enumeration external multiple
hs_shared_user_ids|Shared users|enumeration external multiple
hs_was_imported|Performed in an import|bool ro
hs_owning_teams|Owning teams|enumeration external multiple
hubspot_owner_id|Owner|enumeration external
hubspot_owner_assigneddate|Owner assigned date|datetime ro
hubspot_team_id|HubSpot team|enumeration ro external
`

// defined are the properties that HubSpot defines for a type, in order.
func defined(o *objectType) []*definition {
	var all []*definition
	for line := range strings.SplitSeq(builtins[o.name]+builtinsMore[o.name]+common, "\n") {
		if d := parseDefinition(o, line); d != nil {
			all = append(all, d)
		}
	}
	return all
}

func parseDefinition(o *objectType, line string) *definition {
	parts := strings.SplitN(line, "|", 3)
	if len(parts) < 3 {
		return nil
	}
	d := &definition{name: parts[0], label: parts[1], group: groupOf(o), description: parts[1] + " of the " + strings.ReplaceAll(o.singular, "_", " ") + "."}
	marks, choices, _ := strings.Cut(parts[2], ":")
	for i, mark := range strings.Fields(marks) {
		switch {
		case i == 0:
			d.kind = mark
		case mark == "ro":
			d.readOnly, d.calculated = true, true
		case mark == "external":
			d.external = true
		case mark == "multiple":
			d.multiple = true
		}
	}
	d.kind, d.field = fieldOf(d.kind, d.multiple)
	for _, choice := range split(choices) {
		d.options = append(d.options, option{choice, label(choice)})
	}
	return d
}

// fieldOf gives the type and the field type of a property in the table above.
func fieldOf(kind string, multiple bool) (typ, field string) {
	switch kind {
	case "phone":
		return "string", "phonenumber"
	case "textarea":
		return "string", "textarea"
	case "string":
		return "string", "text"
	case "datetime", "date":
		return kind, "date"
	case "bool":
		return "bool", "booleancheckbox"
	case "enumeration":
		if multiple {
			return kind, "checkbox"
		}
		return kind, "select"
	}
	return kind, kind
}

// groupOf is the group of a type's properties: contactinformation.
func groupOf(o *objectType) string {
	if o.custom && o.singular != o.name {
		return strings.ToLower(o.singular) + "_information"
	}
	switch o.name {
	case "contacts", "companies", "deals", "tickets", "products":
		return strings.ReplaceAll(o.singular, "_", "") + "information"
	}
	return o.singular
}

// label makes a label of an option's value.
func label(value string) string {
	words := strings.Fields(strings.ReplaceAll(strings.ToLower(value), "_", " "))
	for i, word := range words {
		words[i] = strings.ToUpper(word[:1]) + word[1:]
	}
	return strings.Join(words, " ")
}

// definition finds a property of a type: one that the account made or changed,
// else one that HubSpot defines.
func (c *call) definition(o *objectType, property string) *definition {
	if record, ok := c.fake.store.Get(c.Tx, properties, o.name+"/"+property); ok {
		if record.Value()["archived"] == true {
			return nil
		}
		return defineRecord(record.Value())
	}
	return o.property(property)
}

// property finds one that HubSpot defines.
func (o *objectType) property(property string) *definition {
	if o.properties == nil { // a type of the account's own
		for _, d := range defined(o) {
			if d.name == property {
				return d
			}
		}
		return nil
	}
	return o.properties[property]
}

// defineRecord reads a property's record.
func defineRecord(value map[string]any) *definition {
	d := &definition{
		name: cast.Text(value["name"]), label: cast.Text(value["label"]), kind: cast.Text(value["type"]), field: cast.Text(value["fieldType"]),
		unique: value["hasUniqueValue"] == true, external: value["externalOptions"] == true, stored: true, value: value,
	}
	d.multiple = d.field == "checkbox"
	for _, one := range cast.List(value["options"]) {
		if o, ok := one.(map[string]any); ok {
			d.options = append(d.options, option{cast.Text(o["value"]), cast.Text(o["label"])})
		}
	}
	if meta, ok := value["modificationMetadata"].(map[string]any); ok {
		d.readOnly = meta["readOnlyValue"] == true
	}
	return d
}
