package author

import (
	"bytes"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v4"

	"parity/cmd/internal/recordings"
	"parity/fakes"
	"parity/fakes/chance"
	"parity/fakes/fixture"
	"parity/fakes/recording"
	"parity/fakes/world"
	"parity/specs"
	"parity/specs/words"
)

// records takes in what was read, as far as runs can begin with it.
func (d *draft) records() error {
	base, err := d.catalogue.World()
	if err != nil {
		return err
	}
	w := base
	hidden := map[string]bool{}
	for _, c := range d.catalogue.Collections() {
		hidden[c.Name] = c.Hidden
	}
	for _, o := range d.before() {
		importer := o.Service.Fake.(fakes.Importer) //nolint:forcetypeassert // before gives no others
		in, _ := o.Match.Operation.Read(specs.Request{Path: o.Match.Path, Query: query(o.Request.URL), Header: o.Header(), Body: []byte(o.Request.Text())})
		n := 0
		call := &fakes.Call{
			Operation: o.Match.Operation, Contract: o.Service.Contract, Input: in, Header: o.Header(), Tx: w.Begin(), Now: time.Unix(0, 0).UTC(), Preauthenticated: true,
			NewID: func(prefix string, length int) string {
				n++
				return prefix + chance.ID(0, length, "seen", o.Request.URL, fmt.Sprint(n))
			},
		}
		importer.Import(call, o.Response.Status, []byte(o.Response.Body))
		w = call.Tx.Commit()
	}
	return d.keep(base, w, hidden)
}

// sameWorld takes over the fixtures that the run which was seen began with: they
// have all that it could have read, and reads have a part of that. false: there
// are none.
func (d *draft) sameWorld() bool {
	if d.kept == nil || len(d.kept.Profile.Start.Files) == 0 {
		return false
	}
	d.given = map[string][]string{}
	for _, f := range d.kept.Profile.Start.Files {
		name := f.Name
		if path.Ext(name) != "" { // else it ships
			name = "fixtures/" + path.Base(name)
			d.files[name] = f.Content
		}
		for _, service := range d.services {
			if slices.Contains(fixture.Shipped(service), f.Name) || (f.Service == service || strings.Contains(f.Content, service+".")) && path.Ext(name) != "" {
				d.given[service] = append(d.given[service], name)
			}
		}
	}
	if len(d.kept.Profile.Start.Shapes) > 0 {
		d.left = append(d.left, "The run's profile has records generated too: copy its data: here.")
	}
	return true
}

// before gives the reads, without what the calls themselves made.
func (d *draft) before() []recordings.Observed {
	var c recording.Conversation
	reads := map[string]bool{}
	for _, o := range d.seen {
		c.Exchanges = append(c.Exchanges, o.Exchange)
		if o.Match.Operation.Effect == specs.Read {
			reads[o.Request.Method+" "+o.Request.URL] = true
		}
	}
	made := c.Made(func(e recording.Exchange) bool { return reads[e.Request.Method+" "+e.Request.URL] })
	var all []recordings.Observed
	for _, o := range d.seen {
		_, imports := o.Service.Fake.(fakes.Importer)
		if o.Response.Body = recording.Without(o.Response.Body, made); imports && o.Response.Body != "" && o.Match.Operation.Effect == specs.Read {
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
func (d *draft) keep(base, w *world.World, hidden map[string]bool) error {
	known := people{}
	waiting := slices.DeleteFunc(w.Collections(), func(name string) bool {
		service, _, _ := strings.Cut(name, ".")
		return hidden[name] || len(readIn(base, w, name)) == 0 || !slices.Contains(d.services, service)
	})
	for progress := true; progress && len(waiting) > 0; {
		progress = false
		for _, collection := range slices.Clone(waiting) {
			var records []any
			secrets := 0
			for _, r := range readIn(base, w, collection) {
				clean, n := redacted(r.Value(), known)
				records, secrets = append(records, clean), secrets+n
			}
			text, err := yaml.Marshal(map[string]any{collection: records})
			if err != nil {
				return err
			}
			file := "fixtures/" + collection + ".yaml"
			d.files[file], d.fixtures = string(text), append(d.fixtures, file)
			if d.check() == nil {
				if secrets > 0 {
					d.left = append(d.left, fmt.Sprintf("%s of %s looked like secrets, cards or people's addresses: others stand in their place.", words.Count(secrets, "value"), collection))
				}
				waiting = slices.DeleteFunc(waiting, func(name string) bool { return name == collection })
				progress = true
				continue
			}
			delete(d.files, file)
			d.fixtures = d.fixtures[:len(d.fixtures)-1]
		}
	}
	for _, collection := range waiting {
		d.left = append(d.left, fmt.Sprintf("%s of %s were read, and the fake cannot make them: write their fixtures by hand.", words.Count(len(readIn(base, w, collection)), "record"), collection))
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
