package mirror

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"parity/fakes/cast"
	"parity/fakes/recording"
	"parity/specs"
	"parity/specs/anatomy"
	"parity/specs/body"
)

// A Reply is what an upstream answered.
type Reply struct {
	Status int
	Header http.Header
	Body   []byte
	Date   string // as the service has it
}

// A Reader reads of an upstream, and does nothing else with it.
type Reader interface {
	Read(ctx context.Context, path, query string) (Reply, error)
}

// A Walk reads some of what a service has: the lists that its contract has, page by
// page and in turn, what their records refer to, and what stands beneath them. One
// call goes out after the other.
type Walk struct {
	From        Reader
	Host        string // for the addresses of what was read
	Contract    *specs.Contract
	Collections []string // those that are read; none: all of which there is a list
	Lists       []string // addresses of lists that are read, instead of those without parameters
	Sampling
	Calls int                                        // that go out at most
	Pause func(context.Context, time.Duration) error // waits, where the service asks for that

	progress
}

// progress is how far a walk is.
type progress struct {
	calls  int
	drawn  int
	left   Left
	closed map[string]bool           // collections of which something was refused
	open   map[*specs.Operation]bool // lists that were read
	odd    bool                      // the last call was not understood
	pages  []*page
	asked  map[string]bool
	known  map[Key]*page     // records on pages that were read
	begins map[string]string // what ids of a collection begin with -> the collection
	kept   map[Key]bool
	queue  []Record
}

// A page is a page of a list, or one record, as it was read.
type page struct {
	Exchange
	items  []any // of a list
	next   int   // the item that is looked at next
	chosen map[int]bool
}

// A lane goes through one list.
type lane struct {
	op     *specs.Operation
	path   string
	query  string
	values map[string]string // of its path
	at     *page
	done   bool
}

// ErrCalls is the error of a walk that has made all the calls that it may.
var ErrCalls = errors.New("all calls that it may make are made")

// mostWaits is how often a call waits that the service asks to come later, and
// longestWait how long.
const (
	mostWaits   = 6
	longestWait = 2 * time.Minute
	perPage     = 100
)

// Read walks. What was read before an error is given with it.
func (w *Walk) Read(ctx context.Context) ([]Exchange, Left, error) {
	w.progress = progress{left: Left{}, closed: map[string]bool{}, open: map[*specs.Operation]bool{}, asked: map[string]bool{}, known: map[Key]*page{}, begins: map[string]string{}, kept: map[Key]bool{}}
	lanes, err := w.lanes()
	if err != nil {
		return nil, w.left, err
	}
	err = w.draw(ctx, lanes)
	if err == nil {
		err = w.follow(ctx)
	}
	if errors.Is(err, ErrCalls) {
		w.left["ends, since "+ErrCalls.Error()]++
		err = nil
	}
	all := w.exchanges()
	if counts, _ := Counts(all); err == nil {
		maps.DeleteFunc(w.closed, func(name string, _ bool) bool { return counts[name] > 0 })
		if len(w.closed) > 0 {
			w.left["collections that were refused, "+strings.Join(slices.Sorted(maps.Keys(w.closed)), ", ")] = len(w.closed)
		}
	}
	return all, w.left, err
}

// lanes are the lists that are gone through.
func (w *Walk) lanes() (all []*lane, err error) {
	for _, address := range w.Lists {
		path, query, _ := strings.Cut(address, "?")
		m := w.Contract.MatchCall(&specs.Call{Method: http.MethodGet, Path: path, Query: query})
		if m.Operation == nil || !m.Operation.Anatomy.List {
			return nil, fmt.Errorf("%s is no list that the contract has", path)
		}
		all = append(all, &lane{op: m.Operation, path: path, query: strings.Trim(query+"&"+limited(m.Operation), "&"), values: m.Path})
	}
	if len(w.Lists) == 0 {
		for _, op := range w.lists() {
			all = append(all, &lane{op: op, path: op.Path, query: limited(op)})
		}
	}
	if len(all) == 0 {
		err = errors.New("the contract has no list that can be read without more being known: name addresses of lists, or collections that it has, or take a HAR file")
	}
	return all, err
}

