package github

import (
	"net/http"
	"slices"
	"strings"

	"parity/fakes/kit"
	"parity/fakes/world"
)

// A keyView shows a key of a person.
type keyView func(*call, *world.Record) map[string]any

func (c *call) showUserKey(record *world.Record) map[string]any {
	id := number(record.Value(), "id")
	shown := c.showKeyOf(record)
	shown["url"], shown["title"], shown["verified"], shown["read_only"] = c.Base+"/user/keys/"+decimal(id), kit.Text(record.Value(), "title"), true, false
	return shown
}

// showKeyOf shows a key to others than its owner.
func (c *call) showKeyOf(record *world.Record) map[string]any {
	value := record.Value()
	return map[string]any{"id": number(value, "id"), "key": value["key"], "created_at": textOr(value, "created_at", c.now()), "last_used": nil}
}

// showGPGKey shows a key of OpenPGP, of which only the text is read: to whom it
// belongs, and what it is good for, is not in the fake.
func (c *call) showGPGKey(record *world.Record) map[string]any {
	value := record.Value()
	return map[string]any{
		"id": number(value, "id"), "name": value["name"], "primary_key_id": nil, "key_id": value["key_id"], "public_key": value["public_key"], "raw_key": value["public_key"],
		"emails": []any{}, "subkeys": []any{}, "can_sign": true, "can_encrypt_comms": false, "can_encrypt_storage": false, "can_certify": true,
		"created_at": textOr(value, "created_at", c.now()), "expires_at": nil, "revoked": false,
	}
}

func (c *call) keysOf(collection, login string) []*world.Record {
	all := slices.Collect(c.fake.store.Find(c.Tx, collection, "owner", c.loginOf(login)))
	slices.Reverse(all) // found newest first
	return all
}

func listMyKeys(collection string, show keyView) handler {
	return func(c *call) (answer, *refusal) {
		return listed(c, c.keysOf(collection, c.viewer), func(record *world.Record) any { return show(c, record) }), nil
	}
}

func listKeysOf(collection string, show keyView) handler {
	return func(c *call) (answer, *refusal) {
		return listed(c, c.keysOf(collection, c.path("username")), func(record *world.Record) any { return show(c, record) }), nil
	}
}

// onMyKey answers a call about one of the caller's keys.
func onMyKey(collection, parameter string, act func(*call, *world.Record) (answer, *refusal)) handler {
	return func(c *call) (answer, *refusal) {
		record, ok := c.get(collection, c.path(parameter))
		if !ok || !strings.EqualFold(kit.Text(record.Value(), "owner"), c.viewer) {
			return answer{}, notFound()
		}
		return act(c, record)
	}
}

func showKeyBy(show keyView) func(*call, *world.Record) (answer, *refusal) {
	return func(c *call, record *world.Record) (answer, *refusal) { return answer{value: show(c, record)}, nil }
}

func dropKey(collection string) func(*call, *world.Record) (answer, *refusal) {
	return func(c *call, record *world.Record) (answer, *refusal) {
		c.remove(collection, record.ID)
		return answer{status: http.StatusNoContent}, nil
	}
}

// keyRefusal tells why a key is none of OpenSSH's, or is taken; nil: it is good.
func (c *call) keyRefusal(key string) *refusal {
	refuse := func(message string) *refusal {
		return failed(map[string]any{"resource": "PublicKey", "code": codeCustom, "field": "key", "message": message})
	}
	if kind, rest, _ := strings.Cut(key, " "); rest == "" || !strings.HasPrefix(kind, "ssh-") && !strings.HasPrefix(kind, "ecdsa-") {
		return refuse("key is invalid. You must supply a key in OpenSSH public key format")
	}
	for _, collection := range []string{deployKeys, userKeys} {
		for record := range c.Tx.Newest(full(collection), 0) {
			if kit.Text(record.Value(), "key") == key {
				return refuse("key is already in use")
			}
		}
	}
	return nil
}

func createUserKey(c *call) (answer, *refusal) {
	key := strings.TrimSpace(c.text("key"))
	if refused := c.keyRefusal(key); refused != nil {
		return answer{}, refused
	}
	shown := c.showUserKey(c.create(userKeys, map[string]any{
		"id": decimal(c.newID(userKeys)), "owner": c.loginOf(c.viewer), "key": key, "title": c.text("title"), "created_at": c.now(),
	}))
	return answer{status: http.StatusCreated, value: shown, location: kit.Text(shown, "url")}, nil
}

func createGPGKey(c *call) (answer, *refusal) {
	key := strings.TrimSpace(c.text("armored_public_key"))
	if !strings.HasPrefix(key, "-----BEGIN PGP PUBLIC KEY BLOCK-----") {
		return answer{}, failed(map[string]any{"resource": "GpgKey", "code": codeCustom, "field": "armored_public_key", "message": "We got an error doing that."})
	}
	for record := range c.Tx.Newest(full(gpgKeys), 0) {
		if kit.Text(record.Value(), "public_key") == key {
			return answer{}, failed(map[string]any{"resource": "GpgKey", "code": codeCustom, "field": "key_id", "message": "key_id already exists"})
		}
	}
	return answer{status: http.StatusCreated, value: c.showGPGKey(c.create(gpgKeys, map[string]any{
		"id": decimal(c.newID(gpgKeys)), "owner": c.loginOf(c.viewer), "name": c.Input.Body["name"], "public_key": key,
		"key_id": strings.ToUpper(gitSHA(blobKind, []byte(key))[:16]), "created_at": c.now(),
	}))}, nil
}
