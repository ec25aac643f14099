package overlay_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"parity/fakes"
	"parity/fakes/builtin"
	"parity/fakes/generic"
	"parity/specs"
)

// A shop is a service whose records are made, changed, deleted, read and listed.
type shop struct {
	name    string
	service func(testing.TB) fakes.Service
	header  []string
	list    string // its path
	limit   string // the parameter that says how many
	cursor  string // the parameter that leads on; "": page
	next    string // where the reply has what it is, with slashes; "": the last item's id
	items   string // where the reply has its items, with slashes
	total   string // where it says how many there are; "": nowhere
	id      string
	form    bool
	removes bool   // DELETE deletes; else closing is the end of it
	filter  string // a query that some fit, of the text %s
	field   string // that is changed, and filtered by
	also    string // what else a new one needs
}

func shops() []shop {
	return []shop{
		{
			name: "stripe", service: shipped("stripe"), header: []string{"Authorization", "Bearer sk_test_1234"}, list: "/v1/customers", limit: "limit", cursor: "starting_after",
			items: "data", id: "id", form: true, removes: true, filter: "email=%s@x.example", field: "email",
		},
		{
			name: "github", service: shipped("github"), header: []string{"Authorization", "token ghp_rehearsal", "User-Agent", "rehearsal"}, list: "/repos/octocat/hello-world/issues",
			limit: "per_page", id: "number", filter: "state=closed", field: "title",
		},
		{
			name: "crm", service: contract(crmFiles()), header: []string{"Authorization", "Bearer any"}, list: "/v1/contacts", limit: "limit", cursor: "after", next: "paging/next/after",
			items: "data", id: "id", removes: true, filter: "email=%s@x.example", field: "email",
		},
		{
			name: "stock", service: contract(fstest.MapFS{"openapi.yaml": {Data: []byte(stock)}}), list: "/products", limit: "limit", cursor: "offset",
			items: "items", total: "total", id: "id", removes: true, filter: "name=%s", field: "name",
		},
	}
}

func crmFiles() fstest.MapFS {
	data, err := os.ReadFile("../../specs/acme-crm/openapi.yaml")
	if err != nil {
		panic(err)
	}
	return fstest.MapFS{"openapi.yaml": {Data: data}}
}

const stock = `
openapi: 3.0.3
info: {title: Stock, version: '1'}
paths:
  /products:
    get:
      parameters:
        - {name: limit, in: query, schema: {type: integer, maximum: 100, default: 20}}
        - {name: offset, in: query, schema: {type: integer, default: 0}}
        - {name: name, in: query, schema: {type: string}}
      responses:
        '200': {description: ok, content: {application/json: {schema: {type: object, required: [items, total], properties: {items: {type: array, items: {$ref: '#/components/schemas/Product'}}, total: {type: integer}}}}}}
    post:
      requestBody: {content: {application/json: {schema: {type: object, required: [name], properties: {name: {type: string}, price: {type: integer}}}}}}
      responses:
        '201': {description: made, content: {application/json: {schema: {$ref: '#/components/schemas/Product'}}}}
  /products/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
    get:
      responses:
        '200': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Product'}}}}
        '404': {description: none}
    patch:
      requestBody: {content: {application/json: {schema: {type: object, properties: {name: {type: string}, price: {type: integer}}}}}}
      responses:
        '200': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Product'}}}}
        '404': {description: none}
    delete:
      responses: {'204': {description: gone}, '404': {description: none}}
components:
  schemas:
    Product: {type: object, required: [id, name], properties: {id: {type: integer, readOnly: true}, name: {type: string}, price: {type: integer}}}
`

func shipped(name string) func(testing.TB) fakes.Service {
	return func(t testing.TB) fakes.Service {
		t.Helper()
		catalogue, err := builtin.Catalogue()
		if err != nil {
			t.Fatal(err)
		}
		service, _ := catalogue.Service(name)
		return service
	}
}

func contract(files fstest.MapFS) func(testing.TB) fakes.Service {
	return func(t testing.TB) fakes.Service {
		t.Helper()
		c, _, err := specs.Load(files, "openapi.yaml", "own")
		if err != nil {
			t.Fatal(err)
		}
		service, problems, err := generic.New(generic.Options{Contract: c})
		if err != nil || len(problems) > 0 {
			t.Fatal(err, problems)
		}
		return service
	}
}

func (s shop) body(text string) string {
	value := text
	if s.field == "email" {
		value += "@x.example"
	}
	if s.form {
		return s.field + "=" + value
	}
	return fmt.Sprintf(`{%q:%q%s}`, s.field, value, s.also)
}

// A visit is a sequence of calls to a shop.
type visit struct {
	shop
	*line
	ids     []string
	touched map[string]bool
}

