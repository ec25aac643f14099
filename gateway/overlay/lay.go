package overlay

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"parity/fakes"
	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/specs"
)

// Lay gives what the real service said with what the run has changed. Asked is the
// call as the client made it.
func (o Over) Lay(asked *fakes.Call, reply fakes.Reply) Laid {
	l := Laid{Reply: reply}
	all := changed(asked.Tx, o.Service.Name)
	if len(all) == 0 {
		return l
	}
	said, _ := parse(reply.Body)
	l.Behind = o.behind(asked, all, reply, said)
	if !good(reply) {
		return l
	}
	var body []byte
	header := reply.Header
	if asked.Operation.Anatomy.List {
		body, header = o.layList(asked, all, said, &l)
	} else if body = o.layOne(asked, all, &l); body == nil {
		return l
	}
	if bytes.Equal(body, reply.Body) {
		body = o.inner(asked, all, body)
	}
	if bytes.Equal(body, reply.Body) {
		return l
	}
	l.Overlaid = true
	l.Reply.Body, l.Reply.Header = body, told(header, body)
	l.Reply.Result = nil // it was of the body that came
	return l
}

// layOne gives a reply that is no list; nil where l has it.
func (o Over) layOne(asked *fakes.Call, all []*record, l *Laid) []byte {
	a := o.both(all, asked, o.ask)
	without, ok1 := parse(a.without.Body)
	with, ok2 := parse(a.with.Body)
	switch {
	case good(a.without) != good(a.with):
		l.Reply, l.Overlaid = o.ask(asked), true // the run has made or deleted it since
		return nil
	case !good(a.with):
		return l.Reply.Body
	case !ok1 || !ok2:
		if !bytes.Equal(a.without.Body, a.with.Body) {
			l.Reply, l.Overlaid = a.with, true
			return nil
		}
		return l.Reply.Body
	}
	return patch(l.Reply.Body, without, with, "", true)
}

// layList lays the fake's own list over a page of the real one.
func (o Over) layList(asked *fakes.Call, all []*record, said any, l *Laid) ([]byte, http.Header) {
	reader := lister{&asked.Operation.Anatomy, o}
	var items [2][]any
	var refused [2]*fakes.Reply
	n := 0
	o.both(all, asked, func(c *fakes.Call) fakes.Reply {
		items[n], refused[n] = reader.all(c)
		n++
		return fakes.Reply{}
	})
	with, without := items[0], items[1]
	switch {
	case refused[0] != nil && refused[1] == nil: // whose list it is was deleted
		l.Reply, l.Overlaid = o.ask(asked), true
		return l.Reply.Body, l.Reply.Header
	case refused[0] != nil:
		return l.Reply.Body, l.Reply.Header
	}
	onward := reader.follow(asked, l.Reply, said)
	page := listing{
		values: cast.List(at(said, reader.Items)), without: without, with: with, id: reader.ID, adds: reader.first(asked), more: onward != nil,
		sorts: sorts(asked), tells: reader.More != "" || reader.Link || reader.Total != "" || len(reader.Next) > 0,
		falls: func(v any, first json.RawMessage) bool { return o.falls(asked, &reader, l.Reply.Body, v, first) },
	}
	if !identified(without, page.id) || !identified(with, page.id) {
		l.Unlaid = "items of the list " + asked.Operation.Name() + " have no ids"
		return l.Reply.Body, l.Reply.Header
	}
	if reflect.DeepEqual(without, with) {
		return l.Reply.Body, l.Reply.Header
	}
	body := replaced(l.Reply.Body, specs.PointerNames(reader.Items), func(raw json.RawMessage) json.RawMessage {
		var ok bool
		if page.items, ok = itemsOf(raw); !ok || len(page.items) != len(page.values) { // a field that comes twice
			return raw
		}
		return page.laid()
	})
	if page.left == 0 && len(page.items) > 0 && onward != nil && onward.Parameter != reader.Page && onward.Parameter != reader.Offset {
		l.Onward = onward
	}
	if page.unlaid {
		l.Unlaid = "some items of the list " + asked.Operation.Name() + " have no ids"
	}
	by := len(with) - len(without)
	if reader.Total != "" && by != 0 {
		body = replaced(body, specs.PointerNames(reader.Total), func(raw json.RawMessage) json.RawMessage { return count(raw, by) })
	}
	return body, totals(l.Reply.Header, by)
}

