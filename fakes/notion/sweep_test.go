package notion_test

import (
	"encoding/json"
	"strings"
	"testing"
)

// Whatever comes in a body is answered in Notion's words: no value in any place
// makes the fake fail, and each reply holds against the contract.
func TestHostileBodiesAreRefused(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	id := page(r, "p", paragraph("x"))
	block := r.Send("GET", "/v1/blocks/"+id+"/children", "").Text("results.0.id")
	source := tasks(r)
	row := task(r, source, "row", nil).Text("id")
	comment := r.JSON("POST", "/v1/comments", m{"parent": m{"page_id": id}, "rich_text": rich("c")}).Text("id")
	database := r.Send("GET", "/v1/data_sources/"+source, "").Text("parent.database_id")
	values := hostile(t)
	fields := map[string][]string{
		"POST /v1/search":           {"query", "sort", "filter", "start_cursor", "page_size", "x"},
		"PATCH /v1/blocks/" + block: {"paragraph", "type", "archived", "in_trash", "to_do"}, "PATCH /v1/blocks/" + id + "/children": {"children", "after", "position"},
		"POST /v1/pages": {"parent", "properties", "icon", "cover", "children", "markdown", "content", "template"}, "PATCH /v1/pages/" + row: {"properties", "icon", "cover", "is_locked", "archived", "erase_content"},
		"POST /v1/pages/" + row + "/move": {"parent"}, "PATCH /v1/pages/" + id + "/markdown": {"type", "insert_content", "replace_content", "update_content", "replace_content_range"},
		"POST /v1/comments": {"parent", "discussion_id", "rich_text", "attachments", "display_name", "markdown"}, "PATCH /v1/comments/" + comment: {"rich_text", "markdown"},
		"POST /v1/databases": {"parent", "title", "description", "is_inline", "initial_data_source", "icon"}, "PATCH /v1/databases/" + database: {"title", "icon", "parent", "is_inline", "cover"},
		"POST /v1/data_sources": {"parent", "properties", "title", "icon"}, "PATCH /v1/data_sources/" + source: {"title", "properties", "icon"},
		"POST /v1/data_sources/" + source + "/query": {"filter", "sorts", "start_cursor", "page_size", "in_trash", "result_type"},
		"POST /v1/views":        {"filter", "sorts", "type", "name", "configuration", "quick_filters", "data_source_id"},
		"POST /v1/file_uploads": {"mode", "filename", "content_type", "number_of_parts", "external_url"}, "POST /v1/oauth/token": {"grant_type", "code", "refresh_token"}, "POST /v1/oauth/revoke": {"token"}, "POST /v1/oauth/introspect": {"token"},
	}
	// What else a body needs to be judged further.
	whole := map[string]m{
		"POST /v1/pages": {"parent": m{"data_source_id": source}, "properties": m{}}, "POST /v1/comments": {"parent": m{"page_id": id}, "rich_text": rich("x")},
		"POST /v1/databases": {"parent": m{"page_id": id}}, "POST /v1/data_sources": {"parent": m{"database_id": database}, "properties": m{"Name": m{"title": m{}}}},
		"PATCH /v1/pages/" + id + "/markdown": {"type": "update_content"}, "POST /v1/oauth/token": {"grant_type": "authorization_code"}, "POST /v1/views": {"data_source_id": source, "name": "v", "type": "table"}, "PATCH /v1/blocks/" + id + "/children": {"children": []any{}},
	}
	asked := 0
	for call, names := range fields {
		method, target, _ := strings.Cut(call, " ")
		for _, name := range names {
			for _, value := range values {
				body := m{}
				for key, given := range whole[call] {
					body[key] = given
				}
				body[name] = value
				r.Wait(1e9)
				before := r.World
				g := r.JSON(method, target, body)
				asked++
				if g.Status != 200 && (g.At("object") != "error" || g.Text("code") == "" || g.Text("message") == "" || g.Status >= 500) {
					t.Errorf("%s %v: %d %s", call, body, g.Status, g.Raw)
				}
				r.World = before // so that each meets the same world
			}
		}
	}
	t.Logf("%d requests", asked)
}

// hostile are values that some place of a body does not take.
func hostile(t *testing.T) []any {
	t.Helper()
	var values []any
	for _, text := range []string{
		`null`, `7`, `-1.5`, `"x"`, `""`, `true`, `[]`, `{}`, `[null]`, `[7]`, `["x"]`, `[[]]`, `[{}]`, `{"x": 1}`, `{"type": 7}`, `{"type": "text"}`,
		`{"page_id": 7}`, `{"page_id": null}`, `{"or": [7]}`, `{"and": [{}]}`, `{"property": "Name", "title": 7}`, `{"property": 7, "number": {}}`,
		`{"property": "Points", "number": {"equals": "x"}}`, `{"property": "Due", "date": {"equals": 7}}`, `[{"property": 7}]`, `[{"text": null}]`, `[{"text": {"content": null}}]`,
		`[{"mention": {}}]`, `[{"mention": {"user": 7}}]`, `[{"mention": {"date": {"start": 7}}}]`, `[{"equation": {}}]`, `[{"paragraph": null}]`, `[{"paragraph": {"rich_text": [null]}}]`,
		`[{"table": {"table_width": "x"}}]`, `[{"image": {"external": null}}]`, `[{"callout": {"rich_text": [], "icon": 7}}]`, `[{"synced_block": {"synced_from": 7}}]`, `[{"column_list": {"children": 7}}]`,
		`{"Name": null}`, `{"Name": 7}`, `{"Name": {"title": 7}}`, `{"Points": {"number": []}}`, `{"Kind": {"select": 7}}`, `{"Kind": {"select": {"name": 7}}}`, `{"Tags": {"multi_select": {}}}`, `{"Tags": [7]}`,
		`{"Due": {"date": {"start": "never"}}}`, `{"Who": {"people": [7]}}`, `{"Files": {"files": [{}]}}`, `{"Made": {"created_time": "x"}}`, `{"Status": {"status": {}}}`, `{"Twice": {"formula": {}}}`, `{"x": {"rollup": {}}}`,
		`{"x": {"relation": {}}}`, `{"x": {"relation": {"data_source_id": "x"}}}`, `{"x": {"select": {"options": [7]}}}`, `{"x": {"select": {"options": [{"name": "a,b"}]}}}`, `{"x": {"formula": {"expression": "((((("}}}`,
		`{"x": {"formula": {"expression": "1/0"}}}`, `{"properties": 7}`, `{"properties": {"x": 7}}`, `{"content": 7}`, `{"content_updates": [7]}`, `{"new_str": 7}`,
		`{"emoji": 7}`, `{"file_upload": {"id": "x"}}`, `{"custom_emoji": {}}`, `{"type": "after_block"}`, `{"value": "page"}`, `{"timestamp": "x"}`, `{"direction": 7, "timestamp": "last_edited_time"}`,
	} {
		var v any
		if err := json.Unmarshal([]byte(text), &v); err != nil {
			t.Fatal(err)
		}
		values = append(values, v)
	}
	return values
}
