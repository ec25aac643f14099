package sendgrid

import (
	"fmt"
	"maps"
	"net/http"
	"strconv"
	"strings"
	"time"

	"parity/fakes"
	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

// importTime is what a job takes. SendGrid says only that it is done later.
const importTime = 15 * time.Second

// upsertContacts takes contacts; they are there when the job is done.
func upsertContacts(c *call) (answer, *refusal) {
	r := &refusal{status: http.StatusBadRequest}
	sent := cast.List(c.Input.Body["contacts"])
	for i, one := range sent {
		email, given := cast.Object(one)["email"].(string)
		identified := cast.Text(cast.Object(one)["external_id"]) != "" || cast.Text(cast.Object(one)["phone_number_id"]) != "" || cast.Text(cast.Object(one)["anonymous_id"]) != ""
		switch field := "contacts[" + strconv.Itoa(i) + "].email"; {
		case (!given || email == "") && !identified:
			r.problems = append(r.problems, problem{field: field, message: "email is required"})
		case email != "" && !isEmail(email):
			r.problems = append(r.problems, problem{field: field, message: "email is invalid"})
		}
	}
	for _, id := range cast.List(c.Input.Body["list_ids"]) {
		if _, known := c.get(lists, cast.Text(id)); !known {
			r.problems = append(r.problems, problem{field: "list_ids", message: fmt.Sprintf("list %s does not exist", clip(cast.Text(id)))})
		}
	}
	if strange := c.strangeFields(sent); strange != nil { // github.com/sendgrid/sendgrid-nodejs/issues/953
		r.problems = append(r.problems, problem{field: "custom_fields", message: "invalid custom field ids supplied - " + clip(strings.Join(strange, ","))})
	}
	if len(r.problems) > 0 {
		return answer{}, r
	}
	return c.job("upsert_contacts", int64(len(sent)), map[string]any{"contacts": sent, "list_ids": cast.List(c.Input.Body["list_ids"])}), nil
}

func deleteContacts(c *call) (answer, *refusal) {
	all := c.query("delete_all_contacts") == "true"
	var ids []any
	for id := range strings.SplitSeq(c.query("ids"), ",") {
		if id = strings.TrimSpace(id); id != "" {
			ids = append(ids, id)
		}
	}
	if !all && len(ids) == 0 {
		return answer{}, invalid("ids", "either ids or delete_all_contacts is required")
	}
	if len(ids) > 100 {
		return answer{}, invalid("ids", "at most 100 ids may be given")
	}
	return c.job("delete_contacts", int64(len(ids)), map[string]any{"ids": ids, "all": all}), nil
}

// job notes work to be done later, and answers with its id.
func (c *call) job(kind string, requested int64, work map[string]any) answer {
	id := c.uuid()
	c.put(contactJobs, id, map[string]any{
		"id": id, "status": "pending", "job_type": kind, "started_at": iso(c.Now), "results": map[string]any{"requested_count": requested},
	})
	work["id"] = id
	c.keep(workCollection, id, work)
	c.after(importTime, importTimer, id)
	return answer{status: http.StatusAccepted, value: map[string]any{"job_id": id}}
}

func getJob(c *call) (answer, *refusal) {
	record, refused := c.member(contactJobs, "id", refuse(http.StatusNotFound, "", "job not found"))
	if refused != nil {
		if w, known := kit.WorkOf(c.Tx, name, c.Input.Path["id"], c.Now); known {
			return deferred(w), nil
		}
		return answer{}, refused
	}
	return ok(record.Value()), nil
}

// Defer keeps the job that contacts are changed by. Other calls have none.
func (f *Fake) Defer(_ *fakes.Call, _ fakes.Work, said fakes.Reply) (fakes.Reply, string, bool) {
	id := cast.Text(said.Result["job_id"])
	return said, id, id != ""
}

// deferred is a job that has not begun, or never will.
func deferred(w fakes.Work) answer {
	kind := "upsert_contacts"
	switch {
	case strings.Contains(w.Operation, "/lists/"):
		kind = "remove_contacts"
	case strings.HasPrefix(w.Operation, http.MethodDelete):
		kind = "delete_contacts"
	}
	value := map[string]any{"id": w.ID, "status": "pending", "job_type": kind, "started_at": iso(w.Accepted)}
	if w.State == fakes.WorkFailed {
		value["status"], value["finished_at"] = "failed", iso(w.Due)
		return ok(value)
	}
	header := http.Header{}
	kit.AskAgain(header, w)
	return answer{status: http.StatusOK, value: value, header: []string{"Retry-After", header.Get("Retry-After")}}
}

// work does what a job is to do.
func (c *call) work(id string) {
	todo, known := c.Tx.Get(workCollection, id)
	if !known {
		return
	}
	c.drop(workCollection, id)
	record, known := c.get(contactJobs, id)
	if !known {
		return
	}
	counts := map[string]any{"requested_count": cast.Object(record.Value()["results"])["requested_count"]}
	switch record.Value()["job_type"] {
	case "upsert_contacts":
		made, changed, failed := int64(0), int64(0), int64(0)
		for _, one := range cast.List(todo.Value()["contacts"]) {
			switch {
			case cast.Text(cast.Object(one)["email"]) == "":
				failed++ // known by another identifier only, which is not played
			case c.saveContact(cast.Object(one), cast.List(todo.Value()["list_ids"])):
				made++
			default:
				changed++
			}
		}
		counts["created_count"], counts["updated_count"], counts["errored_count"] = made, changed, failed
	case "delete_contacts":
		counts["deleted_count"] = c.forgetSome(todo.Value())
	case "remove_contacts":
		counts["updated_count"] = c.takeOff(todo.Value())
	}
	value := maps.Clone(record.Value())
	value["status"], value["results"], value["finished_at"] = "completed", counts, iso(c.Now)
	c.put(contactJobs, id, value)
}

func (c *call) forgetSome(todo map[string]any) int64 {
	ids := cast.List(todo["ids"])
	inList := cast.Text(todo["list"])
	if todo["all"] == true || inList != "" {
		ids = nil
		c.all(contacts, func(r *world.Record) bool {
			if inList == "" || hasAny(cast.List(r.Value()["list_ids"]), inList) {
				ids = append(ids, r.ID)
			}
			return true
		})
	}
	n := int64(0)
	for _, id := range ids {
		if c.forget(cast.Text(id)) {
			n++
		}
	}
	return n
}

// takeOff takes contacts off a list.
func (c *call) takeOff(todo map[string]any) int64 {
	n := int64(0)
	for _, id := range cast.List(todo["ids"]) {
		record, known := c.get(contacts, cast.Text(id))
		if !known || !hasAny(cast.List(record.Value()["list_ids"]), todo["list"]) {
			continue
		}
		c.offList(record, todo["list"])
		n++
	}
	return n
}

func (c *call) offList(record *world.Record, id any) {
	value := maps.Clone(record.Value())
	kept := []any{}
	for _, one := range cast.List(record.Value()["list_ids"]) {
		if one != id {
			kept = append(kept, one)
		}
	}
	value["list_ids"], value["updated_at"] = kept, iso(c.Now)
	c.put(contacts, record.ID, value)
	search.Note(c.Tx, record.ID, record.Value(), c.Now)
}
