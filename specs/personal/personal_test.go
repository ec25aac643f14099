package personal_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"parity/specs/personal"
)

// Fields of people are told by their names, by what stands beside them, and by where
// they stand; what other things are called is theirs.
func TestFieldsOfPeople(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		within, object string
		want           map[string]personal.Kind // of the fields that are of people
	}{
		{"", `{"name":"Grace","email":"g@navy.mil","id":"cus_1"}`, map[string]personal.Kind{"name": "name", "email": "email"}},
		{"", `{"name":"Grace","email":null}`, map[string]personal.Kind{"name": "name", "email": "email"}},
		{"users", `{"name":"Grace","alias":"gh"}`, map[string]personal.Kind{"name": "name", "alias": "name"}},
		{"assignee", `{"name":"Grace"}`, map[string]personal.Kind{"name": "name"}},
		{"data", `{"object":"customer","name":"Grace"}`, map[string]personal.Kind{"name": "name"}},
		{"source", `{"address":"g@navy.mil","name":"Grace"}`, map[string]personal.Kind{"name": "name"}},
		{"members", `{"profile":{"real_name":"Grace"},"name":"grace"}`, map[string]personal.Kind{"name": "name"}},
		{"owner", `{"login":"grace","type":"User"}`, map[string]personal.Kind{"login": "login"}},
		{"card", `{"number":"4242424242424242","cvc":"123"}`, map[string]personal.Kind{"number": "card"}},
		{"address", `{"line1":"1 Main St","city":"Arlington","postal_code":"22201"}`, map[string]personal.Kind{"line1": "address", "postal_code": "address"}},
		{"", `{"firstName":"Grace","LAST_NAME":"Hopper","Phone-Number":"1"}`, map[string]personal.Kind{"firstName": "name", "LAST_NAME": "name", "Phone-Number": "phone"}},

		{"owner", `{"login":"acme","type":"Organization","name":"Acme"}`, nil},
		{"companies", `{"name":"Acme","domain":"acme.example","phone":"1"}`, map[string]personal.Kind{"phone": "phone"}},
		{"products", `{"name":"Coffee","id":"prod_1"}`, nil},
		{"labels", `{"name":"bug","color":"f00"}`, nil},
		{"lists", `{"name":"Newsletter","from_email":"news@acme.example"}`, map[string]personal.Kind{"from_email": "email"}},
		{"authors", `{"full_name":"Grace Hopper"}`, map[string]personal.Kind{"full_name": "name"}},
		{"repositories", `{"name":"shop","full_name":"acme/shop"}`, nil},
	} {
		var object map[string]any
		if err := json.Unmarshal([]byte(c.object), &object); err != nil {
			t.Fatal(err)
		}
		of, got := personal.Fields(c.within, object), map[string]personal.Kind(nil)
		for name := range object {
			if kind := of(name); kind != "" {
				if got == nil {
					got = map[string]personal.Kind{}
				}
				got[name] = kind
			}
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s within %q: %s", c.object, c.within, diff)
		}
	}
}

// What stands in a text is told by its form, and no version, time, or id is taken
// for it.
func TestFormsOfPeople(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]string{
		"mail g.hopper+navy@navy.mil, or g@a.b.example.": {"g.hopper+navy@navy.mil", "g@a.b.example"},
		"GRACE@NAVY.MIL":                       {"GRACE@NAVY.MIL"},
		"jürgen@müller.example":                {"jürgen@müller.example"},
		"?to=g%40navy.mil&x":                   {"g%40navy.mil"},
		"g&#64;navy.mil":                       {"g&#64;navy.mil"},
		"+49 30 12345678 or 0044 20 7946 0123": {"+49 30 12345678", "0044 20 7946 0123"},
		"(415) 555-2671, 415-555-2671":         {"(415) 555-2671", "415-555-2671"},
		"to DE89 3704 0044 0532 0130 00 today": {"DE89 3704 0044 0532 0130 00"},
		"078-05-1120":                          {"078-05-1120"},

		"GB82 WEST 1234 5698 7654 33":          nil, // its check is wrong
		"actions/checkout@v4.1.2":              nil,
		"git@github.com:acme/shop.git":         nil,
		"2026-11-30T10:00:00+01:00":            nil,
		"1764500000 17645000001234":            nil,
		"cus_NffrFeUfNV2Hib pi_3MtwBwLkdIwHu7": nil,
		"10.1.2.3:5432 @grace":                 nil,
	} {
		var got []string
		for _, s := range personal.Find(text) {
			got = append(got, text[s.From:s.To])
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", text, diff)
		}
	}
}
