package sendgrid

import (
	"maps"
	"slices"

	"parity/fakes"
	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

// mostKeys an account may have.
// Source: twilio.com/docs/sendgrid/api-reference/api-keys/create-api-keys.
const mostKeys = 100

func shownKey(r *world.Record, fields ...string) map[string]any {
	return shape(r.Value(), append([]string{"api_key_id", "name"}, fields...)...)
}

func listKeys(c *call) (answer, *refusal) {
	limit := c.count("limit", mostKeys)
	all := []any{}
	for r := range c.Tx.Oldest(full(apiKeys), 0) {
		if len(all) < limit {
			all = append(all, shownKey(r))
		}
	}
	return ok(map[string]any{"result": all}), nil
}

// createKey makes a key. It may do what is asked for, of what the key that asks
// may do itself.
func createKey(c *call) (answer, *refusal) {
	name := cast.Text(c.Input.Body["name"])
	if name == "" {
		return answer{}, invalid("name", "missing required argument")
	}
	given, refused := c.scopesFor()
	if refused != nil {
		return answer{}, refused
	}
	if c.Tx.Len(full(apiKeys)) >= mostKeys {
		return answer{}, invalid("", "API keys limit reached")
	}
	id := c.id(func() string { return c.NewID("", 22) })
	secret := "SG." + id + "." + c.NewID("Parity", 37) // it says that it is none of SendGrid's: real ones are refused
	record := c.put(apiKeys, id, map[string]any{"id": id, "api_key_id": id, "name": name, "scopes": anys(given)})
	if c.Identity != fakes.Fixture {
		tokens.Issue(c.Call, secret, kit.Token{Scopes: given, Fields: map[string]any{"api_key_id": id}})
	}
	value := shownKey(record, "scopes")
	value["api_key"] = secret
	return created(value), nil
}

// scopesFor reads the scopes that are asked for; all when none is.
func (c *call) scopesFor() ([]string, *refusal) {
	sent, given := c.Input.Body["scopes"].([]any)
	if !given || len(sent) == 0 {
		if c.known && c.token.Scopes != nil {
			return c.token.Scopes, nil
		}
		return allScopes, nil
	}
	asked := make([]string, len(sent))
	for i, one := range sent {
		if asked[i] = cast.Text(one); asked[i] == "" || c.known && !c.token.Has(asked[i]) {
			return nil, invalid("scopes", "invalid or unassignable scopes were given")
		}
	}
	slices.Sort(asked)
	return slices.Compact(asked), nil
}

func (c *call) apiKey() (*world.Record, *refusal) {
	return c.member(apiKeys, "api_key_id", refuse(404, "", "unable to find API Key"))
}

func getKey(c *call, record *world.Record) (answer, *refusal) {
	return ok(shownKey(record, "scopes")), nil
}

// updateKey renames a key; PUT also says what it may do from now on.
func updateKey(c *call, record *world.Record) (answer, *refusal) {
	name := cast.Text(c.Input.Body["name"])
	if name == "" {
		return answer{}, invalid("name", "missing required argument")
	}
	value := maps.Clone(record.Value())
	value["name"] = name
	fields := []string{}
	if c.Operation.Method == "PUT" {
		given, refused := c.scopesFor()
		if refused != nil {
			return answer{}, refused
		}
		value["scopes"] = anys(given)
		c.changeToken(record.ID, map[string]any{"scopes": anys(given)})
		fields = []string{"scopes"}
	}
	return ok(shownKey(c.put(apiKeys, record.ID, value), fields...)), nil
}

func deleteKey(c *call, record *world.Record) (answer, *refusal) {
	c.fake.store.Delete(c.Tx, apiKeys, record.ID)
	c.changeToken(record.ID, map[string]any{"revoked": true})
	return noContent, nil
}

// changeToken changes what is known of the key that was issued under an id.
func (c *call) changeToken(id string, change map[string]any) {
	for r := range c.Tx.Newest(tokensCollection, 0) {
		if r.Value()["api_key_id"] == id {
			value := maps.Clone(r.Value())
			maps.Copy(value, change)
			c.keep(tokensCollection, r.ID, value)
			return
		}
	}
}
