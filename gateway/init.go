package gateway

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"parity/fakes/builtin"
	"parity/fakes/fixture"
	"parity/gateway/journal"
	"parity/gateway/report"
	"parity/specs"
	"parity/specs/words"
)

// Setup is what a project is to have so that its agent is rehearsed from now on.
type Setup struct {
	Rehearsal          // of the agent, where it has a command: what is called then is what the profile is about
	Dir       string   // where files are written
	CI        string   // github, gitlab or none
	Services  []string // those of a profile that is begun from no run
}

// The files of a project.
const (
	projectProfile = "parity.yaml"
	githubFile     = ".github/workflows/parity.yml"
	gitlabFile     = ".gitlab-ci.yml"
)

// Init writes a profile, the records that its runs begin with, and a file for
// continuous integration, from a run: that of the command, else the last. It
// writes all of them or none, and over no file. The code is what the process is
// to end with, where the agent could not be started.
func Init(ctx context.Context, w io.Writer, s Setup) (code int, err error) {
	if err := s.check(); err != nil {
		return 0, &UsageError{err}
	}
	run := "last"
	if len(s.Command) > 0 {
		srv, code, err := s.Rehearsal.run(ctx)
		if err != nil || srv == nil {
			return code, err
		}
		if _, err := conclude(context.WithoutCancel(ctx), srv, s.Rehearsal); err != nil {
			return 0, err
		}
		run = srv.Run.ID
		fmt.Fprintln(w)
	}
	catalogue, err := builtin.Catalogue()
	if err != nil {
		return 0, err
	}
	b := &starter{name: "rehearsal", file: projectProfile, catalogue: catalogue, files: map[string]string{}}
	if b.services = slices.Compact(slices.Sorted(slices.Values(s.Services))); len(s.Services) == 0 {
		if err := b.see(w, Starting{Root: s.Root, From: run}); err != nil {
			return 0, &UsageError{fmt.Errorf("%w; or name the services: parity init --service stripe --service slack", err)}
		}
		b.inForce()
	}
	b.suggest()
	slices.SortStableFunc(b.rules, func(x, y string) int {
		return strings.Count(x, suggested) - strings.Count(y, suggested) // those in force first
	})
	if err := b.furnish(); err != nil {
		return 0, err
	}
	return 0, s.write(w, b)
}

// check refuses what cannot be done before the agent is run.
func (s *Setup) check() error {
	if s.CI != "github" && s.CI != "gitlab" && s.CI != "none" {
		return fmt.Errorf("--ci %q: say github, gitlab or none", s.CI)
	}
	if err := s.free(slices.Values([]string{projectProfile, s.ciFile()})); err != nil {
		return err
	}
	if len(s.Services) > 0 && len(s.Command) > 0 {
		return errors.New("--service is for a profile that is begun without a run: leave it out, and the agent's calls say which services there are; or leave out the command")
	}
	catalogue, err := builtin.Catalogue()
	if err != nil {
		return err
	}
	for _, name := range s.Services {
		if _, ships := catalogue.Service(name); !ships {
			return fmt.Errorf("--service %q: `parity services list` has those that ship; one of your own has its contract in the profile", name)
		}
	}
	if len(s.Services) > 0 || len(s.Command) > 0 {
		return nil
	}
	if _, err := journal.Last(s.withDefaults().runs()); errors.Is(err, fs.ErrNotExist) {
		return errors.New("there is no run to begin from. Either run the agent: parity init -- python agent.py\nor name the services that it calls: parity init --service stripe --service slack")
	}
	return nil
}

// free refuses to write over files, and names them.
func (s *Setup) free(names iter.Seq[string]) error {
	var taken []string
	for name := range names {
		path := filepath.Join(s.Dir, filepath.FromSlash(name))
		if _, err := os.Lstat(path); name != "" && !errors.Is(err, fs.ErrNotExist) {
			taken = append(taken, path)
		}
	}
	if len(taken) == 0 {
		return nil
	}
	return fmt.Errorf("%s: there already, and nothing is written over. Move what is there, or choose another --dir; --ci none leaves out the file for CI", words.And(taken))
}

// ciFile is where the file for continuous integration goes; "": there is none.
func (s *Setup) ciFile() string {
	return map[string]string{"github": githubFile, "gitlab": gitlabFile}[s.CI]
}

// inForce chooses whose reply is lost from the first run on: the first call that
// cannot be undone, else the first that writes. Only one is: an agent that gives
// up there never comes to the next.
func (b *starter) inForce() {
	for _, o := range b.seen {
		switch o.match.Operation.Effect {
		case specs.Irreversible:
			b.on = o.match.Operation.Name()
			return
		case specs.Reversible:
			if b.on == "" {
				b.on = o.match.Operation.Name()
			}
		}
	}
}

// furnish adds what runs begin with: what was read, where the run's own profile
// had chosen that, and else the friendly fixtures, to be edited.
func (b *starter) furnish() error {
	if b.kept != nil && !b.friendly() {
		if err := b.records(); err != nil {
			return err
		}
	}
	for _, service := range b.services {
		f, ships := fixture.Friendly(service)
		read := slices.ContainsFunc(b.fixtures, func(name string) bool { return strings.HasPrefix(filepath.Base(name), service+".") })
		if read || !ships {
			continue
		}
		file := "fixtures/" + service + ".yaml"
		b.files[file], b.fixtures = f.Content, append(b.fixtures, file)
	}
	return b.check()
}

func (s *Setup) write(w io.Writer, b *starter) error {
	command := "python agent.py"
	switch {
	case len(s.Command) > 0:
		command = report.CommandLine(s.Command)
	case b.kept != nil && len(b.kept.Outcome.Command) > 0:
		command = report.CommandLine(b.kept.Outcome.Command)
	}
	all := b.all()
	if file := s.ciFile(); file != "" {
		all[file] = ciText(s.CI, command)
	}
	if err := s.free(maps.Keys(all)); err != nil {
		return &UsageError{err}
	}
	if err := writeFiles(s.Dir, all); err != nil {
		return &UsageError{err}
	}
	profile := filepath.Join(s.Dir, projectProfile)
	fmt.Fprintf(w, "%s: binds %s, with %s to edit\n", profile, words.And(b.services), words.Count(len(b.rules), "rule"))
	if b.on != "" {
		fmt.Fprintf(w, "  in force: the reply to the first %s is lost; the others wait to be switched on\n", b.on)
	}
	for _, file := range b.fixtures {
		fmt.Fprintf(w, "%s: what runs begin with\n", filepath.Join(s.Dir, filepath.FromSlash(file)))
	}
	if file := s.ciFile(); file != "" {
		fmt.Fprintf(w, "%s: write in it where Parity's source is, and which revision\n", filepath.Join(s.Dir, filepath.FromSlash(file)))
	}
	_, err := fmt.Fprintf(w, "next: parity run --profile %s -- %s\n", report.CommandLine([]string{profile}), command)
	return err
}
