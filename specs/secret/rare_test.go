package secret

import (
	"bytes"
	"testing"

	"pgregory.net/rapid"
)

func TestContainsIsWhatBytesSay(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		letters := rapid.SliceOfN(rapid.SampledFrom([]byte("saZ_")), 0, 12)
		data, text := letters.Draw(t, "data"), letters.Draw(t, "text")
		if got, want := contains(data, string(text), rarest(string(text))), bytes.Contains(data, text); got != want {
			t.Errorf("%q in %q: %v, want %v", text, data, got, want)
		}
	})
}
