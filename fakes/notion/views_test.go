package notion_test

import (
	"testing"

	"parity/fakes/faketest"
)

func TestViews(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	source := tasks(r)
	database := r.Send("GET", "/v1/data_sources/"+source, "").Text("parent.database_id")
	var ids []string
	for _, name := range []string{"a", "b", "c"} {
		ids = append(ids, r.Must(200, task(r, source, name, m{"Done": m{"checkbox": name != "b"}})).Text("id"))
	}
	if n := r.Must(200, r.Send("GET", "/v1/views?database_id="+database, "")).Len("results"); n != 1 {
		t.Errorf("a new database has %d views", n)
	}
	view := r.Must(200, r.JSON("POST", "/v1/views", m{
		"data_source_id": source, "name": "Done", "type": "board", "filter": m{"property": "Done", "checkbox": m{"equals": true}}, "sorts": []any{m{"property": "Name", "direction": "ascending"}},
	}))
	faketest.Want(t, view, m{"object": "view", "type": "board", "parent": m{"type": "database_id", "database_id": database}, "data_source_id": source, "created_by.object": "user"})
	at := "/v1/views/" + view.Text("id")
	query := r.Must(200, r.JSON("POST", at+"/queries", m{"page_size": 1}))
	faketest.Want(t, query, m{"object": "view_query", "total_count": 2, "has_more": true, "results": []any{m{"object": "page", "id": ids[0]}}, "next_cursor": ids[2]})
	rest := r.Must(200, r.Send("GET", at+"/queries/"+query.Text("id")+"?start_cursor="+query.Text("next_cursor"), ""))
	faketest.Want(t, rest, m{"type": "page", "has_more": false, "results": []any{m{"object": "page", "id": ids[2]}}})
	faketest.Want(t, r.Must(200, r.JSON("PATCH", at, m{"name": "Finished", "filter": nil})), m{"name": "Finished", "filter": nil})
	faketest.Want(t, r.Must(200, r.Send("DELETE", at+"/queries/"+query.Text("id"), "")), m{"deleted": true})
	if g := r.Send("GET", at+"/queries/"+query.Text("id"), ""); g.Status != 404 {
		t.Error(g.Raw)
	}
	r.Must(200, r.Send("DELETE", at, ""))
	if g := r.Send("GET", at, ""); g.Status != 404 {
		t.Error(g.Raw)
	}
	refused(t, r.JSON("POST", "/v1/views", m{"data_source_id": source, "name": "x", "type": "table", "filter": m{"property": "Nope", "number": m{"equals": 1}}}), 400, "validation_error", "Could not find property with name or id: Nope")
}
