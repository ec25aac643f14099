package googlecalendar_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
	"testing"
	"time"

	"parity/fakes"
	"parity/fakes/chance"
	"parity/fakes/googlecalendar"
	"parity/fakes/world"
	"parity/specs"
)

const manyEvents = 100_000

// crowded is a world with 100,000 events over ten years, made once.
var crowded = sync.OnceValues(func() (fakes.Service, *world.World) {
	service, err := googlecalendar.New()
	if err != nil {
		panic(err)
	}
	catalogue, err := fakes.NewCatalogue(service)
	if err != nil {
		panic(err)
	}
	w, err := catalogue.World()
	if err != nil {
		panic(err)
	}
	tx := w.Begin()
	first := time.Date(2020, 1, 1, 8, 0, 0, 0, time.UTC)
	for i := range manyEvents {
		start := first.Add(time.Duration(i) * 52 * time.Minute)
		body, err := json.Marshal(map[string]any{
			"id": fmt.Sprintf("event%07d", i), "summary": fmt.Sprintf("Meeting %d", i), "start": at(start.Format(time.RFC3339), "UTC"),
			"end": at(start.Add(time.Hour).Format(time.RFC3339), "UTC"), "attendees": []any{object{"email": "ada@example.org"}},
		})
		if err != nil {
			panic(err)
		}
		if reply := service.Fake.Answer(called(service, tx, "POST", evs, string(body), i)); reply.Status != http.StatusOK {
			panic(string(reply.Body))
		}
		if i%1000 == 999 {
			tx = tx.Commit().Begin()
		}
	}
	return service, tx.Commit()
})

func called(service fakes.Service, tx *world.Tx, method, target, body string, n int) *fakes.Call {
	path, query := target, ""
	for i := range target {
		if target[i] == '?' {
			path, query = target[:i], target[i+1:]
			break
		}
	}
	header := http.Header{"Content-Type": {"application/json"}}
	m := service.Contract.MatchCall(&specs.Call{Method: method, Path: path, Query: query, Header: header, Body: []byte(body)})
	input, wrong := m.Operation.Read(specs.Request{Path: m.Path, Query: query, Header: header, Body: []byte(body)})
	if len(wrong) > 0 {
		panic(wrong[0].Message)
	}
	minted := 0
	return &fakes.Call{
		Operation: m.Operation, Contract: service.Contract, Input: input, Header: header, Body: []byte(body), Tx: tx, Now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC),
		Identity: "bench", IdentityOf: func(token string) string { return token }, NewID: func(prefix string, length int) string {
			minted++
			return prefix + chance.ID(7, length, prefix, fmt.Sprint(n, minted))
		},
	}
}

// benchmark measures the fake alone: no matching, decoding or journal.
func benchmark(b *testing.B, method, target, body string) {
	service, w := crowded()
	call := called(service, w.Begin(), method, target, body, -1)
	b.ReportAllocs()
	for b.Loop() {
		again := *call
		again.Tx = w.Begin()
		if reply := service.Fake.Answer(&again); reply.Status != http.StatusOK {
			b.Fatal(string(reply.Body))
		}
		again.Tx.Commit()
	}
}

func BenchmarkGet(b *testing.B) { benchmark(b, "GET", evs+"/event0050000", "") }

func BenchmarkInsert(b *testing.B) {
	benchmark(b, "POST", evs, `{"summary":"x","start":{"dateTime":"2026-03-05T10:00:00Z"},"end":{"dateTime":"2026-03-05T11:00:00Z"}}`)
}

func BenchmarkPatch(b *testing.B) { benchmark(b, "PATCH", evs+"/event0050000", `{"summary":"y"}`) }

func BenchmarkListFirstPage(b *testing.B) { benchmark(b, "GET", evs+"?maxResults=50", "") }

func BenchmarkListComing(b *testing.B) {
	benchmark(b, "GET", evs+"?maxResults=10&singleEvents=true&orderBy=startTime&timeMin=2026-03-01T12:00:00Z", "")
}

func BenchmarkListDay(b *testing.B) {
	benchmark(b, "GET", evs+"?timeMin=2026-03-01T00:00:00Z&timeMax=2026-03-02T00:00:00Z", "")
}

func BenchmarkFreeBusyWeek(b *testing.B) {
	benchmark(b, "POST", root+"/freeBusy", `{"timeMin":"2026-03-01T00:00:00Z","timeMax":"2026-03-08T00:00:00Z","items":[{"id":"primary"}]}`)
}

func BenchmarkSearch(b *testing.B) { benchmark(b, "GET", evs+"?q=99999", "") }
