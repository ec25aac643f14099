package author

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"parity/cmd/internal/recordings"
	"parity/fakes"
	"parity/fakes/builtin"
	"parity/faults"
	"parity/gateway"
	"parity/gateway/fidelity"
	"parity/gateway/kept"
	"parity/profiles"
	"parity/specs"
	"parity/specs/words"
)

// ProfileDraft says which profile is to be begun, and from what.
type ProfileDraft struct {
	Root string // where runs are kept
	Name string
	Dir  string // the folder that is made; default its name
	From string // a run, a HAR file, or conversations with real services; "": nothing was seen
	// Contract is that of a service that does not ship, FILE or NAME=FILE; "": none.
	Contract string
}

// NewProfile writes a folder with a profile, what its runs begin with, its schema
// and a lock. What was seen decides which services and rules are in it; everything but
// the pace of the services is switched off, as a suggestion. What is written
// lints clean.
func NewProfile(w io.Writer, s ProfileDraft) error {
	dir := cmp.Or(s.Dir, s.Name)
	file := filepath.Join(dir, "profile.yaml")
	if _, err := os.Lstat(file); !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s is there already: choose another --dir", file)
	}
	catalogue, err := builtin.Catalogue()
	if err != nil {
		return err
	}
	d := &draft{name: s.Name, file: "profile.yaml", schema: true, catalogue: catalogue, files: map[string]string{}}
	mirrored, err := d.look(w, s)
	if err != nil {
		return err
	}
	if err := d.check(); err != nil { // a name that is none
		return err
	}
	if len(d.seen) > 0 {
		d.suggest()
		if !mirrored && !d.friendly() && !d.sameWorld() { // else its runs begin with the same anyway
			if err := d.records(); err != nil {
				return err
			}
		}
	}
	if err := writeFiles(dir, d.all()); err != nil {
		return err
	}
	schema, err := profiles.Schema()
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "profile.schema.json"), schema, 0o644) //nolint:gosec // for whoever works on it
	}
	if err != nil {
		return err
	}
	if err := Lock(w, filepath.Join(dir, gateway.LockFile), []string{file}); err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "%s binds %s and suggests %s\ntry it: parity run --profile %s --locked --lock-file %s -- COMMAND\n",
		file, strings.Join(d.services, ", "), words.Count(len(d.rules), "rule"), file, filepath.Join(dir, gateway.LockFile))
	if err == nil && mirrored {
		_, err = fmt.Fprintf(w, "    or: parity serve --profile %s\n", file)
	}
	return err
}

// look takes in what was seen; mirrored tells that runs begin with what a real service
// answered.
func (d *draft) look(w io.Writer, s ProfileDraft) (mirrored bool, err error) {
	all, mirrored, err := conversations(s.From)
	switch {
	case err != nil:
		return false, err
	case mirrored:
		return true, d.reflect(w, s, all)
	case s.Contract != "" && strings.EqualFold(filepath.Ext(s.From), ".har"):
		return false, fmt.Errorf("%s has what people and services said as it was: make a mirror of it first, which has pseudonyms, and begin the profile from that: parity mirror import NAME --from %s --contract %s -o mirror.json", s.From, s.From, s.Contract)
	case s.Contract != "":
		return false, errors.New("--contract goes with --from FILE or FOLDER of what a real service answered: a mirror, or what record wrote")
	}
	return false, d.see(w, s)
}

// draft is a profile that is being made.
type draft struct {
	name      string
	file      string // of the profile
	schema    bool   // stands beside it
	catalogue *fakes.Catalogue
	kept      *kept.Run // the run that was seen, if it is one
	seen      []recordings.Observed
	on        string              // the operation whose lost reply is no suggestion, but in force; "": none
	base      *fakes.Catalogue    // what ships, where the catalogue has more; nil: it has not
	keys      map[string][]string // by service, what else the profile says of it
	services  []string
	rules     []string            // each as YAML
	fixtures  []string            // names of files
	given     map[string][]string // by service, fixtures of the run that was seen
	files     map[string]string
	left      []string // what could not be taken in
}

// friendly tells whether the run that was seen began with what Parity chose.
func (d *draft) friendly() bool { return d.kept != nil && len(d.kept.Profile.Friendly) > 0 }

func (d *draft) see(w io.Writer, s ProfileDraft) error {
	d.services = []string{"stripe"}
	switch {
	case s.From == "":
		return nil
	case strings.EqualFold(filepath.Ext(s.From), ".har"):
		var others int
		var err error
		if d.seen, others, err = recordings.ReadHAR(s.From, d.catalogue); err != nil {
			return err
		}
		if others > 0 {
			fmt.Fprintf(w, "%s for no operation that is played: left out\n", words.Count(others, "entry"))
		}
	default:
		k, err := kept.Read(s.Root, s.From)
		if err == nil {
			err = k.Unread
		}
		if err != nil {
			return err
		}
		d.kept, d.seen = k, recordings.OfRun(k)
	}
	d.seen = slices.DeleteFunc(d.seen, func(o recordings.Observed) bool { // services of a profile's own want their contracts
		_, ships := d.catalogue.Service(o.Service.Name)
		return !ships
	})
	if len(d.seen) == 0 {
		return fmt.Errorf("%s has no call to a service that ships: `parity services list` has those", s.From)
	}
	of := map[string]bool{}
	for _, o := range d.seen {
		of[o.Service.Name] = true
	}
	d.services = slices.Sorted(maps.Keys(of))
	return nil
}

