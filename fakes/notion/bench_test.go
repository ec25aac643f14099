package notion_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"parity/fakes"
	"parity/fakes/faketest"
	"parity/fakes/notion"
)

// many is how many records a benchmark's world has of pages in a data source,
// and of pages beside them.
const many = 100_000

// The budget: a read of one page well under 100 µs, a page of a list about a
// millisecond, whatever the world holds. A search reads every title.
func crowd(b *testing.B) (*faketest.Rig, string) {
	b.Helper()
	service, err := notion.New()
	if err != nil {
		b.Fatal(err)
	}
	r := faketest.New(b, service)
	credentials(r)
	source := r.Must(200, r.JSON("POST", "/v1/databases", m{
		"parent": m{"page_id": rootPage}, "title": rich("Crowd"),
		"initial_data_source": m{"properties": m{"Name": m{"title": m{}}, "N": m{"number": m{}}}},
	})).Text("data_sources.0.id")
	sample := r.Must(200, r.JSON("POST", "/v1/pages", m{"parent": m{"data_source_id": source}, "properties": m{"Name": rich("sample"), "N": 1}})).Text("id")
	of, ok := r.World.Get("notion.pages", sample)
	if !ok {
		b.Fatal("no sample")
	}
	tx := r.World.Begin()
	for i := range many {
		value := map[string]any{}
		for name, field := range of.Value() {
			value[name] = field
		}
		id := fmt.Sprintf("%08x-0000-8000-8000-%012x", i, i)
		value["id"] = id
		if _, err := tx.Insert("notion.pages", id, value); err != nil {
			b.Fatal(err)
		}
	}
	r.World = tx.Commit()
	return r, source
}

func benchmark(b *testing.B, method, target, body string) {
	r, source := crowd(b)
	service, w := r.Service, r.World
	var call *fakes.Call
	capture := service
	capture.Fake = catcher{service.Fake, func(c *fakes.Call) { call = c }}
	r.Service = capture
	r.Must(200, r.Send(method, strings.ReplaceAll(target, "SOURCE", source), strings.ReplaceAll(body, "SOURCE", source), "Content-Type", "application/json"))
	now := call.Now
	b.ReportAllocs()
	for b.Loop() {
		now = now.Add(time.Second) // within the limit
		again := *call
		again.Tx, again.Now = w.Begin(), now
		if reply := service.Fake.Answer(&again); reply.Status != http.StatusOK {
			b.Fatal(string(reply.Body))
		}
		again.Tx.Commit()
	}
}

// catcher keeps the call that a fake is asked.
type catcher struct {
	fakes.Fake
	seen func(*fakes.Call)
}

func (c catcher) Answer(call *fakes.Call) fakes.Reply {
	seen := *call
	c.seen(&seen)
	return c.Fake.Answer(call)
}

func BenchmarkGet(b *testing.B) {
	benchmark(b, "GET", "/v1/pages/00000007-0000-8000-8000-000000000007", "")
}

func BenchmarkCreate(b *testing.B) {
	benchmark(b, "POST", "/v1/pages", `{"parent": {"data_source_id": "SOURCE"}, "properties": {"Name": {"title": [{"text": {"content": "new"}}]}}}`)
}

func BenchmarkList(b *testing.B) {
	benchmark(b, "POST", "/v1/data_sources/SOURCE/query", `{"page_size": 20, "filter": {"property": "N", "number": {"equals": 1}}}`)
}

func BenchmarkSearch(b *testing.B) {
	benchmark(b, "POST", "/v1/search", `{"query": "nothing like it"}`)
}
