// Package mirrors takes copies of parts of real services, for worlds that agents are
// rehearsed in.
//
//	parity mirror import ─▶ Import: reads a recording, samples, or the service itself
//	                          │   gateway/mirror: sample, redact
//	                          ▼
//	                        mirrors/zendesk.json, and what was taken, left out, replaced
package mirrors

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"parity/fakes"
	"parity/fakes/builtin"
	"parity/fakes/clock"
	"parity/fakes/recording"
	"parity/gateway/live"
	"parity/gateway/mirror"
	"parity/profiles"
	"parity/specs"
	"parity/specs/class"
	"parity/specs/file"
	"parity/specs/words"
)

// An Import says what a mirror is made of, and where it goes.
type Import struct {
	Service  string
	Contract string // the service's document, where it does not ship and no profile has it
	Profile  string
	From     []string // recordings, or folders of samples; none: the service itself
	Real              // how that is reached
	Share    string   // of the records of each collection, as 5%
	Most     int
	Keys     string // a file with the key of the pseudonyms; "": one that nobody keeps
	Out      string
	Force    bool // write over a file
	Partial  bool // write what there is where the service fails
	Getenv   func(string) string
	Wall     clock.Wall
}

// errNothing is the error of a mirror with nothing in it.
var errNothing = errors.New("nothing of it can be in a mirror")

// Run makes the mirror, and says what came of it. Nothing is written where it
// fails.
func (i Import) Run(ctx context.Context, w io.Writer) error {
	share, err := shareOf(i.Share)
	if err != nil {
		return err
	}
	if _, err := os.Lstat(i.Out); err == nil && !i.Force {
		return fmt.Errorf("%s is there already: say --force to write over it, or another file with -o", i.Out)
	}
	service, upstream, err := i.service()
	if err != nil {
		return err
	}
	keys, err := i.keys()
	if err != nil {
		return err
	}
	s := mirror.Sampling{Key: keys, Share: share, Most: i.Most}
	t := &taken{sampled: sampledAs(share, i.Most)}
	if len(i.From) > 0 {
		err = i.recorded(t, service, s)
	} else {
		err = i.upstream(ctx, t, service, upstream, s)
	}
	if err != nil {
		return err
	}
	if len(t.all) == 0 {
		return fmt.Errorf("%w%s", errNothing, t.why())
	}
	return i.write(w, t, service, keys)
}

// shareOf reads a share, as 5%.
func shareOf(text string) (float64, error) {
	n, err := strconv.ParseFloat(strings.TrimSuffix(text, "%"), 64)
	if err != nil || !strings.HasSuffix(text, "%") || n <= 0 || n > 100 {
		return 0, fmt.Errorf("--sample %s: say a share above 0%% and up to 100%%, such as 5%%", text)
	}
	return n / 100, nil
}

func sampledAs(share float64, most int) string {
	text := "all"
	if share < 1 {
		text = strconv.FormatFloat(share*100, 'f', -1, 64) + "% of each collection"
	}
	if most > 0 {
		text += ", at most " + words.Count(most, "record")
	}
	if share < 1 || most > 0 {
		text += ", and what they refer to"
	}
	return text
}

// service finds the service, and how it is reached where a profile says so.
func (i Import) service() (fakes.Service, *profiles.Upstream, error) {
	catalogue, err := builtin.Catalogue()
	if err != nil {
		return fakes.Service{}, nil, err
	}
	var upstream *profiles.Upstream
	if i.Profile != "" {
		p, err := profiles.Load(i.Profile, profiles.Options{Catalogue: catalogue})
		if err != nil {
			return fakes.Service{}, nil, err
		}
		catalogue = p.Catalogue
		if u := p.Upstreams[i.Service]; u != nil {
			own := *u
			own.File, own.Roots = p.From(u.File), p.From(u.Roots)
			upstream = &own
		}
	}
	service, known := catalogue.Service(i.Service)
	if i.Contract != "" {
		if known {
			return fakes.Service{}, nil, fmt.Errorf("%s has a contract already: leave --contract out, or choose another name", i.Service)
		}
		contract, _, err := specs.Load(os.DirFS(filepath.Dir(i.Contract)), filepath.Base(i.Contract), i.Service)
		if err != nil {
			return fakes.Service{}, nil, err
		}
		service, known = fakes.Service{Name: i.Service, Hosts: contract.Hosts, Contract: contract}, true
	}
	if !known {
		return fakes.Service{}, nil, fmt.Errorf("there is no service %s: `parity services list` has those that ship, --contract FILE or --profile FILE bring another", i.Service)
	}
	for _, host := range i.Hosts {
		if name := withoutPort(host); !slices.Contains(service.Hosts, name) {
			service.Hosts = append(slices.Clone(service.Hosts), name)
		}
	}
	return service, upstream, nil
}

