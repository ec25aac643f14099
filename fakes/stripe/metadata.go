package stripe

import (
	"sort"
	"unicode/utf8"

	"parity/fakes/kit"
)

// What metadata may hold. Source: docs.stripe.com/api/metadata.
const (
	mostMetadata       = 50
	longestMetaKey     = 40
	longestMetaContent = 500
)

// metadata merges the metadata that was sent into what a record has.
func (c *call) metadata(old any) (map[string]any, *refusal) {
	had, _ := old.(map[string]any)
	if had == nil {
		had = map[string]any{}
	}
	sent, ok := c.Input.Body["metadata"]
	if !ok {
		return had, nil
	}
	merged := kit.Merge(had, sent)
	if len(merged) > mostMetadata {
		return nil, unsaved(invalid("metadata", "", "You cannot have more than %d metadata keys; this request would leave %d. Unset some by giving them an empty value.", mostMetadata, len(merged)))
	}
	for _, key := range sorted(merged) {
		if n := utf8.RuneCountInString(key); n > longestMetaKey {
			return nil, unsaved(invalid("metadata", "", "Metadata keys can be up to %d characters long. The key '%s' has %d.", longestMetaKey, key, n))
		}
		text, ok := merged[key].(string)
		if !ok {
			return nil, unsaved(invalid("metadata["+key+"]", "", "Metadata values must be strings, but the value of '%s' is not.", key))
		}
		if n := utf8.RuneCountInString(text); n > longestMetaContent {
			return nil, unsaved(invalid("metadata["+key+"]", "", "Metadata values can have up to %d characters, but you passed in a value that is %d characters. Invalid value: %s", longestMetaContent, n, text))
		}
	}
	return merged, nil
}

// setMetadata puts the metadata of a record, merged with what was sent, into the
// value that is to be written.
func (c *call) setMetadata(value map[string]any, old any) *refusal {
	merged, refused := c.metadata(old)
	value["metadata"] = merged
	return refused
}

// unsaved marks a refusal for parameters alone.
func unsaved(r *refusal) *refusal {
	r.unsaved = true
	return r
}

func sorted(m map[string]any) []string {
	keys := make([]string, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	sort.Strings(keys)
	return keys
}
