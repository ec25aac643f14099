package corpus

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strings"

	"parity/specs/anatomy"
	"parity/specs/openapi"
)

// pairs counts collections with their members, and what became of them.
type pairs struct {
	All   int            // P and P/{param} both exist
	Whole int            // with everything that a round trip needs
	Held  int            // of the whole ones
	Short int            // with create and get, and not everything
	Kept  int            // of the short ones
	Lacks map[string]int // what those lack that are not whole
	Broke map[string]int // the step at which a whole one failed
}

// A pair is a collection and its members.
type pair struct {
	collection, member                string
	param                             string
	lacks                             string // what the document does not have, with commas
	create, get, list, update, remove *openapi.Operation
}

// pairUp finds the pairs among all operations that the document has, whether
// they are served or not.
func (w *work) pairUp() []pair {
	at, has := map[string]bool{}, map[string]bool{}
	for _, o := range w.known {
		at[o.Path] = true
		has[o.Method+" "+o.Path] = true
	}
	var all []pair
	for path := range at {
		cut := strings.LastIndexByte(strings.TrimSuffix(path, "/"), '/')
		if cut < 0 {
			continue
		}
		last := strings.TrimSuffix(path[cut+1:], "/")
		above := path[:cut]
		if !strings.HasPrefix(last, "{") || strings.IndexByte(last, '}') != len(last)-1 || !at[above] && !at[above+"/"] {
			continue
		}
		p := pair{collection: above, member: path, param: strings.Trim(last, "{}")}
		var lacks []string
		find := func(role string, to **openapi.Operation, names ...string) {
			for _, name := range names {
				if has[name] {
					*to = w.byName[name]
					return
				}
			}
			lacks = append(lacks, role)
		}
		find("create", &p.create, "POST "+above, "POST "+above+"/")
		find("get", &p.get, "GET "+path)
		find("list", &p.list, "GET "+above, "GET "+above+"/")
		find("update", &p.update, "PATCH "+path, "PUT "+path, "POST "+path)
		find("delete", &p.remove, "DELETE "+path)
		p.lacks = strings.Join(lacks, ", ")
		all = append(all, p)
	}
	slices.SortFunc(all, func(a, b pair) int { return strings.Compare(a.member, b.member) })
	return all
}

// roundTrips goes through every pair.
func (w *work) roundTrips() {
	w.result.pairs = pairs{Lacks: map[string]int{}, Broke: map[string]int{}}
	count := &w.result.pairs
	for i, p := range w.pairUp() {
		count.All++
		if p.lacks != "" {
			count.Lacks[p.lacks]++
		}
		if strings.Contains(p.lacks, "create") || strings.Contains(p.lacks, "get") {
			continue
		}
		whole := p.lacks == ""
		if whole {
			count.Whole++
		} else {
			count.Short++
		}
		step, why := notServed, ""
		trip := trip{work: w, pair: p, seed: seed(w.name, 1_000_000+i)}
		if w.subject != nil && w.refused == "" && p.create != nil && p.get != nil {
			step = "panic"
			w.protect("round trip "+p.member, func() { step, why = trip.run() })
		}
		if w.ctx.Err() != nil && step != "" {
			step, why = outOfTime, ""
		}
		switch {
		case step == "" && whole:
			count.Held++
		case step == "":
			count.Kept++
		default:
			if whole {
				count.Broke[step]++
			}
			w.fail(failure{Operation: p.member, Fate: "round trip: " + step, Why: why, Sent: trip.sent, Got: clipped(trip.got.body), Status: trip.got.status})
		}
	}
}

// A trip is one round trip on its way.
type trip struct {
	*work
	pair pair
	seed uint64

	fixed map[string]any // path parameters of what is above
	sent  string
	got   reply
	body  any // of the last request
	id    any
}

