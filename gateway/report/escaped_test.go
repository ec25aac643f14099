package report

import (
	"encoding/json"
	"strings"
	"testing"
)

// What stands before a secret is an escape in JSON: & is \u0026 there, and a
// new line \n.
func TestSecretShowsBehindAnEscape(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"a=1&client_secret=hush0hush0hush", "a=1&password=hush0hush0hush", "key:\nsk_test_hush0hush0hush", "\twhsec_hush0hush0hush",
		"<Bearer hush0hush0hush>", "\nghp_hush0hush0hush", "&sk-ant-hush0hush0hush", "\neyJhush0.hush0.hush0",
	} {
		data, err := json.Marshal(map[string]string{"body": text})
		if err != nil {
			t.Fatal(err)
		}
		said := newMasker().mask(string(data))
		if strings.Contains(said, "hush0") || !json.Valid([]byte(said)) {
			t.Errorf("%s is shown as %s", data, said)
		}
	}
}
