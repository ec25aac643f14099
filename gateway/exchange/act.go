package exchange

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"parity/fakes"
	"parity/fakes/cast"
	"parity/fakes/chance"
	"parity/fakes/kit"
	"parity/fakes/world"
	"parity/faults/run"
	"parity/faults/trail"
	"parity/profiles"
)

// Why nobody can do an act.
var (
	ErrNoAct      = errors.New("there is no such act")
	ErrNotWaiting = errors.New("it waits for nobody")
)

// Act has a person do something in a service, in a turn. Where it is not done
// the turn gives no event, and has written nothing.
func (r *Run) Act(t *run.Turn, a trail.Act) (*trail.Event, error) {
	did, err := r.do(t, r.Seed, &a)
	if err != nil {
		return nil, err
	}
	a.Did = did
	r.attend(t)
	return &trail.Event{Kind: trail.Acted, Revision: r.Revision().Profile.Revision, Act: &a}, nil
}

// do does an act in a turn's transaction.
func (r *Run) do(t *run.Turn, seed chance.Seed, a *trail.Act) (did string, err error) {
	service, ok := r.Revision().Catalogue.Service(a.Service)
	if !ok {
		return "", fmt.Errorf("service %s: %w", a.Service, ErrNoAct)
	}
	attended, ok := service.Fake.(fakes.Attended)
	if !ok {
		return "", fmt.Errorf("nothing of %s waits for a person: %w", a.Service, ErrNoAct)
	}
	with := map[string]any{}
	if len(a.With) > 0 {
		value, err := world.Decode(a.With)
		if err != nil {
			return "", fmt.Errorf("what goes with it: %w: %w", err, ErrNoAct)
		}
		with = cast.Object(value)
	}
	n := 0
	call := &fakes.Call{Contract: service.Contract, Tx: t.Tx(), Now: t.Now, NewID: func(prefix string, length int) string {
		n++
		return prefix + chance.ID(ids(seed, t.State), length, "act", prefix, a.Collection, a.ID, strconv.FormatUint(t.State.Seq, 10), strconv.Itoa(n))
	}}
	waits, ok := attended.Waits(call, a.Collection, a.ID)
	if !ok {
		return "", fmt.Errorf("%s of %s: %w", a.ID, a.Service, ErrNotWaiting)
	}
	if err := fits(attended.Acts(), waits.Kind, a, with); err != nil {
		return "", err
	}
	if !call.Bounded(func() {
		did, err = attended.Do(call, fakes.Deed{Act: a.Name, Collection: a.Collection, ID: a.ID, With: with})
	}) {
		return "", fmt.Errorf("it takes more work than may be done at once: %w", ErrNoAct)
	}
	return did, err
}

// fits refuses an act that is none of what waits, and what does not go with it.
func fits(acts []fakes.Act, kind string, a *trail.Act, with map[string]any) error {
	names := []string{}
	for _, act := range acts {
		if act.Waits != kind || act.Collection != a.Collection {
			continue
		}
		names = append(names, act.Name)
		if act.Name != a.Name {
			continue
		}
		for name := range with {
			if !slices.Contains(act.With, name) {
				return fmt.Errorf("nothing called %s goes with %s, only %s: %w", name, a.Name, strings.Join(act.With, ", "), ErrNoAct)
			}
		}
		return nil
	}
	return fmt.Errorf("%s is no act of what waits as %s: %s: %w", a.Name, kind, strings.Join(names, ", "), ErrNoAct)
}

// A Wait is a record that waits for a person.
type Wait struct {
	Service, Collection, ID string
	fakes.Waiting

	Acts []fakes.Act
}

