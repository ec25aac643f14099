package gateway

import (
	"bytes"
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

	"go.yaml.in/yaml/v4"

	"parity/fakes"
	"parity/fakes/builtin"
	"parity/fakes/chance"
	"parity/fakes/recording"
	"parity/fakes/world"
	"parity/faults"
	"parity/gateway/fidelity"
	"parity/profiles"
	"parity/specs"
	"parity/specs/words"
)

// Starting is a profile that is to be begun.
type Starting struct {
	Root string // where runs are kept
	Name string
	Dir  string // the folder that is made; default its name
	From string // a run, or a HAR file; "": nothing was seen
}

// NewProfile writes a folder with a profile, what its runs begin with, its schema
// and a lock. What was seen decides which services and rules are in it; everything but
// the pace of the services is switched off, as a suggestion. What is written
// lints clean.
func NewProfile(w io.Writer, s Starting) error {
	dir := cmp.Or(s.Dir, s.Name)
	file := filepath.Join(dir, "profile.yaml")
	if _, err := os.Lstat(file); !errors.Is(err, fs.ErrNotExist) {
		return &UsageError{fmt.Errorf("%s is there already: choose another --dir", file)}
	}
	catalogue, err := builtin.Catalogue()
	if err != nil {
		return err
	}
	b := &starter{name: s.Name, file: "profile.yaml", schema: true, catalogue: catalogue, files: map[string]string{}}
	if err := b.see(w, s); err != nil {
		return &UsageError{err}
	}
	if err := b.check(); err != nil { // a name that is none
		return &UsageError{err}
	}
	if len(b.seen) > 0 {
		b.suggest()
		if !b.friendly() { // else its runs begin with the same anyway
			if err := b.records(); err != nil {
				return err
			}
		}
	}
	if err := writeFiles(dir, b.all()); err != nil {
		return &UsageError{err}
	}
	schema, err := profiles.Schema()
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "profile.schema.json"), schema, 0o644) //nolint:gosec // for whoever works on it
	}
	if err != nil {
		return err
	}
	if err := WriteLock(w, filepath.Join(dir, LockFile), []string{file}); err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "%s binds %s and suggests %s\ntry it: parity run --profile %s --locked --lock-file %s -- COMMAND\n",
		file, strings.Join(b.services, ", "), words.Count(len(b.rules), "rule"), file, filepath.Join(dir, LockFile))
	return err
}

// starter is a profile that is being made.
type starter struct {
	name      string
	file      string // of the profile
	schema    bool   // stands beside it
	catalogue *fakes.Catalogue
	kept      *Kept // the run that was seen, if it is one
	seen      []observed
	on        string // the operation whose lost reply is no suggestion, but in force; "": none
	services  []string
	rules     []string // each as YAML
	fixtures  []string // names of files
	files     map[string]string
	left      []string // what could not be taken in
}

// friendly tells whether the run that was seen began with what Parity chose.
func (b *starter) friendly() bool { return b.kept != nil && len(b.kept.Profile.Friendly) > 0 }

func (b *starter) see(w io.Writer, s Starting) error {
	b.services = []string{"stripe"}
	switch {
	case s.From == "":
		return nil
	case strings.EqualFold(filepath.Ext(s.From), ".har"):
		var others int
		var err error
		if b.seen, others, err = observeHAR(s.From, b.catalogue); err != nil {
			return err
		}
		if others > 0 {
			fmt.Fprintf(w, "%s for no operation that is played: left out\n", words.Count(others, "entry"))
		}
	default:
		k, err := Read(s.Root, s.From)
		if err == nil {
			err = k.Unread
		}
		if err != nil {
			return err
		}
		b.kept, b.seen = k, observeRun(k)
	}
	b.seen = slices.DeleteFunc(b.seen, func(o observed) bool { // services of a profile's own want their contracts
		_, ships := b.catalogue.Service(o.service.Name)
		return !ships
	})
	if len(b.seen) == 0 {
		return fmt.Errorf("%s has no call to a service that ships: `parity services list` has those", s.From)
	}
	of := map[string]bool{}
	for _, o := range b.seen {
		of[o.service.Name] = true
	}
	b.services = slices.Sorted(maps.Keys(of))
	return nil
}

