package generic_test

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"

	"parity/fakes/world"
)

// many puts records into a rig's world, as if they had been made one after the
// other.
func many(r *rig, collection string, n int, value func(i int) map[string]any) {
	r.t.Helper()
	tx := r.world.Begin()
	for i := range n {
		v := value(i)
		if _, err := tx.Insert(collection, fmt.Sprint(v["id"]), v); err != nil {
			r.t.Fatal(err)
		}
	}
	r.world = tx.Commit()
}

func thing(i int) map[string]any {
	color := []string{"red", "blue"}[i%2]
	return map[string]any{"id": int64(i + 1), "name": fmt.Sprintf("n%02d", i), "size": int64(i), "color": color, "made_at": "2026-01-01T00:00:00Z"}
}

// paged is a shop whose lists can be asked for in every way.
func paged(t testing.TB) *rig {
	t.Helper()
	return shop(t, `        - {name: limit, in: query, schema: {type: integer, maximum: 20}}
        - {name: cursor, in: query, schema: {type: string}}
        - {name: before, in: query, schema: {type: string}}
        - {name: order, in: query, schema: {type: string, enum: [asc, desc]}}
        - {name: color, in: query, schema: {type: string}}`,
		`          description: some`+"\n"+things+`                  next_cursor: {type: string, nullable: true}
                  has_more: {type: boolean}
                  total: {type: integer}
`)
}

// A page reads what is on it and next to it, and not the collection.
func TestAListOfTenThousandReadsAsManyRecordsAsOneOfForty(t *testing.T) {
	t.Parallel()
	const few, lots = 40, 10_000
	notes := func(i int) map[string]any {
		return map[string]any{"id": int64(i + 1), "contact_id": "con_1", "body": "hello", "created_at": "2026-01-01T00:00:00Z"}
	}
	contacts := func(i int) map[string]any {
		status := []string{"active", "archived"}[i%2]
		return map[string]any{
			"id": fmt.Sprint("con_", i+1), "email": "ada@acme.example", "status": status, "tags": []any{},
			"created_at": "2026-01-01T00:00:00Z", "updated_at": "2026-01-01T00:00:00Z",
		}
	}
	counted := func(t testing.TB) *rig {
		return shop(t, `        - {name: per_page, in: query, schema: {type: integer, default: 20}}
        - {name: offset, in: query, schema: {type: integer}}`, `          description: some`+"\n"+things+`                  total: {type: integer}`+"\n")
	}
	tests := []struct {
		name, target string
		rig          func(testing.TB) *rig
		fill         func(r *rig, n int)
	}{
		{"the first page", "/things?limit=20", paged, nil},
		{"behind an id", "/things?limit=10&cursor=25", paged, nil},
		{"before an id", "/things?limit=10&before=35", paged, nil},
		{"the other way round", "/things?limit=10&order=desc&cursor=25", paged, nil},
		{"by a field that an index knows", "/things?limit=15&color=red", paged, nil},
		{"by a field, behind an id", "/things?limit=5&color=red&cursor=25", paged, nil},
		{"at an offset", "/things?offset=20", counted, nil},
		{"of one parent", "/v1/contacts/con_1/notes?limit=20", func(t testing.TB) *rig { return crm(t, "") }, func(r *rig, n int) {
			many(r, "acme-crm.contacts", 1, contacts)
			many(r, "acme-crm.notes", n, notes)
		}},
		{"of a CRM", "/v1/contacts?limit=20&status=active", func(t testing.TB) *rig { return crm(t, "") }, func(r *rig, n int) {
			many(r, "acme-crm.contacts", n, contacts)
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			steps := func(n int) int {
				r := test.rig(t)
				if test.fill != nil {
					test.fill(r, n)
				} else {
					many(r, "shop.things", n, thing)
				}
				call, trouble := r.call("GET", test.target, "", nil)
				if trouble != nil {
					t.Fatal(trouble.Violations)
				}
				call.Work = &world.Work{Left: 1 << 20}
				reply := r.service.Ask(call)
				if got := strings.Count(string(reply.Body), `"id":`); reply.Status != 200 || got < 5 {
					t.Fatalf("%d, with %d records: %s", reply.Status, got, reply.Body)
				}
				return 1<<20 - call.Work.Left
			}
			if small, large := steps(few), steps(lots); small != large {
				t.Errorf("%d steps among %d members, %d among %d", small, few, large, lots)
			}
		})
	}
}

