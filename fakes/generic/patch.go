package generic

import (
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/specs"
	"parity/specs/body"
)

// patched gives a record as a change makes it: a JSON patch, a merge patch, or
// the fields that are there.
func (c *call) patched(old map[string]any) (map[string]any, *refusal) {
	kind := body.Kind(c.Header.Get("Content-Type"))
	operations, isList := c.Input.Value.([]any)
	if held, ok := pointer(c.plan.role.Input.Path).get(mapOrNil(c.Input.Body)); ok && c.plan.role.Patch == "json" && !isList {
		operations, isList = held.([]any)
	}
	if kind == "application/json-patch+json" || c.plan.role.Patch == "json" && isList {
		after, err := jsonPatch(old, operations)
		if errors.Is(err, errPatchTooLarge) {
			return nil, &refusal{status: http.StatusRequestEntityTooLarge, code: "too_large", message: "The patch " + err.Error() + ".", res: c.plan.res}
		}
		if err != nil {
			return nil, &refusal{status: http.StatusConflict, code: "patch_failed", message: err.Error(), res: c.plan.res}
		}
		return after, nil
	}
	given := c.plan.res.form.bendAll(c.given())
	if kind == "application/merge-patch+json" || c.plan.role.Patch == "merge" || body.IsJSON(kind) {
		return mergePatch(c.plan.res.form, old, given), nil
	}
	after := maps.Clone(old)
	maps.Copy(after, given)
	return after, nil
}

// bendAll gives what was sent in the types that the record has.
func (f *form) bendAll(given map[string]any) map[string]any {
	out := maps.Clone(given)
	for name, value := range given {
		if s := f.fields[name]; s != nil && value != nil && !fits(s, value, 0) {
			if bent, ok := bend(s, value); ok {
				out[name] = bent
			}
		}
	}
	return out
}

// mergePatch lays a change over a record (RFC 7396): null takes a field away.
// Where the record's own schema has null there, it becomes null.
func mergePatch(f *form, old, change map[string]any) map[string]any {
	out := maps.Clone(old)
	if out == nil {
		out = map[string]any{}
	}
	for name, value := range change {
		s := f.fields[name]
		inner, isObject := value.(map[string]any)
		switch {
		case value == nil && s != nil && fits(s, nil, 0):
			out[name] = nil
		case value == nil:
			delete(out, name)
		case isObject:
			out[name] = mergePatch(formOf(s), cast.Object(out[name]), inner)
		default:
			out[name] = value
		}
	}
	return out
}

// Bounds on one patch. A copy of a copy doubles a record with each operation,
// and each that changes a list writes all of it anew.
const (
	maxPatched = 1 << 20 // values that are looked at or written
	maxNested  = 2 * body.MaxDepth
)

var errPatchTooLarge = errors.New("does more than can be done in one request, or nests too deep")

// jsonPatch does the operations of a patch in their order (RFC 6902), all of
// them or none.
func jsonPatch(old map[string]any, operations []any) (map[string]any, error) {
	var at any = old
	left := maxPatched
	for i, one := range operations {
		operation, ok := one.(map[string]any)
		if !ok {
			return nil, fmt.Errorf("operation %d is no object", i)
		}
		if left -= patchCost(at, operation, left); left < 0 {
			return nil, errPatchTooLarge
		}
		next, err := patchOne(at, operation)
		if err != nil {
			return nil, fmt.Errorf("operation %d: %w", i, err)
		}
		at = next
	}
	if sizeOf(at, maxPatched, 0) > maxPatched {
		return nil, errPatchTooLarge
	}
	after, ok := at.(map[string]any)
	if !ok {
		return nil, fmt.Errorf("what is left is no object")
	}
	return after, nil
}

// patchCost counts what an operation looks at and writes, and no further than
// it matters.
func patchCost(doc any, operation map[string]any, most int) int {
	cost := 1
	for _, name := range []string{"path", "from"} {
		at := doc
		for _, step := range path(specs.PointerNames(cast.Plain(operation[name]))) {
			switch x := at.(type) {
			case map[string]any:
				cost += len(x)
			case []any:
				cost += len(x)
			}
			at, _ = path{step}.get(at)
		}
		if _, given := operation[name]; given {
			cost += sizeOf(at, most, 0)
		}
	}
	return cost
}

