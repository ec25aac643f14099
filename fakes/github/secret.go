package github

import (
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"

	"parity/fakes/kit"
	"parity/fakes/world"
)

// secretName is what a secret may be called.
// Source: docs.github.com/actions/security-guides/encrypted-secrets#naming-your-secrets.
var secretName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Z_][A-Z0-9_]*$`) })

// showing gives what a reply says of a record.
type showing = func(*world.Record) map[string]any

// secretOwner finds whose secrets a call is about: an organisation's or a
// repository's. Values are never kept.
func (c *call) secretOwner(write bool) (owner string, show showing, refused *refusal) {
	if strings.Contains(c.id, "-org-") {
		org, refused := c.orgAdmin()
		if refused != nil {
			return "", nil, refused
		}
		return "org:" + strings.ToLower(org), func(record *world.Record) map[string]any {
			shown := c.showSecret(record)
			if shown["visibility"] = textOr(record.Value(), "visibility", "private"); shown["visibility"] == "selected" {
				shown["selected_repositories_url"] = c.Base + "/orgs/" + org + "/actions/secrets/" + kit.Text(record.Value(), "name") + "/repositories"
			}
			return shown
		}, nil
	}
	level := levelWrite
	if write {
		level = levelAdmin
	}
	r, refused := c.writable(level)
	if refused != nil {
		return "", nil, refused
	}
	return r.key(), c.showSecret, nil
}

func (c *call) showSecret(record *world.Record) map[string]any {
	created := textOr(record.Value(), "created_at", c.now())
	return map[string]any{"name": record.Value()["name"], "created_at": created, "updated_at": textOr(record.Value(), "updated_at", created)}
}

func listSecrets(c *call, owner string, show showing) (answer, *refusal) {
	all := slices.Collect(c.fake.store.Find(c.Tx, secrets, "repo", owner))
	sorted(all, false, func(r *world.Record) string { return kit.Text(r.Value(), "name") })
	return counted(c, "secrets", all, func(record *world.Record) any { return show(record) }), nil
}

func publicKey(c *call, owner string, _ showing) (answer, *refusal) {
	if told, ok := c.Tx.Get(countsCollection, toldKey); ok {
		return answer{value: map[string]any{"key_id": told.Value()["key_id"], "key": told.Value()["key"]}}, nil
	}
	digest := sha256.Sum256([]byte("public key of " + owner))
	id := decimal(int64(sum(owner) >> 1))
	return answer{value: map[string]any{"key_id": id, "key": base64.StdEncoding.EncodeToString(digest[:])}}, nil
}

func (c *call) secretAt(owner string) (*world.Record, bool) {
	return c.get(secrets, owner+"/"+strings.ToUpper(c.path("secret_name")))
}

func getSecret(c *call, owner string, show showing) (answer, *refusal) {
	record, ok := c.secretAt(owner)
	if !ok {
		return answer{}, notFound()
	}
	return answer{value: show(record)}, nil
}

func setSecret(c *call, owner string, _ showing) (answer, *refusal) {
	text := strings.ToUpper(c.path("secret_name"))
	if !secretName().MatchString(text) || strings.HasPrefix(text, "GITHUB_") {
		return answer{}, unprocessable("Secret names can only contain alphanumeric characters ([a-z], [A-Z], [0-9]) or underscores (_). Spaces are not allowed. Must start with a letter ([a-z], [A-Z]) or underscores (_).")
	}
	if missing := missingOf(c.Input.Body, "encrypted_value", "key_id"); len(missing) > 0 {
		return answer{}, schemaRefusal(lacking(missing))
	}
	if record, ok := c.secretAt(owner); ok {
		value := changed(record)
		value["updated_at"] = c.now()
		c.update(secrets, value)
		return answer{status: http.StatusNoContent}, nil
	}
	value := map[string]any{"id": owner + "/" + text, "repo": owner, "name": text, "created_at": c.now(), "updated_at": c.now()}
	if visibility := c.text("visibility"); visibility != "" {
		value["visibility"] = visibility
	}
	c.create(secrets, value)
	return answer{status: http.StatusCreated, value: map[string]any{}}, nil
}

func deleteSecret(c *call, owner string, _ showing) (answer, *refusal) {
	record, ok := c.secretAt(owner)
	if !ok {
		r := notFound()
		r.bare = true // as recorded: an object with nothing in it
		return answer{}, r
	}
	c.remove(secrets, record.ID)
	return answer{status: http.StatusNoContent}, nil
}
