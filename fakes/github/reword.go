package github

import (
	"unicode/utf8"

	"parity/fakes"
	"parity/fakes/kit"
)

// Reworded is a line more in the file that a call's path names.
func (f *Fake) Reworded(fc *fakes.Call, collection, id string) map[string]any {
	c := f.call(fc)
	short, record, err := f.store.Held(fc.Tx, collection, id)
	r, ok, _ := c.reach()
	at := c.path("path")
	if err != nil || short != refs || !ok || at == "" {
		return nil
	}
	tip, _ := c.ref(r, kit.Text(record.Value(), "ref"))
	o, _ := c.objectOf(r, tip, commitKind)
	file, ok := c.walk(r, o.tree(), at)
	if !ok || file.mode == treeMode {
		return nil
	}
	blob, ok := c.objectOf(r, file.sha, blobKind)
	if text := blob.content(); ok && utf8.Valid(text) {
		return map[string]any{"content": encode64(append(text[:len(text):len(text)], "(edited)\n"...))}
	}
	return nil
}
