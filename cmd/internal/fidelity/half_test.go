package fidelity_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parity/cmd/internal/fidelity"
)

// Half of a surrogate pair in a recording became another character, in silence.
func TestARecordingWithHalfAPairIsRefused(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "seen.har")
	for text, want := range map[string]string{`a\ud83d`: `seen.har: line 2, column 103: there is \ud83d`, `a\ud83d\ude00`: "", `a\\ud83d`: ""} {
		har := "{\"log\":{\"entries\":[\n" + `{"request":{"method":"GET","url":"https://api.stripe.com/v1/charges","headers":[{"name":"X","value":"` + text + `"}]},"response":{"status":200,"content":{"text":"{}"}}}]}}`
		if err := os.WriteFile(file, []byte(har), 0o600); err != nil {
			t.Fatal(err)
		}
		var out strings.Builder
		_, err := fidelity.Measurement{Root: filepath.Join(dir, ".parity"), Recordings: []string{file}, Output: "text", All: true}.Print(&out)
		if told := "no error"; err != nil {
			told = err.Error()
			if want == "" || !strings.Contains(told, want) {
				t.Errorf("%s: %s", text, told)
			}
		} else if want != "" {
			t.Errorf("%s: %s, %s", text, told, out.String())
		}
	}
}