// leastKey is how many bytes the key of pseudonyms has at least.
const leastKey = 16

// keys gives the key of the pseudonyms. It is written nowhere.
func (i Import) keys() ([]byte, error) {
	if i.Keys == "" {
		key := make([]byte, 2*leastKey)
		_, err := rand.Read(key)
		return key, err
	}
	info, err := os.Stat(i.Keys)
	switch {
	case err != nil:
		return nil, fmt.Errorf("--key-file: %w; make one with: (umask 077; head -c 32 /dev/urandom > %s)", err, i.Keys)
	case info.Mode().Perm()&0o077 != 0:
		return nil, fmt.Errorf("--key-file: %s %w", i.Keys, live.ErrExposed)
	}
	key, err := file.Read(i.Keys, 64<<10)
	if err == nil && len(bytes.TrimSpace(key)) < leastKey {
		err = fmt.Errorf("%s has fewer than %d bytes; make one with: (umask 077; head -c 32 /dev/urandom > %s)", i.Keys, leastKey, i.Keys)
	}
	return key, err
}

// taken is what was taken of a service.
type taken struct {
	from    string
	host    string
	at      time.Time
	all     []mirror.Exchange
	left    mirror.Left
	calls   uint64
	hide    func(string) string
	sampled string
	partial string
	others  map[string]int // exchanges of other services, by host
}

// take adds the exchanges of a recording.
func (t *taken) take(all []recording.Exchange, service fakes.Service, s mirror.Sampling) {
	about := live.About(service.Name, service.Contract)
	reads := func(e recording.Exchange) bool {
		r := request(e)
		if about.Reads(r) {
			return true
		}
		// What was sent long ago need not be safe to send: the contract's word is enough.
		m := service.Contract.Match(r.Method, r.Path)
		return m.Operation != nil && !m.Operation.IssuesTokens() && class.Of(m.Operation, m.Operation.Effect).Class == class.Read
	}
	var left mirror.Left
	t.all, t.left = mirror.Take(all, service.Contract, reads)
	t.all, left = mirror.Sample(t.all, service.Contract, s)
	for why, n := range left {
		t.left[why] += n
	}
	for _, e := range t.all {
		if at := e.Response.At(); at.After(t.at) {
			t.at = at
		}
	}
}

// write writes the mirror, and says what came of it.
func (i Import) write(w io.Writer, t *taken, service fakes.Service, keys []byte) error {
	clean, replaced := mirror.Redaction{Key: keys, Contract: service.Contract, Hide: t.hide}.Redact(t.all)
	counts, records := mirror.Counts(t.all)
	now := i.Wall.Now().UTC().Truncate(time.Second)
	if t.at.IsZero() {
		t.at = now
	}
	head := &recording.Mirror{From: t.from, At: t.at.UTC(), Imported: now, Sampled: t.sampled, Redacted: kinds(replaced), Records: records, Partial: t.partial}
	c := recording.Conversation{
		Source: "https://" + t.host, Service: service.Name, Recorded: t.at.UTC().Format("2006-01-02"),
		Notes:  []string{"Reads alone. What is of people has pseudonyms, equal for equal values; credentials have marks."},
		Mirror: head, Exchanges: clean,
	}
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	if err := e.Encode(c); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(i.Out), 0o700); err != nil {
		return err
	}
	if err := file.WriteWhole(i.Out, out.Bytes()); err != nil {
		return err
	}
	return t.tell(w, i.Out, cmp.Or(service.Name, i.Service), head, counts, replaced)
}
