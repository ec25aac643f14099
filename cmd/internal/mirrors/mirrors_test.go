package mirrors_test

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"parity/cmd/internal/mirrors"
	"parity/fakes/clock"
	"parity/fakes/recording"
)

// A person is somebody whose values are planted.
type person struct{ name, email, phone, card, key string }

func (p person) values() []string { return []string{p.name, p.email, p.phone, p.card, p.key} }

// persons are as many as one wants, all different.
func persons(n int) []person {
	first := []string{"Grace", "Adele", "Alonzo", "Katherine", "Edsger", "Barbara", "José", "Margaret", "Dennis", "Radia"}
	last := []string{"Hopper", "Lovelace", "Church", "Johnson", "Dijkstra", "Liskov", "García", "Hamilton", "Ritchie", "Perlman"}
	cards := []string{"4242424242424242", "5555555555554444", "4000056655665556", "6011111111111117", "4012888888881881"}
	all := make([]person, n)
	for i := range all {
		f, l := first[i%10], last[i/10%10]
		all[i] = person{
			name: f + " " + l, email: fmt.Sprintf("%c.%s%d@corp%d.example", f[0]|0x20, strings.ToLower(strings.ReplaceAll(l, "í", "i")), i, i%7),
			phone: fmt.Sprintf("+1 (415) 555-%04d", 2000+i), card: cards[i%5], key: fmt.Sprintf("sk_live_51HxAbCdEfGhIjKlMnOpQr%04d", i),
		}
	}
	return all
}

