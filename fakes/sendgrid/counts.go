package sendgrid

import (
	"cmp"
	"slices"
	"strings"

	"parity/fakes/cast"
	"parity/fakes/world"
)

// listCategories lists the categories that mails had, newest first.
func listCategories(c *call) (answer, *refusal) {
	limit, offset := c.count("limit", 50), max(c.count("offset", 0), 0)
	page, n := []any{}, 0
	c.all(categories, func(r *world.Record) bool {
		if !strings.HasPrefix(strings.ToLower(r.ID), strings.ToLower(c.query("category"))) {
			return true
		}
		if n >= offset && len(page) < limit {
			page = append(page, map[string]any{"category": r.ID})
		}
		n++
		return true
	})
	return ok(page), nil
}

// askedCategories reads the categories that statistics are asked for.
func (c *call) askedCategories() []string {
	switch given := c.Input.Query["categories"].(type) {
	case string:
		return []string{given}
	case []any:
		return cast.Texts(given)
	}
	return nil
}

func getCategoryStats(c *call) (answer, *refusal) {
	names := c.askedCategories()
	if len(names) == 0 {
		return answer{}, invalid("categories", "missing required argument")
	}
	s, refused := c.span()
	if refused != nil {
		return answer{}, refused
	}
	return ok(s.add(func(date string) map[string]any {
		var all []any
		for _, name := range names {
			all = append(all, map[string]any{"type": "category", "name": name, "metrics": noCounts()})
		}
		return map[string]any{"date": date, "stats": all}
	}, func(shown map[string]any, date string) {
		for _, one := range cast.Objects(shown["stats"]) {
			record, known := c.Tx.Get(categoryStats, date+"/"+cast.Text(one["name"]))
			addUp(cast.Object(one["metrics"]), record, known)
		}
	})), nil
}

// sumCategoryStats adds each category up over all days, the greatest first.
func sumCategoryStats(c *call) (answer, *refusal) {
	s, refused := c.span()
	if refused != nil {
		return answer{}, refused
	}
	metric := c.query("sort_by_metric")
	if metric == "" {
		metric = "delivered"
	}
	if !slices.Contains(metrics, metric) {
		return answer{}, invalid("sort_by_metric", "sort_by_metric is not a valid metric")
	}
	var all []map[string]any
	for r := range c.Tx.Oldest(full(categories), 0) {
		sum := noCounts()
		for at := s.start; !at.After(s.end); at = at.AddDate(0, 0, 1) {
			record, known := c.Tx.Get(categoryStats, at.Format(day)+"/"+r.ID)
			addUp(sum, record, known)
		}
		c.Spend(int(s.end.Sub(s.start).Hours()/24/100) + 1)
		all = append(all, map[string]any{"type": "category", "name": r.ID, "metrics": sum})
	}
	of := func(one map[string]any) int64 { return cast.Int(cast.Object(one["metrics"])[metric]) }
	slices.SortStableFunc(all, func(a, b map[string]any) int {
		if c.query("sort_by_direction") == "asc" {
			return cmp.Compare(of(a), of(b))
		}
		return cmp.Compare(of(b), of(a))
	})
	end := min(s.offset+min(s.limit, 100), len(all))
	page := anys(all[min(s.offset, end):end])
	return ok(map[string]any{"date": s.start.Format(day), "stats": page}), nil
}

// noStats are statistics of what is not known here: by country, by device.
func noStats(c *call) (answer, *refusal) {
	s, refused := c.span()
	if refused != nil {
		return answer{}, refused
	}
	return ok(s.add(func(date string) map[string]any { return map[string]any{"date": date, "stats": []any{}} }, func(map[string]any, string) {})), nil
}

// countHandlers: statistics beside those of the whole account.
func countHandlers() map[string]handler {
	all := map[string]handler{
		"GET_categories": listCategories, "GET_categories-stats": getCategoryStats, "GET_categories-stats-sums": sumCategoryStats,
	}
	for _, by := range []string{"geo", "devices", "clients", "mailbox_providers", "browsers"} {
		all["GET_"+by+"-stats"] = noStats
	}
	all["GET_clients-client_type-stats"] = noStats
	all["GET_subusers-stats"] = noStats
	all["GET_user-webhooks-parse-stats"] = noStats
	return all
}
