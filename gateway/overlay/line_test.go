package overlay_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"parity/fakes"
	"parity/fakes/chance"
	"parity/fakes/faketest"
	"parity/gateway/overlay"
	"parity/specs"
)

// A line is an agent's way to a real service, for which another fake stands in, and
// whose writes go to the run's own fake. direct is a copy of the real one that takes
// all calls itself.
type line struct {
	t            testing.TB
	over         overlay.Over
	real, direct *faketest.Rig
	run          *faketest.Rig
	step         int
	asked        []string
	reads        int // that reached the real service
	laid         overlay.Laid
}

func newLine(t testing.TB, service fakes.Service, fill string, header ...string) *line {
	t.Helper()
	l := &line{t: t, over: overlay.Over{Service: service}}
	for _, r := range []**faketest.Rig{&l.real, &l.direct, &l.run} {
		*r = faketest.New(t, service)
		for i := 0; i+1 < len(header); i += 2 {
			(*r).Header.Set(header[i], header[i+1])
		}
	}
	if fill != "" {
		l.real.Fill(fill)
		l.direct.World = l.real.World
	}
	return l
}

// tick lets a second go by.
func (l *line) tick() {
	l.step++
	for _, r := range []*faketest.Rig{l.real, l.direct, l.run} {
		r.Now = r.Now.Add(time.Second)
	}
}

// got is a reply with what is asked of it here.
type got struct {
	fakes.Reply
	value any
}

func (g got) at(path ...string) any {
	v := g.value
	if len(path) == 1 && path[0] == "" {
		return v
	}
	for _, name := range path {
		switch x := v.(type) {
		case map[string]any:
			v = x[name]
		case []any:
			i, _ := strconv.Atoi(name)
			if i < 0 || i >= len(x) {
				return nil
			}
			v = x[i]
		}
	}
	return v
}

func of(r fakes.Reply) got {
	g := got{Reply: r}
	_ = json.Unmarshal(r.Body, &g.value)
	return g
}

// ids draws the same in each world.
func ids(step int) func(string, int) string {
	drawn := 0
	return func(prefix string, n int) string {
		drawn++
		return prefix + chance.ID(chance.Seed(step), n, prefix, strconv.Itoa(drawn))
	}
}

func (l *line) call(r *faketest.Rig, method, target, body string) (*fakes.Call, *fakes.Reply) {
	l.t.Helper()
	header := r.Header.Clone()
	if body != "" && header.Get("Content-Type") == "" {
		header.Set("Content-Type", "application/x-www-form-urlencoded")
		if strings.HasPrefix(body, "{") || strings.HasPrefix(body, "[") {
			header.Set("Content-Type", "application/json")
		}
	}
	call, trouble := r.Call(method, target, body, header)
	if trouble != nil {
		reply, err := r.Render(*trouble)
		if err != nil {
			l.t.Fatal(err)
		}
		return nil, &reply
	}
	call.NewID = ids(l.step)
	return call, nil
}

func (l *line) ask(r *faketest.Rig, method, target, body string) fakes.Reply {
	l.t.Helper()
	call, refused := l.call(r, method, target, body)
	if refused != nil {
		return *refused
	}
	reply := r.Service.Ask(call)
	r.World = call.Tx.Commit()
	return reply
}

// upstream asks the real service, which only reads are let through to.
func (l *line) upstream(method, target, body string) fakes.Reply {
	l.t.Helper()
	l.reads++
	l.asked = append(l.asked, method+" "+target)
	return l.ask(l.real, method, target, body)
}

// send has a call go down the line, and its copy to the direct one.
func (l *line) send(method, target, body string) (through, direct got) {
	l.t.Helper()
	l.tick()
	direct = of(l.ask(l.direct, method, target, body))
	call, refused := l.call(l.run, method, target, body)
	if refused != nil {
		return of(*refused), direct
	}
	l.laid = overlay.Laid{}
	if call.Operation.Effect == specs.Read {
		return of(l.read(call, method, target, body)), direct
	}
	if why, ok := l.over.Known(call.Operation); !ok {
		l.t.Fatalf("%s is not known: %s", call.Operation.Name(), why)
	}
	l.need(call)
	call, _ = l.call(l.run, method, target, body)
	reply := l.run.Service.Ask(call)
	overlay.Note(call.Tx, 0)
	l.run.World = call.Tx.Commit()
	return of(reply), direct
}

func (l *line) read(call *fakes.Call, method, target, body string) fakes.Reply {
	l.t.Helper()
	plan := l.over.Before(call)
	if plan.Own != nil {
		return *plan.Own
	}
	l.laid = l.over.Lay(call, l.upstream(method, target, body))
	for n := 0; l.laid.Onward != nil && n < 10; n++ {
		path, query, _ := strings.Cut(target, "?")
		values, err := url.ParseQuery(query)
		if err != nil {
			l.t.Fatal(err)
		}
		values.Set(l.laid.Onward.Parameter, l.laid.Onward.Value)
		target = path + "?" + values.Encode()
		l.laid = l.over.Lay(call, l.upstream(method, target, body))
	}
	if changes := call.Tx.Changes(); len(changes) > 0 {
		l.t.Fatalf("a read left %d changes", len(changes))
	}
	return l.laid.Reply
}

func (l *line) need(call *fakes.Call) {
	l.t.Helper()
	asked := map[string]bool{}
	for range 4 {
		fresh := 0
		for _, n := range l.over.Needs(call) {
			target := n.Path
			if n.Query != "" {
				target += "?" + n.Query
			}
			if asked[target] {
				continue
			}
			asked[target] = true
			fresh++
			reply := l.upstream(http.MethodGet, target, "")
			read := n.Of(call)
			read.Tx = l.run.World.Begin()
			l.over.Absorb(read, reply)
			l.run.World = read.Tx.Commit()
			call.Tx = l.run.World.Begin()
		}
		if fresh == 0 {
			return
		}
	}
}

// same sends a call, and holds what came through against what the copy said: all of
// it, or what stands under path; under none, or ok, where only the status is.
func (l *line) same(method, target, body string, path ...string) got {
	l.t.Helper()
	through, direct := l.send(method, target, body)
	a, b := direct.at(path...), through.at(path...)
	if through.Status != direct.Status || !cmp.Equal(a, b) {
		l.t.Errorf("%s %s %s: %d through the overlay, %d directly (-direct +overlay) %s\n%s", method, target, body, through.Status, direct.Status, l.laid.Unlaid, clip(cmp.Diff(a, b)))
	}
	if a == nil && len(path) > 0 && path[0] != "ok" && path[0] != "none" {
		l.t.Errorf("%s %s %s shows nothing at %s: %d %s", method, target, body, strings.Join(path, "/"), direct.Status, clip(string(direct.Body)))
	}
	return through
}

func clip(s string) string { return s[:min(len(s), 3000)] }

func flat(v any) string {
	b, _ := json.Marshal(v)
	return string(b)
}
