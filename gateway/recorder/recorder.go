// Package recorder keeps what real services answered as conversations, in the form
// that fakes/recording reads: one file for each service and run.
//
//	a reply, redacted ──Take──▶ {"service": …, "exchanges": [ …, here ]}
//
// A file is whole after each reply: the next is written over its end.
package recorder

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"parity/fakes/clock"
	"parity/fakes/recording"
)

// end is how a file ends, and what the next reply is written over.
const end = "\n]}\n"

// A Recorder writes the conversations of one run.
type Recorder struct {
	run  string
	wall clock.Wall

	mu sync.Mutex
}

// New makes a Recorder for a run.
func New(run string, wall clock.Wall) *Recorder { return &Recorder{run: run, wall: wall} }

// File is where what a service answered in a run goes.
func File(folder, service, run string) string {
	return filepath.Join(folder, service+"-"+run+".json")
}

// Take adds what a service answered to its conversation in a folder.
func (r *Recorder) Take(folder, service, host string, x recording.Exchange) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return fmt.Errorf("the folder of what is recorded: %w", err)
	}
	f, err := os.OpenFile(File(folder, service, r.run), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return fmt.Errorf("what is recorded: %w", err)
	}
	return errors.Join(r.add(f, service, host, x), f.Close())
}

func (r *Recorder) add(f *os.File, service, host string, x recording.Exchange) error {
	one, err := json.Marshal(x)
	if err != nil {
		return err
	}
	info, err := f.Stat()
	if err != nil {
		return err
	}
	at, text := info.Size(), ",\n"+string(one)+end
	if at == 0 {
		if text, err = r.begin(service, host, string(one)); err != nil {
			return err
		}
	} else {
		at -= int64(len(end))
		last := make([]byte, len(end))
		if _, err := f.ReadAt(last, max(at, 0)); err != nil || string(last) != end {
			return fmt.Errorf("%s: %w", f.Name(), errTorn)
		}
	}
	_, err = f.WriteAt([]byte(text), at)
	return err
}

// errTorn is the error of a file that somebody else, or a crash, has cut.
var errTorn = errors.New("it does not end as it was written; move it away")

// begin is a conversation with its first exchange.
func (r *Recorder) begin(service, host, one string) (string, error) {
	head, err := json.Marshal(recording.Conversation{
		Source: "https://" + host, Service: service, Recorded: r.wall.Now().UTC().Format("2006-01-02"),
		Notes: []string{"Read through Parity in run " + r.run + "; kept without credentials."}, Exchanges: []recording.Exchange{},
	})
	if err != nil {
		return "", err
	}
	before, ok := strings.CutSuffix(string(head), "[]}")
	if !ok {
		return "", errors.New("a conversation does not end with its exchanges")
	}
	return before + "[\n" + one + end, nil
}

// Read reads what was recorded of a service in a run; it is empty where nothing
// was.
func Read(folder, service, run string) (recording.Conversation, error) {
	data, err := os.ReadFile(File(folder, service, run))
	if errors.Is(err, fs.ErrNotExist) {
		return recording.Conversation{}, nil
	}
	if err != nil {
		return recording.Conversation{}, err
	}
	return recording.Read(data)
}
