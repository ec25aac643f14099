package anatomy

import (
	"slices"
	"strings"

	"parity/specs/schema"
)

// Names of fields that the server sets, in canonical writing.
var (
	createdNames = []string{
		"createdat", "created", "createdon", "creationdate", "createddate", "datecreated", "createtime", "creationtime", "createdtime",
		"creationtimestamp", "createdtimestamp", "createdutc", "timecreated", "datetimecreated", "insertedat", "createddatetime", "dateadded", "whencreated", "creationdatetime", "createdatetime", "createdate",
	}
	updatedNames = []string{
		"updatedat", "updated", "modifiedat", "modified", "lastmodified", "lastupdated", "updatedon", "modifiedon", "updatetime", "dateupdated",
		"datemodified", "modifieddate", "updateddate", "lastmodifieddate", "lastmodifiedat", "lastupdatedat", "lastmodifiedtime", "lastupdatetime", "updatedtime",
		"lastedittime", "lasteditedtime", "updatedutc", "changedat", "lastmodifieddatetime", "modificationdate", "lastupdateddate", "updatedatetime", "lastmodifiedon", "modifieddatetime", "lastupdatedtime",
	}
	versions = []string{
		"etag", "version", "rev", "revision", "resourceversion", "odataetag", "lockversion", "versionnumber", "rowversion", "concurrencystamp",
		"versiontoken", "synctoken", "metagendration",
	}
	serverNames = set("id", "uuid", "guid", "object", "kind", "url", "self", "href", "selflink", "uri", "links", "apiversion", "livemode", "resourceuri", "resourceurl",
		"htmlurl", "gitref", "nodeid", "createdby", "updatedby", "modifiedby", "lastmodifiedby", "lasteditedby", "selfuri")
	stateNames = []string{"status", "state", "phase", "stage", "lifecyclestate", "provisioningstate", "lifecyclestatus"}
)

// plainWords are fields that hold what they say, though a resource may have
// that name.
var plainWords = set("email", "name", "url", "type", "status", "state", "description", "title", "language", "country", "currency", "timezone", "domain",
	"version", "address", "phone", "label", "tag", "message", "text", "code", "category", "event", "role", "permission", "scope", "time", "date", "hash", "size",
	"action", "error", "count", "note", "comment", "summary", "content", "body", "setting", "locale", "color", "region", "city", "image", "link", "host", "path", "number", "value")

// fields notes what the fields of a thing's record are for.
func (in *inference) fields(t *thing) {
	r := t.res
	if t.record == nil {
		return
	}
	shape := in.shape(t.record)
	first := func(names []string, ok func(*field) bool) string {
		for _, name := range names {
			if f := shape.get(name); f != nil && f.name != r.ID.Field && ok(f) {
				return f.name
			}
		}
		for _, outer := range []string{"metadata", "meta", "sys", "attributes", "systemdata"} {
			o := shape.get(outer)
			if o == nil || in.kind(o.schema) != "object" {
				continue
			}
			for _, name := range names {
				if f := in.shape(o.schema).get(name); f != nil && ok(f) {
					return o.name + "." + f.name
				}
			}
		}
		return ""
	}
	dated := func(f *field) bool {
		kind := in.kind(f.schema)
		return kind == "string" || kind == "integer" || kind == "number" || kind == ""
	}
	r.Created, r.Updated = first(createdNames, dated), first(updatedNames, dated)
	written, known := in.writable(t)
	r.Version = first(versions, func(f *field) bool {
		kind := in.kind(f.schema)
		return (kind == "string" || kind == "integer") && (canon(f.name) != "version" && canon(f.name) != "revision" || in.counts(f, written, known))
	})
	r.Status = first(stateNames, func(f *field) bool { return in.core(f.schema).View().Enum.Len() > 1 })
	for i := range shape.fields {
		f := &shape.fields[i]
		if in.servers(f, r, written, known) && !slices.Contains(r.Server, f.name) {
			r.Server = append(r.Server, f.name)
		}
	}
	for _, name := range []string{r.Created, r.Updated, r.Version} {
		if strings.Contains(name, ".") {
			r.Server = append(r.Server, name)
		}
	}
	in.refers(t, shape)
}

// counts tells whether a field called version is one of the record and not of
// what it describes.
func (in *inference) counts(f *field, written map[string]bool, known bool) bool {
	return in.kind(f.schema) == "integer" || readOnly(f.schema) || known && !written[canon(f.name)]
}

func readOnly(s *schema.Schema) bool {
	return s.Node().Get("readOnly").True() || s.Target().Node().Get("readOnly").True()
}

