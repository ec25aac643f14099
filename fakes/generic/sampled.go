package generic

import (
	"time"

	"parity/fakes/chance"
	"parity/fakes/world"
	"parity/specs/sample"
	"parity/specs/schema"
)

// A source makes values up: the same for the same seed.
type source struct {
	library *library
	seed    func() chance.Seed // asked once something is drawn
	now     time.Time          // the zero value: of no call
}

func (s source) maker() *sample.Maker {
	var seed chance.Seed
	known := false
	return &sample.Maker{
		Draw: func(key string, n int) int {
			if !known {
				seed, known = s.seed(), true
			}
			return chance.Pick(seed, n, key)
		},
		Now:     s.now,
		Side:    sample.Reply,
		Library: &s.library.Library,
	}
}

// value gives one that a schema allows.
func (s source) value(of *schema.Schema, name string) any {
	made, _ := s.maker().Value(of, name)
	return world.Normalise(made)
}

// full gives a record with all that its service would show of a new one.
func (s source) full(of *schema.Schema, record map[string]any) map[string]any {
	if of == nil {
		return record
	}
	out, _ := world.Normalise(s.maker().Complete(of, record)).(map[string]any)
	return out
}

// least gives an object with what its schema requires, and no more than that
// beyond what it has.
func (s source) least(of *schema.Schema, object map[string]any) map[string]any {
	if of == nil {
		return object
	}
	full := s.full(of, object)
	f := s.library.form(of)
	for name := range full {
		if _, had := object[name]; !had && !f.may[name] && f.has(name) {
			delete(full, name)
		}
	}
	return full
}

// source gives one whose values are this call's own.
func (c *call) source() source {
	drawn := c.NewID("", seedLength) // also where nothing is drawn: ids are told apart by how many came before
	return source{library: &c.fake.library, seed: func() chance.Seed { return seedOf(drawn) }, now: c.Now}
}

// fixed gives a source that makes the same in every run.
func (f *Fake) fixed(parts ...string) source {
	return source{library: &f.library, seed: func() chance.Seed { return fixedSeed(parts...) }}
}
