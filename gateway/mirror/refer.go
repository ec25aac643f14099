package mirror

import (
	"maps"
	"slices"
	"strings"

	"parity/specs"
)

// references goes through what a record refers to: what the contract says of its
// fields, what it infers of them, and what is named as an id. collection is "" where
// nothing says in which it is.
func references(contract *specs.Contract, r Record, visit func(field, collection, id string)) {
	inferred := map[string]string{}
	model := contract.Model()
	for _, op := range contract.Operations {
		if role := model.Roles[op.Source()]; op.Anatomy.Collection == r.Collection && role != nil && role.Resource != nil {
			for field, name := range role.Resource.Refers {
				inferred[field] = name
			}
		}
	}
	scalars("", r.Value, 0, func(field string, v any) {
		id := plain(v)
		last := field[strings.LastIndexByte(field, '.')+1:]
		if id == "" || id == r.ID || last == "" {
			return
		}
		target, known := contract.Refers(r.Collection, field)
		target = strings.TrimPrefix(target, contract.Service+".")
		if !known {
			target = inferred[field]
		}
		_, text := v.(string)
		switch {
		case target != "":
			visit(field, target, id)
		case identifies(last), text && len(id) >= leastID && !strings.ContainsAny(id, " /:"):
			visit(field, "", id)
		}
	})
}

// marks are what names of fields end in that hold ids.
func marks() []string { return []string{"_ids", "_id", "Ids", "Id", "ID"} }

// identifies tells the name of a field that holds ids.
func identifies(name string) bool {
	return slices.ContainsFunc(marks(), func(end string) bool { return strings.HasSuffix(name, end) })
}

// stem is the last name of a dotted field without what says that it holds ids.
func stem(field string) string {
	last := field[strings.LastIndexByte(field, '.')+1:]
	for _, end := range marks() {
		last = strings.TrimSuffix(last, end)
	}
	return last
}

// alike tells whether a field is named for a collection: label, label_id and labels.
func alike(field, collection string) bool {
	last := stem(field)
	return last != "" && (last == collection || last+"s" == collection || last+"es" == collection || strings.TrimSuffix(last, "y")+"ies" == collection)
}

// scalars goes through the texts and numbers of a value, in the order of their
// names; items of a list have its field.
func scalars(field string, v any, depth int, visit func(field string, v any)) {
	const deepest = 6
	if depth > deepest {
		return
	}
	switch v := v.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			scalars(strings.TrimPrefix(field+"."+name, "."), v[name], depth+1, visit)
		}
	case []any:
		for _, item := range v {
			scalars(field, item, depth+1, visit)
		}
	default:
		visit(field, v)
	}
}
