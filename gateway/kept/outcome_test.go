package kept

import (
	"fmt"
	"strings"
	"testing"
)

// The whole command line stood in the journal, keys and all.
func TestCommandLinesAreKeptWithoutSecrets(t *testing.T) {
	t.Parallel()
	kept, err := Outcome{Command: []string{"env", "API_TOKEN=canary1", "agent", "--api-key", "canary2", "https://me:canary3@x.example"}, Flags: []string{"--report", "sarif=https://x.example/?token=canary4"}}.Meta()
	if text := fmt.Sprint(kept); err != nil || strings.Contains(text, "canary") || !strings.Contains(text, "API_TOKEN=***") {
		t.Errorf("%v %s", err, text)
	}
}
