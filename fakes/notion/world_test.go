package notion_test

import (
	"strings"
	"testing"

	"parity/fakes/faketest"
)

// The same calls make the same world, whatever the order of maps.
func TestTheSameCallsMakeTheSameWorld(t *testing.T) {
	t.Parallel()
	first := ""
	for range 8 {
		r := newRig(t)
		live(r)
		var b strings.Builder
		for _, c := range r.Service.Collections {
			for record := range r.World.Oldest(c.Name, 0) {
				b.WriteString(c.Name + " " + record.ID + " " + string(record.JSON()) + "\n")
			}
		}
		switch {
		case first == "":
			first = b.String()
		case first != b.String():
			t.Fatalf("another world:\n%s\n%s", first, b.String())
		}
	}
}

// live is a day of an integration.
func live(r *faketest.Rig) {
	source := tasks(r)
	other := r.Must(200, r.JSON("POST", "/v1/databases", m{"parent": m{"page_id": rootPage}, "initial_data_source": m{"properties": m{"Title": m{"title": m{}}, "A": m{"select": m{}}, "B": m{"multi_select": m{}}, "C": m{"status": m{}}}}})).Text("data_sources.0.id")
	r.Must(200, r.JSON("PATCH", "/v1/data_sources/"+source, m{"properties": m{
		"R1": m{"relation": m{"data_source_id": other, "dual_property": m{}}}, "R2": m{"relation": m{"data_source_id": other, "dual_property": m{}}}, "R3": m{"relation": m{"data_source_id": source, "dual_property": m{}}},
	}}))
	to := []any{}
	for _, name := range []string{"x", "y", "z"} {
		made := r.Must(200, r.JSON("POST", "/v1/pages", m{"parent": m{"data_source_id": other}, "properties": m{"Title": rich(name), "A": m{"select": m{"name": name}}, "B": m{"multi_select": []any{m{"name": name}, m{"name": "b"}}}}}))
		to = append(to, m{"id": made.Text("id")})
	}
	a := r.Must(200, task(r, source, "a", m{"R1": m{"relation": to}, "R2": m{"relation": to[:2]}, "Kind": m{"select": m{"name": "new"}}, "Tags": m{"multi_select": []any{m{"name": "p"}, m{"name": "q"}}}})).Text("id")
	r.Must(200, r.JSON("PATCH", "/v1/pages/"+a, m{"properties": m{"R1": m{"relation": to[1:]}, "R2": m{"relation": []any{}}, "R3": m{"relation": []any{m{"id": a}}}}}))
	id := page(r, "p", paragraph("1"), m{"toggle": m{"rich_text": rich("t"), "children": []any{paragraph("2")}}})
	r.Must(200, r.JSON("POST", "/v1/comments", m{"parent": m{"page_id": id}, "rich_text": rich("hello")}))
	r.Must(200, r.JSON("PATCH", "/v1/pages/"+id+"/markdown", m{"type": "replace_content", "replace_content": m{"new_str": "# new\ntext"}}))
	r.Must(200, r.JSON("PATCH", "/v1/data_sources/"+source, m{"properties": m{"R1": m{"name": "Renamed"}, "R2": nil}}))
}
