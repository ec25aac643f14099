package googlecalendar

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"parity/fakes"
	"parity/fakes/cast"
	"parity/fakes/kit"
)

// waitsInvitation is what an event waits for whose guests have not all answered.
const waitsInvitation = "invitation"

// Acts lists what a guest does: one of the world's users, or of elsewhere.
func (f *Fake) Acts() []fakes.Act {
	act := func(name, does string) fakes.Act {
		return fakes.Act{Waits: waitsInvitation, Collection: f.store.Full(events), Name: name, Does: does, With: []string{"guest", "comment"}}
	}
	return []fakes.Act{
		act("accept", "accept an invitation, of the guest who is named, or of all who have not answered"),
		act("decline", "decline an invitation"),
		act("tentative", "answer an invitation with maybe"),
	}
}

// answersOf are the responses that acts give.
var answersOf = map[string]string{"accept": "accepted", "decline": declined, "tentative": "tentative"}

// Waits tells whether an event waits for its guests: the organizer's own, until
// it is over, while somebody has not answered.
func (f *Fake) Waits(fc *fakes.Call, collection, id string) (fakes.Waiting, bool) {
	record, ok := f.store.Get(fc.Tx, strings.TrimPrefix(collection, name+"."), id)
	if !ok || collection != f.store.Full(events) {
		return fakes.Waiting{}, false
	}
	event := record.Value()
	organizer, in := kit.Text(event, "organizer.email"), calendarOf(event)
	if event["status"] == cancelled || organizer != "" && !strings.EqualFold(organizer, in) && in != primary || len(unansweredBy(event)) == 0 {
		return fakes.Waiting{}, false
	}
	if end, ok := recorded(event["end"], time.UTC); ok && event["recurrence"] == nil && end.at.Before(fc.Now) {
		return fakes.Waiting{}, false
	}
	return fakes.Waiting{Kind: waitsInvitation, Since: instantOf(event, "created"), Says: strings.Join(unansweredBy(event), ", ") + " to answer: " + kit.Text(event, "summary")}, true
}

// unansweredBy lists the guests who have not answered.
func unansweredBy(event map[string]any) []string {
	var all []string
	for _, item := range cast.List(event["attendees"]) {
		guest := cast.Object(item)
		if said := kit.Text(guest, "responseStatus"); (said == "" || said == needsAction) && !strings.EqualFold(kit.Text(guest, "email"), calendarOf(event)) {
			all = append(all, kit.Text(guest, "email"))
		}
	}
	return all
}

// Do has guests answer, as their own calendars would tell the organizer.
func (f *Fake) Do(fc *fakes.Call, d fakes.Deed) (string, error) {
	record, ok := f.store.Get(fc.Tx, strings.TrimPrefix(d.Collection, name+"."), d.ID)
	if !ok {
		return "", fmt.Errorf("googlecalendar event %s is not there", d.ID)
	}
	c := f.on(fc)
	in := calendarOf(record.Value())
	if in == primary {
		in = c.first()
	}
	calendar, known := c.get(calendars, in)
	if !known {
		return "", fmt.Errorf("googlecalendar: the calendar of event %s is not there", d.ID)
	}
	c.adopt(calendar)
	calendar, _ = c.get(calendars, in)
	event, _ := c.get(events, d.ID)
	guests := unansweredBy(event)
	if named := cast.Text(d.With["guest"]); named != "" {
		guests = slices.DeleteFunc(invitedTo(event), func(email string) bool { return !strings.EqualFold(email, named) })
		if len(guests) == 0 {
			return "", fmt.Errorf("%s is no guest of event %s: %w", named, d.ID, fakes.ErrAct)
		}
	}
	says := map[string]any{"responseStatus": answersOf[d.Act]}
	if comment := cast.Text(d.With["comment"]); comment != "" {
		says["comment"] = comment
	}
	value := maps.Clone(event)
	for _, guest := range guests {
		value["attendees"] = responded(value, guest, says)
	}
	c.amend(calendar, event, value)
	return strings.Join(guests, ", ") + ": " + answersOf[d.Act], nil
}

func invitedTo(event map[string]any) []string {
	var all []string
	for _, item := range cast.List(event["attendees"]) {
		all = append(all, kit.Text(cast.Object(item), "email"))
	}
	return all
}
