package github

import (
	"net/http"
	"slices"
	"strings"

	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

// Classic project boards. GitHub has taken them out of github.com; older
// clients and installations still speak of them.

func (c *call) showProject(value map[string]any) map[string]any {
	id := number(value, "id")
	r, _ := c.byKey(kit.Text(value, "repo"))
	at := c.Base + "/projects/" + decimal(id)
	created := textOr(value, "created_at", c.now())
	return map[string]any{
		"owner_url": c.at(r), "url": at, "html_url": c.page(r) + "/projects/" + decimal(cast.Int(value["number"])), "columns_url": at + "/columns", "id": id,
		"node_id": nodeID("PRO", r.rid(), id), "name": value["name"], "body": value["body"], "number": cast.Int(value["number"]), "state": issueState(value),
		"creator": c.user(textOr(value, "creator", r.owner())), "created_at": created, "updated_at": textOr(value, "updated_at", created),
	}
}

func listProjects(c *call, r repo) (answer, *refusal) {
	state := textOr(c.Input.Query, "state", stateOpen)
	var all []*world.Record
	for record := range c.fake.store.Find(c.Tx, projects, "repo", r.key()) {
		if state == "all" || issueState(record.Value()) == state {
			all = append(all, record)
		}
	}
	return listed(c, all, func(record *world.Record) any { return c.showProject(record.Value()) }), nil
}

func createProject(c *call, r repo) (answer, *refusal) {
	if !r.on("has_projects") {
		return answer{}, refusing(http.StatusGone, "Projects are disabled for this repository")
	}
	if strings.TrimSpace(c.text("name")) == "" {
		return answer{}, failed(wrong("Project", "name", codeField))
	}
	n := c.next("projects", r.key(), func() int64 { return int64(len(c.byRepo(projects, r))) })
	record := c.create(projects, map[string]any{
		"id": decimal(c.newID(projects)), "repo": r.key(), "name": c.text("name"), "body": c.Input.Body["body"], "number": n, "state": stateOpen,
		"creator": c.loginOf(c.viewer), "created_at": c.now(), "updated_at": c.now(),
	})
	shown := c.showProject(record.Value())
	return answer{status: http.StatusCreated, value: shown, location: kit.Text(shown, "url")}, nil
}

// boarded finds what a path names on a board, and whether the caller may see
// or change it.
func (c *call) boarded(collection, parameter string) (*world.Record, *refusal) {
	record, ok := c.get(collection, c.path(parameter))
	if !ok {
		return nil, notFound()
	}
	project := record
	if collection != projects {
		if collection == projectCards {
			if project, ok = c.get(projectColumns, decimal(cast.Int(record.Value()["column"]))); !ok {
				return nil, notFound()
			}
		}
		if project, ok = c.get(projects, decimal(cast.Int(project.Value()["project"]))); !ok {
			return nil, notFound()
		}
	}
	r, ok := c.byKey(kit.Text(project.Value(), "repo"))
	if !ok || !c.sees(r) || c.Operation.Method != http.MethodGet && !c.may(r, levelWrite) {
		return nil, notFound()
	}
	return record, nil
}

// onBoard answers a call about one thing on a board.
func onBoard(collection, parameter string, act func(*call, *world.Record) (answer, *refusal)) handler {
	return func(c *call) (answer, *refusal) {
		record, refused := c.boarded(collection, parameter)
		if refused != nil {
			return answer{}, refused
		}
		return act(c, record)
	}
}

func getProject(c *call, project *world.Record) (answer, *refusal) {
	return answer{value: c.showProject(project.Value())}, nil
}

func updateProject(c *call, project *world.Record) (answer, *refusal) {
	value := c.written(project, "name", "body", "state")
	return answer{value: c.showProject(c.update(projects, value).Value())}, nil
}

// written lays fields of a request over a record.
func (c *call) written(record *world.Record, fields ...string) map[string]any {
	value := changed(record)
	for _, field := range fields {
		if c.has(field) {
			value[field] = c.Input.Body[field]
		}
	}
	value["updated_at"] = c.now()
	return value
}

func deleteProject(c *call, project *world.Record) (answer, *refusal) {
	for record := range c.fake.store.Find(c.Tx, projectColumns, "project", project.ID) {
		_, _ = deleteColumn(c, record)
	}
	c.remove(projects, project.ID)
	return answer{status: http.StatusNoContent}, nil
}

func (c *call) showColumn(value map[string]any) map[string]any {
	id := number(value, "id")
	project, _ := c.get(projects, decimal(cast.Int(value["project"])))
	var rid int64
	if project != nil {
		r, _ := c.byKey(kit.Text(project.Value(), "repo"))
		rid = r.rid()
	}
	at := c.Base + "/projects/columns/" + decimal(id)
	created := textOr(value, "created_at", c.now())
	return map[string]any{
		"url": at, "project_url": c.Base + "/projects/" + decimal(cast.Int(value["project"])), "cards_url": at + "/cards", "id": id,
		"node_id": nodeID("PC", rid, cast.Int(value["project"]), id), "name": value["name"], "created_at": created, "updated_at": textOr(value, "updated_at", created),
	}
}

// inOrder lists what is in a collection under a parent, by position.
func (c *call) inOrder(collection, field, parent string) []*world.Record {
	all := slices.Collect(c.fake.store.Find(c.Tx, collection, field, parent))
	slices.SortStableFunc(all, func(a, b *world.Record) int {
		return int(cast.Int(a.Value()["position"]) - cast.Int(b.Value()["position"]))
	})
	return all
}

func listColumns(c *call, project *world.Record) (answer, *refusal) {
	return listed(c, c.inOrder(projectColumns, "project", project.ID), func(record *world.Record) any { return c.showColumn(record.Value()) }), nil
}

func createColumn(c *call, project *world.Record) (answer, *refusal) {
	if strings.TrimSpace(c.text("name")) == "" {
		return answer{}, failed(wrong("ProjectColumn", "name", codeField))
	}
	record := c.create(projectColumns, map[string]any{
		"id": decimal(c.newID(projectColumns)), "project": number(project.Value(), "id"), "name": c.text("name"),
		"position": int64(len(c.inOrder(projectColumns, "project", project.ID))), "created_at": c.now(), "updated_at": c.now(),
	})
	shown := c.showColumn(record.Value())
	return answer{status: http.StatusCreated, value: shown, location: kit.Text(shown, "url")}, nil
}

func getColumn(c *call, column *world.Record) (answer, *refusal) {
	return answer{value: c.showColumn(column.Value())}, nil
}

func updateColumn(c *call, column *world.Record) (answer, *refusal) {
	return answer{value: c.showColumn(c.update(projectColumns, c.written(column, "name")).Value())}, nil
}

func deleteColumn(c *call, column *world.Record) (answer, *refusal) {
	for record := range c.fake.store.Find(c.Tx, projectCards, "column", column.ID) {
		c.remove(projectCards, record.ID)
	}
	c.remove(projectColumns, column.ID)
	return answer{status: http.StatusNoContent}, nil
}

func moveColumn(c *call, column *world.Record) (answer, *refusal) {
	return c.move(projectColumns, column, "project", cast.Int(column.Value()["project"]), "first", "last")
}

func (c *call) showCard(value map[string]any) map[string]any {
	id := number(value, "id")
	column, _ := c.get(projectColumns, decimal(cast.Int(value["column"])))
	project, rid := int64(0), int64(0)
	if column != nil {
		project = cast.Int(column.Value()["project"])
		if record, ok := c.get(projects, decimal(project)); ok {
			r, _ := c.byKey(kit.Text(record.Value(), "repo"))
			rid = r.rid()
		}
	}
	created := textOr(value, "created_at", c.now())
	return map[string]any{
		"url": c.Base + "/projects/columns/cards/" + decimal(id), "project_url": c.Base + "/projects/" + decimal(project), "id": id,
		"node_id": nodeID("PRC", rid, project, id), "note": value["note"], "archived": value["archived"] == true,
		"creator": c.user(textOr(value, "creator", viewerDefault)), "created_at": created, "updated_at": textOr(value, "updated_at", created),
		"column_url": c.Base + "/projects/columns/" + decimal(cast.Int(value["column"])),
	}
}

func listCards(c *call, column *world.Record) (answer, *refusal) {
	state := textOr(c.Input.Query, "archived_state", "not_archived")
	var all []*world.Record
	for _, record := range c.inOrder(projectCards, "column", column.ID) {
		if state == "all" || (record.Value()["archived"] == true) == (state == "archived") {
			all = append(all, record)
		}
	}
	return listed(c, all, func(record *world.Record) any { return c.showCard(record.Value()) }), nil
}

// createCard puts a card on top of its column.
func createCard(c *call, column *world.Record) (answer, *refusal) {
	if strings.TrimSpace(c.text("note")) == "" && !c.has("content_id") {
		return answer{}, failed(wrong("ProjectCard", "data", codeField))
	}
	position := int64(0)
	if all := c.inOrder(projectCards, "column", column.ID); len(all) > 0 {
		position = cast.Int(all[0].Value()["position"]) - 1
	}
	value := map[string]any{
		"id": decimal(c.newID(projectCards)), "column": number(column.Value(), "id"), "note": nil, "archived": false, "creator": c.loginOf(c.viewer),
		"position": position, "created_at": c.now(), "updated_at": c.now(),
	}
	if c.has("note") {
		value["note"] = c.Input.Body["note"]
	}
	shown := c.showCard(c.create(projectCards, value).Value())
	return answer{status: http.StatusCreated, value: shown, location: kit.Text(shown, "url")}, nil
}

func getCard(c *call, card *world.Record) (answer, *refusal) {
	return answer{value: c.showCard(card.Value())}, nil
}

func updateCard(c *call, card *world.Record) (answer, *refusal) {
	return answer{value: c.showCard(c.update(projectCards, c.written(card, "note", "archived")).Value())}, nil
}

func deleteCard(c *call, card *world.Record) (answer, *refusal) {
	c.remove(projectCards, card.ID)
	return answer{status: http.StatusNoContent}, nil
}

func moveCard(c *call, card *world.Record) (answer, *refusal) {
	to := cast.Int(card.Value()["column"])
	if id, ok := c.Input.Body["column_id"].(int64); ok {
		if _, there := c.get(projectColumns, decimal(id)); !there {
			return answer{}, failed(wrong("ProjectCard", "column_id", codeInvalid))
		}
		to = id
	}
	return c.move(projectCards, card, "column", to, "top", "bottom")
}

// move puts a record at a place among those under a parent: at an end, or after
// another.
func (c *call) move(collection string, record *world.Record, field string, to int64, first, last string) (answer, *refusal) {
	order := []string{}
	for _, other := range c.inOrder(collection, field, decimal(to)) {
		if other.ID != record.ID {
			order = append(order, other.ID)
		}
	}
	after, named := strings.CutPrefix(c.text("position"), "after:")
	at := slices.Index(order, after) + 1
	switch position := c.text("position"); {
	case position == first:
		at = 0
	case position == last:
		at = len(order)
	case !named || at == 0:
		return answer{}, failed(wrongValue(map[string]string{projectCards: "ProjectCard", projectColumns: "ProjectColumn"}[collection], "position", codeInvalid, position))
	}
	for i, id := range slices.Insert(order, at, record.ID) {
		other, _ := c.get(collection, id)
		value := changed(other)
		value["position"], value[field] = int64(i), to
		if id == record.ID {
			value["updated_at"] = c.now()
		}
		c.update(collection, value)
	}
	return answer{status: http.StatusCreated, value: map[string]any{}}, nil
}
