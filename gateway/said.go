package gateway

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
)

// said is the file that has what the agent of a run wrote, where that is kept.
func (s *Server) said(run string) string { return filepath.Join(s.Dir(), run+".out") }

// keepSaid keeps what the agent of a run wrote, without what looks like a secret,
// beside the store.
func (s *Server) keepSaid(run, said string) error {
	if said == "" {
		return nil
	}
	return os.WriteFile(s.said(run), []byte(said), 0o600)
}

// tail keeps the last of what is written to it. Several may write at once.
type tail struct {
	mu   sync.Mutex
	kept []byte
	lost int
}

// mostSaid is how much of what an agent writes is kept.
const mostSaid = 64 << 10

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.kept = append(t.kept, p...)
	if over := len(t.kept) - mostSaid; over > mostSaid {
		t.kept, t.lost = bytes.Clone(t.kept[over:]), t.lost+over
	}
	return len(p), nil
}

func (t *tail) text() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	kept, lost := t.kept, t.lost
	if over := len(kept) - mostSaid; over > 0 {
		kept, lost = kept[over:], lost+over
	}
	if lost == 0 {
		return string(kept)
	}
	return fmt.Sprintf("[%d bytes before this are not kept]\n", lost) + strings.ToValidUTF8(string(kept), "")
}
