package github_test

import (
	"fmt"
	"net/http"
	"strconv"
	"testing"
	"time"

	"parity/fakes"
	"parity/fakes/github"
	"parity/fakes/world"
	"parity/specs"
)

// BenchmarkAnswer plays single calls in a repository of a hundred thousand
// issues: getting one, creating one, the first page of a list, a search.
//
//	go test -run - -bench Answer ./fakes/github
func BenchmarkAnswer(b *testing.B) {
	const many = 100_000
	service, w := crowded(b, many)
	for _, test := range []struct{ name, method, target, body string }{
		{"get", "GET", "/repos/octocat/crowd/issues/" + strconv.Itoa(many/2), ""},
		{"create", "POST", "/repos/octocat/crowd/issues", `{"title": "One more"}`},
		{"list", "GET", "/repos/octocat/crowd/issues?per_page=100", ""},
		{"search", "GET", "/search/issues?q=needle+repo:octocat/crowd", ""},
	} {
		b.Run(test.name, func(b *testing.B) {
			b.ReportAllocs()
			at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
			now := w
			for i := 0; b.Loop(); i++ {
				call := benchCall(b, service, now, test.method, test.target, test.body, at, i)
				reply := service.Fake.Answer(call)
				if reply.Status/100 != 2 {
					b.Fatalf("%d %s", reply.Status, reply.Body)
				}
				now = call.Tx.Commit()
				at = at.Add(10 * time.Minute) // within all limits
			}
		})
	}
}

func crowded(b *testing.B, many int) (fakes.Service, *world.World) {
	b.Helper()
	service, err := github.New()
	if err != nil {
		b.Fatal(err)
	}
	catalogue, err := fakes.NewCatalogue(service)
	if err != nil {
		b.Fatal(err)
	}
	w, err := catalogue.World()
	if err != nil {
		b.Fatal(err)
	}
	tx := w.Begin()
	put := func(collection, id string, value map[string]any) {
		value["id"] = id
		if _, err := tx.Insert(collection, id, value); err != nil {
			b.Fatal(err)
		}
	}
	put("github.repositories", "octocat/crowd", map[string]any{"owner": "octocat", "name": "crowd", "slug": "octocat/crowd", "rid": 77})
	for n := 1; n <= many; n++ {
		put("github.issues", "octocat/crowd#"+strconv.Itoa(n), map[string]any{
			"repo": "octocat/crowd", "number": n, "title": fmt.Sprint("Straw ", n), "body": map[bool]string{true: "the needle", false: "straw"}[n%5000 == 0],
			"state": "open", "user": "octocat", "labels": []any{"bug"}, "created_at": "2026-01-01T00:00:00Z",
		})
	}
	return service, tx.Commit()
}

func benchCall(b *testing.B, service fakes.Service, w *world.World, method, target, body string, now time.Time, i int) *fakes.Call {
	b.Helper()
	header := http.Header{"User-Agent": {"bench"}}
	path, query := target, ""
	for at, r := range target {
		if r == '?' {
			path, query = target[:at], target[at+1:]
		}
	}
	m := service.Contract.Match(method, path)
	input, wrong := m.Operation.Read(specs.Request{Path: m.Path, Query: query, Header: header, Body: []byte(body)})
	if len(wrong) > 0 {
		b.Fatal(wrong)
	}
	drawn := 0
	return &fakes.Call{
		Operation: m.Operation, Contract: service.Contract, Input: input, Header: header, Body: []byte(body), Tx: w.Begin(), Now: now,
		Identity: "github-bench", Base: "https://api.github.com", IdentityOf: func(string) string { return "" },
		NewID: func(prefix string, n int) string { drawn++; return fmt.Sprintf("%s%0*d", prefix, n, i*100+drawn) },
	}
}