// Waits lists what waits for a person, oldest first of each collection.
func (r *Run) Waits(w *world.World, now time.Time) (all []Wait) {
	for _, service := range r.Revision().Catalogue.Services() {
		attended, ok := service.Fake.(fakes.Attended)
		if !ok {
			continue
		}
		acts := attended.Acts()
		seen := []string{}
		for _, act := range acts {
			if slices.Contains(seen, act.Collection) {
				continue
			}
			seen = append(seen, act.Collection)
			tx := w.Begin()
			call := &fakes.Call{Contract: service.Contract, Tx: tx, Now: now}
			for record := range w.Oldest(act.Collection, 0) {
				if waiting, ok := attended.Waits(call, act.Collection, record.ID); ok {
					all = append(all, Wait{service.Name, act.Collection, record.ID, waiting, slices.DeleteFunc(slices.Clone(acts), func(a fakes.Act) bool {
						return a.Waits != waiting.Kind || a.Collection != act.Collection
					})})
				}
			}
		}
	}
	return all
}

// metPrefix begins the ids of notes of how often a stand-in was needed.
const metPrefix = "people."

// attend has people of the profile come to what began to wait in a turn, each at
// their own time.
func (r *Run) attend(t *run.Turn) {
	p := r.Revision().Profile
	if len(p.People) == 0 {
		return
	}
	seen := map[string]bool{}
	for _, c := range slices.Clone(t.Tx().Changes()) {
		if key := c.Collection + " " + c.ID; c.Op == world.Delete || seen[key] {
			continue
		} else {
			seen[key] = true
		}
		name, _, _ := strings.Cut(c.Collection, ".")
		service, ok := r.Revision().Catalogue.Service(name)
		if !ok || !slices.ContainsFunc(service.ActsOf(), func(a fakes.Act) bool { return a.Collection == c.Collection }) {
			continue
		}
		attended, _ := service.Fake.(fakes.Attended)
		waits := func(tx *world.Tx) string {
			w, _ := attended.Waits(&fakes.Call{Contract: service.Contract, Tx: tx, Now: t.Now}, c.Collection, c.ID)
			return w.Kind
		}
		if kind := waits(t.Tx()); kind != "" && kind != waits(t.State.World.Begin()) {
			come(t, p.People, name, kind, c)
		}
	}
}

// come sets the timer of the first person who is there for what waits.
func come(t *run.Turn, people []profiles.Person, service, kind string, c trail.Change) {
	for i := range people {
		p := &people[i]
		if !p.For(service, kind, c.Collection) {
			continue
		}
		met := int64(1)
		if p.Every > 0 {
			if note, ok := t.Tx().Get(fakes.NotesCollection, metPrefix+p.Name); ok {
				met += cast.Int(note.Value()["met"])
			}
			kit.Keep(t.Tx(), fakes.NotesCollection, metPrefix+p.Name, map[string]any{"met": met})
			if met%int64(p.Every) != 0 {
				continue
			}
		}
		if p.Does != profiles.DoesNothing {
			must(kit.Schedule(t.Tx(), fakes.Timer{
				Service: fakes.PeopleService, Kind: fakes.PersonTimer, Subject: p.Name + " " + c.Collection + " " + c.ID, Due: t.Now.Add(p.After),
			}))
		}
		return
	}
}

// stand has a person of the profile do what they came for; nil: they are in the
// profile no more, or it waits for nobody now.
func (r *Run) stand(t *run.Turn, seed chance.Seed, due fakes.Timer) *trail.Act {
	name, of, _ := strings.Cut(due.Subject, " ")
	collection, id, _ := strings.Cut(of, " ")
	people := r.Revision().Profile.People
	i := slices.IndexFunc(people, func(p profiles.Person) bool { return p.Name == name })
	if i < 0 {
		return nil
	}
	p := people[i]
	a := &trail.Act{Service: p.Service, Collection: collection, ID: id, Name: p.Does, By: trail.Speaker{Name: p.Name, Kind: trail.ByRehearsed}}
	if len(p.With) > 0 {
		a.With = json.RawMessage(world.Encode(p.With))
	}
	did, err := r.do(t, seed, a)
	switch {
	case errors.Is(err, ErrNotWaiting):
		return nil // somebody else has done it, or it was given up
	case err != nil:
		a.Not = err.Error()
	default:
		a.Did = did
	}
	return a
}
