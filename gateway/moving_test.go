package gateway_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"parity/faults/trail"
)

func listNamed(t *testing.T, name string) list {
	t.Helper()
	all := pagedLists()
	i := slices.IndexFunc(all, func(l list) bool { return l.name == name })
	if i < 0 {
		t.Fatalf("no list %s", name)
	}
	return all[i]
}

// A cursor that has outlived its time is refused as the service refuses it, and
// whoever starts over gets everything.
func TestExpiredCursorsAreRefusedByEachService(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"stripe": "400 invalid_request_error", "slack": "200 invalid_cursor", "slack-post": "200 invalid_cursor", "sendgrid": "400 token",
		"googlecalendar": "400 ", "hubspot": "400 ", "hubspot-search": "400 ", "zendesk": "400 cursor", "notion": "400 start_cursor", "notes": "400 cursor",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := listNamed(t, name).open(t, "inject: cursor-expired, with: {ttl: 15s}, trigger: {nth: 1}")
			_, second, _ := r.page(r.first)
			r.page(second)
			reply, text := r.does(second, append([]string{"User-Agent", "pages/1"}, r.header...)...)
			status, words, _ := strings.Cut(want, " ")
			if fmt.Sprint(reply.StatusCode) != status || !strings.Contains(text, words) {
				t.Errorf("after 20 s: %d %s; want %s", reply.StatusCode, text, want)
			}
			if pages := r.all(); len(pages) < 2 {
				t.Errorf("starting over gave %v", pages)
			}
			var whys []string
			for _, x := range exchanges(r.harness) {
				for _, s := range x.Strikes {
					whys = append(whys, fmt.Sprint(s.Index, " ", s.Fired, " ", s.Use, " ", s.Why))
				}
			}
			for i, want := range []string{"0 false true it asks for a first page", "0 false false the list is 10s old, and it lasts 15s", ""} {
				if want != "" && whys[i] != want {
					t.Errorf("strike %d: %s, want %s", i, whys[i], want)
				}
			}
		})
	}
}

// A page that leads to where one is already shows the same again, or nothing;
// going on in the end loses nothing.
func TestCursorsThatLeadNowhere(t *testing.T) {
	t.Parallel()
	for _, l := range pagedLists() {
		t.Run(l.name, func(t *testing.T) {
			t.Parallel()
			r := l.open(t, "inject: cursor-expired, with: {how: repeated}, trigger: {first: 2}", "inject: cursor-expired, with: {how: empty}, trigger: {nth: 3}")
			first, next, _ := r.page(r.first)
			one, again, more := r.page(next)
			if !more {
				t.Fatalf("%v says that it is the last", one)
			}
			two, _, _ := r.page(again)
			if !slices.Equal(one, two) || len(one) == 0 {
				t.Errorf("%v, then %v: not the same page again", one, two)
			}
			if name := l.name; name == "stripe" && !slices.Equal(one, first) || name != "stripe" && (again.target != next.target || again.body != next.body) && !sameAddress(again, next) {
				t.Errorf("%v leads to %v, not to itself", next, again)
			}
			none, again, more := r.page(next)
			if len(none) > 0 {
				t.Errorf("the page has %v", none)
			}
			if l.name == "stripe" {
				return // its cursors are the ids of items: from none there is no way on
			}
			if !more {
				t.Fatal("it says that there are no more")
			}
			got := first
			for more {
				var ids []string
				ids, again, more = r.page(again)
				got = append(got, ids...)
			}
			if want := slices.Concat(r.all()...); !slices.Equal(got, want) {
				t.Errorf("going on gave %v, not %v", got, want)
			}
		})
	}
}

// sameAddress tells whether two calls ask for the same, whatever the order of
// their parameters and the name of what they are under.
func sameAddress(a, b ask) bool {
	tail := func(s string) string {
		_, query, _ := strings.Cut(s, "?")
		parts := strings.Split(query, "&")
		slices.Sort(parts)
		return strings.Join(parts, "&")
	}
	return tail(a.target) == tail(b.target)
}

// What others do between two pages shows as doubles and gaps where pages are
// counted, and never as a broken list.
func TestRecordsMoveBetweenPages(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		list, with  string
		doubles     int
		gaps        int
		made, taken int
	}{
		{"github", "{insert: 2, remove: 0}", 2, 2, 2, 0},
		{"zendesk-numbered", "{insert: 0, remove: 2}", 0, 2, 0, 2},
		{"zendesk", "{insert: 1, remove: 1}", 0, 0, 1, 1},
		{"stripe", "{insert: 1, remove: 1}", 0, 1, 1, 1},
		{"notes", "{insert: 1, remove: 1}", 0, 0, 1, 1},
	} {
		t.Run(c.list, func(t *testing.T) {
			t.Parallel()
			r := listNamed(t, c.list).open(t, "inject: moving-page, with: "+c.with+", trigger: {nth: 1}")
			read := slices.Concat(r.all()...)
			now := slices.Concat(r.all()...)
			seen := map[string]int{}
			doubles, gaps := 0, 0
			for _, id := range read {
				if seen[id]++; seen[id] > 1 {
					doubles++
				}
			}
			for _, id := range now {
				if seen[id] == 0 {
					gaps++
				}
			}
			if doubles != c.doubles || gaps != c.gaps {
				t.Errorf("%d doubles and %d gaps, want %d and %d: read %v, there are %v", doubles, gaps, c.doubles, c.gaps, read, now)
			}
			did := r.fired()[0]
			events, _ := r.events()
			edits := 0
			for _, e := range events {
				if e.Kind == trail.WorldEdited && len(e.Delta) > 0 && e.Edit.Rule == "it0" {
					edits++
				}
			}
			if edits != 1 || strings.Count(did, "made ") != c.made || strings.Count(did, "deleted ") != c.taken {
				t.Errorf("%d edits; recorded: %s", edits, did)
			}
		})
	}
}

