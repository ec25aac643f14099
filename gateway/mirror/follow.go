package mirror

import (
	"context"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"parity/fakes"
	"parity/fakes/cast"
	"parity/specs"
	"parity/specs/personal"
)

// follow reads what the records in the mirror refer to, and then what stands beneath
// them, until there is nothing more: where no more calls may be made, references
// come first.
func (w *Walk) follow(ctx context.Context) error {
	var waiting []Record
	for len(w.queue)+len(waiting) > 0 {
		if len(w.queue) == 0 {
			r := waiting[0]
			waiting = waiting[1:]
			if err := w.below(ctx, r); err != nil {
				return err
			}
			continue
		}
		r := w.queue[0]
		w.queue, waiting = w.queue[1:], append(waiting, r)
		var failed error
		references(w.Contract, r, func(field, collection, id string) {
			if failed == nil {
				failed = w.refer(ctx, field, collection, id)
			}
		})
		if failed != nil {
			return failed
		}
	}
	return nil
}

// refer has what a field refers to be in the mirror.
func (w *Walk) refer(ctx context.Context, field, collection, id string) error {
	if begins := prefix(id); collection == "" && begins != "" {
		collection = w.begins[begins]
	}
	for _, op := range w.Contract.Operations {
		a := &op.Anatomy
		if op.Method != http.MethodGet || a.List || a.Member == "" || !strings.HasSuffix(op.Path, "/{"+a.Member+"}") || strings.Count(op.Path, "{") != 1 || wants(op) {
			continue
		}
		if a.Collection != collection && (collection != "" && w.single(collection) || !alike(field, a.Collection) && !(people(field) && personal.People(a.Collection))) {
			continue
		}
		k := Key{a.Collection, id}
		if p := w.known[k]; p != nil {
			w.choose(k, p)
			return nil
		}
		values := map[string]string{a.Member: id}
		p, err := w.read(ctx, op, fakes.PathTo(op, values), "", values)
		if err != nil || p == nil {
			return err
		}
		for _, r := range p.records() {
			w.choose(r.Key, p)
		}
		return nil
	}
	return nil
}

// prefix is what an id begins with where that names its kind: cus_ of cus_Nffr.
func prefix(id string) string {
	if at := strings.LastIndexByte(id, '_'); at >= 2 && at < len(id)-1 {
		return id[:at+1]
	}
	return ""
}

// single tells whether an operation reads one record of a collection.
func (w *Walk) single(collection string) bool {
	return slices.ContainsFunc(w.Contract.Operations, func(op *specs.Operation) bool {
		return op.Method == http.MethodGet && !op.Anatomy.List && op.Anatomy.Collection == collection && strings.HasSuffix(op.Path, "/{"+op.Anatomy.Member+"}")
	})
}

// people tells whether a field is named for somebody: requester_id.
func people(field string) bool { return personal.People(stem(field)) }

// below has what stands beneath a record be in the mirror: the first page of each
// list that is asked for by its id, of a collection which has no list of its own.
func (w *Walk) below(ctx context.Context, r Record) error {
	values := w.place(r)
	for _, op := range w.Contract.Operations {
		if op.Method != http.MethodGet || !op.Anatomy.List || op.Anatomy.Collection == r.Collection || w.listed(op.Anatomy.Collection) || !w.wanted(op) {
			continue
		}
		path, query, ok := w.beneath(op, r, values)
		if !ok {
			continue
		}
		p, err := w.read(ctx, op, path, strings.Trim(query+"&"+limited(op), "&"), values)
		if err != nil {
			return err
		}
		for i := 0; p != nil && i < len(p.items); i++ {
			if k, ok := p.keyOf(cast.Object(p.items[i])); ok {
				w.choose(k, p)
			}
		}
	}
	return nil
}

// wanted tells whether a list may be read, where collections are named.
func (w *Walk) wanted(op *specs.Operation) bool {
	return len(w.Collections) == 0 || slices.Contains(w.Collections, op.Anatomy.Collection)
}

// beneath gives the address of a list for one record: the last of its parameters,
// in its path or else in its query, is for the record's id.
func (w *Walk) beneath(op *specs.Operation, r Record, values map[string]string) (path, query string, ok bool) {
	parameters, _ := op.Source().Parameters()
	last := ""
	for part := range strings.SplitSeq(op.Path, "{") {
		if name, _, found := strings.Cut(part, "}"); found {
			if last = name; values[name] == "" {
				return "", "", false
			}
		}
	}
	for _, p := range parameters {
		about := last == "" && query == "" && p.In == "query" && p.Name != "id" && named(p.Name, r.Collection)
		switch {
		case p.In == "path", !p.Required && w.open[op]:
		case about:
			query = url.QueryEscape(p.Name) + "=" + url.QueryEscape(r.ID)
		case p.Required:
			return "", "", false
		}
	}
	ok = last != "" || query != ""
	if last == "id" { // of what, its path says
		ok = slices.ContainsFunc(w.Contract.Operations, func(read *specs.Operation) bool {
			return read.Anatomy.Collection == r.Collection && !read.Anatomy.List && strings.HasPrefix(op.Path, read.Path+"/")
		})
	}
	return fakes.PathTo(op, values), query, ok
}

// listed tells whether a collection has a list of its own, by which all of it is
// read.
func (w *Walk) listed(collection string) bool {
	lists, members, all := false, false, false
	for _, op := range w.Contract.Operations {
		a := &op.Anatomy
		if op.Method != http.MethodGet || a.Collection != collection {
			continue
		}
		if a.List {
			lists = lists || w.open[op] && strings.Contains(strings.ToLower(op.Path), strings.ToLower(collection)) // reactions.list has some messages
			continue
		}
		above, is := strings.CutSuffix(op.Path, "/{"+a.Member+"}")
		if is && a.Member != "" {
			members, all = true, all || !strings.Contains(above, "{")
		}
	}
	return lists && (all || !members)
}

// place gives the values that addresses have which begin with a record's own: its id,
// and what stands above it, by the address that it shows or by which it was read.
func (w *Walk) place(r Record) map[string]string {
	values := maps.Clone(r.Path)
	if values == nil {
		values = map[string]string{}
	}
	for _, read := range w.Contract.Operations {
		a := &read.Anatomy
		if read.Method != http.MethodGet || a.List || a.Collection != r.Collection || a.Member == "" || !strings.HasSuffix(read.Path, "/{"+a.Member+"}") {
			continue
		}
		for _, name := range []string{"url", "self", "href"} {
			if m := w.Contract.Match(http.MethodGet, pathOf(plain(r.Value[name]))); m.Operation == read {
				maps.Copy(values, m.Path)
			}
		}
		if strings.Count(read.Path, "{") == 1 {
			values[a.Member] = r.ID
		}
	}
	return values
}
