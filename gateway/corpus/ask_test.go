package corpus

import (
	"encoding/json"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"parity/specs/anatomy"
	"parity/specs/openapi"
)

// What each pair is asked besides its round trip, once a member is there and
// can be read.
const (
	askedPage  = "the second page goes on where the first ended"
	askedKey   = "the same key twice makes one"
	askedName  = "a member is found by its key, slug or login"
	askedWords = "an error's words tell what happened"
	askedBack  = "what was sent is read back"
)

// A tally counts what was asked, and what came as it should.
type tally struct{ Asked, Held map[string]int }

func newTally() tally { return tally{map[string]int{}, map[string]int{}} }

// note counts one answer, and keeps a wrong one.
func (t *trip) note(question string, held bool, why string) {
	t.tally.Asked[question]++
	if held {
		t.tally.Held[question]++
		return
	}
	t.fail(failure{Operation: t.pair.member, Fate: "asked: " + question, Why: why, Got: clipped(t.got.body), Status: t.got.status})
}

// ask asks all of it of a member that was created and has just been read, and
// leaves the trip where it was.
func (t *trip) ask(sent any) {
	got, body, id, calls := t.got, t.body, t.id, t.sent
	defer func() { t.got, t.body, t.id, t.sent = got, body, id, calls }()
	var shown any
	_ = json.Unmarshal([]byte(got.body), &shown) // not JSON: nothing of it is asked
	record, _ := at(shown, t.members.role(t.pair.get).Output.Path).(map[string]any)
	t.askBack(sent, record)
	t.askName(record)
	t.id = id
	t.askWords()
	t.id = id
	t.askKey()
	t.askPage()
}

// askBack wants every plain field that was sent, and that the record has a place
// for, to be read back.
func (t *trip) askBack(sent any, record map[string]any) {
	role := t.members.role(t.pair.create)
	fields, ok := at(sent, role.Input.Path).(map[string]any)
	if !ok || record == nil || role.Resource == nil || role.Resource.Record == nil || role.Resource != t.members.role(t.pair.get).Resource {
		return
	}
	view := role.Resource.Record.View()
	asked, why := false, ""
	for _, name := range names(fields) {
		property := view.Get(name)
		if property == nil || property.View().ReadOnly || property.View().WriteOnly || t.serverSets(name) || t.ofParent(name, record[name]) || !plainValue(fields[name]) {
			continue
		}
		kind := property.View()
		if !kind.Is("string") && !kind.Is("number") && !kind.Is("integer") && !kind.Is("boolean") {
			continue
		}
		asked = true
		if got, has := record[name]; !has || got != asJSON(fields[name]) && !sameDay(got, fields[name]) {
			why = name + ": " + clip(text(got)) + ", not " + clip(text(fields[name]))
		}
	}
	if asked {
		t.note(askedBack, why == "", why)
	}
}

// plainValue tells whether a value is plain: a text, a number, true or false.
func plainValue(value any) bool {
	switch value.(type) {
	case string, bool, float64, int64, int:
		return true
	}
	return false
}

// askName reads the member by the other names that it has.
func (t *trip) askName(record map[string]any) {
	resource := t.members.role(t.pair.get).Resource
	if resource == nil || record == nil {
		return
	}
	for _, field := range resource.ID.Also {
		name, ok := record[field].(string)
		if !ok || name == "" || strings.ContainsAny(name, "/?#%") || t.fits(name) == nil {
			continue
		}
		want := t.id
		t.id = name
		why := t.step(t.pair.get, t.seed)
		t.id = want
		t.note(askedName, why == "" && strings.Contains(t.got.body, pathText(want)), field+": "+why)
		return
	}
}

// fits gives a value for the parameter that names the member; nil where it is
// none.
func (t *trip) fits(value any) any {
	d := t.values.draft(t.pair.get, 2)
	for _, v := range d.values {
		if v.In == "path" && v.Name == t.pair.param {
			if fitting, ok := typed(v.Parameter, value); ok {
				return fitting
			}
		}
	}
	return nil
}

// telling matches what a text says that tells of something that it is not there.
var telling = regexp.MustCompile(`(?i)not.?found|no.?such|not.?exist|unknown|missing|not.?known|404|gone|invalid|not.?valid|wants|does not match|bad.?request|nothing|none|cannot|error|fail`)

// worded matches the fields of an error that are words for people and programs.
var worded = regexp.MustCompile(`(?i)(^|_)(message|msg|detail|details|title|reason|description|error|error_?code|error_?message|errorSummary|summary|code)$`)

// askWords reads a member that nobody made: what the refusal says of it has to
// tell that, in each of its fields, and nothing may be made up.
func (t *trip) askWords() {
	t.id = nil
	for _, nobody := range []any{"nobody-made-this", int64(987_654_321), "00000000-0000-4000-8000-0000000dead0"} {
		if t.id = t.fits(nobody); t.id != nil {
			break
		}
	}
	if t.id == nil || t.call(t.prepare(t.pair.get, t.seed)) != "" || t.got.status < 400 {
		return
	}
	var said any
	if json.Unmarshal([]byte(t.got.body), &said) != nil {
		return
	}
	told, why := false, ""
	var look func(value any, depth int)
	look = func(value any, depth int) {
		switch value := value.(type) {
		case []any:
			for _, item := range value {
				look(item, depth)
			}
		case map[string]any:
			for _, name := range names(value) {
				words, isText := value[name].(string)
				switch {
				case !isText && depth > 0:
					look(value[name], depth-1)
				case !isText || words == "" || !worded.MatchString(name):
				case telling.MatchString(words) || strings.Contains(words, pathText(t.id)):
					told = true
				default:
					why = name + ": " + clip(words)
				}
			}
		}
	}
	look(said, 3)
	if told || why != "" {
		t.note(askedWords, why == "", why)
	}
}