// A read that lags shows nothing of what was just made, and shows it later; a
// write is never asked to lag.
func TestReadsLagBehindWrites(t *testing.T) {
	t.Parallel()
	h := open(t, "profile: lag\nseed: 7\nservices: {stripe: {}, notes: {contract: notes.yaml}}\nclock: {mode: stepped, step: 10s}\nfaults:\n"+
		"  lag: {call: [stripe GET *, notes GET *], inject: stale-read, with: {lag: 35s}}\n", beside(t, "notes.yaml", notes))
	b := &bench{h, h.proxied(false)}
	for _, s := range []struct {
		makes ask
		list  string
	}{
		{ask{"POST", "https://api.stripe.com/v1/customers", "name=Ada"}, "data"},
		{ask{"POST", "https://notes.example/notes", `{"text":"Ada"}`}, "items"},
	} {
		_, text := b.does(s.makes)
		var made map[string]any
		if err := json.Unmarshal([]byte(text), &made); err != nil {
			t.Fatal(err)
		}
		one := ask{"GET", s.makes.target + "/" + at(made, "id"), ""}
		if got := b.statuses(one, one, one, one); got != "404 404 404 200" {
			t.Errorf("%s: %s", one.target, got)
		}
		_, text = b.does(s.makes)
		_, list := b.does(ask{"GET", s.makes.target, ""})
		var body map[string]any
		if err := json.Unmarshal([]byte(list), &body); err != nil || len(body[s.list].([]any)) != 1 {
			t.Errorf("a list right after the second was made (%s): %s", text, list)
		}
	}
	list := exchanges(h)
	for i, x := range list {
		for _, s := range x.Strikes {
			if lags := x.Status == 404 || len(s.Left) == 1; s.Fired != lags {
				t.Errorf("exchange %d %s: fired %v (%s), answered %d", i, x.Operation, s.Fired, s.Did+s.Why, x.Status)
			}
		}
	}
}

// A cache says how old its answer is, and answers with that.
func TestCachesAnswerWithWhatWas(t *testing.T) {
	t.Parallel()
	h := open(t, "profile: lag\nseed: 7\nservices: {stripe: {}, notes: {contract: notes.yaml}}\nclock: {mode: stepped, step: 10s}\nfaults:\n"+
		"  lag: {call: [stripe GET *, notes GET *], inject: stale-cache, with: {age: 15s}}\n", beside(t, "notes.yaml", notes))
	b := &bench{h, h.proxied(false)}
	for _, s := range []struct{ makes, changes ask }{
		{ask{"POST", "https://api.stripe.com/v1/customers", "name=Ada"}, ask{"POST", "", "name=Eve"}},
		{ask{"POST", "https://notes.example/notes", `{"text":"Ada"}`}, ask{"PATCH", "", `{"text":"Eve"}`}},
	} {
		_, text := b.does(s.makes)
		var made map[string]any
		if err := json.Unmarshal([]byte(text), &made); err != nil {
			t.Fatal(err)
		}
		one := ask{"GET", s.makes.target + "/" + at(made, "id"), ""}
		b.statuses(one, one)
		s.changes.target = one.target
		b.does(s.changes)
		reply, old := b.does(one)
		if reply.Header.Get("Age") != "15" || reply.Header.Get("X-Cache") != "HIT" || !strings.Contains(old, "Ada") {
			t.Errorf("right after the change: %v %s", reply.Header, old)
		}
		if reply, now := b.does(one); reply.Header.Get("Age") != "15" || !strings.Contains(now, "Eve") {
			t.Errorf("later: %v %s", reply.Header, now)
		}
	}
	for _, x := range exchanges(h) {
		for _, s := range x.Strikes {
			if planted := slices.Contains(s.Planted, "Ada"); !s.Fired || planted != (strings.Contains(string(x.ReplyBody), "Ada") && s.Did == "answered as things were a while ago") {
				t.Errorf("%s: fired %v, did %s, planted %v, told %s", x.Operation, s.Fired, s.Did, s.Planted, x.ReplyBody)
			}
		}
	}
}
