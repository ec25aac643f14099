package secret_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"parity/specs/secret"
)

// What reports are read for was hidden where its name is like that of a secret.
func TestWhatIsNoSecretStaysReadable(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		`{"customer":"cus_NffrFeUfNV2Hib","payment_intent":"pi_3MtwBwLkdIwHu7ix28a3tqPa","object":"customer"}`,
		`{"etag":"W/\"5f3c2a9b8d7e6f5a4b3c2d1e\"","sha":"7638417db6d59f3c431d3e1f261cc637155684cd"}`,
		`{"next_page_token":"CAESBmFiYzEyMw","nextPageToken":"EAAaHgoQ123","sync_token":"CPDAlvWDx70CEPDAlvWDx70C","cursor":"WyIyMDI0Il0","after":"NTI1Cg%3D%3D"}`,
		`{"idempotency_key":"9f1c7d3e-77aa-4e2b-b6a5-d3f0f1b2c3d4"}`,
		`{"tokens":123,"max_tokens":4096,"usage":{"prompt_tokens":1200,"completion_tokens":88,"total_tokens":1288,"cached_tokens":"1024"}}`,
		`{"tokens":{"prompt":12,"completion":3},"tokens_of":["the","elephant","remembers"]}`,
		`{"tokens":["the","elephant","remembers"],"secrets":2}`,
		`{"signature":"Best regards, Ada\nThe shop of 1815","verification":{"signature":null}}`,
		`{"secrets":[{"name":"DB_PASSWORD","created_at":"2024-01-02T03:04:05Z"}]}`,
		`{"properties":[{"name":"email","value":"ada@people.example"},{"key":"size","value":"XL1234567"}]}`,
		`{"sha256":"abc12345","oauth2":"yes","address_2":"Top floor","line1":"1 High St","Key":"color","Value":"red1234567"}`,
		`{"session_id":"cs_test_a1b2c3d4e5f6g7h8","token":"tok_visa","key":"SHOP-1234"}`,
		`{"cookie":true,"cookie_policy":"strict","secret_scanning":{"status":"enabled"},"password_updated_at":"2024-01-02"}`,
		`"mkdir -p build2024 && ssh -p 2222 host -u ada && git commit -b main -m 'x' --author ada"`,
		`"a token = a word, a cookie is a biscuit: -- and so on, max_tokens = 100"`,
		`"https://api.example/v1/things?page_token=abc12345&sort=key&limit=10"`,
		`"IDEMPOTENCY_KEY=order-1234 PRIMARY_KEY=id"`,
	} {
		var value any
		if err := json.Unmarshal([]byte(text), &value); err != nil {
			t.Fatal(text, err)
		}
		var list *secret.List
		if diff := cmp.Diff(value, list.Value(value, stars)); diff != "" {
			t.Errorf("as a value: %s", diff)
		}
		if got := list.Text(text, stars); got != text {
			t.Errorf("as a text: %s\nis %s", text, got)
		}
	}
	args := []string{"claude", "-p", "refund the last order", "agent", "-p", "8080", "-u", "ada", "--max-tokens", "100", "-b", "main", "mkdir", "-p", "a/b", "--tokenizer", "gpt2"}
	if diff := cmp.Diff(args, (*secret.List)(nil).Command(args, stars)); diff != "" {
		t.Errorf("as a command line: %s", diff)
	}
}

// What only an object tells to be a secret stood in the journal.
func TestSecretsThatTheirSurroundingsTell(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`{"name":"DB_PASSWORD","value":"hush"}`:                                      `{"name":"DB_PASSWORD","value":"***"}`,
		`{"key":"STRIPE_KEY","value":"hush"}`:                                        `{"key":"STRIPE_KEY","value":"***"}`,
		`[{"value":{"a":"hush"},"name":"X-Api-Key"}]`:                                `[{"value":{"a":"***"},"name":"X-Api-Key"}]`,
		`{"secrets":{"a":"hush","b":["hush"]},"secrets_n":1}`:                        `{"secrets":{"a":"***","b":["***"]},"secrets_n":1}`,
		`{"secrets":[{"name":"A","value":"hush"}]}`:                                  `{"secrets":[{"name":"A","value":"***"}]}`,
		`{"cookies":[{"name":"sid","value":"hush","domain":"x.example"}]}`:           `{"cookies":[{"name":"sid","value":"***","domain":"x.example"}]}`,
		`{"tokens":["9f8e7d6c5b4a"],"accessTokens":{"a":"9f8e7d6c5b4a"}}`:            `{"tokens":["***"],"accessTokens":{"a":"***"}}`,
		`{"sessionId":"9f8e7d6c5b4a","signature":"9f8e7d6c5b4a","set-cookie":"a=b"}`: `{"sessionId":"***","signature":"***","set-cookie":"***"}`,
		`{"password_1":"hush","SecretString":"hush","mnemonic":"hush hush"}`:         `{"password_1":"***","SecretString":"***","mnemonic":"***"}`,
		`{"Key":"DB_PASSWORD","Value":"hush"}`:                                       `{"Key":"DB_PASSWORD","Value":"***"}`,
		`{"ParameterKey":"DbPassword","ParameterValue":"hush"}`:                      `{"ParameterKey":"DbPassword","ParameterValue":"***"}`,
		`{"name":"db_password","val":"hush"}`:                                        `{"name":"db_password","val":"***"}`,
	} {
		var value any
		if err := json.Unmarshal([]byte(text), &value); err != nil {
			t.Fatal(text, err)
		}
		got, _ := json.Marshal((*secret.List)(nil).Value(value, stars))
		var g, w any
		_, _ = json.Unmarshal(got, &g), json.Unmarshal([]byte(want), &w)
		if diff := cmp.Diff(w, g); diff != "" {
			t.Errorf("%s: %s", text, diff)
		}
	}
}

// A message that quotes a key and cuts it kept half of it in the journal.
func TestWhatMessagesLeaveOfASecretIsHidden(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Invalid API Key provided: wrongkey*********Hq7t": "Invalid API Key provided: #",
		`"wrongkey1234…" is no number`:                    `"#" is no number`,
		"should be a number, instead was `wrongkey...`.":  "should be a number, instead was `#`.",
		"ends in ****Hq7t, or …, or *** or wro…":          "ends in #, or …, or *** or wro…",
		"wrongkey1234… and wrongkey***":                   "# and #",
	} {
		m := &secret.Met{Mark: func(_, _ string) string { return "#" }}
		m.Meet("", "wrongkey1234567890Hq7t")
		if in := m.In([]byte(text)); !in {
			t.Errorf("not found: %s", text)
		}
		if got := m.Hide(text, false); got != want {
			t.Errorf("%s\nis %s", text, got)
		}
	}
}

// A secret that is a word hid that word everywhere.
func TestACommonWordIsHiddenUnderItsNameAlone(t *testing.T) {
	t.Parallel()
	m := &secret.Met{Mark: func(_, _ string) string { return "#" }}
	m.Meet("token", "customer")
	if got := m.Hide(`{"token":"customer","object":"customer"}`, false); got != `{"token":"#","object":"customer"}` {
		t.Error(got)
	}
}