// prepare makes a request for one step: within the same parent, of the same
// member.
func (t *trip) prepare(op *openapi.Operation, seed uint64) draft {
	d := t.values.draft(op, seed&^1) // nothing that is optional outside of the body: no filters, no conditions
	t.members.suit(t.work, &d, seed)
	t.members.fill(t.work, &d)
	for i := range d.values {
		v := &d.values[i]
		if v.In != "path" {
			continue
		}
		if v.Name == t.pair.param && t.id != nil {
			v.value, _ = typed(v.Parameter, t.id)
			if v.value == nil {
				v.value = t.id
			}
		} else if fixed, ok := t.fixed[v.Name]; ok {
			v.value = fixed
		} else {
			t.fixed[v.Name] = v.value
		}
	}
	return d
}

func (t *trip) call(d draft) string {
	var err error
	sent := ""
	t.got, sent, err = t.send(d)
	t.body = d.body
	t.sent += fmt.Sprintf("%s\n→ %d %s\n", clipped(sent), t.got.status, t.got.body[:min(len(t.got.body), 400)])
	if err == nil && t.got.status < 300 {
		t.members.forget(d)
	}
	if err != nil {
		return err.Error()
	}
	return ""
}

// step makes a call that has to succeed.
func (t *trip) step(op *openapi.Operation, seed uint64) string {
	if why := t.call(t.prepare(op, seed)); why != "" {
		return why
	}
	if t.got.status >= 300 {
		return fmt.Sprintf("status %d", t.got.status)
	}
	return ""
}

// run gives the step that failed, and why; "" when all held.
func (t *trip) run() (step, why string) {
	t.fixed = map[string]any{}
	made := t.prepare(t.pair.create, t.seed)
	if why := t.call(made); why != "" {
		return "create", why
	}
	if t.got.status >= 300 {
		return "create", fmt.Sprintf("status %d", t.got.status)
	}
	created := t.body
	candidates := t.members.told(made, t.got, t.pair.param)
	if len(candidates) == 0 { // it is to be found in the list, or is what was sent
		member := t.prepare(t.pair.get, t.seed)
		candidates = t.members.look(t.work, &member, t.pair.collection, t.pair.param)
		candidates = append(candidates, idsIn(t.pair.param, created)...)
	}
	candidates = distinct(candidates)
	candidates = candidates[:min(len(candidates), 6)]
	if len(candidates) == 0 {
		return "create", "no id is told"
	}
	for _, t.id = range candidates {
		if why = t.step(t.pair.get, t.seed); why == "" {
			break
		}
	}
	if why != "" {
		return "get", why
	}
	if why := t.shows(created); why != "" {
		return "get", why
	}
	shown := t.got.body
	t.ask(created)
	if t.pair.list != nil {
		if step, why := t.list(shown); step != "" {
			return step, why
		}
	}
	if t.pair.update != nil {
		if why := t.step(t.pair.update, t.seed+1); why != "" {
			return "update", why
		}
		changed := t.body
		if why := t.step(t.pair.get, t.seed); why != "" {
			return "get after update", why
		}
		if why := t.shows(changed); why != "" {
			return "get after update", why
		}
	}
	if t.pair.remove == nil {
		return "", ""
	}
	if why := t.step(t.pair.remove, t.seed); why != "" {
		return "delete", why
	}
	if why := t.call(t.prepare(t.pair.get, t.seed)); why != "" {
		return "get after delete", why
	}
	if !ofState(t.got.status) {
		return "get after delete", fmt.Sprintf("status %d", t.got.status)
	}
	return "", ""
}

