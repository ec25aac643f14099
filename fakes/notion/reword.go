package notion

import (
	"maps"
	"slices"

	"parity/fakes"
	"parity/fakes/cast"
	"parity/fakes/kit"
)

var _ fakes.Reworder = (*Fake)(nil)

// Reworded is a word more in a rich text of a record: in the title of a page or a
// database, else in another text of a page; or in what a block says.
func (f *Fake) Reworded(fc *fakes.Call, collection, id string) map[string]any {
	_, record, err := f.store.Held(fc.Tx, collection, id)
	if err != nil {
		return nil
	}
	properties := cast.Object(record.Value()["properties"])
	for _, kind := range []string{"title", "rich_text"} {
		for _, name := range slices.Sorted(maps.Keys(properties)) {
			if property := cast.Object(properties[name]); property["type"] == kind && plainText(property[kind]) != "" {
				return map[string]any{"properties": map[string]any{name: map[string]any{kind: reworded(property[kind])}}}
			}
		}
		if plainText(record.Value()[kind]) != "" {
			return map[string]any{kind: reworded(record.Value()[kind])}
		}
	}
	kind := kit.Text(record.Value(), "type")
	if said := cast.Object(record.Value()[kind])["rich_text"]; plainText(said) != "" {
		return map[string]any{kind: map[string]any{"rich_text": reworded(said)}}
	}
	return nil
}

func reworded(texts any) []any { return append(slices.Clone(cast.List(texts)), plain(" (edited)")) }
