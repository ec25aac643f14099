package sendgrid

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"parity/fakes"
	"parity/fakes/cast"
	"parity/fakes/kit"
)

// Subject names the record that a call is about. Addresses are in lower case.
func (f *Fake) Subject(fc *fakes.Call) (collection, id string) {
	a := fc.Operation.Anatomy
	if sent := fc.Input.Path[a.Member]; a.Member == "email" && sent != strings.ToLower(sent) {
		other := *fc
		other.Input.Path = maps.Clone(fc.Input.Path)
		other.Input.Path[a.Member] = strings.ToLower(sent)
		fc = &other
	}
	collection, id = kit.Subject(fc)
	if collection == full(templateVersions) {
		if r, ok := fc.Tx.Get(collection, id); !ok || r.Value()["template_id"] != fc.Input.Path["template_id"] {
			return "", ""
		}
	}
	return collection, id
}

// Edit changes a record. SendGrid has no versions: who writes to one that has
// changed since overwrites the change.
func (f *Fake) Edit(fc *fakes.Call, collection, id string, set map[string]any) error {
	short, record, err := f.store.Held(fc.Tx, collection, id)
	if err != nil {
		return err
	}
	err = f.store.Edit(fc.Tx, collection, id, set, func(value map[string]any) {
		switch held := record.Value()["updated_at"].(type) {
		case string:
			layout := time.RFC3339
			if strings.Contains(held, " ") {
				layout = time.DateTime
			}
			value["updated_at"] = fc.Now.UTC().Format(layout)
		case int64:
			value["updated_at"] = fc.Now.Unix()
		}
	})
	if err == nil && short == contacts {
		search.Note(fc.Tx, id, record.Value(), fc.Now)
	}
	return err
}

// Remove deletes a record, with all that its own deletion takes along.
func (f *Fake) Remove(fc *fakes.Call, collection, id string) error {
	short, _, err := f.store.Held(fc.Tx, collection, id)
	if err != nil {
		return err
	}
	c := &call{Call: fc, fake: f}
	if short == contacts {
		c.forget(id)
		return nil
	}
	op, ok := kit.Deletion(f.contract, short)
	if !ok {
		if slices.Contains([]string{messages, stats}, short) {
			return fmt.Errorf("sendgrid deletes no %s", short)
		}
		f.store.Delete(fc.Tx, short, id)
		return nil
	}
	c.Call = kit.As(fc, op, map[string]string{op.Anatomy.Member: id}, nil)
	if _, refused := f.handlers[op.ID](c); refused != nil {
		return fmt.Errorf("sendgrid %s %s: %v", short, id, refused.value(false))
	}
	return nil
}

// Copy makes another record like one there is. What is found by an address gets
// another address.
func (f *Fake) Copy(fc *fakes.Call, collection, id string) (string, error) {
	c := &call{Call: fc, fake: f}
	copied, err := f.store.Copy(fc.Tx, collection, id, func(value map[string]any) string {
		fresh := c.uuid()
		if email, ok := value["email"].(string); ok {
			value["email"] = strings.ToLower(c.NewID("", 6)) + "." + email
		}
		if group, ok := value["group_id"].(int64); ok && collection == full(groupSuppressions) {
			fresh = groupMember(group, cast.Text(value["email"]))
			value["id"] = fresh
			return fresh
		}
		switch _, numbered := strconv.ParseInt(id, 10, 64); {
		case numbered == nil:
			n := c.next(strings.TrimPrefix(collection, name+"."), 1)
			for _, taken := fc.Tx.Get(collection, strconv.FormatInt(n, 10)); taken; _, taken = fc.Tx.Get(collection, strconv.FormatInt(n, 10)) {
				n = c.next(strings.TrimPrefix(collection, name+"."), n+1)
			}
			if fresh = strconv.FormatInt(n, 10); value["id"] != id {
				value["id"] = n
				return fresh
			}
		case strings.Contains(id, "@"):
			fresh = cast.Text(value["email"])
		case strings.HasPrefix(id, "d-"):
			fresh = "d-" + c.hex(32)
		}
		if value["id"] != nil {
			value["id"] = fresh
		}
		return fresh
	})
	if err == nil && collection == full(contacts) {
		search.Note(fc.Tx, copied, nil, fc.Now)
	}
	return copied, err
}