// list wants the member among those that are listed, by its id or as it is.
// Where a list has to be asked for by a field, that of the member is taken; it
// is followed for a few pages.
func (t *trip) list(shown string) (step, why string) {
	d := t.prepare(t.pair.list, t.seed)
	var record any
	_ = json.Unmarshal([]byte(shown), &record) // not JSON: it is looked for by its id
	paging := t.members.role(t.pair.list).List
	if paging == nil {
		paging = &anatomy.Paging{}
	}
	record = at(record, t.members.role(t.pair.get).Output.Path)
	for name, field := range paging.Filters {
		if value, ok := dotted(record, field); ok {
			d.choose("query", name, []any{value})
		}
	}
	for name, bound := range paging.Ranges {
		if value, ok := dotted(record, bound.Field); ok {
			d.choose("query", name, []any{value})
		}
	}
	why = t.call(d)
	for range 5 {
		if why != "" {
			return "list", why
		}
		if t.got.status >= 300 {
			return "list", fmt.Sprintf("status %d", t.got.status)
		}
		var page any
		_ = json.Unmarshal([]byte(t.got.body), &page) // not JSON: the id may be in it
		if strings.Contains(t.got.body, pathText(t.id)) || among(page, record, 4) {
			return "", ""
		}
		next, ok := dotted(page, strings.ReplaceAll(strings.TrimPrefix(paging.Next, "/"), "/", "."))
		target, isText := next.(string)
		if !ok || !isText || target == "" {
			break
		}
		why = t.follow(d, paging, target)
	}
	return "list", "does not list what was created"
}

