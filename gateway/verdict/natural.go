package verdict

import (
	"bytes"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"parity/fakes/world"
	"parity/faults/trail"
)

// A key need not be called one. What a client names itself, what may be there
// only once, and what is set rather than added does nothing twice:
//
//	PUT /events/order-17            its own id: the second call meets the first
//	POST /contacts {email} ▶ 409    unique: the refusal tells that it is there
//	PATCH {status: solved}          the same value once more is no change

// natural says why a call that repeats a lost one does nothing twice; "": nothing
// keeps it from that.
func natural(j *judge, lost, c *call) string {
	switch {
	case conditional(c):
		return "it was sent under a condition"
	case idempotent(j.contracted(c)):
		return "the same call once more changes nothing"
	case ownID(j, lost) || ownID(j, c):
		return "it has an id of its own, so that it is one"
	case exists(c):
		return tag(c) + "was told that it is there already"
	case c.x.Method == http.MethodDelete:
		return "what is gone is gone"
	case strings.Contains(strings.ToLower(c.x.Path), "upsert"):
		return "it sets what is there already"
	}
	if c.changedThings() || c.x.Method == http.MethodPut || c.x.Method == http.MethodPatch {
		if _, made := j.effect(c); !made && !adds(c) && !adds(lost) {
			return "it sets the same values once more"
		}
	}
	return ""
}

// adds tells a call that made a record, hidden ones such as commits among them:
// not one that a service notes of each change.
func adds(c *call) bool {
	return slices.ContainsFunc(c.delta, func(d trail.Change) bool {
		return d.Op == world.Create && !strings.Contains(d.Collection, "event") && !aside(kindOf(d.Collection))
	}) || c.x.Method == http.MethodPost && len(c.delta) == 0
}

// conditional tells a call that is to do something only where nothing is there
// yet, or what it has seen.
func conditional(c *call) bool {
	return slices.ContainsFunc(c.x.Header, func(f trail.Field) bool {
		return strings.EqualFold(f.Name, "If-None-Match") || strings.EqualFold(f.Name, "If-Match") || strings.EqualFold(f.Name, "If-Unmodified-Since")
	})
}

// ownID tells a call that names itself the record that it makes.
func ownID(j *judge, c *call) bool {
	if d, ok := principal(c, j.written(c)); ok {
		if len(d.ID) >= 4 && (bytes.Contains(c.x.Body, []byte(`"`+d.ID+`"`)) || slices.Contains(strings.Split(c.x.Path, "/"), d.ID)) {
			return true
		}
	}
	body := fieldsOf(c)
	if id, ok := body["id"].(string); ok && id != "" && len(body) > 1 && c.x.Method != http.MethodPatch {
		return true
	}
	return false
}

// exists tells a refusal that says that what was to be made is there.
func exists(c *call) bool {
	switch c.x.Status {
	case http.StatusConflict, http.StatusBadRequest, http.StatusUnprocessableEntity, http.StatusPreconditionFailed, http.StatusOK:
	default:
		return false
	}
	if !c.arrived() || c.x.Committed || c.x.Fidelity == trail.Injected {
		return false
	}
	text := bytes.ToLower(c.x.ReplyBody)
	for _, word := range []string{"exist", "already", "taken", "duplicate", "unique", "in use"} {
		if bytes.Contains(text, []byte(word)) {
			return true
		}
	}
	return false
}

// labels are the fields of a call, or of a record, whose values say which order,
// case or thing is meant.
func labels(fields map[string]any) map[string]string {
	all := map[string]string{}
	var walk func(prefix string, m map[string]any, inside bool)
	walk = func(prefix string, m map[string]any, inside bool) {
		for name, value := range m {
			switch x := value.(type) {
			case map[string]any:
				if name == "metadata" || name == "properties" || name == "custom_fields" {
					walk(name+".", x, true)
				}
			case string:
				if x != "" && identifies(name) && !ofTheTry(name) && (inside || !machine(name)) {
					all[prefix+name] = x
				}
			case int64:
				if inside && identifies(name) {
					all[prefix+name] = fmt.Sprint(x)
				}
			}
		}
	}
	walk("", fields, false)
	return all
}

// machine tells a field by which a service names records, where a label of the
// client's own is meant.
func machine(name string) bool {
	return name == "id" || !hasWord(name, "order", "reference", "ref", "external", "booking", "invoice", "sku", "receipt", "voucher", "claim", "rma", "shipment", "parcel", "no") || strings.HasPrefix(name, "latest_")
}

// equalLabels tells that two things are for the same order: a label of theirs is
// equal, and none differs.
func equalLabels(a, b map[string]any) bool {
	x, y := labels(a), labels(b)
	equal := false
	for name, value := range x {
		if other, ok := y[name]; ok {
			if other != value {
				return false
			}
			equal = true
		}
	}
	return equal
}

// otherLabels tells that two things are for two orders: a label of theirs differs.
func otherLabels(a, b map[string]any) bool {
	x, y := labels(a), labels(b)
	for name, value := range x {
		if other, ok := y[name]; ok && other != value {
			return true
		}
	}
	return false
}

// meantBy is the line of a profile that says what tells two orders apart.
func meantBy(c *call) string {
	field := "FIELD"
	for name := range labels(fieldsOf(c)) {
		if field == "FIELD" || name < field {
			field = name
		}
	}
	return fmt.Sprintf("intents: {%s: {by: [%s]}}", c.name(), field)
}

// readBackFor is the read-back that counts after a call that did nothing: one that would
// have shown what it was for. then is the call that did it in the end, and says
// what that is; nil: none did.
func (j *judge) readBackFor(lost, then *call) readBack {
	var found readBack
	for _, r := range j.followed(lost) {
		if then != nil && r.open >= then.open {
			break
		}
		if !r.reads() || r.x.Service != lost.x.Service {
			continue
		}
		would := r.sameMatter(lost)
		if then != nil {
			for _, d := range then.delta {
				noun := d.Collection[strings.LastIndexByte(d.Collection, '.')+1:]
				would = would || slices.Contains(segments(r.x.Path), noun)
			}
		}
		switch {
		case !would || then == nil && asksForOther(r, lost, nil) && !meet(r.read().shown, namesIn(lost.x.Path)):
		case !r.arrived() || r.x.Status/100 != 2 && r.x.Status != 404:
			found.take(readBack{failed: r})
		default:
			found.take(readBack{at: r})
		}
	}
	return found
}
