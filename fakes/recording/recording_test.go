package recording_test

import (
	"encoding/base64"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"parity/fakes/recording"
)

const conversation = `{"service": "shop", "grade": "A", "exchanges": [
	{"request": {"method": "GET", "url": "https://shop.example/orders"},
	 "response": {"status": 200, "headers": {"date": "Tue, 03 Mar 2026 10:00:00 GMT"}, "body": "{\"data\": [{\"id\": \"ord_1aaaaaaa\", \"note\": \"old\"}]}"}},
	{"request": {"method": "POST", "url": "https://shop.example/orders", "body": "{\"note\": \"new\"}"},
	 "response": {"status": 201, "headers": {"date": "Tue, 03 Mar 2026 10:00:01 GMT", "content-type": "application/json"},
	  "body": "{\"id\": \"ord_2bbbbbbb\", \"note\": \"new\", \"created\": 1772532001, \"live\": false, \"url\": \"https://shop.example/orders/ord_2bbbbbbb\", \"tags\": []}"}},
	{"request": {"method": "GET", "url": "https://shop.example/orders/ord_2bbbbbbb"},
	 "response": {"status": 200, "headers": {}, "body": "{\"id\": \"ord_2bbbbbbb\", \"note\": \"new\"}"}}
]}`

func read(t *testing.T) recording.Conversation {
	t.Helper()
	c, err := recording.Read([]byte(conversation))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestMadeIsWhatTheConversationMakes(t *testing.T) {
	t.Parallel()
	c := read(t)
	made := c.Made()
	if diff := cmp.Diff(map[string]bool{"ord_2bbbbbbb": true}, made); diff != "" {
		t.Error(diff)
	}
	if got := recording.Without(c.Exchanges[2].Response.Body, made); got != "" {
		t.Errorf("the record itself: %s", got)
	}
	if got := recording.Without(`{"data": [{"id": "ord_1aaaaaaa"}, {"id": "ord_2bbbbbbb"}]}`, made); got != `{"data":[{"id":"ord_1aaaaaaa"}]}` {
		t.Errorf("of a list: %s", got)
	}
}

func TestMadeByNoRead(t *testing.T) {
	t.Parallel()
	c := read(t)
	made := c.Made(func(e recording.Exchange) bool { return strings.HasSuffix(e.Request.URL, "/orders") })
	if len(made) > 0 {
		t.Errorf("a search by POST made %v", made)
	}
}

func TestCompareLearnsIds(t *testing.T) {
	t.Parallel()
	c := read(t)
	a := recording.NewAlignment()
	header := http.Header{"Content-Type": {"application/json; charset=utf-8"}}
	ours := `{"id": "ord_9zzzzzzz", "note": "new", "created": 1772532999, "live": false, "url": "https://shop.example/orders/ord_9zzzzzzz", "tags": []}`
	if misses := a.Compare(c.Exchanges[1], 201, header, []byte(ours)); len(misses) > 0 {
		t.Errorf("%v", misses)
	}
	if got := a.Ours(c.Exchanges[2].Request.URL); got != "https://shop.example/orders/ord_9zzzzzzz" {
		t.Errorf("the next request is for %s", got)
	}
	if misses := a.Compare(c.Exchanges[2], 200, nil, []byte(`{"id": "ord_another1", "note": "new"}`)); len(misses) != 1 {
		t.Errorf("another id than the one that was learnt: %v", misses)
	}
}

func TestCompareFindsWhatIsNotAsRecorded(t *testing.T) {
	t.Parallel()
	header := http.Header{"Content-Type": {"application/json"}}
	whole := `{"id": "ord_9zzzzzzz", "note": "new", "created": 1772532999, "live": false, "url": "https://shop.example/orders/ord_9zzzzzzz", "tags": []}`
	for name, c := range map[string]struct {
		status int
		header http.Header
		old    string
		new    string
		what   string
	}{
		"status":        {200, header, "", "", "status"},
		"no header":     {201, http.Header{}, "", "", "header content-type"},
		"content type":  {201, http.Header{"Content-Type": {"text/html"}}, "", "", "header content-type"},
		"no field":      {201, header, `"note": "new", `, "", "shape /note"},
		"echoed value":  {201, header, `"note": "new"`, `"note": "old"`, "value /note"},
		"boolean":       {201, header, "false", "true", "value /live"},
		"no time":       {201, header, "1772532999", "7", "value /created"},
		"another type":  {201, header, "1772532999", `"1772532999"`, "value /created"},
		"another host":  {201, header, "https://shop.example", "https://other.example", "value /url"},
		"a longer list": {201, header, "[]", "[1]", "shape /tags"},
		"no JSON":       {201, header, whole, "<html>", "shape"},
	} {
		body := strings.Replace(whole, c.old, c.new, 1)
		misses := recording.NewAlignment().Compare(read(t).Exchanges[1], c.status, c.header, []byte(body))
		if len(misses) != 1 || !strings.HasPrefix(misses[0].String(), c.what) {
			t.Errorf("%s: %v, want one that begins with %q", name, misses, c.what)
		}
	}
}

func TestReadRefusesWhatIsNoConversation(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "[]", `{"exchanges": [{"request": {"url": "http://[::1"}}]}`} {
		if _, err := recording.Read([]byte(text)); err == nil {
			t.Errorf("%q is taken", text)
		}
	}
}