// What no member has was looked for in each of them, at every call: an agent
// that looks whether something is there yet asks for just that.
func TestAValueThatNoMemberHasIsNotLookedForInEach(t *testing.T) {
	t.Parallel()
	steps := func(n int) int {
		r := paged(t)
		many(r, "shop.things", n, thing)
		call, trouble := r.call("GET", "/things?color=green", "", nil)
		if trouble != nil {
			t.Fatal(trouble.Violations)
		}
		call.Work = &world.Work{Left: 1 << 20}
		if reply := r.service.Ask(call); reply.Status != 200 || !strings.Contains(string(reply.Body), `"items":[]`) {
			t.Fatalf("%d: %s", reply.Status, reply.Body)
		}
		return 1<<20 - call.Work.Left
	}
	if small, large := steps(40), steps(4000); small != large {
		t.Errorf("%d steps among 40 members, %d among 4000", small, large)
	}
}

// Pages put together are the list, whichever way they are turned, and cursors
// hold when what they stand on is gone.
func TestPagesOfARowAreTheList(t *testing.T) {
	t.Parallel()
	for _, gaps := range []bool{false, true} {
		for _, query := range []string{"", "order=desc", "color=red", "color=red&order=desc", "color=RED", "color=RED&order=desc", "color=green"} {
			t.Run(fmt.Sprintf("%s, gaps %t", query, gaps), func(t *testing.T) {
				t.Parallel()
				r := paged(t)
				many(r, "shop.things", 23, thing)
				for i := 2; gaps && i < 23; i += 5 {
					r.must(204, r.delete(fmt.Sprint("/things/", i+1)))
				}
				want := listed(r, query)
				if got := turned(r, query, want); !slices.Equal(got, want) {
					t.Errorf("by cursors\n%v, want\n%v", got, want)
				}
				for i, name := range want { // any place, by the id of what stands there
					id := number(name) + 1
					behind := r.must(200, r.get(fmt.Sprintf("/things?limit=4&cursor=%d&%s", id, query)))
					if got, want := behind.column("items", "name"), strings.Join(want[i+1:min(i+5, len(want))], " "); got != want {
						t.Errorf("behind %s: %s, want %s", name, got, want)
					}
					before := r.must(200, r.get(fmt.Sprintf("/things?limit=4&before=%d&%s", id, query)))
					if got, want := before.column("items", "name"), strings.Join(want[max(i-4, 0):i], " "); got != want {
						t.Errorf("before %s: %s, want %s", name, got, want)
					}
				}
			})
		}
	}
}

// listed is what a list of things shows, worked out of the world.
func listed(r *rig, query string) []string {
	asked, err := url.ParseQuery(query)
	if err != nil {
		r.t.Fatal(err)
	}
	var names []string
	for record := range r.world.Oldest("shop.things", 0) {
		if color := asked.Get("color"); color == "" || strings.EqualFold(color, fmt.Sprint(record.Value()["color"])) {
			names = append(names, fmt.Sprint(record.Value()["name"]))
		}
	}
	if asked.Get("order") == "desc" {
		slices.Reverse(names)
	}
	return names
}

// turned reads a list page by page. What the cursor to the second page stands on
// is deleted before it is followed.
func turned(r *rig, query string, want []string) (names []string) {
	cursor := ""
	for page := range 20 {
		left := len(want)
		if page > 0 {
			left--
		}
		g := r.must(200, r.get("/things?limit=3&"+query+cursor))
		if g.text("total") != fmt.Sprint(left) {
			r.t.Errorf("page %d tells of %s, want %d", page, g.text("total"), left)
		}
		names = append(names, strings.Fields(g.column("items", "name"))...)
		if g.at("has_more") != true {
			return names
		}
		if page == 0 {
			was := r.world
			defer func() { r.world = was }()
			r.must(204, r.delete(fmt.Sprint("/things/", number(names[2])+1)))
		}
		cursor = "&cursor=" + url.QueryEscape(g.text("next_cursor"))
	}
	r.t.Error("the pages have no end")
	return names
}

// number gives the number of a thing by its name.
func number(name string) (n int) {
	if _, err := fmt.Sscanf(name, "n%d", &n); err != nil {
		return -1
	}
	return n
}
