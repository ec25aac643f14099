package rehearsal

import (
	"bytes"
	"strings"
	"testing"
)

// A secret that an agent wrote in two pieces, or that stood where what is kept
// begins, was kept in part.
func TestASecretThatIsCutIsNotKept(t *testing.T) {
	t.Parallel()
	const secret = "hunter2hunter2hunter2"
	for name, write := range map[string]func(t *Tail){
		"in two writes": func(t *Tail) {
			_, _ = t.Write([]byte("DB_PASSWORD=" + secret[:9]))
			_, _ = t.Write([]byte(secret[9:] + "\n"))
		},
		"where what is kept begins": func(t *Tail) {
			_, _ = t.Write([]byte("password=" + secret + secret + "\n"))
			_, _ = t.Write(bytes.Repeat([]byte("x"), mostSaid-len(secret)-1))
		},
		"after much": func(t *Tail) {
			for range 5 {
				_, _ = t.Write(bytes.Repeat([]byte("some words\n"), mostSaid/11))
			}
			_, _ = t.Write([]byte("password=" + secret + secret + "\n"))
			_, _ = t.Write(bytes.Repeat([]byte("x"), mostSaid-len(secret)-1))
		},
	} {
		var said Tail
		write(&said)
		if kept := said.Masked(); strings.Contains(kept, secret[len(secret)-8:]) || len(kept) < 10 || len(kept) > mostSaid+100 {
			t.Errorf("%s: %d bytes are kept: %.80q", name, len(kept), kept)
		}
	}
}
