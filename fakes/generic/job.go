package generic

import (
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"

	"parity/fakes"
	"parity/fakes/kit"
	"parity/specs/anatomy"
	"parity/specs/schema"
)

// A job is a record whose state the service alone moves on: made in one in which
// work has begun, it is done a while later, by the run's clock.
//
//	POST /exports ─▶ {"state": "queued"} ─ timer ─▶ {"state": "done", "finished_at": …}
//	GET  /exports/{id} ─▶ queued, and Retry-After … done
type job struct {
	field      path
	begun, end any
}

const (
	jobTimer   = "job-ends"
	jobTakes   = 2 * time.Second
	jobAskSoon = "1" // second, for whoever asks before
)

// jobOf tells how records of a resource are jobs; nil where they are none: where a
// client sets the state, an operation moves it on, or a behaviour file does.
func (f *Fake) jobOf(r *resource) *job {
	if r.rules.states != nil || r.Singleton || !r.creates || f.stateless {
		return nil
	}
	for _, role := range f.model.Roles {
		if role.Kind == anatomy.Action && f.res[role.Resource] == r && role.Member != "" && !stopping().MatchString(role.Name) {
			return nil
		}
	}
	for _, name := range r.form.names {
		if name != r.Status && !slices.Contains([]string{"status", "state", "phase", "jobstatus", "taskstatus"}, plainly(name)) || !slices.Contains(r.Server, name) {
			continue
		}
		if first, end, ok := course(r.form.fields[name]); ok {
			return &job{path{name}, first, end}
		}
	}
	return nil
}

// course gives the states in which work begins and ends: of an enum, or of a text
// whose description and example name some.
func course(s *schema.Schema) (first, end any, ok bool) {
	v := typed(s)
	words := v.Enum.Texts()
	if v.Enum == nil && v.Is("string") && v.Pattern == "" {
		about := exampleOf(v) + " " + v.Default.Text() + " " + s.View().Node().Get("description").Text()
		words = strings.FieldsFunc(about, func(r rune) bool { return r != '_' && r != '-' && !unicode.IsLetter(r) })
	}
	for _, word := range words {
		switch {
		case first == nil && begun().MatchString(word):
			first = word
		case end == nil && ended().MatchString(word):
			end = word
		}
	}
	return first, end, first != nil && end != nil
}

// stopping matches what may be done to a job without moving it on.
var stopping = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)cancel|abort|stop|terminat|retry|kill|download|result|log`)
})

// going tells whether a record is a job that is not over.
func (r *resource) going(value map[string]any) bool {
	j := r.begins().job
	if j == nil {
		return false
	}
	state, _ := j.field.get(value)
	words, ok := state.(string)
	return ok && begun().MatchString(words)
}

// begin sets the timer of a record that is a job.
func (c *call) begin(r *resource, e *entry) {
	if c.Identity != fakes.Fixture && r.going(e.value) {
		c.must(kit.Schedule(c.Tx, fakes.Timer{Service: c.fake.service, Kind: jobTimer, Subject: r.full + "|" + e.key, Due: c.Now.Add(jobTakes)}))
	}
}

// asked tells a client that looks at a job when to look again.
func (r *resource) asked(reply fakes.Reply, e *entry) fakes.Reply {
	if reply.Status == http.StatusOK && r.going(e.value) {
		reply.Header.Set("Retry-After", jobAskSoon)
	}
	return reply
}

// Fire ends a job, unless somebody has ended it before.
func (f *Fake) Fire(fc *fakes.Call, t fakes.Timer) {
	full, key, _ := strings.Cut(t.Subject, "|")
	c := &call{Call: fc, fake: f}
	for _, r := range f.order {
		record, ok := c.Tx.Get(r.full, key)
		if r.full != full || !ok || t.Kind != jobTimer || !r.going(record.Value()) {
			continue
		}
		d := draft{call: c, res: r}
		value := d.touched(record.Value(), r.begins().job.field.set(record.Value(), r.begins().job.end))
		for _, name := range r.form.names {
			switch s := r.form.fields[name]; {
			case closing().MatchString(name):
				value = d.stamped(value, name)
			case percent().MatchString(name) && fits(s, int64(100), 0):
				value = path{name}.set(value, int64(100))
			}
		}
		c.save(r, scope{}, entryOf(record), d.complete(r.form.unfailing(value)))
	}
}

var (
	closing = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)^(complet(ed|ion)|finish(ed)?|end(ed)?|done|processed)_?(at|on|date|time)$`)
	})
	percent = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)^(progress|percent(age)?|(progress|percent)_?(complete[d]?|done)?|progress_?percent(age)?)$`)
	})
)

var _ fakes.Timed = (*Fake)(nil)
