package slack_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"sync"
	"testing"
	"time"

	"parity/fakes"
	"parity/fakes/world"
	"parity/specs"
)

const many = 100_000

// crowded is a workspace of 100,000 people, channels and messages, built once.
var crowded = sync.OnceValues(func() (*world.World, error) {
	service, err := newService()
	if err != nil {
		return nil, err
	}
	catalogue, err := fakes.NewCatalogue(service)
	if err != nil {
		return nil, err
	}
	w, err := catalogue.World()
	if err != nil {
		return nil, err
	}
	tx := w.Begin()
	for i := range many {
		ts := fmt.Sprintf("%010d.%06d", 1_600_000_000+i, i)
		for collection, value := range map[string]map[string]any{
			"users": {"id": fmt.Sprintf("U1%08d", i), "name": fmt.Sprintf("user%d", i), "profile": map[string]any{
				"email": fmt.Sprintf("user%d@parity.example", i), "team": "T0PARITY01",
			}},
			"channels": {"id": fmt.Sprintf("C1%08d", i), "name": fmt.Sprintf("channel-%d", i), "is_channel": true, "is_private": false, "is_archived": false},
			"messages": {"id": general + "/" + ts, "channel": general, "ts": ts, "timeline": general, "owner": bot, "message": map[string]any{
				"type": "message", "ts": ts, "user": bot, "text": fmt.Sprintf("message number %d of the day", i),
			}},
		} {
			id, _ := value["id"].(string)
			if _, err := tx.Insert("slack."+collection, id, value); err != nil {
				return nil, err
			}
		}
	}
	return tx.Commit(), nil
})

// benchmark answers one call again and again, each time in the same world.
func benchmark(b *testing.B, identity, method string, arguments ...string) {
	w, err := crowded()
	if err != nil {
		b.Fatal(err)
	}
	service, err := newService()
	if err != nil {
		b.Fatal(err)
	}
	form := url.Values{}
	for i := 0; i+1 < len(arguments); i += 2 {
		form.Set(arguments[i], arguments[i+1])
	}
	header := http.Header{"Content-Type": {"application/x-www-form-urlencoded"}}
	m := service.Contract.MatchCall(&specs.Call{Method: "POST", Path: "/api/" + method, Header: header})
	input, wrong := m.Operation.Read(specs.Request{Path: m.Path, Header: header, Body: []byte(form.Encode())})
	if len(wrong) > 0 {
		b.Fatalf("%+v", wrong)
	}
	n := 0
	call := fakes.Call{
		Operation: m.Operation, Contract: service.Contract, Input: input, Header: header, Now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC),
		Identity: identity, Base: "https://slack.com", NewID: func(prefix string, _ int) string { n++; return prefix + strconv.Itoa(1_000_000+n) },
		IdentityOf: func(credential string) string { return credential },
	}
	b.ReportAllocs()
	for b.Loop() {
		again := call
		again.Tx = w.Begin()
		if reply := service.Fake.Answer(&again); reply.Status != http.StatusOK || reply.Result["ok"] != true {
			b.Fatal(string(reply.Body))
		}
		again.Tx.Commit()
	}
}

func BenchmarkGetUser(b *testing.B) { benchmark(b, "slack-bot-1", "users.info", "user", "U100050000") }

func BenchmarkFindUser(b *testing.B) {
	benchmark(b, "slack-bot-1", "users.lookupByEmail", "email", "user50000@parity.example")
}

func BenchmarkPostMessage(b *testing.B) {
	benchmark(b, "slack-bot-1", "chat.postMessage", "channel", general, "text", "one more")
}

func BenchmarkListChannels(b *testing.B) {
	benchmark(b, "slack-bot-1", "conversations.list", "limit", "100", "cursor", "dGVhbTpDMTAwMDUwMDAw")
}

func BenchmarkHistory(b *testing.B) {
	benchmark(b, "slack-bot-1", "conversations.history", "channel", general, "limit", "100")
}

// The last page of a channel: its cursor leads there.
func BenchmarkHistoryFarBack(b *testing.B) {
	benchmark(b, "slack-bot-1", "conversations.history", "channel", general, "limit", "100", "cursor", "bmV4dF90czoxNjAwMDAwMTAwMDAwMTAw")
}

func BenchmarkSearch(b *testing.B) {
	benchmark(b, "slack-user-1", "search.messages", "query", "number 99")
}
