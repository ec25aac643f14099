package author

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
	"parity/gateway/kept"
	"parity/gateway/report"
	"parity/specs"
	"parity/specs/words"
)

// Setup is what a project is to have so that its agent is rehearsed from now on.
type Setup struct {
	Root     string   // where runs are kept
	Dir      string   // where files are written
	CI       string   // github, gitlab or none
	Services []string // those of a profile that is begun from no run
	Command  []string // the agent, where it is to be run first: what is called then is what the profile is about

	// Rehearse runs the agent and reports. It gives the run's name, which is ""
	// where the agent could not be started, and then what the process is to end
	// with.
	Rehearse func(ctx context.Context) (run string, code int, err error)
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
		return 0, err
	}
	run := "last"
	if len(s.Command) > 0 {
		if run, code, err = s.Rehearse(ctx); err != nil || run == "" {
			return code, err
		}
		fmt.Fprintln(w)
	}
	catalogue, err := builtin.Catalogue()
	if err != nil {
		return 0, err
	}
	d := &draft{name: "rehearsal", file: projectProfile, catalogue: catalogue, files: map[string]string{}}
	if d.services = slices.Compact(slices.Sorted(slices.Values(s.Services))); len(s.Services) == 0 {
		if err := d.see(w, ProfileDraft{Root: s.Root, From: run}); err != nil {
			return 0, fmt.Errorf("%w; or name the services: parity init --service stripe --service slack", err)
		}
		d.inForce()
	}
	d.suggest()
	slices.SortStableFunc(d.rules, func(x, y string) int {
		return strings.Count(x, suggested) - strings.Count(y, suggested) // those in force first
	})
	if err := d.furnish(); err != nil {
		return 0, err
	}
	return 0, s.write(w, d)
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
	if _, _, err := kept.Find(s.Root, "last"); errors.Is(err, fs.ErrNotExist) {
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
func (d *draft) inForce() {
	for _, o := range d.seen {
		switch o.Match.Operation.Effect {
		case specs.Irreversible:
			d.on = o.Match.Operation.Name()
			return
		case specs.Reversible:
			if d.on == "" {
				d.on = o.Match.Operation.Name()
			}
		}
	}
}

// furnish adds what runs begin with: what was read, where the run's own profile
// had chosen that, and else the friendly fixtures, to be edited.
func (d *draft) furnish() error {
	if d.kept != nil && !d.friendly() {
		if err := d.records(); err != nil {
			return err
		}
	}
	for _, service := range d.services {
		f, ships := fixture.Friendly(service)
		read := slices.ContainsFunc(d.fixtures, func(name string) bool { return strings.HasPrefix(filepath.Base(name), service+".") })
		if read || !ships {
			continue
		}
		file := "fixtures/" + service + ".yaml"
		d.files[file], d.fixtures = f.Content, append(d.fixtures, file)
	}
	return d.check()
}

func (s *Setup) write(w io.Writer, d *draft) error {
	command := "python agent.py"
	switch {
	case len(s.Command) > 0:
		command = report.CommandLine(s.Command)
	case d.kept != nil && len(d.kept.Outcome.Command) > 0:
		command = report.CommandLine(d.kept.Outcome.Command)
	}
	all := d.all()
	if file := s.ciFile(); file != "" {
		all[file] = ciText(s.CI, command)
	}
	if err := s.free(maps.Keys(all)); err != nil {
		return err
	}
	if err := writeFiles(s.Dir, all); err != nil {
		return err
	}
	profile := filepath.Join(s.Dir, projectProfile)
	fmt.Fprintf(w, "%s: binds %s, with %s to edit\n", profile, words.And(d.services), words.Count(len(d.rules), "rule"))
	if d.on != "" {
		fmt.Fprintf(w, "  in force: the reply to the first %s is lost; the others wait to be switched on\n", d.on)
	}
	for _, file := range d.fixtures {
		fmt.Fprintf(w, "%s: what runs begin with\n", filepath.Join(s.Dir, filepath.FromSlash(file)))
	}
	if file := s.ciFile(); file != "" {
		fmt.Fprintf(w, "%s: write in it where Parity's source is, and which revision\n", filepath.Join(s.Dir, filepath.FromSlash(file)))
	}
	_, err := fmt.Fprintf(w, "next: parity run --profile %s -- %s\n", report.CommandLine([]string{profile}), command)
	return err
}
