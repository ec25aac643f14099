package gateway_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"parity/gateway"
	"parity/gateway/client"
)

// memos is a service that a contract alone describes.
const memos = `
openapi: 3.0.3
info: {title: Memos, version: '1'}
servers: [{url: 'https://memos.example'}]
security: [{token: []}]
paths:
  /memos:
    get:
      operationId: listMemos
      responses: {'200': {description: all, content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Memo'}}}}}}
    post:
      operationId: createMemo
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Memo'}}}}
      responses: {'201': {description: made, content: {application/json: {schema: {$ref: '#/components/schemas/Memo'}}}}}
components:
  securitySchemes: {token: {type: http, scheme: bearer}}
  schemas: {Memo: {type: object, properties: {id: {type: string, readOnly: true}, text: {type: string}}}}
`

// bench is a gateway with Stripe, GitHub and a service of its own, and an agent
// of it.
type bench struct {
	*harness
	agent *http.Client
}

func newBench(t *testing.T, step, rules string) *bench {
	t.Helper()
	h := open(t, "profile: limits\nseed: 7\nservices: {stripe: {}, github: {fixtures: [github-messy]}, memos: {contract: memos.yaml}}\n"+
		"clock: {mode: stepped, start: 2026-03-02T09:00:00Z, step: "+step+"}\nfaults:\n"+rules, beside(t, "memos.yaml", memos))
	return &bench{h, h.proxied(false)}
}

var (
	charges = ask{"GET", "https://api.stripe.com/v1/charges", ""}
	pays    = ask{"POST", "https://api.stripe.com/v1/payment_intents", payment}
	reads   = ask{"GET", "https://memos.example/memos", ""}
	writes  = ask{"POST", "https://memos.example/memos", `{"text":"a"}`}
)

// ask is a call to be made.
type ask struct{ method, target, body string }