// suggest makes the rules, each of which has to lint clean.
func (d *draft) suggest() {
	operations := map[string]*specs.Operation{}
	took := map[string][]time.Duration{}
	for _, o := range d.seen {
		operations[o.Match.Operation.Name()] = o.Match.Operation
		if o.Took > 0 {
			took[o.Service.Name] = append(took[o.Service.Name], o.Took)
		}
	}
	for _, service := range d.services {
		d.pace(service, took[service])
		d.suggestion(service+"-limit", service+" *", "rate-limit", "{limit: 25, window: 1s, retry_after: 2s}", "")
	}
	for _, name := range slices.Sorted(maps.Keys(operations)) {
		op := operations[name]
		switch {
		case op.Effect != specs.Read:
			d.suggestion(lostReply(op), name, "ambiguous-success", "{reply: reset}", "{nth: 1, tries: 3}")
		case op.Anatomy.List:
			before := len(d.rules)
			for _, marker := range []string{"kept", "hidden"} {
				if _, known := faults.Lookup("partial-page"); known && len(d.rules) == before {
					d.suggestion("short-page-of-"+fidelity.Slug(op), name, "partial-page", "{drop: 40%, marker: "+marker+"}", "{chance: 30%}")
				}
			}
		}
	}
}

func lostReply(op *specs.Operation) string { return "lost-reply-to-" + fidelity.Slug(op) }

// fewest is how many replies it takes to say how fast a service is.
const fewest = 5

// pace fits how fast a service answered.
func (d *draft) pace(service string, took []time.Duration) {
	if len(took) < fewest {
		return
	}
	p := fidelity.Fit(service, took)
	d.rule(fmt.Sprintf("%s-pace:\n  call: %s *\n  inject: latency\n  with: %s\n  because: As fast as %s answered %d recorded calls.\n",
		service, service, p.With(), service, len(took)))
}

// suggested switches a rule off.
const suggested = "  enabled: false    # a suggestion: remove this line\n"

func (d *draft) suggestion(name, call, fault, with, trigger string) {
	off := suggested
	if fault == "ambiguous-success" && call == d.on {
		off = ""
	}
	text := fmt.Sprintf("%s:\n%s  call: %s\n  inject: %s\n  with: %s\n", name, off, quoted(call), fault, with)
	if trigger != "" {
		text += "  trigger: " + trigger + "\n"
	}
	d.rule(text)
}

func quoted(call string) string { return `"` + call + `"` }

// rule adds a rule, if the profile lints clean with it switched on.
func (d *draft) rule(text string) {
	all := d.rules
	d.rules = append(slices.Clone(all), strings.Replace(text, suggested, "", 1))
	err := d.check()
	d.rules = all
	if err == nil {
		d.rules = append(all, text)
	}
}

// check reads the profile as it is by now, from a folder that is removed.
func (d *draft) check() error {
	dir, err := os.MkdirTemp("", "parity-profile")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := writeFiles(dir, d.all()); err != nil {
		return err
	}
	_, err = profiles.Load("./"+d.file, profiles.Options{Catalogue: cmp.Or(d.base, d.catalogue), Dir: dir})
	return err
}

// all is what is written, by name.
func (d *draft) all() map[string]string {
	all := maps.Clone(d.files)
	all[d.file] = d.text()
	return all
}

// writeFiles writes files into a folder, which is made.
func writeFiles(dir string, files map[string]string) error {
	for _, name := range slices.Sorted(maps.Keys(files)) {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(files[name]), 0o644)); err != nil { //nolint:gosec // for whoever works on it
			return err
		}
	}
	return nil
}

// text is the profile.
func (d *draft) text() string {
	var t strings.Builder
	t.WriteString("# How far a rehearsal stands from production. `parity explain KEY` says what each key\n")
	if d.schema {
		t.WriteString("# does, and so does an editor, by profile.schema.json.\n# yaml-language-server: $schema=./profile.schema.json\n")
	} else {
		t.WriteString("# does, and `parity explain FAULT` what a fault does.\n")
	}
	fmt.Fprintf(&t, "profile: %s\nsummary: What this rehearses, in one sentence.\nextends: [baseline]      # the differences from production that Parity knows of\n\nservices:\n", d.name)
	for _, service := range d.services {
		own := slices.Clone(d.given[service])
		for _, f := range d.fixtures {
			if strings.HasPrefix(filepath.Base(f), service+".") {
				own = append(own, f)
			}
		}
		keys := slices.Clone(d.keys[service])
		if len(own) > 0 {
			keys = append(keys, "fixtures: ["+strings.Join(own, ", ")+"]")
		}
		fmt.Fprintf(&t, "  %s: {%s}\n", service, strings.Join(keys, ", "))
	}
	for _, left := range d.left {
		fmt.Fprintf(&t, "# %s\n", left)
	}
	if len(d.rules) > 0 {
		t.WriteString("\nfaults:\n")
		for _, r := range d.rules {
			t.WriteString("  " + strings.ReplaceAll(strings.TrimSuffix(r, "\n"), "\n", "\n  ") + "\n")
		}
		return t.String()
	}
	t.WriteString(`
# Each rule says which calls misbehave, how, and when. Remove the # to have it.
# faults:
#   lose-a-refund:
#     call: stripe POST /v1/refunds       # or stripe.PostRefunds, or "stripe *"
#     when: result.amount > 10_000        # over request, result, run, world and clock
#     inject: ambiguous-success           # parity explain inject lists the faults
#     with: {reply: reset}                # parity explain ambiguous-success has its parameters
#     trigger: {nth: 2, tries: 3}         # the second refund, and three attempts of it
#     because: The incident or the figure that makes it real.
`)
	return t.String()
}