// What was taken out of a recording stands for one text of ours, wherever it
// comes.
func TestPlaceholdersStandForOneText(t *testing.T) {
	t.Parallel()
	e := recording.Exchange{Response: recording.Response{
		Status: 200, Header: map[string]string{"WWW-Authenticate": `Bearer error="invalid_token"`},
		Body: `{"a": "Redacted location ae2eab", "b": "Redacted location ae2eab"}`,
	}}
	if !e.Response.Says("www-authenticate", "invalid_token") || e.Response.Says("etag", "") && e.Response.Says("etag", "x") {
		t.Error("a header does not say what it says")
	}
	header := http.Header{"Www-Authenticate": {`Bearer error="invalid_token"`}}
	if misses := recording.NewAlignment().Compare(e, 200, header, []byte(`{"a": "Authorization", "b": "Authorization"}`)); len(misses) > 0 {
		t.Error(misses)
	}
	if misses := recording.NewAlignment().Compare(e, 200, header, []byte(`{"a": "Authorization", "b": "timeMax"}`)); len(misses) != 1 {
		t.Errorf("one placeholder stands for two texts: %v", misses)
	}
}

// Ids may look like times, and are learnt as ids all the same; what a write
// says is not new was there before; bodies may have been kept in base64.
func TestIdsThatLookLikeTimes(t *testing.T) {
	t.Parallel()
	const text = `{"exchanges": [
		{"request": {"method": "POST", "url": "https://crm.example/companies", "body": "{}"}, "response": {"status": 200, "headers": {}, "body": "{\"companyId\": 1897515214, \"createdAt\": 1556981038830}"}},
		{"request": {"method": "POST", "url": "https://crm.example/upsert", "body": "{}"}, "response": {"status": 200, "headers": {}, "body": "{\"vid\": 4711, \"isNew\": false}"}},
		{"request": {"method": "GET", "url": "https://crm.example/companies/1897515214"}, "response": {"status": 200, "headers": {}, "body": "eyJjb21wYW55SWQiOiAxODk3\nNTE1MjE0fQ=="}}
	]}`
	c, err := recording.Read([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]bool{"1897515214": true}, c.Made()); diff != "" {
		t.Error(diff)
	}
	if got := c.Exchanges[2].Response.Body; got != `{"companyId": 1897515214}` {
		t.Errorf("unpacked: %s", got)
	}
	a := recording.NewAlignment()
	if misses := a.Compare(c.Exchanges[0], 200, nil, []byte(`{"companyId": 42, "createdAt": 1772366400000}`)); len(misses) > 0 {
		t.Errorf("%v", misses)
	}
	if got := a.Ours(c.Exchanges[2].Request.URL); got != "https://crm.example/companies/42" {
		t.Errorf("the next request is for %s", got)
	}
	if misses := a.Compare(c.Exchanges[2], 200, nil, []byte(`{"companyId": 43}`)); len(misses) != 1 {
		t.Errorf("another id than the one that was learnt: %v", misses)
	}
}

func TestCompareLearnsCursorsOfKnownPages(t *testing.T) {
	t.Parallel()
	e := recording.Exchange{Response: recording.Response{Status: 200, Body: `{"next_cursor": "dXNlcjpVMDc1"}`}}
	a := recording.NewAlignment()
	a.Knew(e.Response.Body)
	if misses := a.Compare(e, 200, nil, []byte(`{"next_cursor": "dXNlcjpVOTk5"}`)); len(misses) > 0 {
		t.Errorf("%v", misses)
	}
}

// What a filter of the recorder replaced inside base64 becomes again what it
// was.
func TestReadUndoesFilters(t *testing.T) {
	t.Parallel()
	packed := base64.StdEncoding.EncodeToString([]byte(`{"id": "sub_<VENDOR_ID>2", "<VENDOR_AUTH_CODE>": 0}`))
	c, err := recording.Read([]byte(`{"exchanges": [{"response": {"body": "` + packed + `"}}]}`))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := c.Exchanges[0].Response.Body, `{"id": "sub_12", "x": 0}`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// As much of an id as there was room for stands for as much of ours.
func TestBeginningsOfIds(t *testing.T) {
	t.Parallel()
	e := recording.Exchange{Response: recording.Response{Status: 200, Body: `{"id": "in_1aaaaaaaaaaaaaaaaaaaaaaaa", "reference": "in_1aaaaaaaaaaaaaaaaaa"}`}}
	good, bad := `{"id": "in_1bbbbbbbbbbbbbbbbbbbbbbbb", "reference": "in_1bbbbbbbbbbbbbbbbbb"}`, `{"id": "in_1bbbbbbbbbbbbbbbbbbbbbbbb", "reference": "in_1cccccccccccccccccc"}`
	if misses := recording.NewAlignment().Compare(e, 200, nil, []byte(good)); len(misses) > 0 {
		t.Error(misses)
	}
	a := recording.NewAlignment()
	a.Knew(`"in_1aaaaaaaaaaaaaaaaaa"`)
	if misses := a.Compare(e, 200, nil, []byte(bad)); len(misses) != 1 {
		t.Errorf("another id's beginning is taken: %v", misses)
	}
}
