package notion

import (
	"cmp"
	"iter"
	"slices"
	"strings"

	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

func queryDataSource(c *call, r *world.Record) (map[string]any, *refusal) {
	return c.queried(r)
}

// queryDatabase is the query of versions before data sources.
func queryDatabase(c *call) (map[string]any, *refusal) {
	if c.since(v20250903) {
		return nil, noSuchURL()
	}
	database, refused := c.pathDatabase()
	if refused != nil {
		return nil, refused
	}
	r, refused := c.source(database.ID, "database_id")
	if refused != nil {
		return nil, refused
	}
	return c.queried(r)
}

// queried finds pages of a data source, the newest first unless a sort says
// otherwise.
func (c *call) queried(source *world.Record) (map[string]any, *refusal) {
	body := c.body()
	size, cursor, refused := c.bodyPage()
	if refused != nil {
		return nil, refused
	}
	trash, _, wrong := c.trashing(body)
	if wrong = first(wrong, body.only("filter", "sorts", "start_cursor", "page_size", "archived", "in_trash", "result_type")); wrong != nil {
		return nil, invalid("body", wrong)
	}
	keep, refused := c.filter(body.at("filter"), source, 0)
	if refused != nil {
		return nil, refused
	}
	order, refused := c.sorts(body.at("sorts"), source)
	if refused != nil {
		return nil, refused
	}
	found, next, refused := window(c.rows(source, keep, order, trash, c.placeOf(cursor)), func(r *world.Record) string { return r.ID }, size, cursor)
	if refused != nil {
		return nil, refused
	}
	results := []any{}
	only := c.narrowed()
	for _, r := range found {
		results = append(results, c.showPage(r.Value(), only))
	}
	kind := "page_or_data_source"
	if !c.since(v20250903) {
		kind = "page_or_database"
	}
	return listed(kind, results, next), nil
}

// placeOf gives the place in the order of creation below which a cursor's page
// is the next; 0, the top, where it names none.
func (c *call) placeOf(cursor string) uint64 {
	id, _ := uuidOf(cursor)
	if page, ok := c.fake.store.Get(c.Tx, pages, id); ok {
		return page.Order + 1
	}
	return 0
}

// rows walks the pages of a data source that are to be kept, in an order.
// Where that is the order of creation, it begins below a place.
func (c *call) rows(source *world.Record, keep keeping, order ordering, trash bool, below uint64) iter.Seq[*world.Record] {
	if order == nil && c.space["taken"] == true {
		order = asTaken
	}
	if order != nil {
		below = 0
	}
	all := func(yield func(*world.Record) bool) {
		for r := range c.Tx.Find(c.fake.store.Full(pages), "parent.data_source_id", source.ID, below) {
			if trashed(r.Value()) == trash && r.Value()["as_template"] == nil && (keep == nil || keep(r.Value())) && !yield(r) {
				return
			}
		}
	}
	if order == nil {
		return all
	}
	sorted := slices.Collect(all)
	slices.SortStableFunc(sorted, func(a, b *world.Record) int { return order(a.Value(), b.Value()) })
	return slices.Values(sorted)
}

// asTaken puts pages that were taken from a real workspace in the order in
// which that showed them, behind those that were made since.
func asTaken(a, b map[string]any) int {
	x, _ := float(a["position"])
	y, _ := float(b["position"])
	return cmp.Compare(x, y)
}

type ordering func(a, b map[string]any) int

// sorts reads what to sort by; nil where nothing says.
func (c *call) sorts(at place, source *world.Record) (ordering, *refusal) {
	if !at.sent || at.null() {
		return nil, nil
	}
	if wrong := at.isArray(maxElements); wrong != nil {
		return nil, invalid("body", wrong)
	}
	var all []ordering
	for i := range cast.List(at.value) {
		one, refused := c.sortBy(at.item(i), source)
		if refused != nil {
			return nil, refused
		}
		all = append(all, one)
	}
	if len(all) == 0 {
		return nil, nil
	}
	return func(a, b map[string]any) int {
		for _, one := range all {
			if n := one(a, b); n != 0 {
				return n
			}
		}
		return 0
	}, nil
}

func (c *call) sortBy(at place, source *world.Record) (ordering, *refusal) {
	if wrong := at.isObject(); wrong != nil {
		return nil, invalid("body", wrong)
	}
	property, timestamp, direction := at.at("property"), at.at("timestamp"), at.at("direction")
	if !property.sent && !timestamp.sent {
		return nil, invalid("body", append(property.should("defined"), timestamp.should("defined")...))
	}
	if wrong := direction.isOneOrNone("ascending", "descending"); wrong != nil {
		return nil, invalid("body", wrong)
	}
	sign := 1
	if direction.value == "descending" {
		sign = -1
	}
	if timestamp.sent {
		if wrong := timestamp.isOne("created_time", "last_edited_time"); wrong != nil {
			return nil, invalid("body", wrong)
		}
		field, _ := timestamp.value.(string)
		return func(a, b map[string]any) int { return sign * cmp.Compare(kit.Text(a, field), kit.Text(b, field)) }, nil
	}
	if wrong := property.isText(maxContent); wrong != nil {
		return nil, invalid("body", wrong)
	}
	key, _ := property.value.(string)
	_, config, ok := propertyOf(cast.Object(source.Value()["properties"]), key)
	if !ok {
		return nil, refuse("Could not find sort property with name or id: %s", key)
	}
	return func(a, b map[string]any) int {
		x, y := c.rank(a, config), c.rank(b, config)
		if x == nil || y == nil { // what is empty comes last, whatever the direction
			return cmp.Compare(btoi(x == nil), btoi(y == nil))
		}
		return sign * compareRanks(x, y)
	}, nil
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

func compareRanks(a, b any) int {
	x, ok := a.(float64)
	y, ok2 := b.(float64)
	if ok && ok2 {
		return cmp.Compare(x, y)
	}
	return strings.Compare(describe(a), describe(b))
}

// of works out one property of a page.
func (c *call) of(page, config map[string]any) any {
	kept := cast.Object(byID(cast.Object(page["properties"]))[kit.Text(config, "id")])
	return c.showValue(page, config, kept, 0)[kit.Text(config, "type")]
}

// rank is what a page is sorted by: a number or a text; nil where it is empty.
func (c *call) rank(page, config map[string]any) any {
	kind := kit.Text(config, "type")
	value := c.of(page, config)
	if kind == "select" || kind == "status" {
		for i, option := range cast.List(cast.Object(config[kind])["options"]) {
			if cast.Object(option)["id"] == cast.Object(value)["id"] {
				return float64(i)
			}
		}
		return nil
	}
	return rankOf(kind, value)
}

func rankOf(kind string, value any) any {
	switch kind {
	case "formula", "rollup":
		inner := kit.Text(cast.Object(value), "type")
		return rankOf(inner, cast.Object(value)[inner])
	case "unique_id":
		value = cast.Object(value)["number"]
	case "date":
		value = cast.Object(value)["start"]
	case "people", "created_by", "last_edited_by":
		if l, ok := value.([]any); ok && len(l) > 0 {
			value = l[0]
		}
		value = cast.Object(value)["name"]
	case "multi_select", "files":
		names := []string{}
		for _, item := range cast.List(value) {
			names = append(names, kit.Text(cast.Object(item), "name"))
		}
		value = strings.Join(names, ",")
	case "title", "rich_text":
		value = plainText(value)
	}
	switch x := value.(type) {
	case string:
		if x == "" {
			return nil
		}
		return strings.ToLower(x)
	case bool:
		return float64(btoi(x))
	}
	if n, ok := float(value); ok {
		return n
	}
	return nil
}
