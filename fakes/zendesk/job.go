package zendesk

import (
	"fmt"
	"net/http"
	"strings"
	"time"

	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

func jobHandlers() map[string]handler {
	return map[string]handler{
		"TicketsCreateMany":            createMany(tickets),
		"TicketsUpdateMany":            updateMany(tickets),
		"BulkDeleteTickets":            destroyMany(tickets),
		"BulkPermanentlyDeleteTickets": scrubMany,
		"CreateOrUpdateManyUsers":      many("upsert", users),
		"TicketImport":                 importTicket,
		"TicketBulkImport":             importTickets,
		"MarkManyTicketsAsSpam":        byIDs("spam", tickets),
		"ListTicketAudits":             listAllAudits,
		"ListJobStatuses":              listAll(jobs),
		"ShowJobStatus":                showJob,
		"ShowManyJobStatuses":          showJobs,
	}
}

// How long a job waits, and how long it takes.
const (
	jobWait = time.Second
	jobWork = 2 * time.Second
)

// mostAtOnce is how many records a job takes.
// Source: developer.zendesk.com/api-reference/ticketing/tickets/tickets.
const mostAtOnce = 100

// A todo is what a job has to do, to which records.
type todo struct {
	kind, collection string // create, update, delete, scrub, merge
	items            []any  // what is said of each, or its id
	alone            bool   // of the one record that the path names, of which nothing is counted
	into             int64  // the target of a merge; the number that a new ticket was promised
	words            map[string]any
}

// job queues what is to be done later. It is done as who asked for it.
func (c *call) job(t todo) map[string]any {
	n := "V3-" + fmt.Sprintf("%032x", c.NewID("", 16))
	n = n[:35]
	c.keep(work, n, map[string]any{
		"id": n, "kind": t.kind, "collection": t.collection, "items": t.items, "alone": t.alone, "into": t.into, "words": t.words, "user": c.callerID(), "base": c.Base,
	})
	status := map[string]any{
		"id": n, "url": c.Base + api + jobs + "/" + n + ".json", "total": nil, "progress": nil, "status": "queued", "job_type": t.name(), "message": nil, "results": nil,
	}
	c.fake.store.Create(c.Tx, jobs, n, status)
	c.schedule(timerWork, n, jobWait)
	return status
}

// toDo is how many records a job is about. One that is queued does not say, as
// recorded.
func (c *call) toDo(n string) int64 {
	r, _ := c.Tx.Get(full(work), n)
	return int64(len(cast.List(value(r)["items"])))
}

// name is what a job is called, such as Bulk Create Ticket.
func (t todo) name() string {
	verb := map[string]string{"scrub": "Delete", "spam": "Mark As Spam"}[t.kind]
	return "Bulk " + orDefault(verb, titleOf(t.kind)) + " " + titleOf(strings.TrimSuffix(t.collection, "s"))
}

func (c *call) jobAnswer(t todo) (answer, *refusal) {
	if len(t.items) > mostAtOnce {
		return answer{}, tooManyValues()
	}
	return answer{value: map[string]any{"job_status": c.job(t)}}, nil
}

func createMany(collection string) handler { return many("create", collection) }

func many(kind, collection string) handler {
	return func(c *call) (answer, *refusal) {
		items, ok := c.Input.Body[collection].([]any)
		if !ok || len(items) == 0 {
			return answer{}, titled(http.StatusBadRequest, "Parameter Missing", "Required parameter missing: %s", collection)
		}
		return c.jobAnswer(todo{kind: kind, collection: collection, items: items})
	}
}

// updateMany changes many by one description (ids in the query), or each by its
// own (a list in the body).
func updateMany(collection string) handler {
	return func(c *call) (answer, *refusal) {
		items, many := c.Input.Body[collection].([]any)
		if !many {
			one := c.fake.single(collection)
			said, ok := c.Input.Body[one].(map[string]any)
			if !ok {
				return answer{}, titled(http.StatusBadRequest, "Parameter Missing", "Required parameter missing: %s", one)
			}
			for _, n := range c.asked(collection) {
				items = append(items, with(said, map[string]any{"id": n}))
			}
		}
		if len(items) == 0 {
			return answer{}, titled(http.StatusBadRequest, "Parameter Missing", "Required parameter missing: ids")
		}
		return c.jobAnswer(todo{kind: "update", collection: collection, items: items})
	}
}

func (f *Fake) single(collection string) string { return strings.TrimSuffix(collection, "s") }

// asked gives the ids that the query names.
func (c *call) asked(collection string) []int64 {
	out := ids(c.query("ids"))
	if external := c.query("external_ids"); external != "" {
		for one := range strings.SplitSeq(external, ",") {
			for _, r := range c.those(collection, "external_id", one, nil) {
				out = append(out, id(r.Value(), "id"))
			}
		}
	}
	return out
}

func destroyMany(collection string) handler { return byIDs("delete", collection) }

var scrubMany = byIDs("scrub", tickets)

func byIDs(what, collection string) handler {
	return func(c *call) (answer, *refusal) {
		asked := c.asked(collection)
		if len(asked) == 0 {
			return answer{}, titled(http.StatusBadRequest, "Parameter Missing", "Required parameter missing: ids")
		}
		return c.jobAnswer(todo{kind: what, collection: collection, items: cast.Anys(asked)})
	}
}

func showJob(c *call) (answer, *refusal) {
	r, refused := c.member(jobs, "job_status_id")
	if refused != nil {
		if w, ok := kit.WorkOf(c.Tx, name, c.Input.Path["job_status_id"], c.Now); ok {
			header := http.Header{}
			kit.AskAgain(header, w)
			return answer{value: map[string]any{"job_status": c.deferred(w)}, header: header}, nil
		}
		return answer{}, refused
	}
	return c.one("job_status", r)
}

func showJobs(c *call) (answer, *refusal) {
	some := []*world.Record{}
	for n := range strings.SplitSeq(c.query("ids"), ",") {
		if r, ok := c.Tx.Get(full(jobs), n); ok {
			some = append(some, r)
		}
	}
	return c.list(listing{collection: jobs, some: some, narrowed: true})
}

func (c *call) startJob(n string) {
	r, ok := c.Tx.Get(full(jobs), n)
	if !ok || r.Value()["status"] != "queued" {
		return
	}
	now := map[string]any{"status": "working", "message": "Working"}
	if todo, ok := c.Tx.Get(full(work), n); ok && todo.Value()["alone"] != true {
		now["total"], now["progress"] = c.toDo(n), int64(0)
	}
	c.fake.store.Update(c.Tx, jobs, n, with(r.Value(), now))
	c.schedule(timerFinish, n, jobWork)
}

// finishJob does the work, and tells of each record what came of it.
func (c *call) finishJob(n string) {
	r, ok := c.Tx.Get(full(jobs), n)
	todo, known := c.Tx.Get(full(work), n)
	if !ok || !known {
		return
	}
	c.Base = cast.Text(todo.Value()["base"])
	c.asker = nil
	if user, ok := c.find(users, id(todo.Value(), "user")); ok {
		c.asker = user.Value()
	} else {
		c.asker = map[string]any{"id": id(todo.Value(), "user"), "role": "admin"}
	}
	items, _ := todo.Value()["items"].([]any)
	c.promised = id(todo.Value(), "into")
	results := make([]any, 0, len(items))
	if todo.Value()["kind"] == "merge" {
		results = c.merge(todo.Value(), items)
	} else {
		for i, item := range items {
			results = append(results, c.do(cast.Text(todo.Value()["kind"]), cast.Text(todo.Value()["collection"]), i, item))
		}
	}
	now := map[string]any{"status": "completed", "message": "Completed at " + c.Now.UTC().Format("2006-01-02 15:04:05 +0000")}
	if todo.Value()["alone"] == true {
		now["results"] = map[string]any{"success": cast.Object(results[0])["success"] == true}
	} else {
		now["total"], now["progress"], now["results"] = c.toDo(n), c.toDo(n), results
	}
	c.fake.store.Update(c.Tx, jobs, n, with(r.Value(), now))
	kit.Must(name, c.Tx.Delete(full(work), n))
}

// do does one piece of a job.
func (c *call) do(what, collection string, index int, item any) map[string]any {
	said, _ := item.(map[string]any)
	n := id(said, "id")
	if said == nil {
		n, _ = whole(item)
	}
	var refused *refusal
	made := n
	r, ok := c.find(collection, n)
	if ok && collection == tickets && living(r) == (what == "scrub") {
		ok = false
	}
	switch {
	case what == "create":
		made, refused = c.createOne(collection, said)
	case what == "import":
		if r, refused = c.importedTicket(said); refused == nil {
			made = id(r.Value(), "id")
		}
	case !ok:
		refused = notFound()
	case what == "update":
		refused = c.updateOne(collection, r, said)
	case what == "scrub":
		c.scrub(r)
	case what == "upsert":
		made, what, refused = c.upsert(said)
	case what == "spam":
		refused = c.spam(r)
	default:
		refused = c.deleteOne(collection, r)
	}
	past := map[string]string{"create": "Created", "update": "Updated", "delete": "Deleted", "scrub": "Deleted"}[what]
	result := map[string]any{"index": int64(index), "action": what, "id": made, "status": past, "success": true}
	if refused != nil {
		result = map[string]any{"index": int64(index), "action": what, "id": n, "status": "Failed", "success": false, "error": failed(refused, what, collection), "details": reason(refused)}
	}
	return result
}

// failed names why a piece of a job failed.
func failed(r *refusal, what, collection string) string {
	if s, ok := r.body["error"].(string); ok && s == "RecordNotFound" {
		return titleOf(strings.TrimSuffix(collection, "s")) + "NotFound"
	}
	return titleOf(strings.TrimSuffix(collection, "s")) + strings.ToUpper(what[:1]) + what[1:] + "Failed"
}

// reason is a refusal in one line.
func reason(r *refusal) string {
	details, _ := r.body["details"].(map[string]any)
	var lines []string
	for _, faults := range details {
		for _, one := range cast.List(faults) {
			lines = append(lines, cast.Text(cast.Object(one)["description"]))
		}
	}
	if len(lines) > 0 {
		return joined(sortedTexts(lines))
	}
	if inner, ok := r.body["error"].(map[string]any); ok {
		return cast.Text(inner["message"])
	}
	return cast.Text(r.body["description"])
}
