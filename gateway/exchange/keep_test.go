package exchange

import (
	"strings"
	"testing"

	"parity/gateway/live"
	"parity/profiles"
	"parity/specs/secret"
)

type asItIs struct{}

func (asItIs) Redact(body any, _ secret.Hide) any { return body }

func keeps(of string) *keeping {
	return &keeping{how: profiles.KeepRedacted, seed: 7, op: asItIs{}, of: of, hide: Marks(7), behind: &behind{}}
}

// What is kept of replies of real services has nothing of people, keeps what is of
// nobody, and is kept as it is when it is kept again.
func TestWhatIsKeptHasNothingOfPeople(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		of, body string
		gone     string // apart by |
		stays    string
	}{
		"stripe": {
			"customers",
			`{"id":"cus_1","object":"customer","name":"Ada Lovelace","email":"Ada@x.example","phone":"+436641234567","description":"Ada Lovelace rang from (0316) 555-1234","address":{"line1":"Herrengasse 1","city":"Graz","postal_code":"8010"},"individual":{"dob":{"day":10,"month":12,"year":1815},"first_name":"Ada","ssn_last_4":"1234"},"metadata":{"contact":"Ada Lovelace <ada2@x.example>","account_number":123456789},"created":1767600000,"balance":4900}`,
			"Ada|x.example|6641234567|555-1234|Herrengasse|8010|1815|123456789|1234", "cus_1|1767600000|4900|customer",
		},
		"github": {
			"issues",
			`{"number":42,"title":"Crash","user":{"login":"adalove","type":"User","id":1},"body":"cc grace@navy.example and @team","commit":{"author":{"name":"Ada Lovelace","email":"ada@x.example","date":"2026-01-05T09:00:00Z"}},"assignees":[{"login":"ghopper","type":"User"}],"repository":{"full_name":"acme/shop","owner":{"login":"acme","type":"Organization"}}}`,
			"adalove|ghopper|grace@navy|Lovelace", "42|Crash|acme/shop|2026-01-05T09:00:00Z|@team",
		},
		"hubspot": {
			"contacts",
			`{"id":"51","properties":{"firstname":"Ada","lastname":"Lovelace","email":"ada@x.example","mobilephone":"0664 123 4567","zip":"8010","address":"Herrengasse 1","date_of_birth":"1815-12-10","hs_object_id":"51"}}`,
			"Ada|Lovelace|x.example|0664|8010|Herrengasse|1815", "51|hs_object_id",
		},
		"zendesk": {
			"tickets",
			`{"ticket":{"id":7,"subject":"Refund","description":"Best, Ada Lovelace","via":{"source":{"from":{"address":"ada@x.example","name":"Ada Lovelace"}}},"requester_id":9},"users":[{"id":9,"name":"Ada Lovelace","email":"ada@x.example","phone":"+1 202 555 0143"}]}`,
			"Lovelace|x.example|555 0143", "Refund|requester_id|9",
		},
		"slack": {
			"users",
			`{"ok":true,"members":[{"id":"U1","name":"ada","real_name":"Ada Lovelace","profile":{"email":"ada@x.example","phone":"2025550143","display_name":"ada","first_name":"Ada"}}],"messages":[{"text":"<mailto:ada@x.example|ada@x.example> Ada Lovelace said hi"}]}`,
			"Lovelace|x.example|2025550143|\"Ada\"|\"ada\"", "U1|said hi",
		},
		"notion": {
			"users",
			`{"object":"list","results":[{"object":"user","id":"u-1","type":"person","person":{"email":"ada@x.example"},"name":"Ada Lovelace"},{"object":"page","properties":{"Phone":{"type":"phone_number","phone_number":"5551234567"},"Mail":{"type":"email","email":"a@x.example"}}}]}`,
			"Lovelace|x.example|5551234567", "u-1|person",
		},
		"calendar": {
			"events",
			`{"id":"e1","summary":"Call","creator":{"email":"ada@x.example","displayName":"Ada Lovelace"},"attendees":[{"email":"g@x.example","displayName":"Grace Hopper","responseStatus":"accepted"}],"description":"Grace Hopper dials +1-202-555-0143","start":{"dateTime":"2026-01-05T10:00:00+01:00"}}`,
			"Lovelace|Hopper|x.example|202-555", "Call|accepted|2026-01-05T10:00:00+01:00|e1",
		},
		"keys": {"", `{"ada@x.example":{"count":3},"by_phone":{"+436641234567":true}}`, "x.example|6641234567", "count|3"},
		"numbers": {
			"", `{"phone":436641234567,"phones":[{"number":2025550143}],"iban":"AT611904300234573201","ip":"203.0.113.9","total":436641234567,"card":{"number":4242424242424242,"cvc":"123"}}`,
			`"phone":436641234567|2025550143|AT61|203.0.113.9|4242424242`, `"total":436641234567`,
		},
		"marks":   {"users", `{"name":"<b>Ada</b>","email":"<ada@x.example>"}`, "Ada|ada@", ""},
		"no JSON": {"", "From: \"Ada Lovelace\" <ada@x.example>\nCard 4242 4242 4242 4242", "Lovelace|x.example|4242 4242 4242", "From:"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			kept := string(keeps(c.of).body(live.Reply{Body: []byte(c.body)}))
			for word := range strings.SplitSeq(c.gone, "|") {
				if strings.Contains(kept, word) {
					t.Errorf("%s stays: %s", word, kept)
				}
			}
			for word := range strings.SplitSeq(c.stays, "|") {
				if !strings.Contains(kept, word) {
					t.Errorf("%s is gone: %s", word, kept)
				}
			}
			if again := string(keeps(c.of).body(live.Reply{Body: []byte(kept)})); again != kept {
				t.Errorf("kept again it is\n%s, and was\n%s", again, kept)
			}
		})
	}
}

// What is kept can be put back while the process goes on, as it stood in JSON.
func TestDigestsArePutBackAsTheyWere(t *testing.T) {
	t.Parallel()
	k := keeps("users")
	const text = `{"email":"ada@x.example","name":"Ada \"the <first>\" \\ Lovelace","phone":"+43 664 1234567"}`
	kept := k.body(live.Reply{Body: []byte(text)})
	escaped := []byte(strings.NewReplacer("<", `\u003c`, ">", `\u003e`).Replace(string(kept)))
	for _, body := range [][]byte{kept, escaped} {
		if whole, lacking := k.behind.back(body, true); string(whole) != text || lacking != 0 {
			t.Errorf("%s is put back as %s", body, whole)
		}
	}
	if whole, lacking := new(behind).back(kept, true); string(whole) != string(kept) || lacking != 3 {
		t.Errorf("%d lack: %s", lacking, whole)
	}
}