// suggest makes the rules, each of which has to lint clean.
func (b *starter) suggest() {
	operations := map[string]*specs.Operation{}
	took := map[string][]time.Duration{}
	for _, o := range b.seen {
		operations[o.match.Operation.Name()] = o.match.Operation
		if o.took > 0 {
			took[o.service.Name] = append(took[o.service.Name], o.took)
		}
	}
	for _, service := range b.services {
		b.pace(service, took[service])
		b.suggestion(service+"-limit", service+" *", "rate-limit", "{limit: 25, window: 1s, retry_after: 2s}", "")
	}
	for _, name := range slices.Sorted(maps.Keys(operations)) {
		op := operations[name]
		switch {
		case op.Effect != specs.Read:
			b.suggestion(lostReply(op), name, "ambiguous-success", "{reply: reset}", "{nth: 1, tries: 3}")
		case op.Anatomy.List:
			before := len(b.rules)
			for _, marker := range []string{"kept", "hidden"} {
				if _, known := faults.Lookup("partial-page"); known && len(b.rules) == before {
					b.suggestion("short-page-of-"+fidelity.Slug(op), name, "partial-page", "{drop: 40%, marker: "+marker+"}", "{chance: 30%}")
				}
			}
		}
	}
}

func lostReply(op *specs.Operation) string { return "lost-reply-to-" + fidelity.Slug(op) }

// fewest is how many replies it takes to say how fast a service is.
const fewest = 5

// pace fits how fast a service answered.
func (b *starter) pace(service string, took []time.Duration) {
	if len(took) < fewest {
		return
	}
	p := fidelity.Fit(service, took)
	b.rule(fmt.Sprintf("%s-pace:\n  call: %s *\n  inject: latency\n  with: %s\n  because: As fast as %s answered %d recorded calls.\n",
		service, service, p.With(), service, len(took)))
}

// suggested switches a rule off.
const suggested = "  enabled: false    # a suggestion: remove this line\n"

func (b *starter) suggestion(name, call, fault, with, trigger string) {
	off := suggested
	if fault == "ambiguous-success" && call == b.on {
		off = ""
	}
	text := fmt.Sprintf("%s:\n%s  call: %s\n  inject: %s\n  with: %s\n", name, off, quoted(call), fault, with)
	if trigger != "" {
		text += "  trigger: " + trigger + "\n"
	}
	b.rule(text)
}

func quoted(call string) string { return `"` + call + `"` }

// rule adds a rule, if the profile lints clean with it switched on.
func (b *starter) rule(text string) {
	all := b.rules
	b.rules = append(slices.Clone(all), strings.Replace(text, suggested, "", 1))
	err := b.check()
	b.rules = all
	if err == nil {
		b.rules = append(all, text)
	}
}

// check reads the profile as it is by now, from a folder that is removed.
func (b *starter) check() error {
	dir, err := os.MkdirTemp("", "parity-profile")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := writeFiles(dir, b.all()); err != nil {
		return err
	}
	_, err = profiles.Load("./"+b.file, profiles.Options{Catalogue: b.catalogue, Dir: dir})
	return err
}