func (s shop) open(t testing.TB, service fakes.Service) *visit {
	v := &visit{shop: s, line: newLine(t, service, "", s.header...), touched: map[string]bool{}}
	for _, text := range []string{"a", "b", "c", "a", "d"} {
		v.tick()
		g := of(v.ask(v.real, "POST", s.list, s.body(text)))
		if g.Status/100 != 2 {
			t.Fatalf("%d %s", g.Status, g.Body)
		}
		v.ids = append(v.ids, g.named(s.id))
	}
	v.direct.World = v.real.World
	return v
}

func (g got) named(id string) string {
	if n, ok := g.at(id).(float64); ok {
		return fmt.Sprint(int64(n))
	}
	text, _ := g.at(id).(string)
	return text
}

func (v *visit) writes(t *rapid.T) {
	text := rapid.SampledFrom([]string{"a", "b", "e", "f"}).Draw(t, "text")
	i := rapid.IntRange(0, len(v.ids)-1).Draw(t, "which")
	path := v.list + "/" + v.ids[i]
	switch rapid.SampledFrom([]string{"create", "change", "change", "remove"}).Draw(t, "write") {
	case "create":
		g := v.same("POST", v.list, v.body(text), v.id)
		v.ids = append(v.ids, g.named(v.id))
	case "change":
		method := "PATCH"
		if v.form {
			method = "POST"
		}
		v.same(method, path, v.body(text), "none")
	case "remove":
		if v.removes {
			v.same("DELETE", path, "", "none")
		} else {
			v.same("PATCH", path, `{"state":"closed"}`, "none")
		}
	}
	v.touched[v.ids[i]] = true
}

// pages reads a list to its end.
func (v *visit) pages(limit int, query string) (through, direct []any) {
	read := func(send func(target string) got) (all []any) {
		at := ""
		for n := 1; n < 20; n++ {
			target := fmt.Sprintf("%s?%s=%d%s", v.list, v.limit, limit, query)
			if at != "" {
				target += at
			}
			g := send(target)
			items, _ := g.at(strings.Split(v.items, "/")...).([]any)
			all = append(all, items...)
			switch {
			case v.next != "":
				next, _ := g.at(strings.Split(v.next, "/")...).(string)
				if next == "" {
					return all
				}
				at = "&" + v.cursor + "=" + next
			case v.cursor == "offset":
				if at = fmt.Sprintf("&offset=%d", n*limit); n*limit > len(v.ids) {
					return all
				}
			case v.cursor == "":
				if at = fmt.Sprint("&page=", n+1); !strings.Contains(g.Header.Get("Link"), `rel="next"`) {
					return all
				}
			default:
				if g.at("has_more") != true || len(items) == 0 {
					return all
				}
				at = "&" + v.cursor + "=" + got{value: items[len(items)-1]}.named(v.id)
			}
		}
		return all
	}
	through = read(func(target string) got { g, _ := v.send("GET", target, ""); return g })
	direct = read(func(target string) got { return of(v.ask(v.direct, "GET", target, "")) })
	return through, direct
}

func byText(all []any) []any {
	all = slices.Clone(all)
	slices.SortFunc(all, func(a, b any) int { return strings.Compare(flat(a), flat(b)) })
	return all
}

// What a run reads is what it would have read had its writes gone to the real
// service, and what it has not touched comes as the real service sent it.
func TestARunReadsWhatItWouldHaveWritten(t *testing.T) {
	t.Parallel()
	for _, s := range shops() {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			service := s.service(t)
			rapid.Check(t, func(rt *rapid.T) {
				v := s.open(t, service)
				for range rapid.IntRange(1, 7).Draw(rt, "writes") {
					v.writes(rt)
				}
				for _, id := range v.ids {
					through := v.same("GET", v.list+"/"+id, "")
					if real := v.ask(v.real, "GET", v.list+"/"+id, ""); !v.touched[id] && real.Status == 200 && string(through.Body) != string(real.Body) {
						rt.Errorf("untouched, and other bytes: %s", through.Body)
					}
				}
				v.same("GET", v.list+"?"+v.limit+"=100", "")
				for _, text := range []string{"a", "e"} {
					query := v.filter
					if strings.Contains(query, "%s") {
						query = fmt.Sprintf(query, text)
					}
					through, direct := v.send("GET", v.list+"?"+query, "")
					if a, b := byText(listOf(direct, s)), byText(listOf(through, s)); !cmp.Equal(a, b) {
						rt.Errorf("%s: %s", query, clip(cmp.Diff(a, b)))
					}
				}
				through, direct := v.pages(2, "")
				if a, b := byText(direct), byText(through); !cmp.Equal(a, b) {
					rt.Errorf("page by page: (-direct +overlay)\n%s", clip(cmp.Diff(a, b)))
				}
				if t.Failed() {
					rt.FailNow()
				}
			})
		})
	}
}

func listOf(g got, s shop) []any {
	items, _ := g.at(strings.Split(s.items, "/")...).([]any)
	return items
}
