package generic

import (
	"maps"
	"net/http"
	"slices"
	"strings"

	"parity/fakes"
	"parity/fakes/cast"
	"parity/fakes/chance"
	"parity/fakes/kit"
	"parity/fakes/world"
	"parity/specs"
	"parity/specs/openapi"
	"parity/specs/sample"
	"parity/specs/schema"
)

// Defer answers in the contract's own form, where it has one: with the 202 of
// the operation, and a read that shows how far such work is.
//
//	POST /reports   ─▶ 202 {"job_id": "op_…", "state": "queued"}, Location: /jobs/op_…
//	GET  /jobs/{id} ─▶ {"id": "op_…", "state": "queued" … "done"}
//
// Where what the service answers at once is such a 202 already, the record that
// it made is the job, and is there when the work is due.
func (f *Fake) Defer(fc *fakes.Call, w fakes.Work, said fakes.Reply) (fakes.Reply, string, bool) {
	c := &call{Call: fc, fake: f, plan: f.plans[fc.Operation.Source()]()}
	declared := c.plan.response("202")
	if declared == nil || declared.media == nil {
		return fakes.Reply{}, "", false
	}
	t := declared.as(http.StatusAccepted)
	told := workForm(t.schema())
	at := c.placeOf(t.schema(), told)
	if at == nil || told.id == "" {
		return fakes.Reply{}, "", false
	}
	value := map[string]any{}
	if own, _ := told.in(said.Result)[told.id]; said.Status == http.StatusAccepted && cast.Plain(own) != "" {
		w.ID = cast.Plain(own)
		value = maps.Clone(told.in(said.Result))
	} else {
		value[told.id] = c.workID(told.fields[told.id], w.ID)
		w.ID = cast.Plain(value[told.id])
	}
	where := fc.Base + c.filledPath(at, w.ID)
	told.tell(value, w, where)
	reply := c.written(fakes.Reply{Status: t.status, Header: http.Header{"Location": {where}}}, t, world.Normalise(told.around(c, t.schema(), value)))
	return reply, w.ID, true
}

// awaited gives the work that a read asks about.
func (c *call) awaited() (fakes.Work, bool) {
	if c.plan.source.Method != http.MethodGet || c.fake.stateless {
		return fakes.Work{}, false
	}
	for _, id := range c.Input.Path {
		if w, ok := kit.WorkOf(c.Tx, c.fake.service, id, c.Now); ok {
			return w, true
		}
	}
	return fakes.Work{}, false
}

// progress tells how far work is.
func (c *call) progress(w fakes.Work) fakes.Reply {
	t := c.plan.success(http.StatusOK)
	told := workForm(t.schema())
	if t.media == nil || told.status == "" {
		return c.attempt()
	}
	value := map[string]any{}
	if w.State == fakes.WorkSucceeded {
		if own := c.attempt(); own.Status/100 == 2 { // what was made is the job
			value = maps.Clone(told.in(own.Result))
		}
	} else if same(workSchema(c.fake.contract, w), t.schema()) {
		value = maps.Clone(told.in(w.Result))
	}
	if value == nil {
		value = map[string]any{}
	}
	if told.id != "" {
		value[told.id] = c.workID(told.fields[told.id], w.ID)
	}
	told.tell(value, w, "")
	told.conclude(&c.fake.library, value, w)
	reply := c.written(fakes.Reply{Status: t.status, Header: http.Header{}, Fidelity: fakes.Generic}, t, world.Normalise(told.around(c, t.schema(), value)))
	kit.AskAgain(reply.Header, w)
	return reply
}

// workSchema is what the operation that was called says of its 202; nil for
// nothing.
func workSchema(contract *specs.Contract, w fakes.Work) *schema.Schema {
	op, ok := contract.Operation(w.Operation)
	if !ok {
		return nil
	}
	responses, _ := op.Source().Responses()
	for i := range responses {
		if responses[i].Status == "202" && pick(&responses[i]) != nil {
			return pick(&responses[i]).Schema
		}
	}
	return nil
}

// placeOf finds the read that shows how far work is: of one thing with a state,
// which looks as the 202 does, or is named by its id, or is called a job.
func (c *call) placeOf(of *schema.Schema, told *workFields) *specs.Operation {
	var best *specs.Operation
	most := 0
	for _, op := range c.fake.contract.Operations {
		param, ok := c.open(op)
		if !ok || op.Method != http.MethodGet || op.Anatomy.List {
			continue
		}
		shown := successOf(op.Source())
		form := workForm(shown)
		if form.status == "" {
			continue
		}
		n := 0
		if same(of, shown) {
			n += 4
		}
		if told.id != "" && canon(told.id) != "id" && canon(told.id) == canon(param) {
			n += 2
		}
		if before, _, _ := strings.Cut(op.Path, "{"+param+"}"); slices.ContainsFunc(workWords, func(word string) bool { return strings.Contains(strings.ToLower(before), word) }) {
			n++
		}
		if n > most {
			best, most = op, n
		}
	}
	return best
}

// open is the one parameter in the path of an operation to which the call has no
// value.
func (c *call) open(op *specs.Operation) (string, bool) {
	param, n := "", 0
	for part := range strings.SplitSeq(op.Path, "{") {
		name, _, ok := strings.Cut(part, "}")
		if _, known := c.Input.Path[name]; ok && !known {
			param, n = name, n+1
		}
	}
	return param, n == 1
}

func (c *call) filledPath(op *specs.Operation, id string) string {
	var b strings.Builder
	rest := op.Path
	for {
		before, after, ok := strings.Cut(rest, "{")
		b.WriteString(before)
		if !ok {
			return b.String()
		}
		name, after, _ := strings.Cut(after, "}")
		if value, known := c.Input.Path[name]; known {
			b.WriteString(value)
		} else {
			b.WriteString(id)
		}
		rest = after
	}
}

// workID is the id of work, in the form that the contract wants.
func (c *call) workID(s *schema.Schema, id string) any {
	if s == nil || c.fake.library.Fits(s, id, sample.Reply) {
		return id
	}
	if number := numbered(id); number != any(id) && c.fake.library.Fits(s, number, sample.Reply) {
		return number
	}
	seed := fixedSeed(id)
	if slices.Contains(typed(s).Types, "integer") {
		return int64(1_000_000_000 + chance.Pick(seed, 1_000_000_000, "id"))
	}
	return source{library: &c.fake.library, seed: func() chance.Seed { return seed }}.value(s, "id")
}

// successOf is the schema of what an operation answers with.
func successOf(source *openapi.Operation) *schema.Schema {
	responses, _ := source.Responses()
	for i := range responses {
		if strings.HasPrefix(responses[i].Status, "2") && pick(&responses[i]) != nil {
			return pick(&responses[i]).Schema
		}
	}
	return nil
}

var _ fakes.Deferrer = (*Fake)(nil)