// all is what is written, by name.
func (b *starter) all() map[string]string {
	all := maps.Clone(b.files)
	all[b.file] = b.text()
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
func (b *starter) text() string {
	var t strings.Builder
	t.WriteString("# How far a rehearsal stands from production. `parity explain KEY` says what each key\n")
	if b.schema {
		t.WriteString("# does, and so does an editor, by profile.schema.json.\n# yaml-language-server: $schema=./profile.schema.json\n")
	} else {
		t.WriteString("# does, and `parity explain FAULT` what a fault does.\n")
	}
	fmt.Fprintf(&t, "profile: %s\nsummary: What this rehearses, in one sentence.\nextends: [baseline]      # the differences from production that Parity knows of\n\nservices:\n", b.name)
	for _, service := range b.services {
		var own []string
		for _, f := range b.fixtures {
			if strings.HasPrefix(filepath.Base(f), service+".") {
				own = append(own, f)
			}
		}
		if len(own) > 0 {
			fmt.Fprintf(&t, "  %s: {fixtures: [%s]}\n", service, strings.Join(own, ", "))
			continue
		}
		fmt.Fprintf(&t, "  %s: {}\n", service)
	}
	for _, left := range b.left {
		fmt.Fprintf(&t, "# %s\n", left)
	}
	if len(b.rules) > 0 {
		t.WriteString("\nfaults:\n")
		for _, r := range b.rules {
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

// records takes in what was read, as far as runs can begin with it.
func (b *starter) records() error {
	base, err := b.catalogue.World()
	if err != nil {
		return err
	}
	w := base
	hidden := map[string]bool{}
	hide(hidden, b.catalogue)
	for _, o := range b.before() {
		absorber := o.service.Fake.(fakes.Absorber) //nolint:forcetypeassert // before gives no others
		in, _ := o.match.Operation.Read(specs.Request{Path: o.match.Path, Query: query(o.Request.URL), Header: o.header(), Body: []byte(o.Request.Text())})
		n := 0
		call := &fakes.Call{
			Operation: o.match.Operation, Contract: o.service.Contract, Input: in, Header: o.header(), Tx: w.Begin(), Now: time.Unix(0, 0).UTC(), Vouched: true,
			Mint: func(prefix string, length int) string {
				n++
				return prefix + chance.ID(0, length, "seen", o.Request.URL, fmt.Sprint(n))
			},
		}
		absorber.Absorb(call, o.Response.Status, []byte(o.Response.Body))
		w = call.Tx.Commit()
	}
	return b.keep(base, w, hidden)
}

// before gives the reads, without what the calls themselves made.
func (b *starter) before() []observed {
	var c recording.Conversation
	reads := map[string]bool{}
	for _, o := range b.seen {
		c.Exchanges = append(c.Exchanges, o.Exchange)
		if o.match.Operation.Effect == specs.Read {
			reads[o.Request.Method+" "+o.Request.URL] = true
		}
	}
	made := c.Made(func(e recording.Exchange) bool { return reads[e.Request.Method+" "+e.Request.URL] })
	var all []observed
	for _, o := range b.seen {
		_, absorbs := o.service.Fake.(fakes.Absorber)
		if o.Response.Body = recording.Without(o.Response.Body, made); absorbs && o.Response.Body != "" && o.match.Operation.Effect == specs.Read {
			all = append(all, o)
		}
	}
	return all
}

func query(target string) string {
	_, q, _ := strings.Cut(target, "?")
	return q
}

// keep writes a fixture of each collection, in whatever order they can be made
// in, and leaves out what cannot be, and what every world has.
func (b *starter) keep(base, w *world.World, hidden map[string]bool) error {
	known := people{}
	waiting := slices.DeleteFunc(w.Collections(), func(name string) bool {
		service, _, _ := strings.Cut(name, ".")
		return hidden[name] || len(readIn(base, w, name)) == 0 || !slices.Contains(b.services, service)
	})
	for progress := true; progress && len(waiting) > 0; {
		progress = false
		for _, collection := range slices.Clone(waiting) {
			var records []any
			secrets := 0
			for _, r := range readIn(base, w, collection) {
				clean, n := withoutSecrets(r.Value, known)
				records, secrets = append(records, clean), secrets+n
			}
			text, err := yaml.Marshal(map[string]any{collection: records})
			if err != nil {
				return err
			}
			file := "fixtures/" + collection + ".yaml"
			b.files[file], b.fixtures = string(text), append(b.fixtures, file)
			if b.check() == nil {
				if secrets > 0 {
					b.left = append(b.left, fmt.Sprintf("%s of %s looked like secrets, cards or people's addresses: others stand in their place.", words.Count(secrets, "value"), collection))
				}
				waiting = slices.DeleteFunc(waiting, func(name string) bool { return name == collection })
				progress = true
				continue
			}
			delete(b.files, file)
			b.fixtures = b.fixtures[:len(b.fixtures)-1]
		}
	}
	for _, collection := range waiting {
		b.left = append(b.left, fmt.Sprintf("%s of %s were read, and the fake cannot make them: write their fixtures by hand.", words.Count(len(readIn(base, w, collection)), "record"), collection))
	}
	return nil
}

// readIn are the records of a collection that are not as every world has them.
func readIn(base, w *world.World, collection string) (records []*world.Record) {
	for r := range w.Oldest(collection, 0) {
		if was, there := base.Get(collection, r.ID); !there || !bytes.Equal(was.JSON(), r.JSON()) {
			records = append(records, r)
		}
	}
	return records
}
