package notion

import (
	"fmt"
	"maps"
	"net/http"

	"parity/fakes/kit"
	"parity/fakes/world"
)

// person is a user as properties show one; what is not known is only named.
func (c *call) person(id string) map[string]any {
	if r, ok := c.find(users, id); ok {
		return r.Value()
	}
	return map[string]any{"object": "user", "id": id}
}

func listUsers(c *call, size int, cursor string) (map[string]any, *refusal) {
	found, next, refused := window(c.Tx.Oldest(c.fake.store.Full(users), 0), func(r *world.Record) string { return r.ID }, size, cursor)
	if refused != nil {
		return nil, refused
	}
	results := []any{}
	for _, r := range found {
		results = append(results, r.Value())
	}
	return listed("user", results, next), nil
}

// getSelf is the bot; one that a person let in belongs to that person.
func getSelf(c *call) (map[string]any, *refusal) {
	me := c.person(kit.Text(c.space, "bot_id"))
	if bot, ok := me["bot"].(map[string]any); ok && c.public() {
		me, bot = maps.Clone(me), maps.Clone(bot)
		bot["owner"] = map[string]any{"type": "user", "user": c.owner()}
		me["bot"] = bot
	}
	return me, nil
}

func getUser(c *call) (map[string]any, *refusal) {
	id, refused := c.pathID("user_id")
	if refused != nil {
		return nil, refused
	}
	r, ok := c.find(users, id)
	if !ok {
		return nil, &refusal{
			status: http.StatusNotFound, code: codeMissing, extra: c.integration(),
			message: fmt.Sprintf("Could not find user with ID: %s. Make sure your integration has capabilities to read user information. With those capabilities, only members and guests in the integration's workspace are visible.", id),
		}
	}
	return r.Value(), nil
}

func listEmojis(c *call, size int, cursor string) (map[string]any, *refusal) {
	all := func(yield func(*world.Record) bool) {
		for r := range c.Tx.Oldest(c.fake.store.Full(emojis), 0) {
			if named := c.query("name"); (named == "" || r.Value()["name"] == named) && !yield(r) {
				return
			}
		}
	}
	found, next, refused := window(all, func(r *world.Record) string { return r.ID }, size, cursor)
	if refused != nil {
		return nil, refused
	}
	results := []any{}
	for _, r := range found {
		results = append(results, r.Value())
	}
	return listed("custom_emoji", results, next), nil
}