// follow gives what leads from a real page to the next one; nil where none comes.
func (l lister) follow(asked *fakes.Call, reply fakes.Reply, said any) *Onward {
	page := cast.List(at(said, l.Items))
	before, _ := strconv.Atoi(cast.Plain(given(asked, l.Offset)))
	name, v := l.after(asked, reply, said, page, before+len(page))
	if v == nil {
		return nil
	}
	return &Onward{name, cast.Plain(v)}
}

// falls tells whether the newest of a list come first: the fake is shown one of the
// real service's, which is then newer than what the run has made.
func (o Over) falls(asked *fakes.Call, l *lister, body []byte, made any, first json.RawMessage) bool {
	importer, ok := o.absorbs()
	if !ok {
		return true
	}
	mark := asked.Tx.Mark()
	defer asked.Tx.Restore(mark)
	one := replaced(body, specs.PointerNames(l.Items), func(json.RawMessage) json.RawMessage { return encodeList([]json.RawMessage{first}) })
	inner := *asked
	inner.Work = nil
	inner.Bounded(func() { importer.Import(&inner, http.StatusOK, one) })
	known, _ := parse(first)
	collection := o.Service.Name + "." + l.Collection
	newer := true // the real one is, unless it was absorbed before the run made its own, or its time says otherwise
	a, was := asked.Tx.Get(collection, idIn(made, l.ID))
	b, is := asked.Tx.Get(collection, idIn(known, l.ID))
	if was && is {
		newer = b.Order > a.Order
	}
	if by := common(known, made); by != "" && rank(known, by) != rank(made, by) {
		newer = rank(known, by) > rank(made, by)
	}
	if was && is && newer != (b.Order > a.Order) { // the fake may go by either
		late := a
		if newer {
			late = b
		}
		kit.Must("overlay", asked.Tx.Delete(collection, late.ID))
		_, err := asked.Tx.Insert(collection, late.ID, late.Value())
		kit.Must("overlay", err)
	}
	items, _ := l.all(asked)
	find := func(v any) int {
		return slices.IndexFunc(items, func(it any) bool { return identity(it, l.ID) == identity(v, l.ID) })
	}
	mine, real := find(made), find(known)
	if mine < 0 || real < 0 {
		return true
	}
	return (real < mine) == newer
}

// idIn is an item's id as it stands there.
func idIn(v any, id string) string {
	name := identity(v, id)
	return name[strings.LastIndexByte(name, ' ')+1:]
}

// told is a reply's header with what no longer holds of another body.
func told(h http.Header, body []byte) http.Header {
	clean := h.Clone()
	if clean.Get("Content-Length") != "" {
		clean.Set("Content-Length", strconv.Itoa(len(body)))
	}
	for _, name := range []string{"Content-Md5", "Digest", "Content-Digest", "Last-Modified"} {
		clean.Del(name)
	}
	if clean.Get("ETag") != "" {
		sum := sha256.Sum256(body)
		clean.Set("ETag", `W/"`+hex.EncodeToString(sum[:16])+`"`)
	}
	return clean
}

// behind lists what the run has changed and the real service has changed since.
func (o Over) behind(call *fakes.Call, all []*record, reply fakes.Reply, said any) (moved []Key) {
	all = slices.DeleteFunc(slices.Clone(all), func(r *record) bool { return r.Seen == nil || r.State != Changed })
	if len(all) == 0 {
		return nil
	}
	if o.Kept != nil {
		said, _ = parse(o.Kept(reply.Body))
	}
	if call.Operation.Anatomy.List {
		collection := o.Service.Name + "." + call.Operation.Anatomy.Collection
		named := byName(cast.List(at(said, call.Operation.Anatomy.Items)), call.Operation.Anatomy.ID)
		for _, r := range all {
			it, ok := named[identity(r.Base, call.Operation.Anatomy.ID)]
			if ok && r.Collection == collection && cast.Text(r.Seen["field"]) != "" && differs(r.Seen, "", it) {
				moved = append(moved, r.Key)
			}
		}
		return moved
	}
	about := o.subject(call)
	for _, r := range all {
		if r.Key == about && (reply.Status == http.StatusNotFound || reply.Status == http.StatusGone || good(reply) && differs(r.Seen, shower(call), said)) {
			moved = append(moved, r.Key)
		}
	}
	return moved
}
