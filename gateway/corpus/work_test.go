package corpus

import (
	"cmp"
	"context"
	"fmt"
	"hash/fnv"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"parity/specs/anatomy"
	"parity/specs/document"
	"parity/specs/openapi"
)

// A subject answers the requests of one document.
type subject interface {
	// base is what stands before a path, the base path of the document's server
	// included where the subject knows of it.
	base(op *openapi.Operation) string
	do(*http.Request) (*http.Response, error)
	close()
}

// A stage opens a subject for a document, and says what is wrong with the
// document, by code.
type stage interface {
	open(file string) (subject, map[string]int, error)
}

// bench is what works through documents, one at a time.
type bench struct {
	stage  stage
	oracle *oracle
	limit  time.Duration // for one document
	each   time.Duration // and for each of its operations
}

// The fates of a request that is valid by the contract. One of each operation's.
const (
	answered      = "answered validly"
	stateRefuses  = "refused for the state, as described"
	refusedWrong  = "refused wrongly"
	replyInvalid  = "reply not as described"
	broke         = "broke down (5xx)"
	notMade       = "no valid request could be made"
	notServed     = "not served"
	notJudged     = "reply not judged"
	outOfTime     = "not reached in time"
	failed        = "no reply"
	rightly       = "refused rightly"
	acceptedWrong = "accepted wrongly"
	nothingWrong  = "nothing to refuse"
	notSpoilt     = "no request that is surely invalid"
)

// A failure is kept for those who look for causes.
type failure struct {
	Document, Operation string
	Fate                string
	Why                 string
	Sent, Got           string `json:",omitempty"`
	Spoilt              string `json:",omitempty"`
	Status              int    `json:",omitempty"`
	Disputed            string `json:",omitempty"` // what the second oracle says
}

// A result is what became of one document.
type result struct {
	name        string
	size        int64
	version     string
	refused     string // why it could not be loaded; "" when it could
	diagnostics map[string]int
	operations  int
	fates       map[string]int // of valid requests
	spoilt      map[string]int // of invalid ones
	blank       int            // valid replies of whose bodies the document says nothing
	unjudged    string         // why the oracle judges nothing of this document
	pairs       pairs
	tally       tally // of what pairs are asked besides
	failures    []failure
	panics      int
	hung        bool
	took        time.Duration
	load        time.Duration
	wire        time.Duration
}

func (r *result) fail(f failure) {
	f.Document = r.name
	r.failures = append(r.failures, f)
}

// document works through one document; what takes too long is left where it is.
func (b *bench) document(ctx context.Context, root, name string) *result {
	r := &result{name: name, diagnostics: map[string]int{}, fates: map[string]int{}, spoilt: map[string]int{}, tally: newTally()}
	file := filepath.Join(root, name)
	if info, err := os.Stat(file); err == nil {
		r.size = info.Size()
	}
	began := time.Now()
	defer func() { r.took = time.Since(began) }()
	known, err := b.oracle.open(file)
	ctx, cancel := context.WithTimeout(ctx, b.limit+b.each*time.Duration(len(known.Operations)))
	defer cancel()
	if err != nil {
		r.unjudged = err.Error()
	}
	r.version, r.operations = known.Version, len(known.Operations)
	if known.Broken != "" {
		r.unjudged = known.Broken
	}
	w := &work{bench: b, result: r, ctx: ctx, file: file, known: known.Operations, values: newValues()}
	w.protect("load", w.open)
	if w.refused != "" {
		w.fail(failure{Operation: "load", Fate: "refused as a whole", Why: w.refused})
	}
	if w.subject != nil {
		defer w.subject.close()
	}
	w.all()
	rest := r.operations
	for _, n := range r.fates {
		rest -= n
	}
	if rest > 0 {
		why := notServed
		if ctx.Err() != nil {
			why, r.hung = outOfTime, true
		}
		r.fates[why] += rest
	}
	rest = r.operations
	for _, n := range r.spoilt {
		rest -= n
	}
	r.spoilt[notSpoilt] += rest
	return r
}

// work is one document in hand.
type work struct {
	*bench
	*result
	ctx     context.Context
	file    string
	known   []located
	values  values
	shapes  map[string]int // paths of one shape
	members *members
	api     *openapi.API
	subject subject
	byName  map[string]*openapi.Operation
}

// protect turns a panic into a failure that is counted.
func (w *work) protect(what string, do func()) {
	defer func() {
		if p := recover(); p != nil {
			w.panics++
			w.fail(failure{Operation: what, Fate: "panic", Why: fmt.Sprint(p), Got: string(debug.Stack())})
		}
	}()
	do()
}

