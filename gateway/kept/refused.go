package kept

import (
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"parity/fakes/world"
	"parity/faults/trail"
	"parity/gateway/report"
	"parity/specs"
)

// refused says of a service whether it refused most of its calls, or found what a
// write was about nowhere, without any fault; and what its world began with of the
// kind that was asked for. An agent that is set up for another world shows nothing.
func (k *Run) refused(of *report.Beginning, worlds func() (base, first *world.World)) {
	calls, refused, written := 0, 0, false
	kind, byName := "", false
	var said []string
	for i := range k.Events {
		x := k.Events[i].Exchange
		if x == nil || x.Service != of.Service {
			continue
		}
		calls++
		answer := refusal(x)
		if answer == "" {
			continue
		}
		refused++
		missing := answer == strconv.Itoa(http.StatusNotFound) || strings.HasSuffix(answer, notFound)
		of.Missing = of.Missing || missing
		written = written || missing && x.Effect != string(specs.Read)
		if !slices.Contains(said, answer) {
			said = append(said, answer)
		}
		if kind == "" && missing {
			kind, byName = k.kindAsked(x, answer)
		}
	}
	if refused*2 <= calls && !written {
		of.Missing = false
		return
	}
	of.Refused, of.Calls, of.Answers = refused, calls, said
	if kind == "" {
		return
	}
	if _, first := worlds(); first != nil {
		of.Kind, of.Has = kind, named(first, of.Service+"."+kind, byName)
	}
}

// notFound ends what a service says within a success of what is not there.
const notFound = "_not_found"

// refusal is what a service itself refused a call with: a status, or its own word
// within a success; "": it did not, or a fault had a part in it.
func refusal(x *trail.Exchange) string {
	if slices.ContainsFunc(x.Strikes, func(s trail.Strike) bool { return s.Fired }) {
		return ""
	}
	if p := x.Policy; p != nil && p.Decision != trail.PolicyAllowed { // which is no matter of what is there
		return ""
	}
	switch x.Status {
	case http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound:
		return strconv.Itoa(x.Status)
	}
	var answer struct {
		OK    *bool  `json:"ok"`
		Error string `json:"error"`
	}
	if x.Status/100 == 2 && json.Unmarshal(x.ReplyBody, &answer) == nil && answer.OK != nil && !*answer.OK {
		return answer.Error
	}
	return ""
}

// kindAsked is the collection of what was not found, without its service: the
// first that the path names, or the one that the service's own word does. Such a
// word is about a name; a path has an id.
func (k *Run) kindAsked(x *trail.Exchange, answer string) (kind string, byName bool) {
	if word, own := strings.CutSuffix(answer, notFound); own {
		return k.collectionOf(x.Service, word), true
	}
	segments := strings.Split(strings.Trim(x.Path, "/"), "/")
	for _, segment := range segments[:len(segments)-1] { // an id follows
		if kind := k.collectionOf(x.Service, segment); kind != "" {
			return kind, false
		}
	}
	return "", false
}

// collectionOf is the collection of a service that a word is short for, as repos
// is for repositories; "": none is.
func (k *Run) collectionOf(service, word string) (found string) {
	const shortest = 3
	for _, c := range k.Profile.Catalogue.Collections() {
		name, its := strings.CutPrefix(c.Name, service+".")
		if !its || c.Hidden || len(word) < shortest || !strings.HasPrefix(name, word) {
			continue
		}
		if found == "" || len(name) < len(found) {
			found = name
		}
	}
	return found
}

// named gives the first names, or ids, of a collection.
func named(w *world.World, collection string, byName bool) (all []string) {
	const most = 8
	for r := range w.Oldest(collection, 0) {
		name, _ := r.Value()["name"].(string)
		if name == "" || !byName {
			name = r.ID
		}
		if all = append(all, name); len(all) == most {
			break
		}
	}
	return all
}
