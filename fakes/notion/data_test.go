package notion_test

import (
	"fmt"
	"strings"
	"testing"

	"parity/fakes/faketest"
)

// tasks makes a database of tasks, and gives its data source.
func tasks(r *faketest.Rig) string {
	r.T.Helper()
	made := r.Must(200, r.JSON("POST", "/v1/databases", m{
		"parent": m{"type": "page_id", "page_id": rootPage}, "title": rich("Tasks"),
		"initial_data_source": m{"properties": m{
			"Name": m{"title": m{}}, "Points": m{"number": m{"format": "number"}}, "Done": m{"checkbox": m{}}, "Due": m{"date": m{}},
			"Status": m{"status": m{}}, "Kind": m{"select": m{"options": []any{m{"name": "Bug", "color": "red"}}}}, "Tags": m{"multi_select": m{}},
			"Link": m{"url": m{}}, "Mail": m{"email": m{}}, "Phone": m{"phone_number": m{}}, "Notes": m{"rich_text": m{}}, "Who": m{"people": m{}},
			"Files": m{"files": m{}}, "Made": m{"created_time": m{}}, "By": m{"created_by": m{}}, "Number": m{"unique_id": m{"prefix": "T"}},
			"Twice": m{"formula": m{"expression": `if(prop("Done"), 0, prop("Points") * 2)`}},
		}},
	}))
	return made.Text("data_sources.0.id")
}

func task(r *faketest.Rig, source, name string, properties m) faketest.Got {
	r.T.Helper()
	all := m{"Name": m{"title": rich(name)}}
	for key, value := range properties {
		all[key] = value
	}
	return r.JSON("POST", "/v1/pages", m{"parent": m{"data_source_id": source}, "properties": all})
}

func TestPropertiesOfEveryType(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	source := tasks(r)
	person := "b85d2e47-9a13-4f6c-8d20-5e71f3a90c68"
	made := r.Must(200, task(r, source, "First", m{
		"Points": m{"number": 2.5}, "Due": m{"date": m{"start": "2026-03-05T10:00:00Z"}}, "Status": m{"status": m{"name": "Done"}},
		"Kind": m{"select": m{"name": "Feature"}}, "Tags": m{"multi_select": []any{m{"name": "a"}, m{"name": "b"}}}, "Link": m{"url": "https://x.example"},
		"Mail": m{"email": "a@b.example"}, "Phone": m{"phone_number": "1"}, "Notes": m{"rich_text": rich("n")}, "Who": m{"people": []any{m{"id": person}}},
		"Files": m{"files": []any{m{"name": "f", "external": m{"url": "https://x.example/f"}}}},
	}))
	faketest.Want(t, made, m{
		"parent.type": "data_source_id", "parent.data_source_id": source, "properties.Points.number": 2.5, "properties.Done.checkbox": false,
		"properties.Due.date": m{"start": "2026-03-05T10:00:00.000+00:00", "end": nil, "time_zone": nil}, "properties.Status.status.name": "Done",
		"properties.Status.status.color": "green", "properties.Kind.select.name": "Feature", "properties.Tags.multi_select.1.name": "b",
		"properties.Who.people.0.person.email": "robin@example.com", "properties.Files.files.0.type": "external", "properties.Made.created_time": "2026-03-01T12:00:00.000Z",
		"properties.By.created_by.type": "bot", "properties.Number.unique_id": m{"prefix": "T", "number": 1}, "properties.Twice.formula": m{"type": "number", "number": 5},
	})
	empty := r.Must(200, task(r, source, "Second", nil))
	faketest.Want(t, empty, m{
		"properties.Points.number": nil, "properties.Due.date": nil, "properties.Status.status.name": "Not started", "properties.Kind.select": nil,
		"properties.Tags.multi_select": []any{}, "properties.Link.url": nil, "properties.Notes.rich_text": []any{}, "properties.Number.unique_id.number": 2,
	})
	schema := r.Must(200, r.Send("GET", "/v1/data_sources/"+source, ""))
	if n := schema.Len("properties.Kind.select.options"); n != 2 {
		t.Errorf("a new option is not in the schema: %s", schema.Raw)
	}
	refused(t, task(r, source, "x", m{"Status": m{"status": m{"name": "Nope"}}}), 400, "validation_error", `Invalid status option. Status option "Nope" does not exist".`)
	refused(t, task(r, source, "x", m{"Points": m{"rich_text": rich("7")}, "Zed": m{"number": 1}}), 400, "validation_error", "Points is expected to be number. Zed is not a property that exists.")
	refused(t, task(r, source, "x", m{"Points": m{"number": "7"}}), 400, "validation_error", "body failed validation: body.properties.Points.number should be a number, instead was `\"7\"`.")

	id := made.Text("id")
	kind := schema.Text("properties.Kind.id")
	faketest.Want(t, r.Must(200, r.Send("GET", "/v1/pages/"+id+"/properties/"+kind, "")), m{"object": "property_item", "type": "select", "select.name": "Feature"})
	title := r.Must(200, r.Send("GET", "/v1/pages/"+id+"/properties/title", ""))
	faketest.Want(t, title, m{"object": "list", "type": "property_item", "property_item": m{"id": "title", "type": "title", "next_url": nil, "title": m{}}, "results.0.title.plain_text": "First"})
	narrow := r.Must(200, r.Send("GET", "/v1/pages/"+id+"?filter_properties=title&filter_properties="+kind, ""))
	if got := narrow.At("properties").(map[string]any); len(got) != 2 {
		t.Errorf("filter_properties leaves %v", got)
	}
}

