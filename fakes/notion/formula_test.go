package notion_test

import (
	"fmt"
	"testing"

	"parity/fakes/faketest"
)

func TestFormulasAreWorkedOut(t *testing.T) {
	t.Parallel()
	r := newRig(t) // it is 2026-03-01T12:00:00Z
	text := func(s string) m { return m{"type": "string", "string": s} }
	number := func(n any) m { return m{"type": "number", "number": n} }
	truth := func(b bool) m { return m{"type": "boolean", "boolean": b} }
	date := func(start any) m {
		return m{"type": "date", "date": m{"start": start, "end": nil, "time_zone": nil}}
	}
	want := map[string]m{
		`prop("Points") * 2 + 1`: number(8), `2 + 3 * 4 ^ 2 % 5`: number(5), `-2 ^ 2`: number(-4), `(1 + 2) * 3`: number(9), `7 / 2`: number(3.5), `1 / 0`: number(nil),
		`round(2.345, 2)`: number(2.35), `round(-2.5)`: number(-2), `max(1, [5, 2], 3)`: number(5), `sum([1, 2, 3])`: number(6), `median(1, 2, 10)`: number(2), `mean(1, 2)`: number(1.5),
		`sqrt(16) + abs(-1) + floor(1.9) + ceil(0.1) + sign(-3)`: number(6), `toNumber("1,234.5")`: number(1234.5), `toNumber(prop("Done"))`: number(1),
		`prop("Points") > 3 and not (prop("Points") >= 4)`: truth(true), `1 == 1 || 1/0 == 2`: truth(true), `"b" > "a"`: truth(true), `empty(prop("Link"))`: truth(true), `empty(0)`: truth(true),
		`prop("Done") ? "yes" : "no"`: text("yes"), `if(prop("Points") > 5, "big", if(prop("Points") > 3, "middle", "small"))`: text("middle"),
		`ifs(prop("Points") > 5, "big", prop("Points") > 3, "middle", "small")`: text("middle"), `ifs(false, 1, false, 2)`: {"type": "string", "string": nil},
		`let(x, prop("Points") * 2, x + x)`: number(14), `lets(a, 1, b, a + 1, a + b)`: number(3), `/* a remark */ 1 + 1`: number(2),
		`prop("Name") + ": " + prop("Points")`: text("alpha: 3.5"), `prop("Name").upper().substring(0, 3)`: text("ALP"), `length(prop("Name"))`: number(5), `replaceAll("a1b2", "[0-9]", "-")`: text("a-b-"),
		`replace("a1b2", "([0-9])", "<$1>")`: text("a<1>b2"), `test("abc", "^a.c$")`: truth(true), `contains(prop("Name"), "lph")`: truth(true), `padStart("7", 3, "0")`: text("007"), `repeat("ab", 3)`: text("ababab"),
		`format(1.50)`: text("1.5"), `trim("  x ")`: text("x"), `'single'`: text("single"), `"say \"hi\""`: text(`say "hi"`), `split("a,b,c", ",").length()`: number(3), `join(prop("Tags"), "|")`: text("x|y"),
		`prop("Tags").includes("y")`: truth(true), `prop("Tags").map(current + index).join(" ")`: text("x0 y1"), `[3, 1, 2].sort().first()`: number(1), `[3, 1, 2].sort(-current).join("")`: text("321"),
		`[1, 2, 3, 4].filter(current % 2 == 0).sum()`: number(6), `[1, 2, 3].find(current > 1)`: number(2), `[1, 2].findIndex(current == 9)`: number(-1), `[1, 2].some(current > 1)`: truth(true), `[1, 2].every(current > 1)`: truth(false),
		`[1, 2, 3].at(-1)`: number(3), `[1, 2, 3].slice(1).join(",")`: text("2,3"), `concat([1], [2]).length()`: number(2), `unique([1, 1, 2]).length()`: number(2), `reverse(["a", "b"]).join("")`: text("ba"), `flat([[1], [2]]).length()`: number(2),
		`now()`: date("2026-03-01T12:00:00.000+00:00"), `today()`: date("2026-03-01"), `prop("Due")`: date("2026-01-31"), `dateAdd(prop("Due"), 1, "months")`: date("2026-02-28"), `dateSubtract(prop("Due"), 1, "weeks")`: date("2026-01-24"),
		`dateBetween(now(), prop("Due"), "days")`: number(29), `dateBetween(prop("Due"), now(), "months")`: number(-1), `formatDate(prop("Due"), "MMMM D, YYYY")`: text("January 31, 2026"), `formatDate(now(), "ddd, Do MMM YY [at] hh:mm A")`: text("Sun, 1st Mar 26 at 12:00 PM"),
		`year(prop("Due")) * 10000 + month(prop("Due")) * 100 + date(prop("Due"))`: number(20260131.0), `day(now())`: number(7), `week(now())`: number(9), `hour(now())`: number(12), `timestamp(fromTimestamp(1000))`: number(1000),
		`dateEnd(dateRange(prop("Due"), today()))`: date("2026-03-01"), `prop("Due") < now()`: truth(true), `parseDate("2026-05-05")`: date("2026-05-05"), `pi > 3 and e < 3`: truth(true), `prop("Status")`: text("In progress"), `prop("Kind") == "Bug"`: truth(true),
	}
	properties, names := m{
		"Name": m{"title": m{}}, "Points": m{"number": m{}}, "Done": m{"checkbox": m{}}, "Due": m{"date": m{}}, "Tags": m{"multi_select": m{}}, "Link": m{"url": m{}},
		"Status": m{"status": m{}}, "Kind": m{"select": m{"options": []any{m{"name": "Bug"}}}},
	}, map[string]string{}
	for expression := range want {
		names[expression] = fmt.Sprintf("F%d", len(names))
		properties[names[expression]] = m{"formula": m{"expression": expression}}
	}
	made := r.Must(200, r.JSON("POST", "/v1/databases", m{"parent": m{"type": "page_id", "page_id": rootPage}, "initial_data_source": m{"properties": properties}}))
	page := r.Must(200, task(r, made.Text("data_sources.0.id"), "alpha", m{
		"Points": m{"number": 3.5}, "Done": m{"checkbox": true}, "Due": m{"date": m{"start": "2026-01-31"}}, "Tags": m{"multi_select": []any{m{"name": "x"}, m{"name": "y"}}},
		"Status": m{"status": m{"name": "In progress"}}, "Kind": m{"select": m{"name": "Bug"}},
	}))
	for expression, result := range want {
		if have := page.At("properties." + names[expression] + ".formula"); fmt.Sprint(have) != fmt.Sprint(map[string]any(result)) {
			t.Errorf("%s\ncomes to %v\nwant     %v", expression, have, result)
		}
	}
}

