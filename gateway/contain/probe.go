package contain

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"slices"
	"sync"
	"time"
)

// A Prober tries to get out. It is asked once, where the agent will be:
//
//	Outside ─▶ Probing ──▶ Box.Probe, or ProbeHere ──▶ a Probe for each way out
//	           what is there to be reached, and how
//	           an answer of this gateway is known
//
// A Probing says what to try. It is made outside, where what is not to be reached
// can be seen.
type Probing struct {
	Token string `json:"token"` // of the run: an answer that is signed with it is this gateway's
	Nonce string `json:"nonce"`
	Level Level  `json:"level"` // "": whole
	Wait  int    `json:"wait"`  // milliseconds that each try may take

	Allowed   []string  `json:"allowed,omitempty"`   // variables that the agent is to have, whatever they hold
	Writable  []string  `json:"writable,omitempty"`  // what it may write to
	Abstract  []string  `json:"abstract,omitempty"`  // abstract sockets that are bound outside, without their @
	Sockets   []string  `json:"sockets,omitempty"`   // files of sockets that are
	Secrets   []string  `json:"secrets,omitempty"`   // files and folders that hold secrets
	Folders   []Folder  `json:"folders,omitempty"`   // that are not to be written to
	Processes []Process `json:"processes,omitempty"` // outside, the gateway's first

	Last string `json:"last,omitempty"` // an address that is dialled when all is done: what was seen of the probes ends there
}

// Folder is a folder as it is outside.
type Folder struct {
	Path   string `json:"path"`
	Device uint64 `json:"device"` // 0: not known, and then whatever is no private file system is outside
}

// Process is a process as it is outside.
type Process struct {
	ID    int    `json:"id"`
	Began string `json:"began"` // which one of that number it is; "": not known
	What  string `json:"what"`  // in words: the gateway
}

// How long a try may take: what is contained is answered at once.
const (
	waitInside  = 500 * time.Millisecond
	waitOutside = 1500 * time.Millisecond
)

// Outside lists, for a containment that is opened with these options by this
// process, what is not to be reached from inside. Token is the run's; allowed are
// the variables that the agent is to have.
func Outside(o Options, token string, allowed []string) Probing {
	p := Probing{
		Token: token, Nonce: rand.Text(), Level: o.Level, Wait: int(waitInside.Milliseconds()), Allowed: allowed,
		Writable: o.Files.Write, Last: marker(),
	}
	p.list()
	return p
}

// Here is what is tried where this process stands, of which nobody outside can say
// what is there.
func Here(token string, allowed []string) Probing {
	p := Probing{Token: token, Nonce: rand.Text(), Wait: int(waitOutside.Milliseconds()), Allowed: allowed}
	if dir, err := os.Getwd(); err == nil {
		p.Writable = append(p.Writable, dir)
	}
	p.listHere()
	return p
}

// ProbeHere tries to get out from where this process stands.
func ProbeHere(ctx context.Context, p Probing) []Probe { return tried(ctx, p) }

// ProbePath is where a gateway answers a probe, whatever host it names and by
// whatever way in, with what Sign gives for the header ProbeHeader. A request
// without that header is a service's.
const (
	ProbePath   = "/.well-known/parity-probe"
	ProbeHeader = "Parity-Probe"
)

// Sign is the answer to a nonce of whoever has a run's token.
func Sign(token, nonce string) string {
	mac := hmac.New(sha256.New, []byte(token))
	fmt.Fprintf(mac, "parity probe\n%s", nonce)
	return hex.EncodeToString(mac.Sum(nil))
}

// An escape is one probe: what came of it, and whether it was done at all.
type escape struct {
	name  string
	whole bool // it is about files and processes, which the level network leaves as they are
	do    func(ctx context.Context, p *Probing) (out bool, said string)
}

// tried does what there is to do, side by side, and tells of it in a fixed order.
func tried(ctx context.Context, p Probing) []Probe {
	tries := slices.DeleteFunc(append(networkTries(), localTries()...), func(t escape) bool { return t.whole && p.Level == Network })
	found := make([]Probe, len(tries))
	var all sync.WaitGroup
	for i, t := range tries {
		all.Go(func() {
			ctx, end := context.WithTimeout(ctx, time.Duration(p.Wait)*time.Millisecond)
			defer end()
			found[i].Name = t.name
			found[i].Out, found[i].Said = t.do(ctx, &p)
		})
	}
	all.Wait()
	p.end(ctx)
	return found
}

// Out are those of the probes that got out.
func Out(probes []Probe) []Probe {
	return slices.DeleteFunc(slices.Clone(probes), func(p Probe) bool { return !p.Out })
}