// desk is a HAR of a ticket desk: lists of users and of tickets, whose texts say who
// wrote them, in whatever way.
func desk(t *testing.T, people []person, tickets int) string {
	t.Helper()
	const base = "https://acme.zendesk.com/api/v2/"
	var users, open []any
	for i, p := range people {
		users = append(users, map[string]any{
			"id": 1000 + i, "url": fmt.Sprintf("%susers/%d.json", base, 1000+i), "name": p.name, "email": p.email, "phone": p.phone, "role": "end-user",
			"notes": "card " + p.card + ", key " + p.key, "created_at": "2026-01-01T00:00:00Z",
		})
	}
	ways := []func(string) string{
		func(s string) string { return s }, strings.ToUpper, url.QueryEscape, func(s string) string { return "see https://x.example/find?q=" + url.PathEscape(s) + "&p=1" },
		func(s string) string { return base64.StdEncoding.EncodeToString([]byte("by " + s + ", yesterday")) },
		func(s string) string { return base64.URLEncoding.EncodeToString([]byte(s)) },
		func(s string) string { return hex.EncodeToString([]byte("by " + s)) },
		func(s string) string { data, _ := json.Marshal(map[string]string{"by": s}); return string(data) },
		func(s string) string { return "<p>" + html.EscapeString(s) + " &amp; others</p>" },
	}
	for i := range tickets {
		p, way := people[i%len(people)], ways[i%len(ways)]
		said := "From " + way(p.name) + ": mail " + way(p.email) + " or call " + way(p.phone) + ", with " + way(p.card) + " and " + way(p.key)
		open = append(open, map[string]any{
			"id": 5000 + i, "url": fmt.Sprintf("%stickets/%d.json", base, 5000+i), "subject": "Order of " + p.name, "description": said, "requester_id": 1000 + i%len(people),
			"status": "open", "created_at": "2026-01-01T00:00:00Z", "via": map[string]any{"channel": "email", "source": map[string]any{"from": map[string]any{"address": p.email, "name": p.name}}},
			"tags": []any{way(p.email)}, "custom": way(p.name),
		})
	}
	var entries []any
	add := func(address string, body any, packed bool) {
		text, err := json.Marshal(body)
		if err != nil {
			t.Fatal(err)
		}
		content := map[string]any{"mimeType": "application/json", "text": string(text)}
		if packed {
			content["encoding"], content["text"] = "base64", base64.StdEncoding.EncodeToString(text)
		}
		fields := func(pairs ...string) (all []any) {
			for i := 0; i < len(pairs); i += 2 {
				all = append(all, map[string]any{"name": pairs[i], "value": pairs[i+1]})
			}
			return all
		}
		entries = append(entries, map[string]any{
			"request":  map[string]any{"method": "GET", "url": address, "headers": fields("Authorization", "Bearer "+people[0].key, "Cookie", "sid=0123456789abcdef", "X-Who", people[1].email)},
			"response": map[string]any{"status": 200, "content": content, "headers": fields("Date", "Mon, 30 Nov 2026 10:00:00 GMT", "Set-Cookie", "sid=0123456789abcdef", "X-Who", people[1].email, "Link", "<"+base+"users?q="+url.QueryEscape(people[2].email)+">; rel=\"next\"")},
		})
	}
	const perPage = 100
	for page := 0; page*perPage < tickets; page++ {
		add(fmt.Sprintf("%stickets.json?page=%d", base, page+1), map[string]any{"tickets": open[page*perPage : min(tickets, (page+1)*perPage)], "count": tickets}, page%2 == 1)
	}
	add(base+"users.json", map[string]any{"users": users, "count": len(users)}, false)
	add(base+"users/search.json?query="+url.QueryEscape("email:"+people[3].email), map[string]any{"users": users[3:4], "count": 1}, true)
	file := filepath.Join(t.TempDir(), "desk.har")
	data, err := json.Marshal(map[string]any{"log": map[string]any{"entries": entries}})
	if err == nil {
		err = os.WriteFile(file, data, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// an is an import that goes to a folder of its own.
func an(t *testing.T, service string) mirrors.Import {
	t.Helper()
	return mirrors.Import{Service: service, Share: "100%", Out: filepath.Join(t.TempDir(), "mirrors", service+".json"), Wall: clock.System{}, Getenv: func(string) string { return "" }}
}

func run(t *testing.T, i mirrors.Import) (recording.Conversation, string, string) {
	t.Helper()
	var said bytes.Buffer
	if err := i.Run(t.Context(), &said); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(i.Out)
	if err != nil {
		t.Fatal(err)
	}
	c, err := recording.Read(data)
	if err != nil {
		t.Fatal(err)
	}
	return c, string(data), said.String()
}

// decoded is a file with every text in it that is encoded beside what it is.
func decoded(text string) string {
	var out strings.Builder
	out.WriteString(text)
	for _, part := range strings.FieldsFunc(text, func(c rune) bool { return strings.ContainsRune(" \"\\,;:<>()&?{}[]\n", c) }) {
		plain := part
		for range 2 {
			if u, err := url.QueryUnescape(plain); err == nil {
				plain = u
			}
			out.WriteString("\n" + plain)
			for _, e := range []*base64.Encoding{base64.StdEncoding, base64.URLEncoding, base64.RawStdEncoding, base64.RawURLEncoding} {
				if data, err := e.DecodeString(plain); err == nil {
					out.WriteString("\n" + string(data))
				}
			}
			if data, err := hex.DecodeString(plain); err == nil {
				out.WriteString("\n" + string(data))
			}
		}
	}
	return out.String()
}

// A mirror of hundreds of records has none of the values that were in them, in
// whatever way they stood there, and what refers to a record or a person still does.
func TestNothingOfAnybodyIsInAMirror(t *testing.T) {
	t.Parallel()
	const tickets = 270
	people := persons(30)
	i := an(t, "zendesk")
	i.From = []string{desk(t, people, tickets)}
	c, text, said := run(t, i)
	all := strings.ToLower(decoded(text))
	for _, p := range people {
		for _, value := range p.values() {
			data, _ := json.Marshal(value)
			for _, form := range []string{value, strings.Trim(string(data), `"`), digits(value), strings.ReplaceAll(value, " ", "-"), url.QueryEscape(value)} {
				if len(form) > 6 && strings.Contains(all, strings.ToLower(form)) {
					t.Errorf("%s is in the mirror, as %s", value, form)
				}
			}
		}
	}
	for _, header := range []string{"authorization", "cookie", "0123456789abcdef", "x-who"} {
		if strings.Contains(all, header) {
			t.Errorf("%s is in the mirror", header)
		}
	}
	users, open := map[string]map[string]any{}, 0
	each(t, c, "users", func(r map[string]any) { users[fmt.Sprint(r["id"])] = r })
	each(t, c, "tickets", func(r map[string]any) {
		open++
		who := users[fmt.Sprint(r["requester_id"])]
		from := r["via"].(map[string]any)["source"].(map[string]any)["from"].(map[string]any)
		name, _ := who["name"].(string)
		switch {
		case who == nil:
			t.Errorf("ticket %v is of nobody", r["id"])
		case from["address"] != who["email"] || from["name"] != name || r["subject"] != "Order of "+name:
			t.Errorf("ticket %v is of %v %v, whose record says %v %s", r["id"], from, r["subject"], who["email"], name)
		}
	})
	if len(users) != len(people) || open != tickets || c.Mirror == nil || c.Mirror.Records != tickets+len(people) || c.Service != "zendesk" || c.Recorded != "2026-11-30" {
		t.Errorf("%d users, %d tickets, %+v %s %s", len(users), open, c.Mirror, c.Service, c.Recorded)
	}
	if info, err := os.Stat(i.Out); err != nil || info.Mode().Perm() != 0o600 {
		t.Error(info.Mode(), err)
	}
	if !strings.Contains(said, "300 records") || !strings.Contains(said, "30 emails") {
		t.Error(said)
	}
	asked := slices.IndexFunc(c.Exchanges, func(e recording.Exchange) bool { return strings.Contains(e.Request.URL, "search") })
	if asked < 0 || !strings.Contains(c.Exchanges[asked].Request.URL, url.QueryEscape(fmt.Sprint(users["1003"]["email"]))) {
		t.Errorf("who was searched for is another than who was found: %s", c.Exchanges[asked].Request.URL)
	}
}

func digits(text string) string {
	return strings.Map(func(c rune) rune {
		if c >= '0' && c <= '9' {
			return c
		}
		return -1
	}, text)
}

func each(t *testing.T, c recording.Conversation, list string, visit func(map[string]any)) {
	t.Helper()
	met := map[string]bool{}
	for _, e := range c.Exchanges {
		var said map[string]any
		if err := json.Unmarshal([]byte(e.Response.Body), &said); err != nil {
			t.Fatal(err)
		}
		items, _ := said[list].([]any)
		for _, item := range items {
			if r := item.(map[string]any); !met[fmt.Sprint(r["id"])] {
				met[fmt.Sprint(r["id"])] = true
				visit(r)
			}
		}
	}
}

// A sample has whom its records are of, is the same with one key, and differs with
// another.
func TestASampleHasWhatItRefersTo(t *testing.T) {
	t.Parallel()
	from := desk(t, persons(60), 300)
	key := filepath.Join(t.TempDir(), "key")
	if err := os.WriteFile(key, []byte("a key of at least sixteen bytes"), 0o600); err != nil {
		t.Fatal(err)
	}
	var first string
	for range 2 {
		i := an(t, "zendesk")
		i.From, i.Share, i.Most, i.Keys = []string{from}, "20%", 40, key
		c, text, _ := run(t, i)
		users, tickets := map[string]bool{}, 0
		each(t, c, "users", func(r map[string]any) { users[fmt.Sprint(r["id"])] = true })
		each(t, c, "tickets", func(r map[string]any) {
			if tickets++; !users[fmt.Sprint(r["requester_id"])] {
				t.Errorf("ticket %v is of nobody", r["id"])
			}
		})
		if tickets < 10 || tickets > 40 || len(users) > 55 {
			t.Errorf("%d tickets, %d users", tickets, len(users))
		}
		_, exchanges, _ := strings.Cut(text, `"exchanges"`)
		if first != "" && exchanges != first {
			t.Error("another mirror with the same key")
		}
		first = exchanges
	}
	if strings.Contains(first, "sixteen") {
		t.Error("the key is in the mirror")
	}
}

// Samples are replies in files that are named as their addresses are.
func TestSamplesAreNamedByTheirAddresses(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	for name, text := range map[string]string{
		"desk.yaml":         contract,
		"s/v1/people.json":  `{"data":[{"id":"p1","name":"Grace Hopper","email":"grace@navy.example"}]}`,
		"s/people/p1.json":  `{"id":"p1","name":"Grace Hopper","email":"grace@navy.example","pin":"1815"}`, // without what the server's paths begin with
		"s/v1/nowhere.json": `{"a":1}`,
	} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(folder, name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	i := an(t, "desk")
	i.Contract, i.From = filepath.Join(folder, "desk.yaml"), []string{filepath.Join(folder, "s")}
	c, text, said := run(t, i)
	if len(c.Exchanges) != 2 || strings.Contains(text, "Hopper") || strings.Contains(text, "1815") || !strings.Contains(said, "of no operation of the contract: 1") {
		t.Errorf("%s\n%s", text, said)
	}
	if c.Mirror.At.Before(time.Now().Add(-time.Hour)) || !strings.HasPrefix(c.Mirror.From, "samples ") {
		t.Errorf("%+v", c.Mirror)
	}
}

// What is there already stays, and a mirror of nothing is none.
func TestImportsThatWriteNothing(t *testing.T) {
	t.Parallel()
	from := desk(t, persons(4), 4)
	for name, c := range map[string]struct {
		change func(*mirrors.Import)
		want   string
	}{
		"a file is there":    {func(i *mirrors.Import) { i.Out = from }, "--force"},
		"no share":           {func(i *mirrors.Import) { i.Share = "0%" }, "--sample"},
		"a share above all":  {func(i *mirrors.Import) { i.Share = "101%" }, "--sample"},
		"no such service":    {func(i *mirrors.Import) { i.Service = "zendisk" }, "there is no service zendisk"},
		"another service":    {func(i *mirrors.Import) { i.Service = "stripe" }, "acme.zendesk.com"},
		"a key for everyone": {func(i *mirrors.Import) { i.Keys = from + ".key" }, "can be read by others"},
		"no such recording":  {func(i *mirrors.Import) { i.From = []string{"nowhere.har"} }, "nowhere.har"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if err := os.WriteFile(from+".key", []byte("a key of at least sixteen bytes"), 0o644); err != nil { //nolint:gosec // what the test is about
				t.Error(err)
			}
			i := an(t, "zendesk")
			i.From = []string{from}
			c.change(&i)
			var said bytes.Buffer
			if err := i.Run(t.Context(), &said); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want one that says %q", err, c.want)
			}
			if _, err := os.Stat(i.Out); err == nil && i.Out != from {
				t.Error("something was written")
			}
		})
	}
}
