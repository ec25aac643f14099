package github

import (
	"net/http"
	"strings"

	"parity/fakes/kit"
	"parity/fakes/world"
)

// Kinds of what ties an account to a repository.
const (
	starKind         = "star"
	subscriptionKind = "subscription"
)

func (c *call) tieKey(kind string, r repo) string {
	return kind + "/" + r.key() + "/" + strings.ToLower(c.viewer)
}

// tied lists the ties of a kind that a field finds, newest first.
func (c *call) tied(kind, field, value string) []*world.Record {
	var all []*world.Record
	for record := range c.fake.store.Find(c.Tx, stars, field, value) {
		if kit.Text(record.Value(), "kind") == kind {
			all = append(all, record)
		}
	}
	return all
}

func listStarred(c *call) (answer, *refusal) {
	var all []repo
	for _, record := range c.tied(starKind, "login", strings.ToLower(c.viewer)) {
		if r, ok := c.byKey(kit.Text(record.Value(), "repo")); ok && c.sees(r) {
			all = append(all, r)
		}
	}
	return listed(c, all, func(r repo) any { return c.repoShort(r) }), nil
}

// listTied lists the accounts that have a tie of a kind to a repository.
func listTied(kind string) handler {
	return onRepository(func(c *call, r repo) (answer, *refusal) {
		all := c.tied(kind, "repo", r.key())
		sorted(all, false, func(r *world.Record) string { return kit.Text(r.Value(), "created_at") })
		return listed(c, all, func(record *world.Record) any { return c.brief(kit.Text(record.Value(), "login")) }), nil
	})
}

func (c *call) tie(kind string, r repo, more map[string]any) *world.Record {
	value := map[string]any{"id": c.tieKey(kind, r), "repo": r.key(), "login": strings.ToLower(c.viewer), "kind": kind, "created_at": c.now()}
	for field, one := range more {
		value[field] = one
	}
	if old, ok := c.get(stars, c.tieKey(kind, r)); ok {
		value["created_at"] = old.Value()["created_at"]
		return c.update(stars, value)
	}
	return c.create(stars, value)
}

// untie takes a tie away; one that is not there is none to take.
func untie(kind string) handler {
	return onRepository(func(c *call, r repo) (answer, *refusal) {
		if record, ok := c.get(stars, c.tieKey(kind, r)); ok {
			c.remove(stars, record.ID)
		}
		return answer{status: http.StatusNoContent}, nil
	})
}

func checkStar(c *call, r repo) (answer, *refusal) {
	if _, ok := c.get(stars, c.tieKey(starKind, r)); !ok {
		return answer{}, notFound()
	}
	return answer{status: http.StatusNoContent}, nil
}

func star(c *call, r repo) (answer, *refusal) {
	c.tie(starKind, r, nil)
	return answer{status: http.StatusNoContent}, nil
}

func (c *call) showSubscription(r repo, record *world.Record) map[string]any {
	ignored := record.Value()["ignored"] == true
	return map[string]any{
		"subscribed": !ignored, "ignored": ignored, "reason": nil, "created_at": textOr(record.Value(), "created_at", c.now()),
		"url": c.at(r) + "/subscription", "repository_url": c.at(r),
	}
}

func getSubscription(c *call, r repo) (answer, *refusal) {
	record, ok := c.get(stars, c.tieKey(subscriptionKind, r))
	if !ok {
		return answer{}, notFound()
	}
	return answer{value: c.showSubscription(r, record)}, nil
}

func setSubscription(c *call, r repo) (answer, *refusal) {
	return answer{value: c.showSubscription(r, c.tie(subscriptionKind, r, map[string]any{"ignored": c.flag("ignored")}))}, nil
}