// lists are the operations that list a collection of its own, one for each.
func (w *Walk) lists() []*specs.Operation {
	best := map[string]*specs.Operation{}
	model := w.Contract.Model()
	for _, op := range w.Contract.Operations {
		role, c := model.Roles[op.Source()], op.Anatomy.Collection
		if op.Method != http.MethodGet || !op.Anatomy.List || strings.Contains(op.Path, "{") || role == nil || role.Kind != anatomy.List && role.Kind != anatomy.Other ||
			len(w.Collections) > 0 && !slices.Contains(w.Collections, c) || wants(op) {
			continue
		}
		if known := best[c]; known == nil || len(op.Path) < len(known.Path) {
			best[c] = op
		}
	}
	all := slices.Collect(maps.Values(best))
	slices.SortFunc(all, func(a, b *specs.Operation) int { return strings.Compare(a.Path, b.Path) })
	return all
}

// wants tells whether an operation has to be asked with something that nobody knows.
func wants(op *specs.Operation) bool {
	parameters, _ := op.Source().Parameters()
	for _, p := range parameters {
		if p.Required && p.In != "path" {
			return true
		}
	}
	return false
}

// limited is the query of a list's first page.
func limited(op *specs.Operation) string {
	for _, name := range op.Anatomy.Limit {
		if !strings.Contains(name, "[") {
			return name + "=" + strconv.Itoa(perPage)
		}
	}
	return ""
}

// draw goes through lists in turn, as long as there is room for more.
func (w *Walk) draw(ctx context.Context, lanes []*lane) error {
	for {
		open := slices.DeleteFunc(slices.Clone(lanes), func(l *lane) bool { return l.done })
		if len(open) == 0 || w.full() {
			return nil
		}
		for _, l := range open {
			quota := perPage
			if w.Most > 0 {
				quota = max(1, (w.Most-w.drawn)/len(open))
			}
			if err := w.advance(ctx, l, quota); err != nil {
				return err
			}
			if w.full() {
				return nil
			}
		}
	}
}

func (w *Walk) full() bool { return w.Most > 0 && w.drawn >= w.Most }

// advance draws up to some records of a list, from one page of it.
func (w *Walk) advance(ctx context.Context, l *lane, quota int) error {
	if l.at == nil || l.at.next >= len(l.at.items) {
		if err := w.turn(ctx, l); err != nil || l.done {
			return err
		}
	}
	for p := l.at; p.next < len(p.items) && quota > 0 && !w.full(); p.next++ {
		k, ok := p.keyOf(cast.Object(p.items[p.next]))
		if !ok || w.kept[k] {
			continue
		}
		if !w.Drawn(k) {
			w.left[Sampled]++
			continue
		}
		quota--
		w.drawn++
		w.choose(k, p)
	}
	return nil
}

// turn reads a list's next page.
func (w *Walk) turn(ctx context.Context, l *lane) error {
	if l.at != nil {
		more := false
		if l.path, l.query, more = nextPage(&l.at.Exchange, l.query); !more {
			l.done = true
			return nil
		}
	}
	p, err := w.read(ctx, l.op, l.path, l.query, l.values)
	if err == nil && p == nil && l.at == nil && w.odd { // it may not know the limit
		l.query = ""
		p, err = w.read(ctx, l.op, l.path, "", l.values)
	}
	if err != nil || p == nil {
		l.done = true
		return err
	}
	l.at, w.open[l.op] = p, true
	return nil
}

// choose has a record be in the mirror.
func (w *Walk) choose(k Key, p *page) {
	if w.kept[k] {
		return
	}
	w.kept[k] = true
	for _, r := range p.records() {
		if r.Key == k {
			w.queue = append(w.queue, r)
		}
	}
	for i, item := range p.items {
		if own, ok := p.keyOf(cast.Object(item)); ok && own == k {
			p.chosen[i] = true
		}
	}
}

