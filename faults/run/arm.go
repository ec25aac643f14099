package run

import (
	"fmt"
	"slices"
	"time"

	"parity/fakes/chance"
	"parity/faults/trail"
)

// MostArmed is how many rules can be armed in a run at once.
const MostArmed = 100

// Armed is a rule that is armed, and the event that armed it.
type Armed struct {
	Seq uint64
	trail.Arming
}

// Over tells whether its time has run out by an instant.
func (a *Armed) Over(now time.Time) bool { return a.Until != 0 && trail.At(now) >= a.Until }

// Arm puts a rule in force for this run, for so long on the run's clock; 0: until
// it is disarmed. One without a name gets one that is not taken.
func (r *Run) Arm(a trail.Arming, ttl time.Duration, taken func(name string) bool) (Armed, error) {
	if err := r.enter(); err != nil {
		return Armed{}, err
	}
	defer r.mu.Unlock()
	now := r.state.Clock.Now(r.o.Wall.Now())
	for n := r.state.arms + 1; a.Name == ""; n++ {
		if name := fmt.Sprintf("injected-%d", n); !taken(name) {
			a.Name = name
		}
	}
	if r.state.live(now) >= MostArmed {
		return Armed{}, refuse("run %s has %d rules armed, which is the most that a run can have: disarm some", r.ID, MostArmed)
	}
	if taken(a.Name) {
		return Armed{}, refuse("the profile has a rule %s: choose another name", a.Name)
	}
	if slices.ContainsFunc(r.state.Armed, func(other Armed) bool { return other.Name == a.Name && !other.Over(now) }) {
		return Armed{}, refuse("a rule %s is armed in run %s already: disarm it, or choose another name", a.Name, r.ID)
	}
	if ttl > 0 {
		a.Until = trail.At(now.Add(ttl))
	}
	e := &trail.Event{Kind: trail.Armed, At: trail.At(now), Arming: &a}
	if err := r.note(e); err != nil {
		return Armed{}, err
	}
	return Armed{Seq: e.Seq, Arming: a}, nil
}

// Disarm takes a rule out of force that was armed.
func (r *Run) Disarm(name string) error {
	if err := r.enter(); err != nil {
		return err
	}
	defer r.mu.Unlock()
	return r.disarm(name)
}

func (r *Run) disarm(name string) error {
	if !slices.ContainsFunc(r.state.Armed, func(a Armed) bool { return a.Name == name }) {
		return refuse("no rule %s is armed in run %s%s", name, r.ID, r.state.armed())
	}
	return r.note(&trail.Event{Kind: trail.Disarmed, At: trail.At(r.state.Clock.Now(r.o.Wall.Now())), Arming: &trail.Arming{Name: name}})
}

// DisarmAll takes all of them out of force, and gives their names. Those whose
// time has run out go by themselves.
func (r *Run) DisarmAll() ([]string, error) {
	r.mu.Lock()
	none := len(r.state.Armed) == 0 // which a run that sleeps knows
	r.mu.Unlock()
	if none {
		return nil, nil
	}
	if err := r.enter(); err != nil {
		return nil, err
	}
	defer r.mu.Unlock()
	now := r.state.Clock.Now(r.o.Wall.Now())
	var names []string
	for _, a := range r.state.Armed {
		if a.Over(now) {
			continue
		}
		if err := r.disarm(a.Name); err != nil {
			return names, err
		}
		names = append(names, a.Name)
	}
	return names, nil
}

// unarmed gives the armed rules without one of that name, and without those
// whose time had run out when the event came.
func (s *State) unarmed(e *trail.Event, name string) []Armed {
	rest := make([]Armed, 0, len(s.Armed)+1)
	for _, a := range s.Armed {
		if a.Name != name && !a.Over(e.At.Time()) {
			rest = append(rest, a)
		}
	}
	return rest
}

func (s *State) live(now time.Time) int {
	n := 0
	for i := range s.Armed {
		if !s.Armed[i].Over(now) {
			n++
		}
	}
	return n
}

// Counted digests all that a state decides by besides its world: what was
// counted, and what is armed.
func (s *State) Counted() string {
	digest := s.Tallies.Hash()
	for i := range s.Armed {
		a := &s.Armed[i]
		digest = chance.Hash(digest, a.Name, a.Text, fmt.Sprint(a.Seq, a.Until))
	}
	return digest
}

// armed lists the armed rules, for a message.
func (s *State) armed() string {
	said := "; those that are: "
	for i, a := range s.Armed {
		said += []string{"", ", "}[min(i, 1)] + a.Name
	}
	if len(s.Armed) == 0 {
		return ": it has none"
	}
	return said
}
