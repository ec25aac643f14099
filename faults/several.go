package faults

import (
	"maps"
	"path"
	"slices"
	"strings"

	"parity/specs"
	"parity/specs/schema"
)

// Several records are what a success answers with: a page of a list, a batch of
// those that were asked for by their ids, or a map of them by id.
//
//	POST /contacts/batch/read {"inputs": [{"id": 1}, …]} ─▶ {"results": [{"id": 1}, …]}
//	GET  /contacts/vids/batch?vid=1&vid=2                ─▶ {"1": {…}, "2": {…}}
type several struct {
	value   any // the whole reply
	items   []any
	ids     []string               // what they are named by; "" for those without a name
	without func(map[int]bool) any // the whole without some of them
}

// several reads a reply; nil where it is about one thing.
func (a *Answer) several(value any) *several {
	if list := a.page(); list != nil {
		return listed(list, list.anatomy.Items)
	}
	if found := a.table(value); found != nil {
		return found
	}
	return a.batch(value)
}

func listed(p *page, pointer string) *several {
	return &several{value: p.value, items: p.items, ids: p.ids(), without: func(gone map[int]bool) any {
		kept := make([]any, 0, len(p.items))
		for i, item := range p.items {
			if !gone[i] {
				kept = append(kept, item)
			}
		}
		return putAt(p.value, pointer, kept)
	}}
}

// batch finds the records of a batch: those whose ids the request has, or, where
// the path says that it is about many, the one list of objects, or the one that
// is named as such lists are.
func (a *Answer) batch(value any) *several {
	wanted := requested(a.Call)
	var best, only, usual *page
	pointers := map[*page]string{}
	most := 0
	for _, pointer := range listsIn(value) {
		found, _ := specs.ValueAt(value, pointer)
		items, _ := found.([]any)
		p := &page{anatomy: &a.Call.Operation.Anatomy, value: value, items: items, header: a.Header}
		pointers[p] = pointer
		n := 0
		for _, id := range p.ids() {
			if wanted[id] {
				n++
			}
		}
		if n > most {
			best, most = p, n
		}
		if only = p; len(pointers) > 1 {
			only = nil
		}
		if name := path.Base(pointer); slices.Contains([]string{"results", "items", "data", "records", a.Call.Operation.Anatomy.Collection}, name) && usual == nil {
			usual = p
		}
	}
	if best == nil && ofMany(a.Call.Operation.Path) {
		if best = only; best == nil {
			best = usual
		}
	}
	if best == nil {
		return nil
	}
	return listed(best, pointers[best])
}

// listsIn finds the lists of objects in a reply, itself or in one or two objects
// around them.
func listsIn(value any) []string {
	var found []string
	var walk func(v any, names []string)
	walk = func(v any, names []string) {
		switch v := v.(type) {
		case []any:
			if len(v) > 0 && !slices.ContainsFunc(v, func(item any) bool { return !isObject(item) }) {
				found = append(found, specs.Pointer(names...))
			}
		case map[string]any:
			for _, name := range slices.Sorted(maps.Keys(v)) {
				if len(names) < 2 && name != "errors" && name != "warnings" {
					walk(v[name], below(names, name))
				}
			}
		}
	}
	walk(value, nil)
	return found
}

// requested collects what a request may name records by: the values of its query
// and its body. Those of its path name the one that holds them.
func requested(r Request) map[string]bool {
	all := leavesOf(r.Input.Content())
	maps.Copy(all, leavesOf(map[string]any(r.Input.Query)))
	for value := range maps.Clone(all) {
		for part := range strings.SplitSeq(value, ",") {
			all[strings.TrimSpace(part)] = true
		}
	}
	return all
}

// ofMany tells a path that says that it is about many records.
func ofMany(template string) bool {
	for part := range strings.SplitSeq(strings.ToLower(template), "/") {
		if strings.HasPrefix(part, "{") {
			continue
		}
		for _, word := range []string{"batch", "bulk", "_many", "-many", "mget", "multiget"} {
			if strings.Contains(part, word) {
				return true
			}
		}
	}
	return false
}

// table finds a map of records by their ids: an object whose names the contract
// leaves open, and whose values are objects, by the contract or by bearing the
// ids that were asked for or that they have. In a reply that is a record itself
// it is a part of that.
func (a *Answer) table(value any) *several {
	_, free := replyFields(a.Call.Operation)
	whole := page{anatomy: &a.Call.Operation.Anatomy}
	for _, f := range free {
		outer := f.path[:len(f.path)-1]
		if slices.Contains(outer, "*") || f.kinds != 0 && f.kinds&schema.Object == 0 || len(outer) > 0 && whole.idOf(value) != "" {
			continue
		}
		at, _ := specs.ValueAt(value, specs.Pointer(outer...))
		records, _ := at.(map[string]any)
		names := slices.Sorted(maps.Keys(records))
		if len(names) == 0 || slices.ContainsFunc(names, func(name string) bool { return !isObject(records[name]) }) {
			continue
		}
		wanted := requested(a.Call)
		if f.kinds == 0 && !slices.ContainsFunc(names, func(name string) bool { return wanted[name] || whole.idOf(records[name]) == name }) {
			continue
		}
		found := &several{value: value, ids: names}
		for _, name := range names {
			found.items = append(found.items, records[name])
		}
		found.without = func(gone map[int]bool) any {
			for i, name := range names {
				if gone[i] {
					delete(records, name)
				}
			}
			return value
		}
		return found
	}
	return nil
}