// does makes a call and gives its reply.
func (b *bench) does(a ask, header ...string) (*http.Response, string) {
	b.t.Helper()
	r, err := http.NewRequestWithContext(b.t.Context(), a.method, a.target, strings.NewReader(a.body))
	if err != nil {
		b.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer sk_test_4eC39HqLyjWDarjtT1zdp7dc")
	if strings.HasPrefix(a.body, "{") {
		r.Header.Set("Content-Type", "application/json")
	} else if a.body != "" {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	reply, err := b.agent.Do(r)
	if err != nil {
		b.t.Fatal(err)
	}
	defer reply.Body.Close()
	body, err := io.ReadAll(reply.Body)
	if err != nil {
		b.t.Fatal(err)
	}
	return reply, string(body)
}

// statuses makes calls in a row.
func (b *bench) statuses(calls ...ask) string {
	b.t.Helper()
	var all []string
	for _, a := range calls {
		reply, _ := b.does(a)
		all = append(all, fmt.Sprint(reply.StatusCode))
	}
	return strings.Join(all, " ")
}

// replays closes the gateway and holds what it recorded against what it does
// again.
func (b *bench) replays() {
	b.t.Helper()
	b.close()
	var out strings.Builder
	if code, err := replayRun(b.t.Context(), &out, b.root, b.Run.ID, ""); code != 0 || err != nil {
		b.t.Errorf("replay: %d %v\n%s", code, err, out.String())
	}
}

func times(n int, a ask) []ask {
	var all []ask
	for range n {
		all = append(all, a)
	}
	return all
}

// A service that is down does nothing, and does it again when it is up, in the
// words of its own dialect: each attempt meets it, whatever retries it.
func TestOutageTakesAServiceDownAndUp(t *testing.T) {
	t.Parallel()
	b := newBench(t, "10s", `
  down: {call: stripe *, inject: outage, with: {down: 30s, up: 20s, retry_after: 5s}}
  gone: {call: memos *, inject: outage, with: {down: 30s, up: 20s, status: 502, html: true}, trigger: {first: 100}}
`)
	if got, want := b.statuses(times(7, pays)...), "503 503 503 200 200 503 503"; got != want {
		t.Errorf("stripe: %s, want %s", got, want)
	}
	if n := b.Run.World().Len("stripe.payment_intents"); n != 2 {
		t.Errorf("%d payments were made of those that were answered", n)
	}
	reply, body := b.does(writes) // 70 s: down
	if reply.StatusCode != 502 || !strings.Contains(body, "<html>") {
		t.Errorf("memos: %d %s", reply.StatusCode, body)
	}
	if reply, body = b.does(writes); reply.StatusCode != 201 { // 80 s: up
		t.Errorf("memos: %d %s", reply.StatusCode, body)
	}
	b.replays()
}

// What depends on another service fails after it has, and for so long.
func TestCascadeReachesTheServiceThatDepends(t *testing.T) {
	t.Parallel()
	b := newBench(t, "10s", `
  first: {call: stripe GET *, inject: error, with: {status: 503}, trigger: {nth: 1}}
  then: {call: memos *, inject: cascade, with: {from: [stripe *], for: 25s, status: 424}}
`)
	if got, want := b.statuses(reads, charges, reads, writes, reads, pays, reads), "200 503 424 424 200 200 200"; got != want {
		t.Errorf("statuses %s, want %s", got, want)
	}
	if n := b.Run.World().Len("memos.memos"); n != 0 {
		t.Errorf("%d memos were made of a call that was refused", n)
	}
	b.replays()
}

// An allowance is used up until the day turns on the run's clock.
func TestQuotaHoldsUntilTheDayTurns(t *testing.T) {
	t.Parallel()
	b := newBench(t, "5h", `
  stripe: {call: stripe *, inject: quota, with: {limit: 2}}
  memos: {call: memos *, inject: quota, with: {limit: 1, period: month, as: date}}
`)
	var got []string
	for range 5 { // 9:00, 14:00, 19:00, 00:00, 05:00
		reply, _ := b.does(charges)
		got = append(got, fmt.Sprint(reply.StatusCode)+reply.Header.Get("Retry-After"))
	}
	if want := "200 200 42918000 200 200"; strings.Join(got, " ") != want {
		t.Errorf("stripe: %s, want %s", strings.Join(got, " "), want)
	}
	b.does(writes)
	reply, _ := b.does(writes)
	if got := reply.Header.Get("Retry-After"); reply.StatusCode != 429 || got != "Wed, 01 Apr 2026 00:00:00 GMT" {
		t.Errorf("memos: %d, Retry-After %s", reply.StatusCode, got)
	}
	if n := b.Run.World().Len("memos.memos"); n != 1 {
		t.Errorf("%d memos", n)
	}
	b.replays()
}

// A limit is told as the service tells it: in the headers of what passes too,
// and of GitHub's two limits as the one that was asked for.
func TestRateLimitInTheServicesWay(t *testing.T) {
	t.Parallel()
	b := newBench(t, "1s", `
  quota: {call: github GET /user, inject: rate-limit, with: {limit: 2, window: 1h, retry_after: 10m, style: primary, as: unsaid}}
  burst: {call: github GET /user/repos, inject: rate-limit, with: {style: secondary, retry_after: 1m}}
  inside: {call: memos *, inject: rate-limit, with: {limit: 3, cost: 2, window: 1m, status: 200, headers: x-ratelimit}}
`)
	user := ask{"GET", "https://api.github.com/user", ""}
	token := []string{"Authorization", "token ghp_" + strings.Repeat("a", 36), "User-Agent", "t"}
	var got []string
	for range 3 {
		reply, body := b.does(user, token...)
		got = append(got, fmt.Sprintf("%d %s-%s %v", reply.StatusCode, reply.Header.Get("X-Ratelimit-Limit"), reply.Header.Get("X-Ratelimit-Remaining"), strings.Contains(body, "API rate limit exceeded")))
	}
	if want := "200 2-1 false, 200 2-0 false, 403 2-0 true"; strings.Join(got, ", ") != want {
		t.Errorf("github: %s, want %s", strings.Join(got, ", "), want)
	}
	user.target += "/repos"
	reply, body := b.does(user, token...)
	if left := reply.Header.Get("X-Ratelimit-Remaining"); reply.StatusCode != 403 || !strings.Contains(body, "secondary rate") || left == "0" || reply.Header.Get("Retry-After") != "60" {
		t.Errorf("github, at once: %d, %s left, %s", reply.StatusCode, left, body)
	}
	reply, _ = b.does(reads)
	if reply.StatusCode != 200 || reply.Header.Get("X-Ratelimit-Remaining") != "1" {
		t.Errorf("memos: %d, %v", reply.StatusCode, reply.Header)
	}
	reply, body = b.does(writes)
	if reply.StatusCode != 200 || reply.Header.Get("X-Ratelimit-Remaining") != "0" || !strings.Contains(body, "Too many requests") {
		t.Errorf("memos, over the limit: %d, %v %s", reply.StatusCode, reply.Header, body)
	}
	if n := b.Run.World().Len("memos.memos"); n != 0 {
		t.Errorf("%d memos", n)
	}
	b.replays()
}

// A client that follows a redirect with its credentials is seen to: the other
// host is served, and the record has that they came, not what they are.
func TestRedirectShowsWhereCredentialsWent(t *testing.T) {
	t.Parallel()
	for _, carries := range []bool{true, false} {
		t.Run(fmt.Sprint(carries), func(t *testing.T) {
			t.Parallel()
			b := newBench(t, "1s", `
  stripe: {call: stripe *, inject: redirect, with: {status: 301}}
  memos: {call: memos *, inject: redirect, with: {status: 308}}
`)
			b.agent.CheckRedirect = func(r *http.Request, via []*http.Request) error {
				if carries {
					r.Header.Set("Authorization", via[0].Header.Get("Authorization"))
				}
				return nil
			}
			want := map[bool]string{true: "200 201", false: "401 401"}[carries]
			if got := b.statuses(pays, writes); got != want {
				t.Errorf("statuses %s, want %s", got, want)
			}
			if n := b.Run.World().Len("stripe.payment_intents"); n != 0 {
				t.Errorf("a POST that became a GET made %d payments", n)
			}
			var got []string
			for _, x := range exchanges(b.harness) {
				sent := ""
				for _, f := range x.Header {
					if f.Name == "Authorization" {
						sent = " " + f.Value[:len("digest ")]
					}
				}
				got = append(got, x.Method+" "+x.Host+sent)
			}
			mark := map[bool]string{true: " digest ", false: ""}[carries]
			if want := "POST api.stripe.com, GET moved-api.stripe.com" + mark + ", POST memos.example, POST moved-memos.example" + mark; strings.Join(got, ", ") != want {
				t.Errorf("recorded %s\nwant     %s", strings.Join(got, ", "), want)
			}
			b.replays()
		})
	}
}

// On this machine localhost is the other host.
func TestRedirectOfABaseURLStaysHere(t *testing.T) {
	t.Parallel()
	h := open(t, rule("    call: stripe *\n    inject: redirect\n"))
	c := h.direct(false, false)
	c.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	_, port, _ := strings.Cut(h.Addr(), ":")
	r, err := http.NewRequestWithContext(t.Context(), "GET", "http://127.0.0.1:"+port+"/stripe/v1/charges?limit=3", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer sk_test_4eC39HqLyjWDarjtT1zdp7dc")
	reply, err := c.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	if err := reply.Body.Close(); err != nil {
		t.Error(err)
	}
	if got, want := reply.Header.Get("Location"), "http://localhost:"+port+"/stripe/v1/charges?limit=3"; reply.StatusCode != 307 || got != want {
		t.Errorf("%d %s, want %s", reply.StatusCode, got, want)
	}
	h.close()
	var out strings.Builder
	if code, err := replayRun(t.Context(), &out, h.root, h.Run.ID, ""); code != 0 || err != nil {
		t.Errorf("replay: %d %v\n%s", code, err, out.String())
	}
}

// What webhooks go through, their endpoint sees; the world and the reply are as
// they are without.
func TestWebhookDisorderAtTheEndpoint(t *testing.T) {
	t.Parallel()
	for how, want := range map[string]string{
		"{how: twice}":                     "created, created, same",
		"{how: twice, delays: [1m, 1h]}":   "created, created, created, same",
		"{how: twice-new-id}":              "created, created, other",
		"{how: missing}":                   "",
		"{how: late, delays: 10h}":         "",
		"{how: badly-signed}":              "created, bad",
		"{how: out-of-order, delays: 10m}": "created, same",
	} {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			h := open(t, "profile: hooks\nseed: 7\nservices: {stripe: {}}\nclock: {mode: stepped, start: 2026-03-02T09:00:00Z, step: 1s}\n"+
				"faults:\n  it: {call: stripe POST /v1/customers, inject: webhook-disorder, with: "+how+", trigger: {nth: 1}}\n", shared)
			e := newEndpoint(t)
			secret, ids, bad := "", map[string]int{}, false
			e.shown = func(*http.Request) string { return "created" }
			e.saw = func(r *http.Request, body []byte) {
				var event struct{ ID string }
				if err := json.Unmarshal(body, &event); err != nil {
					t.Error(err)
				}
				ids[event.ID]++
				bad = bad || !stripeSigned(r.Header.Get("Stripe-Signature"), secret, body)
			}
			run := h.make(client.NewRun{Names: []string{"hooked"}})[0]
			at, c := run.URLs.Base+"/stripe/v1/", h.single()
			secret = must(t, c, "POST", at+"webhook_endpoints", "url="+e.URL+"&enabled_events[0]=customer.created")["secret"].(string)
			must(t, c, "POST", at+"customers", "name=Ada")
			h.advance("hooked", "2h")
			got := e.seen()
			switch {
			case len(ids) == 1 && bad:
				got += ", bad"
			case len(ids) == 1:
				got += ", same"
			case len(ids) > 1:
				got += ", other"
			}
			if got != want || bad != strings.Contains(want, "bad") {
				t.Errorf("the endpoint saw %s (badly signed: %v), want %s", got, bad, want)
			}
			for _, event := range h.eventsOf("hooked") {
				if x := event.Exchange; x != nil && len(x.Strikes) > 0 && (!x.Strikes[0].Fired || x.Strikes[0].Did == "" || x.Status != 200) {
					t.Errorf("answered %d, strike %+v", x.Status, x.Strikes[0])
				}
			}
			h.close()
			var out strings.Builder
			if code, err := replayRun(t.Context(), &out, h.root, "hooked", ""); code != 0 || err != nil {
				t.Errorf("replay: %d %v\n%s", code, err, out.String())
			}
		})
	}
}

// stripeSigned tells whether a webhook is signed as Stripe does.
func stripeSigned(header, secret string, body []byte) bool {
	at, signature, _ := strings.Cut(strings.TrimPrefix(header, "t="), ",v1=")
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(at + "."))
	mac.Write(body)
	return hex.EncodeToString(mac.Sum(nil)) == signature
}

