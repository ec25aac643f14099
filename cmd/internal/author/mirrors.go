package author

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"parity/cmd/internal/output"
	"parity/fakes"
	"parity/fakes/builtin"
	"parity/fakes/clock"
	"parity/fakes/fixture"
	"parity/profiles"
	"parity/specs/words"
)

// mirrorStatus is what there is to say of a mirror.
type mirrorStatus struct {
	fixture.Mirrored
	Of    string `json:"of,omitempty"` // the profile that names it
	From  string `json:"from,omitempty"`
	Age   string `json:"age,omitempty"`
	Wrong string `json:"wrong,omitempty"` // why no world is made of it
}

// MirrorStatus says of the mirrors that profiles, folders and files have how old they
// are, from where, and what a world has of them.
func MirrorStatus(w io.Writer, names []string, form string) error {
	if err := output.TextOrJSON(form); err != nil {
		return err
	}
	catalogue, err := builtin.Catalogue()
	if err != nil {
		return err
	}
	s := &statuses{catalogue: catalogue, now: clock.System{}.Now(), all: []mirrorStatus{}}
	for _, name := range names {
		if err := s.read(name); err != nil {
			return err
		}
	}
	if form == "json" {
		e := json.NewEncoder(w)
		e.SetIndent("", "  ")
		return e.Encode(s.all)
	}
	if len(s.all) == 0 {
		_, err = fmt.Fprintln(w, "no mirror, and no recording")
	}
	for i := range s.all {
		if _, failed := io.WriteString(w, s.all[i].text()); err == nil {
			err = failed
		}
	}
	return err
}

type statuses struct {
	catalogue *fakes.Catalogue
	now       time.Time
	all       []mirrorStatus
}

// read adds the mirrors of a folder, a file, or a profile.
func (s *statuses) read(name string) error {
	info, err := os.Stat(name)
	switch {
	case err == nil && info.IsDir():
		names, err := jsonFiles(name)
		for _, one := range names {
			if err == nil {
				err = s.file(one, false)
			}
		}
		return err
	case err == nil && isJSON(name):
		return s.file(name, true)
	}
	p, err := profiles.Load(name, profiles.Options{Catalogue: s.catalogue})
	if err != nil {
		return err
	}
	return s.add(name, p.Catalogue, p.Start.Files)
}

// file adds what a file has; must tells that it has to be a mirror or a recording.
func (s *statuses) file(name string, must bool) error {
	content, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	f := fixture.File{Name: filepath.ToSlash(name), Content: string(content)}
	if _, is, _ := fixture.Conversation(f); !is && must {
		return fmt.Errorf("%s is neither a mirror nor a recording: it has no exchanges", name)
	}
	return s.add("", s.catalogue, []fixture.File{f})
}

// add adds those of some files that are conversations, each with what a world of its
// own has of it.
func (s *statuses) add(profile string, catalogue *fakes.Catalogue, files []fixture.File) error {
	base, err := catalogue.World()
	if err != nil {
		return err
	}
	for _, f := range files {
		c, is, err := fixture.Conversation(f)
		if !is {
			continue
		}
		one := mirrorStatus{Of: profile, Mirrored: fixture.Mirrored{File: f.Name, Service: cmp.Or(f.Service, c.Service), Head: c.Mirror}, From: c.Source}
		one.At, _ = c.At()
		made := fixture.Result{}
		if _, known := catalogue.Service(one.Service); err == nil && !known {
			err = fmt.Errorf("%s does not ship: name the profile that plays it", one.Service)
		}
		if err == nil {
			made, err = fixture.Make(base, catalogue, fixture.Spec{Files: []fixture.File{f}, Seed: new(uint64)}, 0, s.now)
		}
		if err != nil {
			one.Wrong = err.Error()
		} else if len(made.Mirrors) > 0 {
			one.Mirrored = made.Mirrors[0]
		}
		if c.Mirror != nil {
			one.From = c.Mirror.From
		}
		if !one.At.IsZero() && s.now.After(one.At) {
			one.Age = profiles.ShowAge(s.now.Sub(one.At))
		}
		s.all = append(s.all, one)
	}
	return nil
}

// text is a status for people.
func (m *mirrorStatus) text() string {
	var t strings.Builder
	line := func(label, text string) {
		if text != "" {
			fmt.Fprintf(&t, "  %-9s %s\n", label, text)
		}
	}
	fmt.Fprintf(&t, "%s: %s", m.File, m.Service)
	switch {
	case m.Age != "":
		fmt.Fprintf(&t, ", %s old", m.Age)
	case m.At.IsZero():
		t.WriteString(", of an age that it does not say")
	}
	t.WriteString("\n")
	if !m.At.IsZero() {
		line("as of", m.At.UTC().Format("2006-01-02 15:04")+" UTC")
	}
	line("from", m.From)
	if h := m.Head; h != nil {
		line("sampled", h.Sampled)
		line("redacted", strings.Join(h.Redacted, ", "))
		line("ended", h.Partial)
	} else {
		line("recorded", "while it was read; it has what was asked for")
	}
	if m.Wrong != "" {
		line("no world", m.Wrong)
		return t.String()
	}
	line("records", counted(m.Records))
	line("made up", counted(m.Invented))
	line("missing", counted(m.Missing))
	if m.Left > 0 {
		line("left out", words.Count(m.Left, "exchange")+" of "+fmt.Sprint(m.Left+m.Reads)+": no read that went well, or none that the contract has")
	}
	return t.String()
}

// counted lists numbers of records by collection.
func counted(by map[string]int) string {
	var all []string
	for _, name := range slices.Sorted(maps.Keys(by)) {
		all = append(all, fmt.Sprintf("%d %s", by[name], name))
	}
	return strings.Join(all, ", ")
}
