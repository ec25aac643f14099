package rehearsal

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"

	"parity/gateway"
	"parity/gateway/kept"
	"parity/gateway/report"
)

// KeepOutput keeps what the agent of a run wrote beside the store.
func KeepOutput(srv *gateway.Server, run, said string) error {
	if said == "" {
		return nil
	}
	return os.WriteFile(kept.OutputFile(srv.Dir(), run), []byte(said), 0o600)
}

// mostRead is how much of what an agent wrote last is read for what it says.
const mostRead = 4 << 10

// LastLines are the last whole lines of what an agent wrote.
func LastLines(said string) string {
	if len(said) <= mostRead {
		return said
	}
	said = said[len(said)-mostRead:]
	if _, rest, ok := strings.Cut(said, "\n"); ok && rest != "" {
		return rest
	}
	return strings.ToValidUTF8(said, "")
}

// Tail keeps the last of what is written to it. Several may write at once.
type Tail struct {
	mu   sync.Mutex
	kept []byte
	lost int
}

// mostSaid is how much of what an agent writes is kept, and before how much more
// of it secrets are looked for: one may begin there.
const (
	mostSaid   = 64 << 10
	lookedBack = 16 << 10
)

func (t *Tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.kept = append(t.kept, p...)
	if over := len(t.kept) - mostSaid - lookedBack; over > mostSaid {
		t.kept, t.lost = bytes.Clone(t.kept[over:]), t.lost+over
	}
	return len(p), nil
}

// Masked is what is kept, without what looks like a secret: it is looked for
// before anything is cut off, or half of one would stay.
func (t *Tail) Masked() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	kept, lost := report.Masked(string(t.kept)), t.lost
	if over := len(kept) - mostSaid; over > 0 {
		kept, lost = kept[over:], lost+over
	}
	if lost == 0 {
		return kept
	}
	return fmt.Sprintf("[%d bytes before this are not kept]\n", lost) + strings.ToValidUTF8(kept, "")
}

// tee shows what is written to it, and keeps the last of it.
type tee struct {
	shown io.Writer
	said  *Tail
}

func (w *tee) Write(p []byte) (int, error) {
	_, _ = w.said.Write(p) // never fails
	return w.shown.Write(p)
}

// beside gives writers in the place of two, which write there as well.
func (t *Tail) beside(stdout, stderr io.Writer) (io.Writer, io.Writer) {
	over := func(w io.Writer) io.Writer {
		if w == nil {
			return t
		}
		return &tee{w, t}
	}
	out := over(stdout)
	if stdout == stderr { // one pipe, so that nobody writes there while another does
		return out, out
	}
	return out, over(stderr)
}
