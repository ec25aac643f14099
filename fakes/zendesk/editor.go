package zendesk

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"parity/fakes"
	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

// system is who is said to have done what no user did.
// Source: developer.zendesk.com/api-reference/ticketing/tickets/ticket_audits, "author_id".
const system = -1

// Subject names the record that a call is about. A deleted ticket is there for
// the operations on deleted tickets alone.
func (f *Fake) Subject(fc *fakes.Call) (collection, id string) {
	c := &call{Call: fc, fake: f}
	if c.Operation.ID == "ShowCurrentUser" {
		return full(users), key(c.callerID())
	}
	collection, id = kit.Subject(fc)
	if collection == full(tickets) && !strings.Contains(c.Operation.Path, "/deleted_tickets/") {
		if r, ok := c.Tx.Get(collection, id); ok && !living(r) {
			return "", ""
		}
	}
	return collection, id
}

// Edit changes a record. What is done to a ticket stands in its audits.
func (f *Fake) Edit(fc *fakes.Call, collection, id string, set map[string]any) error {
	short, r, err := f.store.Held(fc.Tx, collection, id)
	if err != nil {
		return err
	}
	last, _ := moment(cast.Text(r.Value()["updated_at"]))
	c := &call{Call: kit.After(fc, last, time.Second), fake: f}
	value, err := f.store.Laid(short, r, set)
	if err != nil {
		return err
	}
	if err := f.store.Fits(short, id, value); err != nil {
		return err
	}
	if short == tickets {
		e := c.edit(r)
		e.value, e.author = value, system
		e.save()
		return nil
	}
	if _, dated := r.Value()["updated_at"]; dated {
		value["updated_at"] = c.now()
	}
	f.store.Update(c.Tx, short, id, value)
	c.note(short, id, r.Value())
	return nil
}

// Remove deletes a record: a ticket can be restored, a user stays, inactive.
func (f *Fake) Remove(fc *fakes.Call, collection, id string) error {
	short, r, err := f.store.Held(fc.Tx, collection, id)
	if err != nil {
		return err
	}
	c := &call{Call: fc, fake: f}
	if short == tickets && !living(r) {
		return fmt.Errorf("zendesk ticket %s is deleted already", id)
	}
	if refused := c.deleteOne(short, r); refused != nil {
		return fmt.Errorf("zendesk deletes no %s %s: %w", short, id, refused.err())
	}
	return nil
}

// Copy makes another record like one there is, made at the call's instant.
func (f *Fake) Copy(fc *fakes.Call, collection, copied string) (string, error) {
	c := &call{Call: fc, fake: f}
	made, err := f.store.Copy(c.Tx, collection, copied, func(value map[string]any) string {
		short := strings.TrimPrefix(collection, name+".")
		was := value["id"]
		if _, numbered := was.(int64); !numbered { // webhooks, jobs: letters
			fresh := c.NewID("", len(copied))
			value["id"] = fresh
			return fresh
		}
		n := c.fresh(short)
		if short == tickets {
			n = c.ticketID()
		}
		value["id"] = n
		for _, field := range addresses {
			if at, ok := value[field].(string); ok {
				value[field] = strings.Replace(at, "/"+cast.Plain(was), "/"+key(n), 1)
			}
		}
		for _, field := range []string{"created_at", "updated_at"} {
			if _, dated := value[field]; dated {
				value[field] = c.now()
			}
		}
		if _, dated := value["generated_timestamp"]; dated {
			value["generated_timestamp"] = c.Now.Unix()
		}
		return key(n)
	})
	if err == nil {
		c.note(strings.TrimPrefix(collection, name+"."), made, nil)
	}
	return made, err
}

// err is a refusal as those have it who are no clients.
func (r *refusal) err() error {
	if r.text != "" {
		return errors.New(r.text)
	}
	return errors.New(string(world.Encode(r.body)))
}