func (w *work) open() {
	began := time.Now()
	s, diagnostics, err := w.stage.open(w.file)
	w.load = time.Since(began)
	w.diagnostics = diagnostics
	if err != nil {
		w.refused = err.Error()
		return
	}
	w.subject = s
	d, err := document.Open(os.DirFS(filepath.Dir(w.file)), filepath.Base(w.file))
	if err != nil {
		w.refused = err.Error()
		return
	}
	if w.api, err = openapi.Read(d); err != nil {
		w.refused = err.Error()
		return
	}
	w.members = newMembers(w.api)
	w.shapes = map[string]int{}
	w.byName = make(map[string]*openapi.Operation, len(w.api.Operations))
	paths := map[string]bool{}
	for _, op := range w.api.Operations {
		if !paths[op.Path] {
			paths[op.Path] = true
			w.shapes[shape(op.Path)]++
		}
		w.byName[op.Method+" "+op.Path] = op
	}
}

func (w *work) all() {
	w.roundTrips()
	if w.subject == nil || w.refused != "" {
		return
	}
	order := w.inOrder()
	for _, i := range order {
		if w.ctx.Err() != nil {
			return
		}
		at := w.known[i]
		op := w.byName[at.Method+" "+at.Path]
		if op == nil {
			continue // it stays in the denominator: not served
		}
		w.protect(at.Method+" "+at.Path, func() { w.operation(op, seed(w.name, i)) })
	}
}

// inOrder puts what makes things before what is done with them, and what takes
// them away last: parents are made first and go last.
func (w *work) inOrder() []int {
	order := make([]int, len(w.known))
	rank := make([]int, len(w.known))
	for i, at := range w.known {
		depth := strings.Count(at.Path, "/")
		order[i] = i
		kind := anatomy.Other
		if op := w.byName[at.Method+" "+at.Path]; op != nil {
			kind = w.members.role(op).Kind
		}
		switch {
		case kind == anatomy.Create || at.Method == "POST" && !strings.HasSuffix(at.Path, "}") && kind != anatomy.Action && kind != anatomy.Delete:
			rank[i] = 3 * depth
		case kind == anatomy.Upsert || at.Method == "PUT":
			rank[i] = 3*depth + 1
		case kind == anatomy.Delete || at.Method == "DELETE":
			rank[i] = 3000 - depth
		default:
			rank[i] = 1000 + depth
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(rank[a], rank[b]) })
	return order
}

var parameter = regexp.MustCompile(`\{[^{}]*\}`)

// shape is a path without the names of its parameters.
func shape(path string) string { return parameter.ReplaceAllString(path, "{}") }

func seed(name string, i int) uint64 {
	h := fnv.New64a()
	fmt.Fprintf(h, "%s %d", name, i) // a hash never fails
	return h.Sum64()
}

// operation sends a valid request, and one that is not.
func (w *work) operation(op *openapi.Operation, seed uint64) {
	d := w.values.draft(op, seed)
	w.members.suit(w, &d, seed)
	w.members.fill(w, &d)
	d.doubled = w.shapes[shape(op.Path)] > 1
	fate := w.valid(d)
	w.fates[fate]++
	w.invalid(d, fate, seed)
}

// A reply is what came back.
type reply struct {
	status int
	header http.Header
	body   string
}