// read asks for an address, once; nil without an error: the service does not let it
// be read, or it was asked for.
func (w *Walk) read(ctx context.Context, op *specs.Operation, path, query string, values map[string]string) (*page, error) {
	target := path + "?" + query
	if w.asked[target] {
		return nil, nil //nolint:nilnil // documented
	}
	w.asked[target] = true
	reply, err := w.send(ctx, path, query)
	w.odd = reply.Status == http.StatusBadRequest || reply.Status == http.StatusUnprocessableEntity
	switch {
	case err != nil:
		return nil, err
	case reply.Status == http.StatusUnauthorized && len(w.pages) == 0, reply.Status >= http.StatusInternalServerError, reply.Status == http.StatusTooManyRequests:
		return nil, fmt.Errorf("GET %s: %d", op.Path, reply.Status)
	case reply.Status/100 != 2:
		w.left[fmt.Sprintf("addresses that were answered with %d", reply.Status)]++
		w.closed[op.Anatomy.Collection] = true
		return nil, nil //nolint:nilnil // documented
	}
	said, wrong := body.DecodeJSON(reply.Body)
	if wrong != nil || said == nil {
		w.left[NoJSON]++
		return nil, nil //nolint:nilnil // documented
	}
	p := &page{chosen: map[int]bool{}, Exchange: Exchange{contract: w.Contract, Operation: op, Path: values, Said: said, Exchange: recording.Exchange{
		Request:  recording.Request{Method: http.MethodGet, URL: strings.TrimSuffix("https://"+w.Host+target, "?"), Header: map[string]string{"Accept": "application/json"}},
		Response: recording.Response{Status: reply.Status, Header: shown(reply)},
	}}}
	if refused(p.Exchange, false, func(recording.Exchange) bool { return true }) != "" {
		w.left[NoGrant]++
		return nil, nil //nolint:nilnil // documented
	}
	p.items, _ = p.Exchange.items()
	w.pages = append(w.pages, p)
	for _, r := range p.records() {
		if w.known[r.Key] == nil {
			w.known[r.Key] = p
			w.begins[prefix(r.ID)] = r.Collection
		}
	}
	return p, nil
}

// send sends one call, and waits where the service asks for that.
func (w *Walk) send(ctx context.Context, path, query string) (Reply, error) {
	for waits := 0; ; waits++ {
		if w.calls >= w.Calls {
			return Reply{}, ErrCalls
		}
		w.calls++
		reply, err := w.From.Read(ctx, path, query)
		if err != nil || reply.Status != http.StatusTooManyRequests || waits >= mostWaits {
			return reply, err
		}
		seconds, err := strconv.Atoi(reply.Header.Get("Retry-After"))
		if err != nil || seconds < 1 {
			seconds = 1 << waits
		}
		if err := w.Pause(ctx, min(time.Duration(seconds)*time.Second, longestWait)); err != nil {
			return Reply{}, err
		}
	}
}

func shown(r Reply) map[string]string {
	all := map[string]string{}
	for name := range r.Header {
		all[name] = r.Header.Get(name)
	}
	if r.Date != "" {
		all["Date"] = r.Date
	}
	return all
}

// exchanges are what was read, with the records that are in the mirror.
func (w *Walk) exchanges() []Exchange {
	referred := map[string]bool{}
	for k := range w.kept {
		referred[k.ID] = true
	}
	var all []Exchange
	for _, p := range w.pages {
		if _, many := p.Exchange.items(); !many {
			all = append(all, p.Exchange)
			continue
		}
		var some []any
		for i, item := range p.items {
			if p.chosen[i] {
				some = append(some, item)
			}
		}
		if len(some) > 0 {
			all = append(all, cut(p.Exchange, some, referred))
		}
	}
	return all
}