func TestFormulasReadOtherPagesAndSortQueries(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	source := tasks(r)
	for i, name := range []string{"b", "a", "c"} {
		r.Must(200, task(r, source, name, m{"Points": m{"number": []int{2, 3, 1}[i]}}))
	}
	r.Must(200, r.JSON("PATCH", "/v1/data_sources/"+source, m{"properties": m{
		"Next": m{"relation": m{"data_source_id": source, "single_property": m{}}}, "Shout": m{"formula": m{"expression": `upper(prop("Name")) + repeat("!", prop("Points"))`}},
		"After": m{"formula": m{"expression": `prop("Next").map(current.prop("Shout")).join("+")`}},
	}}))
	all := r.Must(200, r.JSON("POST", "/v1/data_sources/"+source+"/query", m{"sorts": []any{m{"property": "Shout", "direction": "descending"}}}))
	var shouts []string
	for i := range all.Len("results") {
		shouts = append(shouts, all.Text(fmt.Sprintf("results.%d.properties.Shout.formula.string", i)))
	}
	if fmt.Sprint(shouts) != "[C! B!! A!!!]" {
		t.Errorf("sorted by a formula: %v", shouts)
	}
	one := r.Must(200, r.JSON("PATCH", "/v1/pages/"+all.Text("results.0.id"), m{"properties": m{"Next": m{"relation": []any{m{"id": all.Text("results.1.id")}, m{"id": all.Text("results.2.id")}}}}}))
	faketest.Want(t, one, m{"properties.After.formula": m{"type": "string", "string": "B!!+A!!!"}})
	found := r.Must(200, r.JSON("POST", "/v1/data_sources/"+source+"/query", m{"filter": m{"property": "Shout", "formula": m{"string": m{"ends_with": "!!!"}}}}))
	if found.Len("results") != 1 {
		t.Error(found.Raw)
	}
}

func TestAFormulaThatIsNoneIsRefusedWithTheSchema(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	source := tasks(r)
	for _, wrong := range []string{`prop("Nowhere") + 1`, `nosuch(1)`, `1 +`, `(1`, `if(true, 1)`, `style("a", "b")`, `prop("Name").nosuch()`, `x + 1`, `"a" "b"`, `((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((1`} {
		g := r.JSON("PATCH", "/v1/data_sources/"+source, m{"properties": m{"Bad": m{"formula": m{"expression": wrong}}}})
		if g.Status != 400 || g.Text("code") != "validation_error" || g.Text("message") != "Type error with formula" {
			t.Errorf("%s: %d %s", wrong, g.Status, g.Raw)
		}
	}
}
