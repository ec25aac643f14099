package hubspot

import (
	"encoding/csv"
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"parity/fakes"
	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

// Imports of files, and exports to them. Both are begun by a call and done a
// while later.
const (
	importTimer = "import"
	exportTime  = 30 * time.Second
	importTime  = 30 * time.Second
	mostRows    = 5000
)

// showImport writes an import as it stands.
func showImport(value map[string]any) map[string]any {
	shown := map[string]any{
		"metadata":     map[string]any{"objectLists": []any{}, "counters": value["counters"], "fileIds": value["fileIds"]},
		"importSource": "API", "optOutImport": false,
	}
	for _, field := range []string{"id", "state", "importName", "importRequestJson", "mappedObjectTypeIds", "createdAt", "updatedAt"} {
		shown[field] = value[field]
	}
	return shown
}

func listImports(c *call) (answer, *refusal) {
	results := []any{}
	for r := range c.Tx.Newest(c.fake.store.Full(imports), 0) {
		results = append(results, showImport(r.Value()))
	}
	return ok(map[string]any{"results": results})
}

func (c *call) namedImport() (*world.Record, *refusal) {
	r, there := c.fake.store.Get(c.Tx, imports, c.Input.Path["importId"])
	if !there {
		return nil, &refusal{status: http.StatusNotFound, category: notFoundCategory, message: "Import not found with id " + kit.Clip(c.Input.Path["importId"])}
	}
	return r, nil
}

func getImport(c *call, r *world.Record) (answer, *refusal) { return ok(showImport(r.Value())) }

// createImport takes files and what their columns mean.
// Source: developers.hubspot.com/docs/guides/api/crm/imports.
func createImport(c *call) (answer, *refusal) {
	var request map[string]any
	if json.Unmarshal([]byte(c.text("importRequest")), &request) != nil || request == nil {
		return answer{}, invalid("importRequest could not be read as JSON")
	}
	request = cast.Object(typedJSON(request))
	sent := map[string]string{}
	for _, part := range c.Input.Parts {
		if part.FileName != "" {
			sent[part.FileName] = string(part.Data)
		}
	}
	files := cast.Objects(request["files"])
	if len(files) == 0 {
		return answer{}, invalid("At least one file must be given in the import request")
	}
	var kinds, contents, ids []any
	for _, file := range files {
		text, given := sent[cast.Text(file["fileName"])]
		if !given {
			return answer{}, invalid("File %s is named in the import request and was not sent", kit.Clip(cast.Text(file["fileName"])))
		}
		page := cast.Object(file["fileImportPage"])
		for _, m := range cast.Objects(page["columnMappings"]) {
			o, known := c.typeNamed(cast.Text(m["columnObjectTypeId"]))
			if property := cast.Text(m["propertyName"]); known && property != "" && c.definition(o, property) == nil {
				return answer{}, invalid("Property %q does not exist on object type %s", kit.Clip(property), o.id)
			}
			if known && !slices.Contains(kinds, any(o.id)) {
				kinds = append(kinds, o.id)
			}
		}
		contents = append(contents, map[string]any{"text": text, "page": page})
		ids = append(ids, c.id("files"))
	}
	if kinds == nil {
		return answer{}, invalid("No column is mapped to an object type")
	}
	id := c.id(imports)
	value := map[string]any{
		"id": id, "state": "STARTED", "importName": cast.Text(request["name"]), "importRequestJson": request, "mappedObjectTypeIds": kinds,
		"createdAt": c.now(), "updatedAt": c.now(), "counters": map[string]any{}, "fileIds": ids, "files": contents, "errors": []any{},
	}
	c.fake.store.Create(c.Tx, imports, id, value)
	kit.Must(name, kit.Schedule(c.Tx, fakes.Timer{Service: name, Kind: importTimer, Subject: id, Due: c.Now.Add(importTime)}))
	return ok(showImport(value))
}

// typedJSON reads numbers as records hold them.
func typedJSON(v any) any {
	return decoded(world.Encode(v))
}

func cancelImport(c *call, r *world.Record) (answer, *refusal) {
	if state := r.Value()["state"]; state != "STARTED" && state != "PROCESSING" {
		return answer{}, invalid("Import %s is not active", r.ID)
	}
	value := changed(r.Value())
	value["state"], value["updatedAt"] = "CANCELED", c.now()
	c.fake.store.Update(c.Tx, imports, r.ID, value)
	kit.Must(name, kit.Cancel(c.Tx, name, importTimer, r.ID))
	return ok(map[string]any{"status": "CANCELED", "startedAt": r.Value()["createdAt"], "completedAt": c.now()})
}

func listImportErrors(c *call, r *world.Record) (answer, *refusal) {
	limit, refused := c.limit(mostPage)
	if refused != nil {
		return answer{}, refused
	}
	from, refused := offset(c.query("after"))
	if refused != nil {
		return answer{}, refused
	}
	all := cast.List(r.Value()["errors"])
	end, after := min(from+limit, len(all)), ""
	if end < len(all) {
		after = strconv.Itoa(end)
	}
	return c.page(append([]any{}, all[min(from, end):end]...), after)
}

// Fire does what is due: an import goes through its files.
func (f *Fake) Fire(fc *fakes.Call, t fakes.Timer) {
	c := f.on(fc)
	r, there := f.store.Get(c.Tx, imports, t.Subject)
	if t.Kind != importTimer || !there || r.Value()["state"] != "STARTED" {
		return
	}
	value := changed(r.Value())
	run := importRun{call: c, request: cast.Object(value["importRequestJson"]), counters: map[string]any{}, errors: []any{}}
	for _, file := range cast.Objects(value["files"]) {
		run.file(cast.Text(file["text"]), cast.Object(file["page"]))
	}
	value["state"], value["updatedAt"], value["counters"], value["errors"] = "DONE", c.now(), run.counters, run.errors
	c.fake.store.Update(c.Tx, imports, r.ID, value)
}

// An importRun is an import that is being done.
type importRun struct {
	*call

	request  map[string]any
	counters map[string]any
	errors   []any
}

func (i *importRun) count(name string) { i.counters[name] = cast.Int(i.counters[name]) + 1 }

// file goes through the rows of a file. What is not well formed ends it.
func (i *importRun) file(text string, page map[string]any) {
	reader := csv.NewReader(strings.NewReader(strings.TrimPrefix(text, "\ufeff")))
	reader.FieldsPerRecord = -1
	var header []string
	for line := 1; line <= mostRows; line++ {
		row, err := reader.Read()
		if err != nil {
			return
		}
		if header == nil && page["hasHeader"] != false {
			header = row
			continue
		}
		i.Spend(len(row))
		i.count("TOTAL_ROWS")
		i.row(row, header, line, cast.Objects(page["columnMappings"]))
	}
}

// row makes or changes a record of each type that a row is about, and associates
// them.
func (i *importRun) row(row, header []string, line int, mappings []map[string]any) {
	type part struct {
		o     *objectType
		given map[string]any
		id    string
	}
	var parts []*part
	for at, m := range mappings {
		o, known := i.typeNamed(cast.Text(m["columnObjectTypeId"]))
		column := at
		if title := cast.Text(m["columnName"]); title != "" && header != nil {
			column = slices.Index(header, title)
		}
		if !known || column < 0 || column >= len(row) {
			continue
		}
		n := slices.IndexFunc(parts, func(p *part) bool { return p.o.name == o.name })
		if n < 0 {
			n = len(parts)
			parts = append(parts, &part{o: o, given: map[string]any{}})
		}
		switch {
		case m["columnType"] == "HUBSPOT_OBJECT_ID":
			parts[n].id = row[column]
		case cast.Text(m["propertyName"]) != "" && row[column] != "":
			parts[n].given[cast.Text(m["propertyName"])] = row[column]
		}
	}
	var done []association
	for _, p := range parts {
		if len(p.given) == 0 { // its columns are empty
			continue
		}
		id, refused := i.save(p.o, p.id, p.given)
		if refused != nil {
			i.count("ERRORS")
			i.errors = append(i.errors, i.failure(p.o, refused, row, line))
			continue
		}
		for _, other := range done {
			i.put(association{from: other.from, fromID: other.fromID, to: p.o, toID: id})
		}
		done = append(done, association{from: p.o, fromID: id})
	}
}

// save makes a record or changes the one that is named: by its id, or by the
// address of a contact or the domain of a company.
func (i *importRun) save(o *objectType, id string, given map[string]any) (string, *refusal) {
	how := cast.Text(cast.Object(i.request["importOperations"])[o.id])
	var r *world.Record
	switch {
	case id != "":
		r, _ = i.find(o, id)
	case o.name == "contacts" && cast.Plain(given["email"]) != "":
		r = i.byProperty(o, "email", cast.Plain(given["email"]))
	case o.name == "companies" && cast.Plain(given["domain"]) != "":
		r = i.byProperty(o, "domain", cast.Plain(given["domain"]))
	}
	by := source{"IMPORT", ""}
	switch {
	case r == nil && how == "UPDATE":
		return "", invalid("UPDATE_ONLY_IMPORT")
	case r != nil && how == "CREATE":
		return "", invalid("CREATE_ONLY_IMPORT")
	}
	set, flaws := i.check(o, given)
	if len(flaws) > 0 {
		return "", i.flawed(flaws)
	}
	var before map[string]any
	if r != nil {
		before = cast.Object(r.Value()["properties"])
	} else if refused := i.complete(o, set); refused != nil {
		return "", refused
	}
	if refused := i.staged(o, set, before); refused != nil {
		return "", refused
	}
	if r != nil {
		i.alter(o, r, set, by)
		i.count("UPDATED_OBJECTS")
		return r.ID, nil
	}
	i.count("CREATED_OBJECTS")
	return i.make(o, set, by).ID, nil
}

// failure writes what became of a row that was not taken.
func (i *importRun) failure(o *objectType, refused *refusal, row []string, line int) map[string]any {
	kind, message := "FAILED_VALIDATION", refused.message
	for _, one := range cast.Objects(refused.errors) {
		message = cast.Text(one["message"])
		kind = map[string]string{
			invalidEmail: "INVALID_EMAIL", invalidOption: "INVALID_ENUMERATION_OPTION", invalidNumber: "COULD_NOT_PARSE_NUMBER", invalidDate: "COULD_NOT_PARSE_DATE",
			invalidLong: "COULD_NOT_PARSE_DATE", doesNotExist: "PROPERTY_DEFINITION_NOT_FOUND", invalidOwner: "COULD_NOT_FIND_OWNER",
		}[cast.Text(one["code"])]
	}
	switch {
	case message == "UPDATE_ONLY_IMPORT", message == "CREATE_ONLY_IMPORT":
		kind = message
	case strings.HasPrefix(message, "Error creating"):
		kind = "MISSING_REQUIRED_PROPERTY"
	case kind == "":
		kind = "FAILED_VALIDATION"
	}
	return map[string]any{
		"id": i.id(imports), "createdAt": i.Now.UnixMilli(), "errorType": kind, "errorMessage": message, "objectTypeId": o.id, "objectType": o.upper,
		"sourceData": map[string]any{"lineNumber": int64(line), "rowData": cast.Anys(row), "fileId": int64(0), "containsEncryptedProperties": false},
	}
}