var keyed = regexp.MustCompile(`(?i)idempoten`)

// askKey sends one creation twice under one key.
func (t *trip) askKey() {
	t.id = nil
	d := t.prepare(t.pair.create, t.seed+3)
	once := t.members.role(t.pair.create).Once
	var header *openapi.Parameter
	for _, p := range d.parameters() {
		if p.In == "header" && keyed.MatchString(p.Name) {
			header = &p
		}
	}
	body, _ := d.body.(map[string]any)
	switch {
	case header != nil:
		d.values = slices.DeleteFunc(d.clone().values, func(v given) bool { return v.In == "header" && v.Name == header.Name })
		key, ok := t.values.maker(t.seed).Value(header.Schema, header.Name)
		if !ok {
			return
		}
		d.values = append(d.values, given{Parameter: *header, value: key})
	case once == "" || body == nil || body[once] == nil:
		return
	}
	var ids []string
	for range 2 {
		if t.call(d) != "" || t.got.status >= 300 {
			t.note(askedKey, len(ids) == 0 && t.got.status < 500, "the second is refused")
			return
		}
		t.members.learn(d, t.got)
		ids = append(ids, text(t.members.told(d, t.got, t.pair.param)))
	}
	t.note(askedKey, ids[0] == ids[1], ids[0]+" and "+ids[1])
}

// askPage makes a second member, asks for pages of one, and wants another on the
// second page.
func (t *trip) askPage() {
	if t.pair.list == nil {
		return
	}
	paging := t.members.role(t.pair.list).List
	if paging == nil || paging.Body || paging.Limit == "" || paging.Style == "none" || paging.Style == "" {
		return
	}
	t.id = nil
	for i := range 2 {
		made := t.prepare(t.pair.create, t.seed+5+uint64(2*i))
		if t.call(made) != "" || t.got.status >= 300 {
			return // of some there is no second
		}
		t.members.learn(made, t.got)
	}
	d := t.prepare(t.pair.list, t.seed)
	d.values = slices.DeleteFunc(d.clone().values, func(v given) bool {
		return v.In == "query" && slices.Contains([]string{paging.Limit, paging.Cursor, paging.Offset, paging.Page, paging.Before}, v.Name)
	})
	if !d.put(paging.Limit, "1") || t.call(d) != "" || t.got.status >= 300 {
		return // a page of one may be less than the contract allows
	}
	first, page := t.items(paging)
	if len(first) == 0 {
		return // what was made is not listed here: the round trip tells
	}
	next := pointed(page, paging.Next)
	why := ""
	switch target, isText := next.(string); {
	case isText && target != "" && paging.IsURL && !paging.Local:
		why = t.follow(d, paging, target)
	case next != nil && next != "" && paging.Cursor != "" && !paging.IsURL:
		d.put(paging.Cursor, pathText(next))
		why = t.call(d)
	case paging.Page != "":
		d.put(paging.Page, pathText(int64(paging.First+1)))
		why = t.call(d)
	case paging.Offset != "":
		d.put(paging.Offset, "1")
		why = t.call(d)
	case linked(t.got.header) != "":
		why = t.follow(d, &anatomy.Paging{IsURL: true}, linked(t.got.header))
	default:
		why = "nothing tells of it"
	}
	second, _ := t.items(paging)
	held := why == "" && t.got.status < 300 && len(first) == 1 && len(second) == 1 && text(first) != text(second)
	t.note(askedPage, held, why+" "+clip(text(first))+" and "+clip(text(second)))
}

// put sets a parameter of the query; false where the operation has none of that
// name, or it takes no such value.
func (d *draft) put(name, value string) bool {
	for _, p := range d.parameters() {
		if p.In != "query" || p.Name != name {
			continue
		}
		if low := p.Schema.View().Low; low != nil && value == "1" && *low > 1 {
			return false
		}
		d.values = append(slices.DeleteFunc(d.clone().values, func(v given) bool { return v.In == "query" && v.Name == name }), given{Parameter: p, value: value, text: true})
		return true
	}
	return false
}

// items are those of the last reply to a list.
func (t *trip) items(paging *anatomy.Paging) (items []any, page any) {
	if json.Unmarshal([]byte(t.got.body), &page) != nil {
		return nil, nil
	}
	held := page
	if paging.Items != "" {
		held = pointed(page, paging.Items)
	}
	items, _ = held.([]any)
	return items, page
}

// pointed follows a JSON pointer through objects; nil where it leads nowhere, or
// is none.
func pointed(value any, pointer string) any {
	if pointer == "" {
		return nil
	}
	for token := range strings.SplitSeq(strings.TrimPrefix(pointer, "/"), "/") {
		object, _ := value.(map[string]any)
		value = object[strings.NewReplacer("~1", "/", "~0", "~").Replace(token)]
	}
	return value
}

var nextLink = regexp.MustCompile(`<([^>]*)>[^,]*rel="?next"?`)

// linked is where the header Link says that the next page is.
func linked(header http.Header) string {
	if found := nextLink.FindStringSubmatch(header.Get("Link")); found != nil {
		return found[1]
	}
	return ""
}
