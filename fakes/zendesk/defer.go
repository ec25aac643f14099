package zendesk

import (
	"maps"
	"net/http"
	"slices"
	"strings"

	"parity/fakes"
	"parity/fakes/cast"
	"parity/fakes/world"
)

// Defer answers with a job, as calls for many records and those with async=true
// are answered anyway. Those keep the job that they have.
func (f *Fake) Defer(fc *fakes.Call, w fakes.Work, said fakes.Reply) (fakes.Reply, string, bool) {
	if own, ok := said.Result["job_status"].(map[string]any); ok && cast.Text(own["id"]) != "" {
		return said, cast.Text(own["id"]), true
	}
	c := &call{Call: fc, fake: f}
	w.ID = "V3-" + strings.TrimPrefix(w.ID, "op_")
	status := http.StatusOK
	if slices.Contains(fc.Operation.Statuses(), "202") {
		status = http.StatusAccepted
	}
	value := map[string]any{"job_status": c.deferred(w)}
	return fakes.Reply{Status: status, Header: http.Header{"Content-Type": {"application/json; charset=utf-8"}}, Body: world.Encode(value), Result: value}, w.ID, true
}

// deferred is a job that one call's work is.
func (c *call) deferred(w fakes.Work) map[string]any {
	value := map[string]any{
		"id": w.ID, "url": c.Base + api + jobs + "/" + w.ID + ".json", "total": int64(1), "progress": nil, "status": "queued", "message": nil, "results": nil,
	}
	switch w.State {
	case fakes.WorkSucceeded:
		value["status"], value["progress"] = "completed", int64(1)
		value["message"] = "Completed at " + w.Due.Format("2006-01-02 15:04:05 +0000")
		value["results"] = []any{outcome(w)}
	case fakes.WorkFailed:
		value["status"], value["progress"] = "failed", int64(0)
		value["message"], value["results"] = "The job could not be completed", []any{}
	}
	return value
}

// outcome tells what came of the one record that a job is about.
func outcome(w fakes.Work) map[string]any {
	method, _, _ := strings.Cut(w.Operation, " ")
	action := map[string]string{http.MethodPost: "create", http.MethodDelete: "delete"}[method]
	if action == "" {
		action = "update"
	}
	result := map[string]any{"index": int64(0), "action": action, "status": map[string]string{"create": "Created", "update": "Updated", "delete": "Deleted"}[action], "success": true}
	for _, part := range slices.Sorted(maps.Keys(w.Result)) { // the record, beside what is told of it
		if record, ok := w.Result[part].(map[string]any); ok && record["url"] != nil && record["id"] != nil {
			result["id"] = record["id"]
		}
	}
	return result
}
