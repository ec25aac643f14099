package profiles

import "parity/specs/secret"

func secretsKey() key {
	return key{
		name: "secrets", kind: oneOrMany, some: true, adds: true, of: &key{kind: text, example: "door_code"}, example: "[door_code]",
		doc: "Names of fields, parameters and headers whose values are secrets, besides those that are known as such: they are masked before anything is written. Case and style do not count: door_code is doorCode. Those of profiles that are extended count too.",
	}
}

// secrets reads which names are of secrets.
func (b *binder) secrets() *secret.List {
	it := b.tree.get("secrets")
	for _, e := range it.entries() {
		if e.ok() && !secret.Nameable(e.str()) {
			b.wrong(e.place, "name a field, such as door_code", "secrets: %s is no name: it needs two to 64 letters and digits", shorten(e.str()))
		}
	}
	return secret.NewList(it.strings()...)
}
