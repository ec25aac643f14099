package github

import (
	"net/http"
	"slices"
	"time"

	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

// statsTakes is how long statistics are worked out: until then they are 202,
// with an empty body. GitHub promises nothing; seconds are usual.
const statsTakes = 3 * time.Second

// working tells whether statistics of a repository, as of its last push, are
// still being worked out.
func (c *call) working(r repo) bool {
	key := r.key() + "/" + c.tip(r)
	record, asked := c.Tx.Get(statsCollection, key)
	if !asked {
		_, err := c.Tx.Insert(statsCollection, key, map[string]any{"id": key, "ready": c.Now.Add(statsTakes).Unix()})
		must(err)
		return true
	}
	return c.Now.Unix() < cast.Int(record.Value()["ready"])
}

// statistics answers with what is worked out, or with 202 or 204.
func statistics(show func(*call, repo) any) handler {
	return onRepository(func(c *call, r repo) (answer, *refusal) {
		if c.tip(r) == "" {
			return answer{status: http.StatusNoContent}, nil
		}
		if c.working(r) {
			return answer{status: http.StatusAccepted, value: map[string]any{}}, nil
		}
		return answer{value: show(c, r)}, nil
	})
}

// week is the Sunday that begins a week.
func week(o object) time.Time {
	at, err := time.Parse(time.RFC3339, when(o))
	if err != nil {
		return time.Time{}
	}
	day := time.Date(at.Year(), at.Month(), at.Day(), 0, 0, 0, 0, time.UTC)
	return day.AddDate(0, 0, -int(day.Weekday()))
}

// authors lists who has committed to the default branch, most commits first.
func (c *call) authors(r repo) (order []string, by map[string][]object) {
	by = map[string][]object{}
	for _, o := range c.history(r, c.tip(r), 0) {
		shown, _ := c.who(cast.Object(o.value["author"])).(map[string]any)
		login := kit.Text(shown, "login")
		if login == "" {
			continue
		}
		if by[login] == nil {
			order = append(order, login)
		}
		by[login] = append(by[login], o)
	}
	slices.SortStableFunc(order, func(a, b string) int { return len(by[b]) - len(by[a]) })
	return order, by
}

// contributed tells whether an account has committed to the default branch.
func (c *call) contributed(r repo, login string) bool {
	if c.wrote == nil {
		c.wrote = map[string]map[string][]object{}
	}
	if c.wrote[r.key()] == nil {
		_, c.wrote[r.key()] = c.authors(r)
	}
	return len(c.wrote[r.key()][c.loginOf(login)]) > 0
}

func contributorStats(c *call, r repo) any {
	order, by := c.authors(r)
	list := []any{}
	for _, login := range slices.Backward(order) { // the least active first, as GitHub has it
		type line struct{ a, d, n int64 }
		weeks := map[int64]line{}
		for _, o := range by[login] {
			additions, deletions := totals(c.introduced(r, o))
			w := weeks[week(o).Unix()]
			weeks[week(o).Unix()] = line{w.a + additions, w.d + deletions, w.n + 1}
		}
		shown := []any{}
		for _, at := range numbers(weeks) {
			shown = append(shown, map[string]any{"w": at, "a": weeks[at].a, "d": weeks[at].d, "c": weeks[at].n})
		}
		list = append(list, map[string]any{"author": c.brief(login), "total": int64(len(by[login])), "weeks": shown})
	}
	return list
}

func numbers[V any](all map[int64]V) []int64 {
	keys := make([]int64, 0, len(all))
	for key := range all {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

const weeksShown = 52

// thisWeek is the Sunday before the call.
func (c *call) thisWeek() time.Time {
	day := time.Date(c.Now.UTC().Year(), c.Now.UTC().Month(), c.Now.UTC().Day(), 0, 0, 0, 0, time.UTC)
	return day.AddDate(0, 0, -int(day.Weekday()))
}

func commitActivity(c *call, r repo) any {
	perDay := map[int64]int64{}
	for _, o := range c.history(r, c.tip(r), 0) {
		if at, err := time.Parse(time.RFC3339, when(o)); err == nil {
			perDay[at.Unix()/86400]++
		}
	}
	list := []any{}
	for i := range weeksShown {
		start := c.thisWeek().AddDate(0, 0, -7*(weeksShown-1-i))
		days, total := []any{}, int64(0)
		for day := range 7 {
			n := perDay[start.AddDate(0, 0, day).Unix()/86400]
			days, total = append(days, n), total+n
		}
		list = append(list, map[string]any{"days": days, "total": total, "week": start.Unix()})
	}
	return list
}

func participation(c *call, r repo) any {
	all, own := make([]any, weeksShown), make([]any, weeksShown)
	counts := [2][weeksShown]int64{}
	for _, o := range c.history(r, c.tip(r), 0) {
		ago := int(c.thisWeek().Sub(week(o)) / (7 * 24 * time.Hour))
		if ago < 0 || ago >= weeksShown {
			continue
		}
		counts[0][weeksShown-1-ago]++
		if c.by(cast.Object(o.value["author"]), r.owner()) {
			counts[1][weeksShown-1-ago]++
		}
	}
	for i := range weeksShown {
		all[i], own[i] = counts[0][i], counts[1][i]
	}
	return map[string]any{"all": all, "owner": own}
}

func listContributors(c *call, r repo) (answer, *refusal) {
	if c.tip(r) == "" {
		return answer{status: http.StatusNoContent}, nil
	}
	order, by := c.authors(r)
	return listed(c, order, func(login string) any {
		shown := c.brief(login)
		shown["contributions"] = int64(len(by[login]))
		return shown
	}), nil
}

// byRepo walks the records of a collection that belong to a repository, oldest
// first.
func (c *call) byRepo(collection string, r repo) []*world.Record {
	var all []*world.Record
	for record := range c.fake.store.Find(c.Tx, collection, "repo", r.key()) {
		all = append(all, record)
	}
	slices.Reverse(all)
	return all
}