// follow asks for the next page.
func (t *trip) follow(d draft, paging *anatomy.Paging, next string) string {
	if !paging.IsURL {
		for _, p := range d.parameters() {
			if p.In == "query" && p.Name == paging.Cursor {
				d.values = append(d.clone().values, given{Parameter: p, value: next, text: true})
			}
		}
		return t.call(d)
	}
	r, err := http.NewRequestWithContext(t.ctx, http.MethodGet, next, nil)
	if err != nil {
		return err.Error()
	}
	var query []string
	d.credentials(r.Header, &query)
	answer, err := t.subject.do(r)
	if err != nil {
		return err.Error()
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(io.LimitReader(answer.Body, 64<<20))
	t.got = reply{answer.StatusCode, answer.Header, string(body)}
	if err != nil {
		return err.Error()
	}
	return ""
}

// among tells whether a record stands in a list, with all that it shows.
func among(value, record any, depth int) bool {
	wanted, ok := record.(map[string]any)
	if !ok || len(wanted) == 0 || depth == 0 {
		return false
	}
	switch value := value.(type) {
	case []any:
		return slices.ContainsFunc(value, func(item any) bool { return reflect.DeepEqual(item, record) })
	case map[string]any:
		for _, name := range names(value) {
			if among(value[name], record, depth-1) {
				return true
			}
		}
	}
	return false
}

func text(value any) string {
	encoded, _ := json.Marshal(value) // values are JSON's
	return string(encoded)
}

// idsOf are the values that may be the id of what was created, as a client
// would look for it: where the reply says it is, by the name of the parameter,
// by the usual names.
func idsOf(param string, got reply) (all []any) {
	if location := got.header.Get("Location"); location != "" {
		location, _, _ = strings.Cut(location, "?")
		location = strings.TrimSuffix(location, "/")
		if last, err := url.PathUnescape(location[strings.LastIndexByte(location, '/')+1:]); err == nil {
			all = append(all, last)
		}
	}
	var decoded any
	_ = json.Unmarshal([]byte(got.body), &decoded) // not JSON: nothing is found in it
	if _, ok := decoded.(string); ok {
		all = append(all, decoded)
	}
	return distinct(append(all, idsIn(param, decoded)...))
}

func distinct(ids []any) (all []any) {
	for _, id := range ids {
		if !slices.ContainsFunc(all, func(other any) bool { return text(other) == text(id) }) {
			all = append(all, id)
		}
	}
	return all
}

// idsIn looks for ids in a value, the likeliest first.
func idsIn(param string, value any) (all []any) {
	add := func(value any) {
		switch value.(type) {
		case string, float64, int64:
			if text(value) != `""` {
				all = append(all, value)
			}
		}
	}
	for _, name := range []string{plain(param), "id", "uuid", "guid", "key", "name", "uid", "slug", "code", "sid", "arn"} {
		within(value, name, 3, add)
	}
	return all
}

func plain(name string) string {
	return strings.ToLower(strings.NewReplacer("_", "", "-", "").Replace(name))
}

// within finds fields by name, those further up first.
func within(value any, name string, depth int, add func(any)) {
	object, ok := value.(map[string]any)
	if !ok || depth == 0 {
		return
	}
	for _, key := range names(object) {
		if k := plain(key); k == name || name == "id" && strings.HasSuffix(k, "id") && depth == 3 {
			add(object[key])
		}
	}
	for _, key := range names(object) {
		within(object[key], name, depth-1, add)
	}
}

// shows tells whether the last reply shows what was sent: where both have a
// field of one name and it holds a plain value, it is the same.
func (t *trip) shows(sent any) string {
	fields, ok := sent.(map[string]any)
	if !ok {
		return ""
	}
	var decoded any
	if json.Unmarshal([]byte(t.got.body), &decoded) != nil {
		return ""
	}
	record := t.recordIn(decoded, fields)
	if record == nil {
		return ""
	}
	for _, name := range names(fields) {
		if t.serverSets(name) {
			continue
		}
		got, has := record[name]
		if t.ofParent(name, got) || sameDay(got, fields[name]) {
			continue
		}
		switch fields[name].(type) {
		case string, bool, float64, int64, int:
		default:
			continue
		}
		if has && reflect.TypeOf(got) == reflect.TypeOf(asJSON(fields[name])) && got != asJSON(fields[name]) {
			return fmt.Sprintf("does not show %s: %s, not %s", name, clip(text(got)), clip(text(fields[name])))
		}
	}
	return ""
}

// ofParent tells whether a field says whose the member is, which the path has
// said.
func (t *trip) ofParent(name string, got any) bool {
	field, owner := plain(name), ""
	if r := t.members.role(t.pair.create).Resource; r != nil && r.Parent != nil {
		owner = strings.TrimSuffix(plain(r.Parent.Name), "s")
	}
	for param, value := range t.fixed {
		if pathText(value) != pathText(got) {
			continue
		}
		if strings.Contains(field, plain(param)) || strings.Contains(plain(param), field) || owner != "" && strings.HasPrefix(field, owner[:max(1, len(owner)-2)]) {
			return true
		}
	}
	return false
}

// sameDay tells whether one value is a date and the other that date with a time.
func sameDay(a, b any) bool {
	x, isText := a.(string)
	y, both := b.(string)
	const date = len("2026-01-31")
	return isText && both && len(x) >= date && len(y) >= date && (len(x) == date || len(y) == date) && x[:date] == y[:date]
}

// serverSets tells whether a field is the server's to choose, the id above all.
func (t *trip) serverSets(name string) bool {
	r := t.members.role(t.pair.create).Resource
	if r == nil {
		return plain(name) == "id"
	}
	return name == r.ID.Field || name == r.Updated || name == r.Created || name == r.Version || slices.Contains(r.Server, name)
}

// asJSON is a value as it comes back from JSON.
func asJSON(value any) (decoded any) {
	_ = json.Unmarshal([]byte(text(value)), &decoded) // it was just encoded
	return decoded
}

// recordIn finds the object that has most of the fields, in a reply or in what
// it wraps.
func (t *trip) recordIn(value any, fields map[string]any) map[string]any {
	var best map[string]any
	most := 0
	var look func(value any, depth int)
	look = func(value any, depth int) {
		object, ok := value.(map[string]any)
		if !ok || depth == 0 {
			return
		}
		n := 0
		for name := range fields {
			if _, ok := object[name]; ok {
				n++
			}
		}
		if n > most {
			best, most = object, n
		}
		for _, name := range names(object) {
			look(object[name], depth-1)
		}
	}
	look(value, 3)
	return best
}
