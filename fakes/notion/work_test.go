package notion_test

import (
	"fmt"
	"testing"
)

// Rollups of rollups hold as many values as their relations multiply to: six of
// them over 60 pages took gigabytes.
func TestRollupsOfRollupsEnd(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	source := r.Must(200, r.JSON("POST", "/v1/databases", m{
		"parent": m{"type": "page_id", "page_id": rootPage}, "title": rich("Ring"), "initial_data_source": m{"properties": m{"Name": m{"title": m{}}}},
	})).Text("data_sources.0.id")
	r.Must(200, r.JSON("PATCH", "/v1/data_sources/"+source, m{"properties": m{"All": m{"relation": m{"data_source_id": source, "single_property": m{}}}}}))
	var all []any
	for i := range 60 {
		all = append(all, m{"id": r.Must(200, task(r, source, fmt.Sprint(i), nil)).Text("id")})
	}
	for _, one := range all {
		r.Must(200, r.JSON("PATCH", "/v1/pages/"+one.(m)["id"].(string), m{"properties": m{"All": m{"relation": all}}}))
	}
	below := "Name"
	for i := range 6 {
		name := fmt.Sprintf("R%d", i)
		r.Must(200, r.JSON("PATCH", "/v1/data_sources/"+source, m{"properties": m{
			name: m{"rollup": m{"relation_property_name": "All", "rollup_property_name": below, "function": "show_original"}},
		}}))
		below = name
	}
	g := r.Must(504, r.JSON("POST", "/v1/data_sources/"+source+"/query", m{}))
	if code := g.Text("code"); code != "gateway_timeout" {
		t.Errorf("it is refused as %s", code)
	}
}
