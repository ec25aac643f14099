package github

import (
	"net/http"
	"slices"

	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

func (c *call) showNotification(record *world.Record) map[string]any {
	value := record.Value()
	at := c.Base + "/notifications/threads/" + record.ID
	r, _ := c.byKey(kit.Text(value, "repo"))
	subject := cast.Object(value["subject"])
	return overlaid(map[string]any{
		"id": record.ID, "unread": value["unread"] != false, "reason": textOr(value, "reason", "subscribed"), "updated_at": textOr(value, "updated_at", c.now()),
		"last_read_at": value["last_read_at"], "url": at, "subscription_url": at + "/subscription", "repository": c.repoMinimal(r),
		"subject": map[string]any{"title": subject["title"], "url": subject["url"], "latest_comment_url": subject["latest_comment_url"], "type": textOr(subject, "type", "Issue")},
	}, value)
}

// threads lists the notifications of the caller; of one repository, where it is
// given.
func (c *call) threads(repo string) []*world.Record {
	if !c.hasScope("notifications") {
		return nil
	}
	var all []*world.Record
	for record := range c.fake.store.Find(c.Tx, notifications, "login", c.loginOf(c.viewer)) {
		if (repo == "" || kit.Text(record.Value(), "repo") == repo) && (c.query("all") == "true" || record.Value()["unread"] != false) {
			all = append(all, record)
		}
	}
	return all
}

// poll tells a client how long to wait before it asks again.
func polled(a answer) answer {
	a.header = kit.Headers("X-Poll-Interval", "60")
	return a
}

func listNotifications(c *call) (answer, *refusal) {
	return polled(listed(c, c.threads(""), func(r *world.Record) any { return c.showNotification(r) })), nil
}

func listRepoNotifications(c *call, r repo) (answer, *refusal) {
	return polled(listed(c, c.threads(r.key()), func(r *world.Record) any { return c.showNotification(r) })), nil
}

func (c *call) read(all []*world.Record) {
	for _, record := range all {
		value := changed(record)
		value["unread"], value["last_read_at"] = false, c.now()
		c.update(notifications, value)
	}
}

func markRead(c *call) (answer, *refusal) {
	c.read(c.threads(""))
	return answer{status: http.StatusResetContent, kind: "text/plain;charset=utf-8"}, nil
}

func markRepoRead(c *call, r repo) (answer, *refusal) {
	c.read(c.threads(r.key()))
	return answer{status: http.StatusResetContent, kind: "text/plain;charset=utf-8"}, nil
}

func (c *call) threadAt() (*world.Record, *refusal) {
	record, ok := c.get(notifications, c.path("thread_id"))
	if !ok || !slices.Contains([]string{c.viewer, c.loginOf(c.viewer)}, kit.Text(record.Value(), "login")) {
		return nil, notFound()
	}
	return record, nil
}

func getThread(c *call, record *world.Record) (answer, *refusal) {
	return answer{value: c.showNotification(record)}, nil
}

func markThreadRead(c *call, record *world.Record) (answer, *refusal) {
	c.read([]*world.Record{record})
	return answer{status: http.StatusResetContent, kind: "text/plain;charset=utf-8"}, nil
}