// writable lists the fields that bodies of writes have. known: there is such a
// body, and it is no mere copy of the record.
func (in *inference) writable(t *thing) (written map[string]bool, known bool) {
	written = map[string]bool{}
	for _, c := range t.calls {
		role := in.model.Roles[c.op]
		if role.Kind != Create && role.Kind != Update && role.Kind != Replace && role.Kind != Upsert || role.Input.Schema == nil {
			continue
		}
		shape := in.shape(role.Input.Schema)
		if len(shape.fields) > 0 {
			known = true
		}
		for name, at := range shape.index {
			if !readOnly(shape.fields[at].schema) {
				written[name] = true
			}
		}
	}
	return written, known
}

// servers tells whether the server sets a field.
func (in *inference) servers(f *field, r *Resource, written map[string]bool, known bool) bool {
	name := canon(f.name)
	own := f.name == r.ID.Field && !r.ID.Client || f.name == r.Created || f.name == r.Updated || f.name == r.Version
	switch {
	case f.name == r.ID.Field && r.ID.Client:
		return false
	case readOnly(f.schema):
		return own || !written[name] // what a body takes is set by whoever sends it
	case known:
		return !written[name] || own && (f.name == r.ID.Field || f.name == r.Created || f.name == r.Updated) && (name == "id" || !f.needed && own && f.name != r.ID.Field)
	}
	return own || serverNames[name]
}

// refers finds fields that hold ids of other resources.
func (in *inference) refers(t *thing, shape *shape) {
	for i := range shape.fields {
		f := &shape.fields[i]
		if f.name == t.res.ID.Field {
			continue
		}
		kind, of := in.kind(f.schema), f.schema
		if kind == "array" {
			of = in.items(f.schema)
			kind = in.kind(of)
		}
		if kind == "object" || kind == "boolean" || kind == "number" {
			continue
		}
		name := canon(f.name)
		stem := name
		for _, suffix := range []string{"ids", "id", "uuid", "sid", "key", "guid"} {
			if cut, ok := strings.CutSuffix(name, suffix); ok && len(cut) > 1 {
				stem = cut
				break
			}
		}
		to := in.words[singular(stem)]
		if to == nil || to.alone != nil || to.gone != nil || to == t && stem == name || kind == "integer" && stem == name && to.res.ID.Type != "integer" {
			continue
		}
		if stem == name && (plainWords[singular(name)] || in.core(of).View().Enum.Len() > 0 || in.core(of).View().Format != "") {
			continue
		}
		if t.res.Refers == nil {
			t.res.Refers = map[string]string{}
		}
		t.res.Refers[f.name] = to.res.Name
	}
}

// parents finds the fields that say whose a record is, of path parameters.
func (in *inference) parents(t *thing, within []string, words []string) map[string]string {
	if t.record == nil || len(within) == 0 {
		return nil
	}
	shape := in.shape(t.record)
	var found map[string]string
	for i, param := range within {
		name, word := canon(param), singular(words[i])
		var tries []string
		if word != "" { // else they would be the member's own id and name
			tries = []string{word + "id", word, word + "sid", word + "uuid", word + "key", word + "name"}
		}
		if name != "id" && name != "name" && name != "key" && name != "uuid" && name != "sid" {
			tries = append([]string{name}, tries...)
			tries = append(tries, name+"id")
			if stem, ok := strings.CutSuffix(name, "id"); ok {
				tries = append(tries, stem)
			}
		}
		for _, try := range tries {
			f := shape.get(try)
			if f == nil || f.name == t.res.ID.Field {
				continue
			}
			if kind := in.kind(f.schema); kind == "object" || kind == "array" || kind == "boolean" {
				continue
			}
			if found == nil {
				found = map[string]string{}
			}
			if _, taken := found[f.name]; !taken {
				found[f.name] = param
				break
			}
		}
	}
	return found
}

// unique finds the fields that a create call refuses to have twice.
func (in *inference) unique(t *thing) []string {
	if t.record == nil {
		return nil
	}
	for _, c := range t.calls {
		if in.model.Roles[c.op].Kind != Create {
			continue
		}
		for i := range c.responses {
			r := &c.responses[i]
			if r.Status != "409" && !(r.Status[:1] == "4" && strings.Contains(strings.ToLower(r.Description), "already exists")) {
				continue
			}
			text := strings.ToLower(r.Description)
			if r.Status == "409" && !strings.Contains(text, "exist") && !strings.Contains(text, "unique") && !strings.Contains(text, "duplicate") && !strings.Contains(text, "already") && !strings.Contains(text, "taken") {
				continue
			}
			shape := in.shape(t.record)
			for _, name := range []string{"email", "login", "username", "slug", "name"} {
				if f := shape.get(name); f != nil && strings.Contains(text, name) {
					return []string{f.name}
				}
			}
			for _, name := range []string{"email", "login", "username", "slug"} {
				if f := shape.get(name); f != nil && in.kind(f.schema) == "string" {
					return []string{f.name}
				}
			}
		}
	}
	return nil
}
