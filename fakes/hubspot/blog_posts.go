package hubspot

import (
	"net/http"
	"slices"
	"strings"

	"parity/fakes/cast"
	"parity/fakes/world"
)

// listPosts lists blog posts by the fields that are asked for; the newest come
// first unless an order is asked for.
func listPosts(c *call) (answer, *refusal) {
	var all []*world.Record
	for r := range c.Tx.Oldest(c.fake.store.Full(blogPosts), 0) {
		keep := true
		for _, field := range []string{"content_group_id", "blog_author_id", "state", "slug", "name"} {
			if want := c.query(field); want != "" && cast.Plain(r.Value()[field]) != want {
				keep = false
			}
		}
		if keep {
			all = append(all, r)
		}
	}
	if by, down := strings.CutPrefix(c.query("order_by"), "-"); by != "" {
		slices.SortStableFunc(all, func(a, b *world.Record) int {
			n := compare(cast.Plain(a.Value()[by]), cast.Plain(b.Value()[by]))
			if down {
				return -n
			}
			return n
		})
	}
	limit, from := c.count("limit", mostV1), c.offset()
	end, objects := min(from+limit, len(all)), []any{}
	for _, r := range all[min(from, end):end] {
		objects = append(objects, c.shownPost(r))
	}
	total := max(int64(len(all)), c.counted("posts/"+c.query("content_group_id")))
	return ok(map[string]any{"total_count": total, "total": total, "limit": int64(limit), "offset": int64(from), "objects": objects})
}

func (c *call) shownPost(r *world.Record) map[string]any {
	shown := changed(r.Value())
	shown["id"], shown["portal_id"] = whole(r.ID), c.settings.portal()
	return shown
}

func getPost(c *call) (answer, *refusal) {
	r, there := c.fake.store.Get(c.Tx, blogPosts, c.Input.Path["postId"])
	if !there {
		return answer{}, &refusal{status: http.StatusNotFound, message: "Content not found", extra: map[string]any{"succeeded": false}}
	}
	return ok(c.shownPost(r))
}
