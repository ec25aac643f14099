// Package recordings reads what was recorded of services, whoever recorded it.
//
//	a HAR file            of a browser, a proxy, a vendor's tool ┐
//	conversations         as fakes/recording has them            │    exchanges, each with its
//	events, one a line    as parity trace -o json writes them    ├──▶ service and operation
//	a run that is kept                                           │    what else was recorded: counted, by host
//	a folder of those                                            ┘    credentials that it shows: to be hidden
//
// What is missing or odd in a file is left out; what is for no service that is
// played, or had no reply, is counted.
package recordings

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"parity/fakes"
	"parity/fakes/recording"
	"parity/faults/trail"
	"parity/gateway/fidelity"
	"parity/gateway/kept"
	"parity/specs/secret"
)

// Recordings are what was read so far.
type Recordings struct {
	All    []fidelity.Recording
	Others map[string]int // exchanges that no service here can have had, by host
	Shown  []string       // credentials that were recorded, and other secrets of which what is written would tell

	root      string
	catalogue *fakes.Catalogue
}

// New has nothing read yet: root is where runs are kept, and the catalogue has
// the services whose calls are looked for.
func New(root string, catalogue *fakes.Catalogue) *Recordings {
	return &Recordings{root: root, catalogue: catalogue, Others: map[string]int{}}
}

// Read adds a recording: a file, a folder, or the name of a run that is kept.
func (r *Recordings) Read(name string) error {
	info, err := os.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist) && filepath.Ext(name) == "" && !strings.ContainsRune(name, filepath.Separator):
		return r.run(name)
	case err != nil:
		return err
	case info.IsDir():
		return r.folder(name)
	}
	return r.file(name)
}

func (r *Recordings) folder(name string) error {
	read := 0
	err := filepath.WalkDir(name, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !slices.Contains([]string{".har", ".json", ".jsonl"}, strings.ToLower(filepath.Ext(path))) {
			return err
		}
		read++
		return r.file(path)
	})
	if err == nil && read == 0 {
		return fmt.Errorf("%s has no recording in it: no .har, .json or .jsonl file", name)
	}
	return err
}

func (r *Recordings) file(name string) error {
	content, err := readRecording(name)
	if err != nil {
		return err
	}
	var kind struct {
		Log       json.RawMessage
		Exchanges json.RawMessage
		Seq       json.RawMessage
	}
	first, rest, lines := bytes.Cut(bytes.TrimSpace(content), []byte("\n"))
	if lines && json.Unmarshal(first, &kind) == nil && len(kind.Seq) > 0 || len(rest) == 0 && json.Unmarshal(content, &kind) == nil && len(kind.Seq) > 0 {
		return r.lines(name, content)
	}
	if err := json.Unmarshal(content, &kind); err != nil {
		return unreadable(name, "recording", content, err)
	}
	if len(kind.Exchanges) > 0 {
		return r.conversation(name, content)
	}
	if len(kind.Log) == 0 {
		return fmt.Errorf("%s is no recording: it has neither log.entries, as a HAR file has, nor exchanges, nor an event a line, as parity trace -o json writes them", name)
	}
	seen, others, err := readHAR(name, content, r.catalogue)
	if err != nil {
		return err
	}
	for host, n := range others {
		r.Others[host] += n
	}
	r.add(name, seen, false)
	return nil
}

func (r *Recordings) conversation(name string, content []byte) error {
	seen, others, flattened, err := readConversation(name, "", content, r.catalogue)
	if err != nil {
		return err
	}
	for host, n := range others {
		r.Others[host] += n
	}
	r.add(name, seen, flattened)
	return nil
}

// ReadConversation reads the exchanges of a conversation with a service, by the name
// that the catalogue has for it, with operations that there are, and counts the others.
func ReadConversation(name, service string, content []byte, catalogue *fakes.Catalogue) (seen []Observed, others int, err error) {
	all, strangers, _, err := readConversation(name, service, content, catalogue)
	for _, n := range strangers {
		others += n
	}
	for _, o := range all {
		if o.Match.Operation == nil {
			others++
			continue
		}
		seen = append(seen, o)
	}
	return seen, others, err
}

