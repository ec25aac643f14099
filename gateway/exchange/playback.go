package exchange

import (
	"maps"
	"net/http"
	"net/url"
	"time"

	"parity/faults"
	"parity/faults/trail"
	"parity/specs"
	"parity/specs/secret"
)

// Playback answers calls as a record does, in the place of fakes.
type Playback interface {
	// Next gives the next answered exchange of a meaning that was not given yet,
	// and what is noted of the call that gets it; nil: there is none.
	Next(meaning string) (was *trail.Exchange, note string)
	// Miss says that the record does not have a call, and what it has that comes
	// nearest.
	Miss(asked *trail.Exchange) (message string)
}

// Meaning is what a call means, whoever makes it.
func Meaning(list *secret.List, op *specs.Operation, in specs.Input) string {
	if len(in.Body) > 0 {
		in.Body, _ = plainly(list, op, in.Body).(map[string]any)
	} else if in.Value != nil {
		in.Value = plainly(list, op, in.Value)
	}
	if secrets := op.Secrets(in.Query); len(secrets) > 0 {
		in.Query = maps.Clone(in.Query)
		for _, name := range secrets {
			in.Query[name] = specs.Redacted
		}
	}
	in.Query, _ = list.Value(in.Query, specs.Plainly).(map[string]any)
	path := make(map[string]string, len(in.Path))
	for name, value := range in.Path {
		if path[name] = list.Text(value, specs.Plainly); list.Name(name) {
			path[name] = specs.Redacted
		}
		path[name] = op.RedactPath(url.PathEscape(path[name]), map[string]string{name: path[name]}, specs.Plainly)
	}
	in.Path = path
	return faults.Fingerprint("", op, in, time.Time{}) // what is sent now was recorded at another time
}

// playBack answers a call as the record does.
func (x *Exchange) playBack() {
	was, note := x.run.Playback.Next(Meaning(x.rev.Profile.Secrets, x.op, x.input))
	if was == nil {
		x.describe()
		asked := x.entry
		asked.Path = x.path
		x.refuse(trail.Denied, http.StatusNotImplemented, "replay-miss", x.run.Playback.Miss(&asked))
		x.describe()
		return
	}
	x.entry.Outcome, x.entry.Fidelity, x.entry.Wire = trail.Answered, trail.Recorded, was.Wire
	x.entry.Whole, x.entry.Note = was.Whole, note
	x.plan.Wire = was.Wire
	x.reply.Status, x.reply.Body, x.reply.Header = was.Status, was.ReplyBody, http.Header{}
	for _, f := range was.ReplyHeader {
		x.reply.Header.Add(f.Name, f.Value)
	}
	x.describe()
}
