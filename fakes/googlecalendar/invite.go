package googlecalendar

import (
	"strings"

	"parity/fakes"
	"parity/fakes/cast"
	"parity/fakes/kit"
)

// invite mails those who are to know of a change, if the client asks for it:
// by default nobody is told, which is how invitations go missing.
// Source: the description of sendUpdates.
func (c *call) invite(calendar, before, after map[string]any) {
	if !c.tells() {
		return
	}
	self := kit.Text(calendar, "id")
	were, are := c.invited(before, self), c.invited(after, self)
	if after == nil || after["status"] == cancelled {
		c.post("cancellation", "Canceled event", before, were)
		return
	}
	added, stayed := parted(are, were)
	gone, _ := parted(were, are)
	c.post("invitation", "Invitation", after, added)
	c.post("update", "Updated invitation", after, stayed)
	c.post("cancellation", "Canceled event", after, gone)
}

// tells whether anybody is to be told.
func (c *call) tells() bool {
	switch c.query("sendUpdates") {
	case "all", "externalOnly":
		return true
	case "none":
		return false
	}
	return c.flag("sendNotifications")
}

// invited lists who is mailed: attendees but the calendar's own, and with
// externalOnly those alone who are not at Google or the user's own domain.
func (c *call) invited(event map[string]any, self string) []string {
	var all []string
	for _, attendee := range cast.List(event["attendees"]) {
		one, _ := attendee.(map[string]any)
		email := kit.Text(one, "email")
		domain := domainOf(email)
		inside := domain == "gmail.com" || domain == "googlemail.com" || strings.EqualFold(domain, domainOf(c.user()))
		if strings.EqualFold(email, self) || one["resource"] == true || inside && c.query("sendUpdates") == "externalOnly" {
			continue
		}
		all = append(all, email)
	}
	return all
}

// parted tells those that are not among others from those that are.
func parted(all, others []string) (without, with []string) {
	among := make(map[string]bool, len(others))
	for _, email := range others {
		among[strings.ToLower(email)] = true
	}
	for _, email := range all {
		if among[strings.ToLower(email)] {
			with = append(with, email)
		} else {
			without = append(without, email)
		}
	}
	return without, with
}

func (c *call) post(kind, word string, event map[string]any, to []string) {
	if len(to) == 0 {
		return
	}
	content := only(event, "id", "iCalUID", "summary", "description", "location", "start", "end", "recurrence", "recurringEventId", "originalStartTime", "organizer", "attendees", "sequence", "status", "hangoutLink")
	c.mail(kind, kit.Text(event, "id"), to, word+": "+kit.Text(event, "summary"), content)
}

// mail puts what was mailed into the outbox.
func (c *call) mail(kind, id string, to []string, summary string, content map[string]any) {
	if c.Identity == fakes.Fixture {
		return // what a world begins with was sent long ago
	}
	if err := kit.Send(c.Tx, fakes.Sent{Service: name, Kind: kind, ID: id, To: to, Summary: summary, Content: content, At: c.Now}); err != nil {
		panic(err) // the outbox is not declared: a mistake of the world's maker
	}
}
