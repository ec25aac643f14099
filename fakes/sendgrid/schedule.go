package sendgrid

import (
	"maps"
	"net/http"
	"strconv"
	"time"

	"parity/fakes"
	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

// A batch id is good for ten days; ten batches at a time may be paused or
// cancelled; what is paused is given up 72 hours after its time.
// Source: twilio.com/docs/sendgrid/for-developers/sending-email/stopping-a-scheduled-send
// and .../scheduling-parameters.
const (
	batchLife  = 10 * 24 * time.Hour
	mostHeld   = 10
	pausedLife = 72 * time.Hour
)

func makeBatch(c *call) (answer, *refusal) {
	id := c.id(func() string { return c.NewID("", 48) })
	c.fake.store.Create(c.Tx, batches, id, map[string]any{"id": id, "batch_id": id, "created": c.Now.Unix()})
	return created(map[string]any{"batch_id": id}), nil
}

// batch finds a batch id that is still good.
func (c *call) batch(id string) (*world.Record, bool) {
	record, known := c.get(batches, id)
	if !known {
		return nil, false
	}
	made, dated := record.Value()["created"].(int64)
	return record, !dated || c.Now.Before(time.Unix(made, 0).Add(batchLife))
}

func getBatch(c *call) (answer, *refusal) {
	id := c.Input.Path["batch_id"]
	if _, good := c.batch(id); !good {
		return answer{}, invalid("", "invalid batch id")
	}
	return ok(map[string]any{"batch_id": id}), nil
}

func held(r *world.Record) map[string]any { return shape(r.Value(), "batch_id", "status") }

func listScheduled(c *call) (answer, *refusal) {
	all := []any{}
	c.all(scheduledSends, func(r *world.Record) bool {
		all = append(all, held(r))
		return true
	})
	return ok(all), nil
}

func getScheduled(c *call) (answer, *refusal) {
	record, known := c.get(scheduledSends, c.Input.Path["batch_id"])
	if !known {
		return ok([]any{}), nil
	}
	return ok([]any{held(record)}), nil
}

// holdScheduled pauses or cancels a batch.
func holdScheduled(c *call) (answer, *refusal) {
	id, status := cast.Text(c.Input.Body["batch_id"]), cast.Text(c.Input.Body["status"])
	if _, good := c.batch(id); !good && c.Identity != fakes.Fixture { // what is old may be held since then
		return answer{}, invalid("batch_id", "invalid batch id")
	}
	if _, twice := c.get(scheduledSends, id); twice {
		return answer{}, invalid("batch_id", "a status for this batch id exists, try PATCH to update the status")
	}
	if c.Tx.Len(full(scheduledSends)) >= mostHeld {
		return answer{}, invalid("", "maximum number of cancellations/pauses reached")
	}
	record := c.fake.store.Create(c.Tx, scheduledSends, id, map[string]any{"id": id, "batch_id": id, "status": status})
	return created(held(record)), nil
}

func noBatch() *refusal { return refuse(http.StatusNotFound, "", "batch id not found") }

func changeScheduled(c *call, record *world.Record) (answer, *refusal) {
	value := maps.Clone(record.Value())
	value["status"] = c.Input.Body["status"]
	c.fake.store.Update(c.Tx, scheduledSends, record.ID, value)
	return noContent, nil
}

// releaseScheduled lets a batch go on. What is due goes out at once.
func releaseScheduled(c *call, record *world.Record) (answer, *refusal) {
	c.fake.store.Delete(c.Tx, scheduledSends, record.ID)
	var due []string
	for waits := range c.Tx.Find(waitingCollection, "batch_id", record.ID, 0) {
		if waits.Value()["paused"] == true {
			due = append(due, waits.ID)
		}
	}
	for i := len(due) - 1; i >= 0; i-- { // oldest first
		c.release(due[i])
	}
	return noContent, nil
}

// wait keeps an envelope until its time.
func (c *call) wait(e *envelope) {
	id := waitingID(e)
	c.keep(waitingCollection, id, map[string]any{
		"id": id, "message": e.id, "index": int64(e.index), "mail": e.mail, "batch_id": cast.Text(e.mail["batch_id"]), "due": e.due.Unix(), "key": e.key,
	})
	c.after(e.due.Sub(c.Now), sendTimer, id)
}

func waitingID(e *envelope) string { return e.id + "." + strconv.Itoa(e.index) }

// release sends what has waited, unless its batch is held.
func (c *call) release(id string) {
	record, known := c.Tx.Get(waitingCollection, id)
	if !known {
		return
	}
	v := record.Value()
	due, _ := v["due"].(int64)
	if hold, has := c.get(scheduledSends, cast.Text(v["batch_id"])); has {
		until := time.Unix(due, 0).Add(pausedLife)
		if hold.Value()["status"] == "cancel" || !c.Now.Before(until) {
			c.drop(waitingCollection, id)
			return
		}
		paused := maps.Clone(v)
		paused["paused"] = true
		c.keep(waitingCollection, id, paused)
		kit.Must(name, kit.Schedule(c.Tx, fakes.Timer{Service: name, Kind: sendTimer, Subject: id, Due: until}))
		return
	}
	c.drop(waitingCollection, id)
	kit.Must(name, kit.Cancel(c.Tx, name, sendTimer, id))
	e := newEnvelope(c, cast.Text(v["message"]), int(cast.Int(v["index"])), cast.Object(v["mail"]))
	e.key = cast.Text(v["key"])
	c.dispatch(e)
}