func readConversation(name, service string, content []byte, catalogue *fakes.Catalogue) (seen []Observed, others map[string]int, flattened bool, err error) {
	c, err := recording.Read(content)
	if err != nil {
		return nil, nil, false, fmt.Errorf("%s: %w", name, err)
	}
	c, others = c.Plain(), map[string]int{} // placeholders are what record wrote
	for _, e := range c.Exchanges {
		o := Observed{Exchange: e}
		if e.Response.Status < 100 || !o.locate(catalogue) && !o.of(cmp.Or(service, c.Service), catalogue) {
			others[hostIn(e.Request.URL)]++
			continue
		}
		seen = append(seen, o)
	}
	return seen, others, c.Grade == "B", nil
}

// event is what of an event, as parity trace -o json writes it, is used.
type event struct {
	Kind     trail.Kind
	Exchange *struct {
		trail.Exchange
		Body      json.RawMessage `json:"body"`
		ReplyBody json.RawMessage `json:"reply_body"`
		FakeBody  json.RawMessage `json:"fake_body"`
	}
}

func (r *Recordings) lines(name string, content []byte) error {
	var seen []Observed
	scan := bufio.NewScanner(bytes.NewReader(content))
	scan.Buffer(nil, mostHAR)
	for n := 1; scan.Scan(); n++ {
		if len(bytes.TrimSpace(scan.Bytes())) == 0 {
			continue
		}
		var e event
		if err := json.Unmarshal(scan.Bytes(), &e); err != nil {
			return fmt.Errorf("line %d: %w", n, unreadable(name, "record of events", scan.Bytes(), err))
		}
		if e.Kind != trail.Exchanged || e.Exchange == nil {
			continue
		}
		x := e.Exchange.Exchange
		x.Body, x.ReplyBody, x.FakeBody = unquoted(e.Exchange.Body), unquoted(e.Exchange.ReplyBody), unquoted(e.Exchange.FakeBody)
		o, ok := ofExchange(&x, r.catalogue)
		if !ok {
			r.Others[cmp.Or(x.Host, "no host")]++
			continue
		}
		seen = append(seen, o)
	}
	r.add(name, seen, false)
	return scan.Err()
}

// unquoted gives the text of a body that was written as one; JSON stays as it is.
func unquoted(body json.RawMessage) []byte {
	var text string
	if json.Unmarshal(body, &text) == nil {
		return []byte(text)
	}
	return body
}

func (r *Recordings) run(name string) error {
	k, err := kept.Read(r.root, name)
	if err == nil {
		err = k.Unread
	}
	if err != nil {
		return err
	}
	r.add(k.ID, OfRun(k), false)
	return nil
}

func (r *Recordings) add(name string, seen []Observed, flattened bool) {
	var none *secret.List
	one := fidelity.Recording{Name: filepath.Base(name), Flattened: flattened}
	for _, o := range seen {
		if at, err := url.Parse(o.Request.URL); err == nil && o.Match.Operation == nil { // else its contract tells, and says {id}
			for i, parts := 0, strings.Split(at.EscapedPath(), "/"); i < len(parts); i++ {
				if none.Follows(parts, i) {
					r.Shown = append(r.Shown, parts[i])
				}
			}
		}
		for header, value := range o.Request.Header {
			if secretHeader(header) {
				r.Shown = append(r.Shown, value)
			}
		}
		one.Exchanges = append(one.Exchanges, fidelity.Exchange{Exchange: o.Exchange, Service: o.Service, Operation: o.Match.Operation, Took: o.Took})
	}
	if len(seen) > 0 {
		r.All = append(r.All, one)
	}
}

// secretHeader tells whether a header of a request shows who calls.
func secretHeader(name string) bool {
	name = strings.ToLower(name)
	return name == "authorization" || name == "cookie" || strings.Contains(name, "token") || strings.Contains(name, "api-key") || strings.Contains(name, "secret")
}
