package report

import (
	"fmt"

	"parity/profiles"
	"parity/specs/words"
)

// beginnings say what the run's world was where nobody chose it: an agent that
// finds nothing shows nothing.
func (p *page) beginnings(r *Report) {
	for _, of := range r.World {
		if of.Nothing > 0 {
			p.row("Empty", yellow(), r.emptiness(of))
		}
	}
	p.refused(r)
	for _, of := range r.World {
		if of.Nothing > 0 && of.Ships && len(of.Has) == 0 {
			p.text(12, "To give it one:")
			p.command("            ", nil, r.furnish())
			break
		}
	}
	if world := r.chosen(); world != "" {
		p.row("World", bold(), world)
	}
}

// emptiness says of a service that its world was empty.
func (r *Report) emptiness(of Beginning) string {
	text := words.Count(of.Nothing, "call") + " found nothing: the world of " + of.Service + " is empty"
	if len(of.Has) > 0 {
		return words.Count(of.Nothing, "call") + " of " + of.Service + " found nothing, and no other found anything: its world began with " + words.And(of.Has)
	}
	if !of.Ships {
		text += ". To give it one, name data: or fixtures: in a profile; `parity init` begins one"
	}
	return text
}

// refused says which services refused the agent.
func (p *page) refused(r *Report) {
	for _, of := range r.World {
		if of.Refused > 0 {
			p.row(r.refusals(of))
		}
	}
}

// refusals says of a service that it refused the agent, and what it has in the
// place of what was asked for.
func (r *Report) refusals(of Beginning) (label string, paint ink, text string) {
	label = "Refused"
	if of.Missing {
		label = "Not found"
	}
	text = fmt.Sprintf("%d of %s of %s %s answered %s, by no fault", of.Refused, words.Count(of.Calls, "call"), of.Service, was(of.Refused), words.Or(of.Answers))
	switch {
	case of.Kind != "" && len(of.Has) == 0:
		text += ": its world began with no " + of.Kind
	case of.Kind != "":
		text += ": its world began with the " + of.Kind + " " + words.And(of.Has)
	}
	if of.Fixtures != "" {
		return label, yellow(), text + ". `parity fixtures show " + of.Fixtures + "` has all; to give it yours, name fixtures: or data: in a profile"
	}
	return label, yellow(), text + ". What is there, the profile says with fixtures: and data:"
}

// furnish is the command that does the run again in a world that is not empty.
func (r *Report) furnish() string {
	return r.command(append([]string{"friendly"}, profiles.Layers(r.Profile)...), r.Flags)
}

// chosen says which fixtures are there since the profile names none.
func (r *Report) chosen() string {
	var names []string
	for _, of := range r.World {
		if of.Fixtures != "" {
			names = append(names, of.Fixtures)
		}
	}
	if len(names) == 0 {
		return ""
	}
	return words.And(names) + ", since the profile names no fixtures: parity fixtures show " + names[0]
}
