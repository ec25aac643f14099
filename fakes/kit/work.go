package kit

import (
	"net/http"
	"strconv"
	"time"

	"parity/fakes"
	"parity/fakes/cast"
	"parity/fakes/world"
)

// WorkKind is what the jobs of the world call work that was accepted to be done
// later: they keep other things that are to come too.
const WorkKind = "work"

// WorkOf gives work that a service has accepted, as it is at an instant.
func WorkOf(r world.Getter, service, id string, now time.Time) (fakes.Work, bool) {
	record, ok := r.Get(fakes.JobsCollection, id)
	if !ok || Text(record.Value(), "kind") != WorkKind || Text(record.Value(), "service") != service {
		return fakes.Work{}, false
	}
	return WorkIn(record.ID, record.Value(), now), true
}

// WorkIn reads the record of work.
func WorkIn(id string, record map[string]any, now time.Time) fakes.Work {
	at := func(field string) time.Time { n, _ := record[field].(int64); return time.Unix(0, n).UTC() }
	w := fakes.Work{
		ID: id, State: fakes.WorkPending, Operation: Text(record, "operation"), Accepted: at("accepted"), Due: at("due"),
		RetryAfter: time.Duration(cast.Int(record["retry_after"])) * time.Second, Result: cast.Object(record["result"]),
	}
	switch state := Text(record, "state"); {
	case state == "done":
		w.State = fakes.WorkSucceeded
	case state == "failed" || Text(record, "ends") == "fails" && !now.Before(w.Due):
		w.State = fakes.WorkFailed
	}
	return w
}

// AskAgain says when to ask how far work is, of work that is pending.
func AskAgain(header http.Header, w fakes.Work) {
	if w.State == fakes.WorkPending {
		header.Set("Retry-After", strconv.FormatInt(int64(w.RetryAfter/time.Second), 10))
	}
}
