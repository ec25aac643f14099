package overlay

import (
	"maps"
	"net/http"
	pathpkg "path"
	"slices"
	"strconv"
	"strings"

	"parity/fakes"
	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/specs"
	"parity/specs/anatomy"
	"parity/specs/words"
)

// Rests lists the reads of what a write is about, all of them, whatever of it was
// read before: the records that its path names, outermost first, and those that its
// fields name or refer to. After these are absorbed it may name others.
func (o Over) Rests(call *fakes.Call) []Need {
	if call.Operation.Effect == specs.Read {
		return nil
	}
	return o.wants(call).all
}

// Shown is what the record is known by that the real service has shown: its version
// where it says one, else a digest of the reply.
func Shown(status int, header http.Header, body []byte) string {
	if status/100 != 2 {
		return "status " + strconv.Itoa(status)
	}
	if tag := header.Get("ETag"); tag != "" && !strings.HasPrefix(tag, "W/") {
		return "etag " + tag
	}
	said, _ := parse(body)
	for _, held := range records(said) {
		for _, name := range []string{"etag", "version", "rev", "revision", "_rev", "lock_version"} {
			if text := plain(held[name]); text != "" {
				return name + " " + text
			}
		}
	}
	return "digest " + digest(lasting(said, body))
}

// Tag is the entity tag of a record that a read has shown, as If-Match wants it; "":
// it has none.
func Tag(header http.Header, body []byte) string {
	if tag := header.Get("ETag"); tag != "" {
		return tag
	}
	said, _ := parse(body)
	for _, held := range records(said) {
		if tag := plain(held["etag"]); tag != "" {
			return tag
		}
	}
	return ""
}

// lasting is a reply without what is of the request for it, and another each time.
func lasting(said any, body []byte) any {
	whole := cast.Object(said)
	if whole == nil {
		return string(body)
	}
	kept := make(map[string]any, len(whole))
	for name, value := range whole {
		switch words.Bare(name) {
		case "requestid", "correlationid", "traceid":
		default:
			kept[name] = value
		}
	}
	return kept
}

// Take has the world take in what the real service answered to a write that it has
// done: the record as it is there now, one that is new, or that one is gone. What
// the run has changed by itself stays as it is.
func (o Over) Take(call *fakes.Call, reply fakes.Reply) {
	importer, ok := o.absorbs()
	if !ok || !good(reply) {
		return
	}
	before := len(call.Tx.Changes())
	if !call.Bounded(func() { importer.Import(call, reply.Status, reply.Body) }) {
		return
	}
	role := o.Service.Contract.Model().Roles[call.Operation.Source()]
	if read := o.made(call, role, reply); read != nil && len(call.Tx.Changes()) == before {
		read.Bounded(func() { importer.Import(read, http.StatusOK, reply.Body) })
	}
	k := o.subject(call)
	if k.ID == "" {
		return
	}
	if r := readOf(call.Tx, k); r != nil && r.State != Absorbed {
		return
	}
	_, there := call.Tx.Get(k.Collection, k.ID)
	switch {
	case !there:
		return
	case role != nil && role.Kind == anatomy.Delete:
		kit.Must("overlay", call.Tx.Delete(k.Collection, k.ID))
		return
	}
	said, _ := parse(reply.Body)
	if role != nil && role.Kind != anatomy.Action {
		refresh(importer, call, reply, k)
	}
	r := record{Key: k, State: Absorbed, Seen: mark(call.Operation.Name(), said)}
	r.keep(call.Tx)
}

// made is the read of what a call has created, as its reply names it; nil: there is
// none.
func (o Over) made(call *fakes.Call, role *anatomy.Role, reply fakes.Reply) *fakes.Call {
	if role == nil || role.Resource == nil || role.Kind != anatomy.Create && role.Kind != anatomy.Upsert {
		return nil
	}
	at := slices.IndexFunc(o.Service.Contract.Operations, func(read *specs.Operation) bool {
		above, last := pathpkg.Split(read.Path)
		return read.Method == http.MethodGet && strings.TrimSuffix(above, "/") == call.Operation.Path && strings.HasPrefix(last, "{")
	})
	if at < 0 {
		return nil
	}
	read := o.Service.Contract.Operations[at]
	said, _ := parse(reply.Body)
	for _, held := range records(said) {
		id := plain(held[role.Resource.ID.Field])
		if id == "" {
			continue
		}
		path := maps.Clone(call.Input.Path)
		if path == nil {
			path = map[string]string{}
		}
		path[strings.Trim(pathpkg.Base(read.Path), "{}")] = id
		return Need{Operation: read, Path: fakes.PathTo(read, path)}.Of(call)
	}
	return nil
}