// A service without webhooks has none to disorder, and a profile that wants
// that is refused.
func TestWebhookDisorderWantsWebhooks(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"profile.yaml": "profile: memos\nservices: {memos: {contract: memos.yaml}}\nfaults:\n  it: {call: memos.createMemo, inject: webhook-disorder}\n",
		"memos.yaml":   memos,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	_, err := gateway.Open(t.Context(), gateway.Settings{
		Root: filepath.Join(dir, ".parity"), CA: filepath.Join(dir, "ca"), Profile: filepath.Join(dir, "profile.yaml"),
		Getenv: func(string) string { return "" }, Log: slog.New(slog.DiscardHandler),
	})
	if err == nil || !strings.Contains(err.Error(), "sends no webhooks") {
		t.Errorf("opened: %v", err)
	}
}

// The same intents meet the same faults, whoever asks first: one client after
// the other, or sixty-four at once in any order.
func TestFaultsDoNotDependOnWhoComesFirst(t *testing.T) {
	t.Parallel()
	const intents = 96
	fates := func(clients int) map[string]string {
		h := open(t, quiet+`
faults:
  slow: {call: stripe *, inject: latency, with: {p50: 1ms, p95: 2ms, p99: 4ms}}
  sluggish: {call: stripe *, inject: latency, with: {from: 1us, to: 1ms, part: body}, trigger: {chance: 50%}}
  down: {call: stripe *, inject: outage, with: {share: 40%}}
  broken: {call: stripe *, inject: error, trigger: {chance: 50%}}
  never: {call: stripe *, inject: error, trigger: {chance: 0%}}
  lost: {call: stripe *, inject: ambiguous-success, with: {reply: "500"}, trigger: {chance: 30%}}
`)
		c := h.proxied(false)
		c.Transport.(*http.Transport).MaxIdleConnsPerHost = clients
		names := make(chan string, intents)
		for _, i := range rand.Perm(intents) {
			names <- fmt.Sprint("name=n", i)
		}
		close(names)
		var agents sync.WaitGroup
		for range clients {
			agents.Go(func() {
				for name := range names {
					if _, _, _, err := call(t, c, "POST", "https://api.stripe.com/v1/customers", name); err != nil {
						t.Error(err)
					}
				}
			})
		}
		agents.Wait()
		met := map[string]string{}
		for _, x := range exchanges(h) {
			fate := fmt.Sprint(x.Status, " ", x.Wire.Delay, " ", x.Wire.BodyWait)
			for _, s := range x.Strikes {
				fate += fmt.Sprint(" ", s.Rule, " ", s.Fired, " ", s.Outranked)
			}
			met[string(x.Body)+" "+x.Intent.ID] = fate
		}
		return met
	}
	one := fates(1)
	all := ""
	for _, fate := range one {
		all += fate + "\n"
	}
	for _, rule := range []string{"slow", "sluggish", "down", "broken", "lost"} {
		if !strings.Contains(all, rule+" true") || rule != "slow" && !strings.Contains(all, rule+" false") {
			t.Errorf("%s does not hit some intents and miss others:\n%s", rule, all)
		}
	}
	if len(one) != intents || strings.Contains(all, "never true") {
		t.Errorf("%d intents, want %d", len(one), intents)
	}
	for _, clients := range []int{8, 64} {
		if diff := cmp.Diff(one, fates(clients)); diff != "" {
			t.Errorf("%d clients at once:\n%s", clients, diff)
		}
	}
}

// A token in a query goes where the client is sent, and not into the record.
func TestRedirectKeepsNoTokenOfAQuery(t *testing.T) {
	t.Parallel()
	const token = "xoxb-123456789012-abcdefghijklmnop"
	h := open(t, "profile: chat\nseed: 7\nservices: {slack: {}}\nclock: {mode: stepped}\nfaults:\n  it: {call: slack *, inject: redirect}\n")
	b := &bench{h, h.proxied(false)}
	b.agent.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	reply, _ := b.does(ask{"GET", "https://slack.com/api/conversations.list?limit=3&token=" + token, ""}, "Authorization", "Bearer "+token)
	if got := reply.Header.Get("Location"); reply.StatusCode != 307 || !strings.HasPrefix(got, "https://moved-slack.com/api/") || !strings.HasSuffix(got, token) {
		t.Errorf("%d %s", reply.StatusCode, got)
	}
	events, _ := b.events()
	said, err := json.Marshal(events)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(said), token) || !strings.Contains(string(said), "moved-slack.com") {
		t.Errorf("the record: %s", said)
	}
}