func (w *work) send(d draft) (reply, string, error) {
	r, err := d.request(w.subject.base(d.op))
	if err != nil {
		return reply{}, "", err
	}
	ctx, cancel := context.WithTimeout(w.ctx, 10*time.Second)
	defer cancel()
	sent := r.Method + " " + r.URL.RequestURI()
	for _, v := range d.values {
		if v.In == "header" {
			sent += "\n" + v.Name + ": " + r.Header.Get(v.Name)
		}
	}
	if r.Body != nil && d.media != nil {
		if copied, err := r.GetBody(); err == nil {
			text, _ := io.ReadAll(io.LimitReader(copied, 2000))
			sent += "\n" + r.Header.Get("Content-Type") + "\n" + string(text)
		}
	}
	began := time.Now()
	defer func() { w.wire += time.Since(began) }()
	answer, err := w.subject.do(r.WithContext(ctx))
	if err != nil {
		return reply{}, sent, err
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(io.LimitReader(answer.Body, 64<<20))
	return reply{answer.StatusCode, answer.Header, string(body)}, sent, err
}

// replyQuestion asks an oracle about a reply.
func replyQuestion(op *openapi.Operation, got reply) question {
	q := question{Do: "reply", Path: op.Path, Method: op.Method, Status: got.status, Type: got.header.Get("Content-Type"), Body: got.body}
	for name := range got.header {
		q.Headers = append(q.Headers, strings.ToLower(name))
	}
	return q
}

func (w *work) valid(d draft) string {
	f := failure{Operation: d.op.Method + " " + d.op.Path}
	q := d.question()
	if a := w.oracle.ask(q); a.Verdict == invalid {
		if second := w.oracle.second(q, w.file); second.Verdict != valid {
			f.Fate, f.Why = notMade, a.Why
			f.Sent = string(q.Content)
			w.fail(f)
			return f.Fate
		}
	}
	got, sent, err := w.send(d)
	f.Sent, f.Got, f.Status = sent, clipped(got.body), got.status
	switch {
	case sent == "" && err != nil:
		f.Fate, f.Why = notMade, err.Error()
	case err != nil && w.ctx.Err() != nil:
		f.Fate, f.Why = outOfTime, "the document's time is over"
	case err != nil:
		f.Fate, f.Why = failed, err.Error()
	case got.status >= 500:
		f.Fate, f.Why = broke, "status "+fmt.Sprint(got.status)
	default:
		if got.status < 300 {
			w.members.learn(d, got)
			w.members.forget(d)
		}
		return w.judged(d, got, f)
	}
	w.fail(f)
	return f.Fate
}

func clipped(text string) string {
	const most = 2000
	return text[:min(len(text), most)]
}

// ofState tells whether a status may be what the state asks for. The contracts of
// AWS have statuses of their own for each exception, from 480.
func ofState(status int) bool {
	switch status {
	case 404, 409, 410, 412:
		return true
	}
	return status >= 480 && status < 500
}

// judged has the reply to a valid request judged.
func (w *work) judged(d draft, got reply, f failure) string {
	refusal := got.status >= 400
	byState := ofState(got.status)
	if refusal && !byState {
		f.Fate, f.Why = refusedWrong, refusalOf(got)
		w.fail(f)
		return f.Fate
	}
	q := replyQuestion(d.op, got)
	a := w.oracle.ask(q)
	if a.Verdict == invalid && !a.Plain {
		if second := w.oracle.second(q, w.file); second.Verdict != unjudged {
			f.Disputed = second.Verdict + " " + second.Why
			if second.Verdict == valid {
				a = second
			}
		}
	}
	switch {
	case a.Verdict == unjudged:
		f.Fate, f.Why = notJudged, a.Why
	case a.Verdict == invalid && byState:
		f.Fate, f.Why = replyInvalid, fmt.Sprintf("%d: %s", got.status, a.Why)
	case a.Verdict == invalid:
		f.Fate, f.Why = replyInvalid, a.Why
	case byState:
		return stateRefuses
	default:
		if a.Blank {
			w.blank++
		}
		return answered
	}
	w.fail(f)
	return f.Fate
}

// refusalOf is what a refusal says, in short.
func refusalOf(got reply) string {
	return fmt.Sprintf("%d %s", got.status, clip(got.body))
}

// invalid spoils one thing in a request, and wants it refused.
func (w *work) invalid(d draft, fate string, seed uint64) {
	if fate == notMade {
		w.spoilt[notSpoilt]++
		return
	}
	options := spoils(d, w.values, seed)
	if len(options) == 0 {
		w.spoilt[nothingWrong]++
		return
	}
	for _, o := range options {
		q := o.question()
		a := w.oracle.ask(q)
		if a.Verdict != invalid && !o.certain {
			continue
		}
		f := failure{Operation: d.op.Method + " " + d.op.Path, Spoilt: o.what, Why: o.kind}
		got, sent, err := w.send(o.draft)
		f.Sent, f.Got, f.Status = sent, clipped(got.body), got.status
		switch {
		case err != nil:
			f.Fate, f.Why = failed, err.Error()
		case got.status >= 500:
			f.Fate = broke
		case got.status >= 400:
			w.spoilt[rightly]++
			return
		default:
			if second := w.oracle.second(q, w.file); second.Verdict == valid && !o.certain {
				continue // the oracles do not agree: another one, if there is one
			} else if second.Verdict == invalid {
				f.Disputed = "invalid " + second.Why
			}
			f.Fate = acceptedWrong
		}
		w.spoilt[f.Fate]++
		w.fail(f)
		return
	}
	w.spoilt[notSpoilt]++
}
