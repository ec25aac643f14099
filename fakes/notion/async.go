package notion

import (
	"net/http"
	"time"

	"parity/fakes"
	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
	"parity/specs"
)

// asyncTimer is the kind of the timers of work that is done in the background.
const asyncTimer = "async-task"

// asyncLag is how long that takes here, and how long clients are told to wait
// between two looks.
// Source: developers.notion.com/reference/retrieve-async-task, poll_after_seconds.
const asyncLag = 2 * time.Second

// asyncOperations are those that can be done in the background, as tasks name
// them.
var asyncOperations = map[string]string{"post-page": "POST /v1/pages", "update-page-markdown": "PATCH /v1/pages/:page_id/markdown"}

// deferred tells whether the client lets the call be done later: pages only
// with markdown.
func (c *call) deferred() (bool, *refusal) {
	if asyncOperations[c.Operation.ID] == "" {
		return false, nil
	}
	at := c.body().at("allow_async")
	if at.sent {
		if wrong := at.isBool(); wrong != nil {
			return false, invalid("body", wrong)
		}
	}
	return at.value == true && (c.Operation.ID != "post-page" || c.body().at("markdown").sent), nil
}

// accept takes work on that is done a moment later by the run's clock. What is
// wrong with it is refused at once: the work is tried, and given up again.
func (c *call) accept() (map[string]any, *refusal) {
	before := c.Tx.Mark()
	_, refused := c.fake.handlers[c.Operation.ID](c)
	c.Tx.Restore(before)
	if refused != nil {
		return nil, refused
	}
	id := c.NewID("task_", 22)
	task := map[string]any{
		"object": "async_task", "id": id, "status": "queued", "created_time": c.Now.UTC().Format(timeLayout),
		"request": map[string]any{"operation": c.Operation.ID, "version": c.version, "path": world.Normalise(anyOf(c.Input.Path)), "body": c.Input.Body, "base": c.Base},
	}
	c.fake.store.Create(c.Tx, asyncTasks, id, task)
	kit.Must(name, kit.Schedule(c.Tx, fakes.Timer{Service: name, Kind: asyncTimer, Subject: id, Due: c.Now.Add(asyncLag)}))
	return c.showTask(task), nil
}

func anyOf(texts map[string]string) map[string]any {
	out := make(map[string]any, len(texts))
	for key, text := range texts {
		out[key] = text
	}
	return out
}

func (c *call) showTask(task map[string]any) map[string]any {
	request := cast.Object(task["request"])
	shown := map[string]any{
		"object": "async_task", "id": task["id"], "status": task["status"], "status_url": c.Base + "/v1/async_tasks/" + kit.Text(task, "id"),
		"created_time": task["created_time"], "operation": map[string]any{"surface": "rest", "name": asyncOperations[kit.Text(request, "operation")]},
	}
	for _, field := range []string{"result", "error"} {
		if task[field] != nil {
			shown[field] = task[field]
		}
	}
	if task["status"] == "queued" {
		shown["poll_after_seconds"] = int64(asyncLag / time.Second)
	}
	return shown
}

func (c *call) pathTask() (*world.Record, *refusal) {
	id := c.Input.Path["task_id"]
	record, ok := c.find(asyncTasks, id)
	if !ok {
		return nil, c.missing("async_task", id)
	}
	return record, nil
}

func getTask(c *call, task *world.Record) (map[string]any, *refusal) {
	return c.showTask(task.Value()), nil
}

// Fire does work that was accepted.
func (f *Fake) Fire(fc *fakes.Call, timer fakes.Timer) {
	record, ok := f.store.Get(fc.Tx, asyncTasks, timer.Subject)
	if !ok || timer.Kind != asyncTimer || record.Value()["status"] != "queued" {
		return
	}
	request := cast.Object(record.Value()["request"])
	operation, ok := f.contract.Operation(kit.Text(request, "operation"))
	if !ok {
		return // another version of the contract asked for it
	}
	own := *fc
	own.Operation, own.Header = operation, http.Header{"Notion-Version": {kit.Text(request, "version")}}
	own.Base, own.Body = kit.Text(request, "base"), world.Encode(cast.Object(request["body"]))
	own.Input = specs.Input{Path: textsOf(cast.Object(request["path"])), Body: cast.Object(request["body"])}
	c := f.call(&own)
	before := c.Tx.Mark()
	result, refused := f.handlers[operation.ID](c)
	task := map[string]any{}
	for field, value := range record.Value() {
		task[field] = value
	}
	task["status"], task["result"] = "succeeded", result
	if refused != nil {
		c.Tx.Restore(before)
		delete(task, "result")
		task["status"] = "failed"
		task["error"] = map[string]any{"object": "error", "status": int64(refused.status), "code": refused.code, "message": refused.message}
	}
	f.store.Update(c.Tx, asyncTasks, record.ID, task)
}

func textsOf(values map[string]any) map[string]string {
	out := make(map[string]string, len(values))
	for key, value := range values {
		out[key] = cast.Text(value)
	}
	return out
}