// sizeOf counts the values that a value is made of; one that is larger than
// most, or nests too deep, counts more than that.
func sizeOf(v any, most, depth int) int {
	n := 1
	if depth > maxNested {
		return most + 1
	}
	switch x := v.(type) {
	case map[string]any:
		for _, inner := range x {
			if n += sizeOf(inner, most-n, depth+1); n > most {
				break
			}
		}
	case []any:
		for _, inner := range x {
			if n += sizeOf(inner, most-n, depth+1); n > most {
				break
			}
		}
	}
	return n
}

func patchOne(doc any, operation map[string]any) (any, error) {
	do, at := strings.ToLower(cast.Plain(operation["op"])), path(specs.PointerNames(cast.Plain(operation["path"]))) // there are contracts with Add and Replace
	if raw := cast.Plain(operation["path"]); raw != "" && raw[0] != '/' {
		return nil, fmt.Errorf("%q is no JSON pointer", raw)
	}
	value, hasValue := operation["value"]
	if !hasValue && (do == "add" || do == "replace" || do == "test") {
		return nil, fmt.Errorf("%s wants a value", do)
	}
	from := path(specs.PointerNames(cast.Plain(operation["from"])))
	held, there := at.get(doc)
	switch do {
	case "add":
		return insertAt(doc, at, value)
	case "remove":
		return removeAt(doc, at)
	case "replace":
		if !there {
			return nil, fmt.Errorf("there is nothing at %s", cast.Plain(operation["path"]))
		}
		return at.put(doc, value), nil
	case "test":
		if !there || !kit.Same(held, value) {
			return nil, fmt.Errorf("%s is not what it was thought to be", cast.Plain(operation["path"]))
		}
		return doc, nil
	case "move", "copy":
		moved, ok := from.get(doc)
		if !ok {
			return nil, fmt.Errorf("there is nothing at %s", cast.Plain(operation["from"]))
		}
		if do == "move" {
			if len(at) > len(from) && slices.Equal(at[:len(from)], from) {
				return nil, fmt.Errorf("a value cannot be moved into itself")
			}
			var err error
			if doc, err = removeAt(doc, from); err != nil {
				return nil, err
			}
		}
		return insertAt(doc, at, moved)
	}
	return nil, fmt.Errorf("%q is not add, remove, replace, move, copy or test", do)
}

// insertAt adds to an object, or puts before an item of a list.
func insertAt(doc any, at path, value any) (any, error) {
	if len(at) == 0 {
		return value, nil
	}
	parent, last := at[:len(at)-1], at[len(at)-1]
	into, ok := parent.get(doc)
	switch x := into.(type) {
	case map[string]any:
		return at.put(doc, value), nil
	case []any:
		i, err := strconv.Atoi(last)
		if last == "-" {
			i, err = len(x), nil
		}
		if err != nil || i < 0 || i > len(x) || len(last) > 1 && last[0] == '0' {
			return nil, fmt.Errorf("there is no place %s in a list of %d", last, len(x))
		}
		return parent.put(doc, slices.Insert(slices.Clone(x), i, value)), nil
	}
	if !ok {
		return nil, fmt.Errorf("there is nothing at /%s", strings.Join(parent, "/"))
	}
	return nil, fmt.Errorf("nothing can be added at /%s", strings.Join(at, "/"))
}

func removeAt(doc any, at path) (any, error) {
	if _, there := at.get(doc); !there || len(at) == 0 {
		return nil, fmt.Errorf("there is nothing at /%s", strings.Join(at, "/"))
	}
	parent, last := at[:len(at)-1], at[len(at)-1]
	into, _ := parent.get(doc)
	switch x := into.(type) {
	case map[string]any:
		rest := maps.Clone(x)
		delete(rest, last)
		return parent.put(doc, rest), nil
	case []any:
		i, err := strconv.Atoi(last)
		if err != nil {
			return nil, fmt.Errorf("%s is no place in a list", last)
		}
		return parent.put(doc, slices.Delete(slices.Clone(x), i, i+1)), nil
	}
	return nil, fmt.Errorf("nothing can be taken from /%s", strings.Join(parent, "/"))
}
