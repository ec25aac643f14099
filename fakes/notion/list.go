package notion

import "iter"

// A cursor names the first item of the page that it leads to: for lists of
// records that is the record's id, as recorded.
//
// window reads a page out of items, whose keys are their cursors.
func window[T any](items iter.Seq[T], key func(T) string, size int, cursor string) (page []T, next string, refused *refusal) {
	if cursor != "" {
		id, ok := uuidOf(cursor)
		if !ok {
			return nil, "", badCursor(cursor)
		}
		cursor = id
	}
	found := cursor == ""
	page = make([]T, 0, size)
	for item := range items {
		if !found {
			if key(item) != cursor {
				continue
			}
			found = true
		}
		if len(page) == size {
			return page, key(item), nil
		}
		page = append(page, item)
	}
	if !found {
		return nil, "", badCursor(cursor)
	}
	return page, "", nil
}

func badCursor(cursor string) *refusal {
	return refuse("The start_cursor provided is invalid: %s", cursor)
}

// listed is the envelope of a page.
func listed(kind string, results []any, next string) map[string]any {
	value := map[string]any{"object": "list", "results": results, "next_cursor": nil, "has_more": next != ""}
	if next != "" {
		value["next_cursor"] = next
	}
	if kind != "" {
		value["type"], value[kind] = kind, map[string]any{}
	}
	return value
}
