package gateway_test

import (
	"encoding/json"
	"strings"
	"testing"

	"parity/gateway/kept"
)

// A token in the name of a parameter, or in a part of a path that is written
// with percent signs, stood in the journal.
func TestSecretsInNamesOfParametersAndInWrittenPaths(t *testing.T) {
	t.Parallel()
	h := open(t, quiet)
	canary := "ghp_" + strings.Repeat("Ab1", 12)
	c := h.direct(false, false)
	for _, target := range []string{"/stripe/v1/customers?" + canary + "=1", "/stripe/v1/customers?" + canary, "/stripe/v1/nothing/Bearer%20" + canary, "/stripe/v1/customers/" + "%22" + canary} {
		if _, _, _, err := call(t, c, "GET", "http://"+h.Addr()+target, ""); err != nil {
			t.Fatalf("%s: %v", target, err)
		}
	}
	h.close()
	kept, err := kept.Read(h.root, h.Run.ID)
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(kept.Events)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(text), canary) || len(kept.Events) < 5 {
		t.Errorf("%d events have it: %s", len(kept.Events), text)
	}
}
