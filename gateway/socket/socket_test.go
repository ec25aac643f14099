package socket_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"

	"parity/fakes"
	"parity/fakes/clock"
	"parity/gateway/socket"
)

// plain is a service whose messages are acknowledged by what they say.
type plain struct{}

func (plain) Greet(body []byte, open int) []byte { return fmt.Appendf(nil, "%s %d", body, open) }
func (plain) Frame(fakes.Delivery) fakes.Frame   { return fakes.Frame{} }
func (plain) Acked(message []byte) (id string, answer []byte) {
	id, text, _ := strings.Cut(string(message), "=")
	return id, []byte(text)
}

func TestMessagesTakeTurnsAndWantAnAcknowledgement(t *testing.T) {
	t.Parallel()
	var work sync.WaitGroup
	t.Cleanup(work.Wait) // after the context has ended what serves connections
	hub := socket.New(socket.Options{Lifetime: t.Context(), Wall: clock.System{}, Go: work.Go, Opened: func() {}})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_ = hub.Accept(w, r, "plain", plain{}, fakes.Reply{Socket: r.URL.Query().Get("id"), Body: []byte("hello")})
	}))
	t.Cleanup(server.Close)
	reads := func(c *websocket.Conn, want string) {
		t.Helper()
		if _, message, err := c.Read(t.Context()); err != nil || string(message) != want {
			t.Errorf("%q %v, want %q", message, err, want)
		}
	}
	var all []*websocket.Conn
	for n := range fakes.MostSockets + 1 {
		c, _, err := websocket.Dial(t.Context(), fmt.Sprintf("%s/?id=c%d", server.URL, n), nil)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = c.CloseNow() }()
		reads(c, fmt.Sprintf("hello %d", n+1))
		all = append(all, c)
	}
	if _, _, err := all[fakes.MostSockets].Read(t.Context()); websocket.CloseStatus(err) != websocket.StatusNormalClosure {
		t.Errorf("one too many goes on: %v", err)
	}
	send := func(f fakes.Frame) string {
		t.Helper()
		answer, err := hub.Send(t.Context(), "plain", f, []byte("go"))
		return fmt.Sprintf("%s %v", answer, err)
	}
	for n, say := range []string{"a=one", "b=two"} {
		work.Go(func() {
			reads(all[n], "go")
			_ = all[n].Write(t.Context(), websocket.MessageText, []byte("other=nothing"))
			_ = all[n].Write(t.Context(), websocket.MessageText, []byte(say))
		})
		id, answer, _ := strings.Cut(say, "=")
		if got := send(fakes.Frame{ID: id, Within: 10 * time.Second}); got != answer+" <nil>" {
			t.Errorf("%s is answered %q", id, got)
		}
	}
	if got := send(fakes.Frame{ID: "c", Within: 10 * time.Millisecond}); !strings.Contains(got, "no answer within 10ms") {
		t.Errorf("nobody answered: %s", got)
	}
	if got := send(fakes.Frame{To: "c9", Last: true}); got != " <nil>" {
		t.Errorf("the last message: %s", got)
	}
	reads(all[9], "go")
	if _, _, err := all[9].Read(t.Context()); websocket.CloseStatus(err) != websocket.StatusNormalClosure {
		t.Errorf("after the last message: %v", err)
	}
	if got := send(fakes.Frame{To: "c99"}); !strings.Contains(got, "not open") {
		t.Errorf("to a connection that never was: %s", got)
	}
}

// Clients that come at once are counted one after the other: two were greeted as the
// first, and one more than may be stayed.
func TestConnectionsThatComeAtOnceAreCountedEach(t *testing.T) {
	t.Parallel()
	var work sync.WaitGroup
	t.Cleanup(work.Wait)
	hub := socket.New(socket.Options{Lifetime: t.Context(), Wall: clock.System{}, Go: work.Go, Opened: func() {}})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_ = hub.Accept(w, r, "plain", plain{}, fakes.Reply{Body: []byte("hello")})
	}))
	t.Cleanup(server.Close)
	const coming = 3 * fakes.MostSockets
	greetings := make(chan string, coming)
	var clients sync.WaitGroup
	for range coming {
		clients.Go(func() {
			c, _, err := websocket.Dial(t.Context(), server.URL, nil)
			if err != nil {
				t.Error(err)
				return
			}
			t.Cleanup(func() { _ = c.CloseNow() })
			_, message, err := c.Read(t.Context())
			if err != nil {
				t.Error(err)
			}
			greetings <- string(message)
		})
	}
	clients.Wait()
	close(greetings)
	seen := map[string]int{}
	for g := range greetings {
		seen[g]++
	}
	for n := 1; n <= fakes.MostSockets; n++ {
		if g := fmt.Sprintf("hello %d", n); seen[g] != 1 {
			t.Errorf("%d were told %q", seen[g], g)
		}
	}
	if open := hub.Open("plain"); open > fakes.MostSockets {
		t.Errorf("%d are open", open)
	}
}
