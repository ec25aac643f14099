package mirror

import (
	"context"
	"maps"
	"net/http"
	"slices"
	"strings"

	"parity/fakes"
	"parity/specs"
	"parity/specs/personal"
)

// follow reads what the records in the mirror refer to, and what stands beneath
// them, until there is nothing more.
func (w *Walk) follow(ctx context.Context) error {
	for len(w.queue) > 0 {
		r := w.queue[0]
		w.queue = w.queue[1:]
		var failed error
		references(w.Contract, r, func(field, collection, id string) {
			if failed == nil {
				failed = w.refer(ctx, field, collection, id)
			}
		})
		if failed == nil {
			failed = w.below(ctx, r)
		}
		if failed != nil {
			return failed
		}
	}
	return nil
}

// refer has what a field refers to be in the mirror.
func (w *Walk) refer(ctx context.Context, field, collection, id string) error {
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

// single tells whether an operation reads one record of a collection.
func (w *Walk) single(collection string) bool {
	return slices.ContainsFunc(w.Contract.Operations, func(op *specs.Operation) bool {
		return op.Method == http.MethodGet && !op.Anatomy.List && op.Anatomy.Collection == collection && strings.HasSuffix(op.Path, "/{"+op.Anatomy.Member+"}")
	})
}

// people tells whether a field is named for somebody: requester_id.
func people(field string) bool {
	last := field[strings.LastIndexByte(field, '.')+1:]
	for _, end := range []string{"_ids", "_id", "Ids", "Id", "ID"} {
		last = strings.TrimSuffix(last, end)
	}
	return personal.People(last)
}

// below has what stands beneath a record be in the mirror: the first page of each
// list of it that is of a collection which has no list of its own.
func (w *Walk) below(ctx context.Context, r Record) error {
	for _, read := range w.Contract.Operations {
		a := &read.Anatomy
		if read.Method != http.MethodGet || a.List || a.Collection != r.Collection || a.Member == "" || !strings.HasSuffix(read.Path, "/{"+a.Member+"}") {
			continue
		}
		values := w.place(read, r)
		if values == nil {
			continue
		}
		for _, op := range w.Contract.Operations {
			rest, under := strings.CutPrefix(op.Path, read.Path+"/")
			if !under || strings.Contains(rest, "/") || op.Method != http.MethodGet || !op.Anatomy.List || op.Anatomy.Collection == r.Collection || wants(op) || w.listed(op.Anatomy.Collection) {
				continue
			}
			p, err := w.read(ctx, op, fakes.PathTo(op, values), limited(op), values)
			if err != nil {
				return err
			}
			for i := 0; p != nil && i < len(p.items); i++ {
				if k, ok := (&pool{}).keyOf(&p.Exchange, p.items[i]); ok {
					w.choose(k, p)
				}
			}
		}
		return nil
	}
	return nil
}

// listed tells whether a collection has a list of its own.
func (w *Walk) listed(collection string) bool {
	return slices.ContainsFunc(w.Contract.Operations, func(op *specs.Operation) bool {
		return op.Method == http.MethodGet && op.Anatomy.List && op.Anatomy.Collection == collection && !strings.Contains(op.Path, "{")
	})
}

// place gives the values that a record's own address has: by its id, by the address
// that it shows, or by what stands above it.
func (w *Walk) place(read *specs.Operation, r Record) map[string]string {
	if strings.Count(read.Path, "{") == 1 {
		return map[string]string{read.Anatomy.Member: r.ID}
	}
	for _, name := range []string{"url", "self", "href"} {
		if m := w.Contract.Match(http.MethodGet, pathOf(plain(r.Value[name]))); m.Operation == read {
			return m.Path
		}
	}
	values := maps.Clone(r.Path)
	if values == nil {
		values = map[string]string{}
	}
	values[read.Anatomy.Member] = r.ID
	for part := range strings.SplitSeq(read.Path, "{") {
		if name, _, found := strings.Cut(part, "}"); found && values[name] == "" {
			return nil
		}
	}
	return values
}
