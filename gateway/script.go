package gateway

import (
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"sort"
	"strings"
	"sync"

	"parity/faults"
	"parity/faults/trail"
	"parity/gateway/report"
	"parity/specs"
	"parity/specs/secret"
	"parity/specs/words"
)

// script is a record that answers in the place of fakes: each call gets what
// the like call got there, in the same order. It refuses what the record does
// not have.
type script struct {
	run  string
	lost *misses
	mu   sync.Mutex
	like map[string][]*line // by what the call means, whoever made it
	all  []*line
}

// misses are the calls that a gateway's record did not have.
type misses struct {
	mu    sync.Mutex
	n     int
	first string
}

func (m *misses) note(message string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.n++; m.n == 1 {
		m.first = message
	}
}

// told is nil where there was none.
func (m *misses) told() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.n == 0 {
		return nil
	}
	return &MissedError{m.n, m.first}
}

// A MissedError says that a client asked for what the record that answers does
// not have.
type MissedError struct {
	Calls int
	First string // what was said of the first
}

func (e *MissedError) Error() string {
	return fmt.Sprintf("%s not in the record: %s", words.Count(e.Calls, "call"), e.First)
}

// line is one exchange of a record.
type line struct {
	seq   uint64
	was   *trail.Exchange
	spent bool
}

// meaning is what a call means, whoever makes it.
func meaning(list *secret.List, op *specs.Operation, in specs.Input) string {
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
	return faults.Fingerprint("", op, in)
}

// newScript reads the exchanges of a kept run that a service answered.
func newScript(k *Kept, lost *misses) (*script, error) {
	s := &script{run: k.ID, lost: lost, like: map[string][]*line{}}
	for i := range k.Events {
		was := k.Events[i].Exchange
		if was == nil || k.Events[i].Kind != trail.Exchanged || was.Operation == "" || was.Outcome != trail.Answered {
			continue
		}
		p, err := k.under(k.Events[i].Revision)
		if err != nil {
			continue
		}
		service, ok := p.Catalogue.Service(was.Service)
		if !ok {
			continue
		}
		bare := *was // its secrets are the run's own marks
		bare.Path, bare.Query, bare.Body = secret.Plain(was.Path), secret.Plain(was.Query), []byte(secret.Plain(string(was.Body)))
		m := service.Contract.Recall(was.Operation, was.Method, bare.Path)
		if m.Operation == nil {
			continue
		}
		in, err := recorded(m, &bare)
		if err != nil {
			return nil, fmt.Errorf("event %d: %w", k.Events[i].Seq, err)
		}
		l := &line{seq: k.Events[i].Seq, was: was}
		key := meaning(p.Secrets, m.Operation, in)
		s.like[key], s.all = append(s.like[key], l), append(s.all, l)
	}
	return s, nil
}

// next gives the next unspent exchange of a meaning.
func (s *script) next(key string) *line {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, l := range s.like[key] {
		if !l.spent {
			l.spent = true
			return l
		}
	}
	return nil
}

// recite answers a call as the record does.
func (x *exchange) recite() {
	l := x.live.script.next(meaning(x.rev.profile.Secrets, x.op, x.input))
	if l == nil {
		message := x.live.script.miss(x)
		x.live.script.lost.note(message)
		x.refuse(trail.Denied, http.StatusNotImplemented, "replay-miss", message)
		x.describe()
		return
	}
	was := l.was
	x.entry.Outcome, x.entry.Fidelity, x.entry.Wire = trail.Answered, trail.Recorded, was.Wire
	x.entry.Whole, x.entry.Note = was.Whole, fmt.Sprintf("as event %d of run %s", l.seq, x.live.script.run)
	x.plan.Wire = was.Wire
	x.reply.Status, x.reply.Body, x.reply.Header = was.Status, was.ReplyBody, http.Header{}
	for _, f := range was.ReplyHeader {
		x.reply.Header.Add(f.Name, f.Value)
	}
	x.describe()
}

// miss says that the record does not have a call, and what it has that comes
// nearest.
func (s *script) miss(x *exchange) string {
	said := fmt.Sprintf("Run %s has no such call left: %s %s %s.", s.run, x.service.Name, x.r.Method, x.path)
	type near struct {
		l      *line
		fields []report.Difference
	}
	var best []near
	x.describe()
	asked := &trail.Event{Exchange: &trail.Exchange{Path: x.path, Query: x.entry.Query, Body: x.entry.Body}}
	for _, l := range s.all {
		if l.was.Service != x.service.Name || l.was.Operation != x.known.name {
			continue
		}
		fields, err := report.EventDifferences(&trail.Event{Exchange: &trail.Exchange{Path: l.was.Path, Query: l.was.Query, Body: l.was.Body}}, asked)
		if err == nil {
			best = append(best, near{l, fields})
		}
	}
	if len(best) == 0 {
		return said + " It never called that operation; `parity trace " + s.run + "` lists what it called."
	}
	sort.SliceStable(best, func(i, j int) bool { return len(best[i].fields) < len(best[j].fields) })
	nearest := best[0]
	if len(nearest.fields) == 0 {
		return said + fmt.Sprintf(" It made this call %d times, the last at #%d, and each was answered.", len(best), nearest.l.seq)
	}
	var where []string
	for _, d := range nearest.fields {
		where = append(where, strings.TrimPrefix(d.Pointer, "/exchange"))
	}
	return said + fmt.Sprintf(" The nearest is #%d, which differs in %s.", nearest.l.seq, strings.Join(where, ", "))
}