func TestQueries(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	source := tasks(r)
	for i, name := range []string{"alpha", "beta", "gamma"} {
		r.Must(200, task(r, source, name, m{"Points": m{"number": i}, "Done": m{"checkbox": i == 1}, "Due": m{"date": m{"start": fmt.Sprintf("2026-03-0%d", i+1)}}, "Kind": m{"select": m{"name": "K" + name}}, "Tags": m{"multi_select": []any{m{"name": "t" + name}}}}))
	}
	r.Must(200, task(r, source, "", nil))
	query := func(body m) string {
		g := r.JSON("POST", "/v1/data_sources/"+source+"/query", body)
		if g.Status != 200 {
			return g.Text("message")
		}
		return strings.Join(g.Texts("results", "properties.Name.title.0.plain_text"), ",")
	}
	for name, c := range map[string]struct {
		filter any
		want   string
	}{
		"text":        {m{"property": "Name", "title": m{"contains": "ET"}}, "beta"},
		"starts":      {m{"property": "Name", "rich_text": m{"starts_with": "g"}}, "gamma"},
		"number":      {m{"property": "Points", "number": m{"greater_than": 0}}, "gamma,beta"},
		"not number":  {m{"property": "Points", "number": m{"does_not_equal": 0}}, ",gamma,beta"},
		"checkbox":    {m{"property": "Done", "checkbox": m{"equals": true}}, "beta"},
		"select":      {m{"property": "Kind", "select": m{"equals": "Kalpha"}}, "alpha"},
		"no select":   {m{"property": "Kind", "select": m{"is_empty": true}}, ""},
		"multi":       {m{"property": "Tags", "multi_select": m{"contains": "tbeta"}}, "beta"},
		"date":        {m{"property": "Due", "date": m{"on_or_after": "2026-03-02"}}, "gamma,beta"},
		"relative":    {m{"property": "Due", "date": m{"equals": "tomorrow"}}, "beta"},
		"me":          {m{"property": "By", "created_by": m{"contains": "me"}}, ",gamma,beta,alpha"},
		"several":     {m{"property": "Kind", "select": m{"equals": []any{"Kalpha", "Kbeta"}}}, "beta,alpha"},
		"next week":   {m{"property": "Due", "date": m{"next_week": m{}}}, "gamma,beta,alpha"},
		"formula":     {m{"property": "Twice", "formula": m{"number": m{"equals": 4}}}, "gamma"},
		"unique":      {m{"property": "Number", "unique_id": m{"equals": 2}}, "beta"},
		"timestamp":   {m{"timestamp": "created_time", "created_time": m{"past_week": m{}}}, ",gamma,beta,alpha"},
		"and":         {m{"and": []any{m{"property": "Points", "number": m{"less_than": 2}}, m{"property": "Done", "checkbox": m{"equals": false}}}}, "alpha"},
		"or":          {m{"or": []any{m{"property": "Name", "title": m{"equals": "alpha"}}, m{"property": "Name", "title": m{"equals": "gamma"}}}}, "gamma,alpha"},
		"no property": {m{"property": "Nope", "number": m{"equals": 1}}, "Could not find property with name or id: Nope"},
		"wrong type":  {m{"property": "Points", "checkbox": m{"equals": true}}, "The property type in the database does not match the property type of the filter provided: database property number does not match filter checkbox"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := query(m{"filter": c.filter}); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
	sortsAndPages(t, r, source, query)
}

func sortsAndPages(t *testing.T, r *faketest.Rig, source string, query func(m) string) {
	t.Helper()
	for want, sorts := range map[string][]any{
		"alpha,beta,gamma,": {m{"property": "Points", "direction": "ascending"}},
		"gamma,beta,alpha,": {m{"property": "Name", "direction": "descending"}},
		"beta,gamma,alpha,": {m{"property": "Done", "direction": "descending"}, m{"property": "Points", "direction": "descending"}},
	} {
		if got := query(m{"sorts": sorts}); got != want && want != "beta,gamma,alpha," || want == "beta,gamma,alpha," && !strings.HasPrefix(got, "beta,gamma,alpha") {
			t.Errorf("%v: %q, want %q", sorts, got, want)
		}
	}
	if got := query(m{"filter": m{"property": "Points"}}); !strings.HasPrefix(got, "body failed validation. Fix one:\nbody.filter.or should be defined, instead was `undefined`.\nbody.filter.and should") {
		t.Error(got)
	}
	first := r.Must(200, r.JSON("POST", "/v1/data_sources/"+source+"/query", m{"page_size": 3}))
	faketest.Want(t, first, m{"has_more": true, "type": "page_or_data_source"})
	rest := r.Must(200, r.JSON("POST", "/v1/data_sources/"+source+"/query", m{"page_size": 3, "start_cursor": first.Text("next_cursor")}))
	if rest.Len("results") != 1 || rest.At("has_more") != false || rest.At("next_cursor") != nil {
		t.Error(rest.Raw)
	}
	refused(t, r.JSON("POST", "/v1/data_sources/"+source+"/query?page_size=1", m{}), 400, "validation_error", "query failed validation: query.page_size should be not present, instead was `\"1\"`.")
}

func TestRelationsAndRollups(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	source := tasks(r)
	projects := r.Must(200, r.JSON("POST", "/v1/databases", m{"parent": m{"page_id": rootPage}, "title": rich("Projects"), "initial_data_source": m{"properties": m{"Title": m{"title": m{}}}}})).Text("data_sources.0.id")
	r.Must(200, r.JSON("PATCH", "/v1/data_sources/"+projects, m{"properties": m{"Tasks": m{"relation": m{"data_source_id": source, "dual_property": m{"synced_property_name": "Project"}}}}}))
	r.Must(200, r.JSON("PATCH", "/v1/data_sources/"+projects, m{"properties": m{
		"Sum":   m{"rollup": m{"relation_property_name": "Tasks", "rollup_property_name": "Points", "function": "sum"}},
		"Names": m{"rollup": m{"relation_property_name": "Tasks", "rollup_property_name": "Name", "function": "show_original"}},
		"Share": m{"rollup": m{"relation_property_name": "Tasks", "rollup_property_name": "Done", "function": "percent_checked"}},
	}}))
	a := r.Must(200, task(r, source, "a", m{"Points": m{"number": 2}, "Done": m{"checkbox": true}})).Text("id")
	b := r.Must(200, task(r, source, "b", m{"Points": m{"number": 3}})).Text("id")
	faketest.Want(t, r.Send("GET", "/v1/data_sources/"+source, ""), m{"properties.Project.relation.dual_property.synced_property_name": "Tasks"})
	made := r.Must(200, r.JSON("POST", "/v1/pages", m{"parent": m{"data_source_id": projects}, "properties": m{"Title": rich("P"), "Tasks": m{"relation": []any{m{"id": a}}}}}))
	id := made.Text("id")
	faketest.Want(t, r.Send("GET", "/v1/pages/"+a, ""), m{"properties.Project.relation": []any{m{"id": id}}})
	updated := r.Must(200, r.JSON("PATCH", "/v1/pages/"+id, m{"properties": m{"Tasks": m{"relation": []any{m{"id": a}, m{"id": b}}}}}))
	faketest.Want(t, updated, m{
		"properties.Tasks.relation": []any{m{"id": a}, m{"id": b}}, "properties.Tasks.has_more": false,
		"properties.Sum.rollup": m{"type": "number", "number": 5, "function": "sum"}, "properties.Share.rollup.number": 0.5,
		"properties.Names.rollup.array.1.title.0.plain_text": "b",
	})
	faketest.Want(t, r.Send("GET", "/v1/pages/"+b, ""), m{"properties.Project.relation": []any{m{"id": id}}})
	refused(t, r.JSON("PATCH", "/v1/pages/"+id, m{"properties": m{"Tasks": m{"relation": []any{m{"id": "x"}}}}}), 400, "validation_error", "body failed validation: body.properties.Tasks.relation[0].id should be a valid uuid, instead was `\"x\"`.")
	r.Must(200, r.JSON("PATCH", "/v1/data_sources/"+source, m{"properties": m{"Project": m{"name": "Of"}}}))
	faketest.Want(t, r.Send("GET", "/v1/data_sources/"+projects, ""), m{"properties.Tasks.relation.dual_property.synced_property_name": "Of"})
	items := r.Must(200, r.Send("GET", "/v1/pages/"+id+"/properties/Tasks?page_size=1", ""))
	faketest.Want(t, items, m{"has_more": true, "results.0.relation.id": a})
	if !strings.Contains(items.Text("property_item.next_url"), "start_cursor="+items.Text("next_cursor")) {
		t.Error(items.Raw)
	}
	r.Must(200, r.JSON("PATCH", "/v1/data_sources/"+source, m{"properties": m{"Of": nil}}))
	faketest.Want(t, r.Send("GET", "/v1/data_sources/"+projects, ""), m{"properties.Tasks": nil})
}

func TestDatabasesOfEveryVersion(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	old := []string{"Notion-Version", "2022-06-28"}
	refused(t, r.JSON("POST", "/v1/databases", m{"parent": m{"page_id": rootPage}}, old...), 400, "validation_error", "body failed validation: body.properties should be defined, instead was `undefined`.")
	made := r.Must(200, r.JSON("POST", "/v1/databases", m{"parent": m{"page_id": rootPage}, "title": rich("Old"), "properties": m{"Name": m{"title": m{}}, "N": m{"number": m{}}}}, old...))
	id := made.Text("id")
	faketest.Want(t, made, m{"object": "database", "archived": false, "properties.N.number": m{"format": "number"}, "created_time": "2026-03-01T12:00:00.000Z", "data_sources": nil})
	row := r.Must(200, r.JSON("POST", "/v1/pages", m{"parent": m{"database_id": id}, "properties": m{"Name": rich("row"), "N": 3}}, old...))
	faketest.Want(t, row, m{"parent": m{"type": "database_id", "database_id": id}, "properties.N.number": 3})
	faketest.Want(t, r.Must(200, r.JSON("POST", "/v1/databases/"+id+"/query", m{}, old...)), m{"type": "page_or_database", "results.0.id": row.Text("id")})
	now := r.Must(200, r.Send("GET", "/v1/databases/"+id, ""))
	faketest.Want(t, now, m{"properties": nil, "data_sources.0.name": "Old", "created_time": "2026-03-01T12:00:00.000+00:00"})
	refused(t, r.JSON("POST", "/v1/databases/"+id+"/query", m{}), 400, "invalid_request_url", "Invalid request URL.")
	r.Must(200, r.JSON("PATCH", "/v1/databases/"+id, m{"properties": m{"N": m{"name": "Count"}, "Extra": m{"checkbox": m{}}}}, old...))
	faketest.Want(t, r.Send("GET", "/v1/pages/"+row.Text("id"), "", old...), m{"properties.Count.number": 3, "properties.Extra.checkbox": false, "properties.N": nil})
	r.Must(200, r.JSON("POST", "/v1/data_sources", m{"parent": m{"database_id": id}, "title": rich("Second"), "properties": m{"Name": m{"title": m{}}}}))
	faketest.Want(t, r.JSON("POST", "/v1/databases/"+id+"/query", m{}, old...), m{"status": 400, "additional_data.error_type": "multiple_data_sources_for_database"})
	newest := []string{"Notion-Version", "2026-03-11"}
	got := r.Must(200, r.Send("GET", "/v1/databases/"+id, "", newest...))
	faketest.Want(t, got, m{"archived": nil, "in_trash": false})
	if got.Len("data_sources") != 2 {
		t.Error(got.Raw)
	}
	refused(t, r.JSON("PATCH", "/v1/databases/"+id, m{"archived": true}, newest...), 400, "validation_error", "body failed validation: body.archived should be not present, instead was `true`.")
	r.Must(200, r.JSON("PATCH", "/v1/databases/"+id, m{"in_trash": true}, newest...))
	faketest.Want(t, task(r, got.Text("data_sources.0.id"), "x", nil), m{"status": 400})
}

func TestTemplates(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	source := tasks(r)
	r.Must(200, task(r, source, "plain", nil))
	r.Fill(`
notion.databases:
  - {id: d0000000-0000-4000-8000-000000000001, parent: {page_id: 2a4c9d10-7b3e-8051-bf26-c01d5e8f9a73}, title: [{text: {content: T}}], initial_data_source: {properties: {Name: {title: {}}, N: {number: {}}}}}
notion.pages:
  - {id: a0000000-0000-8000-8000-000000000001, as_template: default, parent: {database_id: d0000000-0000-4000-8000-000000000001}, icon: {emoji: "🐞"}, properties: {Name: [{text: {content: Bug}}], N: {number: 3}}, children: [{toggle: {rich_text: [{text: {content: Steps}}], children: [{paragraph: {rich_text: []}}]}}]}
`)
	source = r.Send("GET", "/v1/databases/d0000000-0000-4000-8000-000000000001", "").Text("data_sources.0.id")
	faketest.Want(t, r.Must(200, r.Send("GET", "/v1/data_sources/"+source+"/templates", "")), m{"templates": []any{m{"id": "a0000000-0000-8000-8000-000000000001", "name": "Bug", "is_default": true}}, "has_more": false})
	if n := r.JSON("POST", "/v1/data_sources/"+source+"/query", m{}).Len("results"); n != 0 {
		t.Errorf("a query shows %d templates", n)
	}
	made := r.Must(200, r.JSON("POST", "/v1/pages", m{"parent": m{"data_source_id": source}, "template": m{"type": "default"}, "properties": m{"Name": rich("Mine")}}))
	faketest.Want(t, made, m{"properties.Name.title.0.plain_text": "Mine", "properties.N.number": 3, "icon.emoji": "🐞"})
	faketest.Want(t, r.Send("GET", "/v1/blocks/"+made.Text("id")+"/children", ""), m{"results.0.toggle.rich_text.0.plain_text": "Steps", "results.0.has_children": true})
}

func TestPagePosition(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	id := page(r, "p", paragraph("a"), paragraph("b"))
	one := r.Send("GET", "/v1/blocks/"+id+"/children", "").Text("results.0.id")
	child := func(title string, position m) {
		r.Must(200, r.JSON("POST", "/v1/pages", m{"parent": m{"page_id": id}, "properties": m{"title": rich(title)}, "position": position}))
	}
	child("first", m{"type": "page_start"})
	child("last", m{"type": "page_end"})
	child("middle", m{"type": "after_block", "after_block": m{"id": one}})
	got := r.Send("GET", "/v1/blocks/"+id+"/children", "").Texts("results", "child_page.title")
	if strings.Join(got, ",") != "first,,middle,,last" {
		t.Errorf("in order %q", got)
	}
}
